import type { Ticks } from '../market/ticks.ts'
import { ColumnSet } from '../unit/columns.ts'
import type { TickSink } from './tickSink.ts'
import { timeOrder } from './timeOrder.ts'

/** The columns of ticks, of any length. */
export type TickColumns = Omit<Ticks, 'count'>

/** Ticks in order of arrival, before their markets are numbered and their times sorted. */
export class TickBuffer extends ColumnSet implements TickSink {
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
    const { count } = this
    const sorted = inTimeOrder({ count, ...columnsOf(this) })
    return { ...sorted, market: sorted.market.map((place) => numberOf[place]!) }
  }
}

/** Columns for so many ticks. */
export const tickColumns = (capacity: number): TickColumns => ({
  atUs: new Float64Array(capacity),
  market: new Int32Array(capacity),
  bidE6: new Int32Array(capacity),
  askE6: new Int32Array(capacity),
  bidSize: new Int32Array(capacity),
  askSize: new Int32Array(capacity),
  lastE6: new Int32Array(capacity),
})

const columnsOf = ({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }: TickColumns): TickColumns =>
  ({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6 })

/** Rows `from`…`to`−1 of columns, in the same memory. */
export const columnsFrom = (columns: TickColumns, from: number, to: number): TickColumns => ({
  atUs: columns.atUs.subarray(from, to),
  market: columns.market.subarray(from, to),
  bidE6: columns.bidE6.subarray(from, to),
  askE6: columns.askE6.subarray(from, to),
  bidSize: columns.bidSize.subarray(from, to),
  askSize: columns.askSize.subarray(from, to),
  lastE6: columns.lastE6.subarray(from, to),
})

/** The first `count` ticks of columns by time, and as they were where times are equal: a copy. */
export function inTimeOrder({ count, ...columns }: Ticks): Ticks {
  const order = timeOrder(columns.atUs, count)
  if (order === null) return { count, ...mapped(columns, (column) => column.slice(0, count)) }
  return { count, ...mapped(columns, (column) => picked(column, order)) }
}

type Column = Float64Array | Int32Array

/** The rows of a column in an order: a copy. */
export function picked<Of extends Column>(column: Of, order: Uint32Array): Of {
  const sorted = new (column.constructor as new (length: number) => Of)(order.length)
  for (let i = 0; i < order.length; i++) sorted[i] = column[order[i]!]!
  return sorted
}

const mapped = ({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }: TickColumns, map: (column: Column) => Column): TickColumns => ({
  atUs: map(atUs) as Float64Array,
  market: map(market) as Int32Array,
  bidE6: map(bidE6) as Int32Array,
  askE6: map(askE6) as Int32Array,
  bidSize: map(bidSize) as Int32Array,
  askSize: map(askSize) as Int32Array,
  lastE6: map(lastE6) as Int32Array,
})
