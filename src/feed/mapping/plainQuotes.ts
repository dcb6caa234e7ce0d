import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { SIZE_MAX } from '../bookSide.ts'
import type { FileTally } from '../importTally.ts'
import type { RowBatch } from '../rows/rowBatch.ts'
import type { TickRows, TickSink } from '../tickSink.ts'
import type { Clock } from './instants.ts'
import { type LastTicks, TICK_VALUES, tellRepeated } from './lastTicks.ts'
import type { PriceColumn } from './prices.ts'
import type { MarketReader, PlainRows } from './sectionRows.ts'

/** So many rows of each column are read at once that they fit into a near cache. */
const BLOCK_ROWS = 2048
/** Decimals of a millionth. */
const E6 = 6
/** What is beyond is no whole number of contracts that a tick has room for, millionths. */
const SIZE_MAX_E6 = SIZE_MAX * PRICE_ONE_E6 + PRICE_ONE_E6 - 1
const NO_SIZE_E6 = NO_PRICE * PRICE_ONE_E6
/** Where less than one of so many rows is plain, so many blocks are read row by row before one is looked at again. */
const [SHARE_LEAST, BLOCKS_LEFT] = [4, 15]

/** Whether a row is plain, and its market came before. */
const [OTHER, UNKNOWN, PLAIN] = [0, 1, 2]

/** Who reads the columns of a section, and where its ticks go. */
export interface PlainReaders {
  readonly market: MarketReader
  readonly clock: Clock
  readonly bid: PriceColumn
  readonly ask: PriceColumn
  /** Null where rows have none. */
  readonly price: PriceColumn | null
  /** Places of the columns, −1 for none. */
  readonly bidSize: number
  readonly askSize: number
  readonly last: LastTicks
  readonly sink: TickSink & Required<Pick<TickSink, 'addRows'>>
}

/**
 * Quotes of which each value stands in a column of its own. Those of a batch are read column by column, and become ticks where all is plain: a market that came
 * before, an instant, two prices that do not cross, and whole sizes. Any other row is left to whoever reads rows one by one, in its turn.
 */
export class PlainQuotes implements PlainRows {
  private declare readonly readers: PlainReaders
  private rows = roomFor(0)
  /** The same columns, as ticks have them. */
  private ticks = ticksOf(this.rows)
  private readonly values = new Float64Array(TICK_VALUES)
  /** Blocks that are left to others, because hardly a row of one before was plain. */
  private left = 0
  /** The least of each column that is plain. Where a section has no column, all stands at what there is none of. */
  private declare readonly least: Least

  constructor(readers: PlainReaders) {
    this.readers = readers
    const { bid, ask, price, bidSize, askSize } = readers
    this.least = { bid: bid.leastE6, ask: ask.leastE6, bidSize: bidSize < 0 ? NO_SIZE_E6 : 0, askSize: askSize < 0 ? NO_SIZE_E6 : 0, price: price?.leastE6 ?? NO_PRICE }
  }

  /** Whether the columns of a section are read in this way. */
  static fits({ market, clock, bid, ask, price }: Pick<PlainReaders, 'market' | 'clock' | 'bid' | 'ask' | 'price'>): boolean {
    return market.isPlain && clock.isPlain && bid.isPlain && ask.isPlain && (price === null || price.isPlain)
  }

  take(batch: RowBatch, tally: FileTally, other: (row: number) => void): void {
    const rows = Math.min(BLOCK_ROWS, batch.count)
    if (this.rows.state.length < rows) this.ticks = ticksOf(this.rows = roomFor(rows))
    for (let from = 0; from < batch.count; from += BLOCK_ROWS) {
      const to = Math.min(batch.count, from + BLOCK_ROWS)
      if (this.left > 0) {
        this.left -= 1
        for (let row = from; row < to; row += 1) other(row)
        continue
      }
      this.read(batch, from, to)
      if (this.takeBlock(batch, from, to, tally, other) * SHARE_LEAST < to - from) this.left = BLOCKS_LEFT
    }
  }

