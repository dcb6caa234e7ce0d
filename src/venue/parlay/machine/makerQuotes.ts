import * as eventRowsModule from '../../eventRows.ts'
import { Q, type QuoteRows } from './quoteRows.ts'
import { R, type RequestRows } from './requestRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/** An entry: row of the request, maker, row of the quote, nothing. */
const STRIDE = 4
const REQUEST = 0
const MAKER = 1
const QUOTE = 2

/**
 * The quote of each maker on each known request, by open addressing: found without a walk along the book, however many makers quote.
 * It follows from the books, so images leave it out.
 */
export class MakerQuotes {
  count = 0
  private entries = new Int32Array(1024 * STRIDE).fill(NONE)

  /** Row of the maker's quote on the request, or −1. */
  get(request: number, maker: number): number {
    return this.entries[this.placeOf(request, maker) + QUOTE]!
  }

  /** Puts the quote in the place of the maker's former one on the request. */
  set(request: number, maker: number, quote: number): void {
    if ((this.count + 1) * STRIDE * 2 > this.entries.length) this.widen()
    const at = this.placeOf(request, maker)
    const { entries } = this
    if (entries[at + REQUEST] === NONE) this.count++
    entries[at + REQUEST] = request
    entries[at + MAKER] = maker
    entries[at + QUOTE] = quote
  }

  /** Precondition: the maker has a quote on the request. */
  delete(request: number, maker: number): void {
    const { entries } = this
    const mask = entries.length - 1
    let hole = this.placeOf(request, maker)
    // What a search would no longer reach past the hole moves into it.
    for (let at = (hole + STRIDE) & mask; entries[at + REQUEST] !== NONE; at = (at + STRIDE) & mask) {
      const home = homeOf(entries[at + REQUEST]!, entries[at + MAKER]!, mask)
      if (((at - home) & mask) < ((at - hole) & mask)) continue
      entries.copyWithin(hole, at, at + STRIDE)
      hole = at
    }
    entries.fill(NONE, hole, hole + STRIDE)
    this.count--
  }

  /** Finds the quotes anew in the books of all known requests. */
  follow(requests: RequestRows, quotes: QuoteRows): void {
    this.entries.fill(NONE)
    this.count = 0
    requests.forEachLive((r) => {
      for (let q = requests.words[r + R.firstQuote]!; q !== NONE; q = quotes.words[q + Q.next]!) this.set(r, quotes.words[q + Q.maker]!, q)
    })
  }

  /** The entry of the pair, or the empty one where it belongs. */
  private placeOf(request: number, maker: number): number {
    const { entries } = this
    const mask = entries.length - 1
    let at = homeOf(request, maker, mask)
    while (entries[at + REQUEST] !== NONE && (entries[at + REQUEST] !== request || entries[at + MAKER] !== maker)) at = (at + STRIDE) & mask
    return at
  }

  private widen(): void {
    const former = this.entries
    this.entries = new Int32Array(former.length * 2).fill(NONE)
    this.count = 0
    for (let at = 0; at < former.length; at += STRIDE) {
      if (former[at + REQUEST] !== NONE) this.set(former[at + REQUEST]!, former[at + MAKER]!, former[at + QUOTE]!)
    }
  }
}

/** Where the search for a pair begins. */
function homeOf(request: number, maker: number, mask: number): number {
  const mixed = Math.imul(Math.imul(request + 1, 0x9e3779b1) ^ (maker + 1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) & mask & -STRIDE
}
