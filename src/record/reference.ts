import { MarketResult } from '../market/sides.ts'
import { COMMAND_LEGS_MAX } from '../venue/contract.ts'

/** The source of reference probabilities, which the engine passes in. */
export interface ReferencePort {
  /**
   * V of a parlay at an instant: the product over its legs of the reference model on the recorded prices, in 0…1, NaN when
   * unknown. Precondition: instants never fall. Legs stand in `markets` and `sides` from `from` on.
   */
  parlayValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
  /** The same product of what the legs cost (`ask`) or bring (`bid`) at the touch of the recorded books. Absent when unknown. */
  touchValue?(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
  /** V with every leg at its own close, settled or not, in 0…1, NaN when unknown. Absent when never known. */
  closingValue?(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
  /** The same under the correlation of outcomes that the scenario sets. Absent when it sets none. */
  jointClosingValue?(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number
}

const UNDECIDED = -1

/** The reference, overridden by results: a lost leg makes 0, a won leg counts as 1, and with a void leg there is no value. */
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
    return decided === UNDECIDED ? this.port.parlayValue(atUs, this.open, this.markets, this.sides, 0) : decided
  }

  /** What leaving a position costs its backer (`ask`) or brings its holder (`bid`), per payout. NaN as in `value`, or without a price. */
  touch(how: 'bid' | 'ask', atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    if (!this.port?.touchValue) return NaN
    const decided = this.decidedValue(legCount, markets, sides, from)
    return decided === UNDECIDED ? this.port.touchValue(how, atUs, this.open, this.markets, this.sides, 0) : decided
  }

  /** Whether the touch is known at all. */
  get hasTouch(): boolean {
    return this.port?.touchValue !== undefined
  }

  /** V at the closes of the legs, NaN when unknown. No result changes it. */
  closing(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    return this.port?.closingValue?.(legCount, markets, sides, from) ?? NaN
  }

  /** The same under the world's correlation. Where none is set it is the product. */
  jointClosing(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    return this.port?.jointClosingValue?.(legCount, markets, sides, from) ?? this.closing(legCount, markets, sides, from)
  }

  /** The value that results give a position: 0, 1 or NaN. UNDECIDED while open legs decide it. */
  private decidedValue(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    let open = 0
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
    }
    if (lostUs < Infinity && (this.lossBeatsVoid || lostUs <= voidUs)) return 0
    if (voidUs < Infinity) return NaN
    this.open = open
    return open === 0 ? 1 : UNDECIDED
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
