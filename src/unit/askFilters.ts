/**
 * What keeps the bettors of a cohort from a market, in the order in which it is asked. Each market counts for the first filter that it never
 * got past. What is left could be asked for at some instant.
 */
export const ASK_FILTERS = [
  'no price in the window', 'closed before the first price', 'no result', 'not traded while bettors arrive', 'no price while it trades',
  'prices older than maxAge', 'prices outside of priceMin', 'no favourite', 'fewer than legsMin', 'legs exclude each other', 'left',
] as const
export type AskFilter = (typeof ASK_FILTERS)[number]

/** Markets by filter, without zeros, in the order of `ASK_FILTERS`. They add up to the markets of the store. */
export type AskCounts = { readonly [name in AskFilter]?: number }

/** Markets of a cohort by filter, and how often age lets it ask. */
export interface AskedFor {
  readonly markets: AskCounts
  /**
   * Of the time in which bettors arrive and a market is traded and priced, over all markets, the share in which its price is no older than the
   * cohort's `maxAge`, 0…1 in steps of a millionth. Null where no market is priced.
   */
  readonly youngShare: number | null
}

export const MILLIONTHS = 1_000_000

/** What `youngShare` is counted by in a manifest, in millionths. */
export const youngCountName = (service: string, cohort: string): string => `millionths of time with young prices for ${service}:${cohort}`

/** What such markets are counted by in a manifest. */
export const askCountName = (service: string, cohort: string, filter: AskFilter): string => `${filter} for ${service}:${cohort}`
