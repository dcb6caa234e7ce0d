import { inBlocks } from '../../unit/rowBlocks.ts'

/** Codes of more bits are left to others. */
const BITS_MAX = 24

/**
 * Reads codes as pages of Parquet have them: runs of one code, and groups of eight codes of so many bits. They go into all of `into`. Throws for codes that are cut off
 * or not below `limit`.
 *
 * @param offset where the number of bits stands
 */
export function readCodes({ buffer, byteOffset, byteLength }: DataView<ArrayBuffer>, offset: number, into: Int32Array, limit: number): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  const bits = bytes[offset]!
  if (!(bits <= BITS_MAX)) throw new Error(`codes of ${bits} bits are not read here`)
  let at = offset + 1
  for (let done = 0; done < into.length;) {
    let header = 0
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      if (at >= byteLength) throw new Error('codes that are cut off')
      byte = bytes[at++]!
      header += (byte & 127) * 2 ** shift
    }
    const isPacked = header % 2 === 1
    const count = Math.min(into.length - done, Math.floor(header / 2) * (isPacked ? 8 : 1))
    const start = at
    const end = start + Math.ceil(isPacked ? (count * bits) / 8 : bits / 8)
    if (end > byteLength) throw new Error('codes that are cut off')
    // Whole groups of eight end at a byte.
    if (isPacked) inBlocks(count, (from, to) => { unpack(bytes, start + (from * bits) / 8, bits, into, done + from, to - from) })
    else into.fill(wordOf(bytes, start, end), done, done + count)
    at = end
    done += count
  }
  inBlocks(into.length, (from, to) => { requireBelow(limit, into, from, to) })
}

function requireBelow(limit: number, codes: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (codes[i]! >= limit) throw new Error('a code that the dictionary does not have')
}

function unpack(bytes: Uint8Array, from: number, bits: number, into: Int32Array, first: number, count: number): void {
  const mask = 2 ** bits - 1
  let at = from
  let word = 0
  let held = 0
  for (let i = first; i < first + count; i++) {
    while (held < bits) {
      word |= bytes[at++]! << held
      held += 8
    }
    into[i] = word & mask
    word >>>= bits
    held -= bits
  }
}

function wordOf(bytes: Uint8Array, from: number, end: number): number {
  let word = 0
  for (let at = from; at < end; at++) word += bytes[at]! * 2 ** ((at - from) * 8)
  return word
}
