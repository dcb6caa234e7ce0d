import { calibration, CALIBRATION_CLUSTERS_MIN, type CalibrationBin, type CalibrationTest } from '../stats/calibration.ts'
import { counterUniform } from '../stats/counterUniform.ts'
import type { Interval } from '../stats/interval.ts'
import { fixed, plural } from '../unit/numberText.ts'

/** The level at which closing prices are called uncalibrated. */
export const LICENCE_LEVEL = 0.01

/** What leagues and sweeps rank by: cash less luck, or cash. */
export const MEASURES = ['luck-adjusted', 'cash'] as const
export type Measure = (typeof MEASURES)[number]
/** What each is called in a sentence. */
export const MEASURE_WORDS: Readonly<Record<Measure, string>> = { 'luck-adjusted': 'luck-adjusted profit', cash: 'cash profit' }

/** A market that a session listed, as far as its closing price can be judged. */
export interface SettledMarket {
  readonly cluster: string
  /** Chance of YES at the close, 0…1; NaN where no price is known. */
  readonly closing: number
  readonly result: 'yes' | 'no' | 'void'
  readonly resultBy: 'recorded' | 'drawn' | 'policy'
}

/**
 * How far the closing prices of a history are calibrated. Luck is what was paid less what was expected at the close, so that profit without
 * luck is as good as closing prices are: this is its licence. Markets whose recorded result is yes or no are judged. A drawn result was
 * drawn at its closing price, and says nothing.
 */
export interface Licence {
  /**
   * `calibrated`: the test does not refuse it at 1%. `uncalibrated`: it does, and cash leads. `untested`: results are of fewer than five
   * settlement clusters. `drawn`: no result is recorded, and drawn ones are calibrated by construction.
   */
  readonly verdict: 'calibrated' | 'uncalibrated' | 'untested' | 'drawn'
  readonly level: number
  /** Markets that are judged, and the settlement clusters that they lie in; and those whose result was drawn. */
  readonly markets: number
  readonly clusters: number
  readonly drawn: number
  /** The reliability diagram, by closing price. */
  readonly bins: readonly CalibrationBin[]
  /** The mean of (closing price − result)², with its interval by settlement cluster. */
  readonly brier: Interval
  readonly test: CalibrationTest | null
  /** All of it in one line of words, without a full stop. */
  readonly text: string
}

export function licenceOf(markets: readonly SettledMarket[]): Licence {
  const judged = markets.filter(({ closing, result, resultBy }) => resultBy === 'recorded' && result !== 'void' && !Number.isNaN(closing))
  const drawn = markets.filter(({ resultBy }) => resultBy === 'drawn').length
  const { bins, brier, test } = calibration(judged.map(({ cluster, closing, result }) => ({ cluster, probability: closing, happened: result === 'yes' })), counterUniform('licence'))
  const verdict = judged.length === 0 && drawn > 0 ? 'drawn' : test === null ? 'untested' : test.p < LICENCE_LEVEL ? 'uncalibrated' : 'calibrated'
  const licence = { verdict, level: LICENCE_LEVEL, markets: judged.length, clusters: new Set(judged.map(({ cluster }) => cluster)).size, drawn, bins, brier, test } as const
  return { ...licence, text: textOf(licence) }
}

/** Luck is taken out of profit unless closing prices are refused. */
export const measureOf = ({ verdict }: Licence): Measure => (verdict === 'uncalibrated' ? 'cash' : 'luck-adjusted')

function textOf({ verdict, markets, clusters, drawn, brier, test }: Omit<Licence, 'text'>): string {
  if (verdict === 'drawn') return `all ${plural(drawn, 'outcome')} are drawn at their closing prices, which are calibrated by construction`
  const of = `${plural(markets, 'market')} in ${plural(clusters, 'settlement cluster')}${drawn === 0 ? '' : `, ${plural(drawn, 'drawn one')} left out`}`
  if (brier.estimate === null) return 'no recorded result tells how far closing prices are calibrated'
  const score = `Brier ${fixed(brier.estimate, 3)}${brier.low === null || brier.high === null ? '' : ` [${fixed(brier.low, 3)}, ${fixed(brier.high, 3)}]`}, ${of}`
  if (test === null) return `not known whether closing prices are calibrated: below ${CALIBRATION_CLUSTERS_MIN} clusters nothing is tested; ${score}`
  return `closing prices are ${verdict === 'calibrated' ? 'calibrated as far as can be told' : 'NOT calibrated'} on this history, p ${fixed(test.p, 3)} at a level of ${LICENCE_LEVEL}; ${score}`
}
