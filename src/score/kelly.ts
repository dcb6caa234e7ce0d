import { growthOptimal } from '../stats/kelly.ts'
import { plural } from '../unit/numberText.ts'
import type { FigureBasis } from './figureBasis.ts'

/** How large a maker's book would have grown its capital fastest. */
export interface KellySummary {
  /** The growth-optimal multiple of the book. Above 1 the book was too small for the fastest growth, and below 1 too large. At 0 no book is best. Null with the reason in the label. */
  readonly multiple: number | null
  readonly clusters: number
  /** The most that was paid in at any time, less what was taken out, microUSDC. A return is a profit by cluster over this capital. */
  readonly capitalMicros: number
  readonly label: string
}

/**
 * @param profits by cluster, microUSDC, of those in which any maker's position ended.
 * @param basis of the maker's cash, which says how many clusters it needs.
 * @param ownBets bets on the maker's own account, such as a hedge, which are in no profit
 */
export function kellyOf(profits: Float64Array, capitalMicros: number, { clustersMin, why }: FigureBasis, ownBets = 0): KellySummary {
  const clusters = profits.length
  const none = (label: string): KellySummary => ({ multiple: null, clusters, capitalMicros, label })
  if (ownBets > 0) return none('it bets on its own account, too, and no profit counts these bets')
  if (clusters < clustersMin) return none(why(clusters, 'cluster'))
  if (!(capitalMicros > 0)) return none('no capital')
  const multiple = growthOptimal(profits.map((profit) => profit / capitalMicros))
  if (Number.isNaN(multiple)) return none(`${plural(clusters, 'cluster')}, none with a loss: no multiple is too large`)
  return { multiple, clusters, capitalMicros, label: `${plural(clusters, 'cluster')}; no interval: it hangs on the worst of them, and is too high on average` }
}
