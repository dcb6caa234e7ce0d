import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, SECOND_US } from '../../../unit/time.ts'
import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, SetSigner, SIGNER_MAX } from '../protocol/commands.ts'
import {
  DepositReply, FundsRow, FundsWithdrawn, OperationKind, OutcomeEvent, ReductionReply, ReductionStarted, SignerChanged, WithdrawalReply,
} from '../protocol/events.ts'
import { NET_DEPOSITS_MAX_MICROS } from '../protocol/profile.ts'
import { CoreState } from './accountColumns.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { startOperation, openOperationRow } from './operations.ts'
import { openReply, refuseField, reply } from './rows.ts'
import { reductionTerms, refusalOfSignature, withdrawalTerms } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/** Credits a participant's balance or a maker's capital. */
export function deposit(s: OutcomeState, c: OutcomeCommand): void {
  const { amountMicros } = c
  const account = accountOf(c)
  if (!isAmount(amountMicros, s.profile.depositMaxMicros) || !isRoomFor(s, amountMicros)) return refuseField(s, c, InvalidField.amount)
  const { external, free } = AccountKind
  s.ledger.post(s.nowUs, PostingCause.deposit, external, external, free, account, amountMicros, NONE, NONE)
  openFundsRow(s, OutcomeEvent.fundsDeposited, account, amountMicros)
  const row = rowAs(DepositReply, openReply(s, s.cause, c.account, c.op, OutcomeCode.ok))
  s.events.write(row, DepositReply.accountBalanceMicros, heldMicros(s, account))
}

/** Whether the vault can take `amountMicros` more, in addition to the core parts of pending acceptances and fills. */
export const isRoomFor = (s: OutcomeState, amountMicros: number): boolean =>
  s.ledger.netDepositsMicros() + s.accounts.pendingCoreMicros + amountMicros <= NET_DEPOSITS_MAX_MICROS

/** Starts the payout of free balance to the participant's wallet (OM-095). */
export function withdraw(s: OutcomeState, c: OutcomeCommand): void {
  const field = invalidFieldOfWithdrawal(s, c)
  if (field !== VALID) return refuseField(s, c, field)
  const refusal = refusalOfWithdrawal(s, c)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  const { amountMicros, exitUntilS } = c
  const { operations, events } = s
  const account = accountOf(c)
  post(s, PostingCause.hold, AccountKind.free, AccountKind.reserved, account, amountMicros)
  const o = startOperation(s, OperationKind.withdrawal, account, amountMicros)
  operations.cells[o + OperationCell.validUntilUs] = c.validBeforeS * SECOND_US
  if (exitUntilS !== NONE) operations.cells[o + OperationCell.exitUntilUs] = exitUntilS * SECOND_US
  openOperationRow(s, OutcomeEvent.operationStarted, o)
  const row = rowAs(WithdrawalReply, openReply(s, s.cause, c.account, c.op, OutcomeCode.ok))
  events.write(row, WithdrawalReply.operation, operations.cells[o + OperationCell.number]!)
  events.write(row, WithdrawalReply.nextStepAtUs, operations.cells[o + OperationCell.stepAtUs]!)
}

/** The payout of operation `o` is on chain. */
export function withdrawalDone(s: OutcomeState, o: number): void {
  const { operations } = s
  const account = operations.words[o + OperationWord.account]!
  const amountMicros = operations.cells[o + OperationCell.amountMicros]!
  post(s, PostingCause.withdraw, AccountKind.reserved, AccountKind.external, account, amountMicros)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
  const row = openFundsRow(s, OutcomeEvent.fundsWithdrawn, account, amountMicros)
  s.events.write(row, FundsWithdrawn.operation, operations.cells[o + OperationCell.number]!)
}

/** The payout of operation `o` came too late, or the chain dropped it: what it held is free again. */
export function withdrawalFailed(s: OutcomeState, o: number): void {
  const { words, cells } = s.operations
  post(s, PostingCause.release, AccountKind.reserved, AccountKind.free, words[o + OperationWord.account]!, cells[o + OperationCell.amountMicros]!)
  openOperationRow(s, OutcomeEvent.operationUpdated, o)
}

/** A maker lowers its collateral. The amount leaves its capital at once and the vault after the delay (OM-087, OM-277, readings B17). */
export function reduceCollateral(s: OutcomeState, c: OutcomeCommand): void {
  const { amountMicros } = c
  const account = accountOf(c)
  if (!isAmount(amountMicros, s.profile.withdrawMaxMicros)) return refuseField(s, c, InvalidField.amount)
  const refusal = refusalOfReduction(s, c)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  const { reductions, events } = s
  post(s, PostingCause.hold, AccountKind.free, AccountKind.reserved, account, amountMicros)
  const d = reductions.take()
  const number = reductions.index.lastNumber
  const releaseAtUs = s.nowUs + s.profile.reductionDelayMs * MS_US
  reductions.number[d] = number
  reductions.account[d] = account
  reductions.amountMicros[d] = amountMicros
  s.deadlines.push(releaseAtUs, DeadlineRank.reduction, number)
  const started = events.open(s.nowUs, OutcomeEvent.reductionStarted, s.cause)
  events.write(started, ReductionStarted.account, account)
  events.write(started, ReductionStarted.amountMicros, amountMicros)
  events.write(started, ReductionStarted.reduction, number)
  events.write(started, ReductionStarted.releaseAtUs, releaseAtUs)
  const row = rowAs(ReductionReply, openReply(s, s.cause, c.account, c.op, OutcomeCode.ok))
  events.write(row, ReductionReply.reduction, number)
  events.write(row, ReductionReply.releaseAtUs, releaseAtUs)
}

