import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import type { Kind, KindOf } from '../../eventCells.ts'
import {
  CancelReason, ParlayEvent, ParlayStatus, PositionCancelled, PositionFailed, PositionState, VaultEffect, VaultStatus, VaultTransactionChanged,
} from '../protocol/events.ts'
import { countFailed, fence, unfence } from './accounts.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { closePosition } from './positions.ts'
import { refundPot } from './pots.ts'
import { openPositionRow, tellPositionStatus } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { credit, tellFunds } from './vaults.ts'

/**
 * Starts a transaction as pending, fences its vaults and writes a row about it. Precondition: a fault of the chain is on, unless
 * the transaction is an execution. `position` is the number of the position that a fill funds, else −1. Returns the slot.
 */
export function startTransaction(s: ParlayState, effect: number, account: number, amountMicros: number, position = NONE): number {
  const { vaultTransactions, terms } = s
  const t = vaultTransactions.take()
  vaultTransactions.number[t] = vaultTransactions.index.lastNumber
  vaultTransactions.account[t] = account
  vaultTransactions.effect[t] = effect
  vaultTransactions.dropped[t] = terms.chainDropped ? 1 : 0
  vaultTransactions.amountMicros[t] = amountMicros
  vaultTransactions.position[t] = position
  if (effect === VaultEffect.deposit) vaultTransactions.pendingDepositsMicros += amountMicros
  if (effect !== VaultEffect.execution) fence(s, account)
  if (effect === VaultEffect.fill) fence(s, s.positions.words[positionOf(s, t) + PositionWord.backer]!)
  const onChain = terms.chainDropped || terms.chainUnclear
  const untilUs = waitFor(s, t, onChain ? VaultStatus.chainPending : VaultStatus.balancePending)
  tellTransaction(s, ParlayEvent.vaultTransactionStarted, t, untilUs)
  return t
}

/** Deadline: the next step of transaction `number`. */
export function vaultTransactionDue(s: ParlayState, number: number): void {
  const { vaultTransactions } = s
  const t = vaultTransactions.index.slotOf(number)
  if (vaultTransactions.status[t] === VaultStatus.balancePending) return end(s, t, VaultStatus.completed)
  if (vaultTransactions.dropped[t] === 1) return end(s, t, VaultStatus.failed)
  const untilUs = waitFor(s, t, VaultStatus.balancePending)
  tellTransaction(s, ParlayEvent.vaultTransactionChanged, t, untilUs)
}

/** Puts the transaction into a pending status. Returns the instant of its next step. */
function waitFor(s: ParlayState, t: number, status: number): number {
  const { vaultTransactions, profile } = s
  const isExecution = vaultTransactions.effect[t] === VaultEffect.execution
  const recoveryMs = status === VaultStatus.chainPending ? profile.chainRecoveryMs : profile.mirrorRecoveryMs
  const waitMs = isExecution ? profile.executionMs : recoveryMs
  const untilUs = s.nowUs + waitMs * MS_US
  vaultTransactions.status[t] = status
  s.deadlines.push(untilUs, DeadlineRank.vaultTransaction, vaultTransactions.number[t]!)
  return untilUs
}

function end(s: ParlayState, t: number, status: number): void {
  const { vaultTransactions } = s
  vaultTransactions.status[t] = status
  if (vaultTransactions.effect[t] !== VaultEffect.execution) unfence(s, vaultTransactions.account[t]!)
  switch (vaultTransactions.effect[t]) {
    case VaultEffect.deposit:
      endDeposit(s, t)
      break
    case VaultEffect.withdrawal:
      endWithdrawal(s, t)
      break
    default:
      endFill(s, t)
  }
  vaultTransactions.index.release(vaultTransactions.number[t]!)
}

function endDeposit(s: ParlayState, t: number): void {
  const { vaultTransactions } = s
  const account = vaultTransactions.account[t]!
  const amountMicros = vaultTransactions.amountMicros[t]!
  const completed = vaultTransactions.status[t] === VaultStatus.completed
  vaultTransactions.pendingDepositsMicros -= amountMicros
  if (completed) credit(s, account, amountMicros)
  tellTransaction(s, ParlayEvent.vaultTransactionChanged, t, NONE)
  if (completed) tellFunds(s, ParlayEvent.fundsDeposited, account, amountMicros)
}

