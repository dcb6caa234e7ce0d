import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Offsets of a quote's numbers in its row of `QuoteRows.cells`. */
export const Quote = {
  number: 0,
  /** −1 of a cash-out, like the taker fee and the odds. */
  netStakeMicros: 1,
  /** Of a cash-out the price. */
  payoutMicros: 2,
  /** What the maker can lose by it: payout less net stake; of a cash-out the price, for the backing maker 0. */
  riskMicros: 3,
  oddsE4: 4,
  takerFeeBps: 5,
  feeBps: 6,
  expiresAtUs: 7,
  /** The RFQ's generation when it was made. */
  generation: 8,
} as const

/** Offsets of its integers in its row of `QuoteRows.ints`. */
export const QuoteInt = {
  /** Slot of the RFQ. */
  rfq: 0,
  maker: 1,
  /** A `QuoteState`. */
  state: 2,
  /** 1 while it is listed: live, and not yet so close to its expiry that it has left (OM-060). */
  listed: 3,
  /** The maker's quote signer that signed it. */
  signer: 4,
  /** Slot of its acceptance, or −1; a quote is accepted once. */
  acceptance: 5,
  /** Next of all quotes of the RFQ, or −1. */
  next: 6,
  /** Neighbours among the RFQ's live quotes, by number, or −1; meaningless when it is not live. */
  nextLive: 7,
  liveBefore: 8,
} as const

/** Length of a row in either array: the quote in slot q begins at q × QUOTE_STRIDE in both. */
export const QUOTE_STRIDE = 9
const STRIDE = QUOTE_STRIDE

/**
 * Quotes by slot, in whatever state, until their RFQ is forgotten. What belongs to one lies together: a quote is written, ended and
 * forgotten as a whole, and a column for each field would cost a cache line for each.
 */
export class QuoteRows extends EntityColumns {
  cells = new Float64Array(this.capacity * STRIDE)
  ints = new Int32Array(this.capacity * STRIDE)
}
