import { MS_US, NEVER_US } from '../../../unit/time.ts'
import { NONE } from '../../eventRows.ts'
import { OperationKind, OperationStatus, OutcomeEvent, OutcomeField } from '../protocol/events.ts'
import { CoreState } from './accountColumns.ts'
import { forgetLater, Forgotten } from './forgetting.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/**
 * Starts an operation of `account` and schedules its step. Returns its row, for the caller to set what else it is about (all
 * that is not set here is NONE, 0 or NEVER_US) and then to tell it with `openOperationRow`.
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

/** Opens a row about an operation as it stands: its start, or a change. */
export function openOperationRow(s: OutcomeState, event: number, o: number): void {
  const { operations, events } = s
  const at = events.open(s.nowUs, event, s.cause)
  const { cells } = events
  const pending = operations.words[o + OperationWord.status] === OperationStatus.pending
  cells[at + OutcomeField.account] = operations.words[o + OperationWord.account]!
  cells[at + OutcomeField.other] = operations.words[o + OperationWord.other]!
  cells[at + OutcomeField.rfq] = operations.cells[o + OperationCell.rfq]!
  cells[at + OutcomeField.generation] = operations.words[o + OperationWord.generation]!
  cells[at + OutcomeField.quote] = operations.cells[o + OperationCell.quote]!
  cells[at + OutcomeField.position] = operations.cells[o + OperationCell.position]!
  cells[at + OutcomeField.acceptance] = operations.cells[o + OperationCell.acceptance]!
  cells[at + OutcomeField.operation] = operations.cells[o + OperationCell.number]!
  cells[at + OutcomeField.code] = operations.words[o + OperationWord.kind]!
  cells[at + OutcomeField.amountA] = operations.cells[o + OperationCell.amountMicros]!
  if (event === OutcomeEvent.operationUpdated) cells[at + OutcomeField.amountB] = operations.words[o + OperationWord.status]!
  cells[at + OutcomeField.untilUs] = pending ? operations.cells[o + OperationCell.stepAtUs]! : NONE
}

/** Schedules the operation's next step. */
export function scheduleStep(s: OutcomeState, o: number, afterUs: number): void {
  const { operations } = s
  operations.cells[o + OperationCell.stepAtUs] = s.nowUs + afterUs
  s.deadlines.push(operations.cells[o + OperationCell.stepAtUs]!, DeadlineRank.operation, operations.cells[o + OperationCell.number]!)
}

/** Gives the operation its last status: what it kept of the core wallet is free again. */
export function endOperation(s: OutcomeState, o: number, status: number): void {
  const { operations, accounts } = s
  operations.words[o + OperationWord.status] = status
  const coreMicros = operations.cells[o + OperationCell.coreMicros]!
  accounts.pendingCoreMicros -= coreMicros
  const isCoreBusy = coreMicros > 0 || operations.words[o + OperationWord.kind] === OperationKind.withdrawal
  if (isCoreBusy) accounts.core[operations.words[o + OperationWord.account]!] = CoreState.idle
  forgetLater(s, Forgotten.operation, operations.cells[o + OperationCell.number]!)
}
