import { describe, expect, it } from 'vitest'
import { buildSession } from '../../src/scenario/build.ts'
import { canonicalJson } from '../../src/scenario/canonical.ts'
import { clusterOf } from '../../src/scenario/clusters.ts'
import { legTicks } from '../../src/scenario/legPrices.ts'
import type { Market } from '../../src/market/market.ts'
import { mistakes, newFolder, prepared, put, QUICKSTART_STORE, SMALL } from './small.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

describe('a resolved scenario', () => {
  it('has every default filled in, and a canonical text', async () => {
    const { prepared: { resolved } } = await prepared(SMALL)
    expect(resolved.history).toEqual({ store: QUICKSTART_STORE, fromUs: 1_750_372_200_000_000, toUs: 1_750_375_800_000_000, legs: 'executable' })
    expect(resolved.arrivals).toEqual({ untilUs: 1_750_375_200_000_000, max: 200 })
    expect(resolved.makers.map(({ name }) => name)).toEqual(['fixed-margin', 'shade', 'shade-2'])
    expect(resolved.makers[0]).toMatchObject({
      capitalMicros: 50_000_000_000, latency: { feedUs: 100_000, submit: { baseUs: 75_000, jitterUs: 0 } },
      parameters: { margin: 0.04, cap: 5_000_000_000, maxAge: 30_000_000, validity: 15_000_000, tolerance: 0.02 },
    })
    expect(resolved.bettors[1]!.parameters).toMatchObject({ horizon: 60_000_000, noise: 0.02 })
    expect(resolved.oracles).toEqual([{ cohort: 'informed', horizonUs: 60_000_000 }])
    expect(JSON.parse(canonicalJson(resolved))).toEqual(resolved)
    expect(canonicalJson({ b: [1, 'x'], a: null })).toBe('{"a":null,"b":[1,"x"]}')
  })

  it('spans the whole history unless told otherwise', async () => {
    const { prepared: { resolved, store } } = await prepared(SMALL.replace(/, from.*Z }/, ' }'))
    const ticks = wholeTicks(store.ticks)
    expect([resolved.history.fromUs, resolved.history.toUs]).toEqual([ticks.atUs[0], ticks.atUs[ticks.count - 1]! + 1])
  })

  it('gives the history\'s maxAge to every strategy that does not set its own', async () => {
    const text = SMALL.replace('Z }\n', 'Z, maxAge: 5s }\n').replace('n: 100,', 'n: 100, maxAge: 9s,')
    const { prepared: { resolved } } = await prepared(text)
    expect(resolved.bettors.map(({ parameters }) => parameters['maxAge'])).toEqual([9_000_000, 5_000_000])
    expect(resolved.makers.map(({ parameters }) => parameters['maxAge'])).toEqual([5_000_000, 5_000_000, 5_000_000])
  })

  it('names participants so that one more renames nobody before it', async () => {
    const { prepared: { resolved } } = await prepared(`${SMALL}  - { use: fixed-margin }\n  - { use: shade, name: rival, count: 2 }\n`)
    expect(resolved.makers.map(({ name }) => name)).toEqual(['fixed-margin', 'shade', 'shade-2', 'fixed-margin-2', 'rival', 'rival-2'])
  })

  it.each([
    ['a name that is taken', '- { use: fixed-margin,', '- { use: fixed-margin, name: noise,', '11 makers.0.name: the name noise is taken by bettors.0'],
    ['a window after the prices', /from: .*Z,/, 'from: 2026-01-01,', '5 history.from: lies after the last price'],
    ['a window before the prices', /from: .* to: .*Z/, 'to: 2025-01-01', '5 history.to: lies before the first price'],
    ['a window that ends before it begins', 'T23:30', 'T22:30', '5 history.to: is not after `from`'],
    ['arrivals outside of the session', 'until: 10m', 'until: 1h', '6 arrivals.until: is not within the session'],
    ['more legs than the service takes', 'n: 100,', 'n: 100, legsMax: 6,', '8 bettors.0.legsMax: 6 is not what the service takes, 2 to 5'],
    ['a stake of 0', 'n: 100,', 'n: 100, betMin: 0 USDC,', '8 bettors.0.betMin: 0 USDC is not what the service takes, 1 USDC to 100 USDC'],
    ['bounds that cross', 'n: 100,', 'n: 100, betMin: 90 USDC, betMax: 80 USDC,', '8 bettors.0.betMax: betMin 90 USDC is above betMax 80 USDC'],
    ['a capital above the largest deposit', 'parlay@2.1 }', 'parlay@2.1, set: { depositMax: 49999 USDC } }', '11 makers.0.capital: is above 49999 USDC, the largest deposit that the service takes'],
    ['an unknown store', /store: [^,]*/, 'store: nowhere', '5 history.store: no store named nowhere'],
    ['an unknown strategy', 'use: shade', 'use: shde', '12 makers.1.use: no maker strategy named shde; did you mean shade?'],
    ['a strategy file that is not there', 'use: shade', 'use: ./none.ts', '12 makers.1.use: no strategy file ./none.ts'],
    ['an import that is not there', /store: [^,]*/, 'store: ./nowhere, import: { format: polymarket-mlb-book, files: [./none] }', '5 history.import.files.0: no such file or folder'],
  ])('refuses %s', async (_, from, to, expected) => {
    expect((await mistakes(from, to))[0]).toContain(expected)
  })

  it('says where a strategy stands whose check of its parameters throws', async () => {
    const strategy = "export default { role: 'maker', parameters: {}, create: () => ({}), check() { throw new RangeError('no such margin') } }\n"
    const use = put(newFolder(), 'mine.ts', strategy)
    expect(await mistakes('use: shade', `use: ${use}`)).toEqual(['12 makers.1.use: the strategy\'s check of its parameters throws RangeError: no such margin'])
  })

  it('refuses a window in which no market has prices', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(SMALL)
    const empty = { ...store, catalogue: { markets: store.catalogue.markets.map((market) => ({ ...market, outcome: null, settledUs: null })) } }
    expect(() => buildSession(resolved, strategies, empty)).toThrow('can be traded')
  })
})

