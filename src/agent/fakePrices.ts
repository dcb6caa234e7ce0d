import { Level, LEVEL_CELLS, LEVELS_MAX } from '../market/depth.ts'
import { DepthBoard } from '../market/depthBoard.ts'
import { Price, PRICE_STRIDE, PriceBoard } from '../market/priceBoard.ts'
import { hasMoved, shownTwiceE6 } from '../market/priceMoves.ts'
import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import type { PriceWatchTerms } from './makerPort.ts'

/** The top of a market's book in dollars for YES, and contracts there; what is left out is not offered or unknown. */
export interface FakePrice {
  readonly bid?: number
  readonly ask?: number
  readonly bidSize?: number
  readonly askSize?: number
  /** The last trade. */
  readonly last?: number
  /** Levels of the book as [price, contracts], the best first: what `desk.depth` shows. Bid, ask and their sizes are those of the first levels then. */
  readonly bids?: readonly FakeLevel[]
  readonly asks?: readonly FakeLevel[]
}

/** A level of a book: a price in dollars for YES, and whole contracts. */
export type FakeLevel = readonly [price: number, size: number]

const none = new Int32Array(0)
const NO_TICKS: Ticks = { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none }
const e6 = (price: number | undefined): number => (price === undefined ? NO_PRICE : Math.round(price * PRICE_ONE_E6))

/** A move of one of these legs that somebody waits for. */
interface FakeWatch extends PriceWatchTerms {
  readonly legs: readonly (readonly [market: number, side: number, fromTwiceE6: number])[]
  readonly untilUs: number
  readonly call: () => void
}

/** Books that stand until others are set. */
class FakeDepth extends DepthBoard {
  constructor(marketCount: number) {
    super({ levels: LEVELS_MAX, pieces: [], untilUs: Infinity }, marketCount, LEVELS_MAX, 0)
  }

  /** Without levels the book is not known from now on. */
  set(market: number, atUs: number, { bids, asks }: FakePrice): void {
    const { cells, stride, stamps } = this
    const first = market * stride
    cells.fill(NO_PRICE, first, first + stride)
    stamps[market] = bids === undefined && asks === undefined ? NO_PRICE : atUs
    for (const [levels = [], offset] of [[bids, Level.bidE6], [asks, Level.askE6]] as const) {
      levels.slice(0, LEVELS_MAX).forEach(([price, size], level) => { cells.set([e6(price), size], first + level * LEVEL_CELLS + offset) })
    }
  }
}

/** Prices that stand until others are set. */
export class FakePrices extends PriceBoard {
  declare readonly depth: DepthBoard
  private declare readonly setDepth: FakeDepth
  private declare readonly setAtUs: Float64Array
  private watches: FakeWatch[] = []

  constructor(marketCount: number) {
    super(NO_TICKS, marketCount, 0)
    this.depth = this.setDepth = new FakeDepth(marketCount)
    this.setAtUs = new Float64Array(marketCount).fill(-1)
  }

  override stampUs(market: number): number {
    return this.setAtUs[market]!
  }

  set(market: number, atUs: number, price: FakePrice): void {
    const { bids, asks, last } = price
    const { bid = bids?.[0]?.[0], ask = asks?.[0]?.[0], bidSize = bids?.[0]?.[1], askSize = asks?.[0]?.[1] } = price
    const { cells } = this
    const row = market * PRICE_STRIDE
    cells[row + Price.bidE6] = e6(bid)
    cells[row + Price.askE6] = e6(ask)
    cells[row + Price.bidSize] = bidSize ?? NO_PRICE
    cells[row + Price.askSize] = askSize ?? NO_PRICE
    cells[row + Price.lastE6] = e6(last)
    if (bid !== undefined || ask !== undefined) cells[row + Price.hasBook] = 1
    this.setAtUs[market] = atUs
    this.setDepth.set(market, atUs, price)
    const moved = this.watches.filter(({ legs, priceType, byTwiceE6 }) => legs.some(([m, side, from]) => hasMoved(from, shownTwiceE6(this, m, side, priceType), byTwiceE6)))
    this.watches = this.watches.filter((watch) => !moved.includes(watch))
    for (const { untilUs, call } of moved) if (atUs < untilUs) call()
  }

  /** Calls once, as soon as a price is set that has moved so far from what stands now, before `untilUs`. */
  watch(legs: readonly (readonly [market: number, side: number])[], terms: PriceWatchTerms, untilUs: number, call: () => void): void {
    this.watches.push({ ...terms, untilUs, call, legs: legs.map(([market, side]) => [market, side, shownTwiceE6(this, market, side, terms.priceType)]) })
  }
}
