import { widened } from '../../../unit/widened.ts'
import * as eventRowsModule from '../../eventRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NONE } = eventRowsModule

/**
 * What each maker last put into each book, its quote on a request or its bid in an auction: a table of books by makers, so that it is found
 * without a walk along the book, however many makers there are. It follows from the books, so images leave it out.
 * It is as large as the known books times the makers that ever came, four bytes each: each of 200 makers on a thousand requests, 800 kB.
 */
export class MakerTable {
  private declare readonly stride: number
  /** Places of makers in a book's row, by account, in the order in which they first came; −1 of others. */
  private places = new Int32Array(1024).fill(NONE)
  private makerCount = 0
  private width = 16
  /** Entries by book and place, −1 where there is none. */
  private entries = new Int32Array(256 * this.width)

  /** @param stride of the rows that books are named by. */
  constructor(stride: number) {
    this.stride = stride
  }

  /** A book begins, with nothing in it. */
  open(book: number): void {
    const from = this.rowOf(book)
    if (from + this.width > this.entries.length) this.entries = widened(this.entries, from + this.width)
    this.entries.fill(NONE, from, from + this.width)
  }

  /** The maker's entry in the book, or −1. */
  get(book: number, maker: number): number {
    const place = this.places[maker] ?? NONE
    return place === NONE ? NONE : this.entries[this.rowOf(book) + place]!
  }

  /** Puts the entry in the place of the maker's former one in the book. */
  set(book: number, maker: number, entry: number): void {
    let place = this.places[maker] ?? NONE
    if (place === NONE) place = this.join(maker)
    this.entries[this.rowOf(book) + place] = entry
  }

  private rowOf(book: number): number {
    return (book / this.stride) * this.width
  }

  /** Gives a maker that comes for the first time its place. */
  private join(maker: number): number {
    if (this.makerCount === this.width) this.widenRows()
    const { length } = this.places
    if (maker >= length) this.places = widened(this.places, maker + 1).fill(NONE, length)
    this.places[maker] = this.makerCount
    return this.makerCount++
  }

  private widenRows(): void {
    const { entries, width } = this
    const wider = new Int32Array(entries.length * 2).fill(NONE)
    for (let from = 0; from < entries.length; from += width) wider.set(entries.subarray(from, from + width), from * 2)
    this.entries = wider
    this.width = width * 2
  }
}
