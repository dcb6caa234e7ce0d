import { DAY_US, HOUR_US, isoOfTimeUs } from '../unit/time.ts'
import { type KnownMarket, knownAt } from './knownAt.ts'
import type { Catalogue, Market } from './market.ts'
import { ALL_SUBCATEGORIES, categoryOf, FREQUENCIES, frequencyOf, subcategoryOf, wordsOf } from './marketClass.ts'
import { compareKeys, cursorAfter, type EventKey } from './marketCursor.ts'
import { isRejection, type MarketParameters, type MarketsQuery, parseMarketsQuery, type QueryRejection, type TimeBucket } from './marketQuery.ts'
import { Price, PRICE_STRIDE, type PriceBoard } from './priceBoard.ts'
import { NO_PRICE, PRICE_ONE_E6 } from './ticks.ts'

/** What the caller knows about a market's state in its session. Halted markets are listed. Delisted and resolved ones are not. */
export type MarketStatus = 'open' | 'halted' | 'delisted' | 'resolved'

/** Prices of YES in millionths, −1 for none, and other figures where the caller has them. */
export interface MarketFigures {
  readonly bidE6: number
  readonly askE6: number
  readonly lastE6: number
  readonly priceToBeat?: number
  readonly volume?: number
  readonly volume24h?: number
  readonly openInterest?: number
}

/** The instant of a read, and what the caller knows at it besides the catalogue. */
export interface ListMoment {
  readonly nowUs: number
  /** Instants are shown so much later, and days, weeks and months are those that hold then; absent: not at all. */
  readonly shiftUs?: number
  status(market: number): MarketStatus
  /** Null where there is no price. */
  figures(market: number): MarketFigures | null
}

/** Figures of a market as a board shows them at the moment. */
export const figuresOf = (board: PriceBoard) => (market: number): MarketFigures | null => {
  if (board.stampUs(market) < 0) return null
  const row = market * PRICE_STRIDE
  const { cells } = board
  return { bidE6: cells[row + Price.bidE6]!, askE6: cells[row + Price.askE6]!, lastE6: cells[row + Price.lastE6]! }
}

/** A market as the list shows it (PQ-060…064). A text that no source gives is '', a figure or time is null. */
export interface ListedMarket {
  readonly ticker: string
  readonly event_ticker: string
  readonly series_ticker: string
  readonly title: string
  readonly subtitle: string
  readonly yes_sub_title: string
  readonly no_sub_title: string
  /** The game or else the ladder that the market belongs to (our choice). */
  readonly bet_group: string
  readonly category: string
  readonly subcategory: string
  readonly frequency: string
  readonly venue: Market['venue']
  readonly status: 'open' | 'halted'
  readonly yes_bid: number | null
  readonly yes_ask: number | null
  readonly no_bid: number | null
  readonly no_ask: number | null
  readonly last_price: number | null
  readonly price_to_beat: number | null
  readonly volume: number | null
  readonly volume_24h: number | null
  readonly open_interest: number | null
  readonly venue_url: string
  readonly open_time: string
  readonly close_time: string | null
  readonly expiration_time: string | null
  readonly exclusion_keys: readonly string[]
}

/** An event with its markets that match, in the order of their tickers (PQ-056…059). */
export interface EventGroup {
  readonly event_ticker: string
  readonly series_ticker: string
  readonly category: string
  /** Markets that match, shown or not. */
  readonly total_markets: number
  readonly markets: readonly ListedMarket[]
  readonly series_title: string
  readonly event_title: string
  readonly event_sub_title: string
  readonly image_url: string
}

/** PQ-068…070. */
export interface ListMeta {
  /** A cursor past the last event of the page, '' when no page follows. */
  readonly cursor: string
  readonly has_more: boolean
  readonly limit: number
  /** Matching events before the page. */
  readonly offset: number
  /** Markets that match, on all pages. */
  readonly total: number
  readonly total_events: number
  /** The subcategories of the markets that match all other filters. Empty without a category, which a subcategory needs. */
  readonly available_subcategories: readonly string[]
  readonly available_frequencies: readonly string[]
}

