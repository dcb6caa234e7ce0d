import { type Data, type DataType, type Dictionary, type Int16, type Int32, type Int8, makeData, Utf8, Vector } from 'apache-arrow'
import { assert, Bug } from '../unit/assert.ts'
import type { ColumnSpec } from './tableSchema.ts'

const WORD = 4_294_967_296
// Added to an integer of up to 51 bits, 1.5 · 2⁵² leaves it in the low bits of the double, as two's complement: 64 bits for the
// price of an addition. The sum's exponent tells whether it was such a number.
const SHIFT = 6_755_399_441_055_744
const SHIFT_HIGH = 0x43380000
const SHIFT_EXPONENT = 0x433
const EXPONENT_BITS = 20
const LARGE = 2_251_799_813_685_248

const encoder = new TextEncoder()

/** Rows for which there is room at first, where a batch may have more: a multiple of 8. */
const FIRST_ROWS = 256
/** The factor by which room grows. So a table of few rows costs little, and a table of many rows copies little. */
const GROWTH = 4

/** What a cell is set by: integers of any width are `int`. */
export const CellKind = { int: 0, float: 1, bool: 2, code: 3, text: 4 } as const

/**
 * The cells of one column of the batch that is being filled, in the bytes of the file. They come as doubles, some rows at a time. A NaN
 * is an empty cell and leaves zeros.
 */
export abstract class ColumnCells {
  declare readonly kind: number
  /** The lowest and the highest value of a cell. They are whole numbers, except in a column of floats. */
  declare readonly least: number
  declare readonly most: number
  protected declare readonly spec: ColumnSpec
  private declare readonly table: string
  private declare readonly arrowType: DataType
  private declare readonly isNullable: boolean
  private declare readonly batchRows: number
  /** Rows for which there is room. */
  protected declare rows: number
  /** A bit per row: the cell has a value. */
  private declare validity: Uint8Array
  private emptyCount = 0

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number, kind: number, least: number, most: number) {
    this.kind = kind
    this.least = least
    this.most = most
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
    return value >= this.least && value <= this.most && (this.kind === CellKind.float || Math.floor(value) === value)
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
    const { name, type } = this.spec
    throw new Bug(`${String(value)} does not fit column ${name} (${type}) of table ${this.table}`)
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

/** Integers of 64 bits: safe ones. */
class WideCells extends ColumnCells {
  /** One buffer, as words, low before high, and as doubles. */
  private declare words: Int32Array
  private declare doubles: Float64Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.int, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    this.doubles = new Float64Array(this.rows)
    this.words = new Int32Array(this.doubles.buffer)
  }

  protected widen(): void {
    // Cells are copied as words, because a copy of doubles may change the bits of one that is no number.
    const words = this.words
    this.doubles = new Float64Array(this.rows)
    this.words = new Int32Array(this.doubles.buffer)
    this.words.set(words)
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { words, doubles } = this
    let others = 0
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      const shifted = value + SHIFT
      doubles[at] = shifted
      const high = words[at * 2 + 1]!
      if (high >> EXPONENT_BITS === SHIFT_EXPONENT && shifted - SHIFT === value) words[at * 2 + 1] = high - SHIFT_HIGH
      else {
        doubles[at] = 0
        others++
      }
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.doubles.fill(0, row, end)
  }

  protected buffers(rows: number): object {
    return { data: new BigInt64Array(this.words.buffer, 0, rows) }
  }

  protected override fits(value: number): boolean {
    return value >= -LARGE && value < LARGE && this.holds(value)
  }

  /** Integers of more than 51 bits. */
  protected override putOther(row: number, value: number): void {
    if (!this.holds(value)) this.refuse(value)
    const high = Math.floor(value / WORD)
    this.words[row * 2] = value - high * WORD
    this.words[row * 2 + 1] = high
  }
}

class WordCells extends ColumnCells {
  private declare words: Int32Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.int, -(2 ** 31), 2 ** 31 - 1)
    this.words = new Int32Array(this.rows)
  }

  protected widen(): void {
    this.words = lengthened(this.words, this.rows)
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { words } = this
    let others = 0
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      const word = value | 0
      words[at] = word
      if (word !== value) others++
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.words.fill(0, row, end)
  }

  protected buffers(rows: number): object {
    return { data: this.words.subarray(0, rows) }
  }
}

class FloatCells extends ColumnCells {
  private declare floats: Float64Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.float, -Infinity, Infinity)
    this.floats = new Float64Array(this.rows)
  }

  protected widen(): void {
    this.floats = lengthened(this.floats, this.rows)
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { floats } = this
    let others = 0
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      floats[at] = Number.isNaN(value) ? 0 : value
      if (Number.isNaN(value)) others++
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.floats.fill(0, row, end)
  }

  protected buffers(rows: number): object {
    return { data: this.floats.subarray(0, rows) }
  }
}

