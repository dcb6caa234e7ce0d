import { holds, is, like, sees } from '../expect.ts'
import type { Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { fitting, INSTANT, until } from '../world.ts'
import type { World } from './world.ts'

const list = (w: World, query = ''): Promise<Seen> => w.nobody.get(`/v1/markets${query}`)
const eventsOf = async (w: World, query: string): Promise<Json[]> => sees(await list(w, query), 200).data.events
const marketsOf = async (w: World, query: string): Promise<Json[]> => (await eventsOf(w, query)).flatMap((event) => event.markets)
const totalOf = async (w: World, query: string): Promise<number> => sees(await list(w, query), 200).meta.total_events

const CATEGORIES = ['politics', 'sports', 'crypto', 'finance', 'economics', 'entertainment', 'weather', 'tech', 'all']
const SUBCATEGORIES = 'nba ncaa nfl nhl mlb ufc lol epl efl la_liga world_cup bundesliga liga_portugal ligue_1 f1 ipl btc eth sol stocks indices etfs earnings rates inflation commodities fx jobs ai companies other'.split(' ')
const REFUSED = { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: Array.isArray, message: String }] } } }

async function takes(w: World, name: string, values: readonly string[], refused: readonly string[], also = ''): Promise<void> {
  for (const value of values) sees(await list(w, `?${name}=${value}${also}`), 200)
  for (const value of refused) sees(await list(w, `?${name}=${value}${also}`), 400, REFUSED)
}

