import { legPrice, PriceBoard } from '../market/priceBoard.ts'
import { Side } from '../market/sides.ts'
import { closingValues } from '../market/marketFolds.ts'
import { sourceOf, type TickHistory, type TickSource } from '../market/tickSource.ts'
import { MarketValues, type OpeningValues } from '../market/marketValue.ts'
import type { JointChances } from '../draw/jointChances.ts'
import { COMMAND_LEGS_MAX } from '../venue/contract.ts'

/** What a reference reads besides the ticks of its session, where those begin with what was known. */
export interface ReferenceHistory {
  /** All recorded prices. */
  readonly history: TickSource
  /** Marks with 1 the markets whose closes are asked for. */
  readonly wanted: Uint8Array
  readonly opening: OpeningValues
}

/**
 * The reference probability V that results are scored against: the chance that all legs come true, by what their markets are worth at
 * undelayed prices (`MarketValues`, at every instant and at the close). It is the product of the legs' values. Where the scenario draws legs'
 * outcomes together, it is their joint chance (`JointChances`), given those legs of the parlay that have come true by then. A settled leg
 * counts as 0 or 1, and a voided one as 1 (docs/metrics.md). No participant ever sees V.
 */
export class Reference {
  /** Used for the touch alone. */
  private declare readonly board: PriceBoard
  /** The history from which closes are taken, and the markets that are asked for there. */
  private declare readonly history: TickSource
  private declare readonly wanted: Uint8Array | undefined
  private declare readonly values: MarketValues
  private declare readonly value: Float64Array
  private declare readonly settledUs: Float64Array
  private declare readonly tradedUntilUs: Float64Array | null
  private declare readonly drawnChances: Float64Array | null
  private declare readonly joint: JointChances | null
  /** By market, of YES; made when first asked for. */
  private closes: Float64Array | null = null
  /** The legs of a question about outcomes that are drawn together: the open ones first. */
  private readonly legs = { markets: new Int32Array(COMMAND_LEGS_MAX), sides: new Uint8Array(COMMAND_LEGS_MAX), openCount: 0, count: 0 }

  /**
   * @param closing tradedUntilUs: by market, when trading ended, Infinity where history does not say, absent where it never says.
   * drawnChances: by market, the chance of YES with which the outcome was drawn, NaN where it was not drawn. joint: which outcomes
   * are drawn together, absent where none are.
   */
  constructor(
    ticks: TickHistory, marketCount: number, outcomes: { readonly value: Float64Array; readonly atUs: Float64Array },
    closing: { readonly tradedUntilUs?: Float64Array; readonly drawnChances?: Float64Array; readonly joint?: JointChances | null } & Partial<ReferenceHistory> = {},
  ) {
    this.board = new PriceBoard(ticks, marketCount, 0)
    this.history = closing.history ?? sourceOf(ticks)
    this.wanted = closing.wanted
    this.value = outcomes.value
    this.settledUs = outcomes.atUs
    this.tradedUntilUs = closing.tradedUntilUs ?? null
    this.drawnChances = closing.drawnChances ?? null
    this.joint = closing.joint ?? null
    this.values = new MarketValues(ticks, this.settledUs, this.tradedUntilUs, closing.opening)
  }

  /** Whether V differs from the product of the legs' values for some legs. */
  get isJoint(): boolean {
    return this.joint !== null
  }

