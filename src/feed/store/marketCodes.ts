import { assert } from '../../unit/assert.ts'
import { type MarketDraft, numbersOf } from '../marketDraft.ts'
import type { MarketSet } from './dayRuns.ts'

/** How parts name the markets of an import: by ticker, in order. */
export class MarketCodes {
  private declare readonly markets: readonly MarketDraft[]
  /** Places of markets in order of ticker. */
  private declare readonly byTicker: Int32Array

  constructor(markets: readonly MarketDraft[]) {
    this.markets = markets
    this.byTicker = new Int32Array(markets.length)
    numbersOf(markets).forEach((number, place) => {
      this.byTicker[number] = place
    })
  }

  /** The tickers of some of the markets, in order, and the place of each market among them. */
  of(found: MarketSet): { readonly tickers: string[]; readonly codeOf: Int32Array } {
    const { markets } = this
    assert(!found.hasFrom(markets.length), `a tick names a market that is not among the ${markets.length}`)
    const codeOf = new Int32Array(markets.length).fill(-1)
    const tickers: string[] = []
    for (const place of this.byTicker) if (found.has(place)) codeOf[place] = tickers.push(markets[place]!.ticker) - 1
    return { tickers, codeOf }
  }
}