/** 0 or 1, a bit per row. */
class BoolCells extends ColumnCells {
  private declare bits: Uint8Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.bool, 0, 1)
    this.bits = new Uint8Array((this.rows + 7) >> 3)
  }

  protected widen(): void {
    this.bits = lengthened(this.bits, (this.rows + 7) >> 3)
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { bits } = this
    let others = 0
    this.clear(row, end)
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      if (value === 0) continue
      if (value === 1) bits[at >> 3]! |= 1 << (at & 7)
      else others++
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.bits.fill(0, row >> 3, (end + 7) >> 3)
  }

  protected buffers(rows: number): object {
    return { data: this.bits.subarray(0, (rows + 7) >> 3) }
  }
}

const codesOf = ({ indices: { bitWidth } }: Dictionary<Utf8, Int8 | Int16 | Int32>) => (bitWidth === 8 ? Int8Array : bitWidth === 16 ? Int16Array : Int32Array)

/** Indices of values in a dictionary. */
export class CodeCells extends ColumnCells {
  private declare codes: Int8Array | Int16Array | Int32Array
  private declare readonly codeOf: ReadonlyMap<string, number>
  private declare readonly dictionary: Vector<Utf8>

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.code, 0, spec.values!.length - 1)
    const values = spec.values!
    this.codeOf = new Map(values.map((value, code) => [value, code] as const))
    assert(this.codeOf.size === values.length, `enum column ${spec.name} names a value twice`)
    this.codes = new (codesOf(arrowType as Dictionary<Utf8, Int8 | Int16 | Int32>))(this.rows)
    this.dictionary = new Vector([textData(values)])
  }

  protected widen(): void {
    this.codes = lengthened(this.codes, this.rows)
  }

  /** Code of a value of the dictionary. */
  code(value: string): number {
    return this.codeOf.get(value) ?? this.refuse(value)
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { codes } = this
    let others = 0
    const count = this.codeOf.size
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      const code = value | 0
      codes[at] = code
      if (code !== value || code < 0 || code >= count) others++
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.codes.fill(0, row, end)
  }

  protected buffers(rows: number): object {
    return { data: this.codes.subarray(0, rows), dictionary: this.dictionary }
  }
}

/** Texts. Their bytes are appended first, and the cells are their lengths. */
export class TextCells extends ColumnCells {
  private declare offsets: Int32Array
  private declare bytes: Uint8Array
  private length = 0

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows, CellKind.text, 0, 2 ** 31 - 1)
    this.offsets = new Int32Array(this.rows + 1)
    this.bytes = new Uint8Array(this.rows * 8)
  }

  protected widen(): void {
    this.offsets = lengthened(this.offsets, this.rows + 1)
  }

  /** Appends the text of the batch's next row that has one; returns its length in bytes. */
  append(value: string): number {
    this.ensure(value.length * 3)
    const { written } = encoder.encodeInto(value, this.bytes.subarray(this.length))
    this.length += written
    return written
  }

  /** The same with the first `length` bytes of ASCII text. */
  appendAscii(text: Uint8Array, length: number): number {
    this.ensure(length)
    const { bytes } = this
    const from = this.length
    for (let i = 0; i < length; i++) bytes[from + i] = text[i]!
    this.length += length
    return length
  }

  protected put(cells: Float64Array, first: number, stride: number, row: number, end: number): number {
    const { offsets } = this
    let others = 0
    for (let at = row, cell = first; at < end; at++, cell += stride) {
      const value = cells[cell]!
      const length = value | 0
      if (length !== value) others++
      offsets[at + 1] = offsets[at]! + length
    }
    return others
  }

  protected clear(row: number, end: number): void {
    this.offsets.fill(this.offsets[row]!, row + 1, end + 1)
  }

  protected buffers(rows: number): object {
    const { offsets, bytes, length } = this
    this.length = 0
    return { valueOffsets: offsets.subarray(0, rows + 1), data: bytes.subarray(0, length) }
  }

  private ensure(more: number): void {
    const least = this.length + more
    if (least <= this.bytes.length) return
    this.bytes = lengthened(this.bytes, least * 2)
  }
}

/** The cells of a column in batches of `rows` rows. */
export function columnCells(table: string, spec: ColumnSpec, arrowType: DataType, rows: number): ColumnCells {
  switch (spec.type) {
    case 'timeUs':
    case 'micros':
    case 'oddsE4':
    case 'int64': return new WideCells(table, spec, arrowType, rows)
    case 'int32': return new WordCells(table, spec, arrowType, rows)
    case 'float64': return new FloatCells(table, spec, arrowType, rows)
    case 'bool': return new BoolCells(table, spec, arrowType, rows)
    case 'enum': return new CodeCells(table, spec, arrowType, rows)
    case 'text': return new TextCells(table, spec, arrowType, rows)
  }
}

/** A copy of an array that is longer, with zeros at the end. */
function lengthened<A extends Int8Array | Int16Array | Int32Array | Uint8Array | Float64Array>(array: A, length: number): A {
  const longer = new (array.constructor as new (length: number) => A)(length)
  longer.set(array)
  return longer
}

function textData(values: readonly string[]): Data<Utf8> {
  const parts = values.map((value) => encoder.encode(value))
  const valueOffsets = new Int32Array(values.length + 1)
  for (let i = 0; i < parts.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + parts[i]!.byteLength
  const data = new Uint8Array(valueOffsets[values.length]!)
  for (let i = 0; i < parts.length; i++) data.set(parts[i]!, valueOffsets[i]!)
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data })
}
