import {
  type Data, type DataType, makeData, RecordBatch, RecordBatchFileWriter, RecordBatchWriter, type Schema, Struct, Utf8, Vector,
} from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import type { AsciiLine } from './asciiLine.ts'
import { arrowSchemaOf, type ColumnSpec, type TableSpec } from './tableSchema.ts'
import { WholeFile } from './wholeFile.ts'

const WORD = 4_294_967_296
const NONE = -1
const encoder = new TextEncoder()

/** Arrow's file writer with its bytes going to the disk at once instead of into a queue: its buffers are reused. */
class ArrowFile extends RecordBatchFileWriter {
  readonly file: WholeFile

  constructor(file: WholeFile) {
    super()
    this.file = file
  }

  protected override _write(chunk: ArrayBufferView): this {
    const bytes = new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength)
    this.file.write(bytes)
    this._position += bytes.byteLength
    return this
  }

  // arrow-js leaves out the schema message that the format puts before the batches; readers of the stream part need it.
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    const streamWriter = RecordBatchWriter.prototype as unknown as { _writeSchema(schema: Schema): unknown }
    streamWriter._writeSchema.call(this, schema)
    return this
  }
}

/** The cells of one column of the batch that is being filled. Which arrays are there depends on the type. */
interface Cells {
  readonly spec: ColumnSpec
  readonly arrowType: DataType
  /** A bit per row: the cell has a value. */
  readonly validity: Uint8Array
  /** int32: a word per row; 64-bit integers: two, low word first. */
  readonly words: Int32Array
  readonly floats: Float64Array
  readonly codes: Int8Array | Int16Array
  readonly bits: Uint8Array
  readonly offsets: Int32Array
  textBytes: Uint8Array
  readonly codeOf: ReadonlyMap<string, number>
  readonly dictionary: Vector<Utf8> | undefined
}

function textData(values: readonly string[]): Data<Utf8> {
  const parts = values.map((value) => encoder.encode(value))
  const valueOffsets = new Int32Array(values.length + 1)
  for (let i = 0; i < parts.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + parts[i]!.byteLength
  const data = new Uint8Array(valueOffsets[values.length]!)
  for (let i = 0; i < parts.length; i++) data.set(parts[i]!, valueOffsets[i]!)
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data })
}

function cellsOf(spec: ColumnSpec, arrowType: DataType, rows: number): Cells {
  const { type } = spec
  const wide = type === 'timeUs' || type === 'micros' || type === 'oddsE4' || type === 'int64'
  const values = type === 'enum' ? spec.values! : []
  const codeOf = new Map(values.map((value, code) => [value, code] as const))
  assert(codeOf.size === values.length, `enum column ${spec.name} names a value twice`)
  const codeCount = type === 'enum' ? rows : 0
  return {
    spec,
    arrowType,
    validity: new Uint8Array((rows + 7) >> 3),
    words: new Int32Array(wide ? rows * 2 : type === 'int32' ? rows : 0),
    floats: new Float64Array(type === 'float64' ? rows : 0),
    codes: values.length > 128 ? new Int16Array(codeCount) : new Int8Array(codeCount),
    bits: new Uint8Array(type === 'bool' ? (rows + 7) >> 3 : 0),
    offsets: new Int32Array(type === 'text' ? rows + 1 : 0),
    textBytes: new Uint8Array(type === 'text' ? rows * 8 : 0),
    codeOf,
    dictionary: type === 'enum' ? new Vector([textData(values)]) : undefined,
  }
}

function ensureText(cells: Cells, bytes: number): void {
  if (bytes <= cells.textBytes.length) return
  const wider = new Uint8Array(bytes * 2)
  wider.set(cells.textBytes)
  cells.textBytes = wider
}

function countBits(bytes: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bytes.length; i++) {
    let b = bytes[i]!
    b -= (b >> 1) & 0x55
    b = (b & 0x33) + ((b >> 2) & 0x33)
    count += (b + (b >> 4)) & 0x0f
  }
  return count
}

