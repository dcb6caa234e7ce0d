import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'

/**
 * What a market is worth by one tick alone when no other comes, 0…1: the middle of its book, an empty side standing at its end of the
 * scale; without a book the last trade; NaN when there is neither. A last trade says nothing where there is a book, however one-sided.
 */
export function closingPrice({ bidE6, askE6, lastE6 }: Ticks, tick: number): number {
  const bid = bidE6[tick]!
  const ask = askE6[tick]!
  if (bid !== NO_PRICE || ask !== NO_PRICE) return (Math.max(0, bid) + (ask === NO_PRICE ? PRICE_ONE_E6 : ask)) / (2 * PRICE_ONE_E6)
  return lastE6[tick] === NO_PRICE ? NaN : lastE6[tick]! / PRICE_ONE_E6
}
