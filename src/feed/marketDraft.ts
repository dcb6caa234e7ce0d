import type { Catalogue, Market } from '../market/market.ts'

/** A market before its number is known. What an import does not state is '' or null, and has no keys, until the market is `completed`. */
export type MarketDraft = Omit<Market, 'number'>

/** What stays unknown where a source does not say it. */
export const NOT_STATED = {
  game: '',
  ladder: '',
  scheduledCloseUs: null,
  scheduledCloseKnownUs: null,
  actualCloseUs: null,
  outcome: null,
  settlementE6: null,
  settledUs: null,
} as const

/** A market with what is taken where nobody states it: its ticker stands for event and title, and excludes itself alone. */
export function completed(draft: MarketDraft): MarketDraft {
  const { ticker, event, title, exclusionKeys } = draft
  return { ...draft, event: event === '' ? ticker : event, title: title === '' ? ticker : title, exclusionKeys: exclusionKeys.length === 0 ? [keyOfNone(ticker)] : exclusionKeys }
}

/** The exclusion key of a market that has no other. */
export const keyOfNone = (ticker: string): string => `market:${ticker}`

/** Orders texts by code units, which is the same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The number of each draft in the catalogue: its place in order of ticker. */
export function numbersOf(drafts: readonly MarketDraft[]): Int32Array {
  const order = drafts.map((_, place) => place).sort((a, b) => byText(drafts[a]!.ticker, drafts[b]!.ticker))
  const numberOf = new Int32Array(drafts.length)
  order.forEach((place, number) => {
    numberOf[place] = number
  })
  return numberOf
}

/** Markets numbered by ticker. */
export function catalogueOf(drafts: Iterable<MarketDraft>): Catalogue {
  const sorted = [...drafts].sort((a, b) => byText(a.ticker, b.ticker))
  return { markets: sorted.map((draft, number): Market => ({ number, ...draft })) }
}
