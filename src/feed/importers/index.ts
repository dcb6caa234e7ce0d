import type { Importer } from '../importer.ts'
import { kalshiBtc15mBook } from './kalshiBtc15mBook.ts'
import { kalshiMlbClose } from './kalshiMlbClose.ts'
import { kalshiWeatherCandles } from './kalshiWeatherCandles.ts'
import { polymarketFills } from './polymarketFills.ts'
import { polymarketMlbBook } from './polymarketMlbBook.ts'
import { polymarketPriceHistory } from './polymarketPriceHistory.ts'

/** Importers by the format that `parlor import FORMAT` names. */
export const IMPORTERS: Readonly<Record<string, Importer>> = Object.fromEntries(
  [kalshiBtc15mBook, kalshiMlbClose, kalshiWeatherCandles, polymarketFills, polymarketMlbBook, polymarketPriceHistory].map((importer) => [importer.format, importer]),
)
