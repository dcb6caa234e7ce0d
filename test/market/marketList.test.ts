import { describe, expect, it } from 'vitest'
import { categoryOf, frequencyOf, subcategoryOf } from '../../src/market/marketClass.ts'
import { figuresOf, MarketList, type MarketStatus } from '../../src/market/marketList.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { catalogue, DAY, draft, HOUR, NOW, read, tickers } from './listing.ts'

const MINUTE = HOUR / 60

describe('the list of markets', () => {
  it('PQ-141 PQ-058 PQ-057 is data.events, groups with their markets and their number, and meta', () => {
    const page = read(new MarketList(catalogue({ ticker: 'B-1' }, { ticker: 'A-2' }, { ticker: 'A-1' }, { ticker: 'A-3' })), { markets_per_event: '2' })
    expect(Object.keys(page)).toEqual(['data', 'meta'])
    expect(page.data.events.map(({ event_ticker, total_markets, markets }) => [event_ticker, total_markets, markets.map((m) => m.ticker)])).toEqual([
      ['A', 3, ['A-1', 'A-2']], ['B', 1, ['B-1']],
    ])
  })

  it('PQ-056 PQ-059 has the texts of an event', () => {
    const list = new MarketList(catalogue({ ticker: 'A-1', series: 'KX', category: 'Climate and Weather', listing: { eventTitle: 'Highest temperature' } }))
    const [{ total_markets: _, markets: __, ...group }] = read(list).data.events as [ReturnType<typeof read>['data']['events'][number]]
    expect(group).toEqual({
      event_ticker: 'A', series_ticker: 'KX', category: 'weather', series_title: '', event_title: 'Highest temperature', event_sub_title: '', image_url: '',
    })
  })

  it('PQ-060 PQ-062 PQ-064 has the texts and exclusion keys of a market', () => {
    const [market] = read(new MarketList(catalogue({ ticker: 'A-1', title: 'Reds win', game: 'G', exclusionKeys: ['z', 'k'], series: 'KXMLBGAME' }))).data.events[0]!.markets
    expect(market).toMatchObject({
      ticker: 'A-1', event_ticker: 'A', series_ticker: 'KXMLBGAME', title: 'Reds win', subtitle: '', yes_sub_title: '', no_sub_title: '', bet_group: 'G',
      category: 'sports', subcategory: 'mlb', frequency: 'daily', venue: 'venue_a', status: 'open', venue_url: '', exclusion_keys: ['k', 'z'],
    })
  })

  it('PQ-061 has the figures of a market as numbers, prices from 0 to 1', () => {
    const figures = () => ({ bidE6: 0, askE6: 310_000, lastE6: 1_000_000, priceToBeat: 104_500.25, volume: 7, volume24h: 3, openInterest: 2 })
    const [market] = read(new MarketList(catalogue({ ticker: 'A-1' })), {}, { figures }).data.events[0]!.markets
    expect(market).toMatchObject({
      yes_bid: 0, yes_ask: 0.31, no_bid: 0.69, no_ask: 1, last_price: 1, price_to_beat: 104_500.25, volume: 7, volume_24h: 3, open_interest: 2,
    })
  })

  it('has null for every figure that is not known', () => {
    const [bare] = read(new MarketList(catalogue({ ticker: 'A-1' }))).data.events[0]!.markets
    const nothing = { yes_bid: null, yes_ask: null, no_bid: null, no_ask: null, last_price: null, price_to_beat: null, volume: null, volume_24h: null, open_interest: null }
    expect(bare).toMatchObject(nothing)
    const figures = () => ({ bidE6: -1, askE6: 400_000, lastE6: -1 })
    expect(read(new MarketList(catalogue({ ticker: 'A-1' })), {}, { figures }).data.events[0]!.markets[0]).toMatchObject({
      ...nothing, yes_ask: 0.4, no_bid: 0.6,
    })
  })

  it('PQ-063 has the times of a market in ISO 8601', () => {
    const list = new MarketList(catalogue({ ticker: 'A-1' }, { ticker: 'A-2', scheduledCloseUs: null, scheduledCloseKnownUs: null }))
    expect(read(list).data.events[0]!.markets).toMatchObject([
      { open_time: '2025-06-18T21:00:00.000000Z', close_time: '2025-06-19T00:00:00.000000Z', expiration_time: '2025-06-19T00:00:00.000000Z' },
      { open_time: '2025-06-18T21:00:00.000000Z', close_time: null, expiration_time: null },
    ])
  })

  it('shows a price board as it stands', () => {
    const ticks = {
      count: 2, atUs: Float64Array.of(NOW - 2, NOW + 1), market: Int32Array.of(0, 0), bidE6: Int32Array.of(300_000, 900_000),
      askE6: Int32Array.of(320_000, 910_000), bidSize: Int32Array.of(5, 5), askSize: Int32Array.of(5, 5), lastE6: Int32Array.of(-1, -1),
    }
    const board = new PriceBoard(ticks, 2, 0)
    board.advance(NOW)
    const page = read(new MarketList(catalogue({ ticker: 'A-1' }, { ticker: 'A-2' })), {}, { figures: figuresOf(board) })
    expect(page.data.events[0]!.markets.map(({ yes_bid, yes_ask, last_price }) => [yes_bid, yes_ask, last_price])).toEqual([[0.3, 0.32, null], [null, null, null]])
  })
})

