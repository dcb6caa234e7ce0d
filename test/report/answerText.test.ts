import { describe, expect, test } from 'vitest'
import { alarmLines } from '../../src/report/alarms.ts'
import { formatAnswer } from '../../src/report/answerText.ts'
import type { MakerSummary } from '../../src/score/makers.ts'
import { runHeadOf } from '../../src/score/runHead.ts'
import type { Summary } from '../../src/score/summary.ts'
import type { Interval } from '../../src/stats/interval.ts'

const atUs = (iso: string): number => Date.parse(iso) * 1000

const interval = (estimate: number | null, low: number | null = null, high: number | null = null): Interval => ({ estimate, low, high, level: 0.95, count: 30, label: low === null ? 'one cluster: no interval' : '30 clusters' })

interface Made {
  readonly profit: Interval
  readonly withoutLuck: Interval
  readonly fills?: number
  readonly selected?: number
  readonly late?: number
  readonly declined?: number
  readonly chainFailed?: number
  readonly decidedByClose?: number | null | undefined
  readonly blind?: boolean
}

const maker = (name: string, { profit, withoutLuck, fills = 100, selected = 100, late = 0, declined = 0, chainFailed, decidedByClose, blind = false }: Made): MakerSummary => ({
  name, profitMicros: profit.estimate! * 1e6, profit, settled: 90, attribution: { micros: { drift: -1_250_000 }, withoutReference: blind ? 90 : 89 }, luckAdjustedMicros: withoutLuck.estimate! * 1e6, luckAdjusted: withoutLuck, decidedByClose, hold: interval(0.1234),
  hits: { fills, ratio: interval(0.25), ...(chainFailed !== undefined && { chainFailed }) }, lastLook: { selected, timed_out: late, declined },
}) as unknown as MakerSummary

const SOUND = {
  service: 'parlay', seed: '7', window: { startUs: atUs('2025-06-19T22:00:00Z'), endUs: atUs('2025-06-20T01:36:59Z') }, requests: { count: 2000, clusters: 30, byEnd: { committed: 500, expired: 1500 } },
  coverage: { universe: 80, listed: 73, withoutPrices: 7, closed: 0, excluded: 0 }, positions: { won: 100, lost: 395, void: 0, open: 0 }, clusters: { by: 'gameDay', sharedPositions: 0 },
  conservation: { differenceMicros: 0, ledgerAgrees: true }, house: { revenueMicros: 12_340_000 }, bettors: [{ name: 'noise', profitMicros: -8_389_104_825 }, { name: 'sharp', profitMicros: 500_000_000 }], makers: [],
} as unknown as Summary

const withMakers = (...makers: readonly MakerSummary[]): Summary => ({ ...SOUND, makers })

