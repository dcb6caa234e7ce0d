import { TableWriter } from '../../arrow/tableWriter.ts'
import { lastTableOf, TICKS_VERSION } from './ticksTable.ts'

/** Cells of a market: stamp, bid, ask, sizes and last price of its latest tick, stamp of its first one, and how many there were. */
const STRIDE = 8
const FIRST = 6
const TICKS = 7
/** What the latest tick of a market has. */
const HAS_BOOK = 1
const HAS_PRICE = 2

/** The latest tick of each market, the latest with a bid or an ask, and the latest with any price. */
export class LatestTicks {
  private declare readonly latest: Float64Array
  /** Kept when a tick follows that has no book, or no price: most never have one. */
  private declare readonly book: Float64Array
  private declare readonly price: Float64Array
  private declare readonly state: Uint8Array

  constructor(markets: number) {
    this.latest = new Float64Array(markets * STRIDE)
    this.book = new Float64Array(markets * STRIDE).fill(NaN)
    this.price = new Float64Array(markets * STRIDE).fill(NaN)
    this.state = new Uint8Array(markets)
  }

  /** Takes a tick of a market. Ticks come in order. */
  take(market: number, atUs: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number): void {
    const { latest, state } = this
    const cell = market * STRIDE
    const hasBook = bidE6 >= 0 || askE6 >= 0
    const now = hasBook ? HAS_BOOK | HAS_PRICE : lastE6 >= 0 ? HAS_PRICE : 0
    const before = state[market]!
    if ((before & ~now) !== 0) this.keep(cell, before & ~now)
    state[market] = now
    latest[cell] = atUs
    latest[cell + 1] = bidE6
    latest[cell + 2] = askE6
    latest[cell + 3] = bidSize
    latest[cell + 4] = askSize
    latest[cell + 5] = lastE6
    if (latest[cell + TICKS]! === 0) latest[cell + FIRST] = atUs
    latest[cell + TICKS]!++
  }

  /** Markets that have a tick. */
  get marketCount(): number {
    let count = 0
    for (let cell = TICKS; cell < this.latest.length; cell += STRIDE) if (this.latest[cell]! > 0) count++
    return count
  }

  /** Calls back for each market that has a tick, in order, with its ticks and the stamps of its first and last one. */
  each(call: (market: number, ticks: number, firstUs: number, lastUs: number) => void): void {
    const { latest } = this
    for (let market = 0; market * STRIDE < latest.length; market++) {
      const cell = market * STRIDE
      if (latest[cell + TICKS]! > 0) call(market, latest[cell + TICKS]!, latest[cell + FIRST]!, latest[cell]!)
    }
  }

  /** Stamp, bid, ask, sizes and last price of the market's latest tick of a kind. The stamp is NaN where there is none. */
  tickOf(kind: 'latest' | 'book' | 'price', market: number): Float64Array {
    const state = this.state[market]!
    const isLatest = kind === 'latest' || (state & (kind === 'book' ? HAS_BOOK : HAS_PRICE)) !== 0
    const cells = isLatest ? this.latest : kind === 'book' ? this.book : this.price
    return cells.subarray(market * STRIDE, market * STRIDE + FIRST)
  }

  private keep(cell: number, lost: number): void {
    const tick = this.latest.subarray(cell, cell + FIRST)
    if ((lost & HAS_BOOK) !== 0) this.book.set(tick, cell)
    if ((lost & HAS_PRICE) !== 0) this.price.set(tick, cell)
  }
}

/** Writes what a part leaves behind. Markets are places in `tickers`. */
export function writeLast(path: string, tickers: readonly string[], latest: LatestTicks): void {
  const writer = new TableWriter(lastTableOf(tickers), path, { version: String(TICKS_VERSION) }, { isCompressed: true, isDurable: false })
  try {
    latest.each((market, ticks, firstUs, lastUs) => {
      const cells = writer.row()
      writer.cells.set([market, ticks, firstUs, lastUs], cells)
      writer.cells.set(latest.tickOf('latest', market).subarray(1), cells + 4)
      writer.cells.set(orNone(latest.tickOf('book', market)), cells + 9)
      writer.cells.set(orNone(latest.tickOf('price', market)), cells + 15)
    })
    writer.finish()
  } catch (error) {
    writer.abort()
    throw error
  }
}

const NONE = Float64Array.of(NaN, -1, -1, -1, -1, -1)
const orNone = (tick: Float64Array): Float64Array => (Number.isNaN(tick[0]) ? NONE : tick)
