import { NEVER_US } from '../unit/time.ts'
import { Price, PRICE_STRIDE, type PriceBoard, type PriceHow } from './priceBoard.ts'
import type { Ticks } from './ticks.ts'
import { Side } from './sides.ts'

/** Twice a price of a leg in millionths, as prices of a middle are halves of a millionth. Below 0 for none. */
const NONE_TWICE_E6 = -1

/**
 * Twice the price of YES that decides about a leg's, in millionths, below 0 for none. A leg on NO has the mirror of it, which moves as far.
 * It is the price of `legPrice`, of whatever age (priceBoard.ts).
 */
function twiceE6(bidE6: number, askE6: number, lastE6: number, hasBook: boolean, side: number, how: PriceHow): number {
  const atLast = !hasBook || how === 'mid' ? lastE6 * 2 : NONE_TWICE_E6
  if (how === 'mid') return bidE6 >= 0 && askE6 >= 0 ? bidE6 + askE6 : atLast
  const e6 = (how === 'ask') === (side === Side.yes) ? askE6 : bidE6
  return e6 >= 0 ? e6 * 2 : atLast
}

/** The same as a board shows it now. */
export function shownTwiceE6({ cells }: PriceBoard, market: number, side: number, how: PriceHow): number {
  const row = market * PRICE_STRIDE
  return twiceE6(cells[row + Price.bidE6]!, cells[row + Price.askE6]!, cells[row + Price.lastE6]!, cells[row + Price.hasBook] === 1, side, how)
}

/** Whether a price has moved so far, or has come or gone. All are twice a price in millionths. */
export const hasMoved = (from: number, to: number, byTwiceE6: number): boolean => (from < 0 || to < 0 ? (from < 0) !== (to < 0) : Math.abs(to - from) >= byTwiceE6)

/**
 * When prices move next. Whoever is to be called at a move is told of none before it: an instant that is found here is that of a message, which
 * hangs on no tick behind it. So no board has to be looked at between two moves.
 */
export class PriceMoves {
  private declare readonly ticks: Ticks
  /** Places of all ticks, market by market, in their order; those of market m begin at `start[m]`. */
  private declare readonly places: Int32Array
  private declare readonly start: Int32Array

  constructor(ticks: Ticks, marketCount: number) {
    const { market, count } = ticks
    const start = new Int32Array(marketCount + 1)
    for (let i = 0; i < count; i++) start[market[i]! + 1]!++
    for (let m = 0; m < marketCount; m++) start[m + 1]! += start[m]!
    const next = start.slice()
    const places = new Int32Array(count)
    for (let i = 0; i < count; i++) places[next[market[i]!]!++] = i
    this.ticks = ticks
    this.places = places
    this.start = start
  }

  /**
   * The first instant before `untilUs` at which the board shows a price of one of the legs that is at least `byTwiceE6` / 2 millionths from what
   * the board shows of it now, or that is there where none is, or the other way round. NEVER_US where there is no such instant. Of several ticks
   * of an instant the last one counts.
   */
  firstMoveUs(
    board: PriceBoard, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, count: number, how: PriceHow, byTwiceE6: number, untilUs: number,
  ): number {
    let foundUs = untilUs
    for (let i = from; i < from + count; i++) foundUs = this.legMoveUs(board, markets[i]!, sides[i]!, how, byTwiceE6, foundUs)
    return foundUs === untilUs ? NEVER_US : foundUs
  }

  /** The same of one leg; `untilUs` where there is none before it. */
  private legMoveUs(board: PriceBoard, market: number, side: number, how: PriceHow, byTwiceE6: number, untilUs: number): number {
    const { places, start, ticks: { atUs, bidE6, askE6, lastE6 } } = this
    const { cells, lagUs } = board
    const row = market * PRICE_STRIDE
    let hasBook = cells[row + Price.hasBook] === 1
    const now = shownTwiceE6(board, market, side, how)
    const end = start[market + 1]!
    for (let k = this.firstAfter(market, board.applied); k < end; k++) {
      const tick = places[k]!
      const shownUs = atUs[tick]! + lagUs
      if (shownUs >= untilUs) return untilUs
      hasBook ||= bidE6[tick]! >= 0 || askE6[tick]! >= 0
      if (k + 1 < end && atUs[places[k + 1]!] === atUs[tick]) continue
      if (hasMoved(now, twiceE6(bidE6[tick]!, askE6[tick]!, lastE6[tick]!, hasBook, side, how), byTwiceE6)) return shownUs
    }
    return untilUs
  }

  /** Where the ticks of a market begin that are not among the first `applied` of all. */
  private firstAfter(market: number, applied: number): number {
    let [low, high] = [this.start[market]!, this.start[market + 1]!]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.places[middle]! < applied) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Twice a distance of prices in millionths, rounded up, for a distance of 0…1. */
export const twiceE6Of = (distance: number): number => Math.ceil(distance * 2e6 - 1e-6)

