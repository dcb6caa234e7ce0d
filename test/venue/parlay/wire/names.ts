import type { MarketName } from '../../../../src/venue/parlay/wire/legBody.ts'

const NAMES: readonly MarketName[] = [
  { market_ticker: 'NBA-LAL', event_ticker: 'NBA-LAL-BOS', venue: 'venue_a' },
  { market_ticker: 'BTC-90K', event_ticker: 'BTC-JUN', venue: 'venue_b' },
]

/** Names of markets 0 and 1. */
export const nameOf = (market: number): MarketName => NAMES[market]!

/** What a client parses out of a body: amounts become numbers. */
export const asSent = (body: object): Record<string, unknown> => JSON.parse(JSON.stringify(body)) as Record<string, unknown>
