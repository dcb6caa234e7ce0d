import { describe, expect, it } from 'vitest'
import { calibration, type Forecast } from '../../src/stats/calibration.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { drawsOf } from '../draws.ts'

const uniform = counterUniform('calibration')

/** Markets by cluster, as [price, whether YES]. */
const forecasts = (...clusters: readonly (readonly (readonly [number, boolean])[])[]): Forecast[] =>
  clusters.flatMap((own, c) => own.map(([probability, happened]) => ({ cluster: `c${String(c).padStart(3, '0')}`, probability, happened })))

/** Clusters of ten markets whose prices are drawn, and whose outcomes are drawn at `chance(price)`. */
function drawn(seed: number, clusters: number, chance: (price: number) => number): Forecast[] {
  const draw = drawsOf(seed)
  return forecasts(...Array.from({ length: clusters }, () => Array.from({ length: 10 }, () => {
    const price = (1 + draw(98)) / 100
    return [price, draw(1e6) / 1e6 < chance(price)] as const
  })))
}

describe('the Brier score and the reliability diagram', () => {
  it('are those by hand', () => {
    // Squares .04, .64, .25 and .01: .94 of four. Two clusters, t on the jackknife with one degree of freedom: without the one .13, without the other .34,
    // so a standard error of .105.
    const { brier, bins, test } = calibration(forecasts([[0.8, true], [0.8, false]], [[0.5, true], [0.9, true]]), uniform)
    expect(brier.estimate).toBeCloseTo(0.235, 12)
    expect(brier).toMatchObject({ count: 2, low: 0, high: 1 })
    expect(bins.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 2, 1])
    expect(bins[8]).toEqual({ from: 0.8, to: 0.9, count: 2, mean: 0.8, share: 0.5 })
    expect(bins[0]).toMatchObject({ mean: null, share: null })
    // Two clusters are too few for a test.
    expect(test).toBeNull()
  })

  it('put a certain price into the last bin', () => {
    expect(calibration(forecasts([[1, true], [0, false]]), uniform).bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })
})

describe('the test of calibration', () => {
  it('has Hotelling\'s T² by hand', () => {
    // Ten clusters of one market: at .2 five times NO but once YES, at .8 five times YES but once NO… Residuals of .2: −.2 four times and .8 once;
    // of .8: .2 four times and −.8 once. In the large they sum to 0. Times 1 − 2p = ±.6: −.12 four times and .48, −.12 four times and .48: sum 0.
    const fair = forecasts(...[false, false, false, false, true].map((yes) => [[0.2, yes] as const]), ...[true, true, true, true, false].map((yes) => [[0.8, yes] as const]))
    expect(calibration(fair, uniform).test).toMatchObject({ clusters: 10 })
    expect(calibration(fair, uniform).test!.statistic).toBeCloseTo(0, 12)
    expect(calibration(fair, uniform).test!.p).toBeCloseTo(1, 12)
    // All NO at .2, four of five YES at .8: residuals −.2 ×5, .2 ×4, −.8: mean −.1; moments −.12 ×9, .48: mean −.06.
    // Variances: Σx² = 9 · .04 + .64 = 1 less 10 · .01 is .9, over 9: .1; Σy² = 9 · .0144 + .2304 = .36 less .036: .324, over 9 .036; Σxy = 5 · .024 − 4 · .024 − .384 = −.36
    // less 10 · .006: −.42, over 9. T² = 10 (.036 · .01 + 2 · .42/9 · .006 + .1 · .0036)/(.0036 − (.42/9)²).
    const timid = forecasts(...Array.from({ length: 5 }, () => [[0.2, false] as const]), ...[true, true, true, true, false].map((yes) => [[0.8, yes] as const]))
    const { statistic, p } = calibration(timid, uniform).test!
    const expected = (10 * (0.036 * 0.01 + 2 * (0.42 / 9) * 0.006 + 0.1 * 0.0036)) / (0.0036 - (0.42 / 9) ** 2)
    expect(statistic).toBeCloseTo(expected, 9)
    // Worlds drawn at these prices are seldom as odd as F would have it, (1 + T²/9)^−4 = .12, and never all less odd.
    expect(p).toBeGreaterThan((1 + expected / 9) ** -4)
    expect(p).toBeLessThan(1)
  })

  it('with prices that are all ½ is Student\'s t of the number of YES', () => {
    // Residuals of ±½: eight YES and two NO of ten: mean .3, variance (10 · .25 − .9)/9.
    const eight = forecasts(...Array.from({ length: 10 }, (_, i) => [[0.5, i < 8] as const]))
    const { statistic } = calibration(eight, uniform).test!
    expect(statistic).toBeCloseTo(0.09 / ((2.5 - 0.9) / 9 / 10), 12)
  })

  it('refuses what is bold, timid or shifted, on the side of 1 % where it belongs', () => {
    const p = (chance: (price: number) => number): number => calibration(drawn(5, 40, chance), uniform).test!.p
    expect(p((price) => price)).toBeGreaterThan(0.01)
    // Truth nearer to ½ than prices, farther from it, and 15 points below.
    expect(p((price) => 0.25 + price / 2)).toBeLessThan(0.01)
    expect(p((price) => (price < 0.5 ? price * price : 1 - (1 - price) * (1 - price)))).toBeLessThan(0.01)
    expect(p((price) => Math.max(0, price - 0.15))).toBeLessThan(0.01)
  })

  it('refuses calibrated prices about as often as it says, where the markets of a cluster share one outcome', () => {
    const share = (make: (seed: number) => Forecast[]): number => {
      let refused = 0
      for (let seed = 0; seed < 200; seed++) if (calibrationP(make(seed)) < 0.05) refused++
      return refused / 200
    }
    const calibrationP = (of: Forecast[]): number => calibration(of, uniform).test!.p
    // Of 200 at 5 %: 10 ± 3 · 3.1, where Hotelling's own distribution refuses 15 %.
    const together = (seed: number): Forecast[] => drawn(seed, 20, (price) => price).flatMap((one, i) => (i % 10 === 0 ? [one, one, one, one] : []))
    expect(share(together)).toBeLessThan(0.097)
  })
})
