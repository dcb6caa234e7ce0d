import type { ResolvedScenario } from '../../scenario/resolved.ts'
import type { Answer, Exchange } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'
import type { ExternalSeat, ServiceHandler } from '../serviceHandler.ts'
import { type PriceFeed, PRICES_PATH } from './priceFeed.ts'

type Feeds = ReadonlyMap<string, number>
/** Seats of one account are one client. */
export const keyOfSeat = ({ service, account }: Pick<ExternalSeat, 'service' | 'account'>): string => `${service} ${account}`

/** Latency of the feed by service and account, µs: that of the account's fastest seat. */
export function feedsOf({ makers, bettors }: Pick<ResolvedScenario, 'makers' | 'bettors'>, seats: readonly ExternalSeat[]): Feeds {
  const feeds = new Map<string, number>()
  for (const seat of seats) {
    const { service, role, name } = seat
    const { latency: { feedUs } } = (role === 'maker' ? makers : bettors).find((entry) => entry.service === service && entry.name === name)!
    const key = keyOfSeat(seat)
    feeds.set(key, Math.min(feeds.get(key) ?? Infinity, feedUs))
  }
  return feeds
}

/** The prices beside the services: each seat reads them by its credential, behind the latency of its feed. */
export class SeatPrices {
  private readonly feed: PriceFeed
  private readonly feeds: Feeds

  constructor(feed: PriceFeed, feeds: Feeds) {
    this.feed = feed
    this.feeds = feeds
  }

  /** Answers a call for prices at an instant, µs. Null for any other call, and of a service that tells no prices. */
  answer(exchange: Exchange, handler: Pick<ServiceHandler, 'marketName' | 'readerOf'>, atUs: number): Answer | null {
    const { service } = exchange
    if (exchange.path !== PRICES_PATH || service === 'control' || handler.marketName === undefined || handler.readerOf === undefined) return null
    const key = keyOfSeat({ service, account: handler.readerOf(exchange, atUs) })
    const feedUs = this.feeds.get(key)
    if (feedUs === undefined) return answerWith(401, { error: 'prices are for the seats of the session, by credentials that have not ended' }, [])
    return this.feed.answer(exchange, { key, nowUs: atUs, feedUs, marketName: (market) => handler.marketName!(market) })
  }
}
