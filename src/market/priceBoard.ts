import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NO_PRICE, NO_TICKS, PRICE_ONE_E6, type Ticks } from './ticks.ts'
import { sourceOf, TickCursor, type TickHistory } from './tickSource.ts'

/** How a leg is priced: what buying it costs, what selling it brings, or the middle of the two. */
export type PriceHow = 'bid' | 'ask' | 'mid'

const YES = 1
const NO_TIME = -1

/**
 * Offsets of a market's prices in its row of `PriceBoard.cells`, as in `Ticks`: YES prices in millionths, sizes in
 * contracts, −1 for none. The row's first two cells hold the stamp, which `PriceBoard.stampUs` reads.
 */
export const Price = {
  bidE6: 2,
  askE6: 3,
  bidSize: 4,
  askSize: 5,
  lastE6: 6,
  /** 1 once the market has shown a side of a book. From then on its last price no longer stands in for a side. */
  hasBook: 7,
} as const

/** Cells of a row: half a cache line in bytes, because every leg of every request looks a price up. */
export const PRICE_STRIDE = 8
const STAMP_STRIDE = PRICE_STRIDE / 2
const UNKNOWN = NaN
const TWICE_ONE_E6 = PRICE_ONE_E6 * 2

/**
 * The latest top of book of every market as one observer sees it: a tick stamped at t is visible from t + lag on. The board
 * only moves forward and never shows a tick before its time (design.md, decision 11). With a negative lag it sees that far
 * ahead: such a board is an oracle's, never an agent's.
 */
export class PriceBoard implements Snapshot {
  /** Rows by market number: `cells[market * PRICE_STRIDE + Price.x]`. */
  declare readonly cells: Int32Array
  declare readonly lagUs: number
  /** The same rows, seen as doubles. */
  private declare readonly stamps: Float64Array
  /** Stands in the chunk of `ticks`. Its place there is brought up to date when somebody asks. */
  private declare readonly cursor: TickCursor
  private ticks: Ticks = NO_TICKS
  /** Place of the next tick in `ticks`. */
  private next = 0
  private nextVisibleUs = 0

  constructor(ticks: TickHistory, marketCount: number, lagUs: number) {
    this.cursor = new TickCursor(sourceOf(ticks))
    this.lagUs = lagUs
    this.cells = new Int32Array(marketCount * PRICE_STRIDE).fill(NO_PRICE)
    this.stamps = new Float64Array(this.cells.buffer)
    for (let market = 0; market < marketCount; market++) {
      this.cells[market * PRICE_STRIDE + Price.hasBook] = 0
      this.stamps[market * STAMP_STRIDE] = NO_TIME
    }
    this.nextVisibleUs = this.cursor.nextUs + lagUs
  }

  /** Ticks applied so far. */
  get applied(): number {
    return this.place().passed
  }

  /** Stamp of the market's latest visible tick, µs since the epoch, or −1 when there was none. */
  stampUs(market: number): number {
    return this.stamps[market * STAMP_STRIDE]!
  }

  /** Applies every tick with atUs + lagUs ≤ nowUs. An earlier instant than before changes nothing. */
  advance(nowUs: number): void {
    if (nowUs >= this.nextVisibleUs) this.apply(nowUs)
  }

  private apply(nowUs: number): void {
    this.applyChunk(nowUs)
    if (this.nextVisibleUs === Infinity) this.turn(nowUs)
  }

  /** Applies what is visible of the chunk. */
  private applyChunk(nowUs: number): void {
    const { lagUs, cells, stamps } = this
    const { atUs, market, bidE6, askE6, bidSize, askSize, lastE6, count } = this.ticks
    let i = this.next
    let visibleUs = this.nextVisibleUs
    while (i < count && visibleUs <= nowUs) {
      const row = market[i]! * PRICE_STRIDE
      const bid = bidE6[i]!
      const ask = askE6[i]!
      stamps[row >> 1] = atUs[i]!
      cells[row + Price.bidE6] = bid
      cells[row + Price.askE6] = ask
      cells[row + Price.bidSize] = bidSize[i]!
      cells[row + Price.askSize] = askSize[i]!
      cells[row + Price.lastE6] = lastE6[i]!
      if (bid >= 0 || ask >= 0) cells[row + Price.hasBook] = 1
      if (++i < count) visibleUs = atUs[i]! + lagUs
    }
    this.next = i
    this.nextVisibleUs = i < count ? visibleUs : Infinity
  }

