/** Rows that code makes of objects of JSON, because no column of theirs says it. */
export const SHAPE_NAMES = [
  'betfair-definitions', 'betfair-prices', 'betfair-results', 'hyperliquid-books', 'hyperliquid-outcomes', 'hyperliquid-trades', 'polymarket-books', 'polymarket-history',
  'polymarket-markets', 'polymarket-resolutions', 'polymarket-trades',
] as const
export type ShapeName = (typeof SHAPE_NAMES)[number]
