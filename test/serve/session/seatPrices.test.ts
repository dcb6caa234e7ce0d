import { expect, it } from 'vitest'
import type { Exchange } from '../../../src/serve/exchange.ts'
import type { ExternalSeat } from '../../../src/serve/serviceHandler.ts'
import { PriceFeed } from '../../../src/serve/session/priceFeed.ts'
import { feedsOf, SeatPrices } from '../../../src/serve/session/seatPrices.ts'

const seat = (service: ExternalSeat['service'], role: ExternalSeat['role'], name: string, account: number): ExternalSeat => ({ service, role, name, account })
const entry = (service: string, name: string, feedUs: number) => ({ service, name, latency: { feedUs } })
const RESOLVED = {
  makers: [entry('parlay', 'a', 30), entry('outcome', 'a', 7), entry('parlay', 'b', 40)], bettors: [entry('parlay', 'a', 20)],
} as unknown as Parameters<typeof feedsOf>[0]
const FEEDS = feedsOf(RESOLVED, [seat('parlay', 'maker', 'a', 1), seat('parlay', 'bettor', 'a', 1), seat('outcome', 'maker', 'a', 1), seat('parlay', 'maker', 'b', 2)])

const none = new Int32Array(1)
const TICKS = { count: 1, atUs: Float64Array.of(100), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none }
const exchange = (path: string, service: Exchange['service'] = 'parlay'): Exchange => ({ service, method: 'GET', path, query: '', headers: [], body: new Uint8Array(), remote: '' })
const prices = new SeatPrices(new PriceFeed(TICKS, 1, 0), FEEDS)

it('an account has the shorter latency of its seats of a service', () => {
  expect([...FEEDS].toSorted()).toEqual([['outcome 1', 7], ['parlay 1', 20], ['parlay 2', 40]])
})

it('tells prices behind the latency of whoever may read, and nobody else any', () => {
  const told = (account: number, atUs: number) => {
    const { status, body } = prices.answer(exchange('/prices'), { marketName: () => 'M', readerOf: () => account }, atUs)!
    return [status, (JSON.parse(body) as { prices?: readonly unknown[] }).prices?.length]
  }
  expect([told(1, 119), told(1, 120), told(2, 139), told(2, 140), told(-1, 200), told(3, 200)]).toEqual([[200, 0], [200, 1], [200, 0], [200, 1], [401, undefined], [401, undefined]])
})

it('tells a seat nothing that another of its latency has seen later', () => {
  const feeds = feedsOf({ ...RESOLVED, makers: [entry('parlay', 'b', 40), entry('parlay', 'c', 40)] } as unknown as Parameters<typeof feedsOf>[0], [seat('parlay', 'maker', 'b', 1), seat('parlay', 'maker', 'c', 2)])
  const shared = new SeatPrices(new PriceFeed(TICKS, 1, 0), feeds)
  const count = (account: number, atUs: number) => (JSON.parse(shared.answer(exchange('/prices'), { marketName: () => 'M', readerOf: () => account }, atUs)!.body) as { prices: object[] }).prices.length
  expect([count(1, 140), count(2, 139), count(1, 140)]).toEqual([1, 0, 1])
})

it('asks who reads at the instant for which prices are told', () => {
  let askedUs = 0
  prices.answer(exchange('/prices'), { marketName: () => 'M', readerOf: (_, atUs) => (askedUs = atUs) }, 150)
  expect(askedUs).toBe(150)
})

it('answers no other call, and none of a service that tells no prices', () => {
  const handler = { marketName: () => 'M', readerOf: () => 1 }
  expect([
    prices.answer(exchange('/price'), handler, 200), prices.answer(exchange('/prices'), { readerOf: handler.readerOf }, 200), prices.answer(exchange('/prices'), { marketName: handler.marketName }, 200),
  ]).toEqual([null, null, null])
})
