import { PriceBoard, Price, PRICE_STRIDE } from '../../market/priceBoard.ts'
import type { Ticks } from '../../market/ticks.ts'
import { sourceOf, type TickHistory, type TickSource } from '../../market/tickSource.ts'
import { MINUTE_US } from '../../unit/time.ts'
import type { PriceFacts } from '../../venue/outcome/wire/marketBody.ts'

/** A bid is rounded down to a ten-thousandth of a dollar and an ask up; −1 for none, which rounding down leaves as it is. */
const bidE4Of = (bidE6: number): number => Math.floor(bidE6 / 100)
const askE4Of = (askE6: number): number => (askE6 < 0 ? -1 : Math.ceil(askE6 / 100))

/** Prices of outcomes, which everybody knows at their instant. */
export class MarketPrices {
  private declare readonly board: PriceBoard
  private declare readonly source: TickSource
  /** Of markets that somebody asked about, the price at the end of each minute in which there was another one. */
  private readonly ofMarkets = new Map<number, readonly PriceFacts[]>()

  constructor(ticks: TickHistory, marketCount: number) {
    this.source = sourceOf(ticks)
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
    const minutes = this.minutesOf(market)
    const open = minutes.findIndex(({ atUs }) => atUs > nowUs)
    return open < 0 ? minutes : minutes.slice(0, open)
  }

  private minutesOf(market: number): readonly PriceFacts[] {
    const known = this.ofMarkets.get(market)
    if (known !== undefined) return known
    const { source } = this
    const minutes: PriceFacts[] = []
    for (let chunk = 0; chunk < source.chunkCount; chunk++) {
      if (source.has?.(chunk, market) !== false) addMinutes(minutes, source.chunk(chunk), market)
    }
    this.ofMarkets.set(market, minutes)
    return minutes
  }
}

function addMinutes(minutes: PriceFacts[], { count, atUs, market, bidE6, askE6 }: Ticks, of: number): void {
  for (let i = 0; i < count; i++) {
    if (market[i] !== of) continue
    const endUs = (Math.floor(atUs[i]! / MINUTE_US) + 1) * MINUTE_US
    if (minutes.at(-1)?.atUs === endUs) minutes.pop()
    minutes.push({ bidE4: bidE4Of(bidE6[i]!), askE4: askE4Of(askE6[i]!), atUs: endUs })
  }
}
