import { legPrice, type PriceBoard, type PriceHow } from '../market/priceBoard.ts'
import type { PublishedResults } from '../market/publishedResults.ts'
import { MarketResult } from '../market/sides.ts'

/** The result of `settledProduct` for legs one of which is known to be void. */
export const VOID_LEGS = -1

/**
 * Probability 0…1 that all legs win, as an observer knows it: the product of prices, where a leg whose result has reached the
 * observer counts as 0 or 1. VOID_LEGS when no leg is known to be lost and one is known to be void. NaN when a leg without a
 * result has no price younger than `maxAgeUs`.
 */
export function settledProduct(
  board: PriceBoard, results: PublishedResults, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, count: number,
  how: PriceHow, nowUs: number, maxAgeUs: number,
): number {
  let product = 1
  let hasVoid = false
  for (let i = from; i < from + count; i++) {
    const result = results.known(markets[i]!, nowUs, board.lagUs)
    if (result < 0) product *= legPrice(board, markets[i]!, sides[i]!, how, nowUs, maxAgeUs)
    else if (result === MarketResult.void) hasVoid = true
    else if (result !== sides[i]) return 0
  }
  return hasVoid ? VOID_LEGS : product
}
