import { exactSum } from '../math/sum.ts'
import { assert } from '../unit/assert.ts'
import { type ClusterSums, clusterInterval, type Statistic, type Zero } from './clusterInterval.ts'
import type { Interval } from './interval.ts'

/** The label of an interval that says nothing about other histories (docs/metrics.md). */
export const CONDITIONAL = 'conditional on this history'

/**
 * Sums by replication and settlement cluster, several to each. Replications of one scenario play the same clusters of the same
 * history with other bettors. A cluster in which nothing happened has zeros in every column.
 */
export interface ReplicatedSums {
  /** Sums per cluster and replication. */
  readonly width: number
  readonly replications: number
  readonly clusters: number
  /** replications × clusters × width, with the clusters in a canonical order. */
  readonly cells: Float64Array
}

/** What an interval rests on: rows, each of which stands for what may come again, and the name of what a row is. */
export interface ResampledRows {
  readonly rows: ClusterSums
  readonly unit: 'clusters' | 'replications'
}

/**
 * The rows that stand for the uncertainty. With two or more occupied clusters there is a row for each, of means over the replications,
 * because another history would have other clusters. With one occupied cluster there is a row for each replication, which says only
 * what other bettors would have done in this history. Empty clusters are left out, and empty replications count.
 */
export function resampledRows({ width, replications, clusters, cells }: ReplicatedSums): ResampledRows {
  assert(cells.length === replications * clusters * width, 'cells are replications × clusters × width')
  const at = (replication: number, cluster: number, column: number): number => cells[(replication * clusters + cluster) * width + column]!
  const occupied = Array.from({ length: clusters }, (_, cluster) => cluster)
    .filter((cluster) => range(replications).some((r) => range(width).some((k) => at(r, cluster, k) !== 0)))
  if (occupied.length === 1 && replications > 1) {
    return { unit: 'replications', rows: { width, cells: Float64Array.from(range(replications).flatMap((r) => range(width).map((k) => at(r, occupied[0]!, k)))) } }
  }
  return {
    unit: 'clusters',
    rows: { width, cells: Float64Array.from(occupied.flatMap((c) => range(width).map((k) => exactSum(range(replications).map((r) => at(r, c, k))) / replications))) },
  }
}

/**
 * A statistic of the sums over all clusters, of one replication on average, with its interval by `clusterInterval` over clusters.
 * With one cluster the interval is over replications, and its label says that it is conditional on this history.
 */
export function replicatedInterval(sums: ReplicatedSums, statistic: Statistic, zero: Zero = 'exact'): Interval {
  const { unit, rows } = resampledRows(sums)
  if (unit === 'clusters') return clusterInterval(rows, statistic, zero)
  // A column of ones counts the replications, so that a replication without anything counts in the mean.
  const width = sums.width + 1
  const cells = Float64Array.from({ length: (rows.cells.length / sums.width) * width },
    (_, i) => (i % width === sums.width ? 1 : rows.cells[Math.floor(i / width) * sums.width + (i % width)]!))
  const interval = clusterInterval({ width, cells }, (totals) => statistic(totals.subarray(0, sums.width).map((total) => total / totals[sums.width]!)), zero)
  return { ...interval, label: `${interval.label.replace('cluster', 'replication')}, ${CONDITIONAL}` }
}

/**
 * The difference of a statistic between two candidates that were played under common random numbers, first − second, with its
 * interval. Both are taken together, cluster by cluster, so that what the clusters and the bettors did to both cancels. Both
 * need the same replications and clusters in the same order.
 */
export const pairedDifference = (first: ReplicatedSums, second: ReplicatedSums, statistic: Statistic): Interval =>
  replicatedInterval(besides(first, second), (totals) => statistic(totals.subarray(0, first.width)) - statistic(totals.subarray(first.width)))

/** The columns of both, those of the first before those of the second. */
function besides(first: ReplicatedSums, second: ReplicatedSums): ReplicatedSums {
  const { replications, clusters } = first
  assert(replications === second.replications && clusters === second.clusters, 'pairs have the same replications and clusters')
  const width = first.width + second.width
  const cells = Float64Array.from({ length: replications * clusters * width }, (_, i) => {
    const row = Math.floor(i / width)
    const column = i % width
    return column < first.width ? first.cells[row * first.width + column]! : second.cells[row * second.width + column - first.width]!
  })
  return { width, replications, clusters, cells }
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i)
