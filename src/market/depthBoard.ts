import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { type DepthSource, LEVEL_CELLS } from './depth.ts'
import { DepthCursor } from './depthCursor.ts'
import { NO_PRICE } from './ticks.ts'

const NO_TIME = -1

/**
 * The best levels of every market's book as one observer sees them: a row stamped at t is visible from t + lag on, as a tick is on a
 * `PriceBoard` of that lag. It moves when somebody looks, and only forward.
 */
export class DepthBoard implements Snapshot {
  declare readonly lagUs: number
  /** How many levels of a side it shows. */
  declare readonly levels: number
  /** By market, then by level: `cells[market * stride + level * LEVEL_CELLS + Level.x]`. */
  declare readonly cells: Int32Array
  declare readonly stride: number
  protected declare readonly stamps: Float64Array
  private declare readonly cursor: DepthCursor
  private declare readonly untilUs: number
  /** All rows up to this instant have been applied. */
  private seenUs = -Infinity

  /** @param levels how many levels it shows, at most those of the source. */
  constructor(source: DepthSource, marketCount: number, levels: number, lagUs: number) {
    assert(levels >= 1 && levels <= source.levels, `${levels} levels of ${source.levels}`)
    this.cursor = new DepthCursor(source)
    this.untilUs = source.untilUs
    this.levels = levels
    this.lagUs = lagUs
    this.stride = levels * LEVEL_CELLS
    this.cells = new Int32Array(marketCount * this.stride).fill(NO_PRICE)
    this.stamps = new Float64Array(marketCount).fill(NO_TIME)
  }

  get marketCount(): number {
    return this.stamps.length
  }

  /** Stamp of the market's latest visible row, µs since the epoch, or −1 when there was none. */
  stampUs(market: number): number {
    return this.stamps[market]!
  }

  /** Applies every row with atUs + lagUs ≤ nowUs. An earlier instant than before changes nothing. */
  advance(nowUs: number): void {
    const toUs = Math.min(nowUs - this.lagUs, this.untilUs - 1)
    if (toUs <= this.seenUs) return
    const { stride, cells, stamps } = this
    this.cursor.take(toUs, ({ atUs, market, cells: columns }, from, to) => {
      for (let row = from; row < to; row++) {
        const m = market[row]!
        const first = m * stride
        stamps[m] = atUs[row]!
        for (let cell = 0; cell < stride; cell++) cells[first + cell] = columns[cell]![row]!
      }
    })
    this.seenUs = toUs
  }

  snapshot(): Image {
    return { seenUs: this.seenUs, cells: this.cells.slice(), stamps: this.stamps.slice() }
  }

  restore(image: Image): void {
    const from = image as unknown as { seenUs: number; cells: Int32Array; stamps: Float64Array }
    assert(from.cells.length === this.cells.length && from.stamps.length === this.stamps.length, 'image of another board')
    this.cells.set(from.cells)
    this.stamps.set(from.stamps)
    this.seenUs = from.seenUs
    this.cursor.seek(from.seenUs)
  }
}
