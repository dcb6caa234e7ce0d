import * as ledgerModule from '../../../ledger/ledger.ts'
import { Bug } from '../../../unit/assert.ts'
import { releasePosition } from './positions.ts'
import type { ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { AccountKind, PostingCause } = ledgerModule

/** Moves what the selection reserved into the position's pot and escrow. */
export function fillPot(s: ParlayState, p: number): void {
  const { positions } = s
  const { reserved, pot, escrow } = AccountKind
  const holder = positions.holder[p]!
  s.ledger.ensurePositions(positions.index.slotCount)
  post(s, p, PostingCause.commit, reserved, holder, pot, p, positions.stakeMicros[p]!)
  post(s, p, PostingCause.commit, reserved, holder, escrow, p, positions.takerFeeMicros[p]!)
  post(s, p, PostingCause.commit, reserved, positions.backer[p]!, pot, p, positions.riskMicros[p]!)
}

/** Pays `amountMicros` out of the pot into the free balance of `account`. */
export function payFromPot(s: ParlayState, p: number, cause: number, account: number, amountMicros: number): void {
  post(s, p, cause, AccountKind.pot, p, AccountKind.free, account, amountMicros)
}

/** Gives the house the profit fee out of the pot. */
export function takeProfitFee(s: ParlayState, p: number, feeMicros: number): void {
  post(s, p, PostingCause.profitFee, AccountKind.pot, p, AccountKind.house, AccountKind.house, feeMicros)
}

/** Gives the house the taker fee that waits in escrow. */
export function takeTakerFee(s: ParlayState, p: number): void {
  post(s, p, PostingCause.takerFee, AccountKind.escrow, p, AccountKind.house, AccountKind.house, s.positions.takerFeeMicros[p]!)
}

/** Undoes the position's money: stake and taker fee to its holder, the risk to its backing maker (readings A23, A24). */
export function refundPot(s: ParlayState, p: number): void {
  const { positions } = s
  const { pot, escrow, free } = AccountKind
  const holder = positions.holder[p]!
  post(s, p, PostingCause.void, pot, p, free, holder, positions.stakeMicros[p]!)
  post(s, p, PostingCause.void, pot, p, free, positions.backer[p]!, positions.riskMicros[p]!)
  post(s, p, PostingCause.void, escrow, p, free, holder, positions.takerFeeMicros[p]!)
}

/** Ends a position that has been paid out in full, and forgets it. */
export function closePot(s: ParlayState, p: number): void {
  const { positions, vaults, ledger } = s
  if (ledger.potMicros(p) !== 0 || ledger.escrowMicros(p) !== 0) throw new Bug(`position ${positions.number[p]} is not paid out in full`)
  vaults.backedMicros[positions.backer[p]!]! -= positions.riskMicros[p]!
  releasePosition(s, p)
}

/** One posting of position `p`; the ledger indexes pot and escrow by its slot, the house by its kind. */
function post(
  s: ParlayState, p: number, cause: number, from: number, fromIndex: number, to: number, toIndex: number, amountMicros: number,
): void {
  const { positions, ledger } = s
  ledger.post(s.nowUs, cause, from, fromIndex, to, toIndex, amountMicros, positions.request[p]!, positions.number[p]!)
}