/** Deadline: reduction `number` leaves the vault. */
export function reductionDue(s: OutcomeState, number: number): void {
  const { reductions } = s
  const d = reductions.index.slotOf(number)
  const account = reductions.account[d]!
  const amountMicros = reductions.amountMicros[d]!
  post(s, PostingCause.withdraw, AccountKind.reserved, AccountKind.external, account, amountMicros)
  s.events.write(openFundsRow(s, OutcomeEvent.fundsWithdrawn, account, amountMicros), FundsWithdrawn.reduction, number)
  reductions.index.release(number)
}

/** A maker names the key that signs its quotes and confirmations from now on. */
export function setSigner(s: OutcomeState, c: OutcomeCommand): void {
  const { [SetSigner.signer]: signer } = c
  const account = accountOf(c)
  if (!(Number.isInteger(signer) && signer >= 0 && signer <= SIGNER_MAX)) return refuseField(s, c, InvalidField.value)
  s.accounts.signer[account] = signer
  const row = s.events.open(s.nowUs, OutcomeEvent.signerChanged, s.cause)
  // −0 becomes 0, because the digest sees the bits of a number.
  s.events.write(row, SignerChanged.account, account)
  s.events.write(row, SignerChanged.signer, signer + 0)
  reply(s, c, OutcomeCode.ok)
}

/** Opens a row about money that reached or left the vault, with the account's balance afterwards. */
export function openFundsRow<N extends KindOf<typeof FundsRow>>(s: OutcomeState, kind: Kind<N>, account: number, amountMicros: number): Row<N> {
  const { events } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, FundsRow.account, account)
  events.write(row, FundsRow.amountMicros, amountMicros)
  events.write(row, FundsRow.accountBalanceMicros, heldMicros(s, account))
  return row
}

const VALID = 0

/** The first field of a withdrawal that is out of its range (OM-272, OM-274…276), or VALID. Times are unix seconds. */
function invalidFieldOfWithdrawal(s: OutcomeState, c: OutcomeCommand): number {
  const { profile, nowUs } = s
  const { exitUntilS, validAfterS, validBeforeS } = c
  if (!isAmount(c.amountMicros, profile.withdrawMaxMicros)) return InvalidField.amount
  if (exitUntilS !== NONE && !isExitInRange(s, exitUntilS)) return InvalidField.exitExpiry
  if (!(Number.isInteger(validAfterS) && validAfterS >= 0 && validAfterS * SECOND_US <= nowUs)) return InvalidField.validAfter
  const fromUs = exitUntilS === NONE ? nowUs : exitUntilS * SECOND_US
  const isInRange = Number.isInteger(validBeforeS) && validBeforeS * SECOND_US >= fromUs + profile.payoutAfterMs * MS_US &&
    (validBeforeS - validAfterS) * SECOND_US <= profile.payoutSpanMaxMs * MS_US
  return isInRange ? VALID : InvalidField.validBefore
}

/** Whether an Exit may end at that time. The margin narrows one end of the range (OM-272, OM-273, readings B15). */
function isExitInRange(s: OutcomeState, exitUntilS: number): boolean {
  const { exitAheadMinMs, exitAheadMaxMs, exitMarginMs, exitMarginAtNear } = s.profile
  const nearMs = exitAheadMinMs + (exitMarginAtNear === 1 ? exitMarginMs : 0)
  const farMs = exitAheadMaxMs - (exitMarginAtNear === 1 ? 0 : exitMarginMs)
  const aheadUs = exitUntilS * SECOND_US - s.nowUs
  return Number.isInteger(exitUntilS) && aheadUs >= nearMs * MS_US && aheadUs <= farMs * MS_US
}

function refusalOfWithdrawal(s: OutcomeState, c: OutcomeCommand): number {
  const { accounts, terms } = s
  if (terms.financialActionsDisabled) return OutcomeCode.financialActionsDisabled
  const signature = refusalOfSignature(s, c, withdrawalTerms(s, c), c.account)
  if (signature !== OutcomeCode.ok) return signature
  if (accounts.core[c.account] === CoreState.moving) return OutcomeCode.coreMoveInFlight
  if (accounts.core[c.account] === CoreState.funding) return OutcomeCode.coreFundingConflict
  return s.ledger.freeMicros(c.account) < c.amountMicros ? OutcomeCode.stateConflict : OutcomeCode.ok
}

function refusalOfReduction(s: OutcomeState, c: OutcomeCommand): number {
  if (s.terms.financialActionsDisabled) return OutcomeCode.financialActionsDisabled
  const signature = refusalOfSignature(s, c, reductionTerms(s, c), c.account)
  if (signature !== OutcomeCode.ok) return signature
  return s.ledger.freeMicros(c.account) < c.amountMicros ? OutcomeCode.stateConflict : OutcomeCode.ok
}

const isAmount = (amountMicros: number, maxMicros: number): boolean =>
  Number.isInteger(amountMicros) && amountMicros >= 1 && amountMicros <= maxMicros

/** The sender. −0 names account 0, and the digest sees the bits of a number. */
const accountOf = (c: OutcomeCommand): number => c.account + 0

/** What the account has in the vault besides positions, in microUSDC. */
const heldMicros = (s: OutcomeState, account: number): number => s.ledger.freeMicros(account) + s.ledger.reservedMicros(account)

/** Moves money of one account, within the account or out of the vault. */
function post(s: OutcomeState, cause: number, from: number, to: number, account: number, amountMicros: number): void {
  s.ledger.post(s.nowUs, cause, from, account, to, account, amountMicros, NONE, NONE)
}
