import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCodes } from '../../src/feed/rows/packedCodes.ts'

/** A number in groups of seven bits, the lowest first, each but the last with the eighth bit set. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])

const littleEndian = (value: bigint, bytes: number): number[] => Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(i * 8)) & 255n))

/** Codes side by side, `bits` each, the first in the lowest bits. */
function packed(bits: number, codes: readonly number[]): number[] {
  const word = codes.reduce((sum, code, i) => sum | (BigInt(code) << BigInt(i * bits)), 0n)
  return [...varint(((codes.length / 8) << 1) | 1), ...littleEndian(word, (codes.length * bits) / 8)]
}

const run = (bits: number, code: number, count: number): number[] => [...varint(count << 1), ...littleEndian(BigInt(code), Math.ceil(bits / 8))]

const read = (bytes: readonly number[], count: number, limit = 2 ** 24): number[] => {
  const codes = new Int32Array(count)
  // Bytes before and behind belong to others.
  readCodes(new DataView(Uint8Array.from([9, ...bytes, 255]).buffer, 1, bytes.length), 0, codes, limit)
  return [...codes]
}

describe('codes', () => {
  it('are read as they were packed, in groups and in runs of any width', () => {
    const part = (bits: number) => {
      const code = fc.nat(2 ** bits - 1)
      return fc.oneof(
        fc.integer({ min: 1, max: 6 }).chain((groups) => fc.array(code, { minLength: groups * 8, maxLength: groups * 8 })).map((codes) => ({ codes, bytes: packed(bits, codes) })),
        fc.tuple(code, fc.integer({ min: 1, max: 300 })).map(([one, count]) => ({ codes: Array.from({ length: count }, () => one), bytes: run(bits, one, count) })),
      )
    }
    const parts = fc.integer({ min: 0, max: 24 }).chain((bits) => fc.tuple(fc.constant(bits), fc.array(part(bits), { minLength: 1, maxLength: 6 })))
    fc.assert(fc.property(parts, fc.nat(7), ([bits, all], less) => {
      const codes = all.flatMap((one) => one.codes)
      // The last group may have more than there are.
      const count = Math.max(1, codes.length - less)
      expect(read([bits, ...all.flatMap(({ bytes }) => bytes)], count)).toEqual(codes.slice(0, count))
    }), { seed: 20_251_128 })
  })

  it('of a group are read, the first in the lowest bits', () => {
    // 1, 2, 3, 0, 1, 2, 3, 0 of two bits: 00 11 10 01, twice.
    expect(read([2, 3, 0b00111001, 0b00111001], 8)).toEqual([1, 2, 3, 0, 1, 2, 3, 0])
    expect(read([2, 10, 3], 5)).toEqual([3, 3, 3, 3, 3])
  })

  it.each([
    ['are cut off in a group', [2, 3, 0b00111001], 8], ['are cut off in a run', [2, 10], 5], ['are fewer than rows', [2, 10, 3], 6],
    ['are not in the dictionary', [2, 10, 3], 5], ['have more bits than are read here', [25, 10, 3, 0, 0, 0], 5], ['are none', [], 1],
  ])('that %s are refused', (_, bytes, count) => {
    expect(() => read(bytes, count, 3)).toThrow()
  })
})