/** Pays out what the pending withdrawal holds, or gives it back. */
function endWithdrawal(s: ParlayState, t: number): void {
  const { vaultTransactions, ledger } = s
  const account = vaultTransactions.account[t]!
  const amountMicros = vaultTransactions.amountMicros[t]!
  const completed = vaultTransactions.status[t] === VaultStatus.completed
  const { reserved, external, free } = AccountKind
  if (completed) ledger.post(s.nowUs, PostingCause.withdraw, reserved, account, external, external, amountMicros, NONE, NONE)
  else ledger.post(s.nowUs, PostingCause.release, reserved, account, free, account, amountMicros, NONE, NONE)
  tellTransaction(s, ParlayEvent.vaultTransactionChanged, t, NONE)
  if (completed) tellFunds(s, ParlayEvent.fundsWithdrawn, account, amountMicros)
}

/** Makes the position executed, or pays stake, risk and taker fee back and ends it. */
function endFill(s: ParlayState, t: number): void {
  const { positions, vaultTransactions, events } = s
  const p = positionOf(s, t)
  if (vaultTransactions.effect[t] === VaultEffect.fill) unfence(s, positions.words[p + PositionWord.backer]!)
  if (vaultTransactions.status[t] === VaultStatus.completed) {
    positions.words[p + PositionWord.state] = positions.words[p + PositionWord.decided] === 1 ? PositionState.decided : PositionState.executed
    tellTransaction(s, ParlayEvent.vaultTransactionChanged, t, NONE)
    tellPositionStatus(s, p, ParlayStatus.executed)
    return
  }
  refundPot(s, p)
  tellTransaction(s, ParlayEvent.vaultTransactionChanged, t, NONE)
  tellPositionStatus(s, p, ParlayStatus.cancelled)
  tellCancelled(s, p)
  const row = openPositionRow(s, ParlayEvent.positionFailed, p)
  events.write(row, PositionFailed.toHolderMicros, positions.cells[p + PositionCell.costMicros]!)
  events.write(row, PositionFailed.toBackerMicros, positions.cells[p + PositionCell.riskMicros]!)
  countFailed(s, p)
  closePosition(s, p)
}

/** Writes the row that the parlay is cancelled, like a request, with the maker that would have backed it. */
function tellCancelled(s: ParlayState, p: number): void {
  const { positions, events } = s
  const row = events.open(s.nowUs, ParlayEvent.positionCancelled, s.cause)
  events.write(row, PositionCancelled.owner, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionCancelled.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionCancelled.request, positions.cells[p + PositionCell.request]!)
  events.write(row, PositionCancelled.version, positions.words[p + PositionWord.version]!)
  events.write(row, PositionCancelled.reason, CancelReason.chainFailed)
}

/** Writes a row about the present state of the transaction. `nextStepAtUs` may be −1. */
function tellTransaction(s: ParlayState, kind: Kind<KindOf<typeof VaultTransactionChanged>>, t: number, nextStepAtUs: number): void {
  const { vaultTransactions, positions, events } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, VaultTransactionChanged.account, vaultTransactions.account[t]!)
  if (vaultTransactions.effect[t]! >= VaultEffect.fill) {
    const p = positionOf(s, t)
    events.write(row, VaultTransactionChanged.backer, positions.words[p + PositionWord.backer]!)
    events.write(row, VaultTransactionChanged.request, positions.cells[p + PositionCell.request]!)
    events.write(row, VaultTransactionChanged.version, positions.words[p + PositionWord.version]!)
    events.write(row, VaultTransactionChanged.position, positions.cells[p + PositionCell.number]!)
  }
  events.write(row, VaultTransactionChanged.status, vaultTransactions.status[t]!)
  events.write(row, VaultTransactionChanged.amountMicros, vaultTransactions.amountMicros[t]!)
  events.write(row, VaultTransactionChanged.effect, vaultTransactions.effect[t]!)
  events.write(row, VaultTransactionChanged.transaction, vaultTransactions.number[t]!)
  events.write(row, VaultTransactionChanged.nextStepAtUs, nextStepAtUs)
}

/** Row of the position that the pending fill funds. */
const positionOf = (s: ParlayState, t: number): number => s.positions.rowOf(s.vaultTransactions.position[t]!)
