import type { Measure } from '../score/licence.ts'
import type { ClusterSums } from '../stats/clusterInterval.ts'
import type { Interval } from '../stats/interval.ts'
import { CONDITIONAL } from '../stats/replicatedSums.ts'
import { deflatedSharpe, sharpeOf } from '../stats/sharpe.ts'
import { pickedMean } from '../stats/simultaneous.ts'
import { brief, grouped, percent } from '../unit/numberText.ts'
import { settingsText } from './axisNames.ts'
import { figureNamed, type MakerKey, pooledInterval } from './figures.ts'
import type { Maximise } from './maximise.ts'
import { PointProfits } from './pointProfits.ts'
import type { Session } from './sweepTable.ts'

/** What a search by successive halving did, and what it found. */
export interface SweepSearch extends MakerKey {
  readonly text: string
  readonly measure: Measure
  /** Points that were tried. */
  readonly points: number
  readonly rounds: readonly SearchRound[]
  /** Null where every point failed. */
  readonly winner: SearchWinner | null
}

export interface SearchRound {
  /** Replications of each point when the round ended. */
  readonly replications: number
  /** Points that were played in it, and the numbers of those that went on, best first. */
  readonly points: number
  readonly kept: readonly number[]
}

/** The winner of a search, judged by replications that did not choose it. Money is USDC of one session on average. */
export interface SearchWinner {
  /** Number of the point, from 1. */
  readonly point: number
  readonly settings: Readonly<Record<string, string>>
  /** The replications that the figures are of, the first and the last. */
  readonly fresh: { readonly from: number; readonly to: number }
  readonly luckAdjusted: Interval
  readonly profit: Interval
  /**
   * The interval of what was maximised, corrected for the choice among all points. New replications have other bettors, but the same history,
   * which helped to choose. Bonferroni's interval is as wide as holds for all points at once, so that it holds for whichever was chosen. Null
   * below two clusters and two new replications, where they are all alike, and with fewer than `measure` needs for an interval.
   */
  readonly corrected: { readonly low: number; readonly high: number; readonly p: number; readonly points: number; readonly label: string } | null
  /** Why there is no corrected interval. Null where there is one. */
  readonly uncorrected: string | null
  /**
   * Probability that the Sharpe ratio by cluster, of the new replications, is above the best of as many worthless points, whose ratios are of the
   * first round. Null with one cluster: then each new replication is a trial that did not choose, and there is nothing to deflate by.
   */
  readonly deflated: number | null
  readonly sentence: string
}

/** Judges the winner. @param trials profits of all points in the first round. @param settings of the winner */
export function winnerOf(
  maximise: Maximise, { point, sessions, settings, names = {} }: { readonly point: number; readonly sessions: readonly Session[]; readonly settings: Readonly<Record<string, string>>; readonly names?: Readonly<Record<string, string>> },
  trials: PointProfits, points: number,
): SearchWinner | null {
  const { measure, maker } = maximise
  if (sessions.length === 0) return null
  const scores = sessions.map(({ result }) => result.scores)
  const [luckAdjusted, profit] = ['luck-adjusted', 'profit'].map((name) => pooledInterval(scores, maximise, figureNamed(name)!)) as [Interval, Interval]
  const own = new PointProfits(measure)
  own.add(point, sessions)
  const { rows, unit, short } = own.rowsOf(maximise)
  const corrected = short === null ? correctedOf(rows, unit, points) : null
  const count = rows.cells.length
  const uncorrected = corrected !== null ? null : short ?? (count < 2 ? 'one settlement cluster, and fewer than two new replications' : `${count} ${unit}, all alike`)
  const tried = trials.rowsOf(maximise)
  const ratios = tried.points.map((_, column) => sharpeOf(tried.rows.cells.filter((__, at) => at % tried.rows.width === column)).ratio)
  const deflated = unit === 'replications' || short !== null ? NaN : deflatedSharpe(sharpeOf(rows.cells), ratios)
  const { estimate, low, high } = measure === 'cash' ? profit : luckAdjusted
  const sentence = `${maker}: of ${grouped(points, 0)} points ${settingsText(settings, names)} won, with ${estimate === null ? 'nothing' : `${brief(estimate, 3)} USDC`} ${measure}`
    + `${low === null || high === null ? '' : ` [${brief(low, 3)}, ${brief(high, 3)}]`} over ${grouped(sessions.length, 0)} replications that did not choose it`
    + `${corrected === null ? '' : `; corrected for the choice [${brief(corrected.low, 3)}, ${brief(corrected.high, 3)}]`}${uncorrected === null ? '' : `; not corrected for the choice: ${uncorrected}`}${Number.isFinite(deflated) ? `; deflated ${percent(deflated, 1)}` : ''}`
  return {
    point: point + 1, settings, fresh: { from: sessions[0]!.replication, to: sessions.at(-1)!.replication }, luckAdjusted, profit, corrected, uncorrected, deflated: orNull(deflated), sentence,
  }
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

function correctedOf({ cells }: ClusterSums, unit: 'clusters' | 'replications', points: number): SearchWinner['corrected'] {
  const found = pickedMean(cells, points)
  if (found === undefined) return null
  const scale = unit === 'clusters' ? cells.length : 1
  return {
    low: scale * found.low, high: scale * found.high, p: found.p, points,
    label: `${cells.length} ${unit}, skewness-adjusted t with Bonferroni's correction for ${points} points${unit === 'replications' ? `, ${CONDITIONAL}` : ''}`,
  }
}
