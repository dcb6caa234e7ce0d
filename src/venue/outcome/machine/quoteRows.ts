import { EntityRows } from '../../../unit/countedColumns.ts'
import type { MakerEntries } from '../../makerEntries.ts'
import { QuoteState } from '../protocol/events.ts'

/** Small integers of a quote, by their offsets in a row of `QuoteRows.words`. */
export const QuoteWord = {
  /** Row of the RFQ. */
  rfq: 0,
  maker: 1,
  /** A `QuoteState`. */
  state: 2,
  /** 1 while it is listed: live, and not yet so close to its expiry that it has left the listing (OM-060). */
  listed: 3,
  /** The RFQ's generation when it was made. */
  generation: 4,
  /** The maker's quote signer that signed it. */
  signer: 5,
  /** −1 for a cash-out, like the net stake and the odds. */
  takerFeeBps: 6,
  feeBps: 7,
  /** Row of its acceptance, or −1. A quote is accepted once. */
  acceptance: 8,
  /** Next quote of the RFQ, or −1. */
  next: 9,
  /** Neighbours among the RFQ's live quotes, by number, or −1. Without meaning when it is not live. */
  nextLive: 10,
  liveBefore: 11,
} as const

/** All else, by its offset in a row of `QuoteRows.cells`. */
export const QuoteCell = {
  number: 0,
  netStakeMicros: 1,
  /** For a cash-out this is the price. */
  payoutMicros: 2,
  /** What the maker can lose by it: the payout minus the net stake. For a cash-out it is the price, or 0 for the backing maker. */
  riskMicros: 3,
  oddsE4: 4,
  expiresAtUs: 5,
} as const

const STRIDE = 16

/**
 * Quotes, in whatever state, until their RFQ is forgotten. A quote is named by the index of its row's first word. Its fields are
 * `words[quote + QuoteWord.state]`, `cells[quote + QuoteCell.number]`.
 */
export class QuoteRows extends EntityRows {
  constructor(capacity: number) {
    super(capacity, STRIDE)
  }
}

/** Finds each maker's live quotes anew. */
export function tabulateQuotes(quotes: QuoteRows, makerQuotes: MakerEntries): void {
  const { words } = quotes
  makerQuotes.clear()
  quotes.forEachLive((q) => {
    if (words[q + QuoteWord.state] === QuoteState.live) makerQuotes.set(words[q + QuoteWord.rfq]!, words[q + QuoteWord.maker]!, q)
  })
}
