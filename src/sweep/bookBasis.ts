import { adjustedOf, cashOfPayouts, type FigureBasis, held, VALUED } from '../score/figureBasis.ts'
import type { Interval } from '../stats/interval.ts'
import { CONDITIONAL, type ReplicatedSums } from '../stats/replicatedSums.ts'

/**
 * What a figure rests on, which decides how many clusters its interval needs (docs/metrics.md): values and counts; results, which decide
 * cash; or the close, where a figure is one of values only while the close leaves luck to decide.
 */
export type RestsOn = 'values' | 'cash' | 'close'

/** Columns of scores that say what figures of a book need, in this order. */
export const BOOK_COLUMNS = ['positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn'] as const

/**
 * What an interval of a book needs, over replications. A book without a position has an exact 0 up to the close.
 *
 * @param book place of `positionPayout` among the columns, which the other `BOOK_COLUMNS` follow
 */
export function basisInBook({ width, cells, replications }: ReplicatedSums, restsOn: RestsOn, book: number): FigureBasis {
  if (restsOn === 'values') return VALUED
  let [payouts, legPayouts, uncertain, undecided, undrawn] = [0, 0, 0, 0, 0]
  for (let at = book; at < cells.length; at += width) {
    payouts += cells[at]!
    legPayouts += cells[at + 1]!
    uncertain += cells[at + 2]!
    undecided += cells[at + 3]!
    undrawn += cells[at + 4]!
  }
  const cash = cashOfPayouts(payouts, legPayouts, undrawn / replications)
  if (restsOn === 'cash') return cash
  return payouts === 0 ? VALUED : adjustedOf(cash, uncertain, undecided)
}

/** The interval where it rests on enough, of clusters or of replications of one cluster, and otherwise the estimate with the reason. */
export const heldOver = (interval: Interval, basis: FigureBasis): Interval =>
  held(interval, basis, interval.label.endsWith(CONDITIONAL) ? 'replication' : 'cluster')
