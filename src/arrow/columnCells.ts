import { type Data, type DataType, makeData } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { type CellRange, holds, rangeOf, refuseCell } from './cellRange.ts'
import type { ColumnSpec } from './tableSchema.ts'

/** Rows for which there is room at first, where a batch may have more: a multiple of 8. */
const FIRST_ROWS = 256
/** The factor by which room grows. So a table of few rows costs little, and a table of many rows copies little. */
const GROWTH = 4

/**
 * The cells of one column of the batch that is being filled, in the bytes of the file. They come as doubles, some rows at a time. A NaN
 * is an empty cell and leaves zeros.
 */
export abstract class ColumnCells {
  protected declare readonly spec: ColumnSpec
  private declare readonly table: string
  private declare readonly arrowType: DataType
  private declare readonly range: CellRange
  private declare readonly isNullable: boolean
  private declare readonly batchRows: number
  /** Rows for which there is room. */
  protected declare rows: number
  /** A bit per row: the cell has a value. */
  private declare validity: Uint8Array
  private emptyCount = 0

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    this.range = rangeOf(spec)
    this.table = table
    this.spec = spec
    this.arrowType = arrowType
    this.isNullable = spec.nullable === true
    this.batchRows = rows
    this.rows = Math.min(rows, FIRST_ROWS)
    this.validity = new Uint8Array(this.isNullable ? (this.rows + 7) >> 3 : 0)
  }

  /** Whether a cell can have the value. */
  protected holds(value: number): boolean {
    return holds(this.range, value)
  }

  /** Whether `put` can put it. */
  protected fits(value: number): boolean {
    return this.holds(value)
  }

  /**
   * Puts the cells at `first`, `first + stride`, … into rows `row`…`end`−1. An empty cell leaves zeros. Returns how many are empty or do not
   * fit. It makes no call for each of them, which would keep V8 from keeping the arrays in registers.
   */
  protected abstract put(cells: Float64Array, first: number, stride: number, row: number, end: number): number

  /** Rows `row`…`end`−1 are all empty. */
  protected abstract clear(row: number, end: number): void

  /** Makes room for `this.rows` rows, and keeps those that there are. */
  protected abstract widen(): void

  /** The buffers of the first `rows` rows by their names in arrow-js. */
  protected abstract buffers(rows: number): object

  /** Takes the cells at `first`, `first + stride`, … as rows `row`…`end`−1; `row` is a multiple of 8. */
  take(cells: Float64Array, first: number, stride: number, row: number, end: number): void {
    if (end > this.rows) this.makeRoom(end)
    const empty = this.isNullable ? this.mark(cells, first, stride, row, end) : 0
    if (empty === end - row) this.clear(row, end)
    else if (this.put(cells, first, stride, row, end) !== empty) this.review(cells, first, stride, row, end)
  }

  /** The batch's first `rows` rows for the file; the next batch begins. */
  data(rows: number): Data {
    const nullCount = this.emptyCount
    this.emptyCount = 0
    const validity = nullCount === 0 ? {} : { nullBitmap: this.validity.subarray(0, (rows + 7) >> 3) }
    return makeData({ type: this.arrowType, length: rows, nullCount, ...validity, ...this.buffers(rows) } as never)
  }

  refuse(value: unknown): never {
    return refuseCell(this.table, this.spec, value)
  }

  /** Puts a value that `put` could not. */
  protected putOther(_row: number, value: number): void {
    this.refuse(value)
  }

  private makeRoom(rows: number): void {
    this.rows = Math.min(this.batchRows, Math.max(rows, this.rows * GROWTH))
    if (this.isNullable) this.validity = lengthened(this.validity, (this.rows + 7) >> 3)
    this.widen()
  }

  /** Handles rows `row`…`end`−1 where a cell is empty and must not be, does not fit, or is one for `putOther`. */
  private review(cells: Float64Array, first: number, stride: number, row: number, end: number): void {
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      if (Number.isNaN(value)) {
        assert(this.isNullable, `rows of table ${this.table} leave ${this.spec.name} empty, which is not nullable`)
      } else if (!this.fits(value)) this.putOther(at, value)
    }
  }

  /** Notes which cells have a value; returns how many have none. */
  private mark(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { validity } = this
    let empty = 0
    let bits = 0
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      if (Number.isNaN(cells[cell])) empty++
      else bits |= 1 << (at & 7)
      if ((at & 7) !== 7) continue
      validity[at >> 3] = bits
      bits = 0
    }
    if ((end & 7) > 0) validity[end >> 3] = bits
    this.emptyCount += empty
    return empty
  }
}

/** A copy of an array that is longer, with zeros at the end. */
export function lengthened<A extends Int8Array | Int16Array | Int32Array | Uint8Array | Float64Array>(array: A, length: number): A {
  const longer = new (array.constructor as new (length: number) => A)(length)
  longer.set(array)
  return longer
}
