import { betfairDefinitions, betfairPrices, betfairResults } from './betfairStream.ts'
import { hyperliquidBooks, hyperliquidOutcomes, hyperliquidTrades } from './hyperliquid.ts'
import { polymarketBooks, polymarketHistory, polymarketResolutions, polymarketTrades } from './polymarketFrames.ts'
import { polymarketMarkets } from './polymarketMarkets.ts'
import type { RowShape } from './shape.ts'
import type { ShapeName } from './shapeNames.ts'

export const SHAPES: Readonly<Record<ShapeName, RowShape>> = {
  'betfair-definitions': betfairDefinitions,
  'betfair-prices': betfairPrices,
  'betfair-results': betfairResults,
  'hyperliquid-books': hyperliquidBooks,
  'hyperliquid-outcomes': hyperliquidOutcomes,
  'hyperliquid-trades': hyperliquidTrades,
  'polymarket-books': polymarketBooks,
  'polymarket-history': polymarketHistory,
  'polymarket-markets': polymarketMarkets,
  'polymarket-resolutions': polymarketResolutions,
  'polymarket-trades': polymarketTrades,
}
