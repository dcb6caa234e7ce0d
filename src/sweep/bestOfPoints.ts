import type { Measure } from '../score/licence.ts'
import { type AdjustedTest, bestOf } from '../stats/bestOf.ts'
import { counterUniform } from '../stats/counterUniform.ts'
import { CONDITIONAL } from '../stats/replicatedSums.ts'
import { brief, fixed, grouped, percent } from '../unit/numberText.ts'
import { settingsText } from './axisNames.ts'
import { keyText, type MakerKey } from './figures.ts'
import type { PointProfits } from './pointProfits.ts'

/** The level at which a best point is called better. */
const LEVEL = 0.05

/** A maker's best point, and whether it can be told from chance. Money is USDC of one session on average. */
export interface SweepBest extends MakerKey {
  readonly measure: Measure
  /** Points that were compared. Those without a session of this maker are left out. */
  readonly points: number
  /** Number of the best point, from 1, and its settings. */
  readonly point: number
  readonly settings: Readonly<Record<string, string>>
  /** Null with fewer than two settlement clusters and fewer than two replications, and with fewer than `measure` needs for an interval. */
  readonly tests: SweepBestTests | null
  /** All of it in words. */
  readonly sentence: string
}

export interface SweepBestTests {
  readonly profit: number
  /** The profit less the mean of the other points. */
  readonly overOthers: number
  /** Of a zero profit, and of a zero difference to the mean of the other points, both adjusted for all points. */
  readonly zero: AdjustedTest
  readonly others: AdjustedTest
  /** Sharpe ratio by row, and the probability that it is above the best of as many worthless points. Null where undefined. */
  readonly sharpe: number | null
  readonly deflated: number | null
  readonly rows: number
  readonly unit: 'clusters' | 'replications'
  readonly method: string
}

/** The best point of each maker that took part at two or more. @param settingsOf settings of a point, counted from 0 @param names of axes, by path */
export function bestOfPoints(
  profits: PointProfits, measure: Measure, settingsOf: (point: number) => Readonly<Record<string, string>>, names: Readonly<Record<string, string>> = {},
): SweepBest[] {
  return profits.keys.flatMap((key): SweepBest[] => {
    const { points, rows, unit, short } = profits.rowsOf(key)
    if (points.length < 2) return []
    const found = bestOf(rows, counterUniform(`sweep/${keyText(key)}/best`))
    const best = points[found?.best ?? 0]!
    const about = { ...key, measure, points: points.length, point: best + 1, settings: settingsOf(best) }
    if (found === undefined) {
      return [{ ...about, tests: null, sentence: `${key.maker}: nothing tells the best of ${points.length} points from chance: one settlement cluster, and fewer than two replications` }]
    }
    const scale = unit === 'clusters' ? found.rows : 1
    if (short !== null) return [{ ...about, tests: null, sentence: `${key.maker}: nothing tells the best of ${points.length} points from chance: ${short}` }]
    const { zero, others, sharpe, deflated, method } = found
    const tests: SweepBestTests = {
      profit: found.mean * scale, overOthers: found.overOthers * scale, zero, others, sharpe: orNull(sharpe), deflated: orNull(deflated), rows: found.rows, unit, method,
    }
    return [{ ...about, tests, sentence: sentenceOf(about, tests, settingsText(about.settings, names)) }]
  })
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** A p-value without its leading zero. */
export const pText = (p: number): string => (p < 0.001 ? 'below .001' : p >= 0.9995 ? '1' : fixed(p, 3).slice(1))

function sentenceOf({ maker, measure, points }: Omit<SweepBest, 'tests' | 'sentence'>, { profit, overOthers, zero, others, deflated, unit }: SweepBestTests, settings: string): string {
  const isAbove = profit > 0 && zero.adjusted < LEVEL
  const isBetter = others.adjusted < LEVEL
  const verdict = isAbove && isBetter ? 'is above zero and better than the others' : isAbove ? 'is above zero, but not told apart from the others'
    : isBetter ? `is better than the others, but ${profit < 0 && zero.adjusted < LEVEL ? 'loses all the same' : 'not told apart from zero'}` : 'is not told apart from chance'
  return `${maker}: the best of ${grouped(points, 0)} points, ${settings}, ${verdict}: ${brief(profit, 3)} USDC ${measure}, adjusted p ${pText(zero.adjusted)}; `
    + `${brief(overOthers, 3)} more than the others, adjusted p ${pText(others.adjusted)}; deflated ${percent(deflated, 1)}${unit === 'replications' ? `; ${CONDITIONAL}` : ''}`
}
