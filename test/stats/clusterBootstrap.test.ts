import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { type ClusterSums, clusterBootstrap, ratio } from '../../src/stats/clusterBootstrap.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { clipped, withoutInterval } from '../../src/stats/interval.ts'

const uniform = counterUniform('test')
const sumsOf = (...clusters: readonly (readonly number[])[]): ClusterSums =>
  ({ width: clusters[0]!.length, cells: Float64Array.from(clusters.flat()) })
const total = (totals: Float64Array): number => totals[0]!

describe('an interval over two to nine clusters', () => {
  it('of a mean of two clusters is Student\'s with one degree of freedom', () => {
    // Means 1 and 3: standard error |3 − 1| / 2 = 1, t = 12.706.
    const interval = clusterBootstrap(sumsOf([1, 1], [3, 1]), ratio(0, 1), uniform)
    expect(interval.estimate).toBe(2)
    expect(interval.low).toBeCloseTo(2 - 12.7062047, 6)
    expect(interval.high).toBeCloseTo(2 + 12.7062047, 6)
    expect(interval.label).toBe('2 clusters, t on the jackknife')
  })

  it('of a sum has the standard error of a sum', () => {
    // 1, 2, 3: standard deviation 1, of the sum √3; t with two degrees of freedom 4.3027.
    const interval = clusterBootstrap(sumsOf([1], [2], [3]), total, uniform)
    expect(interval.estimate).toBe(6)
    expect(interval.high! - 6).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
    expect(6 - interval.low!).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
  })

  it('is missing when the figure is undefined without one of them', () => {
    const interval = clusterBootstrap(sumsOf([1, 2], [3, 0]), ratio(0, 1), uniform)
    expect(interval).toMatchObject({ estimate: 2, low: null, high: null })
    expect(interval.label).toBe('2 clusters, undefined without one of them: no interval')
  })
})

describe('an interval over ten clusters and more', () => {
  const ten = sumsOf(...Array.from({ length: 10 }, (_, i) => [i, 1]))

  it('is made of expanded percentiles of the resamples', () => {
    // Student's 97.5 % point of 9 degrees of freedom is 2.262157, by √(10/9) it is 2.384523: Φ(−2.384523) = 0.0085506.
    // Replication r draws cluster r ten times, so the values are 0 … 9; type 7 at 0.85506 % is 9 · 0.0085506.
    const interval = clusterBootstrap(ten, ratio(0, 1), (index) => Math.floor(index / 10) / 10, 10)
    expect(interval.estimate).toBe(4.5)
    expect(interval.low).toBeCloseTo(9 * 0.0085506, 5)
    expect(interval.high).toBeCloseTo(9 - 9 * 0.0085506, 5)
    expect(interval.label).toBe('10 clusters, expanded percentile bootstrap')
  })

  it('is the same every time, and another under another key', () => {
    const once = clusterBootstrap(ten, ratio(0, 1), counterUniform('a'))
    expect(clusterBootstrap(ten, ratio(0, 1), counterUniform('a'))).toEqual(once)
    expect(clusterBootstrap(ten, ratio(0, 1), counterUniform('b'))).not.toEqual(once)
  })

  it('is missing when too many resamples leave the figure undefined', () => {
    // One denominator in ten: a resample misses it with probability 0.9¹⁰ = 35 %.
    const sums = sumsOf([1, 1], ...Array.from({ length: 9 }, () => [1, 0]))
    expect(clusterBootstrap(sums, ratio(0, 1), uniform)).toMatchObject({ estimate: 10, low: null, high: null })
  })
})

describe('clipped', () => {
  it('cuts an interval to the range of its figure, and leaves none alone', () => {
    const interval = clusterBootstrap(sumsOf([1, 4], [3, 4]), ratio(0, 1), uniform)
    // Means 1/4 and 3/4: 0.5 ± 12.7 · 0.25 leaves [0, 1] on both sides.
    expect(clipped(interval, 0, 1)).toMatchObject({ estimate: 0.5, low: 0, high: 1, count: 2 })
    expect(clipped(interval, -9, 9)).toEqual(interval)
    expect(clipped(withoutInterval(2, 1, 'one cluster'), 0, 1)).toMatchObject({ estimate: 2, low: null, high: null })
  })
})

describe('clusters', () => {
  it('that are alone give an estimate and no interval', () => {
    expect(clusterBootstrap(sumsOf([3, 4]), ratio(0, 1, 100), uniform)).toEqual({
      estimate: 75, low: null, high: null, level: 0.95, count: 1, label: 'one cluster: no interval',
    })
  })

  it('without any of what is estimated do not count', () => {
    expect(clusterBootstrap(sumsOf([0, 0], [3, 4], [0, 0]), ratio(0, 1), uniform).label).toBe('one cluster: no interval')
    expect(clusterBootstrap(sumsOf([3, 0]), ratio(0, 1), uniform)).toMatchObject({ estimate: null, label: 'undefined: no interval' })
    expect(clusterBootstrap(sumsOf([0, 0]), ratio(0, 1), uniform)).toMatchObject({ estimate: null, label: 'no cluster: no interval' })
  })
})

/** Share of intervals that hold the true mean 0 of clusters of unequal size, whose items share most of their noise. */
function coverage(clusters: number, worlds: number): number {
  let holding = 0
  for (let world = 0; world < worlds; world++) {
    const draw = counterUniform(`world ${clusters} ${world}`)
    let next = 0
    const normal = (): number => normalQuantile((draw(next++) * 2 ** 32 + 0.5) / 2 ** 32)
    const sums = Array.from({ length: clusters }, () => {
      const items = 5 + Math.floor(draw(next++) * 11)
      const shared = normal()
      let sum = 0
      for (let i = 0; i < items; i++) sum += shared + 0.5 * normal()
      return [sum, items]
    })
    const { low, high } = clusterBootstrap(sumsOf(...sums), ratio(0, 1), counterUniform(`resample ${world}`), 400)
    if (low! <= 0 && high! >= 0) holding++
  }
  return holding / worlds
}

describe('coverage of 95 % intervals of a ratio, where items of a cluster move together', () => {
  // Standard error of a share of 600 worlds: 0.9 points. Percentiles of 2.5 % cover .90 over ten clusters.
  it.each([10, 20, 30])('is near its level by expanded percentiles over %d clusters', (clusters) => {
    const share = coverage(clusters, 600)
    expect(share).toBeGreaterThan(0.93)
    expect(share).toBeLessThan(0.975)
  })

  it('is near its level by Student over five clusters', () => {
    const share = coverage(5, 400)
    expect(share).toBeGreaterThan(0.91)
    expect(share).toBeLessThan(0.985)
  })
})
