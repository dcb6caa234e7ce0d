import type { LegFacts, LiveVenue, PositionFacts } from './liveVenue.ts'
import type { PaidIn } from './paidIn.ts'

/** V of a parlay at an instant of the session, 0…1, NaN when it is unknown. Instants never fall from call to call. */
export type ValueOf = (atUs: number, legs: readonly LegFacts[]) => number

export interface MarkedPosition extends PositionFacts {
  /** NaN when it is unknown. */
  readonly value: number
}

/** A maker's money at the reference, as the table `equity` has it (record/equityRows.ts), microUSDC. */
export interface MarkedMoney {
  readonly freeMicros: number
  /** Held for what is under way, and its risk in open positions. */
  readonly lockedMicros: number
  /** Positions that it backs, and positions that it holds. */
  readonly backed: number
  readonly held: number
  /** Its open positions at the reference, less what they cost. */
  readonly openMicros: number
  /** All of its money at the reference, less what was paid in. */
  readonly profitMicros: number
  /** Open positions of unknown value, which count at cost. */
  readonly unpriced: number
}

export interface Marks {
  /** In the order of the accounts. */
  readonly makers: readonly MarkedMoney[]
  /** Open positions of these makers, ascending by number. */
  readonly positions: readonly MarkedPosition[]
}

/** Values the open positions of makers at an instant. A position is worth (1 − V)·(payout − its own fee) to its backer and V·(payout − profit fee) to its holder. */
export function markedAt(atUs: number, makers: readonly number[], venue: LiveVenue, paidIn: Pick<PaidIn, 'microsOf'>, valueOf: ValueOf): Marks {
  const positions = new Map<number, MarkedPosition>()
  const positionOf = (number: number): MarkedPosition => {
    const known = positions.get(number)
    if (known !== undefined) return known
    const facts = venue.position(number)!
    const marked = { ...facts, value: valueOf(atUs, facts.legs) }
    positions.set(number, marked)
    return marked
  }
  const marked = makers.map((account): MarkedMoney => {
    const { freeMicros, reservedMicros } = venue.money(account)
    let [backed, held, unpriced, riskMicros, worthMicros, costMicros] = [0, 0, 0, 0, 0, 0]
    for (const number of venue.positionsOf(account)) {
      const position = positionOf(number)
      const { backer, holder, value, payoutMicros, stakeMicros } = position
      if (Number.isNaN(value)) unpriced++
      if (backer === account) {
        const atRiskMicros = payoutMicros - stakeMicros
        backed++
        riskMicros += atRiskMicros
        costMicros += atRiskMicros
        worthMicros += Number.isNaN(value) ? atRiskMicros : Math.round((1 - value) * (payoutMicros - position.makerFeeMicros))
      }
      if (holder === account) {
        held++
        costMicros += position.costMicros
        worthMicros += Number.isNaN(value) ? position.costMicros : Math.round(value * (payoutMicros - position.profitFeeMicros))
      }
    }
    return {
      freeMicros, lockedMicros: reservedMicros + riskMicros, backed, held, unpriced, openMicros: worthMicros - costMicros,
      profitMicros: freeMicros + reservedMicros + worthMicros - paidIn.microsOf(account),
    }
  })
  return { makers: marked, positions: [...positions.values()].sort((a, b) => a.number - b.number) }
}
