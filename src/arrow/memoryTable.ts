import { assert, Bug } from '../unit/assert.ts'
import type { AsciiLine } from './asciiLine.ts'
import { CellKind, type CellRange, holds, rangeOf, refuseCell } from './cellRange.ts'
import { lengthened } from './columnCells.ts'
import { BLOCK_ROWS, RowWriter } from './rowWriter.ts'
import type { ReadTable, TableColumn } from './tableReader.ts'
import type { ColumnSpec, ColumnType, TableSpec } from './tableSchema.ts'

/** Rows for which a column has room at first. */
const FIRST_ROWS = 256

/**
 * A table whose rows stay in memory, for a reader in the same thread. Only the columns that the reader asks for are kept; all others read as
 * a bug. What does not fit a kept column is refused when the column is read.
 */
export class MemoryTable extends RowWriter implements ReadTable {
  declare readonly metadata: Readonly<Record<string, string>>
  /** By column: what is kept of it, or null. */
  private declare readonly kept: readonly (KeptCells | null)[]
  /** Indices of the columns that are kept. */
  private declare readonly keptAt: Int32Array
  /** Codes of the values of `enum` columns, by column, as far as they were asked for. */
  private readonly codes = new Map<number, ReadonlyMap<string, number>>()
  /** Rows that are in the columns. */
  private taken = 0

  /** @param columns names of the columns that are kept; none: nobody reads the rows. */
  constructor(spec: TableSpec, metadata: Readonly<Record<string, string>>, columns: readonly string[]) {
    super(spec)
    this.metadata = metadata
    const missing = columns.find((name) => spec.columns.every((column) => column.name !== name))
    assert(missing === undefined, `table ${spec.name} has no column ${missing}`)
    this.kept = spec.columns.map((column) => (columns.includes(column.name) ? new KeptCells(spec.name, column) : null))
    this.keptAt = Int32Array.from(spec.columns.keys()).filter((i) => this.kept[i] !== null)
  }

  get isRead(): boolean {
    return this.keptAt.length > 0
  }

  get path(): string {
    return this.spec.name
  }

  get columnNames(): readonly string[] {
    return this.spec.columns.map(({ name }) => name)
  }

  get batchCount(): number {
    return 1
  }

  batch(): this {
    return this
  }

  has(name: string): boolean {
    return this.spec.columns.some((column) => column.name === name)
  }

  /** Precondition: the table is finished. */
  column(name: string): TableColumn {
    const cells = this.kept[this.columnIndex(name)]!
    if (cells === null) throw new Bug(`column ${name} of table ${this.spec.name} is read and was not kept`)
    return cells.column(this.taken)
  }

  numbers(name: string, ...types: readonly ColumnType[]): Float64Array | Int32Array | Uint8Array {
    const { numbers, type, valid } = this.column(name)
    assert(numbers !== undefined && (types.length === 0 || types.includes(type)), `column ${name} holds ${type}, expected ${types.join(' or ') || 'numbers'}`)
    assert(valid === null, `column ${name} has empty cells`)
    return numbers
  }

  codeOf(column: number, value: string): number {
    const { values, type } = this.spec.columns[column]!
    if (type !== 'enum') this.refuse(column, value)
    let codes = this.codes.get(column)
    if (codes === undefined) this.codes.set(column, codes = new Map(values!.map((one, code) => [one, code])))
    return codes.get(value) ?? this.refuse(column, value)
  }

  finish(): void {
    this.takeBlock()
  }

  abort(): void {}

  /** No reader in memory asks for texts. */
  protected appendText(): number {
    return 0
  }

  protected appendAscii(_column: number, _line: AsciiLine): number {
    return 0
  }

  protected appendList(column: number, codes: ArrayLike<number>, from: number, count: number): number {
    this.kept[column]?.append(codes, from, count)
    return count
  }

  protected takeRows(rows: number): number {
    const { cells, width, keptAt, kept, taken } = this
    for (let i = 0; i < keptAt.length; i++) kept[keptAt[i]!]!.take(cells, keptAt[i]!, width, taken, taken + rows)
    this.taken = taken + rows
    return BLOCK_ROWS
  }
}

