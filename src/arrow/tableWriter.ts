import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { ArrowFile } from './arrowFile.ts'
import type { AsciiLine } from './asciiLine.ts'
import { columnCells } from './cellsByType.ts'
import { CellKind, type ColumnCells } from './columnCells.ts'
import { arrowSchemaOf, type TableSpec } from './tableSchema.ts'
import { CodeCells, CodeListCells, TextCells } from './textCells.ts'
import { WholeFile } from './wholeFile.ts'

/** The most rows that lie row by row before they go into the columns, so that they fit in the nearest cache: a multiple of 8. */
const BLOCK_ROWS = 128

/**
 * Writes one table row by row as an Arrow IPC file, in record batches of a fixed height: memory is bounded by one
 * batch. The file is whole or not there: it appears under its name at `finish`.
 *
 * A row begins with `row()`. Every cell is then empty until it is set, so that a caller sets only what exists. Columns are
 * named by their index in the spec. An empty cell in a column that is not nullable stops the run.
 *
 * Cells are set by the methods or, where many rows are written, directly in `cells`. Values that do not fit are then refused when the
 * block of rows goes into the columns. Writing each cell into its column at once would touch as many pages as there are columns.
 */
export class TableWriter {
  declare readonly spec: TableSpec
  declare readonly path: string
  /** Rows begun so far. */
  rowCount = 0
  /**
   * Cells of the rows begun last. The cell of a column is at `row() + column`. Booleans are 0 and 1, enums the index of their value, and NaN
   * is an empty cell. Texts are set by `text` and `ascii` only, lists by `list`.
   */
  declare readonly cells: Float64Array
  private declare readonly width: number
  private declare readonly batchRows: number
  private declare readonly schema: Schema
  private declare readonly file: WholeFile
  private declare readonly arrow: ArrowFile
  private declare readonly columns: readonly ColumnCells[]
  /** For each column its CellKind and its lowest and highest value, one after the other. */
  private declare readonly kinds: Uint8Array
  private declare readonly ranges: Float64Array
  /** First cell of the current row, and of the one after it. */
  private first = 0
  private next = 0
  /** End of the cells that the block takes: it never lies in two batches. */
  private limit = 0
  /** Rows of the batch that are in its columns. */
  private batched = 0
  private batches = 0

  constructor(
    spec: TableSpec,
    path: string,
    metadata: Readonly<Record<string, string>> = {},
    options: { readonly batchRows?: number; readonly isDurable?: boolean; readonly isCompressed?: boolean } = {},
  ) {
    this.spec = spec
    this.path = path
    this.batchRows = options.batchRows ?? 65_536
    assert(Number.isSafeInteger(this.batchRows) && this.batchRows > 0, `batch of ${this.batchRows} rows`)
    this.schema = arrowSchemaOf(spec, metadata)
    this.columns = spec.columns.map((column, i) => columnCells(spec.name, column, this.schema.fields[i]!.type, this.batchRows))
    this.kinds = Uint8Array.from(this.columns, ({ kind }) => kind)
    this.ranges = Float64Array.from(this.columns.flatMap(({ least, most }) => [least, most]))
    this.width = spec.columns.length
    this.cells = new Float64Array(BLOCK_ROWS * this.width).fill(NaN)
    this.beginBlock()
    this.file = new WholeFile(path, options.isDurable)
    this.arrow = new ArrowFile(this.file, options.isCompressed)
  }

  /** Index of a column, for callers that resolve names once. */
  columnIndex(name: string): number {
    const index = this.spec.columns.findIndex((column) => column.name === name)
    assert(index >= 0, `table ${this.spec.name} has no column ${name}`)
    return index
  }

  /** Code of a value in an `enum` column. */
  codeOf(column: number, value: string): number {
    const cells: ColumnCells = this.columns[column]!
    if (!(cells instanceof CodeCells)) cells.refuse(value)
    return cells.code(value)
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
    const cells: ColumnCells = this.columns[column]!
    if (!(cells instanceof TextCells)) cells.refuse(value)
    this.cells[this.first + column] = cells.append(value)
  }

  /** The same from a line of ASCII text, without making a string of it. */
  ascii(column: number, { bytes, length }: AsciiLine): void {
    const cells: ColumnCells = this.columns[column]!
    if (!(cells instanceof TextCells)) cells.refuse('a text')
    this.cells[this.first + column] = cells.appendAscii(bytes, length)
  }

  /** Sets an `enumList` cell to `count` codes from `from` on, at most once in a row. */
  list(column: number, codes: ArrayLike<number>, from: number, count: number): void {
    const cells: ColumnCells = this.columns[column]!
    if (!(cells instanceof CodeListCells)) cells.refuse('a list')
    this.cells[this.first + column] = cells.append(codes, from, count)
  }

  /** Empties a cell again; neither one of text nor a list. */
  null(column: number): void {
    this.cells[this.first + column] = NaN
  }

  /** Completes the file and gives it its name. When that fails nothing stays on the disk. */
  finish(): void {
    try {
      this.takeBlock()
      // An empty table still gets a batch: the dictionaries travel with it.
      if (this.batched > 0 || this.batches === 0) this.flush()
      this.arrow.close()
      this.file.finish()
    } catch (error) {
      this.abort()
      throw error
    }
  }

  /** Gives the table up: nothing stays on the disk. Harmless after `finish`. */
  abort(): void {
    this.file.abort()
  }

  /** Ranges lie in arrays, because asking the column, which is one of six classes, would cost more than all else here. */
  private set(column: number, kind: number, value: number): void {
    const { kinds, ranges } = this
    const fits = kinds[column] === kind && value >= ranges[column * 2]! && value <= ranges[column * 2 + 1]!
    if (!fits || (kind !== CellKind.float && Math.floor(value) !== value)) this.columns[column]!.refuse(value)
    this.cells[this.first + column] = value
  }

  private beginBlock(): void {
    this.first = this.next = 0
    this.limit = Math.min(BLOCK_ROWS, this.batchRows - this.batched) * this.width
  }

  /** Moves the cells of the rows begun into the columns. */
  private takeBlock(): void {
    const { cells, columns, width, next, batched } = this
    if (next === 0) return
    const end = batched + next / width
    for (let i = 0; i < columns.length; i++) columns[i]!.take(cells, i, width, batched, end)
    cells.fill(NaN, 0, next)
    this.batched = end
    if (end === this.batchRows) this.flush()
    this.beginBlock()
  }

  private flush(): void {
    const rows = this.batched
    const children = this.columns.map((cells) => cells.data(rows))
    const type = new Struct(this.schema.fields)
    this.arrow.write(new RecordBatch(this.schema, makeData({ type, length: rows, nullCount: 0, children })))
    this.batches++
    this.batched = 0
  }
}
