import { NO_PRICE, PRICE_ONE_E6, type Ticks } from './ticks.ts'
import { sourceOf, TickCursor, type TickHistory } from './tickSource.ts'

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

/** What is known of values where a history begins with a state. */
export interface OpeningValues {
  /** By market, NaN where there is none. */
  readonly yes: Float64Array
  /** So many first ticks are the state, of which no value is taken: not all of it may count. */
  readonly stateTicks: number
}

/**
 * The values of markets over time. A market that trades has the value of its latest tick with a price (`marketValue`). Afterwards it keeps
 * the value at its close, because an emptied book prices nothing.
 */
export class MarketValues {
  /** By market, of YES, 0…1; NaN before its first price. */
  declare readonly yes: Float64Array
  private declare readonly cursor: TickCursor
  private declare readonly settledUs: Float64Array
  private declare readonly tradedUntilUs: Float64Array | null
  private nextUs = 0

  /**
   * @param settledUs by market: only ticks before it count.
   * @param tradedUntilUs by market: only ticks up to it count, Infinity where it is unknown, null where it is unknown everywhere.
   * @param opening absent where the ticks begin with no state.
   */
  constructor(ticks: TickHistory, settledUs: Float64Array, tradedUntilUs: Float64Array | null, opening?: OpeningValues) {
    this.yes = opening?.yes.slice() ?? new Float64Array(settledUs.length).fill(NaN)
    this.cursor = new TickCursor(sourceOf(ticks))
    if (opening !== undefined) this.cursor.seek(opening.stateTicks)
    this.nextUs = this.cursor.nextUs
    this.settledUs = settledUs
    this.tradedUntilUs = tradedUntilUs
  }

  /** Takes every tick up to an instant, µs. Instants never fall from call to call. */
  advance(atUs: number): void {
    while (this.nextUs <= atUs && this.nextUs < Infinity) {
      this.cursor.enter()
      this.takeChunk(atUs)
    }
  }

  /** Takes what is in time of the chunk that the cursor stands in. */
  private takeChunk(untilUs: number): void {
    const { cursor, yes, settledUs, tradedUntilUs } = this
    const { ticks } = cursor
    const { atUs, count } = ticks
    let tick = cursor.at
    for (; tick < count && atUs[tick]! <= untilUs; tick++) {
      const market = ticks.market[tick]!
      if (atUs[tick]! >= settledUs[market]! || (tradedUntilUs !== null && atUs[tick]! > tradedUntilUs[market]!)) continue
      const value = marketValue(ticks, tick)
      if (value === value) yes[market] = value
    }
    cursor.at = tick
    this.nextUs = cursor.nextUs
  }
}
