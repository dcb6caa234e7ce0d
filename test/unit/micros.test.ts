import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bug } from '../../src/unit/assert.ts'
import { add, feeFloor, micros, mulDivCeil, mulDivFloor, sub, USDC } from '../../src/unit/micros.ts'

const MAX = Number.MAX_SAFE_INTEGER

/** a, b, d within the bounds of mulDivFloor, close to where a product or a quotient breaks: at multiples of d, at the ends. */
const factors = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 27 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.maxSafeNat(), fc.integer({ min: -3, max: 3 }))
  .map(([d, share, big, off]) => {
    const b = Math.floor(share * Math.floor(MAX / d))
    const aMax = b === 0 ? MAX : Number((BigInt(MAX) * BigInt(d)) / BigInt(b))
    const a = Math.min(MAX, aMax, Math.max(0, Math.floor((big % (Math.min(MAX, aMax) + 1)) / d) * d + off))
    return { a, b, d }
  })

describe('add and sub', () => {
  it('are exact up to the last safe integer and stop the run beyond', () => {
    expect(add(micros(MAX - 1), micros(1))).toBe(MAX)
    expect(sub(micros(1 - MAX), micros(1))).toBe(-MAX)
    expect(() => add(micros(MAX), micros(1))).toThrow(Bug)
    expect(() => sub(micros(-MAX), micros(1))).toThrow(Bug)
  })

  it('take whole amounts of microUSDC only', () => {
    expect(micros(-1)).toBe(-1)
    expect(() => micros(0.5)).toThrow(Bug)
    expect(() => micros(MAX + 1)).toThrow(Bug)
    expect(() => micros(NaN)).toThrow(Bug)
  })
})

describe('mulDivFloor and mulDivCeil', () => {
  it('round down and up, and agree on exact quotients', () => {
    expect([mulDivFloor(7, 3, 2), mulDivCeil(7, 3, 2)]).toEqual([10, 11])
    expect([mulDivFloor(8, 3, 2), mulDivCeil(8, 3, 2)]).toEqual([12, 12])
    expect([mulDivFloor(0, 5, 9), mulDivCeil(0, 5, 9)]).toEqual([0, 0])
    expect([mulDivFloor(5, 0, 9), mulDivCeil(5, 0, 9)]).toEqual([0, 0])
  })

  it('keep what a product of doubles loses', () => {
    // 99,999,999.999999 USDC at 90.0719: the product 9007190000000 − 0.0900719 times 10⁶ has 20 digits.
    expect(mulDivFloor(99_999_999_999_999, 900_719, 10_000)).toBe(9_007_189_999_999_909)
    expect(mulDivCeil(99_999_999_999_999, 900_719, 10_000)).toBe(9_007_189_999_999_910)
    expect(mulDivFloor(MAX, 1, 1)).toBe(MAX)
  })

  it('equal the integer quotient wherever they answer', () => {
    fc.assert(
      fc.property(factors, ({ a, b, d }) => {
        const product = BigInt(a) * BigInt(b)
        const floor = product / BigInt(d)
        expect(BigInt(mulDivFloor(a, b, d))).toBe(floor)
        const ceil = product % BigInt(d) === 0n ? floor : floor + 1n
        if (ceil <= BigInt(MAX)) expect(BigInt(mulDivCeil(a, b, d))).toBe(ceil)
        else expect(() => mulDivCeil(a, b, d)).toThrow(Bug)
      }),
      { numRuns: 5000 },
    )
  })

  it('stop the run out of their bounds instead of answering wrongly', () => {
    for (const f of [mulDivFloor, mulDivCeil]) {
      expect(() => f(-1, 1, 1)).toThrow(Bug)
      expect(() => f(1, -1, 1)).toThrow(Bug)
      expect(() => f(1, 1, 0)).toThrow(Bug)
      expect(() => f(1, 2 ** 27, 2 ** 26)).toThrow(Bug)
      expect(() => f(MAX, 2, 1)).toThrow(Bug)
      expect(() => f(NaN, 1, 1)).toThrow(Bug)
    }
    expect(mulDivFloor(1, 2 ** 27 - 1, 2 ** 26)).toBe(1)
  })
})

describe('feeFloor', () => {
  it('PQ-421 rounds a fee down to the micro-unit', () => {
    expect(feeFloor(micros(25 * USDC), 100)).toBe(250_000)
    expect(feeFloor(micros(9_999), 1)).toBe(0)
    expect(feeFloor(micros(10_000), 1)).toBe(1)
    expect(feeFloor(micros(1_000_001), 100)).toBe(10_000)
    expect(feeFloor(micros(1_000_001), 0)).toBe(0)
    expect(feeFloor(micros(1_000_001), 10_000)).toBe(1_000_001)
  })
})
