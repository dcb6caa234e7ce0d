import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { clusterInterval, ratio } from '../../src/stats/clusterInterval.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { pickedMean } from '../../src/stats/simultaneous.ts'
import { studentQuantile, studentTwoSided } from '../../src/stats/student.ts'
import { drawCluster, expectedProfit, sequence } from '../../src/validation/drawnBooks.ts'

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

  it('of values that are all alike is unknown, and so it is of one value', () => {
    for (const values of [[2, 2], [0, 0, 0], [0.1, 0.1, 0.1], [2]]) expect(pickedMean(values, 9)).toBeUndefined()
    // By rounding alone: the sum of three tenths is no double.
    expect(pickedMean([0.3, 0.1 + 0.2, 0.3], 9)).toBeUndefined()
  })

  it('of skewed values reaches as far as Hall\'s transformation on the side of the rare one, by hand', () => {
    // 1, 1, 1, 1, −4 as in clusterInterval.test.ts: deviation √5, γ = −2.4596748. From two: t of 98.75 % and four degrees is 3.4954059, x = t/√5 =
    // 1.5631930. u = x + 2.4596748/30 = 1.6451822 for the lower end: the cube root of 1 − 2.4596748 · 1.6451822 = −3.0466132 is −1.4496810, and
    // w = 3u/(root² + root + 1) = 2.9878108.
    const { low, high, p } = pickedMean([1, 1, 1, 1, -4], 2)!
    expect(low).toBeCloseTo(-Math.sqrt(5) * 2.9878108, 4)
    expect(high).toBeCloseTo(Math.sqrt(5) * 1.563193, 4)
    expect(p).toBe(1)
  })

  it('is never narrower than the uncorrected interval on either side, and has p below its level where it leaves zero out', () => {
    for (let world = 0; world < 200; world++) {
      const uniform = counterUniform(`skewed ${world}`)
      // Mostly a gain, and at times a loss of many.
      const values = Array.from({ length: 6 + (world % 30) }, (_, row) => (uniform(2 * row) < 0.12 ? -4 : 1 + (world % 5) / 4) + uniform(2 * row + 1))
      const plain = clusterInterval({ width: 2, cells: Float64Array.from(values.flatMap((value) => [value, 1])) }, ratio(0, 1))
      const [one, many] = [pickedMean(values, 1)!, pickedMean(values, 8)!]
      expect(one.low).toBeCloseTo(plain.low!, 9)
      expect(one.high).toBeCloseTo(plain.high!, 9)
      expect(many.low).toBeLessThan(one.low)
      expect(many.high).toBeGreaterThan(one.high)
      for (const { low, high, p } of [one, many]) expect(p < 0.05).toBe(low > 0 || high < 0)
    }
  })

  it('holds cash of two-leg parlays more often than Student\'s', () => {
    const model = { legs: [2], parlays: 4, move: 0.03 }
    const held = { student: 0, shipped: 0 }
    for (let book = 0; book < 500; book++) {
      const next = sequence(counterUniform(`picked ${book}`))
      const values = Array.from({ length: 20 }, () => drawCluster(model, next).cash)
      const mean = values.reduce((sum, value) => sum + value, 0) / 20
      const half = studentQuantile(1 - 0.05 / 16, 19) * Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 19 / 20)
      if (Math.abs(mean - expectedProfit(model)) <= half) held.student++
      const { low, high } = pickedMean(values, 8)!
      if (low <= expectedProfit(model) && expectedProfit(model) <= high) held.shipped++
    }
    // 98 % and 96 % of 500, whose standard errors are .6 and .9 points.
    expect(held.shipped).toBeGreaterThan(0.963 * 500)
    expect(held.shipped).toBeGreaterThan(held.student)
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