describe('what is listed', () => {
  it.each<[MarketStatus, boolean]>([['open', true], ['halted', true], ['delisted', false], ['resolved', false]])('of a market that is %s: %s', (status, there) => {
    const page = read(new MarketList(catalogue({ ticker: 'A-1' })), {}, { status: () => status })
    expect(page.data.events.map(({ markets }) => markets[0]!.status)).toEqual(there ? [status] : [])
  })

  it.each([[-1, false], [0, true], [3 * HOUR - 1, true], [3 * HOUR, false]])('%i µs after the opening of a market of three hours: %s', (sinceUs, there) => {
    const list = new MarketList(catalogue({ ticker: 'A-1' }))
    expect(tickers(read(list, {}, { nowUs: NOW - HOUR + sinceUs }))).toEqual(there ? ['A-1'] : [])
  })

  it('knows nothing of a schedule before it is known, and nothing of an end before it comes', () => {
    const list = new MarketList(catalogue({
      ticker: 'A-1', scheduledCloseKnownUs: NOW, scheduledCloseUs: NOW + HOUR, actualCloseUs: NOW + 10, outcome: 'yes', settledUs: NOW + 20,
    }))
    expect(read(list, {}, { nowUs: NOW - 1 }).data.events[0]!.markets[0]!.close_time).toBeNull()
    expect(read(list, {}, { nowUs: NOW }).data.events[0]!.markets[0]!.close_time).toBe('2025-06-18T23:00:00.000000Z')
    expect([9, 10].map((us) => tickers(read(list, {}, { nowUs: NOW + us })).length)).toEqual([1, 0])
  })

  it('does not depend on what comes to be known later', () => {
    const fields = [{ ticker: 'A-1' }, { ticker: 'A-2', series: 'KXNBA' }, { ticker: 'B-1', category: 'crypto' }]
    const later = { actualCloseUs: NOW + 5, outcome: 'no', settledUs: NOW + 6 } as const
    const before = read(new MarketList(catalogue(...fields)), { category: 'all' })
    const after = read(new MarketList(catalogue(...fields.map((one) => ({ ...one, ...later })), { ticker: 'A-0', openUs: NOW + 1, listing: { eventTitle: 'Later' } })), { category: 'all' })
    expect(after).toEqual(before)
  })
})

