import { NONE } from '../unit/none.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import { widened } from '../unit/widened.ts'
import type { Cell, Cells, EventCells, Kind, KindIn, Row, RowCells, RowCopies } from './eventCells.ts'

/**
 * Offsets of the fields of an event row. Every row has every field, and a field without meaning for its kind is NONE (−1).
 * Entity fields hold entity numbers (never slots), times microseconds, money microUSDC, odds four-decimal integers.
 */
export const Field = {
  /** Total order over event and posting rows of a session, from 1. */
  seq: 0,
  atUs: 1,
  service: 2,
  /** Kind of event, of the service's protocol. */
  kind: 3,
  /** Sequence number of the command that caused it; NONE when a deadline did. */
  cause: 4,
  /** The account the event is about. */
  account: 5,
  /** The other account of the event: a maker for a bettor's event, a holder for a maker's. */
  other: 6,
  request: 7,
  version: 8,
  quote: 9,
  position: 10,
  /** A cash-out auction. */
  auction: 11,
  /** Reply or reason code of the service's protocol. */
  code: 12,
  bookSeq: 13,
  oddsE4: 14,
  amountA: 15,
  amountB: 16,
  amountC: 17,
  amountD: 18,
  /** An instant that the event announces: an expiry or a deadline. */
  untilUs: 19,
  /** Start in the side pool of the event's list; see `listLength`. */
  listStart: 20,
  listLength: 21,
} as const

/** The cells that rows of every kind have. All other cells are read through the names of the row's kind (`events.ts` of the service's protocol). */
export const EventCell = {
  seq: Field.seq, atUs: Field.atUs, service: Field.service, kind: Field.kind, cause: Field.cause,
  listStart: Field.listStart, listLength: Field.listLength,
} as unknown as { readonly [name in 'seq' | 'atUs' | 'service' | 'kind' | 'cause' | 'listStart' | 'listLength']: Cell<string> }

export const EVENT_STRIDE = 22
/** What a row says, without its place, instant, kind, cause and list: the cells from the account to the announced instant. */
const FIRST_COPIED = Field.account
const NO_LIST = new Int32Array()
/** Copies of rows that lie in one array: an array for each would cost more than its row. */
const KEPT_ROWS = 64
const COPIED_WIDTH = Field.untilUs - FIRST_COPIED + 1

/**
 * Event rows in one growing Float64Array, row after row, with a side pool of integers for lists of variable length. The
 * engine empties it between chunks of its loop, and nothing in it outlives `clear`.
 */
export class EventRows {
  /** Rows × EVENT_STRIDE doubles; every cell from row `count` on is NONE. */
  private declare cells: Float64Array
  /** Lists of rows: legs as market, side pairs; excluded accounts. */
  declare pool: Int32Array
  count = 0
  poolCount = 0
  declare readonly sequence: RowSequence
  declare readonly service: number
  private at = 0
  private kept = new Float64Array()
  private keptCount = KEPT_ROWS

  constructor(sequence: RowSequence, service: number, capacity = 8192) {
    this.sequence = sequence
    this.service = service
    this.cells = new Float64Array(capacity * EVENT_STRIDE).fill(NONE)
    this.pool = new Int32Array(capacity * 4)
  }

  /** Starts a row. The caller then writes its other cells. */
  open<N extends string>(atUs: number, kind: Kind<N>, cause: number): Row<N> {
    const at = this.count++ * EVENT_STRIDE
    if (at + EVENT_STRIDE > this.cells.length) this.widen()
    const cells = this.cells
    cells[at + Field.seq] = this.sequence.next++
    cells[at + Field.atUs] = atUs
    cells[at + Field.service] = this.service
    cells[at + Field.kind] = kind
    cells[at + Field.cause] = cause
    cells[at + Field.listStart] = this.poolCount
    cells[at + Field.listLength] = 0
    this.at = at
    return at as Row<N>
  }

  /** Row `index`, 0 ≤ index < count. */
  row(index: number): Row {
    return index * EVENT_STRIDE as Row
  }

  /** The index of a row: the inverse of `row`. */
  indexOf(row: Row): number {
    return row / EVENT_STRIDE
  }

