import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { readStore } from '../../src/feed/store/readStore.ts'
import { isOlderStore } from '../../src/feed/store/storeHead.ts'
import { writeStore } from '../../src/feed/store/writeStore.ts'
import type { Market } from '../../src/market/market.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { openHistory } from '../../src/scenario/history.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { summarise } from '../../src/score/summary.ts'
import { numberMarkets } from '../market/numberMarkets.ts'
import { newFolder, prepared, put } from './small.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-closes-'))
  await writeHistory(join(folder, 'hand'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FROM_US = Date.parse('2025-06-19T12:00:00Z') * 1000
const at = (minutes: number): number => FROM_US + minutes * 60_000_000

/** Two markets of an event of which the source says that one at most comes true, two of one of which it does not. */
async function writeHistory(path: string): Promise<void> {
  const draft = (ticker: string, event: string, rest: Partial<Market>): Omit<Market, 'number'> => ({
    ticker, venue: 'venue_a', event, series: 'S', category: 'sports', title: ticker, game: '', ladder: '', exclusionKeys: [`event:${event}`], openUs: at(-10),
    scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome: 'no', settlementE6: null, settledUs: at(50), ...rest,
  })
  const announced = { scheduledCloseUs: at(40), scheduledCloseKnownUs: at(-10) }
  const markets = numberMarkets([
    draft('A-ACTUAL', 'ONE', { ...announced, actualCloseUs: at(20), listing: { isExclusive: true } }),
    draft('B-ANNOUNCED', 'ONE', { ...announced, listing: { isExclusive: true } }),
    draft('C-UNKNOWN', 'TWO', {}),
    draft('D-UNKNOWN', 'TWO', { listing: { isExclusive: false } }),
  ])
  // A cent to either side of the price; the last ones of A and B come when trading there is over.
  const prices: [minutes: number, market: number, cents: number][] = [
    [5, 0, 40], [5, 1, 30], [5, 2, 20], [5, 3, 50], [15, 0, 45], [30, 0, 90], [35, 1, 35], [45, 1, 80], [45, 2, 70],
  ]
  const column = (of: (price: (typeof prices)[number]) => number): Int32Array => Int32Array.from(prices, of)
  await writeStore(path, {
    markets,
    ticks: {
      count: prices.length, atUs: Float64Array.from(prices, ([minutes]) => at(minutes)), market: column(([, market]) => market),
      bidE6: column(([, , cents]) => (cents - 1) * 10_000), askE6: column(([, , cents]) => (cents + 1) * 10_000),
      bidSize: column(() => 1000), askSize: column(() => 1000), lastE6: column(([, , cents]) => cents * 10_000),
    },
    report: { format: 'hand', files: [], inputRows: 0, acceptedRows: 0, quarantinedRows: 0, troubles: [], markets: 4, ticks: prices.length, coverage: {} },
  })
}

const scenario = (): string => `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${join(folder, 'hand')}, from: 2025-06-19T12:00:00Z, to: 2025-06-19T13:00:00Z }
bettors:
  - { kind: scripted, requests: [{ at: 305s, bet: 25 USDC, legs: [A-ACTUAL yes, C-UNKNOWN yes] }] }
makers: [{ use: fixed-margin, capital: 50000 USDC }]
record: { marks: [10s, 5s, 10s] }
`

it('closes a market when its trading ended: as it did, else as announced, else at its result', async () => {
  const { prepared: { resolved, strategies, store } } = await prepared(scenario())
  const { reference, directory } = buildSession(resolved, strategies, store)
  expect([0, 1, 2, 3].map((market) => reference.closingValue(1, [market], [1], 0))).toEqual([0.45, 0.35, 0.7, 0.5])
  expect(directory.markets.map(({ ticker, exclusive }) => [ticker, exclusive])).toEqual([['A-ACTUAL', 'ONE'], ['B-ANNOUNCED', 'ONE'], ['C-UNKNOWN', ''], ['D-UNKNOWN', '']])
})

it('takes closes after the window from the days on which they are', async () => {
  // Days of prices of three markets, of which the session plays the first alone. A closes on the second day between two prices, B on the third
  // before its last price, and of C the source tells its result alone, on the third day.
  const DAY = 24 * 60
  const closing = (ticker: string, rest: Partial<Market>): Omit<Market, 'number'> => ({
    ticker, venue: 'venue_a', event: ticker, series: 'S', category: 'sports', title: ticker, game: '', ladder: '', exclusionKeys: [`event:${ticker}`], openUs: at(-10),
    scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome: 'no', settlementE6: null, settledUs: at(3 * DAY), ...rest,
  })
  const markets = numberMarkets([closing('A', { actualCloseUs: at(DAY + 20) }), closing('B', { actualCloseUs: at(2 * DAY + 1) }), closing('C', { settledUs: at(2 * DAY + 30) })])
  const prices: [minutes: number, market: number, cents: number][] = [
    [5, 0, 40], [5, 1, 30], [5, 2, 20], [DAY + 10, 0, 45], [DAY + 11, 1, 33], [DAY + 30, 0, 90], [2 * DAY + 1, 1, 36], [2 * DAY + 2, 1, 80], [2 * DAY + 29, 2, 70], [2 * DAY + 30, 2, 99],
  ]
  const column = (of: (price: (typeof prices)[number]) => number): Int32Array => Int32Array.from(prices, of)
  await writeStore(join(folder, 'days'), {
    markets,
    ticks: {
      count: prices.length, atUs: Float64Array.from(prices, ([minutes]) => at(minutes)), market: column(([, market]) => market),
      bidE6: column(([, , cents]) => (cents - 1) * 10_000), askE6: column(([, , cents]) => (cents + 1) * 10_000),
      bidSize: column(() => 1000), askSize: column(() => 1000), lastE6: column(([, , cents]) => cents * 10_000),
    },
    report: { format: 'hand', files: [], inputRows: 0, acceptedRows: 0, quarantinedRows: 0, troubles: [], markets: 3, ticks: prices.length, coverage: {} },
  })
  const played = scenario().replace(join(folder, 'hand'), join(folder, 'days')).replace('legs: [A-ACTUAL yes, C-UNKNOWN yes]', 'legs: [A yes, C yes]')
  const { prepared: { resolved, strategies, store } } = await prepared(played)
  const { reference, anotherReference } = buildSession(resolved, strategies, store)
  expect([0, 1, 2].map((market) => reference.closingValue(1, [market], [1], 0))).toEqual([0.45, 0.36, 0.7])
  // Between the days a mark has the last price by then.
  expect([at(DAY + 10) - 1, at(DAY + 10), at(2 * DAY)].map((us) => anotherReference().parlayValue(us, 1, [0], [1], 0))).toEqual([0.4, 0.45, 0.45])
})

it('records the closes of positions, what the catalogue says is exclusive, and each horizon once', async () => {
  const { loaded, prepared: ready } = await prepared(scenario())
  const { path } = await runScenario(loaded, ready, { target: { path: join(folder, 'run'), numbered: false, force: false } })
  const positions = readTable(join(path, 'tables', 'positions.arrow'))
  expect(positions.rowCount).toBe(1)
  // .45 · .7, where prices behind the end of trading make .9 · .7.
  expect(positions.numbers('reference_at_close')[0]).toBeCloseTo(0.315, 12)
  expect(positions.metadata).toMatchObject({ exclusive: '[["A-ACTUAL","B-ANNOUNCED"]]', horizons_us: '5000000 10000000' })
  expect((await summarise(path)).makers[0]!.marks.map(({ horizonUs, won }) => [horizonUs, won])).toEqual([[5_000_000, 1], [10_000_000, 1]])
})

it('a scenario makes no store outside of its folder and the working folder', async () => {
  put(folder, 'games.csv', 'date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts\nd,T-A,T,A,A,40,42,41,1,1,yes,1750339800\n')
  const elsewhere = newFolder()
  symlinkSync(elsewhere, join(folder, 'link'))
  const open = (store: string) => {
    const text = scenario().replace(/store: [^,]*/, `store: ${store}, import: { format: kalshi-mlb-close, files: [./games.csv] }`)
    return openHistory(loadScenario(put(folder, 'outside.yaml', text)), () => {})
  }
  for (const store of ['../beside-it', join(elsewhere, 'absolute'), './link/store']) await expect(open(store)).rejects.toThrow('a scenario makes no store outside of its folder')
  expect([existsSync(join(folder, '..', 'beside-it')), readdirSync(elsewhere)]).toEqual([false, []])
  expect((await open('deep/store')).path).toBe(join(folder, 'deep', 'store'))
})

it('a store of an older version is imported again where the scenario says how, and refused where it does not', async () => {
  put(folder, 'games.csv', 'date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts\nd,T-A,T,A,A,40,42,41,1,1,yes,1750339800\n')
  const text = (origin: string): string => scenario().replace(/store: [^,]*/, `store: ./games${origin}`)
  const load = (name: string, origin: string) => loadScenario(put(folder, name, text(origin)))
  const said: string[] = []
  const open = (origin: string) => openHistory(load('games.yaml', origin), (line) => said.push(line))
  const IMPORT = ', import: { format: kalshi-mlb-close, files: [./games.csv] }'
  expect((await open(IMPORT)).catalogue.markets.map(({ ticker }) => ticker)).toEqual(['T-A'])
  const [store, head] = [join(folder, 'games'), join(folder, 'games', 'store.json')]
  const { dataHash } = readStore(store)
  const { sources: _, parts: __, ...older } = JSON.parse(readFileSync(head, 'utf8')) as Record<string, unknown>
  writeFileSync(head, JSON.stringify({ ...older, version: 2 }))
  await expect(open('')).rejects.toThrow('the store has version 2')
  expect(said).toHaveLength(1)
  expect((await open(IMPORT)).dataHash).toBe(dataHash)
  expect([isOlderStore(store), said.length]).toEqual([false, 2])
  await open(IMPORT)
  expect(said).toHaveLength(2)
})
