import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { SIZE_MAX } from '../bookSide.ts'
import type { FileTally } from '../importTally.ts'
import type { RowBatch } from '../rows/rowBatch.ts'
import type { TickSink } from '../tickSink.ts'
import type { Clock } from './instants.ts'
import { type LastTicks, tellRepeated } from './lastTicks.ts'
import type { MarketList } from './marketList.ts'
import type { PriceColumn } from './prices.ts'
import type { MarketReader, PlainRows } from './sectionRows.ts'

/** So many rows of each column are read at once that they fit into a near cache. */
const BLOCK_ROWS = 2048
/** What is beyond is no whole number of contracts that a tick has room for, millionths. */
const SIZE_MAX_E6 = SIZE_MAX * PRICE_ONE_E6 + PRICE_ONE_E6 - 1
const NO_SIZE_E6 = NO_PRICE * PRICE_ONE_E6

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
  readonly list: MarketList
  readonly sink: TickSink
}

/**
 * Quotes of which each value stands in a column of its own. Those of a batch are read column by column, and become ticks where all is plain: a market that came
 * before, an instant, two prices that do not cross, and whole sizes. Any other row is left to whoever reads rows one by one, in its turn.
 */
export class PlainQuotes implements PlainRows {
  private declare readonly readers: PlainReaders
  private atUs = new Float64Array(0)
  private bid = this.atUs
  private ask = this.atUs
  private bidSize = this.atUs
  private askSize = this.atUs
  private price = this.atUs
  private spare = this.atUs
  private places = new Int32Array(0)
  private readonly values = new Float64Array(6)
  /** The least of each column that is plain. Where a section has no column, all stands at what there is none of. */
  private declare readonly least: Readonly<Record<'bid' | 'ask' | 'bidSize' | 'askSize' | 'price', number>>

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
    this.makeRoom(Math.min(BLOCK_ROWS, batch.count))
    for (let from = 0; from < batch.count; from += BLOCK_ROWS) {
      const to = Math.min(batch.count, from + BLOCK_ROWS)
      this.read(batch, from, to)
      this.takeBlock(batch, from, to, tally, other)
    }
  }

  private read({ cells }: RowBatch, from: number, to: number): void {
    const { market, clock, bid, ask, price, bidSize, askSize } = this.readers
    market.knownPlaces(cells, from, to, this.places)
    clock.plainRows(cells, from, to, this.atUs, this.spare)
    bid.plainRows(cells, from, to, this.bid)
    ask.plainRows(cells, from, to, this.ask)
    price?.plainRows(cells, from, to, this.price)
    if (bidSize >= 0) cells[bidSize]!.scaledRows(from, to, 6, this.bidSize)
    if (askSize >= 0) cells[askSize]!.scaledRows(from, to, 6, this.askSize)
  }

  private takeBlock({ cells, numbers }: RowBatch, from: number, to: number, tally: FileTally, other: (row: number) => void): void {
    const { atUs, bid, ask, bidSize, askSize, price, places, values } = this
    const { market: reader, last, list, sink } = this.readers
    const { bid: leastBid, ask: leastAsk, bidSize: leastBidSize, askSize: leastAskSize, price: leastPrice } = this.least
    let accepted = 0
    for (let i = 0, row = from; row < to; i += 1, row += 1) {
      const us = atUs[i]!
      const bidE6 = bid[i]!
      const askE6 = ask[i]!
      const bidSizeE6 = bidSize[i]!
      const askSizeE6 = askSize[i]!
      const lastE6 = price[i]!
      // What is not plain is NaN. A bid of 0 and an ask of a dollar are none.
      const isPlain = us === us && bidE6 >= leastBid && askE6 >= leastAsk && bidE6 <= askE6 && askE6 < PRICE_ONE_E6 && lastE6 >= leastPrice && lastE6 <= PRICE_ONE_E6
        && bidSizeE6 >= leastBidSize && bidSizeE6 <= SIZE_MAX_E6 && askSizeE6 >= leastAskSize && askSizeE6 <= SIZE_MAX_E6
      const known = places[i]!
      const market = !isPlain ? -1 : known >= 0 ? known : reader.place(cells, row)
      if (market < 0) {
        other(row)
        continue
      }
      values[0] = us
      values[1] = bidE6
      values[2] = askE6
      values[3] = Math.floor(bidSizeE6 / PRICE_ONE_E6)
      values[4] = Math.floor(askSizeE6 / PRICE_ONE_E6)
      values[5] = lastE6
      const number = numbers[row]!
      const again = last.compare(market, values)
      if (again !== 0 && tellRepeated(again, tally, number)) continue
      accepted += 1
      list.seen(market, us)
      sink.comeFrom!('', number)
      sink.add(us, market, bidE6, askE6, values[3], values[4], lastE6)
    }
    tally.accept(accepted)
  }

  private makeRoom(rows: number): void {
    if (this.places.length >= rows) return
    this.atUs = new Float64Array(rows)
    this.bid = new Float64Array(rows)
    this.ask = new Float64Array(rows)
    this.bidSize = new Float64Array(rows).fill(NO_SIZE_E6)
    this.askSize = new Float64Array(rows).fill(NO_SIZE_E6)
    this.price = new Float64Array(rows).fill(NO_PRICE)
    this.spare = new Float64Array(rows)
    this.places = new Int32Array(rows)
  }
}
