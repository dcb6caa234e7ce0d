import type { Interval } from '../stats/interval.ts'
import type { ClusteredSums } from './clusteredSums.ts'
import { MakerColumn } from './columns.ts'
import { type BookLegs, ofAll } from './figureBasis.ts'
import type { MakerSummary } from './makers.ts'

/** What the maker that earned most is ahead of the second by. */
export interface LeadSummary {
  readonly first: string
  readonly second: string
  /** The difference of their profits, USDC. Its interval is that of the differences by settlement cluster, since both met the same results. */
  readonly profit: Interval
}

const USDC = 1e-6

/**
 * The lead over the second among the makers with fills. Null for fewer than two.
 *
 * @param numbers the makers' numbers in the sums, in the order of `makers`
 */
export function leadOf(makers: readonly MakerSummary[], numbers: readonly number[], { sums, legs }: { readonly sums: ClusteredSums; readonly legs: BookLegs }): LeadSummary | null {
  const ranked = makers.map(({ name, profitMicros, hits }, i) => ({ name, profitMicros, fills: hits.fills, number: numbers[i]! }))
    .filter(({ fills }) => fills > 0).toSorted((a, b) => b.profitMicros - a.profitMicros)
  const [first, second] = ranked
  if (first === undefined || second === undefined) return null
  const basis = ofAll([legs.cash(first.number), legs.cash(second.number)])
  return { first: first.name, second: second.name, profit: sums.leadInterval(first.number, second.number, basis, { column: MakerColumn.profit, count: MakerColumn.ended, scale: USDC }) }
}
