import { exactSum } from '../math/sum.ts'
import { LEVEL } from './interval.ts'
import { studentQuantile, studentTwoSided } from './student.ts'

/** The interval and the p-value of one mean that was picked from many. */
export interface PickedMean {
  readonly low: number
  readonly high: number
  /** Of a zero mean. */
  readonly p: number
}

/**
 * Student's interval of a mean that was picked from `among` means, at the level that Bonferroni's inequality leaves to each of them (O. J.
 * Dunn, JASA 56, 1961). All of them hold together with 95 %, so that this one does whichever was picked, and by whatever rule. Undefined for
 * fewer than two values.
 */
export function pickedMean(values: ArrayLike<number>, among: number): PickedMean | undefined {
  const own = Float64Array.from(values)
  const count = own.length
  if (count < 2) return undefined
  const mean = exactSum(own) / count
  const error = Math.sqrt(exactSum(own.map((value) => (value - mean) * (value - mean))) / (count - 1) / count)
  const half = studentQuantile(1 - (1 - LEVEL) / (2 * among), count - 1) * error
  const p = error === 0 ? (mean === 0 ? 1 : 0) : studentTwoSided(mean / error, count - 1)
  return { low: mean - half, high: mean + half, p: Math.min(1, among * p) }
}
