import { Decimal } from 'decimal.js'
import { NO_PRICE, PRICE_ONE_E6 } from '../market/ticks.ts'

/** Why a text is not a whole number of millionths, or not a price. */
export type DecimalTrouble = 'not a number' | 'more than 6 decimals' | 'price out of range'

const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const REMEMBERED = 1 << 16
const known = new Map<string, number | DecimalTrouble>()

/** A decimal in millionths, exactly: `0.62` is 620,000. What is not exact is returned as a DecimalTrouble, never rounded. */
export function exactE6(text: string): number | DecimalTrouble {
  const before = known.get(text)
  if (before !== undefined) return before
  const value = parseE6(text)
  if (known.size < REMEMBERED) known.set(text, value)
  return value
}

/** A price of 0 to 1 dollars in millionths, exactly. */
export function exactPriceE6(text: string): number | DecimalTrouble {
  const value = exactE6(text)
  return typeof value === 'number' && (value < 0 || value > PRICE_ONE_E6) ? 'price out of range' : value
}

function parseE6(text: string): number | DecimalTrouble {
  if (!DECIMAL.test(text)) return 'not a number'
  const millionths = new Decimal(text).times(PRICE_ONE_E6)
  if (!millionths.isInteger()) return 'more than 6 decimals'
  const value = millionths.toNumber()
  return Number.isSafeInteger(value) ? value + 0 : 'not a number'
}

/** Kalshi writes an empty bid as 0. */
export const bidOrEmpty = (priceE6: number) => (priceE6 === 0 ? NO_PRICE : priceE6)

/** Kalshi writes an empty ask as 1 dollar. */
export const askOrEmpty = (priceE6: number) => (priceE6 === PRICE_ONE_E6 ? NO_PRICE : priceE6)
