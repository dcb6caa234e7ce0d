import type { Market } from './market.ts'

/** A market as it could be known at one instant. What was not known by then is null. */
export type KnownMarket = Omit<Market, 'scheduledCloseKnownUs' | 'listing'>

/** Whether a fact that became known at `knownUs` could be known at `nowUs`. False without a `knownUs`, which is never guessed. */
export const isKnownBy = (knownUs: number | null, nowUs: number): boolean => knownUs !== null && knownUs <= nowUs

/**
 * The market as it could be known at `nowUs`, or null before it was listed (design.md, decision 11). The scheduled close is
 * known from its own known-at time on, the actual close from that instant on, the outcome from its publication on. An outcome
 * without a publication time is never known here: the scenario's settlement policy decides when it is.
 */
export function knownAt(market: Market, nowUs: number): KnownMarket | null {
  if (market.openUs > nowUs) return null
  const settled = isKnownBy(market.settledUs, nowUs)
  return {
    number: market.number,
    ticker: market.ticker,
    venue: market.venue,
    event: market.event,
    series: market.series,
    category: market.category,
    title: market.title,
    game: market.game,
    ladder: market.ladder,
    exclusionKeys: market.exclusionKeys,
    openUs: market.openUs,
    scheduledCloseUs: isKnownBy(market.scheduledCloseKnownUs, nowUs) ? market.scheduledCloseUs : null,
    actualCloseUs: isKnownBy(market.actualCloseUs, nowUs) ? market.actualCloseUs : null,
    outcome: settled ? market.outcome : null,
    settlementE6: settled ? market.settlementE6 : null,
    settledUs: settled ? market.settledUs : null,
  }
}

/** Whether all trading was known to be over at `nowUs`, when the market had been listed. */
export function isOver(market: Market, nowUs: number): boolean {
  const { scheduledCloseUs, actualCloseUs, settledUs } = knownAt(market, nowUs)!
  return settledUs !== null || actualCloseUs !== null || (scheduledCloseUs !== null && scheduledCloseUs <= nowUs)
}