  /** Kind of a row as an integer, because a switch on a double compares doubles. */
  kindOf<N extends string>(row: Row<N>): KindIn<N> {
    return (this.cells[row + Field.kind]! | 0) as KindIn<N>
  }

  read<N extends string>(row: Row<N>, cell: Cell<NoInfer<N>>): number {
    return this.cells[row + cell]!
  }

  write<N extends string>(row: Row<N>, cell: Cell<NoInfer<N>>, value: number): void {
    this.cells[row + cell] = value
  }

  /** The row with its list, for code that makes something else of it. Valid until `clear`. */
  rowCells<N extends string>(row: Row<N>): RowCells<N> & { readonly pool: Int32Array } {
    return { cells: this.cells as unknown as EventCells, first: row, pool: this.pool }
  }

  /** A copy of the row with its list, which outlives `clear`. Copies lie in blocks of 64 rows: each that is held keeps its block in memory. */
  keptRow<N extends string>(row: Row<N>): RowCells<N> & { readonly pool: Int32Array } {
    if (this.keptCount === KEPT_ROWS) {
      this.kept = new Float64Array(KEPT_ROWS * EVENT_STRIDE)
      this.keptCount = 0
    }
    const { kept, cells } = this
    const first = this.keptCount++ * EVENT_STRIDE
    for (let i = 0; i < EVENT_STRIDE; i++) kept[first + i] = cells[row + i]!
    kept[first + Field.listStart] = 0
    const list = this.list(row)
    return { cells: kept as unknown as EventCells, first: first as Row<N>, pool: list.length === 0 ? NO_LIST : list.slice() }
  }

  /** The cells of all rows in use, and −1 behind them, for what hashes rows whatever their kind. Valid until the next `open`. */
  rawCells(): Float64Array {
    return this.cells
  }

  /** The list of a row. Valid until `clear`. */
  list(row: Row): Int32Array {
    const start = this.cells[row + Field.listStart]!
    return this.pool.subarray(start, start + this.cells[row + Field.listLength]!)
  }

  /** Copies what a row says to place `place` of `to`. */
  copyRow<N extends string>(row: Row<NoInfer<N>>, to: RowCopies<N>, place: number): void {
    const at = place * COPIED_WIDTH
    for (let i = 0; i < COPIED_WIDTH; i++) numbersOf(to)[at + i] = this.cells[row + FIRST_COPIED + i]!
  }

  /** Lets a row say what `copyRow` has copied to place `place`. */
  repeatRow<N extends string>(row: Row<NoInfer<N>>, from: RowCopies<N>, place: number): void {
    const at = place * COPIED_WIDTH
    for (let i = 0; i < COPIED_WIDTH; i++) this.cells[row + FIRST_COPIED + i] = numbersOf(from)[at + i]!
  }

  /** Appends an integer to the list of the row opened last. */
  push(value: number): void {
    if (this.poolCount === this.pool.length) {
      this.pool = widened(this.pool)
    }
    this.pool[this.poolCount++] = value
    this.cells[this.at + Field.listLength]!++
  }

  /** Rows in use are emptied all at once, which costs a third of emptying each when it is opened. */
  clear(): void {
    this.cells.fill(NONE, 0, this.count * EVENT_STRIDE)
    this.count = 0
    this.poolCount = 0
  }

  private widen(): void {
    const { length } = this.cells
    this.cells = widened(this.cells).fill(NONE, length)
  }
}

const numbersOf = (cells: EventCells | RowCopies<string>): Float64Array => cells as unknown as Float64Array

/** A cell of a row outside of its `EventRows`. */
export const readCell = <N extends string>(row: RowCells<N>, cell: Cell<NoInfer<N>>): number => numbersOf(row.cells)[row.first + cell]!

/** Room for copies of `count` rows of the kinds of `cells`. */
export const rowCopies = <N extends string>(_cells: Cells<N, unknown>, count: number): RowCopies<N> =>
  new Float64Array(count * COPIED_WIDTH) as unknown as RowCopies<N>

/** A cell of the row that `copyRow` has copied to place `place`. */
export const copiedCell = <N extends string>(copies: RowCopies<N>, place: number, cell: Cell<NoInfer<N>>): number =>
  numbersOf(copies)[place * COPIED_WIDTH + cell - FIRST_COPIED]!
