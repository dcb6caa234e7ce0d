import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { Bug } from '../../../unit/assert.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import { PositionCell } from './positionRows.ts'
import { releasePosition } from './positions.ts'
import type { OutcomeState } from './state.ts'

/** The fee on `profitMicros` at `feeBps`, rounded down; none on a loss (OM-253, OM-263, readings B02). */
export const profitFee = (profitMicros: number, feeBps: number): number => feeFloor(Math.max(0, profitMicros) as Micros, feeBps)

/** Pays `amountMicros` out of the pot into the free balance of `account`; `rfq` is the one that the posting belongs to. */
export function payFromPot(s: OutcomeState, p: number, cause: number, account: number, amountMicros: number, rfq: number): void {
  const { pot, free } = AccountKind
  s.ledger.post(s.nowUs, cause, pot, s.positions.slotAt(p), free, account, amountMicros, rfq, s.positions.cells[p + PositionCell.number]!)
}

/** Gives the house the fee on profit out of the pot. */
export function takeProfitFee(s: OutcomeState, p: number, feeMicros: number, rfq: number): void {
  const { pot, house } = AccountKind
  const { positions, ledger } = s
  ledger.post(s.nowUs, PostingCause.profitFee, pot, positions.slotAt(p), house, house, feeMicros, rfq, positions.cells[p + PositionCell.number]!)
}

/** Ends a position that has been paid out in full, and forgets it (INV-06). */
export function closePot(s: OutcomeState, p: number): void {
  const { positions, ledger } = s
  if (ledger.potMicros(positions.slotAt(p)) !== 0) throw new Bug(`position ${positions.cells[p + PositionCell.number]} is not paid out in full`)
  releasePosition(s, p)
}
