import { describe, expect, it } from 'vitest'
import { drawnTies } from '../../src/draw/drawnOutcomes.ts'
import { type OutcomesKnown, redrawPlaces } from '../../src/draw/redrawPlaces.ts'
import type { Market, MarketOutcome } from '../../src/market/market.ts'
import type { Ticks } from '../../src/market/ticks.ts'

const END = 9_000_000

const market = (number: number, event: string, outcome: MarketOutcome | null, isExclusive?: boolean): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event, series: 'S', category: 'sports', title: '', game: `game ${event}`, ladder: '', exclusionKeys: [event], openUs: 0,
  scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome, settlementE6: null, settledUs: null, ...(isExclusive === undefined ? {} : { listing: { isExclusive } }),
})

/** A trade in each market at its price, in the order of numbers. */
function ticksOf(prices: readonly number[]): Ticks {
  const none = new Int32Array(prices.length).fill(-1)
  return {
    count: prices.length, atUs: Float64Array.from(prices, (_, i) => i), market: Int32Array.from(prices.keys()), bidE6: none, askE6: none, bidSize: none, askSize: none,
    lastE6: Int32Array.from(prices, (price) => Math.round(price * 1e6)),
  }
}

/** Places as [kind, source, from, to] by market. */
function placed(markets: readonly Market[], closes: readonly number[], { redraws = false, within = 'all' as OutcomesKnown['within'], isDrawn = false } = {}) {
  const ticks = ticksOf(closes.map((close) => (Number.isNaN(close) ? 0.5 : close)))
  const ties = isDrawn || redraws ? drawnTies(markets, ticks, END, { within, redraws }) : []
  const places = redrawPlaces(markets, { ties, redraws, within, closes: Float64Array.from(closes), ticks, untilUs: END })
  return markets.map(({ number }) => {
    const place = places.get(number)
    return place === undefined ? null : [place.kind, place.source, Number(place.from.toFixed(9)), Number(place.to.toFixed(9)), place.group]
  })
}

describe('how outcomes are drawn anew', () => {
  it('lays a recorded game as a partition, the dearer side first, each as wide as its share of the closes', () => {
    // .3 + .9 = 1.2: a quarter and three quarters.
    expect(placed([market(0, 'G', 'no'), market(1, 'G', 'yes'), market(2, 'H', 'no')], [0.3, 0.9, 0.02])).toEqual([
      ['partition', 'G', 0.75, 1, 'all'], ['partition', 'G', 0, 0.75, 'all'], ['alone', 'M2', 0, 0.02, 'all'],
    ])
  })

  it('lays markets of an event that do not sum to one each by itself, unless the source says that they exclude each other', () => {
    expect(placed([market(0, 'G', 'no'), market(1, 'G', 'yes')], [0.8, 0.8], { within: 'game' })).toEqual([
      ['alone', 'M0', 0, 0.8, 'game game G'], ['alone', 'M1', 0, 0.8, 'game game G'],
    ])
    expect(placed([market(0, 'G', 'no', true), market(1, 'G', 'yes', true)], [0.8, 0.8]).map((place) => place!.slice(0, 4))).toEqual([['partition', 'G', 0, 0.5], ['partition', 'G', 0.5, 1]])
  })

  it('leaves what has no close, and what was void or scalar', () => {
    expect(placed([market(0, 'A', 'yes'), market(1, 'B', 'void'), market(2, 'C', 'scalar'), market(3, 'D', 'no')], [NaN, 0.5, 0.5, 0.25])).toEqual([null, null, null, ['alone', 'M3', 0, 0.25, 'all']])
  })

  it('draws what was drawn as it was, and leaves recorded outcomes that the draw rested on', () => {
    // M1 is known to be YES, so that M0 was drawn as lost. The other event has nothing to do with them.
    expect(placed([market(0, 'G', null), market(1, 'G', 'yes'), market(2, 'H', 'no')], [0.1, 0.9, 0.4], { isDrawn: true })).toEqual([
      ['lost', 'G', 0, 0, 'all'], null, ['alone', 'M2', 0, 0.4, 'all'],
    ])
  })

  it('of a made-up world has the places of its own draw', () => {
    expect(placed([market(0, 'G', 'yes'), market(1, 'G', null)], [0.45, 0.45], { redraws: true }).map((place) => place!.slice(0, 4))).toEqual([['partition', 'G', 0, 0.5], ['partition', 'G', 0.5, 1]])
  })
})
