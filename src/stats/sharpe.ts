import { normalCdf, normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'

/** The Euler–Mascheroni constant. */
const EULER = 0.5772156649015329
const E = 2.718281828459045
/** Results that differ by less than this share of their mean differ by rounding only. */
const ROUNDING = 1e-12

/** What a Sharpe ratio is judged by. */
export interface SharpeMoments {
  /** Mean over standard deviation (of n − 1) per period, against zero. NaN for fewer than two periods or equal results. */
  readonly ratio: number
  readonly periods: number
  /** For normal returns these are 0 and 3. */
  readonly skew: number
  readonly kurtosis: number
}

/** The Sharpe ratio of results by period (a settlement cluster), and their third and fourth standardised moments. */
export function sharpeOf(results: ArrayLike<number>): SharpeMoments {
  const values = Float64Array.from(results)
  const periods = values.length
  const mean = exactSum(values) / periods
  const off = values.map((value) => value - mean)
  const moment = (order: number): number => exactSum(off.map((x) => (order === 2 ? x * x : order === 3 ? x * x * x : x * x * x * x))) / periods
  const variance = moment(2)
  if (periods < 2 || !(variance > (ROUNDING * mean) ** 2)) return { ratio: NaN, periods, skew: NaN, kurtosis: NaN }
  const deviation = Math.sqrt(variance)
  return {
    ratio: mean / Math.sqrt((variance * periods) / (periods - 1)), periods,
    skew: moment(3) / (variance * deviation), kurtosis: moment(4) / (variance * variance),
  }
}

/**
 * The probability that the true Sharpe ratio is above a benchmark (D. H. Bailey and M. López de Prado, "The Sharpe ratio
 * efficient frontier", Journal of Risk 15, 2012). Periods are taken as independent. NaN where it is undefined.
 */
export function probabilisticSharpe({ ratio, periods, skew, kurtosis }: SharpeMoments, benchmark: number): number {
  const variance = 1 - skew * ratio + ((kurtosis - 1) / 4) * ratio * ratio
  return periods < 2 || !(variance > 0) ? NaN : normalCdf(((ratio - benchmark) * Math.sqrt(periods - 1)) / Math.sqrt(variance))
}

/**
 * The Sharpe ratio that the best of N worthless trials is expected to show: √V · ((1 − γ)Φ⁻¹(1 − 1/N) + γΦ⁻¹(1 − 1/(Ne))), where V
 * is the variance of the trials' ratios and γ the Euler–Mascheroni constant. For one trial it is 0.
 */
export const expectedMaximumSharpe = (trials: number, variance: number): number =>
  (trials < 2 ? 0 : Math.sqrt(variance) * ((1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * E))))

/**
 * The deflated Sharpe ratio: the probability that the true ratio is above what the best of as many worthless trials would show
 * (D. H. Bailey and M. López de Prado, Journal of Portfolio Management 40, 2014).
 *
 * @param trials the ratios of everything that was tried, including this one. Undefined ratios are left out.
 */
export function deflatedSharpe(moments: SharpeMoments, trials: ArrayLike<number>): number {
  const defined = Float64Array.from(trials).filter((ratio) => Number.isFinite(ratio))
  const mean = exactSum(defined) / defined.length
  const variance = defined.length < 2 ? 0 : exactSum(defined.map((ratio) => (ratio - mean) * (ratio - mean))) / (defined.length - 1)
  return probabilisticSharpe(moments, expectedMaximumSharpe(defined.length, variance))
}
