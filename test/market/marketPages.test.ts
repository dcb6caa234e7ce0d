import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarketList, type MarketPage } from '../../src/market/marketList.ts'
import type { MarketParameters } from '../../src/market/marketQuery.ts'
import { catalogue, draft, type Fields, HOUR, NOW, read, tickers, wrong } from './listing.ts'

const groups = (page: MarketPage): string[] => page.data.events.map(({ event_ticker, markets }) => `${event_ticker} ${markets[0]!.venue}`)

describe('pages of markets', () => {
  const list = new MarketList(catalogue(...['A', 'B', 'C', 'D', 'E'].flatMap((event) => [{ ticker: `${event}-1` }, { ticker: `${event}-2` }])))

  it('PQ-158 PQ-068 PQ-069 follow each other by meta.cursor', () => {
    const first = read(list, { limit: '2' })
    expect([tickers(first), first.meta]).toEqual([['A-1', 'A-2', 'B-1', 'B-2'], {
      cursor: expect.any(String), has_more: true, limit: 2, offset: 0, total: 10, total_events: 5, available_subcategories: [], available_frequencies: ['daily'],
    }])
    const second = read(list, { limit: '2', cursor: first.meta.cursor })
    expect([groups(second), second.meta]).toMatchObject([['C venue_a', 'D venue_a'], { has_more: true, offset: 2, total: 10, total_events: 5 }])
    const third = read(list, { limit: '2', cursor: second.meta.cursor })
    expect([groups(third), third.meta]).toMatchObject([['E venue_a'], { cursor: '', has_more: false, limit: 2, offset: 4, total: 10, total_events: 5 }])
  })

  it('end where the last page is full', () => {
    expect(read(list, { limit: '5' }).meta).toMatchObject({ has_more: false, cursor: '' })
    expect(read(new MarketList(catalogue())).meta).toEqual({
      cursor: '', has_more: false, limit: 21, offset: 0, total: 0, total_events: 0, available_subcategories: [], available_frequencies: [],
    })
  })

  it('follow one another past an event with a long ticker', () => {
    const long = 'B'.repeat(1600)
    const wide = new MarketList(catalogue({ ticker: 'A-1' }, { ticker: `${long}-1` }, { ticker: 'C-1' }))
    const { cursor } = read(wide, { limit: '2' }).meta
    expect(tickers(read(wide, { limit: '2', cursor }))).toEqual(['C-1'])
  })

  it('keep a market without an event apart from an event of its name, and go from one to the other', () => {
    const twins = new MarketList(catalogue({ ticker: 'B', event: '' }, { ticker: 'B-1', event: 'B' }, { ticker: 'C', event: '' }))
    expect(read(twins).data.events.map(({ event_ticker, markets }) => [event_ticker, markets.map((one) => one.ticker)])).toEqual([
      ['B', ['B-1']], ['B', ['B']], ['C', ['C']],
    ])
    const seen: string[] = []
    let page = read(twins, { limit: '1' })
    for (; page.meta.cursor !== ''; page = read(twins, { limit: '1', cursor: page.meta.cursor })) seen.push(...tickers(page))
    expect([...seen, ...tickers(page)]).toEqual(['B-1', 'B', 'C'])
  })

  it('may change their size on the way', () => {
    const { cursor } = read(list, { limit: '1' }).meta
    expect(groups(read(list, { limit: '3', markets_per_event: '1', cursor }))).toEqual(['B venue_a', 'C venue_a', 'D venue_a'])
  })

  const filters: MarketParameters = { category: 'sports', venue: 'venue_a', search: 'a b' }
  const bound = new MarketList(catalogue({ ticker: 'A-1', title: 'a b' }, { ticker: 'B-1', title: 'a b' }))
  const { cursor } = read(bound, { ...filters, limit: '1' }).meta

  it.each<[string, MarketParameters]>([
    ['category', { ...filters, category: 'all' }], ['no category', { venue: 'venue_a', search: 'a b' }], ['venue', { ...filters, venue: 'venue_b' }],
    ['subcategory', { ...filters, subcategory: 'nba' }], ['frequency', { ...filters, frequency: 'daily' }],
    ['closes_within', { ...filters, closes_within: 'today' }], ['search', { ...filters, search: 'a' }],
  ])('PQ-454 refuse the cursor of another query: another %s', (_, other) => {
    expect(wrong({ ...filters, cursor }, bound)).toEqual([])
    expect(wrong({ ...other, cursor }, bound)).toEqual(['cursor'])
  })

  it('take the cursor of a query that asks for the same in other words', () => {
    expect(wrong({ ...filters, search: 'B  A', closes_within: 'all', cursor }, bound)).toEqual([])
  })

  it('PQ-454 refuse a cursor that a client has changed or made', () => {
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
      expect(wrong({ ...filters, cursor: changed }, bound)).toEqual(['cursor'])
    }
    const made = Buffer.from(JSON.stringify(['', 'venue_a', 'A'])).toString('base64url')
    const junk = ['', 'x', `${cursor}A`, `${cursor}=`, cursor.slice(1), ` ${cursor}`, made, 'bnVsbA', 'W10', 'x'.repeat(5000)]
    expect(junk.filter((one) => wrong({ ...filters, cursor: one }, bound)[0] !== 'cursor')).toEqual([])
  })

  it('do not need the event that they begin behind', () => {
    const { cursor: past } = read(list, { limit: '2' }).meta
    const others = new MarketList(catalogue({ ticker: 'A-1' }, { ticker: 'BB-1' }, { ticker: 'C-1' }))
    expect(groups(read(others, { cursor: past }))).toEqual(['BB venue_a', 'C venue_a'])
  })
})

