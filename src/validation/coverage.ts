import { exactSum } from '../math/sum.ts'
import { type ClusterSums, clusterInterval, ratio, type Statistic } from '../stats/clusterInterval.ts'
import { adjustedOf, type FigureBasis } from '../score/figureBasis.ts'
import { counterUniform } from '../stats/counterUniform.ts'
import type { Interval } from '../stats/interval.ts'
import { type BookModel, drawCluster, type DrawnCluster, expectedHold, expectedProfit, sequence } from './drawnBooks.ts'

/** How often intervals of a figure missed the truth. */
export interface Misses {
  /** Books whose clusters gave an interval. */
  readonly intervals: number
  /** The truth lay below the interval, or above it. */
  readonly below: number
  readonly above: number
  /** Books without an interval, because their clusters were all alike, or too few for what the book is. */
  readonly none: number
  /** Median width, in the unit of the figure. */
  readonly width: number
}

/** A figure of a drawn book, with its truth. */
export interface CoveredFigure {
  readonly name: 'profit' | 'hold' | 'luck-adjusted'
  readonly sums: (clusters: readonly DrawnCluster[]) => ClusterSums
  readonly statistic: Statistic
  /** What an interval of the figure needs besides. */
  readonly basis?: (clusters: readonly DrawnCluster[]) => FigureBasis
  readonly truth: (model: BookModel, clusters: number) => number
}

const columns = (clusters: readonly DrawnCluster[], of: (cluster: DrawnCluster) => readonly [number, number]): ClusterSums =>
  ({ width: 2, cells: Float64Array.from(clusters.flatMap(of)) })
const first: Statistic = (totals) => totals[0]!
const profit = (model: BookModel, clusters: number): number => clusters * expectedProfit(model)

/** Whether a luck-adjusted profit is one of values. If not, it would need more clusters than any book has. */
const whetherValued = (clusters: readonly DrawnCluster[]): FigureBasis =>
  adjustedOf({ clustersMin: Infinity, replicationsMin: Infinity, why: String }, exactSum(clusters.map(({ uncertain }) => uncertain)), exactSum(clusters.map(({ undecided }) => undecided)))

export const COVERED_FIGURES: readonly CoveredFigure[] = [
  { name: 'luck-adjusted', sums: (clusters) => columns(clusters, ({ valued }) => [valued, 1]), statistic: first, basis: whetherValued, truth: profit },
  { name: 'profit', sums: (clusters) => columns(clusters, ({ cash }) => [cash, 1]), statistic: first, truth: profit },
  { name: 'hold', sums: (clusters) => columns(clusters, ({ cash, stakes }) => [cash, stakes]), statistic: ratio(0, 1), truth: expectedHold },
]

export type Method = (sums: ClusterSums, statistic: Statistic, key: string) => Pick<Interval, 'low' | 'high'>

export const SHIPPED: Method = (sums, statistic) => clusterInterval(sums, statistic)

/** Draws books and counts how often the intervals of each figure miss its truth. */
export function missesOf(
  model: BookModel, clusters: number, books: number, key: string, figures: readonly CoveredFigure[], method: Method = SHIPPED,
): Misses[] {
  const counts = figures.map(() => ({ below: 0, above: 0, none: 0, widths: [] as number[] }))
  for (let book = 0; book < books; book++) {
    const next = sequence(counterUniform(`${key}/${model.legs.join(',')}/${model.parlays}/${model.move}${model.near === undefined ? '' : `/near ${model.near}`}${model.decided === undefined ? '' : `/decided ${model.decided}`}/${clusters}/${book}`))
    const drawn = Array.from({ length: clusters }, () => drawCluster(model, next))
    for (const [i, { sums, statistic, truth, basis }] of figures.entries()) {
      const { low, high } = method(sums(drawn), statistic, `${key} ${book}`)
      const count = counts[i]!
      if (low === null || high === null || (basis !== undefined && clusters < basis(drawn).clustersMin)) {
        count.none++
        continue
      }
      const known = truth(model, clusters)
      if (known < low) count.below++
      else if (known > high) count.above++
      count.widths.push(high - low)
    }
  }
  return counts.map(({ below, above, none, widths }) =>
    ({ intervals: books - none, below, above, none, width: widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? NaN }))
}
