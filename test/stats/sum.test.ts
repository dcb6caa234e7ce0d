import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IntegerSums, StepIntegral } from '../../src/stats/sum.ts'

const safe = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })

describe('IntegerSums', () => {
  it('adds exactly where doubles would not', () => {
    const sums = new IntegerSums(2)
    sums.add(0, Number.MAX_SAFE_INTEGER)
    sums.add(0, Number.MAX_SAFE_INTEGER)
    sums.add(0, 1)
    sums.add(1, -7)
    // 2 · (2⁵³ − 1) + 1
    expect(sums.exact(0)).toBe(18_014_398_509_481_983n)
    expect(sums.exact(1)).toBe(-7n)
    expect(sums.number(1)).toBe(-7)
  })

  it('gives the same as big integers, in every order', () => {
    fc.assert(fc.property(fc.array(safe, { maxLength: 200 }), (terms) => {
      const forth = new IntegerSums(1)
      const back = new IntegerSums(1)
      for (const term of terms) forth.add(0, term)
      for (const term of terms.toReversed()) back.add(0, term)
      const exact = terms.reduce((sum, term) => sum + BigInt(term), 0n)
      expect(forth.exact(0)).toBe(exact)
      expect(back.exact(0)).toBe(exact)
      expect(forth.number(0)).toBe(Number(exact))
      expect(Object.is(back.number(0), forth.number(0)) || forth.number(0) === 0).toBe(true)
    }))
  })

  it.each([1, -1])('loses no unit of many terms that all have the sign %i', (sign) => {
    const sums = new IntegerSums(1)
    // 8,200 · (2⁴⁰ − 1) lies beyond 2⁵³, where doubles have even numbers alone. All of it has the magnitude of the low part.
    for (let i = 0; i < 8200; i++) sums.add(0, sign * (2 ** 40 - 1))
    for (let i = 0; i < 4; i++) sums.add(0, sign)
    expect(sums.exact(0)).toBe(BigInt(sign) * (8200n * 2n ** 40n - 8196n))
  })

  it('refuses a term that is not a safe integer', () => {
    expect(() => new IntegerSums(1).add(0, 0.5)).toThrow('safe integers')
    expect(() => new IntegerSums(1).add(0, 2 ** 53)).toThrow('safe integers')
  })
})

describe('StepIntegral', () => {
  it('is amount times span, step by step', () => {
    const integral = new StepIntegral(100)
    integral.change(110, 5)
    integral.change(110, 2)
    integral.change(130, -4)
    // 7 · 20 + 3 · 10
    expect(integral.value(140)).toBe(170n)
    expect(integral.current).toBe(3)
  })

  it('stays exact where one product leaves the safe integers', () => {
    const integral = new StepIntegral(0)
    integral.change(0, 1_000_000_000_001)
    expect(integral.value(1_000_000_000_003)).toBe(1_000_000_000_001n * 1_000_000_000_003n)
  })

  it('refuses to go back in time', () => {
    const integral = new StepIntegral(5)
    expect(() => integral.change(4, 1)).toThrow('backwards')
  })
})
