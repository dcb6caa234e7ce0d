import type { Market } from './market.ts'

/** What the public list says of a market from its opening on, and never changes (design.md, decision 11). A text is '' where the list says nothing. */
export interface MarketNames {
  readonly ticker: string
  readonly title: string
  /** The event that it is a market of. */
  readonly event: string
  /** The game that it is about. Markets of one game are correlated. */
  readonly game: string
  readonly category: string
  /** Where it is traded: `venue_a` or `venue_b`. */
  readonly venue: string
}

/** What can be known of markets by an instant. */
export interface PublicList {
  /** Null of a market that has not opened by then, and of one that there is not. */
  namesOf(market: number, nowUs: number): MarketNames | null
}

export const NO_LIST: PublicList = { namesOf: () => null }

/** The list of a catalogue, whose markets are given in the order of their numbers. */
export const listOfCatalogue = (markets: readonly Market[]): PublicList => ({
  namesOf(number, nowUs) {
    const market = markets[number]
    return market === undefined || market.openUs > nowUs ? null : market
  },
})
