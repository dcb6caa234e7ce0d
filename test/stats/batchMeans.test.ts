import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { batchMeans } from '../../src/stats/batchMeans.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'

describe('batch means', () => {
  it('make Student\'s interval of the means of equal stretches', () => {
    // Means 1, 2, 3: standard error 1/√3, t with two degrees 4.302653.
    const interval = batchMeans([0, 2, 1, 3, 2, 4], 3)
    expect(interval.estimate).toBe(2)
    expect(interval.high! - 2).toBeCloseTo(4.302653 / Math.sqrt(3), 5)
    expect(2 - interval.low!).toBeCloseTo(4.302653 / Math.sqrt(3), 5)
    expect(interval).toMatchObject({ count: 3, label: '3 batches of 2, t on batch means' })
  })

  it('leave the begin out where the batches do not fill the series', () => {
    expect(batchMeans([1000, 0, 2, 1, 3, 2, 4], 3)).toEqual(batchMeans([0, 2, 1, 3, 2, 4], 3))
  })

  it('have no interval of fewer values than batches', () => {
    expect(batchMeans([1, 2], 3)).toMatchObject({ estimate: 1.5, low: null, high: null, label: '2 values in 3 batches: no interval' })
    expect(batchMeans([], 3).estimate).toBeNull()
  })

  it('cover the mean of a series with memory, where the naive error does not', () => {
    // x_t = 0.9 x_{t−1} + e: the naive standard error is √((1 − .9)/(1 + .9)) = 0.23 of the true one, its 95 % interval covers about 35 %.
    let [batch, naive] = [0, 0]
    const worlds = 200
    for (let world = 0; world < worlds; world++) {
      const draw = counterUniform(`series ${world}`)
      const series = new Float64Array(4000)
      let x = 0
      for (let t = -100; t < series.length; t++) {
        x = 0.9 * x + normalQuantile((draw(t + 100) * 2 ** 32 + 0.5) / 2 ** 32)
        if (t >= 0) series[t] = x
      }
      const { low, high, estimate } = batchMeans(series)
      if (low! <= 0 && high! >= 0) batch++
      const variance = series.reduce((sum, value) => sum + (value - estimate!) ** 2, 0) / (series.length - 1)
      if (Math.abs(estimate!) <= 1.96 * Math.sqrt(variance / series.length)) naive++
    }
    expect(batch / worlds).toBeGreaterThan(0.9)
    expect(batch / worlds).toBeLessThan(0.99)
    expect(naive / worlds).toBeLessThan(0.5)
  })
})