describe('the filters', () => {
  const list = new MarketList(catalogue(
    { ticker: 'A-1' }, { ticker: 'A-2', venue: 'venue_b' }, { ticker: 'C-1', category: 'crypto' }, { ticker: 'X-1', category: 'Horoscopes' },
    { ticker: 'Y-1', category: '' },
  ))

  it('PQ-146 PQ-145 leaves out what has none of the categories, unless all is asked for', () => {
    expect(tickers(read(list))).toEqual(['A-1', 'A-2', 'C-1'])
    expect(tickers(read(list, { category: 'all' }))).toEqual(['A-1', 'A-2', 'C-1', 'X-1', 'Y-1'])
    expect(tickers(read(list, { category: 'crypto' }))).toEqual(['C-1'])
  })

  it('PQ-148 shows all venues when none is named; an event of both is a group of each', () => {
    expect(read(list).data.events.map(({ event_ticker, markets }) => [event_ticker, markets[0]!.venue])).toEqual([
      ['A', 'venue_a'], ['A', 'venue_b'], ['C', 'venue_a'],
    ])
    expect(tickers(read(list, { venue: 'venue_b' }))).toEqual(['A-2'])
    expect(tickers(read(list, { venue: 'venue_a' }))).toEqual(['A-1', 'C-1'])
  })

  it('PQ-070 shows the subcategories and frequencies that the other filters leave', () => {
    const hourly = { scheduledCloseUs: NOW }
    const some = new MarketList(catalogue(
      { ticker: 'A-1', series: 'KXNBA' }, { ticker: 'A-2', series: 'KXMLB', listing: { frequency: 'weekly' } },
      { ticker: 'A-3', series: 'KXMLB', listing: { frequency: 'other' } }, { ticker: 'B-1', category: 'crypto' },
      { ticker: 'A-4', series: 'KXNFL', ...hourly },
    ))
    const found = (parameters: Parameters<typeof read>[1]) => {
      const { available_subcategories, available_frequencies } = read(some, parameters).meta
      return [available_subcategories, available_frequencies]
    }
    expect(found({ category: 'sports' })).toEqual([['nba', 'mlb'], ['daily', 'weekly']])
    expect(found({ category: 'sports', subcategory: 'mlb' })).toEqual([['nba', 'mlb'], ['weekly']])
    expect(found({ category: 'sports', frequency: 'daily' })).toEqual([['nba'], ['daily', 'weekly']])
    expect(found({})).toEqual([[], ['daily', 'weekly']])
    expect(tickers(read(some, { category: 'sports', subcategory: 'mlb', frequency: 'weekly' }))).toEqual(['A-2'])
  })

  it.each<[string, string, string]>([
    ['1h', 'in', '1'], ['1h-1d', 'in', '2 3'], ['1d-7d', 'in', '4 5 8'], ['today', 'on Wednesday', '1 2'], ['this_week', 'until Sunday', '1 2 3 4 8'],
    ['this_month', 'until 30 June', '1 2 3 4 5 6 8 9'], ['all', 'ever, known or not', '0 1 2 3 4 5 6 7 8 9'],
  ])('PQ-155 with closes_within %s has what closes %s', (closes_within, _, expected) => {
    const closes = [
      null, HOUR, HOUR + 1, DAY, DAY + 1, 7 * DAY, 7 * DAY + 1,
      // From Wednesday the 18th, 22:00: Monday begins in 4 days and 2 hours, July in 12 days and 2 hours.
      12 * DAY + 2 * HOUR, 4 * DAY + 2 * HOUR - 1, 12 * DAY + 2 * HOUR - 1,
    ]
    const some = new MarketList(catalogue(...closes.map((inUs, i) => ({
      ticker: `A-${i}`, scheduledCloseUs: inUs === null ? null : NOW + inUs, scheduledCloseKnownUs: inUs === null ? null : NOW,
    }))))
    expect(tickers(read(some, { closes_within })).map((ticker) => ticker.slice(2)).join(' ')).toBe(expected)
  })

  it('PQ-155 today ends at midnight UTC, this_week with Sunday', () => {
    const at = (inUs: number, ticker: string) => ({ ticker, scheduledCloseUs: NOW + inUs })
    const some = new MarketList(catalogue(
      at(2 * HOUR - 1, 'A-1'), at(2 * HOUR, 'A-2'), at(4 * DAY + 2 * HOUR - 1, 'A-3'), at(4 * DAY + 2 * HOUR, 'A-4'),
    ))
    expect(tickers(read(some, { closes_within: 'today' }))).toEqual(['A-1'])
    expect(tickers(read(some, { closes_within: 'this_week' }))).toEqual(['A-1', 'A-2', 'A-3'])
  })

  it('PQ-155 PQ-021 days and instants are those of a clock that is shifted', () => {
    const some = new MarketList(catalogue(...[0, 1, 2, 3].map((hours) => ({ ticker: `A-${hours}`, scheduledCloseUs: NOW + hours * HOUR + 1 }))))
    // It is 22:00, and an hour later by the shift: what closes within one hour closes today.
    const { events } = read(some, { closes_within: 'today' }, { shiftUs: HOUR }).data
    expect(events[0]!.markets.map(({ ticker, close_time }) => [ticker, close_time])).toEqual([['A-0', '2025-06-18T23:00:00.000001Z']])
    expect(tickers(read(some, { closes_within: '1h-1d' }, { shiftUs: HOUR }))).toEqual(['A-1', 'A-2', 'A-3'])
  })

  it('PQ-156 lists the same without closes_within as with all', () => {
    const some = new MarketList(catalogue({ ticker: 'A-1', scheduledCloseUs: null, scheduledCloseKnownUs: null }, { ticker: 'B-1', scheduledCloseUs: NOW + 400 * DAY }))
    expect(read(some)).toEqual(read(some, { closes_within: 'all' }))
    expect(tickers(read(some))).toEqual(['A-1', 'B-1'])
  })

  it.each([
    ['reds', 'A-1'], ['RED', 'A-1'], ['wins reds', 'A-1'], ['wins', 'A-1 A-2'], ['temperature', 'T-1'], ['high 80', 'T-1'], ['eds', ''],
    ['reds yankees', ''], ['münch', 'M-1'], ['', 'A-1 A-2 M-1 T-1'], [' !? ', 'A-1 A-2 M-1 T-1'],
  ])('PQ-157 PQ-163 with search "%s" finds %s', (search, expected) => {
    const some = new MarketList(catalogue(
      { ticker: 'A-1', title: 'Cincinnati Reds wins' }, { ticker: 'A-2', title: 'Yankees wins' },
      { ticker: 'T-1', title: '80° or above', listing: { eventTitle: 'High temperature in NYC' } }, { ticker: 'M-1', title: 'Bayern MÜNCHEN' },
    ))
    expect(tickers(read(some, { search })).join(' ')).toBe(expected)
  })
})

