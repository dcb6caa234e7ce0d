import { legPrice, PriceBoard } from '../market/priceBoard.ts'
import type { Ticks } from '../market/ticks.ts'

/**
 * The reference probability V that results are scored against: the product of undelayed middle prices, a settled leg
 * counting 0 or 1, a voided one 1 (`notes/metrics.md`). No participant ever sees it.
 */
export class Reference {
  private readonly board: PriceBoard
  private readonly value: Float64Array
  private readonly settledUs: Float64Array

  constructor(ticks: Ticks, marketCount: number, outcomes: { readonly value: Float64Array; readonly atUs: Float64Array }) {
    this.board = new PriceBoard(ticks, marketCount, 0)
    this.value = outcomes.value
    this.settledUs = outcomes.atUs
  }

  /** V at an instant, in 0…1; NaN when a leg has no price yet. Instants never fall from call to call. */
  parlayValue(atUs: number, legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    this.board.advance(atUs)
    let product = 1
    for (let i = from; i < from + legCount; i++) product *= this.legValue(atUs, markets[i]!, sides[i]!)
    return product
  }

  private legValue(atUs: number, market: number, side: number): number {
    if (this.settledUs[market]! > atUs) return legPrice(this.board, market, side, 'mid', atUs, Infinity)
    const yes = this.value[market]!
    if (yes !== yes) return 1
    return side === 1 ? yes : 1 - yes
  }
}
