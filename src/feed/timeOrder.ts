import { inBlocks } from '../unit/rowBlocks.ts'

const WORD = 4_294_967_296
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const WORD_BITS = 32

/**
 * The order of rows by time, and of rows of one instant by their place; null where the rows are in that order already. Instants are whole and
 * less than 2⁵³ apart. A radix sort: comparing takes ten times as long.
 */
export function timeOrder(atUs: Float64Array, count: number): Uint32Array | null {
  const found = { isOrdered: true, first: Infinity, last: -Infinity }
  inBlocks(count, (from, to) => { lookAt(atUs, from, to, found) })
  const { isOrdered, first, last } = found
  if (isOrdered) return null
  const [low, high] = [new Uint32Array(count), new Uint32Array(count)]
  for (let i = 0; i < count; i++) {
    const since = atUs[i]! - first
    const top = Math.floor(since / WORD)
    high[i] = top
    low[i] = since - top * WORD
  }
  let order: Uint32Array = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let scratch: Uint32Array = new Uint32Array(count)
  const range = last - first
  for (const [words, most] of [[low, Math.min(range, WORD - 1)], [high, Math.floor(range / WORD)]] as const) {
    for (let shift = 0; shift < WORD_BITS && most >= 2 ** shift; shift += DIGIT_BITS) {
      byDigit(words, shift, order, scratch)
      ;[order, scratch] = [scratch, order]
    }
  }
  return order
}

function lookAt(atUs: Float64Array, from: number, to: number, found: { isOrdered: boolean; first: number; last: number }): void {
  let { isOrdered, first, last } = found
  for (let i = from; i < to; i++) {
    const at = atUs[i]!
    if (at < last) isOrdered = false
    else last = at
    if (at < first) first = at
  }
  Object.assign(found, { isOrdered, first, last })
}

/** Puts the rows of `from` into `to` by one digit, and rows of one digit as they were. */
function byDigit(words: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): void {
  const starts = new Uint32Array(DIGITS + 1)
  for (let i = 0; i < from.length; i++) starts[((words[i]! >>> shift) & (DIGITS - 1)) + 1]!++
  for (let digit = 1; digit <= DIGITS; digit++) starts[digit]! += starts[digit - 1]!
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!
    to[starts[(words[row]! >>> shift) & (DIGITS - 1)]!++] = row
  }
}