  /**
   * V at an instant, in 0…1; NaN when a leg has no price yet. Instants never fall from call to call.
   * @param wonCount legs that stand after the others and are known to have come true.
   */
  parlayValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, wonCount = 0): number {
    const product = this.productValue(atUs, legCount, markets, sides, from)
    return this.joint === null || !(product > 0) ? product : Math.min(1, product * this.upliftAt(atUs, legCount, markets, sides, from, wonCount))
  }

  /** The same as a product: what V would be if no outcomes were drawn together. */
  productValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    this.values.advance(atUs)
    let product = 1
    for (let i = from; i < from + legCount; i++) product *= this.settledUs[markets[i]!]! > atUs ? this.openValue(markets[i]!, sides[i]!) : this.result(markets[i]!, sides[i]!)
    return product
  }

  /**
   * What the legs cost (`ask`) or bring (`bid`) at the touch, in 0…1, as `parlayValue` values settled ones. An empty side of
   * a book stands at its end of the scale; a leg without a book is worth its last price. Of legs that are drawn together the product is
   * raised or lowered as V is over its own product. NaN when a leg has no price yet.
   */
  touchValue(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, wonCount = 0): number {
    this.board.advance(atUs)
    let product = 1
    for (let i = from; i < from + legCount; i++) {
      const [market, side] = [markets[i]!, sides[i]!]
      product *= this.settledUs[market]! > atUs ? this.legTouch(how, atUs, market, side) : this.result(market, side)
    }
    if (this.joint === null || !(product > 0) || !(this.productValue(atUs, legCount, markets, sides, from) > 0)) return product
    return Math.min(1, product * this.upliftAt(atUs, legCount, markets, sides, from, wonCount))
  }

  /**
   * V with every leg at its own close, whatever has settled by now. The close is the last price up to the end of trading or, where
   * history does not say when that was, before the result. For a drawn outcome it is the chance with which it was drawn. NaN when a leg
   * had no price.
   */
  closingValue(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    const product = this.closingProduct(legCount, markets, sides, from)
    if (this.joint === null || !(product > 0)) return product
    const { legs } = this
    legs.openCount = legs.count = 0
    for (let i = from; i < from + legCount; i++) this.ask(markets[i]!, sides[i]!)
    legs.openCount = legs.count
    return Math.min(1, product * this.joint.uplift(this.closingPrices(), null, legs))
  }

  /** The same as a product. */
  closingProduct(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    const closes = this.closingPrices()
    let product = 1
    for (let i = from; i < from + legCount; i++) {
      const yes = closes[markets[i]!]!
      product *= sides[i] === Side.yes ? yes : 1 - yes
    }
    return product
  }

  /** V over its product at an instant up to which the values have been taken. Precondition: outcomes are drawn together, and the product is above 0. */
  private upliftAt(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, wonCount: number): number {
    const { legs } = this
    legs.count = 0
    for (let i = from; i < from + legCount; i++) if (this.settledUs[markets[i]!]! > atUs) this.ask(markets[i]!, sides[i]!)
    legs.openCount = legs.count
    // What has come true is a result, or the product were 0. A void leg says nothing about others.
    for (let i = from; i < from + legCount; i++) if (this.settledUs[markets[i]!]! <= atUs && !Number.isNaN(this.value[markets[i]!]!)) this.ask(markets[i]!, sides[i]!)
    for (let i = from + legCount; i < from + legCount + wonCount; i++) this.ask(markets[i]!, sides[i]!)
    return this.joint!.uplift(this.values.yes, legs.count > legs.openCount ? this.closingPrices() : null, legs)
  }

  private ask(market: number, side: number): void {
    const { legs } = this
    legs.markets[legs.count] = market
    legs.sides[legs.count++] = side
  }

  private openValue(market: number, side: number): number {
    const yes = this.values.yes[market]!
    return side === Side.yes ? yes : 1 - yes
  }

  private result(market: number, side: number): number {
    const yes = this.value[market]!
    if (yes !== yes) return 1
    return side === Side.yes ? yes : 1 - yes
  }

  private legTouch(how: 'bid' | 'ask', atUs: number, market: number, side: number): number {
    const price = legPrice(this.board, market, side, how, atUs, Infinity)
    if (price === price) return price
    const other = legPrice(this.board, market, side, how === 'ask' ? 'bid' : 'ask', atUs, Infinity)
    if (other === other) return how === 'ask' ? 1 : 0
    return legPrice(this.board, market, side, 'mid', atUs, Infinity)
  }

  private closingPrices(): Float64Array {
    if (this.closes !== null) return this.closes
    const { drawnChances } = this
    const { settledUs, tradedUntilUs, wanted } = this
    const yes = closingValues(this.history, { settledUs, tradedUntilUs, ...(wanted && { wanted }) })
    return (this.closes = drawnChances === null ? yes : yes.map((close, m) => (drawnChances[m] === drawnChances[m] ? drawnChances[m]! : close)))
  }
}
