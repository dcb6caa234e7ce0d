import * as eventRowsModule from '../../eventRows.ts'
import * as eventsModule from '../protocol/events.ts'
import * as quoteRowsModule from './quoteRows.ts'
import type { QuoteRows } from './quoteRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule
const { QuoteState } = eventsModule
const { QUOTE_STRIDE, QuoteInt } = quoteRowsModule

const CELLS_MIN = 128

/**
 * The live quote of each maker on each RFQ (OM-061), found without a look at the other makers': slots of quotes by open addressing with
 * linear probing, at most half full. It follows from the quotes, so no image holds it.
 */
export class LiveQuotes {
  private declare readonly quotes: QuoteRows
  private count = 0
  /** Slot of a quote, or −1. */
  private table = new Int32Array(CELLS_MIN).fill(NONE)

  constructor(quotes: QuoteRows) {
    this.quotes = quotes
  }

  /** The cell of the maker's live quote on the RFQ in slot `r`, or the one where it would go: until the next call of another method. */
  cellOf(r: number, maker: number): number {
    const { quotes: { ints }, table } = this
    const mask = table.length - 1
    let cell = homeOf(r, maker) & mask
    for (let q = table[cell]!; q !== NONE; q = table[cell]!) {
      const at = q * QUOTE_STRIDE
      if (ints[at + QuoteInt.maker] === maker && ints[at + QuoteInt.rfq] === r) break
      cell = (cell + 1) & mask
    }
    return cell
  }

  /** The quote in a cell, or −1. */
  at(cell: number): number {
    return this.table[cell]!
  }

  /** Puts a maker's new live quote into its cell, over the one that it replaces. */
  put(cell: number, q: number): void {
    const isNew = this.table[cell] === NONE
    this.table[cell] = q
    if (isNew && ++this.count * 2 > this.table.length) this.widen()
  }

  /** Takes a quote out that is live no more. Precondition: it is in. */
  remove(q: number): void {
    const { quotes: { ints }, table } = this
    const mask = table.length - 1
    let hole = this.cellOfQuote(q)
    // Those behind it move up that only lie there because it was full.
    for (let next = (hole + 1) & mask; table[next] !== NONE; next = (next + 1) & mask) {
      const at = table[next]! * QUOTE_STRIDE
      const fromHome = (next - homeOf(ints[at + QuoteInt.rfq]!, ints[at + QuoteInt.maker]!)) & mask
      if (fromHome < ((next - hole) & mask)) continue
      table[hole] = table[next]!
      hole = next
    }
    table[hole] = NONE
    this.count--
  }

  private widen(): void {
    const former = this.table
    this.table = new Int32Array(former.length * 2).fill(NONE)
    for (const q of former) if (q !== NONE) this.table[this.cellOfQuote(q)] = q
  }

  /** Finds the live quotes anew, after a restore. */
  refill(): void {
    const { index, ints } = this.quotes
    this.table = new Int32Array(CELLS_MIN).fill(NONE)
    this.count = 0
    for (let q = 0; q < index.slotCount; q++) {
      if (ints[q * QUOTE_STRIDE + QuoteInt.state] === QuoteState.live) this.put(this.cellOfQuote(q), q)
    }
  }

  private cellOfQuote(q: number): number {
    const { ints } = this.quotes
    return this.cellOf(ints[q * QUOTE_STRIDE + QuoteInt.rfq]!, ints[q * QUOTE_STRIDE + QuoteInt.maker]!)
  }
}

function homeOf(r: number, maker: number): number {
  const mixed = Math.imul(r, 0x9e3779b1) ^ Math.imul(maker, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
