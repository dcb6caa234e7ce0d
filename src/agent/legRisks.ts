import type { LegsRow } from './rows.ts'

/**
 * Risk of each maker's open positions by their legs, microUSDC. Makers lie next to each other and not legs, because a request goes to all
 * makers, and the first one to ask for the risk on its legs brings that of the others into the cache.
 */
export class LegRisks {
  /** Look up with `at`. */
  declare readonly micros: Float64Array
  private declare readonly seats: number

  constructor(marketCount: number, seats: number) {
    this.seats = seats
    this.micros = new Float64Array(marketCount * 2 * seats)
  }

  at(market: number, side: number, seat: number): number {
    return (market * 2 + side) * this.seats + seat
  }

  add(seat: number, legs: LegsRow, riskMicros: number): void {
    for (let i = 0; i < legs.count; i++) this.micros[this.at(legs.markets[i]!, legs.sides[i]!, seat)]! += riskMicros
  }

  /** Risk of one maker. That of market m's side s is at m × 2 + s. */
  ofSeat(seat: number): Float64Array {
    const risks = new Float64Array(this.micros.length / this.seats)
    for (let leg = 0; leg < risks.length; leg++) risks[leg] = this.micros[leg * this.seats + seat]!
    return risks
  }

  setSeat(seat: number, risks: Float64Array): void {
    risks.forEach((micros, leg) => { this.micros[leg * this.seats + seat] = micros })
  }
}
