import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arrivalsEndUs } from '../../src/engine/arrivalsEnd.ts'
import type { MarketDraft } from '../../src/feed/marketDraft.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { coverageBody } from '../../src/report/pageHead.ts'
import { arrivalsEndText, askText, unaskedLines } from '../../src/report/unaskedText.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { askedFor } from '../../src/scenario/askedFor.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import type { AskCounts } from '../../src/unit/askFilters.ts'
import { HOUR_US, MINUTE_US } from '../../src/unit/time.ts'
import { DAY, draftOf, type Row, writeRows } from '../feed/store/rows.ts'
import { newFolder, put } from './small.ts'

const at = (hour: number, minute = 0, us = 0): number => DAY + hour * HOUR_US + minute * MINUTE_US + us
type Book = readonly [bidE6: number, askE6: number]
interface Made { readonly market?: Partial<MarketDraft>; readonly atUs: number; readonly book?: Book; readonly later?: readonly [atUs: number, book: Book] }

/** A session from 12:00 to 14:00, in which bettors arrive for an hour and look at prices of ten minutes. */
async function scenarioOf(made: readonly Made[], bettors: string, more = '', arrivals = '{ until: 1h }') {
  const folder = newFolder()
  const markets = made.map(({ market }, i) => draftOf(`m${i}`, { exclusionKeys: [`market:${i}`], openUs: DAY, outcome: 'yes', settledUs: at(20), ...market }))
  const rows = made.flatMap(({ atUs, book = [490_000, 510_000], later }, i) =>
    [[atUs, book] as const, ...(later === undefined ? [] : [later])].map(([us, [bid, ask]]): Row => [us, i, bid, ask, 1, 1, -1])).toSorted((a, b) => a[0] - b[0])
  await writeRows(join(folder, 'store'), markets, rows)
  return loadScenario(put(folder, 'asked.yaml', `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ./store, from: 2025-06-19T12:00:00Z, to: 2025-06-19T14:00:00Z, maxAge: 10m }
arrivals: ${arrivals}
bettors: [{ name: them, latency: { feed: 0ms }, n: 10, every: 1m, ${bettors} }]
makers: [{ use: fixed-margin, capital: 50000 USDC }]
${more}`))
}

async function counted(made: readonly Made[], bettors = 'kind: noise'): Promise<AskCounts> {
  const { resolved, strategies, store } = await prepareScenario(await scenarioOf([...made, ...ANY], bettors))
  return askedFor(buildSession(resolved, strategies, store), resolved.bettors[0]!).markets
}

/** Two markets that could be asked for. */
const ANY: readonly Made[] = [{ atUs: at(12) }, { atUs: at(12) }]

