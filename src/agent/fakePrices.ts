import { Price, PRICE_STRIDE, PriceBoard } from '../market/priceBoard.ts'
import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'

/** The top of a market's book in dollars for YES, and contracts there; what is left out is not offered or unknown. */
export interface FakePrice {
  readonly bid?: number
  readonly ask?: number
  readonly bidSize?: number
  readonly askSize?: number
  /** The last trade. */
  readonly last?: number
}

const none = new Int32Array(0)
const NO_TICKS: Ticks = { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none }
const e6 = (price: number | undefined): number => (price === undefined ? NO_PRICE : Math.round(price * PRICE_ONE_E6))

/** Prices that stand until others are set. */
export class FakePrices extends PriceBoard {
  private declare readonly setAtUs: Float64Array

  constructor(marketCount: number) {
    super(NO_TICKS, marketCount, 0)
    this.setAtUs = new Float64Array(marketCount).fill(-1)
  }

  override stampUs(market: number): number {
    return this.setAtUs[market]!
  }

  set(market: number, atUs: number, { bid, ask, bidSize, askSize, last }: FakePrice): void {
    const { cells } = this
    const row = market * PRICE_STRIDE
    cells[row + Price.bidE6] = e6(bid)
    cells[row + Price.askE6] = e6(ask)
    cells[row + Price.bidSize] = bidSize ?? NO_PRICE
    cells[row + Price.askSize] = askSize ?? NO_PRICE
    cells[row + Price.lastE6] = e6(last)
    if (bid !== undefined || ask !== undefined) cells[row + Price.hasBook] = 1
    this.setAtUs[market] = atUs
  }
}
