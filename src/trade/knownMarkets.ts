import type { MarketFacts } from '../market/marketFacts.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import { MarketResult } from '../market/sides.ts'
import { Side } from '../agent/vocabulary.ts'
import type { DeskLeg, DeskNote } from './deskFeed.ts'
import type { TradePrices } from './prices.ts'

/** What a client knows of markets: what the legs that it has been told say of them, and results. */
export class KnownMarkets {
  readonly facts: MarketFacts
  readonly results: PublishedResults
  private readonly prices: TradePrices

  constructor(marketCount: number, prices: TradePrices) {
    const none = (): Int32Array => new Int32Array(marketCount).fill(-1)
    this.facts = { category: none(), event: none(), game: none(), gameCategory: none() }
    this.results = new PublishedResults(marketCount)
    this.prices = prices
  }

  /** Takes in what a note says of markets. */
  take({ what, number, result, published_at_us, legs = [] }: DeskNote): void {
    if (what === 'result') this.results.publish(number as number, MarketResult[result as keyof typeof MarketResult], published_at_us as number)
    for (const leg of legs) this.name(leg)
  }

  private name({ market, number, category, event, game, game_category }: DeskLeg): void {
    const { facts } = this
    facts.category[number] = category ?? -1
    facts.event[number] = event ?? -1
    facts.game[number] = game ?? -1
    facts.gameCategory[number] = game_category ?? -1
    this.prices.name(market, number)
  }
}

/** Markets and sides of a note's legs. */
export const legsOf = ({ legs = [] }: DeskNote): { readonly markets: readonly number[]; readonly sides: readonly number[] } =>
  ({ markets: legs.map(({ number }) => number), sides: legs.map(({ side }) => (side === 'yes' ? Side.yes : Side.no)) })
