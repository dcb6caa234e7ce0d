import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportResult } from '../../src/feed/importer.ts'
import { readStore, type Store } from '../../src/feed/store/readStore.ts'
import { CatalogueIndex } from '../../src/market/catalogue.ts'
import { internKeys, keysIntersect } from '../../src/market/exclusion.ts'
import type { Market } from '../../src/market/market.ts'
import { Price, PRICE_STRIDE, PriceBoard } from '../../src/market/priceBoard.ts'
import { HOUR_US, MINUTE_US, SECOND_US } from '../../src/unit/time.ts'
import { WalkChances } from '../../tools/quickstart/coinWalk.ts'
import { murmur3 } from '../../tools/quickstart/counterDraws.ts'
import { QUICKSTART_PATH, writeQuickstart } from '../../tools/quickstart/generateQuickstart.ts'
import { generateNight, NIGHT_HOURS } from '../../tools/quickstart/generator.ts'

test('MurmurHash3 gives its published answers', () => {
  expect(murmur3([], 0)).toBe(0)
  expect(murmur3([], 1)).toBe(0x514e28b7)
  expect(murmur3([], 0xffffffff)).toBe(0x81f16f39)
  expect(murmur3([0xffffffff], 0)).toBe(0x76293b50)
  expect(murmur3([0x87654321], 0)).toBe(0xf55b516b)
  expect(murmur3([0x87654321], 0x5082edee)).toBe(0x2362f9de)
  expect(murmur3([0], 0)).toBe(0x2362f9de)
  expect(murmur3([0x61616161], 0x9747b28c)).toBe(0x5a97808a)
  expect(murmur3([0x74736574], 0)).toBe(0xba6bd213)
})

test('chances of a coin walk, counted by hand', () => {
  const chances = new WalkChances()
  expect(chances.above(0, 1)).toBe(1)
  expect(chances.above(0, 0)).toBe(0)
  expect(chances.above(1, 0)).toBe(0.5)
  expect(chances.above(2, 0)).toBe(0.25)
  expect(chances.above(2, 1)).toBe(0.75)
  expect(chances.above(3, -2)).toBe(0.125)
  expect(chances.above(3, 4)).toBe(1)
  expect(chances.above(3, -4)).toBe(0)
  expect(chances.above(400, 7) + chances.above(400, -7)).toBe(1)
})

