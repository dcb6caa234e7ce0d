import { exp } from '../math/exp.ts'
import { log } from '../math/log.ts'
import { exactSum } from '../math/sum.ts'
import { assert } from '../unit/assert.ts'
import { type Interval, LEVEL, withoutInterval } from './interval.ts'
import { studentQuantile, studentTwoSided } from './student.ts'

/** Clusters that differ by less than this share of the estimate differ by rounding only. */
const ROUNDING = 1e-12

/** Few clusters show too little of their skewness. Chosen by measured coverage of cash over the clusters that it needs (docs/validation.md). */
const SKEWNESS_SCALE = 1.1

/** Sums by settlement cluster, several to each. */
export interface ClusterSums {
  /** Sums per cluster. */
  readonly width: number
  /** clusters × width. */
  readonly cells: Float64Array
}

/** What is estimated, as a smooth function of the sums over all clusters. NaN where it is undefined. */
export type Statistic = (totals: Float64Array) => number

/** `scale` · one sum over another. */
export const ratio = (numerator: number, denominator: number, scale = 1): Statistic =>
  (totals) => (totals[denominator] === 0 ? NaN : (scale * totals[numerator]!) / totals[denominator]!)

/** What a figure says that is 0 in every cluster: that there was nothing to sum, such as the profit of a maker that nobody dealt with, or that 0 were counted. */
export type Zero = 'exact' | 'counted'

/**
 * A statistic and its 95 % interval over whole clusters (docs/metrics.md). Each end is the farther of two: that of Student's
 * interval with clusters − 1 degrees of freedom, and that of Student's corrected for skewness. Both are on the standard error of the jackknife that
 * leaves out one cluster at a time. Nothing is drawn, so that the ends have no error of their own. One cluster gives no interval, and neither do clusters that
 * are all alike, which say nothing of their error, unless each has an exact 0. Clusters whose sums are all zero have nothing of
 * what is estimated and are left out.
 */
export function clusterInterval(sums: ClusterSums, statistic: Statistic, zero: Zero = 'exact'): Interval {
  const { width } = sums
  const cells = occupied(sums)
  const clusters = cells.length / width
  const totals = totalsOf(cells, width)
  const estimate = clusters === 0 ? NaN : statistic(totals)
  if (clusters === 0) return withoutInterval(NaN, 0, 'no cluster')
  if (!Number.isFinite(estimate)) return withoutInterval(NaN, clusters, 'undefined')
  if (clusters === 1) return withoutInterval(estimate, 1, 'one cluster')
  const without = withoutEach(cells, totals, statistic)
  if (!without.every(Number.isFinite)) return withoutInterval(estimate, clusters, `${clusters} clusters, undefined without one of them`)
  const mean = exactSum(without) / clusters
  // What each cluster does to the estimate: pseudo-values around their mean.
  const influence = without.map((value) => (clusters - 1) * (mean - value))
  const deviation = Math.sqrt(exactSum(influence.map((of) => of * of)) / (clusters - 1))
  if (deviation <= ROUNDING * Math.abs(estimate) && (estimate !== 0 || zero === 'counted')) return withoutInterval(estimate, clusters, `${clusters} clusters, all alike`)
  const [below, above] = reaches(influence, deviation, (1 - LEVEL) / 2)
  return {
    estimate, low: estimate - deviation * below, high: estimate + deviation * above, level: LEVEL, count: clusters,
    label: `${clusters} clusters, ${clusters === 2 ? 't on the jackknife' : 'skewness-adjusted t'}`,
  }
}

/** The interval of a mean by the method of `clusterInterval` at another level, and the p-value of a zero mean that goes with it. */
export interface MeanBounds {
  readonly low: number
  readonly high: number
  /** Two-sided: the least share of misses at which the interval leaves zero out. */
  readonly p: number
}

