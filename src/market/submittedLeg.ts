import type { CatalogueIndex } from './catalogue.ts'
import type { Market } from './market.ts'
import type { QueryIssue } from './marketQuery.ts'

/** A leg that names a market: its fields as they are kept (PQ-053, PQ-054), the market's number, and the side as a venue's command takes it. */
export interface ResolvedLeg {
  readonly market: number
  /** 1 yes, 0 no. */
  readonly sideNumber: 0 | 1
  readonly event_ticker: string
  readonly market_ticker: string
  readonly side: 'yes' | 'no'
  readonly venue: Market['venue']
}

/** 400 with `details.issues`, or with `details.leg_errors` where every leg is well-formed but one names no market (PQ-355, PQ-356). */
export interface LegRejection {
  readonly code: 'VALIDATION_ERROR'
  readonly issues: readonly QueryIssue[]
  readonly leg_errors: readonly { readonly reason: 'market_not_found'; readonly legs: readonly number[] }[]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with the form of a submitted leg (PQ-048…050), each fault with its field. */
function faultsOf(leg: unknown): readonly (readonly [field: string, message: string])[] {
  if (!isObject(leg)) return [['', 'an object is expected']]
  const faults: [string, string][] = []
  const { market_ticker: ticker, side, venue } = leg
  if (typeof ticker !== 'string' || ticker === '') faults.push(['market_ticker', 'the ticker of a market is expected'])
  if (side !== 'yes' && side !== 'no') faults.push(['side', 'yes or no is expected'])
  if (venue !== undefined && venue !== 'venue_a' && venue !== 'venue_b') faults.push(['venue', 'venue_a or venue_b is expected'])
  return faults
}

/**
 * Finds the markets of submitted legs by ticker and venue. A leg without `venue` means `venue_a` (PQ-051), and a ticker of
 * another venue names no market. The venue decides how many legs there may be and which exclude each other.
 */
export function resolveLegs(index: CatalogueIndex, legs: readonly unknown[]): readonly ResolvedLeg[] | LegRejection {
  const issues = legs.flatMap((leg, place) =>
    faultsOf(leg).map(([field, message]): QueryIssue => ({ path: ['legs', place, ...(field === '' ? [] : [field])], message })))
  if (issues.length > 0) return { code: 'VALIDATION_ERROR', issues, leg_errors: [] }
  const resolved: ResolvedLeg[] = []
  const missing: number[] = []
  for (const [place, leg] of (legs as readonly { market_ticker: string; side: 'yes' | 'no'; venue?: Market['venue'] }[]).entries()) {
    const { market_ticker, side, venue = 'venue_a' } = leg
    const market = index.ofTicker(market_ticker)
    if (market === undefined || market.venue !== venue) missing.push(place)
    else resolved.push({ market: market.number, sideNumber: side === 'yes' ? 1 : 0, event_ticker: market.event, market_ticker, side, venue })
  }
  if (missing.length === 0) return resolved
  return { code: 'VALIDATION_ERROR', issues: [], leg_errors: missing.map((place) => ({ reason: 'market_not_found', legs: [place] })) }
}
