import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { PositionCell } from './positionRows.ts'
import type { OutcomeState } from './state.ts'

/** Pays `amountMicros` out of the pot into the free balance of `account`. `rfq` is the RFQ of the posting. */
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
