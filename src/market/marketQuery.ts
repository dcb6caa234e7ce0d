import { ALL_SUBCATEGORIES, CATEGORIES, type Category, FREQUENCIES, SUBCATEGORIES, wordsOf } from './marketClass.ts'
import { type EventKey, eventOfCursor } from './marketCursor.ts'

/** Buckets of the time to a market's close (PQ-155). */
export const TIME_BUCKETS = ['1h', '1h-1d', '1d-7d', 'today', 'this_week', 'this_month', 'all'] as const
export type TimeBucket = (typeof TIME_BUCKETS)[number]

/** Names of the query's parameters. The service's document does not name `closes_within` and `search` (PQ-162, PQ-163). */
export const MARKET_PARAMETERS = [
  'category', 'venue', 'subcategory', 'frequency', 'closes_within', 'search', 'cursor', 'limit', 'markets_per_event',
] as const
type Parameter = (typeof MARKET_PARAMETERS)[number]

/** `GET /markets` as sent: texts by parameter. Other parameters are ignored. */
export type MarketParameters = { readonly [name in Parameter]?: string | undefined }

const LIMIT_DEFAULT = 21
const LIMIT_MAX = 100
const PER_EVENT_DEFAULT = 10
const PER_EVENT_MAX = 50
const PRODUCT_MAX = 2000
const VENUES = ['venue_a', 'venue_b'] as const

export interface QueryIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** 400 with `details.issues`. */
export interface QueryRejection {
  readonly code: 'VALIDATION_ERROR'
  readonly issues: readonly QueryIssue[]
}

export interface MarketsQuery {
  /** The category, null when it is omitted. */
  readonly category: Category | 'all' | null
  readonly venue: string | null
  readonly subcategory: string | null
  readonly frequency: string | null
  readonly closesWithin: TimeBucket
  /** Each must begin a word of the event's or the market's title. */
  readonly search: readonly string[]
  readonly limit: number
  readonly marketsPerEvent: number
  /** The last event of the previous page, or null. */
  readonly after: EventKey | null
  /** What a cursor is bound to: every filter, written out. It is not bound to the page's sizes, which a client may change. */
  readonly filters: string
}

export const isRejection = (value: object): value is QueryRejection => 'issues' in value

/** Reads the parameters of `GET /markets` (PQ-144…163). A mistake is a value with one issue for each wrong parameter. */
export function parseMarketsQuery(parameters: MarketParameters): MarketsQuery | QueryRejection {
  const issues: QueryIssue[] = []
  const isWrong = (name: Parameter): boolean => issues.some(({ path }) => path[0] === name)
  const fail = (name: Parameter, message: string): void => {
    if (!isWrong(name)) issues.push({ path: [name], message })
  }
  const oneOf = <T extends string>(name: Parameter, valid: readonly T[]): T | null => {
    const value = parameters[name]
    if (value === undefined) return null
    const found = valid.find((one) => one === value)
    if (found === undefined) fail(name, `one of ${valid.join(', ')} is expected`)
    return found ?? null
  }
  const count = (name: Parameter, max: number, byDefault: number): number => {
    const value = parameters[name]
    if (value === undefined) return byDefault
    const found = /^\d{1,9}$/.test(value) ? Number(value) : 0
    if (found < 1 || found > max) fail(name, `an integer from 1 to ${max} is expected`)
    return found
  }

  const category = oneOf('category', [...CATEGORIES, 'all'] as const)
  const venue = oneOf('venue', VENUES)
  const subcategory = oneOf('subcategory', ALL_SUBCATEGORIES)
  if (parameters.subcategory !== undefined && parameters.category === undefined) fail('subcategory', 'it needs a category')
  if (subcategory !== null && category !== null && category !== 'all') {
    const own: readonly string[] = SUBCATEGORIES[category]
    if (!own.includes(subcategory)) fail('subcategory', `${category} has ${own.join(', ')}`)
  }
  const frequency = oneOf('frequency', FREQUENCIES)
  const closesWithin = oneOf('closes_within', TIME_BUCKETS) ?? 'all'
  const search = [...new Set(wordsOf(parameters.search ?? ''))].sort((a, b) => (a < b ? -1 : 1))
  const limit = count('limit', LIMIT_MAX, LIMIT_DEFAULT)
  const marketsPerEvent = count('markets_per_event', PER_EVENT_MAX, PER_EVENT_DEFAULT)
  if (!isWrong('markets_per_event') && limit * marketsPerEvent > PRODUCT_MAX) fail('limit', `limit × markets_per_event may not exceed ${PRODUCT_MAX}`)

  const filters = JSON.stringify([category, venue, subcategory, frequency, closesWithin, search])
  const { cursor } = parameters
  const after = cursor === undefined ? null : eventOfCursor(filters, cursor)
  if (cursor !== undefined && after === null && issues.length === 0) fail('cursor', 'it is damaged or belongs to another query')
  if (issues.length > 0) return { code: 'VALIDATION_ERROR', issues }
  return { category, venue, subcategory, frequency, closesWithin, search, limit, marketsPerEvent, after, filters }
}
