import { type Data, type DataType, type Dictionary, type Int16, type Int32, type Int8, type List, makeData, Utf8, Vector } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { ColumnCells, lengthened } from './columnCells.ts'
import type { ColumnSpec } from './tableSchema.ts'

const encoder = new TextEncoder()

const codesOf = ({ indices: { bitWidth } }: CodeType) => (bitWidth === 8 ? Int8Array : bitWidth === 16 ? Int16Array : Int32Array)

type CodeType = Dictionary<Utf8, Int8 | Int16 | Int32>

/** Indices of values in a dictionary. */
export class CodeCells extends ColumnCells {
  private declare codes: Int8Array | Int16Array | Int32Array
  private declare readonly codeOf: ReadonlyMap<string, number>
  private declare readonly dictionary: Vector<Utf8>

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
    const values = spec.values!
    this.codeOf = new Map(values.map((value, code) => [value, code] as const))
    assert(this.codeOf.size === values.length, `enum column ${spec.name} names a value twice`)
    this.codes = new (codesOf(arrowType as CodeType))(this.rows)
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

/** Cells of a length that varies. What they hold is appended first, and the cells are how much it is. */
abstract class LongCells extends ColumnCells {
  protected declare offsets: Int32Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
    this.offsets = new Int32Array(this.rows + 1)
  }

  protected widen(): void {
    this.offsets = lengthened(this.offsets, this.rows + 1)
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
}

/** Lists of indices of values in a dictionary. */
export class CodeListCells extends LongCells {
  private declare codes: Int8Array | Int16Array | Int32Array
  private declare readonly valueCount: number
  private declare readonly itemType: CodeType
  private declare readonly dictionary: Vector<Utf8>
  private length = 0

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
    const values = spec.values!
    this.valueCount = values.length
    this.itemType = (arrowType as List<CodeType>).valueType
    this.codes = new (codesOf(this.itemType))(this.rows * ITEMS_AT_FIRST)
    this.dictionary = new Vector([textData(values)])
  }

  /** Appends the list of the batch's next row that has one: `count` codes from `from` on. Returns how many. */
  append(codes: ArrayLike<number>, from: number, count: number): number {
    const to = this.length
    if (to + count > this.codes.length) this.codes = lengthened(this.codes, (to + count) * 2)
    const { codes: all, valueCount } = this
    for (let i = 0; i < count; i++) {
      const code = codes[from + i]!
      if ((code | 0) !== code || code < 0 || code >= valueCount) this.refuse(code)
      all[to + i] = code
    }
    this.length = to + count
    return count
  }

  protected buffers(rows: number): object {
    const { offsets, codes, length, itemType, dictionary } = this
    this.length = 0
    const child = makeData({ type: itemType, length, nullCount: 0, data: codes.subarray(0, length), dictionary } as never)
    return { valueOffsets: offsets.subarray(0, rows + 1), child }
  }
}

/** Items of a row for which there is room at first. */
const ITEMS_AT_FIRST = 4

/** Texts. */
export class TextCells extends LongCells {
  private declare bytes: Uint8Array
  private length = 0

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
    this.bytes = new Uint8Array(this.rows * 8)
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

export function textData(values: readonly string[]): Data<Utf8> {
  const parts = values.map((value) => encoder.encode(value))
  const valueOffsets = new Int32Array(values.length + 1)
  for (let i = 0; i < parts.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + parts[i]!.byteLength
  const data = new Uint8Array(valueOffsets[values.length]!)
  for (let i = 0; i < parts.length; i++) data.set(parts[i]!, valueOffsets[i]!)
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data })
}
