import type { Uniform } from '../stats/counterUniform.ts'
import type { ReplicatedSums } from '../stats/replicatedSums.ts'
import { looks } from '../stats/stopping.ts'
import { compareAll } from './comparisons.ts'
import { PROFIT } from './leagueScores.ts'

const GROWTH = 1.5

/**
 * Replications after which those that race are compared, ascending, the last being all of them. First one, so that what fails at once
 * does not hold the others up; without racing nothing is compared before the end.
 */
export function raceLooks(replications: number, after: number | undefined): number[] {
  const at = after === undefined || after >= replications ? [replications] : looks({ width: 0, least: after, growth: GROWTH, most: replications })
  return replications > 1 && at[0] !== 1 ? [1, ...at] : at
}

/** One that is dropped: its index, and the adjusted p-value of its difference to the leader. */
export interface Dropped {
  readonly racer: number
  readonly p: number
}

/**
 * Those whose profit is below the leader's at the given adjusted level. All pairs are tested together, so that the leader of the
 * moment counts as any other; several looks are not adjusted for: take a strict level.
 */
export function hopeless(sums: readonly ReplicatedSums[], level: number, uniform: Uniform): Dropped[] {
  const comparisons = compareAll(sums, uniform)
  if (comparisons === undefined) return []
  const profits = sums.map(({ cells, width }) => cells.reduce((sum, cell, i) => (i % width === PROFIT ? sum + cell : sum), 0))
  const leader = profits.indexOf(Math.max(...profits))
  return sums.flatMap((_, racer) => {
    if (racer === leader || profits[racer]! >= profits[leader]!) return []
    const { adjusted } = comparisons.of(racer, leader)
    return adjusted < level ? [{ racer, p: adjusted }] : []
  })
}
