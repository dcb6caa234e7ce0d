import { legPrice, PriceBoard } from '../market/priceBoard.ts'
import type { Ticks } from '../market/ticks.ts'
import { MarketValues } from '../market/marketValue.ts'
import type { CorrelatedCloses } from '../draw/correlatedCloses.ts'

const YES = 1

/**
 * The reference probability V that results are scored against: the product of the values of the legs' markets by their undelayed prices
 * (`MarketValues`, at every instant and at the close). A settled leg counts as 0 or 1, and a voided one as 1 (docs/metrics.md). No
 * participant ever sees V.
 */
export class Reference {
  /** Used for the touch alone. */
  private declare readonly board: PriceBoard
  private declare readonly ticks: Ticks
  private declare readonly values: MarketValues
  private declare readonly value: Float64Array
  private declare readonly settledUs: Float64Array
  private declare readonly tradedUntilUs: Float64Array | null
  private declare readonly drawnChances: Float64Array | null
  private declare readonly ties: CorrelatedCloses | null
  /** By market, of YES; made when first asked for. */
  private closes: Float64Array | null = null

  /**
   * @param closing tradedUntilUs: by market, when trading ended, Infinity where history does not say, absent where it never says.
   * drawnChances: by market, the chance of YES with which the outcome was drawn, NaN where it was not drawn. ties: the correlation of drawn
   * outcomes, absent without one.
   */
  constructor(
    ticks: Ticks, marketCount: number, outcomes: { readonly value: Float64Array; readonly atUs: Float64Array },
    closing: { readonly tradedUntilUs?: Float64Array; readonly drawnChances?: Float64Array; readonly ties?: CorrelatedCloses | null } = {},
  ) {
    this.board = new PriceBoard(ticks, marketCount, 0)
    this.ticks = ticks
    this.value = outcomes.value
    this.settledUs = outcomes.atUs
    this.tradedUntilUs = closing.tradedUntilUs ?? null
    this.drawnChances = closing.drawnChances ?? null
    this.ties = closing.ties ?? null
    this.values = new MarketValues(ticks, this.settledUs, this.tradedUntilUs)
  }

  /** V at an instant, in 0…1; NaN when a leg has no price yet. Instants never fall from call to call. */
  parlayValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    this.values.advance(atUs)
    let product = 1
    for (let i = from; i < from + legCount; i++) product *= this.settledUs[markets[i]!]! > atUs ? this.openValue(markets[i]!, sides[i]!) : this.result(markets[i]!, sides[i]!)
    return product
  }

  /**
   * What the legs cost (`ask`) or bring (`bid`) at the touch, in 0…1, as `parlayValue` values settled ones. An empty side of
   * a book stands at its end of the scale; a leg without a book is worth its last price. NaN when a leg has no price yet.
   */
  touchValue(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    this.board.advance(atUs)
    let product = 1
    for (let i = from; i < from + legCount; i++) {
      const [market, side] = [markets[i]!, sides[i]!]
      product *= this.settledUs[market]! > atUs ? this.legTouch(how, atUs, market, side) : this.result(market, side)
    }
    return product
  }

  /**
   * V with every leg at its own close, whatever has settled by now. The close is the last price up to the end of trading or, where
   * history does not say when that was, before the result. For a drawn outcome it is the chance with which it was drawn. NaN when a leg
   * had no price.
   */
  closingValue(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    this.closes ??= this.closingPrices()
    let product = 1
    for (let i = from; i < from + legCount; i++) {
      const yes = this.closes[markets[i]!]!
      product *= sides[i] === YES ? yes : 1 - yes
    }
    return product
  }

  /** The same under the world's correlation of outcomes. Without one it is equal to V. */
  jointClosingValue(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    const product = this.closingValue(legCount, markets, sides, from)
    return this.ties === null ? product : Math.min(1, product * this.ties.uplift(legCount, markets, sides, from))
  }

  private openValue(market: number, side: number): number {
    const yes = this.values.yes[market]!
    return side === YES ? yes : 1 - yes
  }

  private result(market: number, side: number): number {
    const yes = this.value[market]!
    if (yes !== yes) return 1
    return side === YES ? yes : 1 - yes
  }

  private legTouch(how: 'bid' | 'ask', atUs: number, market: number, side: number): number {
    const price = legPrice(this.board, market, side, how, atUs, Infinity)
    if (price === price) return price
    const other = legPrice(this.board, market, side, how === 'ask' ? 'bid' : 'ask', atUs, Infinity)
    if (other === other) return how === 'ask' ? 1 : 0
    return legPrice(this.board, market, side, 'mid', atUs, Infinity)
  }

  private closingPrices(): Float64Array {
    const { drawnChances } = this
    const last = new MarketValues(this.ticks, this.settledUs, this.tradedUntilUs)
    last.advance(Infinity)
    return drawnChances === null ? last.yes : last.yes.map((close, m) => (drawnChances[m] === drawnChances[m] ? drawnChances[m]! : close))
  }
}
