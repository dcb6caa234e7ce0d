import { exactSum } from '../math/sum.ts'
import { assert } from '../unit/assert.ts'
import type { ClusterSums } from './clusterInterval.ts'
import type { Uniform } from './counterUniform.ts'
import { studentTwoSided } from './student.ts'

const REPLICATIONS = 1000
/** With fewer rows there are too few different resamples. */
export const ROWS_MIN = 10

/** Tests that several means are zero, in the order of their columns. */
export interface JointTests {
  /** Mean over its standard error. NaN where the mean is not zero and its rows do not differ, so that nothing is known about the error. */
  readonly t: Float64Array
  /** Two-sided p-value of each test alone, by Student's distribution with rows − 1 degrees of freedom. */
  readonly p: Float64Array
  /** p-values adjusted for the number of tests. */
  readonly adjusted: Float64Array
}

/**
 * Tests that the mean of each column is zero, with the step-down max-t p-values of J. P. Romano and M. Wolf (Econometrica 73, 2005;
 * computed as in Statistics & Probability Letters 113, 2016, algorithm 4.2). All columns are resampled together, whole rows
 * (clusters) at a time, so that the dependence between comparisons comes from the data: two comparisons that say the same do not
 * count as two, as they would with Holm's procedure. Resampled means are centred at the observed means and divided by the standard
 * error of their own resample.
 *
 * Precondition: two rows or more. With fewer than `ROWS_MIN` rows apply Holm's procedure to `p`.
 */
export function romanoWolf({ width, cells }: ClusterSums, uniform: Uniform, replications: number = REPLICATIONS): JointTests {
  const rows = cells.length / width
  assert(Number.isInteger(rows) && rows >= 2, 'a test needs two rows')
  const columns = Array.from({ length: width }, (_, k) => Float64Array.from({ length: rows }, (__, row) => cells[row * width + k]!))
  const means = columns.map((column) => exactSum(column) / rows)
  const t = Float64Array.from(columns, (column, k) => tOf(means[k]!, column, means[k]!))
  const p = t.map((value) => (Number.isNaN(value) ? 1 : studentTwoSided(value, rows - 1)))
  const order = Array.from({ length: width }, (_, k) => k).filter((k) => !Number.isNaN(t[k]!))
    .toSorted((a, b) => Math.abs(t[b]!) - Math.abs(t[a]!) || a - b)
  const exceeded = new Float64Array(width)
  const drawn = new Int32Array(rows)
  for (let r = 0; r < replications; r++) {
    for (let i = 0; i < rows; i++) drawn[i] = Math.floor(uniform(r * rows + i) * rows)
    let greatest = 0
    // The loop goes up from the least significant test, so that it has the maximum over a test and all less significant ones.
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const k = order[rank]!
      greatest = Math.max(greatest, resampledT(columns[k]!, drawn, means[k]!))
      if (greatest >= Math.abs(t[k]!)) exceeded[k]!++
    }
  }
  const adjusted = new Float64Array(width).fill(1)
  let least = 0
  for (const k of order) {
    least = Math.max(least, (exceeded[k]! + 1) / (replications + 1))
    adjusted[k] = least
  }
  return { t, p, adjusted }
}

/** |t| of the resampled mean around `centre`. */
function resampledT(column: Float64Array, drawn: Int32Array, centre: number): number {
  let sum = 0
  for (let i = 0; i < drawn.length; i++) sum += column[drawn[i]!]!
  const mean = sum / drawn.length
  let squares = 0
  for (let i = 0; i < drawn.length; i++) {
    const off = column[drawn[i]!]! - mean
    squares += off * off
  }
  const away = Math.abs(mean - centre)
  if (squares === 0) return away === 0 ? 0 : Infinity
  return away / Math.sqrt(squares / (drawn.length - 1) / drawn.length)
}

/** Mean over its standard error. */
function tOf(mean: number, column: Float64Array, centre: number): number {
  const error = Math.sqrt(exactSum(column.map((value) => (value - centre) * (value - centre))) / (column.length - 1) / column.length)
  if (error === 0) return mean === 0 ? 0 : NaN
  return mean / error
}
