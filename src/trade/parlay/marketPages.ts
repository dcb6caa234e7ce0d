import { SECOND_US } from '../../unit/time.ts'
import type { ListedMarket } from '../bettor/bettorWords.ts'
import { listAgainUs } from '../bettor/listedMarkets.ts'
import type { Act, Call, Wake } from '../link.ts'

/** Pages of the public list: so many events, with so many markets each. Their product may be 2000. */
const QUERY = 'limit=40&markets_per_event=50'
/** How long at least for each page of the list until it is read again: the service allows 100 calls a minute. */
const PAGE_US = 2 * SECOND_US

interface MarketEntry {
  readonly ticker: string
  readonly title: string
  readonly event_ticker: string
  readonly category: string
  readonly venue: string
  readonly status: string
  readonly exclusion_keys: readonly string[]
}
interface MarketsBody {
  readonly data: { readonly events: readonly { readonly markets: readonly MarketEntry[] }[] }
  readonly meta: { readonly cursor: string; readonly has_more: boolean }
}
/** A page of the list, and the pages before it. */
export interface MarketsTag {
  readonly kind: 'markets'
  readonly cursor: string
  readonly pages: readonly ListedMarket[][]
}

export const FIRST_PAGE: MarketsTag = { kind: 'markets', cursor: '', pages: [] }

/** The public list of the parlay service, which is read page by page, again and again. */
export class MarketPages {
  private readonly venues = new Map<string, string>()

  /** The venue that the list has told of a market. */
  venueOf(market: string): string | undefined {
    return this.venues.get(market)
  }

  call(tag: MarketsTag): Call {
    return { method: 'GET', path: `/v1/markets?${QUERY}${tag.cursor === '' ? '' : `&cursor=${encodeURIComponent(tag.cursor)}`}`, tag }
  }

  /** A page was refused. `inUs` is NaN where the service does not say when to come again. */
  later(tag: MarketsTag, inUs: number, nowUs: number): Wake {
    return { wakeUs: nowUs + (Number.isNaN(inUs) ? PAGE_US : inUs), tag }
  }

  /** Takes a page. `markets` is null as long as others follow. */
  read({ pages: before }: MarketsTag, body: string, nowUs: number): { readonly markets: readonly ListedMarket[] | null; readonly act: Act } {
    const { data, meta } = JSON.parse(body) as MarketsBody
    const page = data.events.flatMap(({ markets }) => markets).map(({ ticker, title, event_ticker: event, category, venue, status, exclusion_keys }): ListedMarket => {
      this.venues.set(ticker, venue)
      return { name: ticker, exclusionKeys: exclusion_keys, isOpen: status === 'open', names: { ticker, title, event, game: '', category, venue } }
    })
    const pages = [...before, page]
    if (meta.has_more) return { markets: null, act: this.call({ kind: 'markets', cursor: meta.cursor, pages }) }
    const markets = pages.flat()
    return { markets, act: { wakeUs: nowUs + Math.max(listAgainUs(markets), pages.length * PAGE_US), tag: FIRST_PAGE } }
  }
}
