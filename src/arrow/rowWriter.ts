import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { AsciiLine } from './asciiLine.ts'
import { CellKind, rangeOf, refuseCell } from './cellRange.ts'
import type { TableSpec } from './tableSchema.ts'

/** The most rows that lie row by row before they go into the columns, so that they fit in the nearest cache: a multiple of 8. */
export const BLOCK_ROWS = 128

/**
 * Takes a table row by row. Where its rows go, a class that extends this one says: into a file (TableWriter) or into memory (MemoryTable).
 *
 * A row begins with `row()`. Every cell is then empty until it is set, so that a caller sets only what exists. Columns are
 * named by their index in the spec. An empty cell in a column that is not nullable is a bug.
 *
 * Cells are set by the methods or, where many rows are written, directly in `cells`. Values that do not fit are then refused when the
 * columns take them. Writing each cell into its column at once would touch as many pages as there are columns.
 */
export abstract class RowWriter {
  declare readonly spec: TableSpec
  /** Rows begun so far. */
  rowCount = 0
  /**
   * Cells of the rows begun last. The cell of a column is at `row() + column`. Booleans are 0 and 1, enums the index of their value, and NaN
   * is an empty cell. Texts are set by `text` and `ascii` only, lists by `list`.
   */
  declare readonly cells: Float64Array
  protected declare readonly width: number
  /** For each column its CellKind and its lowest and highest value, one after the other. */
  private declare readonly kinds: Uint8Array
  private declare readonly ranges: Float64Array
  /** First cell of the current row, and of the one after it. */
  private first = 0
  private next = 0
  /** End of the cells that the block takes. */
  private declare limit: number

  constructor(spec: TableSpec, blockRows = BLOCK_ROWS) {
    const ranges = spec.columns.map(rangeOf)
    this.spec = spec
    this.width = spec.columns.length
    this.kinds = Uint8Array.from(ranges, ({ kind }) => kind)
    this.ranges = Float64Array.from(ranges.flatMap(({ least, most }) => [least, most]))
    this.cells = new Float64Array(BLOCK_ROWS * this.width).fill(NaN)
    this.limit = blockRows * this.width
  }

  /** Whether anybody reads the rows. Where nobody does, a builder may leave them out. */
  abstract get isRead(): boolean

  /** The table is complete. */
  abstract finish(): void

  /** Gives the table up. Harmless after `finish`. */
  abstract abort(): void

  /** Moves the first `rows` rows of `cells` into the columns. Returns how many rows the next block takes, at most `BLOCK_ROWS`. */
  protected abstract takeRows(rows: number): number

  /** Code of a value in an `enum` column. */
  abstract codeOf(column: number, value: string): number

  /** Appends to a `text` column; returns the cell. */
  protected abstract appendText(column: number, value: string): number
  protected abstract appendAscii(column: number, line: AsciiLine): number
  /** Appends to an `enumList` column; returns the cell. */
  protected abstract appendList(column: number, codes: ArrayLike<number>, from: number, count: number): number

  /** Index of a column, for callers that resolve names once. */
  columnIndex(name: string): number {
    const index = this.spec.columns.findIndex((column) => column.name === name)
    assert(index >= 0, `table ${this.spec.name} has no column ${name}`)
    return index
  }

  /** Begins the next row, all of its cells empty; returns the index of its first cell in `cells`. */
  row(): number {
    if (this.next === this.limit) this.takeBlock()
    const first = this.next
    this.first = first
    this.next = first + this.width
    this.rowCount++
    return first
  }

  /** Sets a cell of `timeUs`, `micros`, `oddsE4`, `int64` (a safe integer) or `int32`. */
  int(column: number, value: number): void {
    this.set(column, CellKind.int, value)
  }

  /** Sets an integer cell, or leaves it empty when the value is −1, the machines' "none". */
  intOrNone(column: number, value: number): void {
    if (value !== NONE) this.int(column, value)
  }

  /** Sets a `float64` cell; not to NaN. */
  float(column: number, value: number): void {
    this.set(column, CellKind.float, value)
  }

  bool(column: number, value: boolean): void {
    this.set(column, CellKind.bool, value ? 1 : 0)
  }

  /** Sets an `enum` cell by the index of its value in the spec. */
  code(column: number, code: number): void {
    this.set(column, CellKind.code, code)
  }

  /** Sets an `enum` cell by its value. */
  label(column: number, value: string): void {
    this.cells[this.first + column] = this.codeOf(column, value)
  }

  /** Sets a `text` cell, at most once in a row. */
  text(column: number, value: string): void {
    this.cells[this.first + column] = this.appendText(column, value)
  }

  /** The same from a line of ASCII text, without making a string of it. */
  ascii(column: number, line: AsciiLine): void {
    this.cells[this.first + column] = this.appendAscii(column, line)
  }

  /** Sets an `enumList` cell to `count` codes from `from` on, at most once in a row. */
  list(column: number, codes: ArrayLike<number>, from: number, count: number): void {
    this.cells[this.first + column] = this.appendList(column, codes, from, count)
  }

  /** Empties a cell again; neither one of text nor a list. */
  null(column: number): void {
    this.cells[this.first + column] = NaN
  }

  /** Moves the cells of the rows begun into the columns. */
  protected takeBlock(): void {
    const { cells, width, next } = this
    if (next === 0) return
    const blockRows = this.takeRows(next / width)
    cells.fill(NaN, 0, next)
    this.first = this.next = 0
    this.limit = blockRows * width
  }

  protected refuse(column: number, value: unknown): never {
    return refuseCell(this.spec.name, this.spec.columns[column]!, value)
  }

  /** Ranges lie in arrays, because asking the column, which is one of six classes, would cost more than all else here. */
  private set(column: number, kind: number, value: number): void {
    const { kinds, ranges } = this
    const fits = kinds[column] === kind && value >= ranges[column * 2]! && value <= ranges[column * 2 + 1]!
    if (!fits || (kind !== CellKind.float && Math.floor(value) !== value)) this.refuse(column, value)
    this.cells[this.first + column] = value
  }
}
