/** What a market resolved to. `scalar` settles at a value in between (see `settlementE6`). */
export type MarketOutcome = 'yes' | 'no' | 'void' | 'scalar'

/** What a source says about a market's place in its venue's listing. It is fixed, and known from the opening on. */
export interface MarketListing {
  /** A subcategory of the parlay service, see `marketClass.ts`. */
  readonly subcategory?: string | undefined
  /** How often markets like it come: `hourly`, `daily`, `weekly`, `monthly` or `other`. */
  readonly frequency?: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'other' | undefined
  readonly eventTitle?: string | undefined
  /** The source says that at most one market of the event comes true. */
  readonly isExclusive?: boolean | undefined
}

/**
 * One yes/no market of a catalogue. Every instant is µs since the epoch. `…KnownUs` is when the fact beside it could be
 * known (design.md, decision 11). A fact that the source does not give is null and never guessed.
 */
export interface Market {
  /** Dense index in its catalogue, from 0. Ticks and venues name the market by this number. */
  readonly number: number
  readonly ticker: string
  readonly venue: 'venue_a' | 'venue_b'
  readonly event: string
  readonly series: string
  readonly category: string
  readonly title: string
  /** The game that the market is about, '' if none. Markets of one game are correlated. */
  readonly game: string
  /** The threshold ladder that the market is a rung of, '' if none. */
  readonly ladder: string
  /** Two markets that share a key cannot be in one parlay (PQ-065). Sorted, no duplicates, never empty. */
  readonly exclusionKeys: readonly string[]
  /** When the market began to be listed. */
  readonly openUs: number
  readonly scheduledCloseUs: number | null
  readonly scheduledCloseKnownUs: number | null
  /** When trading really ended; known at that instant, never before. */
  readonly actualCloseUs: number | null
  readonly outcome: MarketOutcome | null
  /** Value of YES in millionths, for `scalar`. */
  readonly settlementE6: number | null
  /** When the outcome was published. Null when the source does not say: then the scenario's settlement policy decides. */
  readonly settledUs: number | null
  /** Absent where the source says nothing about the listing. */
  readonly listing?: MarketListing | undefined
}

/** Markets in the order of their numbers. */
export interface Catalogue {
  readonly markets: readonly Market[]
}