describe('the answer of a run', () => {
  test('names who earned most first, with intervals, luck and what bettors lost', () => {
    const summary = withMakers(maker('small', { profit: interval(10.5, -3, 24), withoutLuck: interval(12, 9, 15) }), maker('a maker with a long name', { profit: interval(1234.5, 100, 2500), withoutLuck: interval(1300, 1000, 1600) }))
    expect(formatAnswer(summary)).toBe([
      'parlay, 2025-06-19 22:00 to 2025-06-20 01:36 UTC, seed 7: 2,000 requests, 500 filled (25.0%)',
      '',
      'maker                     profit USDC            95%  without luck            95%  fills  hit ratio   hold',
      'a maker with a long name     1,234.50    100 … 2,500      1,300.00  1,000 … 1,600    100      25.0%  12.3%',
      'small                           10.50  -3.00 … 24.00         12.00   9.00 … 15.00    100      25.0%  12.3%',
      '',
      'a maker with a long name earned most: 1,234.50 USDC. With 95% confidence its profit is between 100',
      'and 2,500, over 30 settlement clusters, which leaves little to chance. By the prices at its',
      'decisions it had earned 1,301.25 after fees. Drift, what prices did from then to the closes, took',
      '1.25, and luck, what results did after the closes, took 65.50.',
      'Bettors: noise -8,389.10, sharp +500.00 USDC. The house kept fees of 12.34 USDC.',
      'Nothing looks wrong: money is conserved, and every maker took part.',
      '',
    ].join('\n'))
  })

  test('names who has most without luck, where that is another', () => {
    const text = formatAnswer(withMakers(maker('lucky', { profit: interval(9), withoutLuck: interval(3) }), maker('able', { profit: interval(7), withoutLuck: interval(4) }))).replaceAll('\n', ' ')
    expect(text).toContain('lucky earned most: 9.00 USDC. Nothing says how much of it is chance: there is no interval. By the prices at its decisions it had earned 4.25 after fees. Drift, what prices did from then to the closes, took 1.25, and luck, what results did after the closes, gave 6.00. Without luck able has most, 4.00. ')
  })

  test('says nothing of drift and luck where V was never known', () => {
    const text = formatAnswer(withMakers(maker('m', { profit: interval(5), withoutLuck: interval(5), blind: true }))).replaceAll('\n', ' ')
    expect(text).not.toContain('Drift')
    expect(text).toContain('m earned: 5.00 USDC. Nothing says how much of it is chance')
  })

  test('keeps what makers lay off apart from bettors', () => {
    const layOff = { name: 'hedger lay-off', layOffOf: 'hedger', profitMicros: -421_070_000 }
    const said = (bettors: readonly object[]): string => formatAnswer({ ...SOUND, bettors: bettors as Summary['bettors'] }).replaceAll('\n', ' ')
    expect(said([...SOUND.bettors, layOff])).toContain('Bettors: noise -8,389.10, sharp +500.00 USDC. Lay-offs of makers: hedger -421.07 USDC. The house kept fees of 12.34 USDC.')
    expect(said([layOff])).toContain(' Lay-offs of makers: hedger -421.07 USDC. The house kept fees')
    const layingOff = runHeadOf({ label: 'interactive', digest: 'd', identity: { scenario: { makers: [{ name: 'hedger', service: 'parlay', layOff: { service: 'outcome', account: 'hedger lay-off' } }, { name: 'other' }] } } })!
    expect([layingOff.layOffOf('outcome', 'hedger lay-off'), layingOff.layOffOf('parlay', 'hedger lay-off'), layingOff.layOffOf('outcome', 'noise')]).toEqual(['hedger', null, null])
  })

  test.each([
    ['that it may be chance', interval(5, -3, 24), interval(5), 'earned: 5.00 USDC. With 95% confidence its profit is between -3.00 and 24.00, over 30 settlement clusters, so it may be chance. By the prices at its decisions it had earned 6.25 after fees. Drift, what prices did from then to the closes, took 1.25, and luck, what results did after the closes, gave 0.00. Bettors'],
    ['the interval without luck where cash has none', interval(-5), interval(7, 4, 9), 'lost: 5.00 USDC. With 95% confidence its profit without luck is between 4.00 and 9.00, over 30 settlement clusters, which leaves little to chance. By the prices at its decisions it had earned 8.25 after fees. Drift, what prices did from then to the closes, took 1.25, and luck, what results did after the closes, took 12.00.'],
    ['of a loss that its interval is of the profit', interval(-5, -9, -1), interval(-5), 'lost: 5.00 USDC. With 95% confidence its profit is between -9.00 and -1.00, over 30 settlement clusters, which leaves little to chance.'],
    ['why there is none', interval(5), { ...interval(5), label: '4 clusters of 3-leg parlays: an interval of cash would not hold; 40 needed' }, 'Nothing says how much of it is chance: 4 clusters of 3-leg parlays: an interval of cash would not hold; 40 needed.'],
  ])('says %s', (_, profit, withoutLuck, said) => {
    expect(formatAnswer(withMakers(maker('m', { profit, withoutLuck }))).replaceAll('\n', ' ')).toContain(said)
  })

  test.each([[0.409, '40.9% of positions rest on several clusters.'], [0.0004, 'below 0.1% of positions rest on several clusters.']])('says less than 95%% where a share of %d of positions rests on several clusters', (sharedPositions, said) => {
    const one = withMakers(maker('m', { profit: interval(5, 1, 9), withoutLuck: interval(5) }))
    expect(formatAnswer({ ...one, clusters: { ...one.clusters, sharedPositions } }).replaceAll('\n', ' ')).toContain(` With 95% confidence its profit is between 1.00 and 9.00, over 30 settlement clusters, which leaves out 0. The confidence is less than that, since ${said}`)
  })

  test.each([
    [interval(5, 1, 9), interval(3, 2, 4), ' is between 1.00 and 9.00, over 30 settlement clusters, which leaves little to chance. Its lead over b, 3.00, is between 2.00 and 4.00, which leaves little to chance. By the'],
    [interval(5, 1, 9), interval(3, 0, 6), ' Its lead over b, 3.00, is between 0.00 and 6.00, so it may be chance. By the'],
    [interval(5, -1, 9), interval(3, 2, 4), ' is between -1.00 and 9.00, over 30 settlement clusters, so it may be chance. Its lead over b, 3.00, is between 2.00 and 4.00, which leaves little to chance. By the'],
    [interval(5, -1, 9), interval(3, -2, 8), ' Its lead over b, 3.00, is between -2.00 and 8.00, so it may be chance. By the'],
    [interval(5, 1, 9), interval(3), ' between 1.00 and 9.00, over 30 settlement clusters, which leaves little to chance. By the'],
  ])('says whether the lead may be chance: %#', (profit, lead, said) => {
    const two = withMakers(maker('a', { profit, withoutLuck: interval(5) }), maker('b', { profit: interval(2), withoutLuck: interval(2) }))
    expect(formatAnswer({ ...two, lead: { first: 'a', second: 'b', profit: lead } }).replaceAll('\n', ' ')).toContain(said)
  })

  test.each([[0.5, true], [0.499, false], [null, false], [undefined, false]])('says where chance is found when prices had decided %s of what was uncertain', (decidedByClose, isSaid) => {
    const text = formatAnswer(withMakers(maker('m', { profit: interval(5), withoutLuck: interval(5), decidedByClose }))).replaceAll('\n', ' ')
    expect(text.includes(' Prices had decided 50% of what was uncertain before the closes: what chance did by then is in the drift.')).toBe(isSaid)
  })

  test('of one settlement cluster says that nothing is known of chance, and has no columns of intervals', () => {
    const text = formatAnswer({ ...withMakers(maker('m', { profit: interval(5), withoutLuck: interval(4) })), requests: { ...SOUND.requests, clusters: 1 } }).replaceAll('\n', ' ')
    expect(text).toContain('It rests on one settlement cluster, so nothing says how much of it is chance')
    expect(text).not.toContain('95%')
  })

  test.each([
    ['two that earned the same', [5, 5, 4], 'a and b earned most: 5.00 USDC each.'], ['two that lost the same', [-5, -5], 'a and b lost least: 5.00 USDC each.'], ['makers that earned nothing', [0, 0], 'No maker earned or lost anything.'],
  ])('of %s names no first', (_, profits, said) => {
    expect(formatAnswer(withMakers(...profits.map((usdc, i) => maker('abc'[i]!, { profit: interval(usdc), withoutLuck: interval(usdc) }))))).toContain(said)
  })

  test('of a run without fills says so, and one without makers has no table', () => {
    expect(formatAnswer(withMakers(maker('m', { profit: interval(0), withoutLuck: interval(0), fills: 0 })))).toContain('No maker had a fill.')
    expect(formatAnswer(SOUND)).not.toContain('maker  ')
  })

  test('has five alarms at most, and counts the others', () => {
    const makers = Array.from({ length: 7 }, (_, i) => maker(`m${i}`, { profit: interval(1), withoutLuck: interval(1), fills: 19 }))
    expect(formatAnswer(withMakers(...makers)).split('\n').slice(-7)).toEqual([...[0, 1, 2, 3, 4].map((i) => `- m${i} has 19 fills: too few for its ratios`), '- and 2 more, with --full', ''])
  })
})

