import type { Market } from '../market/market.ts'
import { DAY_US, isoOfTimeUs } from '../unit/time.ts'
import type { CLUSTERS } from './schema.ts'

/** A night of games that ends after midnight UTC is one day: days turn at noon UTC. */
const NOON_US = DAY_US / 2
const NO_DAY = 'no day'

/**
 * The settlement cluster of a market (docs/metrics.md), by `kind`: its game, its event, the UTC day or week in which it settles, or the game day,
 * which lasts from noon to noon UTC. A week is named by its Monday. `settledUs` is Infinity for a market that the session does not list.
 */
export function clusterOf(market: Market, kind: (typeof CLUSTERS)[number], settledUs: number): string {
  switch (kind) {
    case 'game': return market.game || market.event || market.ticker
    case 'event': return market.event || market.ticker
    case 'day': return settledUs === Infinity ? NO_DAY : isoOfTimeUs(settledUs).slice(0, 10)
    case 'week': return settledUs === Infinity ? NO_DAY : isoOfTimeUs(mondayUs(settledUs)).slice(0, 10)
    case 'gameDay': return settledUs === Infinity ? NO_DAY : isoOfTimeUs(settledUs - NOON_US).slice(0, 10)
  }
}

/** The last Monday at midnight UTC; the epoch was a Thursday. */
const mondayUs = (atUs: number): number => atUs - ((((atUs - 4 * DAY_US) % (7 * DAY_US)) + 7 * DAY_US) % (7 * DAY_US))
