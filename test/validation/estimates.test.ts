import { describe, expect, it } from 'vitest'
import { log } from '../../src/math/log.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { type Estimate, FIGURE_Z, jackknifeOf, meanOf, ratioOf, scaled, seriesMeanOf } from '../../src/validation/estimates.ts'

describe('estimates of figures', () => {
  it('reach 99.9 %: the normal point of the tables is 3.2905', () => {
    expect(FIGURE_Z).toBeCloseTo(3.2905, 4)
  })

  it('of a mean: 1, 2, 3, 4 have the standard error √(5/3)/2', () => {
    const { measured, low, high } = meanOf([4, 1, 3, 2])
    expect(measured).toBe(2.5)
    expect(high - 2.5).toBeCloseTo(FIGURE_Z * Math.sqrt(5 / 3) / 2, 12)
    expect(2.5 - low).toBeCloseTo(high - 2.5, 12)
  })

  it('of a ratio: residuals of (1, 3) over (1, 1) from 2 are ∓1', () => {
    const { measured, high } = ratioOf([1, 3], [1, 1])
    expect(measured).toBe(2)
    // √(2 · 2 ∕ 1) ∕ 2
    expect(high - 2).toBeCloseTo(FIGURE_Z, 12)
    expect(ratioOf([2, 4, 6], [1, 2, 3])).toEqual({ measured: 2, low: 2, high: 2 })
  })

  it('of the jackknife: of a mean it is the standard error', () => {
    const values = [4, 1, 3, 2]
    const mean = (sample: readonly number[]): number => sample.reduce((sum, value) => sum + value, 0) / sample.length
    const { measured, low, high } = jackknifeOf(values.map((value) => [value]), mean)
    expect(measured).toBe(2.5)
    expect(high - low).toBeCloseTo(meanOf(values).high - meanOf(values).low, 12)
  })

  it('of a series: batches of equal means leave no doubt, and the interval of others is that of 20 batches at 3.8834', () => {
    expect(seriesMeanOf(Array.from({ length: 400 }, (_, i) => i % 20))).toMatchObject({ measured: 9.5, low: 9.5, high: 9.5 })
    // Means of batches are 0 … 19: variance 35, and t of 19 degrees at 99.95 % from the tables.
    const { measured, high } = seriesMeanOf(Array.from({ length: 200 }, (_, i) => Math.floor(i / 10)))
    expect(measured).toBe(9.5)
    expect(high - 9.5).toBeCloseTo(3.8834 * Math.sqrt(35 / 20), 3)
  })

  // Waits of a queue with one server by D. V. Lindley's recursion W' = max(0, W + S − A), from an empty queue and warmed up.
  it('of a series: batch means hold the mean wait of M/M/1 at load 0.8, where independent numbers would not', () => {
    const covered = (estimate: (values: readonly number[]) => Estimate): number => {
      let held = 0
      for (let run = 0; run < 40; run++) {
        const uniform = counterUniform(`lindley ${run}`)
        const exponential = (index: number): number => -log(1 - uniform(index))
        let wait = 0
        const waits = Array.from({ length: 21_000 }, (_, i) => {
          wait = Math.max(0, wait + exponential(2 * i) - exponential(2 * i + 1) / 0.8)
          return wait
        })
        const { low, high } = estimate(waits.slice(1_000))
        if (low <= 4 && 4 <= high) held++
      }
      return held
    }
    expect(covered(seriesMeanOf)).toBeGreaterThanOrEqual(38)
    expect(covered(meanOf)).toBeLessThan(25)
  })

  it('in other units', () => {
    expect(scaled({ measured: 1, low: 0, high: 2 }, 10, 1)).toEqual({ measured: 11, low: 1, high: 21 })
  })
})
