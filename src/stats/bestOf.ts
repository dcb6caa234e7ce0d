import { exactSum } from '../math/sum.ts'
import { holm } from './adjustedP.ts'
import type { ClusterSums } from './clusterInterval.ts'
import type { Uniform } from './counterUniform.ts'
import { type AdjustedTests, jointTests } from './jointTests.ts'
import { romanoWolf } from './romanoWolf.ts'
import { deflatedSharpe, sharpeOf } from './sharpe.ts'

/** With more variants a joint bootstrap would take minutes, and Holm's adjustment stands in for it. */
export const JOINT_VARIANTS_MAX = 2000

/** A two-sided test that a mean is zero. */
export interface AdjustedTest {
  readonly p: number
  /** Adjusted for all variants. */
  readonly adjusted: number
}

/** The best of several variants, and whether it can be told from chance. */
export interface BestOf {
  /** Index of the variant with the greatest mean, the first of equal ones. */
  readonly best: number
  readonly variants: number
  /** Mean over the rows, and the same less the mean of the other variants. */
  readonly mean: number
  readonly overOthers: number
  /** Of a zero mean, and of a zero difference to the mean of the others. */
  readonly zero: AdjustedTest
  readonly others: AdjustedTest
  /** Mean over standard deviation of its rows, and the probability that it is above the best of as many worthless variants. NaN where undefined. */
  readonly sharpe: number
  readonly deflated: number
  /** Rows that the tests rest on. */
  readonly rows: number
  readonly method: string
}

/**
 * The best of several variants, from rows (settlement clusters) by variants. Whichever is best was picked for what it earned here, so that
 * its own p-value says too much. Two families of tests answer with all variants adjusted together (`jointTests`): that each mean is zero,
 * and that each is equal to the mean of the others. The second is an analysis of means (E. R. Ott, Industrial Quality Control 24, 1967).
 * A test against the second best would ask whether the best is the only good one, which neighbours on a grid never are. Undefined
 * with fewer than two rows or variants.
 *
 * @param rows rows × variants
 */
export function bestOf(rows: ClusterSums, uniform: Uniform): BestOf | undefined {
  const { width: variants, cells } = rows
  const count = cells.length / variants
  if (variants < 2 || count < 2) return undefined
  const columns = Array.from({ length: variants }, (_, v) => Float64Array.from({ length: count }, (__, row) => cells[row * variants + v]!))
  const means = columns.map((column) => exactSum(column) / count)
  const best = means.indexOf(Math.max(...means))
  const over = overOthers(rows)
  const zero = testsOf(rows, uniform)
  const others = testsOf(over, uniform)
  const moments = columns.map((column) => sharpeOf(column))
  const of = ({ p, adjusted }: AdjustedTests): AdjustedTest => ({ p: p[best]!, adjusted: adjusted[best]! })
  return {
    best, variants, mean: means[best]!, overOthers: exactSum(over.cells.filter((_, at) => at % variants === best)) / count,
    zero: of(zero), others: of(others), sharpe: moments[best]!.ratio, deflated: deflatedSharpe(moments[best]!, moments.map(({ ratio }) => ratio)), rows: count, method: zero.method,
  }
}

/** Each variant less the mean of the others, row by row. */
export function overOthers({ width, cells }: ClusterSums): ClusterSums {
  const totals = Array.from({ length: cells.length / width }, (_, row) => exactSum(cells.subarray(row * width, (row + 1) * width)))
  return { width, cells: cells.map((cell, at) => cell - (totals[Math.floor(at / width)]! - cell) / (width - 1)) }
}

function testsOf(rows: ClusterSums, uniform: Uniform): AdjustedTests {
  if (rows.width <= JOINT_VARIANTS_MAX) return jointTests(rows, uniform)!
  const tests = romanoWolf(rows, uniform, 0)
  return { ...tests, adjusted: holm(tests.p), method: 'Holm on Student\'s p-values' }
}
