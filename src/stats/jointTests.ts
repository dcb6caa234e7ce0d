import { holm } from './adjustedP.ts'
import { BOOTSTRAP_CLUSTERS_MIN, type ClusterSums } from './clusterBootstrap.ts'
import type { Uniform } from './counterUniform.ts'
import { type JointTests, romanoWolf } from './romanoWolf.ts'

export interface AdjustedTests extends JointTests {
  readonly method: string
}

/**
 * Tests that the mean of each column is zero, adjusted for all of them: Romano and Wolf's from ten rows on, Holm's on Student's
 * p-values below; undefined of fewer than two rows.
 */
export function jointTests(rows: ClusterSums, uniform: Uniform): AdjustedTests | undefined {
  const count = rows.cells.length / rows.width
  if (rows.width === 0 || count < 2) return undefined
  const tests = romanoWolf(rows, uniform, count < BOOTSTRAP_CLUSTERS_MIN ? 0 : undefined)
  if (count >= BOOTSTRAP_CLUSTERS_MIN) return { ...tests, method: 'Romano–Wolf step-down on the joint bootstrap' }
  return { ...tests, adjusted: holm(tests.p), method: 'Holm on Student\'s p-values' }
}
