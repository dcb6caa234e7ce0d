import { Level, LEVEL_CELLS } from '../market/depth.ts'
import type { DepthBoard } from '../market/depthBoard.ts'
import type { PriceBoard } from '../market/priceBoard.ts'
import { NO_PRICE, PRICE_ONE_E6 } from '../market/ticks.ts'
import { NONE } from '../unit/none.ts'
import { Side } from './vocabulary.ts'

/** Whether a handler of the desk's strategy runs. */
export interface CalledBook {
  readonly isCalled: boolean
  readonly isEnding: boolean
}

/** The levels of books that a desk shows, and the market that it shows now. No strategy gets it. */
export class ShownDepth {
  /** The market that is shown, −1 for none. */
  market = NONE
  ageUs = NaN
  private declare readonly board: DepthBoard
  private declare readonly prices: PriceBoard
  private declare readonly book: CalledBook

  constructor(board: DepthBoard, prices: PriceBoard, book: CalledBook) {
    this.board = board
    this.prices = prices
    this.book = book
  }

  /**
   * Shows the book of a market. False where it is not known: there is none yet, or the market has had a price since that came without a book,
   * as from an import that keeps no levels. Precondition: the prices have been followed up to now.
   */
  look(market: number, nowUs: number): boolean {
    const { board } = this
    this.market = NONE
    if (market >= board.marketCount) return false
    board.advance(nowUs)
    const atUs = board.stampUs(market)
    // Each change of the best prices changes the levels at the same instant.
    if (atUs < 0 || atUs < this.prices.stampUs(market)) return false
    this.market = market
    this.ageUs = nowUs - atUs
    return true
  }

  /** Shows nothing any more: another handler is called. */
  hide(): void {
    this.market = NONE
  }

  /** Whether a market is shown, and a handler of the desk's own strategy runs. */
  get isShown(): boolean {
    return this.market >= 0 && (this.book.isCalled || this.book.isEnding)
  }

  /** How many levels the bids or the asks of a side have. */
  count(side: number, isBid: boolean): number {
    const { board: { cells, levels } } = this
    const first = this.first(side, isBid)
    let count = 0
    while (count < levels && cells[first + count * LEVEL_CELLS] !== NO_PRICE) count++
    return count
  }

  /** Price of a level of a side, millionths. The bids of NO are the asks of YES, at one dollar less their price. */
  priceE6(side: number, isBid: boolean, level: number): number {
    const priceE6 = this.board.cells[this.first(side, isBid) + level * LEVEL_CELLS]!
    return side === Side.yes ? priceE6 : PRICE_ONE_E6 - priceE6
  }

  /** Whole contracts at a level. */
  size(side: number, isBid: boolean, level: number): number {
    return this.board.cells[this.first(side, isBid) + level * LEVEL_CELLS + (Level.bidSize - Level.bidE6)]!
  }

  /** What buying so many contracts of a side costs, millionths of a dollar; NaN where the levels that are shown have fewer. */
  costE6(side: number, size: number): number {
    const count = this.count(side, false)
    let [left, costE6] = [size, 0]
    for (let level = 0; level < count && left > 0; level++) {
      const taken = Math.min(left, this.size(side, false, level))
      costE6 += taken * this.priceE6(side, false, level)
      left -= taken
    }
    return left > 0 ? NaN : costE6
  }

  /** Cell of the price of the best level. */
  private first(side: number, isBid: boolean): number {
    return this.market * this.board.stride + (isBid === (side === Side.yes) ? Level.bidE6 : Level.askE6)
  }
}
