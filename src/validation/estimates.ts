import { normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'
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

/** The interval of an estimate with a known standard error, taken as normal. */
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

/** The estimate in another unit, or shifted in it: `scale` · x + `shift`, scale above 0. */
export const scaled = ({ measured, low, high }: Estimate, scale: number, shift = 0): Estimate =>
  ({ measured: measured * scale + shift, low: low * scale + shift, high: high * scale + shift })
