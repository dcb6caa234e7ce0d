import { inBlocks } from '../../unit/rowBlocks.ts'
import type { Column } from './runColumns.ts'

/**
 * How a column of a run lies on the disk. Most have few different values, which are even: prices are cents, and the rows of a file follow each other. Writing fewer
 * bytes takes less time than to tell which ones do.
 */
export interface StoredColumn {
  /** Where the first value lies. */
  readonly offset: number
  /** Bytes of a value. Those of 1, 2 and 4 are codes of words, words and doubles. Other ones lie there as they are. Where there are none, row i has code i. */
  readonly bytes: number
  /** What a code stands for is `least + code × step`. */
  readonly least: number
  readonly step: number
}

const [BYTE_MOST, SHORT_MOST, WORD_MOST] = [2 ** 8 - 1, 2 ** 16 - 1, 2 ** 32 - 1]
/** Millionths of a dollar that are cents, and instants that are milliseconds. */
const [CENT, MS] = [10_000, 1000]

/** Bytes that are used again for one column after the other. */
export class ColumnScratch {
  private room = new ArrayBuffer(0)

  bytes(count: number): ArrayBuffer {
    if (this.room.byteLength < count) this.room = new ArrayBuffer(count)
    return this.room
  }
}

/** How a column lies on the disk, and its bytes, which hold until the scratch is used again. */
export function stored(column: Column, offset: number, scratch: ColumnScratch): { readonly as: StoredColumn; readonly bytes: Uint8Array<ArrayBufferLike> } {
  const as = column instanceof Int32Array ? wordsAs(column, scratch) : doublesAs(column, scratch)
  if (as === null) return { as: { offset, bytes: column.BYTES_PER_ELEMENT, least: 0, step: 1 }, bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength) }
  return { as: { offset, ...as }, bytes: new Uint8Array(scratch.bytes(column.length * as.bytes), 0, column.length * as.bytes) }
}

/** Puts rows `from`…`from + count`−1 into the beginning of a column. `read` fills bytes with those from a place of the file on. */
export function restore({ offset, bytes, least, step }: StoredColumn, from: number, count: number, into: Column, scratch: ColumnScratch, read: (bytes: Uint8Array, offset: number) => void): void {
  if (bytes === 0) {
    for (let i = 0; i < count; i++) into[i] = least + (from + i) * step
    return
  }
  const isCoded = bytes < into.BYTES_PER_ELEMENT
  const there = isCoded ? new Uint8Array(scratch.bytes(count * bytes), 0, count * bytes) : new Uint8Array(into.buffer, into.byteOffset, count * bytes)
  read(there, offset + from * bytes)
  if (!isCoded) return
  const { buffer } = there
  if (into instanceof Float64Array) inBlocks(count, (one, end) => { doublesOf(new Uint32Array(buffer, 0, count), into, least, step, one, end) })
  else if (bytes === 1) inBlocks(count, (one, end) => { wordsOfBytes(new Uint8Array(buffer, 0, count), into, least, step, one, end) })
  else inBlocks(count, (one, end) => { wordsOfShorts(new Uint16Array(buffer, 0, count), into, least, step, one, end) })
}

type Coding = Pick<StoredColumn, 'bytes' | 'least' | 'step'>

/** Null for words that have no shorter codes. Otherwise the codes lie in the scratch. */
function wordsAs(words: Int32Array, scratch: ColumnScratch): Coding | null {
  const count = words.length
  const found = { least: Infinity, most: -Infinity, areCents: true }
  inBlocks(count, (from, to) => { lookAtWords(words, from, to, found) })
  const { least, most, areCents } = found
  if (least === most) return { bytes: 0, least, step: 0 }
  const step = areCents ? CENT : 1
  const limit = (most - least) / step
  if (limit > SHORT_MOST) return null
  const bytes = limit > BYTE_MOST ? 2 : 1
  const room = scratch.bytes(count * bytes)
  if (bytes === 1) inBlocks(count, (from, to) => { bytesOfWords(words, new Uint8Array(room, 0, count), least, step, from, to) })
  else inBlocks(count, (from, to) => { shortsOfWords(words, new Uint16Array(room, 0, count), least, step, from, to) })
  return { bytes, least, step }
}

function lookAtWords(words: Int32Array, from: number, to: number, found: { least: number; most: number; areCents: boolean }): void {
  let { least, most, areCents } = found
  for (let i = from; i < to; i++) {
    const word = words[i]!
    if (word < least) least = word
    if (word > most) most = word
    if (word % CENT !== 0) areCents = false
  }
  Object.assign(found, { least, most, areCents })
}

function bytesOfWords(words: Int32Array, into: Uint8Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = (words[i]! - least) / step
}

function shortsOfWords(words: Int32Array, into: Uint16Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = (words[i]! - least) / step
}

function wordsOfBytes(codes: Uint8Array, into: Int32Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = least + codes[i]! * step
}

function wordsOfShorts(codes: Uint16Array, into: Int32Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = least + codes[i]! * step
}

/** Null for doubles that have no shorter codes, which those that are not whole have not. Otherwise the codes lie in the scratch. */
function doublesAs(doubles: Float64Array, scratch: ColumnScratch): Coding | null {
  const count = doubles.length
  const found = { least: Infinity, most: -Infinity, areWhole: true, areMs: true, areEven: true }
  const first = doubles[0]!
  const by = count > 1 ? doubles[1]! - first : 0
  inBlocks(count, (from, to) => { lookAtDoubles(doubles, by, from, to, found) })
  const { least, most, areWhole, areMs, areEven } = found
  if (areEven) return { bytes: 0, least: first, step: by }
  const step = areMs ? MS : 1
  if (!areWhole || (most - least) / step > WORD_MOST) return null
  const codes = new Uint32Array(scratch.bytes(count * Uint32Array.BYTES_PER_ELEMENT), 0, count)
  inBlocks(count, (from, to) => { wordsOfDoubles(doubles, codes, least, step, from, to) })
  return { bytes: Uint32Array.BYTES_PER_ELEMENT, least, step }
}

function lookAtDoubles(doubles: Float64Array, by: number, from: number, to: number, found: { least: number; most: number; areWhole: boolean; areMs: boolean; areEven: boolean }): void {
  let { least, most, areWhole, areMs, areEven } = found
  const first = doubles[0]!
  for (let i = from; i < to; i++) {
    const double = doubles[i]!
    if (double < least) least = double
    if (double > most) most = double
    if (Math.floor(double) !== double) areWhole = false
    if (areMs && Math.floor(double / MS) * MS !== double) areMs = false
    if (areEven && double !== first + i * by) areEven = false
  }
  Object.assign(found, { least, most, areWhole, areMs, areEven })
}

function wordsOfDoubles(doubles: Float64Array, into: Uint32Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = (doubles[i]! - least) / step
}

function doublesOf(codes: Uint32Array, into: Float64Array, least: number, step: number, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = least + codes[i]! * step
}
