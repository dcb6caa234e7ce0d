import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactSum, exactSum } from '../../src/math/sum.ts'

/** A double as an integer count of 2⁻¹⁰⁷⁴, the unit that every double is a multiple of. */
function inSmallestUnits(x: number): bigint {
  let exponent = 0
  while (!Number.isInteger(x)) {
    x *= 2
    exponent++
  }
  return BigInt(x) << BigInt(1074 - exponent)
}

describe('exactSum', () => {
  it('keeps what plain addition loses', () => {
    expect(exactSum([1e100, 1, -1e100])).toBe(1)
    expect(exactSum([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])).toBe(1)
    expect(exactSum([1, 1e-16, 1e-16, 1e-16])).toBe(1 + 2 ** -52)
    expect(exactSum([])).toBe(0)
    expect(exactSum([-3])).toBe(-3)
  })

  it('rounds once: a half goes to even, and a little more than a half goes up', () => {
    expect(exactSum([1, 2 ** -53])).toBe(1)
    expect(exactSum([1 + 2 ** -52, 2 ** -53])).toBe(1 + 2 ** -51)
    expect(exactSum([1, 2 ** -53, 2 ** -110])).toBe(1 + 2 ** -52)
    expect(exactSum([1, 2 ** -53, -(2 ** -110)])).toBe(1)
    expect(exactSum([-1, -(2 ** -53), -(2 ** -110)])).toBe(-1 - 2 ** -52)
  })

  it('is the rational sum, rounded to the nearest, in every order', () => {
    const term = fc.double({ min: -(2 ** 60), max: 2 ** 60, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.oneof(term, fc.constantFrom(2 ** 53, -(2 ** 53), 0.5, 2 ** -60)), { maxLength: 40 }), (terms) => {
        const sum = exactSum(terms)
        const exact = terms.reduce((total, x) => total + inSmallestUnits(x), 0n)
        const distance = (x: number): bigint => {
          const d = inSmallestUnits(x) - exact
          return d < 0n ? -d : d
        }
        const ulp = sum === 0 ? 5e-324 : Math.max(5e-324, 2 ** (Math.floor(Math.log2(Math.abs(sum))) - 53))
        for (const other of [sum - ulp, sum + ulp, sum - 2 * ulp, sum + 2 * ulp]) expect(distance(sum) <= distance(other)).toBe(true)
        expect(exactSum(terms.toReversed())).toBe(sum)
        expect(exactSum(terms.toSorted((a, b) => a - b))).toBe(sum)
      }),
      { numRuns: 300 },
    )
  })

  it('starts anew after clear, and holds more parts than at first', () => {
    const sum = new ExactSum()
    for (let i = 0; i < 12; i++) sum.add(2 ** (-80 * i))
    for (let i = 0; i < 11; i++) sum.add(-(2 ** (-80 * i)))
    expect(sum.value()).toBe(2 ** -880)
    sum.clear()
    expect(sum.value()).toBe(0)
    sum.add(2.5)
    expect(sum.value()).toBe(2.5)
  })
})
