import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'

const CELLS_BITS_MIN = 7
const CELLS_MIN = 1 << CELLS_BITS_MIN
const CELL_WORDS = 3
const MAKER = 1
const ENTRY = 2

const emptyTable = (cells: number): Int32Array => new Int32Array(cells * CELL_WORDS).fill(NONE)

/**
 * Finds the one entry of each maker in each book (its quote on a request, its bid in an auction) without a walk along the book. It is a
 * hash table with open addressing and linear probing, at most half full, so that memory follows from the number of entries, at twelve
 * bytes a cell. The table follows from the books, so that no image has it.
 */
export class MakerEntries {
  count = 0
  /** For each cell the book, the maker and its entry, which is −1 in an empty cell. */
  private table = emptyTable(CELLS_MIN)
  private mask = CELLS_MIN - 1
  /** The shift that leaves the highest bits of a 32-bit product: a cell. */
  private shift = 32 - CELLS_BITS_MIN

  /** The maker's entry in the book, or −1. */
  get(book: number, maker: number): number {
    return this.table[this.cellOf(book, maker) * CELL_WORDS + ENTRY]!
  }

  /** Makes `entry` ≥ 0 the maker's entry in the book, in place of its former one. */
  set(book: number, maker: number, entry: number): void {
    const at = this.cellOf(book, maker) * CELL_WORDS
    const isNew = this.table[at + ENTRY] === NONE
    this.lay(at, book, maker, entry)
    if (isNew && ++this.count * 2 > this.mask) this.widen()
  }

  /** Forgets the maker's entry in the book. Precondition: it has one. */
  remove(book: number, maker: number): void {
    const { table, mask } = this
    let hole = this.cellOf(book, maker)
    assert(table[hole * CELL_WORDS + ENTRY] !== NONE, 'an entry is forgotten once')
    // A later entry whose search passed over the hole moves into it, so that a search may stop at an empty cell.
    for (let cell = (hole + 1) & mask; table[cell * CELL_WORDS + ENTRY] !== NONE; cell = (cell + 1) & mask) {
      const at = cell * CELL_WORDS
      const fromHome = (cell - this.homeOf(table[at]!, table[at + MAKER]!)) & mask
      if (fromHome < ((cell - hole) & mask)) continue
      this.lay(hole * CELL_WORDS, table[at]!, table[at + MAKER]!, table[at + ENTRY]!)
      hole = cell
    }
    table[hole * CELL_WORDS + ENTRY] = NONE
    this.count--
  }

  clear(): void {
    this.table.fill(NONE)
    this.count = 0
  }

  /** The cell of the maker's entry in the book, or the empty one where it would go. */
  private cellOf(book: number, maker: number): number {
    const { table, mask } = this
    let cell = this.homeOf(book, maker)
    for (let at = cell * CELL_WORDS; table[at + ENTRY] !== NONE; at = cell * CELL_WORDS) {
      if (table[at] === book && table[at + MAKER] === maker) break
      cell = (cell + 1) & mask
    }
    return cell
  }

  private homeOf(book: number, maker: number): number {
    return Math.imul(Math.imul(book, 0x85ebca6b) ^ maker, 0x9e3779b1) >>> this.shift
  }

  private widen(): void {
    const former = this.table
    this.table = emptyTable((this.mask + 1) * 2)
    this.mask = this.mask * 2 + 1
    this.shift--
    for (let from = 0; from < former.length; from += CELL_WORDS) {
      if (former[from + ENTRY] === NONE) continue
      const book = former[from]!
      const maker = former[from + MAKER]!
      this.lay(this.cellOf(book, maker) * CELL_WORDS, book, maker, former[from + ENTRY]!)
    }
  }

  private lay(at: number, book: number, maker: number, entry: number): void {
    const { table } = this
    table[at] = book
    table[at + MAKER] = maker
    table[at + ENTRY] = entry
  }
}
