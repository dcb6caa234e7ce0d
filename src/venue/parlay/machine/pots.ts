import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import type { ParlayState } from './state.ts'
import { PositionCell, PositionWord } from './positionRows.ts'

/** Moves what the selection reserved into the position's pot and escrow. */
export function fillPot(s: ParlayState, p: number): void {
  const { positions } = s
  const { reserved, pot, escrow } = AccountKind
  const slot = positions.slotAt(p)
  const holder = positions.words[p + PositionWord.holder]!
  s.ledger.ensurePositions(positions.index.slotCount)
  post(s, p, PostingCause.commit, reserved, holder, pot, slot, positions.cells[p + PositionCell.stakeMicros]!)
  post(s, p, PostingCause.commit, reserved, holder, escrow, slot, positions.cells[p + PositionCell.takerFeeMicros]!)
  post(s, p, PostingCause.commit, reserved, positions.words[p + PositionWord.backer]!, pot, slot, positions.cells[p + PositionCell.riskMicros]!)
}

/** Pays `amountMicros` out of the pot into the free balance of `account`. */
export function payFromPot(s: ParlayState, p: number, cause: number, account: number, amountMicros: number): void {
  post(s, p, cause, AccountKind.pot, s.positions.slotAt(p), AccountKind.free, account, amountMicros)
}

/** Gives the house the profit fee out of the pot. */
export function takeProfitFee(s: ParlayState, p: number, feeMicros: number): void {
  post(s, p, PostingCause.profitFee, AccountKind.pot, s.positions.slotAt(p), AccountKind.house, AccountKind.house, feeMicros)
}

/** Gives the house the taker fee that waits in escrow. */
export function takeTakerFee(s: ParlayState, p: number): void {
  const { positions } = s
  const { escrow, house } = AccountKind
  post(s, p, PostingCause.takerFee, escrow, positions.slotAt(p), house, house, positions.cells[p + PositionCell.takerFeeMicros]!)
}

/** Undoes the position's money: stake and taker fee to its holder, the risk to its backing maker (readings A23, A24). */
export function refundPot(s: ParlayState, p: number): void {
  const { positions } = s
  const { pot, escrow, free } = AccountKind
  const slot = positions.slotAt(p)
  const holder = positions.words[p + PositionWord.holder]!
  post(s, p, PostingCause.void, pot, slot, free, holder, positions.cells[p + PositionCell.stakeMicros]!)
  post(s, p, PostingCause.void, pot, slot, free, positions.words[p + PositionWord.backer]!, positions.cells[p + PositionCell.riskMicros]!)
  post(s, p, PostingCause.void, escrow, slot, free, holder, positions.cells[p + PositionCell.takerFeeMicros]!)
}

/** One posting of position `p`. The ledger indexes pot and escrow by the position's slot, and the house by its kind. */
function post(
  s: ParlayState, p: number, cause: number, from: number, fromIndex: number, to: number, toIndex: number, amountMicros: number,
): void {
  const { positions, ledger } = s
  ledger.post(s.nowUs, cause, from, fromIndex, to, toIndex, amountMicros, positions.cells[p + PositionCell.request]!, positions.cells[p + PositionCell.number]!)
}
