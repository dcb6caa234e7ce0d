import { LeggedRows } from '../../leggedRows.ts'

/** Small integers of an RFQ, by their offsets in a row of `RfqRows.words`. */
export const RfqWord = {
  owner: 0,
  /** An `RfqState`. */
  state: 1,
  legCount: 2,
  /** All its quotes, linked through `QuoteWord.next`, −1 when there are none. */
  firstQuote: 3,
  /** The live ones among them by ascending number, doubly linked through `QuoteWord.nextLive` and `QuoteWord.liveBefore`. */
  firstLive: 4,
  lastLive: 5,
  /** The best listed quote, or −1. */
  bestQuote: 6,
  /** The quote whose acceptance is pending, or −1. */
  acceptedQuote: 7,
} as const

/** All else, by its offset in a row of `RfqRows.cells`. */
export const RfqCell = {
  number: 0,
  /** Number of the position that a cash-out RFQ sells, or −1. */
  position: 1,
  /** The stake, and the stake net of the entry fee in force at its creation. −1 for a cash-out. */
  stakeMicros: 2,
  netStakeMicros: 3,
  openUntilUs: 4,
  /** When it is forgotten or looked at again. Without meaning while it is open. */
  forgetAtUs: 5,
  generation: 6,
} as const

const STRIDE = 8

/**
 * RFQs, until they are forgotten: entries, and cash-outs of a position. An RFQ is named by the index of its row's first word, like a
 * quote (quoteRows.ts).
 */
export class RfqRows extends LeggedRows {
  declare legOutcomes: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legOutcomes = new Int32Array(capacity * legWidth)
  }
}