export const MARKETS: Area<World> = {
  name: 'markets', service: 'parlay', session: 'parlay',
  begins: (w) => until(() => list(w, '?limit=100'), ({ body }) => body.data.events.length > 1, 'two events'),
  rows: [
    ['PQ-141', 'GET /markets has events and meta', async (w) => { sees(await w.nobody.get('/markets'), 200, { data: { events: Array.isArray }, meta: { cursor: String } }) }],
    ['PQ-142', 'GET /v1/markets is the same list', async (w) => {
      const tickers = async (path: string): Promise<Json> => sees(await w.nobody.get(path), 200).data.events.map((event: Json) => event.event_ticker)
      await fitting(async () => [await tickers('/markets?limit=5'), await tickers('/v1/markets?limit=5')], ([one, other]) => one.length > 0 && String(one) === String(other), 'the same events')
    }],
    ['PQ-143', 'needs no credential, and looks at none', async (w) => {
      sees(await w.nobody.get('/v1/markets'), 200)
      sees(await w.key('sk_wrong').get('/v1/markets'), 200)
    }],
    ['PQ-056', 'an event has its tickers and its category', async (w) => { like((await eventsOf(w, '?limit=1'))[0], { event_ticker: String, series_ticker: String, category: String }) }],
    ['PQ-057', 'an event counts its markets', async (w) => {
      for (const { total_markets, markets } of await eventsOf(w, '?markets_per_event=50&limit=40')) holds(Number.isInteger(total_markets) && total_markets >= markets.length, 'a count of at least the markets shown')
    }],
    ['PQ-058', 'an event has its markets', async (w) => { for (const { event_ticker, markets } of await eventsOf(w, '')) for (const market of markets) is(market.event_ticker, event_ticker) }],
    ['PQ-059', 'an event has its titles and a picture', async (w) => { like((await eventsOf(w, '?limit=1'))[0], { series_title: String, event_title: String, event_sub_title: String, image_url: String }) }],
    ['PQ-060', 'a market has thirteen texts', async (w) => {
      const names = ['ticker', 'event_ticker', 'series_ticker', 'title', 'subtitle', 'yes_sub_title', 'no_sub_title', 'bet_group', 'category', 'subcategory', 'frequency', 'venue', 'status']
      like((await marketsOf(w, ''))[0], Object.fromEntries(names.map((name) => [name, String])))
    }],
    ['PQ-061', 'a market has nine numbers, null where they are not known', async (w) => {
      const names = ['yes_bid', 'yes_ask', 'no_bid', 'no_ask', 'last_price', 'price_to_beat', 'volume', 'volume_24h', 'open_interest']
      // A session begins before the first price of it.
      const markets = await fitting(() => marketsOf(w, '?limit=40'), (all) => names.slice(0, 4).every((name) => all.some((market) => market[name] > 0)), 'prices')
      for (const market of markets) for (const name of names) holds(market[name] === null || typeof market[name] === 'number', `a number ${name}`)
      for (const market of markets) for (const name of names.slice(0, 4)) holds(market[name] === null || (market[name] >= 0 && market[name] <= 1), `a probability ${name}`)
    }],
    ['PQ-062', 'a market has a URL of its venue', async (w) => { for (const { venue_url } of await marketsOf(w, '')) like(venue_url, String) }],
    ['PQ-063', 'a market has three instants', async (w) => {
      const names = ['close_time', 'expiration_time']
      const markets = await fitting(() => marketsOf(w, '?limit=40'), (all) => names.every((name) => all.some((market) => market[name] !== null)), 'both ends of markets')
      for (const { open_time } of markets) like(open_time, INSTANT)
      for (const name of names) for (const market of markets) if (market[name] !== null) like(market[name], INSTANT)
    }],
    ['PQ-064', 'a market has its exclusion keys', async (w) => { for (const { exclusion_keys } of await marketsOf(w, '')) holds(Array.isArray(exclusion_keys) && exclusion_keys.length > 0 && exclusion_keys.every((key: Json) => typeof key === 'string'), 'keys') }],
    ['PQ-068', 'meta has a cursor, and whether there is more', async (w) => { sees(await list(w, '?limit=1'), 200, { meta: { cursor: String, has_more: true } }) }],
    ['PQ-069', 'meta has four whole numbers', async (w) => { sees(await list(w, '?limit=3'), 200, { meta: { limit: 3, offset: 0, total: Number.isInteger, total_events: Number.isInteger } }) }],
    ['PQ-070', 'meta has the subcategories and frequencies that there are', async (w) => {
      const { meta } = sees(await list(w), 200)
      for (const name of ['available_subcategories', 'available_frequencies']) holds(Array.isArray(meta[name]) && meta[name].every((one: Json) => typeof one === 'string'), name)
    }],
    ['PQ-144', 'takes nine categories', (w) => takes(w, 'category', CATEGORIES, ['other', 'Sports', 'news'])],
    ['PQ-145 PQ-146', 'all markets of all categories, and without a category those of the eight', async (w) => {
      const queries = ['', '?category=all', ...CATEGORIES.slice(0, 8).map((category) => `?category=${category}`)]
      const isSum = ([without, all, ...eight]: readonly number[]): boolean => without === eight.reduce((sum, one) => sum + one, 0) && all! >= without!
      await fitting(() => Promise.all(queries.map((query) => totalOf(w, query))), isSum, 'as many events without a category as in the eight, and no more than with all')
    }],
    ['PQ-147', 'takes two venues', (w) => takes(w, 'venue', ['venue_a', 'venue_b'], ['venue_c', 'VENUE_A'])],
    ['PQ-148', 'lists the markets of all venues when none is named', async (w) => {
      const queries = ['?category=all', '?category=all&venue=venue_a', '?category=all&venue=venue_b']
      const totals = (): Promise<Json[]> => Promise.all(queries.map(async (query) => sees(await list(w, query), 200).meta.total))
      await fitting(totals, ([both, a, b]) => both === a + b && a > 0 && b > 0, 'markets of both venues')
      for (const { venue } of await marketsOf(w, '?category=all&venue=venue_a')) is(venue, 'venue_a')
    }],
    ['PQ-149', 'takes no subcategory without a category', async (w) => { sees(await list(w, '?subcategory=mlb'), 400, REFUSED) }],
    ['PQ-150', 'takes 31 subcategories', (w) => takes(w, 'subcategory', SUBCATEGORIES, ['cricket', 'NBA'], '&category=all')],
    ['PQ-151 PQ-152', 'takes no subcategory of another category', (w) => takes(w, 'subcategory', ['mlb', 'nba', 'other'], ['btc', 'rates'], '&category=sports')],
    ['PQ-153 PQ-154', 'takes four frequencies, and not other', (w) => takes(w, 'frequency', ['daily', 'weekly', 'monthly', 'hourly'], ['other', 'yearly'])],
    ['PQ-155 PQ-162', 'takes seven buckets of the time to the close', (w) => takes(w, 'closes_within', ['1h', '1h-1d', '1d-7d', 'today', 'this_week', 'this_month', 'all'], ['2h', 'tomorrow'])],
    ['PQ-156', 'without a bucket lists what all lists', async (w) => {
      const tickers = async (query: string): Promise<Json[]> => (await marketsOf(w, query)).map(({ ticker }) => ticker)
      await fitting(async () => [await tickers('?limit=100'), await tickers('?limit=100&closes_within=all')], ([one, other]) => one!.length > 0 && String(one) === String(other), 'the same markets')
    }],
    ['PQ-157 PQ-163', 'finds words of titles, in any case', async (w) => {
      await fitting(async () => {
        const [{ title, ticker }] = await marketsOf(w, '?limit=1') as [Json]
        const word = (title as string).split(/\W+/).toSorted((x, y) => y.length - x.length)[0]!
        return { ticker, found: (await marketsOf(w, `?search=${word.toUpperCase()}&limit=40&markets_per_event=50`)).map((market) => market.ticker) }
      }, ({ ticker, found }) => found.includes(ticker), 'a market by a word of its title')
      is(await eventsOf(w, '?search=xyzzyx'), [], 'what a word of no title finds')
    }],
    ['PQ-158', 'a cursor leads to the next page', async (w) => {
      await fitting(async () => {
        const first = sees(await list(w, '?limit=1'), 200)
        const second = await eventsOf(w, `?limit=1&cursor=${encodeURIComponent(first.meta.cursor)}`)
        const all = await eventsOf(w, '?limit=2')
        return [[...first.data.events, ...second], all].map((events) => events.map(({ event_ticker }: Json) => event_ticker))
      }, ([pages, all]) => all!.length === 2 && String(pages) === String(all), 'two pages of one event, and one of both')
    }],
    ['PQ-454', 'a cursor that a client made up is refused', async (w) => { sees(await list(w, '?cursor=bm90aGluZw'), 400, REFUSED) }],
    ['PQ-159', 'takes 1 to 100 events to a page, 21 when nothing is said', async (w) => {
      await takes(w, 'limit', ['1', '100'], ['0', '101', '1.5', 'x'], '&markets_per_event=1')
      is([sees(await list(w), 200).meta.limit, (await eventsOf(w, '?limit=2')).length], [21, 2])
    }],
    ['PQ-160', 'takes 1 to 50 markets of an event, 10 when nothing is said', async (w) => {
      await takes(w, 'markets_per_event', ['1', '50'], ['0', '51'])
      holds(Math.max(...(await eventsOf(w, '?limit=100&category=all')).map(({ markets }) => markets.length)) <= 10, 'ten markets at most')
      for (const { markets } of await eventsOf(w, '?markets_per_event=1')) is(markets.length, 1)
    }],
    ['PQ-161', 'takes a product of 2000, and none above', async (w) => {
      sees(await list(w, '?limit=50&markets_per_event=40'), 200)
      sees(await list(w, '?limit=50&markets_per_event=41'), 400, REFUSED)
    }],
    ['PQ-019', 'a list has meta beside data', async (w) => { for (const seen of [await list(w), await w.as('m1').get('/v1/mm/quotes'), await w.as(w.mine).get('/v1/parlays')]) sees(seen, 200, { data: Object, meta: { cursor: String, has_more: Boolean } }) }],
    ['PQ-451', 'other lists have 1 to 100 entries, and 50 when nothing is said', async (w) => {
      for (const path of ['/v1/parlays', '/v1/mm/quotes', '/v1/mm/positions']) {
        const client = w.as('m1')
        if (path !== '/v1/parlays') is(sees(await client.get(path), 200).meta.limit, 50)
        const by = path === '/v1/parlays' ? w.as(w.mine) : client
        is([(await by.get(`${path}?limit=1`)).status, (await by.get(`${path}?limit=100`)).status, (await by.get(`${path}?limit=0`)).status, (await by.get(`${path}?limit=101`)).status], [200, 200, 400, 400])
      }
    }],
  ],
}