  /** At the end of a chunk: applies what is visible of those that follow. */
  private turn(nowUs: number): void {
    while (this.next === this.ticks.count) {
      const { nextUs } = this.place()
      this.nextVisibleUs = nextUs + this.lagUs
      if (this.nextVisibleUs > nowUs || nextUs === Infinity) return
      this.cursor.enter()
      this.look()
      this.applyChunk(nowUs)
    }
  }

  /** The cursor, where the board stands. */
  private place(): TickCursor {
    this.cursor.at = this.next
    return this.cursor
  }

  /** Takes the place of the cursor. */
  private look(): void {
    this.ticks = this.cursor.ticks
    this.next = this.cursor.at
    this.nextVisibleUs = this.cursor.nextUs + this.lagUs
  }

  snapshot(): Image {
    return { next: this.applied, cells: this.cells.slice() }
  }

  restore(image: Image): void {
    const from = image as unknown as { next: number; cells: Int32Array }
    assert(from.cells.length === this.cells.length && from.next <= this.cursor.source.count, 'image of another board')
    this.cells.set(from.cells)
    this.cursor.seek(from.next)
    this.look()
  }
}

/** Twice the price of YES in millionths, for a market without the side of a book that `how` asks for. Below 0 for none. */
function bookless(cells: Int32Array, row: number, how: PriceHow): number {
  return how === 'mid' || cells[row + Price.hasBook] === 0 ? cells[row + Price.lastE6]! * 2 : NO_PRICE
}

/**
 * The probability 0…1 that a leg's price implies. NaN when the board has no price, or when the market's latest tick is older
 * than `maxAgeUs` at `nowUs`. Side 1 is YES. Side 0 is NO, the mirror: the ask of NO is 1 − the bid, its bid 1 − the ask.
 *
 * `ask` and `bid` are prices at which one could trade: an empty side gives NaN. `mid` is the mean of both sides or, when
 * one is missing, the last price. In a market that never showed a book, all three are the last price.
 */
export function legPrice(
  board: PriceBoard, market: number, side: number, how: PriceHow, nowUs: number, maxAgeUs: number,
): number {
  // A market without any tick has no price either.
  if (nowUs - board.stampUs(market) > maxAgeUs) return UNKNOWN
  const { cells } = board
  const row = market * PRICE_STRIDE
  // Twice the price is an integer, also for the middle. The quotient is the same.
  let twiceE6: number
  if (how === 'mid') {
    const bid = cells[row + Price.bidE6]!
    const ask = cells[row + Price.askE6]!
    twiceE6 = bid >= 0 && ask >= 0 ? bid + ask : bookless(cells, row, how)
  } else {
    const e6 = cells[row + ((how === 'ask') === (side === YES) ? Price.askE6 : Price.bidE6)]!
    twiceE6 = e6 >= 0 ? e6 * 2 : bookless(cells, row, how)
  }
  if (twiceE6 < 0) return UNKNOWN
  return (side === YES ? twiceE6 : TWICE_ONE_E6 - twiceE6) / TWICE_ONE_E6
}

/** Product of the prices of `count` legs from `from` on, each as in {@link legPrice}. NaN when one of them has no price. */
export function productPrice(
  board: PriceBoard,
  markets: ArrayLike<number>,
  sides: ArrayLike<number>,
  from: number,
  count: number,
  how: PriceHow,
  nowUs: number,
  maxAgeUs: number,
): number {
  let product = 1
  for (let i = from; i < from + count; i++) product *= legPrice(board, markets[i]!, sides[i]!, how, nowUs, maxAgeUs)
  return product
}