/** The cells of a column as they were set, NaN where one is empty. */
class KeptCells {
  private declare readonly table: string
  private declare readonly spec: ColumnSpec
  private declare readonly range: CellRange
  private declare cells: Float64Array
  /** Codes of all lists, one after the other. */
  private items = new Int32Array(0)
  private itemCount = 0

  constructor(table: string, spec: ColumnSpec) {
    assert(spec.type !== 'text', `the texts of column ${spec.name} are kept`)
    this.table = table
    this.spec = spec
    this.range = rangeOf(spec)
    this.cells = new Float64Array(FIRST_ROWS)
  }

  /** Takes the cells at `first`, `first + stride`, … as rows `row`…`end`−1. */
  take(from: Float64Array, first: number, stride: number, row: number, end: number): void {
    if (end > this.cells.length) this.cells = lengthened(this.cells, Math.max(end, this.cells.length * 2))
    const { cells } = this
    for (let at = row, cell = first; at < end; at++, cell += stride) cells[at] = from[cell]!
  }

  /** Appends the list of the next row that has one. */
  append(codes: ArrayLike<number>, from: number, count: number): void {
    const to = this.itemCount
    if (to + count > this.items.length) this.items = lengthened(this.items, Math.max(FIRST_ROWS, (to + count) * 2))
    for (let i = 0; i < count; i++) this.items[to + i] = codes[from + i]!
    this.itemCount = to + count
  }

  column(rows: number): TableColumn {
    const { name, type, about, values } = this.spec
    const { kind } = this.range
    const valid = this.validity(rows)
    const head = { name, type, about, valid }
    if (kind === CellKind.code) return { ...head, values: values!, codes: this.wordsOf(rows) }
    if (kind === CellKind.list) return { ...head, values: values!, codes: this.items.subarray(0, this.itemCount), offsets: this.offsets(rows) }
    return { ...head, numbers: valid === null ? this.cells.subarray(0, rows) : zeroed(this.cells, rows) }
  }

  /** 1 where a cell has a value; null when every cell has one. Refuses what does not fit. */
  private validity(rows: number): Uint8Array | null {
    const { cells, range, spec } = this
    let valid: Uint8Array | null = null
    for (let row = 0; row < rows; row++) {
      const value = cells[row]!
      if (holds(range, value)) continue
      if (value === value) refuseCell(this.table, spec, value)
      assert(spec.nullable === true, `rows of table ${this.table} leave ${spec.name} empty, which is not nullable`)
      valid ??= new Uint8Array(rows).fill(1)
      valid[row] = 0
    }
    return valid
  }

  private wordsOf(rows: number): Int32Array {
    const words = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      const code = this.cells[row]!
      words[row] = code === code ? code : -1
    }
    return words
  }

  private offsets(rows: number): Int32Array {
    const offsets = new Int32Array(rows + 1)
    for (let row = 0; row < rows; row++) offsets[row + 1] = offsets[row]! + (this.cells[row]! || 0)
    return offsets
  }
}

function zeroed(cells: Float64Array, rows: number): Float64Array {
  const numbers = cells.slice(0, rows)
  for (let row = 0; row < rows; row++) if (numbers[row] !== numbers[row]) numbers[row] = 0
  return numbers
}

/** The tables of one session, in memory. */
export class MemoryTables {
  private declare readonly columns: Readonly<Record<string, readonly string[]>>
  private readonly tables = new Map<string, MemoryTable>()

  /** @param columns the columns that are read, by table. */
  constructor(columns: Readonly<Record<string, readonly string[]>>) {
    this.columns = columns
  }

  /** Begins a table. */
  begin(spec: TableSpec, metadata: Readonly<Record<string, string>>): MemoryTable {
    const table = new MemoryTable(spec, metadata, this.columns[spec.name] ?? [])
    this.tables.set(spec.name, table)
    return table
  }

  has(name: string): boolean {
    return this.tables.has(name)
  }

  open(name: string): MemoryTable {
    const table = this.tables.get(name)
    assert(table !== undefined, `no table ${name} is kept`)
    return table
  }
}