/**
 * Writes one table row by row as an Arrow IPC file, in record batches of a fixed height: memory is bounded by one
 * batch. The file is whole or not there: it appears under its name at `finish`.
 *
 * A row begins with `row()`; every cell is then empty until it is set, so a caller sets only what exists. Columns are
 * named by their index in the spec. A cell that is empty in a column that is not nullable stops the run.
 */
export class TableWriter {
  readonly spec: TableSpec
  readonly path: string
  /** Rows begun so far. */
  rowCount = 0
  private readonly batchRows: number
  private readonly schema: Schema
  private readonly file: WholeFile
  private readonly arrow: ArrowFile
  private readonly columns: Cells[]
  private readonly textColumns: Cells[]
  /** Columns of two words per row, as flags: a test of a byte is cheaper than one of the type's text. */
  private readonly isWide: Uint8Array
  private readonly words: Int32Array[]
  private readonly validity: Uint8Array[]
  /** Index of the current row in its batch; −1 before the first row of the table. */
  private at = -1
  private batches = 0

  constructor(
    spec: TableSpec,
    path: string,
    metadata: Readonly<Record<string, string>> = {},
    options: { readonly batchRows?: number; readonly isDurable?: boolean } = {},
  ) {
    this.spec = spec
    this.path = path
    this.batchRows = options.batchRows ?? 65_536
    assert(Number.isSafeInteger(this.batchRows) && this.batchRows > 0, `batch of ${this.batchRows} rows`)
    this.schema = arrowSchemaOf(spec, metadata)
    this.columns = spec.columns.map((column, i) => cellsOf(column, this.schema.fields[i]!.type, this.batchRows))
    this.textColumns = this.columns.filter((cells) => cells.spec.type === 'text')
    this.words = this.columns.map((cells) => cells.words)
    this.validity = this.columns.map((cells) => cells.validity)
    this.isWide = Uint8Array.from(this.columns, (cells) => (cells.words.length === this.batchRows * 2 ? 1 : 0))
    this.file = new WholeFile(path, options.isDurable)
    this.arrow = new ArrowFile(this.file)
  }

  /** Index of a column, for callers that resolve names once. */
  columnIndex(name: string): number {
    const index = this.spec.columns.findIndex((column) => column.name === name)
    assert(index >= 0, `table ${this.spec.name} has no column ${name}`)
    return index
  }

  /** Begins the next row, all of its cells empty. */
  row(): void {
    if (this.at + 1 === this.batchRows) this.flush()
    const at = ++this.at
    this.rowCount++
    for (let i = 0; i < this.textColumns.length; i++) {
      const offsets = this.textColumns[i]!.offsets
      offsets[at + 1] = offsets[at]!
    }
  }

  /** Sets a cell of `timeUs`, `micros`, `oddsE4`, `int64` (a safe integer) or `int32`. */
  int(column: number, value: number): void {
    const words = this.words[column]!
    const at = this.at
    if (this.isWide[column] === 1) {
      if (!Number.isSafeInteger(value)) this.refuse(column, value)
      const high = Math.floor(value / WORD)
      words[at * 2] = value - high * WORD
      words[at * 2 + 1] = high
    } else {
      if ((value | 0) !== value || words.length === 0) this.refuse(column, value)
      words[at] = value
    }
    this.validity[column]![at >> 3]! |= 1 << (at & 7)
  }

  /** Sets an integer cell, or leaves it empty when the value is −1, the machines' "none". */
  intOrNone(column: number, value: number): void {
    if (value !== NONE) this.int(column, value)
  }

  /** Sets a `float64` cell. */
  float(column: number, value: number): void {
    const { floats, validity } = this.columns[column]!
    if (floats.length === 0) this.refuse(column, value)
    floats[this.at] = value
    validity[this.at >> 3]! |= 1 << (this.at & 7)
  }

  bool(column: number, value: boolean): void {
    const { bits, validity } = this.columns[column]!
    if (bits.length === 0) this.refuse(column, value)
    const bit = 1 << (this.at & 7)
    if (value) bits[this.at >> 3]! |= bit
    else bits[this.at >> 3]! &= ~bit
    validity[this.at >> 3]! |= bit
  }

