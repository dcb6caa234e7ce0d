import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { type ClusterSums, clusterInterval, ratio } from '../../src/stats/clusterInterval.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { clipped, withoutInterval } from '../../src/stats/interval.ts'

const sumsOf = (...clusters: readonly (readonly number[])[]): ClusterSums =>
  ({ width: clusters[0]!.length, cells: Float64Array.from(clusters.flat()) })
const total = (totals: Float64Array): number => totals[0]!

describe('an interval over two or three clusters', () => {
  it('of a mean of two clusters is Student\'s with one degree of freedom', () => {
    // Means 1 and 3: standard error |3 − 1| / 2 = 1, t = 12.706.
    const interval = clusterInterval(sumsOf([1, 1], [3, 1]), ratio(0, 1))
    expect(interval.estimate).toBe(2)
    expect(interval.low).toBeCloseTo(2 - 12.7062047, 6)
    expect(interval.high).toBeCloseTo(2 + 12.7062047, 6)
    expect(interval.label).toBe('2 clusters, t on the jackknife')
  })

  it('of a sum has the standard error of a sum', () => {
    // 1, 2, 3: no skewness, standard deviation 1, of the sum √3; t with two degrees of freedom 4.3027.
    const interval = clusterInterval(sumsOf([1], [2], [3]), total)
    expect(interval.estimate).toBe(6)
    expect(interval.high! - 6).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
    expect(6 - interval.low!).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
  })

  it('is missing when the figure is undefined without one of them', () => {
    const interval = clusterInterval(sumsOf([1, 2], [3, 0]), ratio(0, 1))
    expect(interval).toMatchObject({ estimate: 2, low: null, high: null })
    expect(interval.label).toBe('2 clusters, undefined without one of them: no interval')
  })
})

describe('an interval over skewed clusters', () => {
  it('has the end on the side of the rare cluster from Hall\'s transformation, and the other from Student', () => {
    // 1, 1, 1, 1, −4: mean 0, sum 0, deviation √5. Its third moment is −60/5 = −12 over 4^1.5 = 8: −1.5, and G₁ = −1.5 · √20/3 = −2.2360680,
    // by 1.1 it is −2.4596748. t of four degrees is 2.7764451: x = 2.7764451/√5 = 1.2416640. u = x + 2.4596748/30 = 1.3236532 for the lower
    // end: 1 − 2.4596748 · 1.3236532 = −2.2557563, its cube root −1.3114872, and w = 3u/(root² + root + 1) = 2.8192596.
    const interval = clusterInterval(sumsOf([1, 1], [1, 1], [1, 1], [1, 1], [-4, 1]), ratio(0, 1))
    expect(interval.estimate).toBe(0)
    expect(interval.low).toBeCloseTo(-Math.sqrt(5) * 2.8192596, 5)
    expect(interval.high).toBeCloseTo(Math.sqrt(5) * 1.2416640, 5)
    expect(interval.label).toBe('5 clusters, skewness-adjusted t')
  })

  it('turns around with the sign of the figure', () => {
    const [up, down] = [[3, -1, 2, 9, 0, 1], [-3, 1, -2, -9, 0, -1]].map((column) => clusterInterval(sumsOf(...column.map((x) => [x, 1])), ratio(0, 1)))
    expect(up!.low).toBeCloseTo(-down!.high!, 12)
    expect(up!.high).toBeCloseTo(-down!.low!, 12)
  })

  it('is missing where clusters are all alike, unless they have nothing', () => {
    // None of five is no more certain than five of five.
    expect(clusterInterval(sumsOf([0, 2], [0, 3]), ratio(0, 1), 'counted')).toMatchObject({ estimate: 0, low: null, high: null, label: '2 clusters, all alike: no interval' })
    expect(clusterInterval(sumsOf([2, 2], [3, 3], [7, 7]), ratio(0, 1))).toMatchObject({ estimate: 1, low: null, label: '3 clusters, all alike: no interval' })
    expect(clusterInterval(sumsOf([0.1, 1], [0.3, 3], [0.7, 7]), ratio(0, 1))).toMatchObject({ low: null })
    expect(clusterInterval(sumsOf([0, 2], [0, 3]), total)).toMatchObject({ estimate: 0, low: 0, high: 0 })
  })
})

describe('clipped', () => {
  it('cuts an interval to the range of its figure, and leaves none alone', () => {
    const interval = clusterInterval(sumsOf([1, 4], [3, 4]), ratio(0, 1))
    // Means 1/4 and 3/4: 0.5 ± 12.7 · 0.25 leaves [0, 1] on both sides.
    expect(clipped(interval, 0, 1)).toMatchObject({ estimate: 0.5, low: 0, high: 1, count: 2 })
    expect(clipped(interval, -9, 9)).toEqual(interval)
    expect(clipped(withoutInterval(2, 1, 'one cluster'), 0, 1)).toMatchObject({ estimate: 2, low: null, high: null })
  })
})

describe('clusters', () => {
  it('that are alone give an estimate and no interval', () => {
    expect(clusterInterval(sumsOf([3, 4]), ratio(0, 1, 100))).toEqual({
      estimate: 75, low: null, high: null, level: 0.95, count: 1, label: 'one cluster: no interval',
    })
  })

  it('without any of what is estimated do not count', () => {
    expect(clusterInterval(sumsOf([0, 0], [3, 4], [0, 0]), ratio(0, 1)).label).toBe('one cluster: no interval')
    expect(clusterInterval(sumsOf([3, 0]), ratio(0, 1))).toMatchObject({ estimate: null, label: 'undefined: no interval' })
    expect(clusterInterval(sumsOf([0, 0]), ratio(0, 1))).toMatchObject({ estimate: null, label: 'no cluster: no interval' })
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
    const { low, high } = clusterInterval(sumsOf(...sums), ratio(0, 1))
    if (low! <= 0 && high! >= 0) holding++
  }
  return holding / worlds
}

describe('coverage of 95 % intervals of a ratio, where items of a cluster move together', () => {
  // Standard error of a share of 600 worlds: 0.9 points.
  it.each([5, 10, 20, 30])('is near its level over %d clusters', (clusters) => {
    const share = coverage(clusters, 600)
    expect(share).toBeGreaterThan(0.93)
    expect(share).toBeLessThan(0.985)
  })
})
