import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import { Price, PRICE_STRIDE, PriceBoard } from '../market/priceBoard.ts'
import type { Answer } from './link.ts'

const PRICES_MAX = 1000
const NO_TICKS: Ticks = {
  count: 0, atUs: new Float64Array(0), market: new Int32Array(0), bidE6: new Int32Array(0), askE6: new Int32Array(0), bidSize: new Int32Array(0), askSize: new Int32Array(0), lastE6: new Int32Array(0),
}

interface Tick {
  readonly at_us: number
  readonly market: string
  readonly yes_bid: number | null
  readonly yes_ask: number | null
  readonly yes_bid_size: number | null
  readonly yes_ask_size: number | null
  readonly last: number | null
  readonly has_book: boolean
}

interface PricesAnswer {
  readonly next: number
  readonly has_more: boolean
  readonly prices: readonly Tick[]
}

/**
 * Prices of a seat, which grow as `GET /prices` tells them (docs/prices.md). A market has its row once its number is known, which a leg of a request
 * tells. Instants are on the wire's clock.
 */
export class TradePrices extends PriceBoard {
  private readonly stampsUs: Float64Array
  private readonly rows = new Map<string, number>()
  private readonly latest = new Map<string, Tick>()
  private from = 0

  constructor(marketCount: number, feedUs: number) {
    super(NO_TICKS, marketCount, feedUs)
    this.stampsUs = new Float64Array(this.cells.buffer)
  }

  /** Reads what has been told since the last time. */
  async follow(read: (path: string) => Promise<Answer>): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const { body } = await read(`/prices?ticks=latest&from=${this.from}&limit=${PRICES_MAX}`)
      const answer = JSON.parse(body) as PricesAnswer
      for (const tick of answer.prices) this.tell(tick)
      this.from = answer.next
      hasMore = answer.has_more
    }
  }

  /** A market's number has become known. */
  name(market: string, number: number): void {
    if (this.rows.has(market)) return
    this.rows.set(market, number)
    const tick = this.latest.get(market)
    if (tick !== undefined) this.show(number, tick)
  }

  tell(tick: Tick): void {
    this.latest.set(tick.market, tick)
    const number = this.rows.get(tick.market)
    if (number !== undefined) this.show(number, tick)
  }

  private show(number: number, { at_us, yes_bid, yes_ask, yes_bid_size, yes_ask_size, last, has_book }: Tick): void {
    const { cells } = this
    const row = number * PRICE_STRIDE
    this.stampsUs[row / 2] = at_us
    cells[row + Price.bidE6] = e6Of(yes_bid)
    cells[row + Price.askE6] = e6Of(yes_ask)
    cells[row + Price.bidSize] = yes_bid_size ?? NO_PRICE
    cells[row + Price.askSize] = yes_ask_size ?? NO_PRICE
    cells[row + Price.lastE6] = e6Of(last)
    cells[row + Price.hasBook] = has_book ? 1 : 0
  }
}

const e6Of = (dollars: number | null): number => (dollars === null ? NO_PRICE : Math.round(dollars * PRICE_ONE_E6))
