import { describe, expect, test } from 'vitest'
import type { MarketDraft } from '../../../src/feed/marketDraft.ts'
import { StoreMarkets } from '../../../src/feed/store/knownMarkets.ts'
import { isSameMarket } from '../../../src/feed/store/marketFacts.ts'
import type { OpenStore, StorePart } from '../../../src/feed/store/openStore.ts'
import { Origins } from '../../../src/feed/store/origins.ts'

const market: MarketDraft = {
  ticker: 'A', venue: 'venue_a', event: 'E', series: '', category: 'sports', title: 'A', game: '', ladder: '', exclusionKeys: ['event:E', 'game:G'], openUs: 1, scheduledCloseUs: 5,
  scheduledCloseKnownUs: 1, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null, listing: { eventTitle: 'E', isExclusive: true },
}

describe('two imports say the same of a market', () => {
  const { listing: _, ...unlisted } = market
  const reordered = Object.fromEntries(Object.entries(market).toReversed()) as unknown as MarketDraft
  test.each<[string, MarketDraft, MarketDraft, boolean]>([
    ['with the same facts', market, { ...market, exclusionKeys: [...market.exclusionKeys] }, true],
    ['with facts in another order', market, reordered, true],
    ['with a number', market, { ...market, number: 7 } as MarketDraft, true],
    ['with a fact that is not said', market, { ...market, listing: { eventTitle: 'E', isExclusive: true, subcategory: undefined } }, true],
    ['not with a key less', market, { ...market, exclusionKeys: ['event:E'] }, false],
    ['not with another key', market, { ...market, exclusionKeys: ['event:E', 'game:H'] }, false],
    ['not with a result', market, { ...market, outcome: 'yes' }, false],
    ['not with another listing', market, { ...market, listing: { eventTitle: 'E', isExclusive: false } }, false],
    ['not with a listing that one lacks', unlisted, market, false],
    ['not with an instant where the other has none', market, { ...market, scheduledCloseUs: null }, false],
  ])('%s', (_name, a, b, isSame) => {
    expect(isSameMarket(a, b)).toBe(isSame)
    expect(isSameMarket(b, a)).toBe(isSame)
  })
})

test('ticks come from several files where more than one has some', () => {
  const origins = new Origins()
  origins.comeFrom('markets.csv', 1)
  origins.comeFrom('prices.csv', 1)
  expect(origins.areSeveral).toBe(false)
  origins.at(10)
  origins.comeFrom('', 0)
  origins.at(10)
  expect(origins.areSeveral).toBe(false)
  origins.comeFrom('more.csv', 1)
  expect(origins.areSeveral).toBe(false)
  origins.at(20)
  expect(origins.areSeveral).toBe(true)
})

test('whether the store has ticks of a market is looked for from the last part on, and no further than it must', () => {
  const marketsOf = [[0], [1], [2, 1]]
  const read: number[] = []
  const store = {
    parts: marketsOf.map((_, i) => ({ import: i })),
    catalogue: { markets: ['A', 'B', 'C', 'D'].map((ticker, number) => ({ ...market, ticker, number })) },
    lastOf(part: StorePart) {
      read.push(part.import)
      return { markets: Int32Array.from(marketsOf[part.import]!) }
    },
  } as unknown as OpenStore
  const known = new StoreMarkets(store, false)
  expect([known.hasTicks('C'), known.hasTicks('B'), known.hasTicks('nobody')]).toEqual([true, true, false])
  expect(read).toEqual([2])
  expect([known.hasTicks('A'), known.hasTicks('D'), known.hasTicks('C')]).toEqual([true, false, true])
  expect(read).toEqual([2, 1, 0])
})