describe('leg prices', () => {
  const ticks = {
    count: 3, atUs: Float64Array.of(1, 2, 3), market: Int32Array.of(0, 0, 0), bidE6: Int32Array.of(400_000, -1, 400_001), askE6: Int32Array.of(420_000, 600_000, 400_002),
    bidSize: Int32Array.of(1, -1, 1), askSize: Int32Array.of(1, 1, 1), lastE6: Int32Array.of(-1, 550_000, -1),
  }

  it('are both sides, the middle, one side, or a side without the overround; the last price where a side is missing', () => {
    expect(legTicks(ticks, 'executable')).toBe(ticks)
    expect([...legTicks(ticks, 'mid').bidE6]).toEqual([410_000, 550_000, 400_001])
    expect([...legTicks(ticks, 'mid').askE6]).toEqual([410_000, 550_000, 400_001])
    expect([...legTicks(ticks, 'bid').askE6]).toEqual([400_000, 550_000, 400_001])
    expect([...legTicks(ticks, 'ask').bidE6]).toEqual([420_000, 600_000, 400_002])
    // 42 c for YES and 60 c for NO: 42/102.
    expect([...legTicks(ticks, 'devigged').askE6]).toEqual([411_765, 550_000, 400_002])
  })
})

describe('settlement clusters', () => {
  const market = { ticker: 'T', event: 'E', game: '' } as Market
  // 2025-06-20T02:00:00Z: the night of the 19th.
  const nightUs = 1_750_384_800_000_000

  it('turn game days at noon UTC and days at midnight', () => {
    expect(clusterOf(market, 'gameDay', nightUs)).toBe('2025-06-19')
    expect(clusterOf(market, 'day', nightUs)).toBe('2025-06-20')
    expect(clusterOf(market, 'gameDay', nightUs + 36_000_000_000)).toBe('2025-06-20')
    expect(clusterOf(market, 'day', Infinity)).toBe('no day')
    // The 20th was a Friday; a week goes from Monday to Sunday.
    expect(clusterOf(market, 'week', nightUs)).toBe('2025-06-16')
    expect(clusterOf(market, 'week', Date.UTC(2025, 5, 22, 23, 59, 59, 999) * 1000 + 999)).toBe('2025-06-16')
    expect(clusterOf(market, 'week', Date.UTC(2025, 5, 23) * 1000)).toBe('2025-06-23')
    expect(clusterOf(market, 'week', Infinity)).toBe('no day')
  })

  it('are the game, else the event, else the market', () => {
    expect(clusterOf({ ...market, game: 'G' }, 'game', 0)).toBe('G')
    expect(clusterOf(market, 'game', 0)).toBe('E')
    expect(clusterOf({ ...market, event: '' }, 'event', 0)).toBe('T')
  })
})
