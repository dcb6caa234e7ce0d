import type { Market } from '../../market/market.ts'
import type { KnownMarkets } from '../importer.ts'
import type { MarketDraft } from '../marketDraft.ts'
import type { OpenStore, StorePart } from './openStore.ts'

/** What is known to an import into a new store of which later facts hold. */
export const NOTHING_KNOWN: KnownMarkets = { isLaterHeld: true, marketOf: () => undefined, bookFromUs: () => Infinity, hasTicks: () => false }

/** What a store tells an import that is added to it. */
export class StoreMarkets implements KnownMarkets {
  declare readonly isLaterHeld: boolean
  private declare readonly store: OpenStore
  private declare readonly byTicker: ReadonlyMap<string, Market>
  /** By number of the market. */
  private bookFrom: Float64Array | undefined = undefined
  /** By number of the market: whether one of the parts that were looked at has ticks of it. */
  private withTicks: Uint8Array | undefined = undefined
  private parts: readonly StorePart[] = []

  constructor(store: OpenStore, isLaterHeld: boolean) {
    this.store = store
    this.isLaterHeld = isLaterHeld
    this.byTicker = new Map(store.catalogue.markets.map((market) => [market.ticker, market]))
  }

  marketOf(ticker: string): MarketDraft | undefined {
    return this.byTicker.get(ticker)
  }

  bookFromUs(ticker: string): number {
    const market = this.byTicker.get(ticker)
    if (market === undefined) return Infinity
    this.bookFrom ??= bookFromUs(this.store)
    return this.bookFrom[market.number]!
  }

  hasTicks(ticker: string): boolean {
    const market = this.byTicker.get(ticker)
    if (market === undefined) return false
    if (this.withTicks === undefined) {
      this.withTicks = new Uint8Array(this.store.catalogue.markets.length)
      this.parts = this.store.parts.toReversed()
    }
    // Mostly it is asked of markets that have traded lately.
    while (this.withTicks[market.number] === 0 && this.parts.length > 0) {
      for (const number of this.store.lastOf(this.parts[0]!).markets) this.withTicks[number] = 1
      this.parts = this.parts.slice(1)
    }
    return this.withTicks[market.number] === 1
  }
}

/** What parts leave behind tells in which part a market has its first book, and its first price there. */
function bookFromUs(store: OpenStore): Float64Array {
  const from = new Float64Array(store.catalogue.markets.length).fill(Infinity)
  for (const part of store.parts) {
    const { markets, firstUs, withBook } = store.lastOf(part)
    const hasBook = new Set(withBook.market)
    markets.forEach((market, i) => {
      if (hasBook.has(market) && firstUs[i]! < from[market]!) from[market] = firstUs[i]!
    })
  }
  return from
}
