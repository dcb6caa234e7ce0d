import { describe, expect, it } from 'vitest'
import type { Market } from '../../../../src/market/market.ts'
import { ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { WORLD_START_US } from '../../../engine/world.ts'
import { ParlayBench, SECOND, type Served } from './bench.ts'

const HOUR = 3600 * SECOND
/** Four of the session's markets, as a catalogue with more to tell. */
const LISTED: Served = {
  listed: (markets) => markets.map((market): Market => {
    const known = { scheduledCloseKnownUs: WORLD_START_US }
    switch (market.number) {
      // Half an hour from its opening to its close makes it hourly.
      case 0: return { ...market, ...known, title: 'Reds win', series: 'KXMLBGAME', scheduledCloseUs: WORLD_START_US + HOUR / 2, listing: { eventTitle: 'Reds at Cubs' } }
      case 4: return { ...market, ...known, title: 'Above 90k', category: 'crypto', venue: 'venue_b', scheduledCloseUs: WORLD_START_US + 5 * HOUR }
      case 8: return { ...market, ...known, title: 'Rain', category: 'weather', scheduledCloseUs: WORLD_START_US + 48 * HOUR }
      case 12: return { ...market, category: '' }
      // The others are not there yet.
      default: return { ...market, openUs: WORLD_START_US + 1000 * HOUR }
    }
  }),
}
const bench = new ParlayBench({ ...LISTED, gate: { publicLimit: 1e9 } })
const list = (query = '', b = bench) => b.call('GET', `/markets${query}`)
const tickers = (query = '', b = bench) => list(query, b).body.data.events.flatMap(({ markets }: { markets: { ticker: string }[] }) => markets.map(({ ticker }) => ticker)).join(' ')

describe('GET /markets', () => {
  it('PQ-141 PQ-142 PQ-143 is data.events with meta, under both paths, for everybody', () => {
    const { status, body } = list()
    expect([status, Object.keys(body), body.meta]).toEqual([200, ['data', 'meta'], {
      cursor: '', has_more: false, limit: 21, offset: 0, total: 3, total_events: 3, available_subcategories: [], available_frequencies: ['daily', 'hourly'],
    }])
    expect(bench.call('GET', '/v1/markets').body).toEqual(body)
    expect([bench.call('GET', '/markets', { key: 'sk_x' }).body, bench.call('GET', '/markets', { as: 'ours' }).body]).toEqual([body, body])
  })

  it('PQ-061 PQ-063 PQ-064 shows a market with its latest prices, its times and its keys', () => {
    const [{ event_title, markets: [market] }] = list('?search=reds').body.data.events
    expect(event_title).toBe('Reds at Cubs')
    expect(market).toMatchObject({ ticker: 'M0', title: 'Reds win', close_time: '2025-06-15T15:36:40.000000Z', exclusion_keys: ['event:E0', 'group:0'], status: 'open' })
    // The world's prices are two cents apart.
    expect([Math.round((market.yes_ask - market.yes_bid) * 100), Math.round((market.yes_bid + market.no_ask) * 100)]).toEqual([2, 100])
  })

  it('PQ-004 follows the prices, and what the service knows of a market', () => {
    const at = (seconds: number, op: number) => ({ atUs: WORLD_START_US + seconds * SECOND, op, market: 0 })
    const b = new ParlayBench({
      ...LISTED, operator: (inputs) => [...inputs, at(10, ParlayOp.haltMarket), at(20, ParlayOp.resumeMarket), at(30, ParlayOp.delistMarket)].toSorted((x, y) => x.atUs - y.atUs),
    })
    const seen: unknown[] = []
    const bids = new Set<number>()
    for (let i = 0; i < 4; i++) {
      const [group] = list('?search=reds', b).body.data.events
      seen.push(group?.markets[0].status)
      if (group !== undefined) bids.add(group.markets[0].yes_bid)
      b.pass(10 * SECOND)
    }
    expect(seen).toEqual(['open', 'halted', 'open', undefined])
    expect(bids.size).toBeGreaterThan(1)
  })

  it.each([
    ['PQ-146', '', 'M0 M4 M8'], ['PQ-145', '?category=all', 'M0 M12 M4 M8'], ['PQ-144', '?category=crypto', 'M4'], ['PQ-148', '?venue=venue_b', 'M4'],
    ['PQ-150', '?category=sports&subcategory=mlb', 'M0'], ['PQ-155', '?closes_within=1h', 'M0'], ['PQ-155', '?closes_within=1h-1d', 'M4'], ['PQ-155', '?closes_within=1d-7d', 'M8'],
    ['PQ-156', '?closes_within=all', 'M0 M4 M8'], ['PQ-157 PQ-163', '?search=cubs%20win', 'M0'], ['PQ-157', '?search=RAIN', 'M8'], ['PQ-147', '?venue=venue_a&category=crypto', ''],
    ['PQ-153', '?frequency=daily', 'M4 M8'], ['PQ-153', '?frequency=hourly', 'M0'], ['PQ-162', '?nothing=1', 'M0 M4 M8'],
  ])('%s with "%s" lists "%s"', (_, query, expected) => {
    expect(tickers(query).split(' ').toSorted().join(' ')).toBe(expected)
  })

  it.each([
    ['PQ-144', 'category=games', 'category'], ['PQ-147', 'venue=venue_c', 'venue'], ['PQ-149', 'subcategory=nba', 'subcategory'], ['PQ-151', 'category=crypto&subcategory=nba', 'subcategory'],
    ['PQ-150', 'category=sports&subcategory=chess', 'subcategory'], ['PQ-154', 'frequency=other', 'frequency'], ['PQ-155', 'closes_within=2h', 'closes_within'], ['PQ-159', 'limit=0', 'limit'],
    ['PQ-159', 'limit=101', 'limit'], ['PQ-160', 'markets_per_event=0', 'markets_per_event'], ['PQ-160', 'markets_per_event=51', 'markets_per_event'], ['PQ-158', 'cursor=made-up', 'cursor'],
    ['PQ-159', 'limit=5&limit=6', 'limit'], ['PQ-159', 'limit=1e1', 'limit'],
  ])('%s refuses %s', (_, query, name) => {
    const { status, body: { error } } = list(`?${query}`)
    expect([status, error.code, error.details.issues[0].path[0]]).toEqual([400, 'VALIDATION_ERROR', name])
  })

  it('PQ-159 PQ-160 PQ-161 takes limits up to 100 and 50, and their product up to 2000', () => {
    expect(['limit=100&markets_per_event=20', 'limit=40&markets_per_event=50', 'limit=1&markets_per_event=1', 'limit=50&markets_per_event=41', 'limit=100&markets_per_event=21'].map((query) => list(`?${query}`).status))
      .toEqual([200, 200, 200, 400, 400])
  })

  it('PQ-158 PQ-068 PQ-454 goes on by the cursor, which belongs to its filters', () => {
    const pages: string[] = []
    let query = '?limit=1'
    for (;;) {
      const { meta } = list(query).body
      pages.push(tickers(query))
      if (!meta.has_more) break
      query = `?limit=1&cursor=${encodeURIComponent(meta.cursor)}`
    }
    expect(pages).toEqual(['M0', 'M4', 'M8'])
    expect(list(`?limit=1&venue=venue_a&cursor=${encodeURIComponent(list('?limit=1').body.meta.cursor)}`).status).toBe(400)
  })
})