/** Bounds of the mean of some values. Undefined for fewer than two, and for values that are all alike. @param tail share that may miss at each end */
export function meanBounds(values: ArrayLike<number>, tail: number): MeanBounds | undefined {
  const own = Float64Array.from(values)
  const n = own.length
  const mean = exactSum(own) / n
  const influence = own.map((value) => value - mean)
  const deviation = Math.sqrt(exactSum(influence.map((of) => of * of)) / (n - 1))
  if (n < 2 || deviation <= ROUNDING * Math.abs(mean)) return undefined
  const [below, above] = reaches(influence, deviation, tail)
  // The reach that comes just to zero, as the t that has it.
  const reach = mean / deviation
  const turned = n === 2 ? reach : hallOf(reach, skewnessOf(influence, deviation), n)
  const least = mean < 0 ? Math.max(reach, turned) : Math.min(reach, turned)
  return { low: mean - deviation * below, high: mean + deviation * above, p: least * mean > 0 ? studentTwoSided(least * Math.sqrt(n), n - 1) : 1 }
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

/** The statistic without each cluster in turn, scaled to the full number of clusters, so that a sum has the standard error of a sum. */
function withoutEach(cells: Float64Array, totals: Float64Array, statistic: Statistic): Float64Array {
  const width = totals.length
  const clusters = cells.length / width
  const scale = clusters / (clusters - 1)
  return Float64Array.from({ length: clusters }, (_, left) => statistic(totals.map((total, k) => (total - cells[left * width + k]!) * scale)))
}

/**
 * How many standard deviations of a cluster an interval reaches below and above its estimate. Student's interval of few skewed clusters
 * misses on one side: a book of parlays mostly earns, and its large losses are rare. P. Hall's cubic transformation (Journal of the Royal
 * Statistical Society B 54, 1992) takes the skewness out of t, as the bootstrap-t does by drawing clusters again. The farther of both ends was
 * chosen by measured coverage, since the correction errs where the skewness is estimated badly (docs/validation.md).
 */
function reaches(influence: Float64Array, deviation: number, tail: number): readonly [below: number, above: number] {
  const n = influence.length
  if (deviation === 0) return [0, 0]
  const t = studentPoint(n - 1, tail) / Math.sqrt(n)
  if (n === 2) return [t, t]
  const skewness = skewnessOf(influence, deviation)
  return [Math.max(t, inverseOfHall(t, skewness, n)), Math.max(t, 0 - inverseOfHall(0 - t, skewness, n))]
}

/** The adjusted coefficient of D. N. Joanes and C. A. Gill (The Statistician 47, 1998), G₁, scaled. For three clusters and more. */
function skewnessOf(influence: Float64Array, deviation: number): number {
  const n = influence.length
  return (SKEWNESS_SCALE * n * exactSum(influence.map((of) => (of / deviation) ** 3))) / ((n - 1) * (n - 2))
}

const hallOf = (w: number, skewness: number, n: number): number => w + (skewness * w * w) / 3 + (skewness * skewness * w * w * w) / 27 + skewness / (6 * n)

/** The w with w + γw²/3 + γ²w³/27 + γ/6n = x: Hall's g₁ of a standardised mean, which rises everywhere. */
function inverseOfHall(x: number, skewness: number, n: number): number {
  const u = x - skewness / (6 * n)
  const root = cubeRoot(1 + skewness * u)
  // (root − 1) · 3/γ without cancellation, and right for γ = 0.
  return (3 * u) / (root * root + root + 1)
}

/** Of our own functions, since Math.cbrt may round differently elsewhere. */
const cubeRoot = (x: number): number => (x === 0 ? 0 : Math.sign(x) * exp(log(Math.abs(x)) / 3))

const points = new Map<number, number>()

/** The point above which Student's distribution has `tail`. That of 95 % is kept by degrees of freedom. */
function studentPoint(degrees: number, tail: number): number {
  if (tail !== (1 - LEVEL) / 2) return studentQuantile(1 - tail, degrees)
  const known = points.get(degrees) ?? studentQuantile((1 + LEVEL) / 2, degrees)
  points.set(degrees, known)
  return known
}
