import { LeggedRows } from '../../leggedRows.ts'

/** Small integers of a request, by their offsets in a row of `RequestRows.words`. */
export const RequestWord = {
  owner: 0,
  /** A `RequestState`. */
  state: 1,
  version: 2,
  bookSeq: 3,
  legCount: 4,
  /** The book: quotes by ascending number, linked through `QuoteWord.next` and `QuoteWord.before`, −1 when empty. */
  firstQuote: 5,
  lastQuote: 6,
  /** The best live or reserved quote, or −1. */
  bestQuote: 7,
  /** The reserved quote, or −1. The commit that waits and the first instant that is too late to confirm go with it. */
  pendingQuote: 8,
} as const

/** All else, by its offset in a row of `RequestRows.cells`. */
export const RequestCell = {
  number: 0,
  contentTag: 1,
  betMicros: 2,
  expiresAtUs: 3,
  commitSeq: 4,
  confirmBeforeUs: 5,
} as const

const STRIDE = 16

/** Quote requests, until they are evicted. A request is named by the index of its row's first word, like a quote (quoteRows.ts). */
export class RequestRows extends LeggedRows {
  declare legMarkets: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legMarkets = new Int32Array(capacity * legWidth)
  }
}