  private read({ cells }: RowBatch, from: number, to: number): void {
    const { rows, readers: { market, clock, bid, ask, price, bidSize, askSize } } = this
    market.knownPlaces(cells, from, to, rows.market)
    clock.plainRows(cells, from, to, rows.atUs, rows.spare)
    bid.plainRows(cells, from, to, rows.bid)
    ask.plainRows(cells, from, to, rows.ask)
    price?.plainRows(cells, from, to, rows.price)
    if (bidSize >= 0) cells[bidSize]!.scaledRows(from, to, E6, rows.bidSizeE6)
    if (askSize >= 0) cells[askSize]!.scaledRows(from, to, E6, rows.askSizeE6)
    judge(rows, to - from, this.least)
    toWhole(rows.bidSizeE6, rows.bidSize, to - from)
    toWhole(rows.askSizeE6, rows.askSize, to - from)
  }

  /** Returns how many rows were plain. */
  private takeBlock({ cells, numbers }: RowBatch, first: number, end: number, tally: FileTally, other: (row: number) => void): number {
    const { ticks, rows: { state, market }, readers: { market: reader, last, sink } } = this
    const count = end - first
    let plain = count
    // Rows from here on are ticks that wait to be added.
    let from = 0
    const add = (to: number): void => {
      if (to > from) sink.addRows(ticks, numbers, from, to, first)
      tally.accept(to - from)
    }
    for (let row = 0; row < count;) {
      row = last.follow(ticks, row, plainUntil(state, row, count))
      if (row === count) break
      if (state[row] === UNKNOWN) market[row] = reader.place(cells, first + row)
      const isOther = state[row] === OTHER || market[row]! < 0
      if (isOther || this.isSetAside(row, tally, numbers[first + row]!)) {
        add(row)
        from = row + 1
        if (isOther) {
          plain -= 1
          other(first + row)
        }
      }
      row += 1
    }
    add(count)
    return plain
  }

  /** Takes a row for the last tick of its market, and tells of it where the market has its instant already. */
  private isSetAside(row: number, tally: FileTally, number: number): boolean {
    const { values, readers: { last }, ticks: { market, atUs, bidE6, askE6, bidSize, askSize, lastE6 } } = this
    values[0] = atUs[row]!
    values[1] = bidE6[row]!
    values[2] = askE6[row]!
    values[3] = bidSize[row]!
    values[4] = askSize[row]!
    values[5] = lastE6[row]!
    const again = last.compare(market[row]!, values)
    return again !== 0 && tellRepeated(again, tally, number)
  }
}

type Least = Readonly<Record<'bid' | 'ask' | 'bidSize' | 'askSize' | 'price', number>>

/** Columns of a block. */
const roomFor = (rows: number) => ({
  market: new Int32Array(rows), atUs: new Float64Array(rows), bid: new Float64Array(rows), ask: new Float64Array(rows), price: new Float64Array(rows).fill(NO_PRICE),
  bidSizeE6: new Float64Array(rows).fill(NO_SIZE_E6), askSizeE6: new Float64Array(rows).fill(NO_SIZE_E6), bidSize: new Float64Array(rows), askSize: new Float64Array(rows),
  spare: new Float64Array(rows), state: new Uint8Array(rows),
})
type Room = ReturnType<typeof roomFor>

const ticksOf = ({ market, atUs, bid, ask, bidSize, askSize, price }: Room): TickRows => ({ market, atUs, bidE6: bid, askE6: ask, bidSize, askSize, lastE6: price })

/** Says of each row whether it is plain. What is told otherwise is NaN. A bid of 0 and an ask of a dollar are none. */
function judge({ market, atUs, bid, ask, price, bidSizeE6, askSizeE6, state }: Room, count: number, least: Least): void {
  for (let row = 0; row < count; row += 1) {
    const us = atUs[row]!
    const isPlain = us === us && bid[row]! >= least.bid && ask[row]! >= least.ask && bid[row]! <= ask[row]! && ask[row]! < PRICE_ONE_E6 && price[row]! >= least.price && price[row]! <= PRICE_ONE_E6
      && bidSizeE6[row]! >= least.bidSize && bidSizeE6[row]! <= SIZE_MAX_E6 && askSizeE6[row]! >= least.askSize && askSizeE6[row]! <= SIZE_MAX_E6
    state[row] = !isPlain ? OTHER : market[row]! < 0 ? UNKNOWN : PLAIN
  }
}

function toWhole(sizeE6: Float64Array, size: Float64Array, count: number): void {
  for (let row = 0; row < count; row += 1) size[row] = Math.floor(sizeE6[row]! / PRICE_ONE_E6)
}

/** The first row from one on that is not plain. */
function plainUntil(state: Uint8Array, from: number, count: number): number {
  let row = from
  while (row < count && state[row] === PLAIN) row += 1
  return row
}
