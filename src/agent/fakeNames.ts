import type { MarketNames } from '../market/publicList.ts'

/** What the public list of a fake says of its markets, 0 first, with what a test gives of them. */
export const fakeNames = (count: number, given: readonly Partial<MarketNames>[]): MarketNames[] =>
  Array.from({ length: count }, (_, market) => ({ ticker: `MARKET-${market}`, title: `Market ${market}`, event: '', game: '', category: '', venue: 'venue_a', ...given[market] }))
