import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { ratio } from '../../src/stats/clusterInterval.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { pairedDifference, replicatedInterval, type ReplicatedSums, resampledRows } from '../../src/stats/replicatedSums.ts'

const total = (totals: Float64Array): number => totals[0]!

/** replications of clusters of columns. */
function sumsOf(...replications: readonly (readonly (readonly number[])[])[]): ReplicatedSums {
  return { width: replications[0]![0]!.length, replications: replications.length, clusters: replications[0]!.length, cells: Float64Array.from(replications.flat(2)) }
}

describe('rows that stand for the uncertainty', () => {
  it('are clusters with the mean over replications, without those that are empty', () => {
    const { unit, rows } = resampledRows(sumsOf([[1, 2], [0, 0], [5, 0]], [[3, 2], [0, 0], [6, 0]]))
    expect(unit).toBe('clusters')
    expect([...rows.cells]).toEqual([2, 2, 5.5, 0])
  })

  it('are replications where there is one cluster, empty ones too', () => {
    const { unit, rows } = resampledRows(sumsOf([[1], [0]], [[0], [0]], [[5], [0]]))
    expect(unit).toBe('replications')
    expect([...rows.cells]).toEqual([1, 0, 5])
  })
})

describe('an interval over replications and clusters', () => {
  it('has the standard error of the sum over clusters of the means', () => {
    // Cluster means 1, 2, 3: sum 6 with standard error √3, t with two degrees 4.3027.
    const interval = replicatedInterval(sumsOf([[0], [1], [2]], [[2], [3], [4]]), total)
    expect(interval.estimate).toBe(6)
    expect(interval.high! - 6).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
    expect(interval.label).toBe('3 clusters, skewness-adjusted t')
  })

  it('with one cluster says that it is conditional on this history', () => {
    // Replications 1, 2, 3: mean 2 with standard error 1/√3.
    const interval = replicatedInterval(sumsOf([[1]], [[2]], [[3]]), total)
    expect(interval.estimate).toBeCloseTo(2, 12)
    expect(interval.high! - 2).toBeCloseTo(4.3026527 / Math.sqrt(3), 6)
    expect(interval.label).toBe('3 replications, skewness-adjusted t, conditional on this history')
  })

  it('counts a replication in which nothing happened', () => {
    expect(replicatedInterval(sumsOf([[0]], [[0]], [[3]], [[3]]), total).estimate).toBe(1.5)
  })

  it('of one cluster and one replication is none', () => {
    expect(replicatedInterval(sumsOf([[7]]), total)).toMatchObject({ estimate: 7, low: null, label: 'one cluster: no interval' })
  })
})

describe('a paired difference', () => {
  it('is that of the sums, with the interval of the differences', () => {
    // Differences by cluster 1, 2, 3 beside a swing of hundreds that both share.
    const first = sumsOf([[101], [-298], [503]])
    const second = sumsOf([[100], [-300], [500]])
    const interval = pairedDifference(first, second, total)
    expect(interval.estimate).toBeCloseTo(6, 10)
    expect(interval.high! - 6).toBeCloseTo(4.3026527 * Math.sqrt(3), 6)
    expect(pairedDifference(second, first, total).estimate).toBeCloseTo(-6, 10)
  })

  it('counts a cluster in which both did the same', () => {
    // Both columns: money and a count; the second cluster differs by nothing and is a cluster still.
    const interval = pairedDifference(sumsOf([[2, 1], [1, 1]]), sumsOf([[1, 1], [1, 1]]), total)
    expect(interval.count).toBe(2)
    expect(interval.estimate).toBe(1)
  })

  it('of ratios takes each ratio over all clusters first', () => {
    const interval = pairedDifference(sumsOf([[1, 2], [3, 2]]), sumsOf([[1, 4], [1, 4]]), ratio(0, 1))
    expect(interval.estimate).toBe(1 - 0.25)
  })

  it('is far narrower than the difference of unpaired ones where clusters move both', () => {
    const draw = counterUniform('shared')
    const normal = (i: number): number => normalQuantile((draw(i) * 2 ** 32 + 0.5) / 2 ** 32)
    const clusters = Array.from({ length: 40 }, (_, i) => ({ shared: 100 * normal(3 * i), a: normal(3 * i + 1), b: normal(3 * i + 2) }))
    const first = sumsOf(clusters.map(({ shared, a }) => [shared + a]))
    const second = sumsOf(clusters.map(({ shared, b }) => [shared + b]))
    const width = ({ low, high }: { low: number | null; high: number | null }): number => high! - low!
    const paired = width(pairedDifference(first, second, total))
    const alone = width(replicatedInterval(first, total))
    expect(paired / alone).toBeLessThan(0.03)
  })

  it('refuses those that were not played alike', () => {
    expect(() => pairedDifference(sumsOf([[1], [2]]), sumsOf([[1]]), total)).toThrow('same replications')
  })
})
