import { normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'
import { LEVEL } from '../stats/interval.ts'
import { BATCHES, batchMeans } from '../stats/batchMeans.ts'
import { studentQuantile } from '../stats/student.ts'
import { assert } from '../unit/assert.ts'

/** An estimate with its interval. */
export interface Estimate {
  readonly measured: number
  readonly low: number
  readonly high: number
}

/** Level of each interval: of fifty figures all hold together with 95 %. */
export const FIGURE_LEVEL = 0.999
export const FIGURE_Z = normalQuantile(0.5 + FIGURE_LEVEL / 2)

/** The interval of an estimate with a known standard error, which is taken as normal. */
export const estimateOf = (measured: number, standardError: number): Estimate =>
  ({ measured, low: measured - FIGURE_Z * standardError, high: measured + FIGURE_Z * standardError })

/** The mean of independent numbers, at least two. */
export function meanOf(values: readonly number[]): Estimate {
  const n = values.length
  assert(n > 1, 'a mean of two numbers or more')
  const mean = exactSum(values) / n
  const squares = exactSum(values.map((value) => (value - mean) * (value - mean)))
  return estimateOf(mean, Math.sqrt(squares / (n * (n - 1))))
}

/**
 * Σ numerators ∕ Σ denominators over independent clusters, at least two, by the linearised variance of a ratio (W. G. Cochran, Sampling
 * Techniques, 1977, section 6.3): that of Σ(numerator − ratio · denominator).
 */
export function ratioOf(numerators: readonly number[], denominators: readonly number[]): Estimate {
  const k = numerators.length
  assert(k > 1 && denominators.length === k, 'a ratio over two clusters or more')
  const total = exactSum(denominators)
  assert(total > 0, 'a ratio has something to divide by')
  const ratio = exactSum(numerators) / total
  const squares = exactSum(numerators.map((numerator, i) => (numerator - ratio * denominators[i]!) * (numerator - ratio * denominators[i]!)))
  return estimateOf(ratio, Math.sqrt((squares * k) / (k - 1)) / total)
}

/** A statistic of a sample by the delete-one-group jackknife (B. Efron, The Annals of Statistics 9, 1981), for equal and independent groups. */
export function jackknifeOf<T>(groups: readonly (readonly T[])[], statistic: (sample: readonly T[]) => number): Estimate {
  const k = groups.length
  assert(k > 1, 'a jackknife of two groups or more')
  const without = groups.map((_, left) => statistic(groups.flatMap((group, i) => (i === left ? [] : group))))
  const mean = exactSum(without) / k
  const squares = exactSum(without.map((value) => (value - mean) * (value - mean)))
  return estimateOf(statistic(groups.flat()), Math.sqrt((squares * (k - 1)) / k))
}

/** The mean of an autocorrelated series by batch means, their 95 % interval stretched to this level. */
export function seriesMeanOf(values: readonly number[]): Estimate {
  const { estimate, low, high } = batchMeans(values)
  assert(estimate !== null && low !== null && high !== null, 'a series of many batches')
  const stretch = studentQuantile(0.5 + FIGURE_LEVEL / 2, BATCHES - 1) / studentQuantile(0.5 + LEVEL / 2, BATCHES - 1)
  return { measured: estimate, low: estimate - (estimate - low) * stretch, high: estimate + (high - estimate) * stretch }
}

/** The estimate in another unit, or shifted in it: `scale` · x + `shift`, scale above 0. */
export const scaled = ({ measured, low, high }: Estimate, scale: number, shift = 0): Estimate =>
  ({ measured: measured * scale + shift, low: low * scale + shift, high: high * scale + shift })
