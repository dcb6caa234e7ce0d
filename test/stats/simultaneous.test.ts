import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { pickedMean } from '../../src/stats/simultaneous.ts'
import { studentTwoSided } from '../../src/stats/student.ts'

describe('a mean that was picked from many', () => {
  it('alone has Student\'s interval, by hand', () => {
    // 1, 2, 3: mean 2, error 1/√3, 97.5 % of two degrees of freedom: 4.3026527.
    const { low, high, p } = pickedMean([1, 2, 3], 1)!
    expect(low).toBeCloseTo(2 - 4.3026527 / Math.sqrt(3), 6)
    expect(high).toBeCloseTo(2 + 4.3026527 / Math.sqrt(3), 6)
    expect(p).toBeCloseTo(studentTwoSided(2 * Math.sqrt(3), 2), 12)
    // From five: 99.5 % of the same, 9.92484, and five times the p-value.
    expect(pickedMean([1, 2, 3], 5)!.high).toBeCloseTo(2 + 9.92484 / Math.sqrt(3), 4)
    expect(pickedMean([1, 2, 3], 5)!.p).toBeCloseTo(5 * p, 12)
    expect(pickedMean([1, 2, 3], 1000)!.p).toBe(1)
  })

  it('of equal values is certain, and of one value unknown', () => {
    expect(pickedMean([2, 2], 9)).toEqual({ low: 2, high: 2, p: 0 })
    expect(pickedMean([0, 0], 9)!.p).toBe(1)
    expect(pickedMean([2], 9)).toBeUndefined()
  })

  it('holds the truth for the greatest of twenty, which its own interval does not', () => {
    const misses = { one: 0, all: 0 }
    for (let world = 0; world < 400; world++) {
      const uniform = counterUniform(`world ${world}`)
      const columns = Array.from({ length: 20 }, (_, column) => Array.from({ length: 8 }, (__, row) => normalQuantile(Math.max(1e-12, uniform(column * 8 + row)))))
      const best = columns.toSorted((a, b) => b.reduce((sum, x) => sum + x, 0) - a.reduce((sum, x) => sum + x, 0))[0]!
      if (pickedMean(best, 1)!.low > 0) misses.one++
      if (pickedMean(best, 20)!.low > 0) misses.all++
    }
    // 2.5 % of 400 above: 10 ± 3 · 3.1. Alone about a third misses.
    expect(misses.all).toBeLessThanOrEqual(19)
    expect(misses.one).toBeGreaterThan(80)
  })
})
