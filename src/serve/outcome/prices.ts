import { PriceBoard, Price, PRICE_STRIDE } from '../../market/priceBoard.ts'
import type { Ticks } from '../../market/ticks.ts'
import { MINUTE_US } from '../../unit/time.ts'
import type { PriceFacts } from '../../venue/outcome/wire/marketBody.ts'

/** A bid is rounded down to a ten-thousandth of a dollar and an ask up; −1 for none, which rounding down leaves as it is. */
const bidE4Of = (bidE6: number): number => Math.floor(bidE6 / 100)
const askE4Of = (askE6: number): number => (askE6 < 0 ? -1 : Math.ceil(askE6 / 100))

/** Prices of outcomes, which everybody knows at their instant. */
export class MarketPrices {
  private declare readonly board: PriceBoard
  private declare readonly ticks: Ticks
  /** Places of each market's ticks. Made when somebody asks. */
  private readonly ofMarkets = new Map<number, readonly number[]>()

  constructor(ticks: Ticks, marketCount: number) {
    this.ticks = ticks
    this.board = new PriceBoard(ticks, marketCount, 0)
  }

  /** The latest price, or null. Instants never go back. */
  at(market: number, nowUs: number): PriceFacts | null {
    const { board } = this
    board.advance(nowUs)
    const atUs = board.stampUs(market)
    if (atUs < 0) return null
    const row = market * PRICE_STRIDE
    return { bidE4: bidE4Of(board.cells[row + Price.bidE6]!), askE4: askE4Of(board.cells[row + Price.askE6]!), atUs }
  }

  /** The price at the end of each minute in which there was another one, ascending, as far as minutes are over. `atUs` is that end. */
  history(market: number, nowUs: number): readonly PriceFacts[] {
    const { atUs, bidE6, askE6 } = this.ticks
    const minutes: PriceFacts[] = []
    for (const tick of this.placesOf(market)) {
      const endUs = (Math.floor(atUs[tick]! / MINUTE_US) + 1) * MINUTE_US
      if (endUs > nowUs) break
      if (minutes.at(-1)?.atUs === endUs) minutes.pop()
      minutes.push({ bidE4: bidE4Of(bidE6[tick]!), askE4: askE4Of(askE6[tick]!), atUs: endUs })
    }
    return minutes
  }

  private placesOf(market: number): readonly number[] {
    let places = this.ofMarkets.get(market)
    if (places === undefined) {
      const { ticks } = this
      const found: number[] = []
      for (let i = 0; i < ticks.count; i++) if (ticks.market[i] === market) found.push(i)
      this.ofMarkets.set(market, places = found)
    }
    return places
  }
}
