import { assert } from './assert.ts'
import { type Micros, mulDivFloor } from './micros.ts'

declare const oddsBrand: unique symbol

/** Decimal payout odds as an integer with four decimals: 4.0 is 40000 (readings A21). */
export type OddsE4 = number & { readonly [oddsBrand]: 'OddsE4' }

export const ODDS_ONE = 10_000
export const ODDS_E4_MIN = 10_001
export const ODDS_E4_MAX = 10_000_000

/** Total payout of a net stake, rounded down to the micro-unit (PQ-087, readings A21). */
export const payoutFloor = (stakeMicros: Micros, oddsE4: number): Micros =>
  mulDivFloor(stakeMicros, oddsE4, ODDS_ONE) as Micros

/**
 * The odds that a maker offers at a probability: rounded down (against the bettor) to four decimals and
 * kept within 1.0001 and 1000 (PQ-205). Precondition: the probability is finite and above 0.
 */
export function oddsE4FloorOfProbability(probability: number): OddsE4 {
  assert(probability > 0 && probability < Infinity, 'odds need a finite probability above 0')
  const raw = Math.floor(ODDS_ONE / probability)
  return Math.min(ODDS_E4_MAX, Math.max(ODDS_E4_MIN, raw)) as OddsE4
}

/** The probability that odds stand for: 1/odds. */
export const probabilityOfOddsE4 = (oddsE4: number): number => ODDS_ONE / oddsE4
