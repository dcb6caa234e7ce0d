import { NO_PRICE, PRICE_ONE_E6, type Ticks } from './ticks.ts'

/**
 * The value of a market by one tick alone, 0…1: the middle of its book, where an empty side counts as its end of the scale. Without a
 * book it is the last trade, and NaN when there is neither. A last trade says nothing where there is a book, however one-sided.
 */
export function marketValue({ bidE6, askE6, lastE6 }: Ticks, tick: number): number {
  const bid = bidE6[tick]!
  const ask = askE6[tick]!
  if (bid !== NO_PRICE || ask !== NO_PRICE) return (Math.max(0, bid) + (ask === NO_PRICE ? PRICE_ONE_E6 : ask)) / (2 * PRICE_ONE_E6)
  return lastE6[tick] === NO_PRICE ? NaN : lastE6[tick]! / PRICE_ONE_E6
}

/**
 * The values of markets over time. A market that trades has the value of its latest tick with a price (`marketValue`). Afterwards it keeps
 * the value at its close, because an emptied book prices nothing.
 */
export class MarketValues {
  /** By market, of YES, 0…1; NaN before its first price. */
  declare readonly yes: Float64Array
  private declare readonly ticks: Ticks
  private declare readonly settledUs: Float64Array
  private declare readonly tradedUntilUs: Float64Array | null
  private next = 0

  /**
   * @param settledUs by market: only ticks before it count.
   * @param tradedUntilUs by market: only ticks up to it count, Infinity where it is unknown, null where it is unknown everywhere.
   */
  constructor(ticks: Ticks, settledUs: Float64Array, tradedUntilUs: Float64Array | null) {
    this.yes = new Float64Array(settledUs.length).fill(NaN)
    this.ticks = ticks
    this.settledUs = settledUs
    this.tradedUntilUs = tradedUntilUs
  }

  /** Takes every tick up to an instant, µs. Instants never fall from call to call. */
  advance(atUs: number): void {
    const { ticks, yes, settledUs, tradedUntilUs } = this
    for (; this.next < ticks.count && ticks.atUs[this.next]! <= atUs; this.next++) {
      const tick = this.next
      const market = ticks.market[tick]!
      if (ticks.atUs[tick]! >= settledUs[market]! || (tradedUntilUs !== null && ticks.atUs[tick]! > tradedUntilUs[market]!)) continue
      const value = marketValue(ticks, tick)
      if (value === value) yes[market] = value
    }
  }
}
