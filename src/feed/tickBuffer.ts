import type { Ticks } from '../market/ticks.ts'
import { ColumnSet } from '../unit/columns.ts'

/** Ticks in order of arrival, before their markets are numbered and their times sorted. */
export class TickBuffer extends ColumnSet {
  count = 0
  declare atUs: Float64Array
  declare market: Int32Array
  declare bidE6: Int32Array
  declare askE6: Int32Array
  declare bidSize: Int32Array
  declare askSize: Int32Array
  declare lastE6: Int32Array

  constructor(capacity = 1 << 12) {
    super(capacity)
    this.atUs = new Float64Array(capacity)
    this.market = new Int32Array(capacity)
    this.bidE6 = new Int32Array(capacity)
    this.askE6 = new Int32Array(capacity)
    this.bidSize = new Int32Array(capacity)
    this.askSize = new Int32Array(capacity)
    this.lastE6 = new Int32Array(capacity)
  }

  add(atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number): void {
    this.ensure(this.count + 1)
    const row = this.count
    this.atUs[row] = atUs
    this.market[row] = market
    this.bidE6[row] = bidE6
    this.askE6[row] = askE6
    this.bidSize[row] = bidSize
    this.askSize[row] = askSize
    this.lastE6[row] = lastE6
    this.count += 1
  }

  /** The ticks by time, and in order of arrival where times are equal. `numberOf` gives each market its number in the catalogue. */
  sorted(numberOf: Int32Array): Ticks {
    const at = this.atUs
    const order = new Uint32Array(this.count)
    for (let i = 0; i < order.length; i += 1) order[i] = i
    order.sort((a, b) => at[a]! - at[b]! || a - b)
    const pick = (column: Int32Array) => Int32Array.from(order, (row) => column[row]!)
    return {
      count: this.count,
      atUs: Float64Array.from(order, (row) => at[row]!),
      market: Int32Array.from(order, (row) => numberOf[this.market[row]!]!),
      bidE6: pick(this.bidE6),
      askE6: pick(this.askE6),
      bidSize: pick(this.bidSize),
      askSize: pick(this.askSize),
      lastE6: pick(this.lastE6),
    }
  }
}