/** Markets of up to eight events at two venues, some of them halted, delisted, closed or of another category. */
const world = fc.uniqueArray(
  fc.record({
    event: fc.constantFrom('A', 'B', 'C', 'D', 'E"', 'F,', 'Ω', ''), place: fc.nat(5), venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
    category: fc.constantFrom('sports', 'crypto', 'none'), closed: fc.boolean(),
  }),
  { maxLength: 30, selector: ({ event, place }) => `${event}-${place}` },
).map((all) => all.map(({ event, place, venue, category, closed }): Fields =>
  ({ ticker: `${event}-${place}`, event, venue, category, scheduledCloseUs: closed ? NOW : NOW + HOUR })))

const size = fc.integer({ min: 1, max: 5 })
const parameters = fc.record({
  category: fc.constantFrom('all', 'sports'), venue: fc.constantFrom('venue_a', 'venue_b', undefined), search: fc.constantFrom('a', undefined),
})

/** Every page from the first on, read one after the other from the lists that `at` gives. */
function walk(at: (step: number) => MarketList, query: MarketParameters, sizes: readonly number[]): MarketPage[] {
  const pages: MarketPage[] = []
  for (let cursor: string | undefined; pages.length < 100;) {
    const page = read(at(pages.length), { ...query, limit: String(sizes[pages.length % sizes.length]), markets_per_event: '2', cursor })
    pages.push(page)
    if (!page.meta.has_more) return pages
    cursor = page.meta.cursor
  }
  throw new Error('the pages never end')
}

const eventOf = ({ event, ticker }: { event: string; ticker: string }): string => (event === '' ? ticker : event)

describe('all pages together', () => {
  it('PQ-158 PQ-159 show every event that matches exactly once, whatever their size', () => {
    fc.assert(fc.property(world, parameters, fc.array(size, { minLength: 1, maxLength: 4 }), (fields, query, sizes) => {
      const { markets } = catalogue(...fields)
      const matching = markets.filter((market) =>
        market.scheduledCloseUs! > NOW && (query.category === 'all' || market.category === 'sports')
        && (query.venue === undefined || market.venue === query.venue)
        && (query.search === undefined || /(^|\W)a/i.test(`${eventOf(market)} ${market.title}`)))
      const expected = new Set(matching.map((market) => `${eventOf(market)} ${market.venue}`))
      const list = new MarketList({ markets })
      const pages = walk(() => list, query, sizes)
      const seen = pages.flatMap(groups)
      expect(seen.length).toBe(expected.size)
      expect(new Set(seen)).toEqual(expected)
      let before = 0
      for (const { data: { events }, meta } of pages) {
        expect([meta.offset, meta.total, meta.total_events]).toEqual([before, matching.length, expected.size])
        before += events.length
      }
    }))
  })

  it('PQ-158 show no event twice, and none that stayed not at all, while others come and go', () => {
    fc.assert(fc.property(fc.array(world, { minLength: 1, maxLength: 6 }), world, size, (changing, staying, limit) => {
      const kept = new Map(staying.map((one) => [one.ticker, one]))
      const lists = changing.map((fields) => new MarketList(catalogue(...fields.filter(({ ticker }) => !kept.has(ticker)), ...staying)))
      const pages = walk((step) => lists[Math.min(step, lists.length - 1)]!, { category: 'all' }, [limit])
      const seen = pages.flatMap(groups)
      expect(new Set(seen).size).toBe(seen.length)
      const always = staying.map(draft).filter(({ scheduledCloseUs }) => scheduledCloseUs! > NOW).map((one) => `${eventOf(one)} ${one.venue}`)
      expect(always.filter((group) => !seen.includes(group))).toEqual([])
    }))
  })
})