describe('classes of markets', () => {
  const market = (fields: Parameters<typeof draft>[0]) => ({ number: 0, ...draft(fields) })

  it.each([
    ['Sports', 'sports'], ['Climate and Weather', 'weather'], ['US-current-affairs', 'politics'], ['Science and Technology', 'tech'],
    ['economics', 'economics'], ['all', 'other'], ['', 'other'], ['constructor', 'other'],
  ])('the category %s is %s', (category, expected) => {
    expect(categoryOf(market({ ticker: 'A-1', category }))).toBe(expected)
  })

  it.each<[Parameters<typeof draft>[0], string]>([
    [{ ticker: 'KXBTC15M-25-1', category: 'crypto' }, 'btc'], [{ ticker: 'A-1', category: 'crypto', title: 'Will Ethereum rise?' }, 'eth'],
    [{ ticker: 'A-1', category: 'crypto', title: 'resolution' }, 'other'], [{ ticker: 'ECON-CPI-1', category: 'economics' }, 'inflation'],
    [{ ticker: 'A-1', series: 'mlb' }, 'mlb'], [{ ticker: 'A-1', category: 'crypto', series: 'mlb' }, 'other'],
    [{ ticker: 'A-1', listing: { subcategory: 'nba' }, series: 'mlb' }, 'nba'], [{ ticker: 'A-1', listing: { subcategory: 'btc' }, series: 'mlb' }, 'mlb'],
    [{ ticker: 'A-1', category: 'Horoscopes', series: 'mlb' }, 'other'],
    [{ ticker: 'A-1', series: 'World', title: 'Cup of nations' }, 'other'],
  ])('the subcategory of %o is %s', (fields, expected) => {
    expect(subcategoryOf(market(fields))).toBe(expected)
  })

  it.each([
    ['economics', 'Unemployment rate above 4%', 'jobs'], ['economics', 'US inflation rate in June', 'inflation'], ['economics', 'Rate of CPI', 'inflation'],
    ['economics', 'Fed funds rate in June', 'rates'], ['economics', 'Mortgage rate above 7%', 'rates'], ['economics', 'GDP growth', 'other'],
    ['sports', 'Will Brazil win the World Cup?', 'world_cup'], ['sports', 'La Liga: Girona to win', 'la_liga'], ['sports', 'Ligue 1 winner', 'ligue_1'],
    ['sports', 'English Premier League winner', 'epl'], ['sports', 'premier-league top scorer', 'epl'], ['sports', 'Indian Premier League winner', 'ipl'],
    ['sports', 'Liga Portugal winner', 'liga_portugal'], ['sports', 'Premier win of the League', 'other'], ['sports', 'World record, then a cup', 'other'],
    ['finance', 'S&P 500 above 6,000', 'indices'],
  ])('the subcategory in %s of "%s" is %s', (category, title, expected) => {
    expect(subcategoryOf(market({ ticker: 'A-1', category, title }))).toBe(expected)
  })

  it.each([
    [30 * MINUTE - 1, 'other'], [30 * MINUTE, 'hourly'], [2 * HOUR, 'hourly'], [2 * HOUR + 1, 'daily'], [2 * DAY, 'daily'], [2 * DAY + 1, 'weekly'],
    [14 * DAY, 'weekly'], [14 * DAY + 1, 'monthly'], [62 * DAY, 'monthly'], [62 * DAY + 1, 'other'],
  ])('a market of %i µs is %s', (spanUs, expected) => {
    const one = market({ ticker: 'A-1' })
    expect(frequencyOf(one, one.openUs + spanUs)).toBe(expected)
    expect(frequencyOf(one, null)).toBe('other')
    expect(frequencyOf({ ...one, listing: { frequency: 'monthly' } }, one.openUs + spanUs)).toBe('monthly')
  })
})
