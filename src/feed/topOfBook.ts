import { Level, LEVEL_CELLS } from '../market/depth.ts'
import { NO_PRICE } from '../market/ticks.ts'
import { BookSide } from './bookSide.ts'
import type { TickSink } from './tickSink.ts'

/** A cell of no book. */
const NOT_SHOWN = NO_PRICE - 1

/**
 * One market's book under replay. Rows of one instant are one step: the top is shown when time moves on, and only if it
 * changed. A crossed book (bid over ask) means that a message was missed. Nothing is shown until the book is sound again, so
 * that the last sound tick stays and ages. A locked book (bid equal to ask) is shown. Where the sink keeps depth, it gets the best levels in the
 * same way: at the same instants, and only if one of them changed.
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
  /** Levels that the sink keeps, as they were last shown and as they are now. */
  private declare shownLevels: Int32Array
  private declare levels: Int32Array
  private declare readonly ticks: TickSink
  private declare readonly onCrossed: (rows: number, firstRow: number) => void

  constructor(market: number, ticks: TickSink, onCrossed: (rows: number, firstRow: number) => void) {
    this.market = market
    this.ticks = ticks
    this.onCrossed = onCrossed
    const cells = (ticks.depthLevels ?? 0) * LEVEL_CELLS
    this.levels = new Int32Array(cells)
    this.shownLevels = new Int32Array(cells).fill(NOT_SHOWN)
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
    this.showTop(bidE6, askE6)
    if (this.levels.length > 0) this.showLevels()
  }

  private showTop(bidE6: number, askE6: number): void {
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

  private showLevels(): void {
    const { levels: now, shownLevels: before } = this
    const count = now.length / LEVEL_CELLS
    this.bids.bestLevels(count, now, Level.bidE6, LEVEL_CELLS)
    this.asks.bestLevels(count, now, Level.askE6, LEVEL_CELLS)
    if (now.every((cell, i) => cell === before[i])) return
    this.levels = before
    this.shownLevels = now
    this.ticks.addDepth!(this.pendingUs, this.market, now)
  }
}
