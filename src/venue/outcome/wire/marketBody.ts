import type { WireNames } from './names.ts'

export type MarketStatus = 'LISTED' | 'HALTED' | 'CLOSED' | 'DELISTED' | 'RESOLVED'

/** What the catalogue and the price store know of an outcome. */
export interface MarketFacts {
  readonly outcome: number
  readonly title: string
  readonly status: MarketStatus
  readonly closesAtUs: number
  readonly price: PriceFacts | null
}

/** Best bid and ask of an outcome in ten-thousandths of a dollar, −1 where there is none, and since when. */
export interface PriceFacts {
  readonly bidE4: number
  readonly askE4: number
  readonly atUs: number
}

/** A market (OM-049, fields chosen); prices are decimal strings in dollars, null where they are not known. */
export interface MarketBody {
  readonly outcome_id: string
  readonly market_id: string
  readonly title: string
  readonly status: MarketStatus
  readonly closes_at: string
  readonly bid: string | null
  readonly ask: string | null
}

/** Ten-thousandths of a dollar as a decimal string with four decimals, or null for −1. */
export const priceText = (priceE4: number): string | null =>
  priceE4 < 0 ? null : `${Math.floor(priceE4 / 10_000)}.${String(priceE4 % 10_000).padStart(4, '0')}`

export const marketBody = (names: WireNames, market: MarketFacts): MarketBody => ({
  outcome_id: names.outcomeId(market.outcome),
  market_id: names.identity.market(market.outcome),
  title: market.title,
  status: market.status,
  closes_at: names.identity.instant(market.closesAtUs),
  bid: market.price === null ? null : priceText(market.price.bidE4),
  ask: market.price === null ? null : priceText(market.price.askE4),
})
