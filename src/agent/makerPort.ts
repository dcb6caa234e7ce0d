import type { AuctionRow, PositionRow, RequestRow, SelectionRow } from './rows.ts'
import type { PriceType } from './vocabulary.ts'

/** How far a price must move for a call. */
export interface PriceWatchTerms {
  readonly priceType: PriceType
  /** Twice the distance in millionths. */
  readonly byTwiceE6: number
}

/**
 * The port for commands of makers' desks: the engine, which delays them on the way to the venue. Rows must be rows that are being shown, and
 * the terms have been checked.
 */
export interface MakerPort {
  /** `probability` is the probability behind `oddsE4`, before rounding. `memoE9` and `productE9` are the maker's fair value and its product of the legs' prices, billionths, −1 where it gives none. */
  submitQuote(seat: number, request: RequestRow, oddsE4: number, validUs: number, memoE9: number, probability: number, productE9: number): void
  /** `request` is the number of a request, which need not be the one that is shown. */
  withdrawQuote(seat: number, request: number): void
  submitBid(seat: number, auction: AuctionRow, priceMicros: number, validUs: number, memoE9: number, productE9: number): void
  openCashOut(seat: number, position: PositionRow): void
  /** `minPriceMicros` is the lowest price taken. */
  takeBid(seat: number, position: PositionRow, minPriceMicros: number): void
  cancelCashOut(seat: number, position: PositionRow): void
  checkIn(seat: number, position: PositionRow, delayUs: number): void
  decide(seat: number, selection: SelectionRow, confirm: boolean): void
  decideLater(seat: number, selection: SelectionRow, delayUs: number): void
  later(seat: number, request: RequestRow, delayUs: number): void
  watch(seat: number, request: RequestRow, terms: PriceWatchTerms): void
  watchPosition(seat: number, position: PositionRow, terms: PriceWatchTerms): void
  after(seat: number, delayUs: number, tag: number): void
  /** The maker lets go by what it is shown. */
  passed(seat: number, reason: string): void
  /** A line of its log, with a number of its own; '' and NaN for none. */
  logged(seat: number, text: string, name: string, value: number): void
  /** False when the maker has no account on the other service, or that service takes no such bet. */
  layOff(seat: number, position: PositionRow, betMicros: number, minOddsE4: number, decideInUs: number): boolean
}
