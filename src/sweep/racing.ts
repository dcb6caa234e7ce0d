import { isShort } from '../score/figureBasis.ts'
import type { Uniform } from '../stats/counterUniform.ts'
import type { ReplicatedSums } from '../stats/replicatedSums.ts'
import { looks } from '../stats/stopping.ts'
import { compareAll, profitDifference } from './comparisons.ts'
import { PROFIT } from './leagueScores.ts'

const GROWTH = 1.5

/**
 * The numbers of replications after which racing entries are compared, ascending. The last number is all replications. The first is
 * 1, so that what fails at once does not hold the others up. Without racing there is no comparison before the end.
 */
export function raceLooks(replications: number, after: number | undefined): number[] {
  const at = after === undefined || after >= replications ? [replications] : looks({ width: 0, least: after, growth: GROWTH, most: replications })
  return replications > 1 && at[0] !== 1 ? [1, ...at] : at
}

/** A contestant that is dropped: its index, and the adjusted p-value of its difference to the leader. */
export interface Dropped {
  readonly racer: number
  readonly p: number
}

/**
 * The contestants whose profit, by the kept column that ranks, is below the leader's at the given adjusted level. All pairs are tested together, so that the present
 * leader counts like any other. Nobody is dropped by too few clusters for an interval of the difference, of which a test would not hold either. There is no adjustment for several looks: use a strict level.
 */
export function hopeless(sums: readonly ReplicatedSums[], level: number, uniform: Uniform, column: number = PROFIT): Dropped[] {
  const comparisons = compareAll(sums, uniform, column)
  if (comparisons === undefined) return []
  const profits = sums.map(({ cells, width }) => cells.reduce((sum, cell, i) => (i % width === column ? sum + cell : sum), 0))
  const leader = profits.indexOf(Math.max(...profits))
  return sums.flatMap((_, racer) => {
    // One that made as much as the leader has a p-value of 1.
    if (racer === leader) return []
    const { adjusted } = comparisons.of(racer, leader)
    if (isShort(profitDifference(sums[racer]!, sums[leader]!, column))) return []
    return adjusted < level ? [{ racer, p: adjusted }] : []
  })
}
