import { inBlocks } from '../../unit/rowBlocks.ts'

/** Codes of more bits are left to others. */
const BITS_MAX = 24
const WORD_BYTES = 4

/**
 * Reads codes as pages of Parquet have them: runs of one code, and groups of eight codes of so many bits. They go into all of `into`. Throws for codes that are cut off
 * or not below `limit`.
 *
 * @param offset where the number of bits stands
 */
export function readCodes(view: DataView<ArrayBuffer>, offset: number, into: Int32Array, limit: number): void {
  const { byteLength } = view
  const bytes = new Uint8Array(view.buffer, view.byteOffset, byteLength)
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
    const first = done
    // Whole groups of eight end at a byte.
    if (isPacked) inBlocks(count, (from, to) => { unpack(view, start + (from * bits) / 8, bits, into.subarray(first + from, first + to), limit) })
    else into.fill(below(limit, wordOf(bytes, start, end)), done, done + count)
    at = end
    done += count
  }
}

function below(limit: number, code: number): number {
  if (code >= limit) throw new Error('a code that the dictionary does not have')
  return code
}

/** Four bytes hold any code, at whichever bit it begins. Those of the last codes reach beyond the end. */
function unpack(view: DataView, from: number, bits: number, into: Int32Array, limit: number): void {
  const mask = 2 ** bits - 1
  const room = view.byteLength - WORD_BYTES - from
  const whole = room < 0 ? 0 : Math.min(into.length, Math.floor((room * 8 + 7) / bits) + 1)
  let most = 0
  for (let i = 0, bit = 0; i < whole; i++, bit += bits) {
    const code = (view.getUint32(from + (bit >> 3), true) >>> (bit & 7)) & mask
    into[i] = code
    if (code > most) most = code
  }
  for (let i = whole; i < into.length; i++) {
    const code = tailOf(view, from, i * bits) & mask
    into[i] = code
    if (code > most) most = code
  }
  below(limit, most)
}

/** The bits from one on, as far as there are bytes. */
function tailOf(view: DataView, from: number, bit: number): number {
  let word = 0
  for (let at = from + (bit >> 3), shift = 0; at < view.byteLength && shift < 32; at++, shift += 8) word |= view.getUint8(at) << shift
  return word >>> (bit & 7)
}

function wordOf(bytes: Uint8Array, from: number, end: number): number {
  let word = 0
  for (let at = from; at < end; at++) word += bytes[at]! * 2 ** ((at - from) * 8)
  return word
}
