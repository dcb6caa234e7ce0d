/**
 * Places of markets on the uniform number in [0, 1) that decides them together: they lie side by side, the dearest first, and the one on which the
 * number falls is YES. So events that share a factor tend to end with their favourites together (drawnOutcomes.ts).
 */

/** Writes the markets into `order`, the dearest first, and lower numbers among equals. @param value by market. */
export function orderDearestFirst(markets: ArrayLike<number>, value: ArrayLike<number>, order: Int32Array): void {
  for (let n = 0; n < markets.length; n++) {
    const market = markets[n]!
    let at = n
    for (; at > 0 && isBefore(market, order[at - 1]!, value); at--) order[at] = order[at - 1]!
    order[at] = market
  }
}

const isBefore = (market: number, other: number, value: ArrayLike<number>): boolean =>
  value[market]! > value[other]! || (value[market] === value[other] && market < other)

/**
 * Lays the first `count` markets of `order` side by side from 0 on, and ends them at 1. Each is as wide as its share of `whole`.
 * @param width by market. It may be the column `to`.
 * @param from by market, where its place begins. @param to by market, where its place ends.
 */
export function layPlaces(order: ArrayLike<number>, count: number, width: ArrayLike<number>, whole: number, from: Float64Array, to: Float64Array): void {
  let place = 0
  for (let n = 0; n < count; n++) {
    const market = order[n]!
    from[market] = place
    place = Math.min(1, place + width[market]! / whole)
    to[market] = place
  }
}
