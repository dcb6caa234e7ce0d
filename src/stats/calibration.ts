import { exactSum } from '../math/sum.ts'
import { clusterInterval, ratio } from './clusterInterval.ts'
import type { Uniform } from './counterUniform.ts'
import { clipped, type Interval } from './interval.ts'

/** A probability that was stated, and what came of it. */
export interface Forecast {
  /** The settlement cluster: forecasts of one count together. */
  readonly cluster: string
  /** 0…1. */
  readonly probability: number
  readonly happened: boolean
}

/** The forecasts of one range of probabilities. */
export interface CalibrationBin {
  /** Bounds of the range. The upper bound belongs to the next range, or in the last range to that range itself. */
  readonly from: number
  readonly to: number
  readonly count: number
  /** Mean probability, and the share that happened. Null for an empty range. */
  readonly mean: number | null
  readonly share: number | null
}

/** A test that probabilities are what they say. */
export interface CalibrationTest {
  /** Hotelling's T² of both moments, or the square of Student's t where both say the same. */
  readonly statistic: number
  readonly p: number
  readonly clusters: number
  readonly method: string
}

export interface Calibration {
  readonly bins: readonly CalibrationBin[]
  /** Mean of (probability − outcome)², 0 to 1, by cluster. */
  readonly brier: Interval
  /** Null below five clusters. */
  readonly test: CalibrationTest | null
}

export const CALIBRATION_BINS = 10
export const CALIBRATION_CLUSTERS_MIN = 5
/** Worlds whose outcomes are drawn, for each of the two ways in which outcomes of a cluster may depend. */
const WORLDS = 999
/** A determinant this small, beside the product of the variances, is the rounding of two moments that say the same. */
const SINGULAR = 1e-9
/** Equal worlds in another order differ by less. */
const ROUNDING = 1e-9

/** How far probabilities are calibrated: their reliability diagram, their Brier score (G. W. Brier, Monthly Weather Review 78, 1950), and a test. */
export function calibration(forecasts: readonly Forecast[], uniform: Uniform): Calibration {
  const names = [...new Set(forecasts.map(({ cluster }) => cluster))].toSorted((a, b) => (a < b ? -1 : 1))
  const byCluster = names.map((name) => forecasts.filter(({ cluster }) => cluster === name))
  const cells = Float64Array.from(byCluster.flatMap((own) => [exactSum(own.map(squareOf)), own.length]))
  return {
    bins: Array.from({ length: CALIBRATION_BINS }, (_, bin) => binOf(forecasts, bin)),
    brier: clipped(clusterInterval({ width: 2, cells }, ratio(0, 1), 'counted'), 0, 1),
    test: calibrationTest(byCluster, uniform),
  }
}

const squareOf = ({ probability, happened }: Forecast): number => (probability - Number(happened)) * (probability - Number(happened))

function binOf(forecasts: readonly Forecast[], bin: number): CalibrationBin {
  const own = forecasts.filter(({ probability }) => Math.min(CALIBRATION_BINS - 1, Math.floor(probability * CALIBRATION_BINS)) === bin)
  const count = own.length
  return {
    from: bin / CALIBRATION_BINS, to: (bin + 1) / CALIBRATION_BINS, count,
    mean: count === 0 ? null : exactSum(own.map(({ probability }) => probability)) / count,
    share: count === 0 ? null : own.filter(({ happened }) => happened).length / count,
  }
}

/**
 * Tests two moments at once, which are both zero in expectation where probabilities p are right: Σ(y − p), calibration in the large, and
 * Σ(y − p)(1 − 2p), the numerator of Spiegelhalter's Z (D. J. Spiegelhalter, Statistics in Medicine 5, 1986), which sees probabilities that
 * are too bold or too timid. Together they say what the score of Cox's recalibration says (D. R. Cox, Biometrika 45, 1958). Spiegelhalter's
 * variance takes outcomes as independent, which markets on one game are not: here the moments of each cluster are one observation, and the
 * statistic is Hotelling's T² of their mean (Annals of Mathematical Statistics 2, 1931).
 *
 * Outcomes are skewed and clusters few, so that the F distribution would refuse calibrated prices three times as often as it should. The
 * p-value is the share of T² at least as great where the outcomes are drawn at the probabilities: once each by itself, and once all of a
 * cluster by one uniform. The greater of both shares counts, because how outcomes of a cluster depend is not known.
 */
function calibrationTest(byCluster: readonly (readonly Forecast[])[], uniform: Uniform): CalibrationTest | null {
  const clusters = byCluster.length
  if (clusters < CALIBRATION_CLUSTERS_MIN) return null
  const [large, slope] = [new Float64Array(clusters), new Float64Array(clusters)]
  const momentsOf = (happened: (cluster: number, i: number, probability: number) => boolean): number => {
    for (const [c, own] of byCluster.entries()) {
      large[c] = slope[c] = 0
      for (let i = 0; i < own.length; i++) {
        const { probability } = own[i]!
        const off = (happened(c, i, probability) ? 1 : 0) - probability
        large[c]! += off
        slope[c]! += off * (1 - 2 * probability)
      }
    }
    return hotelling(large, slope)
  }
  const statistic = momentsOf((c, i) => byCluster[c]![i]!.happened)
  const shares = [true, false].map((isTogether) => {
    let reached = 0
    let at = 0
    for (let world = 0; world < WORLDS; world++) {
      const from = at
      const drawn = momentsOf((c, _, probability) => uniform(isTogether ? from + c : at++) < probability)
      if (isTogether) at += clusters
      if (drawn >= statistic * (1 - ROUNDING) - ROUNDING) reached++
    }
    return (reached + 1) / (WORLDS + 1)
  })
  return { statistic, p: Math.max(...shares), clusters, method: 'Hotelling\'s T² of calibration in the large and of Spiegelhalter\'s moment, by cluster, against outcomes drawn at the prices' }
}

/** T² of two columns: G · m′S⁻¹m. Where both say the same, as with equal prices, it is the square of Student's t of the first. */
function hotelling(large: Float64Array, slope: Float64Array): number {
  const count = large.length
  let [meanLarge, meanSlope] = [0, 0]
  for (let i = 0; i < count; i++) {
    meanLarge += large[i]! / count
    meanSlope += slope[i]! / count
  }
  let [v, w, both] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const [a, b] = [large[i]! - meanLarge, slope[i]! - meanSlope]
    v += (a * a) / (count - 1)
    w += (b * b) / (count - 1)
    both += (a * b) / (count - 1)
  }
  const determinant = v * w - both * both
  if (determinant > SINGULAR * v * w) return (count * (w * meanLarge * meanLarge - 2 * both * meanLarge * meanSlope + v * meanSlope * meanSlope)) / determinant
  return v > 0 ? (count * meanLarge * meanLarge) / v : meanLarge === 0 ? 0 : Infinity
}
