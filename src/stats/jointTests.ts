import { holm } from './adjustedP.ts'
import type { ClusterSums } from './clusterInterval.ts'
import type { Uniform } from './counterUniform.ts'
import { type JointTests, romanoWolf, ROWS_MIN } from './romanoWolf.ts'

export interface AdjustedTests extends JointTests {
  readonly method: string
}

/**
 * Tests that the mean of each column is zero, adjusted for the number of columns: by Romano and Wolf from ten rows on, by Holm on
 * Student's p-values with fewer. With fewer than two rows the tests are undefined.
 */
export function jointTests(rows: ClusterSums, uniform: Uniform): AdjustedTests | undefined {
  const count = rows.cells.length / rows.width
  if (rows.width === 0 || count < 2) return undefined
  const tests = romanoWolf(rows, uniform, count < ROWS_MIN ? 0 : undefined)
  if (count >= ROWS_MIN) return { ...tests, method: 'Romano–Wolf step-down on the joint bootstrap' }
  return { ...tests, adjusted: holm(tests.p), method: 'Holm on Student\'s p-values' }
}