describe('the quick start', () => {
  let store: Store
  let index: CatalogueIndex
  beforeAll(() => {
    store = readStore(QUICKSTART_PATH)
    index = new CatalogueIndex(store.catalogue)
  })

  test('is written again byte for byte, within 2 MB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-quickstart-'))
    const head = await writeQuickstart(join(folder, 'again'))
    const filesIn = (path: string): string[] => readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath, entry.name))).sort()
    const names = filesIn(QUICKSTART_PATH)
    expect(filesIn(join(folder, 'again'))).toEqual(names)
    let bytes = 0
    for (const name of names) {
      const committed = readFileSync(join(QUICKSTART_PATH, name))
      expect([name, committed.equals(readFileSync(join(folder, 'again', name)))]).toEqual([name, true])
      bytes += committed.length
    }
    expect(bytes).toBeLessThan(2_000_000)
    expect(head.dataHash).toBe(store.dataHash)
    rmSync(folder, { recursive: true })
  })

  test('has the markets it promises', () => {
    const { markets } = store.catalogue
    const of = (series: string): Market[] => markets.filter((market) => market.series === series)
    expect([of('WINNER'), of('TOTAL'), of('TEMP'), of('ECON')].map((list) => list.length)).toEqual([24, 36, 12, 8])
    expect(new Set(of('TEMP').map((m) => m.event)).size).toBe(2)
    expect(markets.filter((m) => m.outcome === 'void').map((m) => m.ticker)).toEqual(['ECON-GDP-4'])
    expect(markets.filter((m) => m.outcome === null).map((m) => m.ticker)).toEqual(['ECON-RETAIL-7'])
    expect(store.report.acceptedRows).toBe(store.ticks.count)
  })

  test('resolves without contradiction', () => {
    for (const market of store.catalogue.markets) {
      const rivals = index.ofEvent(market.event)
      if (market.series === 'WINNER' || market.series === 'TEMP') expect(rivals.filter((m) => m.outcome === 'yes')).toHaveLength(1)
      if (market.series !== 'TOTAL') continue
      const rungs = rivals.map((m) => m.outcome === 'yes')
      expect(rungs).toEqual([...rungs].sort((a, b) => Number(b) - Number(a)))
    }
  })

  test('settles after it closes, within the night, and ticks until it closes', () => {
    const { ticks, catalogue } = store
    const lastUs = new Float64Array(catalogue.markets.length)
    const firstUs = new Float64Array(catalogue.markets.length).fill(Infinity)
    let longestGapUs = 0
    for (let i = 0; i < ticks.count; i++) {
      const m = ticks.market[i]!
      if (lastUs[m]! > 0) longestGapUs = Math.max(longestGapUs, ticks.atUs[i]! - lastUs[m]!)
      firstUs[m] = Math.min(firstUs[m]!, ticks.atUs[i]!)
      lastUs[m] = ticks.atUs[i]!
    }
    expect(longestGapUs).toBeLessThanOrEqual(20 * SECOND_US)
    const startUs = Date.parse('2025-06-19T22:00:00Z') * 1000
    const endUs = startUs + NIGHT_HOURS * HOUR_US
    for (const market of catalogue.markets) {
      const { number, actualCloseUs, settledUs } = market
      expect(firstUs[number]).toBeGreaterThanOrEqual(startUs)
      expect(firstUs[number]).toBeLessThanOrEqual(startUs + 20 * SECOND_US)
      const until = actualCloseUs ?? endUs
      expect(lastUs[number]).toBeLessThan(until)
      expect(lastUs[number]).toBeGreaterThanOrEqual(until - 20 * SECOND_US)
      if (actualCloseUs === null) continue
      expect(settledUs!).toBeGreaterThanOrEqual(actualCloseUs + MINUTE_US)
      expect(settledUs!).toBeLessThanOrEqual(endUs)
    }
  })

  test('keeps books in order, 4 cents wide at most, on the grid of the venue', () => {
    const { ticks, catalogue } = store
    const faults: number[] = []
    for (let i = 0; i < ticks.count; i++) {
      const [bid, ask] = [ticks.bidE6[i]!, ticks.askE6[i]!]
      const grid = catalogue.markets[ticks.market[i]!]!.venue === 'venue_a' ? 10_000 : 1_000
      const sides = [[bid, ticks.bidSize[i]!], [ask, ticks.askSize[i]!]] as const
      const sound = sides.every(([price, size]) => (price === -1 ? size === -1 : price > 0 && price < 1_000_000 && price % grid === 0 && size > 0))
      const width = bid > 0 && ask > 0 ? ask - bid : grid
      if (!sound || width < grid || width > 40_000 || (bid < 0 && ask < 0)) faults.push(i)
    }
    expect(faults).toEqual([])
  })

  test('prices agree with each other all night, and end at 0 or 1', () => {
    const board = new PriceBoard(store.ticks, store.catalogue.markets.length, 0)
    const startUs = store.ticks.atUs[0]!
    const winners: number[] = []
    const buckets: number[] = []
    const rungs: number[] = []
    for (let minute = 1; minute <= 240; minute++) {
      board.advance(startUs + minute * MINUTE_US)
      for (const market of store.catalogue.markets) {
        const rivals = index.ofEvent(market.event)
        if (rivals[0] !== market) continue
        const middles = rivals.map((m) => middle(board, m.number))
        if (market.series === 'WINNER') winners.push(middles[0]! + middles[1]!)
        if (market.series === 'TEMP') buckets.push(middles.reduce((sum, p) => sum + p, 0))
        if (market.series === 'TOTAL') rungs.push(middles[1]! - middles[0]!, middles[2]! - middles[1]!)
      }
    }
    // A book's middle is within 2 cents of the fair price at its tick; markets of one event tick at different instants.
    expect(Math.abs(mean(winners) - 1)).toBeLessThan(0.003)
    expect(Math.max(...winners.map((sum) => Math.abs(sum - 1)))).toBeLessThan(0.2)
    expect(Math.abs(mean(buckets) - 1)).toBeLessThan(0.03)
    expect(Math.max(...buckets.map((sum) => Math.abs(sum - 1)))).toBeLessThan(0.3)
    expect(Math.max(...rungs)).toBeLessThan(0.2)
    expect(mean(rungs)).toBeLessThan(-0.05)
    for (const market of store.catalogue.markets) {
      if (market.outcome === 'yes') expect(middle(board, market.number)).toBeGreaterThan(0.97)
      if (market.outcome === 'no') expect(middle(board, market.number)).toBeLessThan(0.03)
    }
  })

  test('PQ-065 markets of one game exclude each other, markets of two games do not', () => {
    const keys = internKeys(store.catalogue.markets)
    for (const a of store.catalogue.markets) {
      for (const b of store.catalogue.markets) {
        const related = a.event === b.event || (a.game !== '' && a.game === b.game)
        expect(keysIntersect(keys, a.number, b.number)).toBe(related)
      }
    }
  })
})

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length

