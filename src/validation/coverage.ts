import { type ClusterSums, clusterInterval, ratio, type Statistic } from '../stats/clusterInterval.ts'
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
  /** Books without an interval, because their clusters were all alike. */
  readonly none: number
  /** Median width, in the unit of the figure. */
  readonly width: number
}

/** A figure of a drawn book, with its truth. */
export interface CoveredFigure {
  readonly name: 'profit' | 'hold' | 'luck-adjusted'
  readonly sums: (clusters: readonly DrawnCluster[]) => ClusterSums
  readonly statistic: Statistic
  readonly truth: (model: BookModel, clusters: number) => number
}

const columns = (clusters: readonly DrawnCluster[], of: (cluster: DrawnCluster) => readonly [number, number]): ClusterSums =>
  ({ width: 2, cells: Float64Array.from(clusters.flatMap(of)) })
const first: Statistic = (totals) => totals[0]!
const profit = (model: BookModel, clusters: number): number => clusters * expectedProfit(model)

export const COVERED_FIGURES: readonly CoveredFigure[] = [
  { name: 'luck-adjusted', sums: (clusters) => columns(clusters, ({ valued }) => [valued, 1]), statistic: first, truth: profit },
  { name: 'profit', sums: (clusters) => columns(clusters, ({ cash }) => [cash, 1]), statistic: first, truth: profit },
  { name: 'hold', sums: (clusters) => columns(clusters, ({ cash, stakes }) => [cash, stakes]), statistic: ratio(0, 1), truth: expectedHold },
]

export type Method = (sums: ClusterSums, statistic: Statistic, key: string) => Pick<Interval, 'low' | 'high'>

/** Draws books and counts how often the intervals of each figure miss its truth. */
export function missesOf(
  model: BookModel, clusters: number, books: number, key: string, figures: readonly CoveredFigure[], method: Method = clusterInterval,
): Misses[] {
  const counts = figures.map(() => ({ below: 0, above: 0, none: 0, widths: [] as number[] }))
  for (let book = 0; book < books; book++) {
    const next = sequence(counterUniform(`${key}/${model.legs.join(',')}/${model.parlays}/${model.move}/${clusters}/${book}`))
    const drawn = Array.from({ length: clusters }, () => drawCluster(model, next))
    for (const [i, { sums, statistic, truth }] of figures.entries()) {
      const { low, high } = method(sums(drawn), statistic, `${key} ${book}`)
      const count = counts[i]!
      if (low === null || high === null) {
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
