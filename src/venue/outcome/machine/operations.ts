import { NONE } from '../../../unit/none.ts'
import { MS_US, NEVER_US } from '../../../unit/time.ts'
import { type KindIn, type KindOf, rowOfKind } from '../../eventCells.ts'
import { OperationKind, OperationRow, OperationStatus, OperationUpdated, OutcomeEvent } from '../protocol/events.ts'
import { CoreState } from './accountColumns.ts'
import { forgetLater, Forgotten } from './forgetting.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/**
 * Starts an operation of `account` and schedules its step. Returns its row. The caller sets the other fields (those not set here are
 * NONE, 0 or NEVER_US) and then writes a row about the operation with `openOperationRow`.
 */
export function startOperation(s: OutcomeState, kind: number, account: number, amountMicros: number): number {
  const { operations } = s
  const o = operations.take()
  const { words, cells } = operations
  words[o + OperationWord.kind] = kind
  words[o + OperationWord.status] = OperationStatus.pending
  words[o + OperationWord.account] = account
  words[o + OperationWord.other] = words[o + OperationWord.generation] = NONE
  words[o + OperationWord.feeBps] = words[o + OperationWord.legCount] = 0
  cells[o + OperationCell.number] = operations.index.lastNumber
  cells[o + OperationCell.acceptance] = cells[o + OperationCell.rfq] = cells[o + OperationCell.quote] = cells[o + OperationCell.position] = NONE
  cells[o + OperationCell.amountMicros] = amountMicros
  cells[o + OperationCell.validUntilUs] = cells[o + OperationCell.exitUntilUs] = NEVER_US
  cells[o + OperationCell.riskMicros] = cells[o + OperationCell.coreMicros] = cells[o + OperationCell.stakeMicros] = 0
  cells[o + OperationCell.netStakeMicros] = cells[o + OperationCell.payoutMicros] = cells[o + OperationCell.oddsE4] = 0
  if (kind === OperationKind.withdrawal) s.accounts.core[account] = CoreState.moving
  scheduleStep(s, o, s.profile.operationMs * MS_US)
  return o
}

/** Opens a row about the present state of an operation: its start, or a change. */
export function openOperationRow(s: OutcomeState, kind: KindIn<KindOf<typeof OperationRow>>, o: number): void {
  const { operations: { cells, words }, events } = s
  const row = events.open(s.nowUs, kind, s.cause)
  const status = words[o + OperationWord.status]!
  events.write(row, OperationRow.account, words[o + OperationWord.account]!)
  events.write(row, OperationRow.maker, words[o + OperationWord.other]!)
  events.write(row, OperationRow.rfq, cells[o + OperationCell.rfq]!)
  events.write(row, OperationRow.generation, words[o + OperationWord.generation]!)
  events.write(row, OperationRow.quote, cells[o + OperationCell.quote]!)
  events.write(row, OperationRow.position, cells[o + OperationCell.position]!)
  events.write(row, OperationRow.acceptance, cells[o + OperationCell.acceptance]!)
  events.write(row, OperationRow.operation, cells[o + OperationCell.number]!)
  events.write(row, OperationRow.operationKind, words[o + OperationWord.kind]!)
  events.write(row, OperationRow.amountMicros, cells[o + OperationCell.amountMicros]!)
  if (kind === OutcomeEvent.operationUpdated) events.write(rowOfKind(row, kind), OperationUpdated.status, status)
  if (status === OperationStatus.pending) events.write(row, OperationRow.nextStepAtUs, cells[o + OperationCell.stepAtUs]!)
}

/** Schedules the operation's next step. */
export function scheduleStep(s: OutcomeState, o: number, afterUs: number): void {
  const { operations } = s
  operations.cells[o + OperationCell.stepAtUs] = s.nowUs + afterUs
  s.deadlines.push(operations.cells[o + OperationCell.stepAtUs]!, DeadlineRank.operation, operations.cells[o + OperationCell.number]!)
}

/** Gives the operation its last status. What it kept of the core wallet is free again. */
export function endOperation(s: OutcomeState, o: number, status: number): void {
  const { operations, accounts } = s
  operations.words[o + OperationWord.status] = status
  const coreMicros = operations.cells[o + OperationCell.coreMicros]!
  accounts.pendingCoreMicros -= coreMicros
  const isCoreBusy = coreMicros > 0 || operations.words[o + OperationWord.kind] === OperationKind.withdrawal
  if (isCoreBusy) accounts.core[operations.words[o + OperationWord.account]!] = CoreState.idle
  forgetLater(s, Forgotten.operation, operations.cells[o + OperationCell.number]!)
}