/** Middle of the book, an empty side standing at 0 or 1. */
function middle(board: PriceBoard, market: number): number {
  const row = market * PRICE_STRIDE
  const ask = board.cells[row + Price.askE6]!
  return (Math.max(board.cells[row + Price.bidE6]!, 0) + (ask < 0 ? 1_000_000 : ask)) / 2e6
}

test('another seed gives another night, and the number of games does not change the ones there', () => {
  const night = (seed: number, games: number): ImportResult => generateNight({ seed, games, weatherEvents: 0, economicMarkets: 0 })
  expect(night(2, 1).ticks).not.toEqual(night(1, 1).ticks)
  const [one, two] = [night(1, 1), night(1, 2)]
  const own = one.markets[0]!.game
  expect(two.markets.filter((m) => m.game === own).map((m) => ({ ...m, number: 0 })))
    .toEqual(one.markets.map((m) => ({ ...m, number: 0 })))
})

/** Outcome less fair price, and fair price, of some markets of a night that was generated: at its first minute and at two hours. */
function surprisesOf(night: ImportResult, chosen: (market: Market) => boolean): { prices: number[]; first: number[]; later: number[] } {
  const board = new PriceBoard(night.ticks, night.markets.length, 0)
  const markets = night.markets.filter((m) => chosen(m) && (m.outcome === 'yes' || m.outcome === 'no'))
  const see = (minutes: number): number[] => {
    board.advance(night.ticks.atUs[0]! + minutes * MINUTE_US)
    return markets.map((m) => middle(board, m.number))
  }
  const surprise = (prices: readonly number[]): number[] => markets.map((m, i) => (m.outcome === 'yes' ? 1 : 0) - prices[i]!)
  const prices = see(1)
  return { prices, first: surprise(prices), later: surprise(see(120)) }
}

const standardError = (values: readonly number[]): number => {
  const middleValue = mean(values)
  return Math.sqrt(values.reduce((sum, v) => sum + (v - middleValue) ** 2, 0) / (values.length - 1) / values.length)
}

describe('over many nights', () => {
  const seeds = Array.from({ length: 25 }, (_, i) => i + 1)

  test('prices are fair: outcomes exceed the first price, and the price at two hours, by nothing on average', () => {
    const nights = seeds.map((seed) => surprisesOf(generateNight({ seed, games: 0, weatherEvents: 0, economicMarkets: 80 }), () => true))
    for (const when of ['first', 'later'] as const) {
      const surprises = nights.flatMap((night) => night[when])
      expect(surprises).toHaveLength(25 * 78)
      expect(standardError(surprises)).toBeLessThan(0.012)
      expect(Math.abs(mean(surprises))).toBeLessThan(2.5 * standardError(surprises))
    }
  })

  test('games move together, and are fair together', () => {
    // The two tokens of a game mirror each other: the home side is enough.
    const isHome = (m: Market): boolean => m.series === 'WINNER' && m.ticker.slice(-3) === m.game.slice(-3)
    const nights = seeds.map((seed) => surprisesOf(generateNight({ seed, weatherEvents: 0, economicMarkets: 0 }), isHome))
    const sums = nights.map((night) => night.first.reduce((sum, v) => sum + v, 0))
    expect(Math.abs(mean(sums))).toBeLessThan(2.5 * standardError(sums))
    const variance = mean(sums.map((sum) => sum ** 2))
    const independent = mean(nights.map((night) => night.prices.reduce((sum, p) => sum + p * (1 - p), 0)))
    expect(variance / independent).toBeGreaterThan(1.3)
  })
})
