import { isAscii, isUtf8 } from 'node:buffer'
import { Cells, isNothing, NOTHING_LENGTH_MAX, SAFE_DIGITS, shifted } from './cells.ts'
import type { Interner } from './interner.ts'

/** Cells whose text lies in bytes: those of a cell that are no UTF-8 are read as Latin-1. */
export class ByteCells extends Cells {
  /** Where the text of each row begins and ends. */
  starts = new Int32Array(0)
  ends = new Int32Array(0)
  data: Buffer = Buffer.alloc(0)
  private from = 0
  private to = 0

  private trim(row: number): void {
    const { data } = this
    let from = this.starts[row]!
    let to = this.ends[row]!
    while (from < to && (data[from] === 32 || data[from] === 9)) from += 1
    while (to > from && (data[to - 1] === 32 || data[to - 1] === 9)) to -= 1
    this.from = from
    this.to = to
  }

  override text(row: number): string {
    this.trim(row)
    const { data, from, to } = this
    for (let i = from; i < to; i += 1) if (data[i]! >= 128) return this.wideText(row)
    return data.toString('latin1', from, to)
  }

  override plainText(row: number): string | undefined {
    this.trim(row)
    const { data, from, to } = this
    for (let i = from; i < to; i += 1) if (data[i]! >= 128) return undefined
    return data.toString('latin1', from, to)
  }

  /** All its bytes as one text, where they are ASCII. Undefined otherwise. */
  whole(): string | undefined {
    return isAscii(this.data) ? this.data.toString('latin1') : undefined
  }

  /** The text of a cell as a part of the text of all bytes, which stays in memory as long as the part does. */
  textIn(whole: string, row: number): string {
    this.trim(row)
    return whole.slice(this.from, this.to)
  }

  private wideText(row: number): string {
    return this.data.toString(this.isForeign(row) ? 'latin1' : 'utf8', this.from, this.to)
  }

  /** Whether no cell of its rows is of bytes that are no UTF-8. */
  get isWhollyUtf8(): boolean {
    return isUtf8(this.data)
  }

  isForeign(row: number): boolean {
    return !isUtf8(this.data.subarray(this.starts[row]!, this.ends[row]!))
  }

  override isEmpty(row: number): boolean {
    this.trim(row)
    const length = this.to - this.from
    return length === 0 || (length <= NOTHING_LENGTH_MAX && !isDigit(this.data[this.to - 1]!) && isNothing(this.data.toString('latin1', this.from, this.to)))
  }

  override scaled(row: number, digits: number): number {
    return scaledBytes(this.data, this.starts[row]!, this.ends[row]!, digits)
  }

  override scaledRows(from: number, to: number, digits: number, into: Float64Array): void {
    const { data, starts, ends } = this
    for (let row = from; row < to; row += 1) into[row - from] = scaledBytes(data, starts[row]!, ends[row]!, digits)
  }

  override nanosUs(row: number): number {
    this.trim(row)
    const { data, from, to } = this
    if (to - from < 4 || to - from > 19) return NaN
    let us = 0
    for (let i = from; i < to - 3; i += 1) {
      const digit = data[i]! - 48
      if (!(digit >= 0 && digit <= 9)) return NaN
      us = us * 10 + digit
    }
    for (let i = to - 3; i < to; i += 1) if (!isDigit(data[i]!)) return NaN
    return data[to - 1] === 48 && data[to - 2] === 48 && data[to - 3] === 48 ? us : us + 1
  }

  override nanosRows(from: number, to: number, into: Float64Array): void {
    for (let row = from; row < to; row += 1) into[row - from] = this.nanosUs(row)
  }

  override knownCodes(from: number, to: number, interner: Interner, into: Int32Array): void {
    for (let row = from; row < to; row += 1) {
      this.trim(row)
      into[row - from] = interner.knownCode(this.data, this.from, this.to)
    }
  }

  override code(row: number, interner: Interner): number {
    this.trim(row)
    return interner.codeOfBytes(this.data, this.from, this.to, () => this.text(row))
  }

  override value(row: number): unknown {
    return this.text(row)
  }
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57
const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9

/** A plain decimal of bytes `from`…`to`−1, with spaces around it, × 10^digits. NaN for anything else, and for what is not whole then. */
function scaledBytes(data: Uint8Array, from: number, to: number, digits: number): number {
  let at = from
  let end = to
  while (at < end && isSpace(data[at])) at += 1
  while (end > at && isSpace(data[end - 1])) end -= 1
  const isNegative = data[at] === 45
  if (isNegative || data[at] === 43) at += 1
  let value = 0
  let count = 0
  let point = -1
  for (; at < end; at += 1) {
    const digit = data[at]! - 48
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      count += 1
    } else if (digit === -2 && point < 0) point = count
    else return NaN
  }
  if (count === 0 || count > SAFE_DIGITS || value > Number.MAX_SAFE_INTEGER) return NaN
  const scaled = shifted(value, point < 0 ? digits : digits - (count - point))
  return isNegative ? 0 - scaled : scaled
}
