import { Cells } from './cells.ts'
import type { Interner } from './interner.ts'

/** Values by code: of each row its place among the values. */
export class CodedValues {
  declare readonly values: ArrayLike<unknown>
  declare readonly codes: Int32Array

  constructor(values: ArrayLike<unknown>, codes: Int32Array) {
    this.values = values
    this.codes = codes
  }

  rows(from: number, to: number): Int32Array {
    return this.codes.subarray(from, to)
  }
}

const [UNKNOWN, EMPTY, FILLED] = [0, 1, 2]

/** Cells whose values have codes. What is asked of a value is worked out once. */
export class CodedCells extends Cells {
  private declare readonly codes: Int32Array
  private declare readonly values: Cells
  private declare readonly filled: Uint8Array
  private readonly known = new Map<Interner, Int32Array>()
  private interner: Interner | null = null
  private codeOf: Int32Array = new Int32Array(0)

  /** @param values one cell for each of the `count` codes */
  constructor(values: Cells, count: number, codes: Int32Array) {
    super()
    this.codes = codes
    this.values = values
    this.filled = new Uint8Array(count)
  }

  override get hasInstants(): boolean {
    return this.values.hasInstants
  }

  override get isNaive(): boolean {
    return this.values.isNaive
  }

  override isEmpty(row: number): boolean {
    const code = this.codes[row]!
    if (this.filled[code] === UNKNOWN) this.filled[code] = this.values.isEmpty(code) ? EMPTY : FILLED
    return this.filled[code] === EMPTY
  }

  override code(row: number, interner: Interner): number {
    if (interner !== this.interner) this.knowAs(interner)
    const code = this.codes[row]!
    const found = this.codeOf[code]!
    return found >= 0 ? found : this.codeOf[code] = this.values.code(code, interner)
  }

  override knownCodes(from: number, to: number, interner: Interner, into: Int32Array): void {
    if (interner !== this.interner) this.knowAs(interner)
    const { codes, codeOf } = this
    for (let row = from; row < to; row += 1) into[row - from] = codeOf[codes[row]!]!
  }

  override text(row: number): string {
    return this.values.text(this.codes[row]!)
  }

  override scaled(row: number, digits: number): number {
    return this.values.scaled(this.codes[row]!, digits)
  }

  override nanosUs(row: number): number {
    return this.values.nanosUs(this.codes[row]!)
  }

  override instantUs(row: number): number {
    return this.values.instantUs(this.codes[row]!)
  }

  override value(row: number): unknown {
    return this.values.value(this.codes[row]!)
  }

  override scaledRows(from: number, to: number, digits: number, into: Float64Array): void {
    this.pick(from, to, this.ofAll(`scaled ${digits}`, (all) => { this.values.scaledRows(0, all.length, digits, all) }), into)
  }

  override nanosRows(from: number, to: number, into: Float64Array): void {
    this.pick(from, to, this.ofAll('nanos', (all) => { this.values.nanosRows(0, all.length, all) }), into)
  }

  override instantRows(from: number, to: number, into: Float64Array): void {
    this.pick(from, to, this.ofAll('instants', (all) => { this.values.instantRows(0, all.length, all) }), into)
  }

  private readonly numbers = new Map<string, Float64Array>()

  /** Numbers of all values, by code. */
  private ofAll(what: string, read: (all: Float64Array) => void): Float64Array {
    let all = this.numbers.get(what)
    if (all === undefined) {
      this.numbers.set(what, all = new Float64Array(this.filled.length))
      read(all)
    }
    return all
  }

  private pick(from: number, to: number, all: Float64Array, into: Float64Array): void {
    const { codes } = this
    for (let row = from; row < to; row += 1) into[row - from] = all[codes[row]!]!
  }

  private knowAs(interner: Interner): void {
    let codeOf = this.known.get(interner)
    if (codeOf === undefined) this.known.set(interner, codeOf = new Int32Array(this.filled.length).fill(-1))
    this.interner = interner
    this.codeOf = codeOf
  }
}
