import { describe, expect, it } from 'vitest'
import { legPrice } from '../../src/market/priceBoard.ts'
import { TradePrices } from '../../src/trade/prices.ts'

const tick = (market: string, more: object = {}) => ({ at_us: 7, market, yes_bid: 0.4, yes_ask: 0.44, yes_bid_size: 3, yes_ask_size: 5, last: 0.41, has_book: true, ...more })
/** A board's row: the stamp, bid, ask, their sizes, last price, and whether there is a book. */
const rowOf = (prices: TradePrices, number: number): number[] => [prices.stampUs(number), ...prices.cells.slice(number * 8 + 2, number * 8 + 8)]

describe('prices of a seat', () => {
  it('stand in a market’s row once its number is known, told before or after', () => {
    const prices = new TradePrices(3, 0)
    prices.tell(tick('a'))
    expect(rowOf(prices, 1)).toEqual([-1, -1, -1, -1, -1, -1, 0])
    prices.name('a', 1)
    prices.name('b', 2)
    expect([rowOf(prices, 1), rowOf(prices, 2)]).toEqual([[7, 400_000, 440_000, 3, 5, 410_000, 1], [-1, -1, -1, -1, -1, -1, 0]])
    prices.tell(tick('b', { at_us: 9, yes_bid: null, yes_bid_size: null, last: null, has_book: false }))
    prices.tell(tick('c'))
    expect([rowOf(prices, 2), rowOf(prices, 0)]).toEqual([[9, -1, 440_000, -1, 5, -1, 0], [-1, -1, -1, -1, -1, -1, 0]])
    prices.tell(tick('b', { yes_ask: null, yes_ask_size: null, yes_bid: 0.1234567, at_us: 11 }))
    expect([rowOf(prices, 2), legPrice(prices, 1, 1, 'mid', 8, 1)]).toEqual([[11, 123_457, -1, 3, -1, 410_000, 1], 0.42])
  })

  it('keep the number that a market was given first', () => {
    const prices = new TradePrices(2, 0)
    prices.tell(tick('a'))
    prices.name('a', 1)
    prices.name('a', 0)
    expect(rowOf(prices, 0)[0]).toBe(-1)
  })

  it('are read page by page, from where the last reading ended', async () => {
    const prices = new TradePrices(2, 0)
    prices.name('a', 0)
    prices.name('b', 1)
    const pages = [{ next: 4, has_more: true, prices: [tick('a')] }, { next: 9, has_more: false, prices: [tick('b')] }, { next: 9, has_more: false, prices: [] }]
    const read: string[] = []
    const follow = () => prices.follow((path) => {
      read.push(path)
      return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(pages[read.length - 1]) })
    })
    await follow()
    expect([prices.stampUs(0), prices.stampUs(1)]).toEqual([7, 7])
    await follow()
    expect(read).toEqual([0, 4, 9].map((from) => `/prices?ticks=latest&from=${from}&limit=1000`))
  })
})
