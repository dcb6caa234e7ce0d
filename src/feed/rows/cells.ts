import type { Interner } from './interner.ts'

/** What stands for nothing in recordings, besides an empty cell, in lower case. */
const NOTHING = new Set(['', 'null', 'none', 'nan', 'na', 'n/a', 'nil', '-', '\\n', '<na>'])
export const NOTHING_LENGTH_MAX = 4

export const isNothing = (text: string): boolean => text.length <= NOTHING_LENGTH_MAX && NOTHING.has(text.toLowerCase())

/** Powers of ten that double-precision numbers hold exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
/** Digits that a whole number below 2⁵³ has at most. */
export const SAFE_DIGITS = 16

/** The cells of one column in a batch of rows. */
export abstract class Cells {
  /** The text of a cell without spaces around it, '' for nothing. Numbers are written as shortly as they can be. */
  abstract text(row: number): string
  /** The same where it can be told without a remark on it, otherwise undefined. */
  plainText(row: number): string | undefined {
    return this.text(row)
  }
  abstract isEmpty(row: number): boolean
  /** The cell × 10^digits when that is whole, and can be told fast. NaN otherwise: then `text` says more. */
  abstract scaled(row: number, digits: number): number
  abstract code(row: number, interner: Interner): number
  /** Whole nanoseconds in µs, rounded up. NaN when that cannot be told fast. */
  abstract nanosUs(row: number): number
  /** The value as it was decoded, for lists. */
  abstract value(row: number): unknown
  /** µs since the epoch, of a column whose type says that it holds instants. NaN in any other. */
  instantUs(_row: number): number {
    return NaN
  }
  /** Its type says that it holds instants. */
  get hasInstants(): boolean {
    return false
  }
  /** Its type says that its instants are of no stated time zone. */
  get isNaive(): boolean {
    return false
  }

  // The same of rows `from`…`to`−1, into the beginning of `into`. Columns of one type have faster ways.

  scaledRows(from: number, to: number, digits: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = this.scaled(row, digits)
  }

  nanosRows(from: number, to: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = this.nanosUs(row)
  }

  instantRows(from: number, to: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = this.instantUs(row)
  }

  /** Codes of rows `from`…`to`−1 whose texts an interner has been asked for, −1 for others. */
  knownCodes(from: number, to: number, _interner: Interner, into: Int32Array): void {
    into.fill(-1, 0, to - from)
  }
}

/** value × 10^digits when the shortest decimal that stands for the value is whole then, otherwise NaN. */
export function scaledNumber(value: number, digits: number): number {
  const power = POWERS[digits]!
  const scaled = Math.round(value * power)
  return Number.isSafeInteger(scaled) && scaled / power === value ? scaled : NaN
}

/** digits × 10^(digits asked − decimals), when that is whole. */
export function shifted(value: number, shift: number): number {
  if (shift === 0) return value
  if (shift > 0) {
    const scaled = value * POWERS[shift]!
    return scaled <= Number.MAX_SAFE_INTEGER ? scaled : NaN
  }
  const scaled = value / POWERS[-shift]!
  return Math.floor(scaled) === scaled ? scaled : NaN
}

/** A plain decimal as `-12.50`. NaN for any other text. */
export function scaledText(text: string, digits: number): number {
  let at = 0
  let isNegative = false
  const first = text.charCodeAt(0)
  if (first === 45 || first === 43) {
    isNegative = first === 45
    at = 1
  }
  let value = 0
  let count = 0
  let decimals = -1
  for (; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      count += 1
      if (decimals >= 0) decimals += 1
    } else if (digit === -2 && decimals < 0) decimals = 0
    else return NaN
  }
  if (count === 0 || count > SAFE_DIGITS || value > Number.MAX_SAFE_INTEGER) return NaN
  const scaled = shifted(value, digits - Math.max(decimals, 0))
  return isNegative ? 0 - scaled : scaled
}

/** Unix nanoseconds as text, in µs, rounded up. */
function nanosText(text: string): number {
  if (!/^\d{1,19}$/.test(text)) return NaN
  const us = Number(text.slice(0, -3))
  return Number(text.slice(-3)) === 0 ? us : us + 1
}

/** Cells of any values: texts, numbers, bigints, booleans, lists. */
export class ValueCells extends Cells {
  declare readonly values: ArrayLike<unknown>

  constructor(values: ArrayLike<unknown>) {
    super()
    this.values = values
  }

  override value(row: number): unknown {
    return this.values[row]
  }

  override text(row: number): string {
    const value = this.values[row]
    if (typeof value === 'string') return value.trim()
    if (value === null || value === undefined || Number.isNaN(value)) return ''
    if (typeof value === 'number') return this.numberText(value)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
    return typeof value === 'object' ? jsonText(value) : String(value)
  }

  protected numberText(value: number): string {
    return String(value)
  }

  override isEmpty(row: number): boolean {
    const value = this.values[row]
    return value === null || value === undefined || value !== value || (typeof value === 'string' && isNothing(value.trim()))
  }

