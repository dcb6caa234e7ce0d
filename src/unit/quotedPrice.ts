import { feeFloor, type Micros, mulDivFloor, sub } from './micros.ts'
import { ODDS_E4_MAX, ODDS_E4_MIN, ODDS_ONE } from './odds.ts'

/** A price as somebody stated it: payout odds × 10,000, a probability in billionths, or what a winner is paid in all. */
export type QuotedPrice = { readonly oddsE4: number } | { readonly probabilityE9: number } | { readonly payoutMicros: number }

/** What a service makes of a price: the parlay service offers odds of four decimals, the outcome service a payout. */
export type OfferedIn = 'odds' | 'payout'

/** What is offered for a net stake: what a winner is paid in all, and the odds that the service shows. */
export interface Offer {
  readonly oddsE4: number
  readonly payoutMicros: number
}

export const PROBABILITY_ONE_E9 = 1_000_000_000

/** The stake without the taker fee. */
export const netStake = (betMicros: number, takerFeeBps: number): number => sub(betMicros as Micros, feeFloor(betMicros as Micros, takerFeeBps))

/** floor(a·b/d) of any whole numbers. */
const exactFloor = (a: number, b: number, d: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(d))

/** What a winner with this net stake is paid at the price, rounded down to the micro-unit. */
export function payoutAt(price: QuotedPrice, netStakeMicros: number): number {
  if ('payoutMicros' in price) return price.payoutMicros
  return 'oddsE4' in price ? exactFloor(netStakeMicros, price.oddsE4, ODDS_ONE) : exactFloor(netStakeMicros, PROBABILITY_ONE_E9, price.probabilityE9)
}

/**
 * The offer that a service has for a price, against the bettor where the service cannot state it: odds are the highest of four decimals that pay
 * no more than the price, within 1.0001 and 1000. Precondition: the net stake is above 0.
 */
export function offerAt(price: QuotedPrice, netStakeMicros: number, offeredIn: OfferedIn): Offer {
  if (offeredIn === 'payout') {
    const payoutMicros = payoutAt(price, netStakeMicros)
    return { oddsE4: exactFloor(payoutMicros, ODDS_ONE, netStakeMicros), payoutMicros }
  }
  const oddsE4 = Math.min(ODDS_E4_MAX, Math.max(ODDS_E4_MIN, oddsOf(price, netStakeMicros)))
  return { oddsE4, payoutMicros: mulDivFloor(netStakeMicros, oddsE4, ODDS_ONE) }
}

function oddsOf(price: QuotedPrice, netStakeMicros: number): number {
  if ('oddsE4' in price) return price.oddsE4
  if ('probabilityE9' in price) return exactFloor(ODDS_ONE, PROBABILITY_ONE_E9, price.probabilityE9)
  // The payout of odds is rounded down, so that the odds behind a payout lie within one step above its ratio to the stake.
  const above = exactFloor(price.payoutMicros, ODDS_ONE, netStakeMicros) + 1
  return exactFloor(netStakeMicros, above, ODDS_ONE) <= price.payoutMicros ? above : above - 1
}

/**
 * The probability p nearest to `of`/`quotient` with floor(of/p) = `quotient`: what a desk is told for an offer that shall come out to the last digit.
 * Precondition: both are safe integers above 0.
 */
export function probabilityGiving(of: number, quotient: number): number {
  let probability = of / quotient
  // The quotient of a rounded quotient may fall short of the whole number by its last bit.
  while (Math.floor(of / probability) < quotient) probability *= 1 - Number.EPSILON / 2
  return probability
}
