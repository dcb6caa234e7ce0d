import { NONE } from '../../../src/unit/none.ts'
import { ParlayFault } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { EventKind } from './namedRows.ts'
import { executeFill, failFill } from './positions.ts'
import { type Turn, write } from './rows.ts'
import { chainFaultOf, type VaultTransaction } from './state.ts'
import { credit, payOut, putBack } from './vaults.ts'

interface Start {
  readonly effect: number
  readonly account: number
  readonly amountMicros: number
  /** The backing maker of a fill. */
  readonly backer?: number
  readonly position?: number
}

/** Starts a transaction under the fault of the chain that is on; null when none is, and all is complete at once. */
export function startTransaction(turn: Turn, start: Start): VaultTransaction | null {
  const { effect, account, amountMicros, backer = NONE, position = NONE } = start
  const { state, profile, atUs } = turn
  const fault = chainFaultOf(state)
  if (fault === null && effect === VaultEffect.fill && profile.executionMs > 0) return execute(turn, { account, amountMicros, backer, position })
  if (fault === null) return null
  const isMirror = fault === ParlayFault.mirrorBehind
  const transaction: VaultTransaction = {
    number: ++state.lastTransaction, effect, account, backer, position, amountMicros, fault,
    status: isMirror ? VaultStatus.balancePending : VaultStatus.chainPending,
    nextAtUs: atUs + 1000 * (isMirror ? profile.mirrorRecoveryMs : profile.chainRecoveryMs),
  }
  state.transactions.set(transaction.number, transaction)
  writeTransaction(turn, transaction, ParlayEvent.vaultTransactionStarted)
  return transaction
}

/** A fill while the chain is well: executed after its time, and nobody is fenced. */
function execute(turn: Turn, { account, amountMicros, backer = NONE, position = NONE }: Omit<Start, 'effect'>): VaultTransaction {
  const { state, profile, atUs } = turn
  const transaction: VaultTransaction = {
    number: ++state.lastTransaction, effect: VaultEffect.execution, account, backer, position, amountMicros, fault: NONE,
    status: VaultStatus.balancePending, nextAtUs: atUs + 1000 * profile.executionMs,
  }
  state.transactions.set(transaction.number, transaction)
  writeTransaction(turn, transaction, ParlayEvent.vaultTransactionStarted)
  return transaction
}

/** The next step of a pending transaction; it goes its way whatever faults are on now. */
export function stepTransaction(turn: Turn, transaction: VaultTransaction): void {
  if (transaction.status === VaultStatus.balancePending) return complete(turn, transaction)
  if (transaction.fault === ParlayFault.chainDropped) return fail(turn, transaction)
  transaction.status = VaultStatus.balancePending
  transaction.nextAtUs = turn.atUs + turn.profile.mirrorRecoveryMs * 1000
  writeTransaction(turn, transaction, ParlayEvent.vaultTransactionChanged)
}

function complete(turn: Turn, transaction: VaultTransaction): void {
  const { effect, account, amountMicros, position } = transaction
  close(turn, transaction, VaultStatus.completed)
  if (effect === VaultEffect.deposit) credit(turn, account, amountMicros)
  if (effect === VaultEffect.withdrawal) payOut(turn, account, amountMicros)
  if (effect === VaultEffect.fill || effect === VaultEffect.execution) executeFill(turn, turn.state.positions.get(position)!)
}

function fail(turn: Turn, transaction: VaultTransaction): void {
  const { effect, account, amountMicros, position } = transaction
  close(turn, transaction, VaultStatus.failed)
  if (effect === VaultEffect.withdrawal) putBack(turn, account, amountMicros)
  if (effect === VaultEffect.fill) failFill(turn, turn.state.positions.get(position)!)
}

function close(turn: Turn, transaction: VaultTransaction, status: number): void {
  transaction.status = status
  transaction.nextAtUs = null
  writeTransaction(turn, transaction, ParlayEvent.vaultTransactionChanged)
}

function writeTransaction(
  turn: Turn, transaction: VaultTransaction, event: EventKind<'vaultTransactionStarted' | 'vaultTransactionChanged'>,
): void {
  const { number, effect, account, backer, amountMicros, status, nextAtUs } = transaction
  const position = turn.state.positions.get(transaction.position)
  write(turn, event, {
    account, backer, request: position?.request ?? NONE, version: position?.version ?? NONE, position: position?.number ?? NONE,
    status, amountMicros, effect, transaction: number, nextStepAtUs: nextAtUs ?? NONE,
  })
}
