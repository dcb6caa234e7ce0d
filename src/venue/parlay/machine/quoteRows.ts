import { EntityRows } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { MakerEntries } from '../../makerEntries.ts'
import { RequestState } from '../protocol/events.ts'
import { type RequestRows, RequestWord } from './requestRows.ts'

/** Small integers of a quote, by their offsets in a row of `QuoteRows.words`. */
export const QuoteWord = {
  /** Row of the request. */
  request: 0,
  maker: 1,
  /** A `QuoteState`. */
  state: 2,
  /** Request version that the quote is for. */
  version: 3,
  oddsE4: 4,
  takerFeeBps: 5,
  /** Quotes of the request's book after and before this one, by number, or −1. */
  next: 6,
  before: 7,
} as const

/** All else, by its offset in a row of `QuoteRows.cells`. */
export const QuoteCell = {
  number: 0,
  stakeMicros: 1,
  riskMicros: 2,
  validUntilUs: 3,
} as const

const STRIDE = 8

/**
 * Quotes: the last quote of each maker on each known request, in whatever state. A quote is named by the index of its row's first word.
 * Its fields are `words[quote + QuoteWord.state]`, `cells[quote + QuoteCell.number]`.
 */
export class QuoteRows extends EntityRows {
  constructor(capacity: number) {
    super(capacity, STRIDE)
  }
}

/** Finds each maker's quotes anew in the books of all active requests. */
export function tabulateQuotes({ words }: QuoteRows, requests: RequestRows, makerQuotes: MakerEntries): void {
  makerQuotes.clear()
  requests.forEachLive((r) => {
    if (requests.words[r + RequestWord.state] !== RequestState.active) return
    for (let q = requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = words[q + QuoteWord.next]!) makerQuotes.set(r, words[q + QuoteWord.maker]!, q)
  })
}
