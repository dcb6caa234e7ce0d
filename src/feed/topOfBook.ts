import { NO_PRICE } from '../market/ticks.ts'
import { BookSide } from './bookSide.ts'
import type { TickBuffer } from './tickBuffer.ts'

/**
 * One market's book under replay. Rows of one instant are one step: the top is shown when time moves on, and only if it
 * changed. A crossed book (bid over ask) means that a message was missed. Nothing is shown until the book is sound again, so
 * that the last sound tick stays and ages. A locked book (bid equal to ask) is shown.
 */
export class TopOfBook {
  readonly bids = new BookSide('highest')
  readonly asks = new BookSide('lowest')
  declare readonly market: number
  /** Instant of the first row, −1 before it. */
  firstUs = -1
  /** The top as it was last shown. */
  bidE6 = NO_PRICE
  askE6 = NO_PRICE
  private bidSize = NO_PRICE
  private askSize = NO_PRICE
  private shown = false
  /** The step not yet shown: its instant, rows and first row. */
  private pendingUs = -1
  private pendingRows = 0
  private pendingRow = 0
  private declare readonly ticks: TickBuffer
  private declare readonly onCrossed: (rows: number, firstRow: number) => void

  constructor(market: number, ticks: TickBuffer, onCrossed: (rows: number, firstRow: number) => void) {
    this.market = market
    this.ticks = ticks
    this.onCrossed = onCrossed
  }

  /** Call this before applying a row. It shows the previous step when the row is later. */
  step(atUs: number, row: number): void {
    if (this.firstUs < 0) this.firstUs = atUs
    if (atUs !== this.pendingUs) {
      this.show()
      this.pendingUs = atUs
      this.pendingRow = row
    }
    this.pendingRows += 1
  }

  clear(): void {
    this.bids.clear()
    this.asks.clear()
  }

  /** Shows the pending step. Call once more after the last row. */
  show(): void {
    if (this.pendingRows === 0) return
    const rows = this.pendingRows
    this.pendingRows = 0
    const bidE6 = this.bids.bestE6()
    const askE6 = this.asks.bestE6()
    if (bidE6 !== NO_PRICE && askE6 !== NO_PRICE && bidE6 > askE6) {
      this.onCrossed(rows, this.pendingRow)
      return
    }
    const bidSize = this.bids.bestSize()
    const askSize = this.asks.bestSize()
    const same = bidE6 === this.bidE6 && askE6 === this.askE6 && bidSize === this.bidSize && askSize === this.askSize
    if (same && this.shown) return
    this.shown = true
    this.bidE6 = bidE6
    this.askE6 = askE6
    this.bidSize = bidSize
    this.askSize = askSize
    this.ticks.add(this.pendingUs, this.market, bidE6, askE6, bidSize, askSize, NO_PRICE)
  }
}