export interface MarketPage {
  readonly data: { readonly events: readonly EventGroup[] }
  readonly meta: ListMeta
}

/** A market, and what can be worked out about it once and for all. */
interface Entry {
  readonly market: Market
  readonly category: string
  readonly subcategory: string
  readonly eventTitle: string
  readonly words: readonly string[]
}
interface Group extends EventKey {
  readonly entries: readonly Entry[]
}
/** A market that matches. */
interface Match {
  readonly entry: Entry
  readonly known: KnownMarket
  readonly status: 'open' | 'halted'
  readonly frequency: string
}

const eventOf = (market: Market): string => (market.event === '' ? market.ticker : market.event)

/** `this_week` begins on Monday at midnight UTC. The epoch was a Thursday. */
const weekOf = (us: number): number => Math.floor((Math.floor(us / DAY_US) + 3) / 7)
const monthOf = (us: number): string => isoOfTimeUs(us).slice(0, 7)

function isWithin(bucket: TimeBucket, closesUs: number | null, atUs: number, shiftUs: number): boolean {
  if (bucket === 'all') return true
  if (closesUs === null) return false
  const [closeUs, nowUs] = [closesUs + shiftUs, atUs + shiftUs]
  const leftUs = closeUs - nowUs
  if (bucket === '1h') return leftUs <= HOUR_US
  if (bucket === '1h-1d') return leftUs > HOUR_US && leftUs <= DAY_US
  if (bucket === '1d-7d') return leftUs > DAY_US && leftUs <= 7 * DAY_US
  if (bucket === 'today') return Math.floor(closeUs / DAY_US) === Math.floor(nowUs / DAY_US)
  return bucket === 'this_week' ? weekOf(closeUs) === weekOf(nowUs) : monthOf(closeUs) === monthOf(nowUs)
}

const decimal = (e6: number): number | null => (e6 === NO_PRICE ? null : e6 / PRICE_ONE_E6)
const mirrored = (e6: number): number | null => (e6 === NO_PRICE ? null : (PRICE_ONE_E6 - e6) / PRICE_ONE_E6)

function listed({ entry, known, status, frequency }: Match, figures: MarketFigures | null, shiftUs: number): ListedMarket {
  const { market, category, subcategory } = entry
  const { bidE6 = NO_PRICE, askE6 = NO_PRICE, lastE6 = NO_PRICE } = figures ?? {}
  const close = known.scheduledCloseUs === null ? null : isoOfTimeUs(known.scheduledCloseUs + shiftUs)
  return {
    ticker: market.ticker, event_ticker: eventOf(market), series_ticker: market.series,
    title: market.title, subtitle: '', yes_sub_title: '', no_sub_title: '',
    bet_group: market.game === '' ? market.ladder : market.game,
    category, subcategory, frequency, venue: market.venue, status,
    yes_bid: decimal(bidE6), yes_ask: decimal(askE6), no_bid: mirrored(askE6), no_ask: mirrored(bidE6), last_price: decimal(lastE6),
    price_to_beat: figures?.priceToBeat ?? null, volume: figures?.volume ?? null, volume_24h: figures?.volume24h ?? null,
    open_interest: figures?.openInterest ?? null,
    venue_url: '',
    open_time: isoOfTimeUs(market.openUs + shiftUs), close_time: close, expiration_time: close,
    exclusion_keys: market.exclusionKeys,
  }
}

/** `GET /markets` over a catalogue: a pure read of what could be known at an instant. */
export class MarketList {
  private declare readonly groups: readonly Group[]

  constructor(catalogue: Catalogue) {
    const members = new Map<string, Market[]>()
    for (const market of catalogue.markets) {
      const key = JSON.stringify([eventOf(market), market.venue, market.event === ''])
      const group = members.get(key)
      if (group === undefined) members.set(key, [market])
      else group.push(market)
    }
    this.groups = [...members.values()].map(groupOf).sort(compareKeys)
  }

