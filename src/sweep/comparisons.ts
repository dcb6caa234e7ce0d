import { benjaminiHochberg } from '../stats/adjustedP.ts'
import { pairedDifference, replicatedInterval, resampledRows, type ReplicatedSums } from '../stats/replicatedSums.ts'
import type { Uniform } from '../stats/counterUniform.ts'
import type { Interval } from '../stats/interval.ts'
import { jointTests } from '../stats/jointTests.ts'
import { heldOver } from './bookBasis.ts'
import { basisOfColumn, beside, besideColumn, PROFIT } from './leagueScores.ts'

/** The comparison of two profits. */
export interface Comparison {
  /** Two-sided p-value, for these two alone. */
  readonly p: number
  /**
   * p-value adjusted for all pairs that were compared. When pairs below α are called different, no more than a share α of leagues call
   * any two equal makers different, as far as the clusters show what can happen. A disaster that no cluster had is in no resample, so
   * that a maker that sells rare disasters looks better than it is.
   */
  readonly adjusted: number
  /**
   * The milder adjustment of Benjamini and Hochberg: of all pairs that are called different below α, a share of α is expected to be
   * wrong. This is proven for independent tests and for some positively dependent ones (adjustedP.ts). Differences between all pairs are
   * neither, so that here the value is a guide.
   */
  readonly falseDiscovery: number
}

/** Tests between each two of several makers, for one replication on average, all adjusted together. */
export interface Comparisons {
  readonly method: string
  /** The comparison of the pair (i, j), i ≠ j. The order does not matter. */
  of(i: number, j: number): Comparison
}

/**
 * Tests whether the profits of each two makers differ, cluster by cluster under common random numbers. All pairs are adjusted
 * together, so that whichever maker turns out to lead may be compared with the rest. Undefined where there is nothing to compare.
 *
 * @param column kept column of what is compared
 */
export function compareAll(sums: readonly ReplicatedSums[], uniform: Uniform, column: number = PROFIT): Comparisons | undefined {
  if (sums.length < 2) return undefined
  const { rows } = resampledRows(beside(sums))
  const pairs = sums.flatMap((_, i) => sums.slice(i + 1).map((__, k) => [i, i + 1 + k] as const))
  const count = rows.cells.length / rows.width
  const cells = Float64Array.from({ length: count * pairs.length }, (_, at) => {
    const from = Math.floor(at / pairs.length) * rows.width
    const [i, j] = pairs[at % pairs.length]!
    return rows.cells[from + besideColumn(i, column)]! - rows.cells[from + besideColumn(j, column)]!
  })
  const tests = jointTests({ width: pairs.length, cells }, uniform)
  if (tests === undefined) return undefined
  const falseDiscovery = benjaminiHochberg(tests.p)
  return {
    method: tests.method,
    of: (i, j) => {
      const pair = pairs.findIndex(([a, b]) => (a === i && b === j) || (a === j && b === i))
      return { p: tests.p[pair]!, adjusted: tests.adjusted[pair]!, falseDiscovery: falseDiscovery[pair]! }
    },
  }
}

/** Profit of one session on average, USDC, by the kept column that says it. */
export const profitOf = (sums: ReplicatedSums, column: number = PROFIT): Interval =>
  heldOver(replicatedInterval(sums, (totals) => totals[column]! / 1e6), basisOfColumn(column, [sums]))

/** The difference of two profits, first − second, paired, by the kept column that says them, USDC. */
export const profitDifference = (first: ReplicatedSums, second: ReplicatedSums, column: number): Interval =>
  heldOver(pairedDifference(first, second, (totals) => totals[column]! / 1e6), basisOfColumn(column, [first, second]))

/** Whether intervals over these sums say nothing about another history, because one cluster has everything. */
export const isConditional = (sums: ReplicatedSums): boolean => resampledRows(sums).unit === 'replications'

/** Profit by cluster, USDC, of one replication on average, by the kept column that says it: clusters × makers. */
export function profitsByCluster(sums: readonly ReplicatedSums[], kept: number = PROFIT): Float64Array {
  const { replications, clusters, width, cells } = beside(sums)
  return Float64Array.from({ length: clusters * sums.length }, (_, at) => {
    const [cluster, column] = [Math.floor(at / sums.length), besideColumn(at % sums.length, kept)]
    let micros = 0
    for (let r = 0; r < replications; r++) micros += cells[(r * clusters + cluster) * width + column]!
    return micros / replications / 1e6
  })
}
