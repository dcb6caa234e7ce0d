import { describe, expect, it } from 'vitest'
import { Side } from '../../src/agent/vocabulary.ts'
import { MarketResult } from '../../src/market/sides.ts'
import type { DeskLeg, DeskNote } from '../../src/trade/deskFeed.ts'
import { KnownMarkets, legsOf } from '../../src/trade/knownMarkets.ts'
import { TradePrices } from '../../src/trade/prices.ts'

const note = (what: string, more: object): DeskNote => ({ n: 0, at_us: 5, what, ...more })
const leg = (number: number, more: Partial<DeskLeg> = {}): DeskLeg => ({ market: `m${number}`, side: 'yes', number, category: null, event: null, game: null, game_category: null, ...more })

describe('what a client knows of markets', () => {
  it('is what the legs say that it has been told', () => {
    const prices = new TradePrices(3, 0)
    prices.tell({ at_us: 7, market: 'm1', yes_bid: 0.4, yes_ask: 0.5, yes_bid_size: 1, yes_ask_size: 1, last: null, has_book: true })
    const markets = new KnownMarkets(3, prices)
    const { facts } = markets
    const rows = () => [facts.category, facts.event, facts.game, facts.gameCategory].map((row) => [...row])
    expect(rows()).toEqual([[-1, -1, -1], [-1, -1, -1], [-1, -1, -1], [-1, -1, -1]])
    markets.take(note('onRequest', { legs: [leg(1, { category: 0, event: 2, game: 3, game_category: 4 }), leg(2)] }))
    expect(rows()).toEqual([[-1, 0, -1], [-1, 2, -1], [-1, 3, -1], [-1, 4, -1]])
    expect(prices.stampUs(1)).toBe(7)
  })

  it('is a result from its publication on', () => {
    const markets = new KnownMarkets(2, new TradePrices(2, 0))
    markets.take(note('result', { number: 1, result: 'void', published_at_us: 40 }))
    markets.take(note('onRequest', { number: 0, result: 'yes', published_at_us: 40 }))
    const known = (market: number, nowUs: number) => markets.results.known(market, nowUs, 0)
    expect([known(1, 39), known(1, 40), known(0, 40)]).toEqual([-1, MarketResult.void, -1])
  })

  it('has legs by numbers and sides', () => {
    expect(legsOf(note('onRequest', { legs: [leg(3), leg(1, { side: 'no' })] }))).toEqual({ markets: [3, 1], sides: [Side.yes, Side.no] })
    expect(legsOf(note('onCheck', {}))).toEqual({ markets: [], sides: [] })
  })
})
