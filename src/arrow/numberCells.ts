import type { DataType } from 'apache-arrow'
import { ColumnCells, lengthened } from './columnCells.ts'
import type { ColumnSpec } from './tableSchema.ts'

const WORD = 4_294_967_296
// Added to an integer of up to 51 bits, 1.5 · 2⁵² leaves it in the low bits of the double, as two's complement: 64 bits for the
// price of an addition. The sum's exponent tells whether it was such a number.
const SHIFT = 6_755_399_441_055_744
const SHIFT_HIGH = 0x43380000
const SHIFT_EXPONENT = 0x433
const EXPONENT_BITS = 20
const LARGE = 2_251_799_813_685_248

/** Integers of 64 bits: safe ones. */
export class WideCells extends ColumnCells {
  /** One buffer, as words, low before high, and as doubles. */
  private declare words: Int32Array
  private declare doubles: Float64Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
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

export class WordCells extends ColumnCells {
  private declare words: Int32Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
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

export class FloatCells extends ColumnCells {
  private declare floats: Float64Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
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
export class BoolCells extends ColumnCells {
  private declare bits: Uint8Array

  constructor(table: string, spec: ColumnSpec, arrowType: DataType, rows: number) {
    super(table, spec, arrowType, rows)
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
