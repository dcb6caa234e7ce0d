import { type Data, type DataType, type Dictionary, type Int16, type Int32, type Int8, makeData, Utf8, Vector } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { CellKind, ColumnCells, lengthened } from './columnCells.ts'
import type { ColumnSpec } from './tableSchema.ts'

const encoder = new TextEncoder()

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

function textData(values: readonly string[]): Data<Utf8> {
  const parts = values.map((value) => encoder.encode(value))
  const valueOffsets = new Int32Array(values.length + 1)
  for (let i = 0; i < parts.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + parts[i]!.byteLength
  const data = new Uint8Array(valueOffsets[values.length]!)
  for (let i = 0; i < parts.length; i++) data.set(parts[i]!, valueOffsets[i]!)
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data })
}
