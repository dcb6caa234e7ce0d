import { exactSum } from '../math/sum.ts'
import { type Interval, LEVEL, withoutInterval } from './interval.ts'
import { studentQuantile } from './student.ts'

/** Ten to thirty batches are best: more add little to an interval, and shorter batches correlate (B. Schmeiser, Operations Research 30, 1982). */
export const BATCHES = 20

/**
 * Mean of an autocorrelated series and its 95 % interval by non-overlapping batch means: Student's t with batches − 1
 * degrees of freedom on the standard deviation of the means of equal stretches (A. M. Law, Simulation Modeling and
 * Analysis, 9.5). The interval is right where a batch is much longer than the memory of the series. Values that do not fill a
 * batch are left out at the beginning, of the interval and of the mean.
 */
export function batchMeans(values: ArrayLike<number>, batches: number = BATCHES): Interval {
  const length = Math.floor(values.length / batches)
  if (batches < 2 || length === 0) {
    const mean = values.length === 0 ? NaN : exactSum(Array.from(values)) / values.length
    return withoutInterval(mean, values.length, `${values.length} values in ${batches} batches`)
  }
  const from = values.length - length * batches
  const means = Float64Array.from({ length: batches }, (_, batch) => {
    const begin = from + batch * length
    return exactSum(Array.from({ length }, (__, i) => values[begin + i]!)) / length
  })
  const mean = exactSum(means) / batches
  const squares = exactSum(means.map((value) => (value - mean) * (value - mean)))
  const half = studentQuantile(0.5 + LEVEL / 2, batches - 1) * Math.sqrt(squares / (batches - 1) / batches)
  return {
    estimate: mean, low: mean - half, high: mean + half, level: LEVEL, count: batches,
    label: `${batches} batches of ${length}, t on batch means`,
  }
}
