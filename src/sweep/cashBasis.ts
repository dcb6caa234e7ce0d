import { cashOfPayouts, type FigureBasis, held } from '../score/figureBasis.ts'
import type { Interval } from '../stats/interval.ts'
import { CONDITIONAL, type ReplicatedSums } from '../stats/replicatedSums.ts'

/** Columns of scores that say what a figure of cash needs, in this order. */
export const PAYOUT_COLUMNS = ['positionPayout', 'legPayout'] as const

/** The basis of the cash of sums over replications. @param payout place of `positionPayout` among their columns, which `legPayout` follows */
export function cashIn({ width, cells }: ReplicatedSums, payout: number): FigureBasis {
  let [payouts, legPayouts] = [0, 0]
  for (let row = 0; row < cells.length; row += width) {
    payouts += cells[row + payout]!
    legPayouts += cells[row + payout + 1]!
  }
  return cashOfPayouts(payouts, legPayouts)
}

/**
 * The interval where it rests on enough, and otherwise the estimate with the reason. Replications of one cluster are what such an interval
 * knows of cash: they are as skewed as clusters are, and as many are needed.
 */
export const heldOver = (interval: Interval, basis: FigureBasis): Interval =>
  held(interval, basis, interval.label.endsWith(CONDITIONAL) ? 'replication' : 'cluster')
