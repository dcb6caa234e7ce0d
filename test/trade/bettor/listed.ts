import type { MarketNames } from '../../../src/market/publicList.ts'

/** What a list says of a market with this ticker. */
export const namesOf = (ticker: string): MarketNames => ({ ticker, title: `Will ${ticker} win?`, event: `${ticker}-event`, game: '', category: 'sports', venue: 'venue_b' })
