import { widened } from '../../../unit/widened.ts'
import * as eventRowsModule from '../../eventRows.ts'
import { Q, type QuoteRows } from './quoteRows.ts'
import { R, type RequestRows } from './requestRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/**
 * The quote of each maker on each known request: a table of requests by makers, so that one is found without a walk along the book,
 * however many makers quote. It follows from the books, so images leave it out.
 */
export class MakerQuotes {
  private readonly stride: number
  /** Places of makers in a request's row, by account, in the order of their first quotes; −1 of others. */
  private places = new Int32Array(1024).fill(NONE)
  private makerCount = 0
  private width = 16
  /** Quotes by request and place, −1 where there is none. */
  private quotes = new Int32Array(256 * this.width)

  /** @param stride of the rows that requests are named by. */
  constructor(stride: number) {
    this.stride = stride
  }

  /** A request begins, without quotes. */
  open(request: number): void {
    const from = this.rowOf(request)
    if (from + this.width > this.quotes.length) this.quotes = widened(this.quotes, from + this.width)
    this.quotes.fill(NONE, from, from + this.width)
  }

  /** The maker's quote on the request, or −1. */
  get(request: number, maker: number): number {
    const place = this.places[maker] ?? NONE
    return place === NONE ? NONE : this.quotes[this.rowOf(request) + place]!
  }

  /** Puts the quote in the place of the maker's former one on the request. */
  set(request: number, maker: number, quote: number): void {
    let place = this.places[maker] ?? NONE
    if (place === NONE) place = this.join(maker)
    this.quotes[this.rowOf(request) + place] = quote
  }

  /** Finds the quotes anew in the books of all known requests. */
  follow(requests: RequestRows, quotes: QuoteRows): void {
    requests.forEachLive((r) => {
      this.open(r)
      for (let q = requests.words[r + R.firstQuote]!; q !== NONE; q = quotes.words[q + Q.next]!) this.set(r, quotes.words[q + Q.maker]!, q)
    })
  }

  private rowOf(request: number): number {
    return (request / this.stride) * this.width
  }

  /** Gives a maker that quotes for the first time its place. */
  private join(maker: number): number {
    if (this.makerCount === this.width) this.widenRows()
    const { length } = this.places
    if (maker >= length) this.places = widened(this.places, maker + 1).fill(NONE, length)
    this.places[maker] = this.makerCount
    return this.makerCount++
  }

  private widenRows(): void {
    const { quotes, width } = this
    const wider = new Int32Array(quotes.length * 2).fill(NONE)
    for (let from = 0; from < quotes.length; from += width) wider.set(quotes.subarray(from, from + width), from * 2)
    this.quotes = wider
    this.width = width * 2
  }
}