describe('what looks wrong', () => {
  const even = { profit: interval(1), withoutLuck: interval(1) }

  // Each at its threshold, and just before it.
  test.each<[what: string, wrong: Summary, sound: Summary, line: string]>([
    ['money that is not conserved', { ...SOUND, conservation: { ...SOUND.conservation, differenceMicros: -20_000 } }, SOUND, 'money is not conserved: -0.02 USDC are too many or too few'],
    ['a ledger that differs from the tables', { ...SOUND, conservation: { ...SOUND.conservation, ledgerAgrees: false } }, SOUND, 'the ledger and the tables differ'],
    ['an open position', { ...SOUND, positions: { ...SOUND.positions, open: 1 } }, SOUND, '1 position is still open, and in no profit'],
    ['transactions that failed', { ...SOUND, vaultTransactions: { failed: 2 } } as unknown as Summary, { ...SOUND, vaultTransactions: { failed: 0 } } as unknown as Summary, '2 transactions failed on the chain'],
    ['a tenth of the markets never offered', { ...SOUND, coverage: { ...SOUND.coverage, listed: 72, withoutPrices: 8 } }, SOUND, 'never offered: 8 of 80 markets: 8 without a price in the window (history.from and history.to)'],
    ['a twentieth of positions void', { ...SOUND, positions: { ...SOUND.positions, lost: 375, void: 25 } }, { ...SOUND, positions: { ...SOUND.positions, lost: 376, void: 24 } }, '25 of 500 (5.0%) positions were void: their stakes went back'],
    ['a twentieth of selections late', withMakers(maker('m', { ...even, late: 5 })), withMakers(maker('m', { ...even, late: 4 })), 'm let 5 of 100 (5.0%) selections time out'],
    ['a quarter of selections declined', withMakers(maker('m', { ...even, declined: 25 })), withMakers(maker('m', { ...even, declined: 24 })), 'm declined 25 of 100 (25.0%) selections'],
    ['fewer than 20 fills', withMakers(maker('m', { ...even, fills: 19 })), withMakers(maker('m', { ...even, fills: 20 })), 'm has 19 fills: too few for its ratios'],
    ['a fill lost on the chain', withMakers(maker('m', { ...even, chainFailed: 1 })), withMakers(maker('m', { ...even, chainFailed: 0 })), 'm lost 1 fill on the chain'],
    ['positions on several clusters', { ...SOUND, clusters: { by: 'game', sharedPositions: 0.409 } }, SOUND, '40.9% of positions rest on several settlement clusters: intervals are too narrow'],
    ['closing prices that are not calibrated', { ...SOUND, licence: { verdict: 'uncalibrated', text: 'p .001' } } as unknown as Summary, { ...SOUND, licence: { verdict: 'calibrated', text: 'p .4' } } as unknown as Summary, 'profit without luck is not to be relied on: p .001'],
  ])('is %s', (_, wrong, sound, line) => {
    expect([alarmLines(wrong), alarmLines(sound)]).toEqual([[line], []])
  })

  test('is a maker that never quoted, once, and of which service', () => {
    const quiet = { ...withMakers(maker('m', { ...even, fills: 0 })), quiet: [{ name: 'm', why: 'never quoted', delivered: 0, passes: 0, commands: 0, refused: 0, most: null }] } as unknown as Summary
    expect(alarmLines(quiet)).toEqual(['m never quoted: no request reached it'])
    expect(alarmLines({ services: { parlay: quiet, outcome: { ...SOUND, service: 'outcome' } } } as unknown as Summary)).toEqual(['parlay: m never quoted: no request reached it'])
  })
})
