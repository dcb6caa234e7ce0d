/**
 * Top-of-book updates of YES in time order, as columns. Prices are millionths of a dollar (0…1,000,000), −1 for an empty
 * side. Sizes are whole contracts at that price, −1 when unknown. `lastE6` is the last trade or the source's only price, −1
 * for none. The NO side is the mirror: its ask is 1,000,000 − bid.
 */
export interface Ticks {
  readonly count: number
  /** When the update could be seen. A candle can be seen at its end. */
  readonly atUs: Float64Array
  readonly market: Int32Array
  readonly bidE6: Int32Array
  readonly askE6: Int32Array
  readonly bidSize: Int32Array
  readonly askSize: Int32Array
  readonly lastE6: Int32Array
}

export const PRICE_ONE_E6 = 1_000_000
export const NO_PRICE = -1

const none = new Int32Array(0)
export const NO_TICKS: Ticks = { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none }