describe('a market that bettors cannot ask for is counted by the first filter that it does not get past', () => {
  it.each<[string, Made, AskCounts]>([
    ['whose price is before the window', { atUs: at(11, 59, 59_999_999) }, { 'no price in the window': 1 }],
    ['whose price is at the begin of the window', { atUs: at(12) }, {}],
    ['whose close was known to be over', { atUs: at(12, 10), market: { scheduledCloseUs: at(12, 10), scheduledCloseKnownUs: DAY } }, { 'closed before the first price': 1 }],
    ['whose close was a microsecond ahead', { atUs: at(12, 10), market: { scheduledCloseUs: at(12, 10, 1), scheduledCloseKnownUs: DAY } }, {}],
    ['without a result', { atUs: at(12), market: { outcome: null, settledUs: null } }, { 'no result': 1 }],
    ['that is listed as arrivals end', { atUs: at(13) }, { 'not traded while bettors arrive': 1 }],
    ['that is listed a microsecond before', { atUs: at(12, 59, 59_999_999) }, {}],
    ['with one side of a book', { atUs: at(12), book: [490_000, -1] }, { 'no price while it trades': 1 }],
    ['whose price is a microsecond too old when it opens', { atUs: at(12, 5), market: { openUs: at(12, 15, 1) } }, { 'prices older than maxAge': 1 }],
    ['whose price is as old as may be when it opens', { atUs: at(12, 5), market: { openUs: at(12, 15) } }, {}],
    ['at 97.5%', { atUs: at(12), book: [970_000, 980_000] }, { 'prices outside of priceMin': 1 }],
    ['at 97%', { atUs: at(12), book: [960_000, 980_000] }, {}],
    ['at 2.5%', { atUs: at(12), book: [20_000, 30_000] }, { 'prices outside of priceMin': 1 }],
  ])('%s', async (_, market, taken) => {
    expect(await counted([market])).toEqual({ ...taken, left: Object.keys(taken).length === 0 ? 3 : 2 })
  })

  it('by its best instant, also where prices of two markets change at once', async () => {
    // The first is priced well until 12:30, and the second from then on.
    const { resolved, strategies, store } = await prepareScenario(await scenarioOf([
      { atUs: at(12), later: [at(12, 30), [990_000, 992_000]] }, { atUs: at(12), book: [990_000, 992_000], later: [at(12, 30), [490_000, 510_000]] },
    ], 'kind: noise'))
    expect(askedFor(buildSession(resolved, strategies, store), resolved.bettors[0]!).markets).toEqual({ left: 2 })
  })

  it('without a favourite, for those who chase favourites', async () => {
    expect(await counted([{ atUs: at(12), book: [690_000, 710_000] }], 'kind: favourite')).toEqual({ 'no favourite': 2, 'fewer than legsMin': 1 })
  })

  it('that no other one goes with', async () => {
    const game = { game: 'g', exclusionKeys: ['game:g'] }
    expect(await counted([{ atUs: at(12), market: game }, { atUs: at(12), market: game }])).toEqual({ left: 4 })
    const { resolved, strategies, store } = await prepareScenario(await scenarioOf([{ atUs: at(12), market: game }, { atUs: at(12), market: game }], 'kind: noise'))
    expect(askedFor(buildSession(resolved, strategies, store), resolved.bettors[0]!).markets).toEqual({ 'legs exclude each other': 2 })
  })

  it.each<[string, string[][], number, boolean]>([
    ['two games of two have no three', [['x'], ['x'], ['y'], ['y']], 3, false], ['two games of two have two', [['x'], ['x'], ['y'], ['y']], 2, true],
    ['three that exclude each other by pairs have no two', [['xy', 'xz'], ['xy', 'yz'], ['xz', 'yz']], 2, false], ['the first need not be one of them', [['x', 'y'], ['x'], ['y']], 2, true],
  ])('that go together with too few: %s', async (_, games, legs, canBe) => {
    const made = games.map((exclusionKeys) => ({ atUs: at(12), market: { exclusionKeys } }))
    const { resolved, strategies, store } = await prepareScenario(await scenarioOf(made, `kind: noise, legsMin: ${legs}, legsMax: ${legs}`))
    expect(askedFor(buildSession(resolved, strategies, store), resolved.bettors[0]!).markets).toEqual(canBe ? { left: games.length } : { 'legs exclude each other': games.length })
  })
})

const OLD: readonly Made[] = [0, 1, 2].map(() => ({ atUs: at(12, 5), market: { openUs: at(12, 30) } }))