  /** One page of the list, or what is wrong with the query. */
  read(parameters: MarketParameters, moment: ListMoment): MarketPage | QueryRejection {
    const query = parseMarketsQuery(parameters)
    return isRejection(query) ? query : this.page(query, moment)
  }

  private page(query: MarketsQuery, moment: ListMoment): MarketPage {
    const { after, limit } = query
    const events: EventGroup[] = []
    const subcategories = new Set<string>()
    const frequencies = new Set<string>()
    let last: Group | null = null
    let [offset, total, totalEvents] = [0, 0, 0]
    for (const group of this.groups) {
      const matches = matchesOf(group, query, moment, subcategories, frequencies)
      if (matches.length === 0) continue
      total += matches.length
      totalEvents++
      if (after !== null && compareKeys(group, after) <= 0) offset++
      else if (events.length < limit) {
        events.push(shown(group, matches, query, moment))
        last = group
      }
    }
    const hasMore = offset + events.length < totalEvents
    return {
      data: { events },
      meta: {
        cursor: hasMore && last !== null ? cursorAfter(query.filters, last) : '',
        has_more: hasMore,
        limit,
        offset,
        total,
        total_events: totalEvents,
        available_subcategories: query.category === null ? [] : ALL_SUBCATEGORIES.filter((name) => subcategories.has(name)),
        available_frequencies: FREQUENCIES.filter((name) => frequencies.has(name)),
      },
    }
  }
}

function groupOf(markets: readonly Market[]): Group {
  const [first] = markets as readonly [Market]
  const event = eventOf(first)
  const entries = markets.map((market): Entry => {
    const eventTitle = market.listing?.eventTitle ?? event
    return {
      market, category: categoryOf(market), subcategory: subcategoryOf(market), eventTitle, words: wordsOf(`${eventTitle} ${market.title}`),
    }
  })
  return { event, venue: first.venue, isLone: first.event === '', entries }
}

/** The markets of an event that match. Also notes which subcategories and frequencies the other filters leave. */
function matchesOf(
  group: Group, query: MarketsQuery, moment: ListMoment, subcategories: Set<string>, frequencies: Set<string>,
): Match[] {
  if (query.venue !== null && group.venue !== query.venue) return []
  const matches: Match[] = []
  for (const entry of group.entries) {
    if (query.category === null ? entry.category === 'other' : query.category !== 'all' && entry.category !== query.category) continue
    const known = knownAt(entry.market, moment.nowUs)
    const status = moment.status(entry.market.number)
    if (known === null || (status !== 'open' && status !== 'halted')) continue
    const { scheduledCloseUs: closeUs, actualCloseUs, outcome } = known
    if (outcome !== null || actualCloseUs !== null || (closeUs !== null && closeUs <= moment.nowUs)) continue
    if (!isWithin(query.closesWithin, closeUs, moment.nowUs, moment.shiftUs ?? 0)) continue
    if (!query.search.every((sought) => entry.words.some((word) => word.startsWith(sought)))) continue
    const frequency = frequencyOf(entry.market, closeUs)
    const fitsSubcategory = query.subcategory === null || query.subcategory === entry.subcategory
    const fitsFrequency = query.frequency === null || query.frequency === frequency
    if (fitsFrequency) subcategories.add(entry.subcategory)
    if (fitsSubcategory) frequencies.add(frequency)
    if (fitsSubcategory && fitsFrequency) matches.push({ entry, known, status, frequency })
  }
  return matches
}

function shown(group: Group, matches: readonly Match[], query: MarketsQuery, moment: ListMoment): EventGroup {
  const [{ entry: first }] = matches as readonly [Match]
  return {
    event_ticker: group.event,
    series_ticker: first.market.series,
    category: first.category,
    total_markets: matches.length,
    markets: matches.slice(0, query.marketsPerEvent).map((match) => listed(match, moment.figures(match.entry.market.number), moment.shiftUs ?? 0)),
    series_title: '',
    event_title: first.eventTitle,
    event_sub_title: '',
    image_url: '',
  }
}
