import { MarketResult } from '../market/sides.ts'
import { COMMAND_LEGS_MAX } from '../venue/contract.ts'

/** The source of reference probabilities, which the engine passes in. */
export interface ReferencePort {
  /** Whether outcomes are drawn together, so that V may differ from the product of the legs' values. Absent when none are. */
  readonly isJoint?: boolean
  /**
   * V of a parlay at an instant by the recorded prices: how likely all its legs come true, in 0…1, NaN when unknown. Precondition: instants
   * never fall. Open legs stand in `markets` and `sides` from `from` on, and behind them `wonCount` legs that have come true.
   */
  parlayValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, wonCount?: number): number
  /** The same as the product of the open legs' values. Absent where V always is that. */
  productValue?(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
  /** The same of what the legs cost (`ask`) or bring (`bid`) at the touch of the recorded books. Absent when unknown. */
  touchValue?(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number, wonCount?: number): number
  /** V with every leg at its own close, settled or not, in 0…1, NaN when unknown. Absent when never known. */
  closingValue?(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
  /** The same as a product. Absent where it always is that. */
  closingProduct?(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
}

const UNDECIDED = -1

/** The reference, overridden by results: a lost leg makes 0, a won leg is certain, and with a void leg there is no value. */
export class Reference {
  private declare readonly port: ReferencePort | null
  private declare readonly lossBeatsVoid: boolean
  /** By market: a MarketResult, −1 while unresolved. */
  private declare readonly results: Int8Array
  private declare readonly resolvedUs: Float64Array
  private readonly markets = new Int32Array(COMMAND_LEGS_MAX)
  private readonly sides = new Uint8Array(COMMAND_LEGS_MAX)
  /** How many legs of the position that was asked for last have no result. They stand first in `markets` and `sides`. */
  private open = 0
  /** How many of its legs have come true. They stand behind the open ones. */
  private won = 0

  /** @param lossBeatsVoid whether a lost leg loses a position that was voided before, until the position is settled. */
  constructor(port: ReferencePort | null, marketCount: number, lossBeatsVoid = false) {
    this.port = port
    this.lossBeatsVoid = lossBeatsVoid
    this.results = new Int8Array(marketCount).fill(-1)
    this.resolvedUs = new Float64Array(marketCount)
  }

  resolve(market: number, result: number, atUs: number): void {
    this.results[market] = result
    this.resolvedUs[market] = atUs
  }

  /** V in 0…1. NaN when it is unknown, and for a position with a void leg and no earlier loss, which is given back. */
  value(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    if (this.port === null) return NaN
    const decided = this.decidedValue(legCount, markets, sides, from)
    return decided === UNDECIDED ? this.port.parlayValue(atUs, this.open, this.markets, this.sides, 0, this.won) : decided
  }

  /** The same as the product of the values of the legs without a result. @param value V of these legs at the instant. */
  product(value: number, atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    if (this.port?.isJoint !== true || !this.port.productValue || this.decidedValue(legCount, markets, sides, from) !== UNDECIDED) return value
    return this.port.productValue(atUs, this.open, this.markets, this.sides, 0)
  }

  /** What leaving a position costs its backer (`ask`) or brings its holder (`bid`), per payout. NaN as in `value`, or without a price. */
  touch(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    if (!this.port?.touchValue) return NaN
    const decided = this.decidedValue(legCount, markets, sides, from)
    return decided === UNDECIDED ? this.port.touchValue(how, atUs, this.open, this.markets, this.sides, 0, this.won) : decided
  }

  /** Whether the touch is known at all. */
  get hasTouch(): boolean {
    return this.port?.touchValue !== undefined
  }

  /** V at the closes of the legs, NaN when unknown. No result changes it. */
  closing(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    return this.port?.closingValue?.(legCount, markets, sides, from) ?? NaN
  }

  /** The same as a product. @param closing V of these legs at their closes. */
  closingProduct(closing: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    return this.port?.isJoint === true ? this.port.closingProduct?.(legCount, markets, sides, from) ?? closing : closing
  }

  /** The value that results give a position: 0, 1 or NaN. UNDECIDED while open legs decide it. */
  private decidedValue(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    let open = 0
    let won = 0
    let lostUs = Infinity
    let voidUs = Infinity
    for (let i = from; i < from + legCount; i++) {
      const market = markets[i]!
      const result = this.results[market]!
      if (result < 0) {
        this.markets[open] = market
        this.sides[open++] = sides[i]!
      } else if (result === MarketResult.void) voidUs = Math.min(voidUs, this.resolvedUs[market]!)
      else if (result !== sides[i]) lostUs = Math.min(lostUs, this.resolvedUs[market]!)
      else won++
    }
    if (lostUs < Infinity && (this.lossBeatsVoid || lostUs <= voidUs)) return 0
    if (voidUs < Infinity) return NaN
    this.open = open
    this.won = won
    if (open === 0) return 1
    if (won > 0 && this.port!.isJoint === true) this.putWon(open, legCount, markets, sides, from)
    return UNDECIDED
  }

  /** Puts the legs that have come true behind the open ones. */
  private putWon(open: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): void {
    let to = open
    for (let i = from; i < from + legCount; i++) {
      if (this.results[markets[i]!]! < 0) continue
      this.markets[to] = markets[i]!
      this.sides[to++] = sides[i]!
    }
  }

  /** When results decided a position: at its first lost or void leg, or at its last won leg. Infinity while they have not. */
  decidedUs(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    let endedUs = Infinity
    let wonUs = 0
    for (let i = from; i < from + legCount; i++) {
      const market = markets[i]!
      const result = this.results[market]!
      const resolvedUs = result < 0 ? Infinity : this.resolvedUs[market]!
      wonUs = Math.max(wonUs, result === sides[i] ? resolvedUs : Infinity)
      if (result !== sides[i]) endedUs = Math.min(endedUs, resolvedUs)
    }
    return Math.min(endedUs, wonUs)
  }
}
