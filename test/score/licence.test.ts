import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runScenario } from '../../src/scenario/run.ts'
import { licenceOf, measureOf, type SettledMarket } from '../../src/score/licence.ts'
import { type Summary, summariseRun } from '../../src/score/summary.ts'
import { historyLicence } from '../../src/sweep/historyClusters.ts'
import { drawsOf } from '../draws.ts'
import { newFolder, prepared, SMALL } from '../scenario/small.ts'

const market = (cluster: string, closing: number, result: SettledMarket['result'], resultBy: SettledMarket['resultBy'] = 'recorded'): SettledMarket => ({ cluster, closing, result, resultBy })

/** Thirty clusters of ten markets whose results are drawn at `chance` of their closing price, and recorded. */
function history(seed: number, chance: (price: number) => number): SettledMarket[] {
  const draw = drawsOf(seed)
  return Array.from({ length: 300 }, (_, i) => {
    const price = (1 + draw(98)) / 100
    return market(`week ${i % 30}`, price, draw(1e6) / 1e6 < chance(price) ? 'yes' : 'no')
  })
}

describe('the licence of profit without luck', () => {
  it('counts recorded results of yes and no whose close is known, and their Brier score by hand', () => {
    const markets = [
      market('a', 0.8, 'yes'), market('a', 0.8, 'no'), market('b', 0.5, 'yes'), market('b', 0.9, 'yes'),
      market('c', 0.7, 'no', 'drawn'), market('c', 0.7, 'void'), market('c', 0.7, 'void', 'policy'), market('d', NaN, 'yes'),
    ]
    const licence = licenceOf(markets)
    // .04 + .64 + .25 + .01 of four.
    expect(licence.brier.estimate).toBeCloseTo(0.235, 12)
    expect(licence).toMatchObject({ verdict: 'untested', markets: 4, clusters: 2, drawn: 1, test: null })
    expect(licence.text).toContain('not known whether closing prices are calibrated: below 5 clusters nothing is tested; Brier 0.235')
    expect(licence.text).toContain('4 markets in 2 settlement clusters, 1 drawn one left out')
    expect(measureOf(licence)).toBe('luck-adjusted')
  })

  it('is held by calibrated closes, and lost by those that are not: cash ranks then', () => {
    const calibrated = licenceOf(history(3, (price) => price))
    expect(calibrated.verdict).toBe('calibrated')
    expect(calibrated.test!.p).toBeGreaterThan(0.01)
    expect(measureOf(calibrated)).toBe('luck-adjusted')
    const low = licenceOf(history(3, (price) => Math.max(0, price - 0.12)))
    expect(low.verdict).toBe('uncalibrated')
    expect(low.test!.p).toBeLessThan(0.01)
    expect(low.text).toContain('closing prices are NOT calibrated on this history')
    expect(measureOf(low)).toBe('cash')
    const bold = licenceOf(history(3, (price) => 0.3 + 0.4 * price))
    expect(measureOf(bold)).toBe('cash')
  })

  it('is given by construction where every result is drawn, and says so', () => {
    const licence = licenceOf(history(4, () => 0).map((one) => ({ ...one, resultBy: 'drawn' })))
    expect(licence).toMatchObject({ verdict: 'drawn', markets: 0, drawn: 300 })
    expect(licence.text).toBe('all 300 outcomes are drawn at their closing prices, which are calibrated by construction')
    expect(measureOf(licence)).toBe('luck-adjusted')
    expect(licenceOf([])).toMatchObject({ verdict: 'untested', text: 'no recorded result tells how far closing prices are calibrated' })
  })

  it('of a run\'s tables is that of its history, which sweeps and leagues have', async () => {
    const { loaded, prepared: own } = await prepared(SMALL.replace('max: 200', 'max: 10').concat('inference: { cluster: game }\n'))
    const path = join(newFolder(), 'run')
    mkdirSync(path)
    await runScenario(loaded, own, { target: { path, force: false, numbered: false } })
    const { licence } = await summariseRun(path) as Summary
    expect(licence!.markets).toBeGreaterThan(20)
    expect(licence!.clusters).toBeGreaterThan(5)
    expect(licence).toEqual(historyLicence(own))
  })
})
