import { normalCdf } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'
import { assert } from '../unit/assert.ts'
import type { Uniform } from './counterUniform.ts'
import { type Interval, LEVEL, withoutInterval } from './interval.ts'
import { quantile } from './quantile.ts'
import { studentQuantile } from './student.ts'

/** With fewer clusters there are too few different resamples, and the interval is Student's. */
export const BOOTSTRAP_CLUSTERS_MIN = 10
export const REPLICATIONS = 1000

/** 97.5 % points of Student's distribution for 1 … 8 degrees of freedom, from the standard tables. */
const STUDENT = [12.7062047, 4.3026527, 3.1824463, 2.7764451, 2.5705818, 2.4469119, 2.3646243, 2.3060041] as const

/** When a greater share of resamples than this is undefined, the others say nothing. */
const UNDEFINED_SHARE_MAX = 0.05

/** Sums by settlement cluster, several to each. */
export interface ClusterSums {
  /** Sums per cluster. */
  readonly width: number
  /** clusters × width. The order of clusters is part of the result, so that it must be a canonical order. */
  readonly cells: Float64Array
}

/** What is estimated, as a function of the sums over all clusters. NaN where it is undefined. */
export type Statistic = (totals: Float64Array) => number

/** `scale` · one sum over another. */
export const ratio = (numerator: number, denominator: number, scale = 1): Statistic =>
  (totals) => (totals[denominator] === 0 ? NaN : (scale * totals[numerator]!) / totals[denominator]!)

/**
 * A statistic and its 95 % interval by resampling whole clusters (docs/metrics.md). From ten clusters on, the interval is
 * the expanded percentiles of the statistic over resamples of as many clusters, drawn with replacement. From two to nine
 * it is Student's: t with clusters − 1 degrees of freedom around the estimate, on the standard error of the jackknife that
 * leaves out one cluster at a time. One cluster gives no interval. Clusters whose sums are all zero have nothing of what is
 * estimated and are left out.
 */
export function clusterBootstrap(
  sums: ClusterSums, statistic: Statistic, uniform: Uniform, replications = REPLICATIONS,
): Interval {
  const { width } = sums
  const cells = occupied(sums)
  const clusters = cells.length / width
  const totals = totalsOf(cells, width)
  const estimate = clusters === 0 ? NaN : statistic(totals)
  if (clusters === 0) return withoutInterval(NaN, 0, 'no cluster')
  if (!Number.isFinite(estimate)) return withoutInterval(NaN, clusters, 'undefined')
  if (clusters === 1) return withoutInterval(estimate, 1, 'one cluster')
  return clusters < BOOTSTRAP_CLUSTERS_MIN
    ? byJackknife(cells, width, statistic, estimate)
    : byPercentiles(cells, width, statistic, estimate, uniform, replications)
}

function occupied({ width, cells }: ClusterSums): Float64Array {
  assert(width > 0 && cells.length % width === 0, 'cells are clusters × width')
  const kept: number[] = []
  for (let from = 0; from < cells.length; from += width) {
    const cluster = cells.subarray(from, from + width)
    if (cluster.some((sum) => sum !== 0)) kept.push(...cluster)
  }
  return Float64Array.from(kept)
}

function totalsOf(cells: Float64Array, width: number): Float64Array {
  const column = (k: number): number => exactSum(cells.filter((_, i) => i % width === k))
  return Float64Array.from({ length: width }, (_, k) => column(k))
}

function byPercentiles(
  cells: Float64Array, width: number, statistic: Statistic, estimate: number, uniform: Uniform, replications: number,
): Interval {
  const clusters = cells.length / width
  const totals = new Float64Array(width)
  const values = new Float64Array(replications)
  let defined = 0
  for (let r = 0; r < replications; r++) {
    totals.fill(0)
    for (let i = 0; i < clusters; i++) {
      const from = Math.floor(uniform(r * clusters + i) * clusters) * width
      for (let k = 0; k < width; k++) totals[k]! += cells[from + k]!
    }
    const value = statistic(totals)
    if (Number.isFinite(value)) values[defined++] = value
  }
  if (replications - defined > UNDEFINED_SHARE_MAX * replications) {
    return withoutInterval(estimate, clusters, `${clusters} clusters, too often undefined in resamples`)
  }
  const ascending = values.subarray(0, defined).sort()
  const tail = expandedTail(clusters)
  return {
    estimate, low: quantile(ascending, tail), high: quantile(ascending, 1 - tail), level: LEVEL, count: clusters,
    label: `${clusters} clusters, expanded percentile bootstrap`,
  }
}

/**
 * The share of resamples below the lower end of the interval, and above the upper end: Φ(√(n/(n − 1)) · t), where t is the 2.5 %
 * point of Student's distribution with n − 1 degrees of freedom. Resamples of n clusters spread too little, by √((n − 1)/n), and n is
 * too small for normal percentiles: with 2.5 % on each side, intervals of ten clusters would cover about 90 % (T. C. Hesterberg, The
 * American Statistician 69, 2015, who calls these percentiles expanded).
 */
const expandedTail = (n: number): number => normalCdf(Math.sqrt(n / (n - 1)) * studentQuantile((1 - LEVEL) / 2, n - 1))

function byJackknife(cells: Float64Array, width: number, statistic: Statistic, estimate: number): Interval {
  const clusters = cells.length / width
  // Scaled to the full number of clusters, so that a sum has the standard error of a sum.
  const scale = clusters / (clusters - 1)
  const without = Float64Array.from({ length: clusters }, (_, left) =>
    statistic(totalsOf(cells.filter((_, i) => Math.floor(i / width) !== left), width).map((total) => total * scale)))
  if (!without.every(Number.isFinite)) {
    return withoutInterval(estimate, clusters, `${clusters} clusters, undefined without one of them`)
  }
  const mean = exactSum(without) / clusters
  const squares = exactSum(without.map((value) => (value - mean) * (value - mean)))
  const half = STUDENT[clusters - 2]! * Math.sqrt(((clusters - 1) / clusters) * squares)
  return {
    estimate, low: estimate - half, high: estimate + half, level: LEVEL, count: clusters,
    label: `${clusters} clusters, t on the jackknife`,
  }
}
