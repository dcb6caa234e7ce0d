import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NO_PRICE, PRICE_ONE_E6, type Ticks } from './ticks.ts'

/** How a leg is priced: what buying it costs, what selling it brings, or the middle. */
export type PriceHow = 'bid' | 'ask' | 'mid'

const YES = 1
const NO_TIME = -1

/**
 * The latest top of book of every market as one observer has it: a tick stamped at t is visible from t + lag on. It only
 * moves forward and never shows a tick before its time (design.md, decision 11). A negative lag sees that far ahead: an
 * oracle's board, never an agent's.
 */
export class PriceBoard implements Snapshot {
  /** YES prices in millionths and sizes in contracts, by market number; −1 as in `Ticks`. */
  readonly bidE6: Int32Array
  readonly askE6: Int32Array
  readonly bidSize: Int32Array
  readonly askSize: Int32Array
  readonly lastE6: Int32Array
  /** Stamp of the market's latest visible tick, µs since the epoch; −1 when there was none. */
  readonly atUs: Float64Array
  /** 1 once the market has shown a side of a book: its last price then no longer stands for one. */
  readonly hasBook: Uint8Array
  readonly lagUs: number
  private readonly ticks: Ticks
  private next = 0
  private nextVisibleUs: number

  constructor(ticks: Ticks, marketCount: number, lagUs: number) {
    this.ticks = ticks
    this.lagUs = lagUs
    this.bidE6 = new Int32Array(marketCount).fill(NO_PRICE)
    this.askE6 = new Int32Array(marketCount).fill(NO_PRICE)
    this.bidSize = new Int32Array(marketCount).fill(NO_PRICE)
    this.askSize = new Int32Array(marketCount).fill(NO_PRICE)
    this.lastE6 = new Int32Array(marketCount).fill(NO_PRICE)
    this.atUs = new Float64Array(marketCount).fill(NO_TIME)
    this.hasBook = new Uint8Array(marketCount)
    this.nextVisibleUs = this.visibleUs(0)
  }

  /** Ticks applied so far. */
  get applied(): number {
    return this.next
  }

  /** Applies every tick with atUs + lagUs ≤ nowUs. An earlier instant than before changes nothing. */
  advance(nowUs: number): void {
    if (nowUs < this.nextVisibleUs) return
    const { ticks, lagUs } = this
    const { atUs, market, bidE6, askE6, bidSize, askSize, lastE6, count } = ticks
    let i = this.next
    for (; i < count && atUs[i]! + lagUs <= nowUs; i++) {
      const m = market[i]!
      this.bidE6[m] = bidE6[i]!
      this.askE6[m] = askE6[i]!
      this.bidSize[m] = bidSize[i]!
      this.askSize[m] = askSize[i]!
      this.lastE6[m] = lastE6[i]!
      this.atUs[m] = atUs[i]!
      if (bidE6[i]! >= 0 || askE6[i]! >= 0) this.hasBook[m] = 1
    }
    this.next = i
    this.nextVisibleUs = this.visibleUs(i)
  }

  private visibleUs(tick: number): number {
    return tick < this.ticks.count ? this.ticks.atUs[tick]! + this.lagUs : Infinity
  }

  snapshot(): Image {
    return {
      next: this.next,
      bidE6: this.bidE6.slice(),
      askE6: this.askE6.slice(),
      bidSize: this.bidSize.slice(),
      askSize: this.askSize.slice(),
      lastE6: this.lastE6.slice(),
      atUs: this.atUs.slice(),
      hasBook: this.hasBook.slice(),
    }
  }

  restore(image: Image): void {
    const from = image as unknown as {
      next: number; bidE6: Int32Array; askE6: Int32Array; bidSize: Int32Array; askSize: Int32Array
      lastE6: Int32Array; atUs: Float64Array; hasBook: Uint8Array
    }
    assert(from.bidE6.length === this.bidE6.length && from.next <= this.ticks.count, 'image of another board')
    this.bidE6.set(from.bidE6)
    this.askE6.set(from.askE6)
    this.bidSize.set(from.bidSize)
    this.askSize.set(from.askSize)
    this.lastE6.set(from.lastE6)
    this.atUs.set(from.atUs)
    this.hasBook.set(from.hasBook)
    this.next = from.next
    this.nextVisibleUs = this.visibleUs(this.next)
  }
}

/** Price of YES in millionths, or −1. */
function yesPriceE6(board: PriceBoard, market: number, how: PriceHow): number {
  const bid = board.bidE6[market]!
  const ask = board.askE6[market]!
  if (how === 'mid') return bid >= 0 && ask >= 0 ? (bid + ask) / 2 : board.lastE6[market]!
  if (board.hasBook[market] === 0) return board.lastE6[market]!
  return how === 'bid' ? bid : ask
}

/**
 * Probability 0…1 that a leg's price stands for, NaN when the board has none or its market's latest tick is older than
 * `maxAgeUs` at `nowUs`. Side 1 is YES, 0 is NO, the mirror: NO's ask is 1 − the bid, its bid 1 − the ask.
 *
 * `ask` and `bid` are prices one could trade at: an empty side gives NaN. `mid` is the mean of both sides and, when one
 * is missing, the last price. In a market that never showed a book, all three are the last price.
 */
export function legPrice(
  board: PriceBoard, market: number, side: number, how: PriceHow, nowUs: number, maxAgeUs: number,
): number {
  const atUs = board.atUs[market]!
  if (!(atUs >= 0) || nowUs - atUs > maxAgeUs) return NaN
  if (side === YES || how === 'mid') {
    const e6 = yesPriceE6(board, market, how)
    if (e6 < 0) return NaN
    return (side === YES ? e6 : PRICE_ONE_E6 - e6) / PRICE_ONE_E6
  }
  const e6 = yesPriceE6(board, market, how === 'ask' ? 'bid' : 'ask')
  return e6 < 0 ? NaN : (PRICE_ONE_E6 - e6) / PRICE_ONE_E6
}

/** Product of the prices of `count` legs from `from` on, under {@link legPrice}: NaN when one of them has none. */
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