  override scaled(row: number, digits: number): number {
    const value = this.values[row]
    if (typeof value === 'number') return this.scaledValue(value, digits)
    if (typeof value === 'string') return scaledText(value.trim(), digits)
    return typeof value === 'bigint' ? shifted(safe(value), digits) : NaN
  }

  protected scaledValue(value: number, digits: number): number {
    return scaledNumber(value, digits)
  }

  override nanosUs(row: number): number {
    const value = this.values[row]
    if (typeof value === 'bigint') return value < 0n ? NaN : Number((value + 999n) / 1000n)
    // A number this large has lost its last digits before it came here.
    if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? Math.ceil(value / 1000) : NaN
    return typeof value === 'string' ? nanosText(value.trim()) : NaN
  }

  override knownCodes(from: number, to: number, interner: Interner, into: Int32Array): void {
    for (let row = from; row < to; row += 1) {
      const value = this.values[row]
      into[row - from] = typeof value === 'string' ? interner.knownText(value.trim()) : -1
    }
  }

  override code(row: number, interner: Interner): number {
    const value = this.values[row]
    return interner.codeOf(typeof value === 'string' ? value.trim() : this.text(row))
  }
}

const safe = (value: bigint): number => (value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER ? Number(value) : NaN)

function jsonText(value: object): string {
  try {
    const text: unknown = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))
    return typeof text === 'string' ? text : ''
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // JSON in a column of Parquet overflows the stack at some depth.
    return 'nested too deep'
  }
}

/** Numbers of double precision, and words. */
export class NumberCells extends ValueCells {
  private declare readonly numbers: Float64Array | Int32Array

  constructor(numbers: Float64Array | Int32Array) {
    super(numbers)
    this.numbers = numbers
  }

  override scaledRows(from: number, to: number, digits: number, into: Float64Array): void {
    const { numbers: values } = this
    for (let row = from; row < to; row += 1) into[row - from] = scaledNumber(values[row]!, digits)
  }
}

/** Single-precision numbers, which stand for the shortest decimal that they are nearest to. */
export class Float32Cells extends ValueCells {
  protected override numberText(value: number): string {
    for (let digits = 6; digits < 9; digits += 1) {
      const short = Number(value.toPrecision(digits))
      if (Math.fround(short) === value) return String(short)
    }
    return String(Number(value.toPrecision(9)))
  }

  protected override scaledValue(value: number, digits: number): number {
    const scaled = Math.round(value * POWERS[digits]!)
    // Beyond seven digits single precision does not tell neighbours apart.
    if (Math.abs(scaled) < 1e7 && Math.fround(scaled / POWERS[digits]!) === value) return scaled
    return scaledText(this.numberText(value), digits)
  }
}

/** Decimals of a stated scale, which were decoded into numbers next to them. */
export class RoundedDecimalCells extends ValueCells {
  private declare readonly scale: number

  constructor(values: ArrayLike<unknown>, scale: number) {
    super(values)
    this.scale = scale
  }

  protected override numberText(value: number): string {
    return value.toFixed(Math.min(this.scale, 100))
  }

  protected override scaledValue(value: number, digits: number): number {
    const unscaled = Math.round(value * Number(`1e${this.scale}`))
    return Number.isSafeInteger(unscaled) && Math.abs(digits - this.scale) < POWERS.length ? shifted(unscaled, digits - this.scale) : NaN
  }
}

/** Whole numbers of 64 bits. */
export class Int64Cells extends ValueCells {
  private declare readonly words: Int32Array

  constructor(values: BigInt64Array) {
    super(values)
    this.words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  }

  /** NaN beyond 2⁵³. */
  private whole(row: number): number {
    const value = this.words[row * 2 + 1]! * 2 ** 32 + (this.words[row * 2]! >>> 0)
    return Number.isSafeInteger(value) ? value : NaN
  }

  override isEmpty(): boolean {
    return false
  }

  override scaled(row: number, digits: number): number {
    return shifted(this.whole(row), digits)
  }

  override scaledRows(from: number, to: number, digits: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = shifted(this.whole(row), digits)
  }

  override nanosRows(from: number, to: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = this.nanosUs(row)
  }

  /** The division is done in two parts, because the number does not fit a double. */
  override nanosUs(row: number): number {
    const high = this.words[row * 2 + 1]!
    if (high < 0) return NaN
    const rest = high % 1000
    return ((high - rest) / 1000) * 2 ** 32 + Math.ceil((rest * 2 ** 32 + (this.words[row * 2]! >>> 0)) / 1000)
  }
}

/** Instants of a column whose type says so, µs since the epoch. */
export class InstantCells extends ValueCells {
  private declare readonly naive: boolean

  constructor(values: ArrayLike<unknown>, isNaive: boolean) {
    super(values)
    this.naive = isNaive
  }

  override get hasInstants(): boolean {
    return true
  }

  override get isNaive(): boolean {
    return this.naive
  }

  override instantUs(row: number): number {
    const value = this.values[row]
    return typeof value === 'number' ? value : NaN
  }

  override instantRows(from: number, to: number, into: Float64Array): void {
    const { values } = this
    if (values instanceof Float64Array) into.set(values.subarray(from, to))
    else super.instantRows(from, to, into)
  }
}