  /** Sets an `enum` cell by the index of its value in the spec. */
  code(column: number, code: number): void {
    const { codes, codeOf, validity } = this.columns[column]!
    if (!(code >= 0 && code < codeOf.size) || (code | 0) !== code) this.refuse(column, code)
    codes[this.at] = code
    validity[this.at >> 3]! |= 1 << (this.at & 7)
  }

  /** Sets an `enum` cell by its value. */
  label(column: number, value: string): void {
    const code = this.columns[column]!.codeOf.get(value)
    if (code === undefined) this.refuse(column, value)
    this.code(column, code)
  }

  /** Sets a `text` cell, at most once in a row. */
  text(column: number, value: string): void {
    const cells = this.columns[column]!
    if (cells.offsets.length === 0) this.refuse(column, value)
    const from = cells.offsets[this.at]!
    ensureText(cells, from + value.length * 3)
    cells.offsets[this.at + 1] = from + encoder.encodeInto(value, cells.textBytes.subarray(from)).written
    cells.validity[this.at >> 3]! |= 1 << (this.at & 7)
  }

  /** The same from a line of ASCII text, without making a string of it. */
  ascii(column: number, { bytes, length }: AsciiLine): void {
    const cells = this.columns[column]!
    if (cells.offsets.length === 0) this.refuse(column, 'a text')
    const from = cells.offsets[this.at]!
    ensureText(cells, from + length)
    const { textBytes } = cells
    for (let i = 0; i < length; i++) textBytes[from + i] = bytes[i]!
    cells.offsets[this.at + 1] = from + length
    cells.validity[this.at >> 3]! |= 1 << (this.at & 7)
  }

  /** Empties a cell again. */
  null(column: number): void {
    this.validity[column]![this.at >> 3]! &= ~(1 << (this.at & 7))
  }

  /** Completes the file and gives it its name. When that fails nothing stays on the disk. */
  finish(): void {
    try {
      // An empty table still gets a batch: the dictionaries travel with it.
      if (this.at >= 0 || this.batches === 0) this.flush()
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

  private refuse(column: number, value: unknown): never {
    const { name, type } = this.spec.columns[column]!
    assert(false, `${String(value)} does not fit column ${name} (${type}) of table ${this.spec.name}`)
  }

  private flush(): void {
    const rows = this.at + 1
    const children = this.columns.map((cells) => this.dataOf(cells, rows))
    const type = new Struct(this.schema.fields)
    this.arrow.write(new RecordBatch(this.schema, makeData({ type, length: rows, nullCount: 0, children })))
    this.batches++
    this.at = -1
    for (const cells of this.columns) {
      cells.validity.fill(0)
      // Empty cells leave zeros, not what an earlier batch had there.
      for (const column of [cells.words, cells.floats, cells.codes, cells.bits]) column.fill(0)
    }
  }

  private dataOf(cells: Cells, rows: number): Data {
    const nullCount = rows - countBits(cells.validity)
    assert(
      nullCount === 0 || cells.spec.nullable === true,
      `${nullCount} rows of table ${this.spec.name} leave ${cells.spec.name} empty, which is not nullable`,
    )
    const validity = nullCount === 0 ? {} : { nullBitmap: cells.validity.subarray(0, (rows + 7) >> 3) }
    const props = { type: cells.arrowType, length: rows, nullCount, ...validity }
    return makeData({ ...props, ...this.buffersOf(cells, rows) } as never)
  }

  private buffersOf(cells: Cells, rows: number): object {
    switch (cells.spec.type) {
      case 'timeUs':
      case 'micros':
      case 'oddsE4':
      case 'int64': return { data: new BigInt64Array(cells.words.buffer, 0, rows) }
      case 'int32': return { data: cells.words.subarray(0, rows) }
      case 'float64': return { data: cells.floats.subarray(0, rows) }
      case 'bool': return { data: cells.bits.subarray(0, (rows + 7) >> 3) }
      case 'enum': return { data: cells.codes.subarray(0, rows), dictionary: cells.dictionary }
      case 'text': return { valueOffsets: cells.offsets.subarray(0, rows + 1), data: cells.textBytes.subarray(0, cells.offsets[rows]!) }
    }
  }
}