describe('a run without requests', () => {
  it('says which filter took the markets, and which setting moves it, and is proven', async () => {
    const loaded = await scenarioOf([...OLD, { atUs: at(11) }], 'kind: noise')
    const path = join(newFolder(), 'run')
    const { manifest } = await runScenario(loaded, await prepareScenario(loaded), { target: { path, force: false, numbered: false } })
    expect(manifest.counts).toMatchObject({ listed: 3, 'prices older than maxAge for parlay:them': 3, 'no price in the window for parlay:them': 1 })
    const summary = await summarise(path)
    expect(summary.unasked).toEqual([{ cohort: 'them', markets: { 'no price in the window': 1, 'prices older than maxAge': 3 }, youngShare: 0 }])
    const line = "them asked for nothing: 4 markets, of them 1 without a price in the window, 3 with prices older than maxAge, none left; see the cohort's maxAge, or history.maxAge"
    expect(unaskedLines(summary)).toEqual([line])
    const text = formatSummary(summary)
    expect(text).toContain('not offered 1 of 4 markets: 1 without a price in the window (history.from and history.to)\n')
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`not asked ${line}`)
    expect((await verifyRun(path)).verdict).toBe('proven')
  })

  it('is a matter of cohorts that choose, and of those that asked for nothing', async () => {
    const loaded = await scenarioOf([...OLD, ...ANY], 'kind: noise, maxAge: 2h')
    const { manifest } = await runScenario(loaded, await prepareScenario(loaded), { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
    expect(Object.keys(manifest.counts).filter((name) => name.includes(':them'))).toEqual([])
  })
})

describe('arrivals that arrivals.max ends', () => {
  const THRICE = 'kind: noise, arrivals: { kind: replay, times: [2025-06-19T12:05:00Z, 2025-06-19T12:10:00Z, 2025-06-19T12:40:00Z] }'
  const MADE: readonly Made[] = [...OLD, { atUs: at(12) }, { atUs: at(12, 10) }, { atUs: at(12, 10, 1) }]
  const built = async (made: readonly Made[], bettors: string, max: number) => {
    const loaded = await scenarioOf(made, bettors, '', `{ until: 1h, max: ${max} }`)
    const prepared = await prepareScenario(loaded)
    return { loaded, prepared, session: buildSession(prepared.resolved, prepared.strategies, prepared.store) }
  }

  it.each([[1, at(12, 5)], [2, at(12, 10)], [3, null]])('%i at most', async (max, endUs) => {
    expect(arrivalsEndUs((await built(MADE, THRICE, max)).session.config)).toBe(endUs)
  })

  it.each([
    // OLD trades from 12:30 on. A market is listed at an instant before whoever arrives at it.
    [1, { 'not traded while bettors arrive': 5, 'fewer than legsMin': 1 }],
    [2, { 'not traded while bettors arrive': 4, left: 2 }],
    [3, { 'prices older than maxAge': 3, left: 3 }],
  ])('leave what is listed later to nobody, with %i at most', async (max, counts) => {
    const { session, prepared: { resolved } } = await built(MADE, THRICE, max)
    expect(askedFor(session, resolved.bettors[0]!).markets).toEqual(counts)
  })

  it('are said with those that asked for nothing, of which each counts', async () => {
    const { loaded, prepared } = await built(OLD, THRICE, 2)
    const path = join(newFolder(), 'run')
    await runScenario(loaded, prepared, { target: { path, force: false, numbered: false } })
    const summary = await summarise(path)
    expect(summary).toMatchObject({ arrivalsEnd: { atUs: at(12, 10), arrivals: 2, idle: 2 }, requests: { count: 0 } })
    const text = 'ended at 2025-06-19T12:10:00Z because of arrivals.max, after 2 arrivals, 2 of which asked for nothing'
    expect(formatSummary(summary).replaceAll(/\s+/g, ' ')).toContain(` arrivals ${text} `)
    expect(coverageBody(summary as Summary).text).toContain(`<p>Arrivals ${text}.</p>`)
    expect((await verifyRun(path)).verdict).toBe('proven')
  })

  it('are none where as many come as would', async () => {
    const { loaded, prepared } = await built(OLD, THRICE, 3)
    const path = join(newFolder(), 'run')
    await runScenario(loaded, prepared, { target: { path, force: false, numbered: false } })
    expect(await summarise(path)).not.toHaveProperty('arrivalsEnd')
  })

  it('end at the instant at which a session of drawn arrivals ends them', async () => {
    const { loaded, prepared, session } = await built(ANY, 'kind: noise, arrivals: { kind: hawkes, excitation: 60%, decay: 20s } }, { name: others, kind: noise, n: 7, every: 2m', 200)
    const { manifest } = await runScenario(loaded, prepared, { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
    expect(manifest.counts).toMatchObject({ arrivals: 200, arrivalsEndedUs: arrivalsEndUs(session.config) })
    expect(manifest.counts['idleArrivals']).toBeGreaterThan(0)
    expect(arrivalsEndText({ atUs: at(12), arrivals: 200 })).toBe('ended at 2025-06-19T12:00:00Z because of arrivals.max, after 200 arrivals')
  })
})

describe('how much of the time prices are young enough', () => {
  it.each<[string, readonly Made[], string, number | null]>([
    // Bettors arrive from 12:00 to 13:00. An instant at which the price is just as old as may be counts: a microsecond of 3,600 seconds is none of a million.
    ['for all of it', [{ atUs: at(12) }], 'maxAge: 1h', 1],
    ['for ten minutes of an hour', [{ atUs: at(12) }], 'maxAge: 10m', 0.166667],
    ['for ten minutes of the half hour after the listing', [{ atUs: at(12, 30) }], 'maxAge: 10m', 0.333333],
    ['for two times ten minutes', [{ atUs: at(12), later: [at(12, 30), [480_000, 520_000]] }], 'maxAge: 10m', 0.333333],
    ['for two seconds of an hour and a half', [{ atUs: at(12) }, { atUs: at(12, 30) }], 'maxAge: 1s', 0.00037],
    ['for none: too old at the listing', [{ atUs: at(12, 5), market: { openUs: at(12, 30) } }], 'maxAge: 10m', 0],
    ['for what has a price', [{ atUs: at(12) }, { atUs: at(12), book: [490_000, -1] }], 'maxAge: 30m', 0.5],
    ['where nothing has a price', [{ atUs: at(12), book: [490_000, -1] }], 'maxAge: 10m', null],
  ])('%s', async (_, made, more, share) => {
    const { resolved, strategies, store } = await prepareScenario(await scenarioOf(made, `kind: noise, ${more}`))
    expect(askedFor(buildSession(resolved, strategies, store), resolved.bettors[0]!).youngShare).toBe(share)
  })

  it.each([
    [0.00037, ", with prices no older than maxAge in 0.0370% of the time; see the cohort's maxAge, or history.maxAge"], [0, ", with prices no older than maxAge in less than 0.0001% of the time; see the cohort's maxAge, or history.maxAge"],
    [0.499999, ", with prices no older than maxAge in 50.0% of the time; see the cohort's maxAge, or history.maxAge"], [0.5, ', with prices no older than maxAge in 50.0% of the time'],
    [0.994, ', with prices no older than maxAge in 99.4% of the time'], [0.995, ''], [null, ''],
  ])('is said where it is %s', (share, text) => {
    expect(askText('them', '', { left: 24 }, share)).toBe(`them: 24 markets, of them 24 that can be asked for${text}`)
  })

  it('is said of a run without requests though every market could be asked for', async () => {
    const loaded = await scenarioOf(ANY, 'kind: noise, maxAge: 1s, arrivals: { kind: replay, times: [2025-06-19T12:30:00Z] }')
    const path = join(newFolder(), 'run')
    await runScenario(loaded, await prepareScenario(loaded), { target: { path, force: false, numbered: false } })
    const summary = await summarise(path)
    // A second of an hour is 278 millionths.
    expect(summary).toMatchObject({ unasked: [{ cohort: 'them', markets: { left: 2 }, youngShare: 0.000278 }] })
    expect(unaskedLines(summary)).toEqual(["them asked for nothing: 2 markets, of them 2 that can be asked for, with prices no older than maxAge in 0.0278% of the time; see the cohort's maxAge, or history.maxAge"])
  })
})
