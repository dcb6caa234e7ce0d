import type { RandomKey } from '../kernel/random.ts'
import { type DrawnMarket, OutcomeBits, WORD_BITS } from './outcomeBits.ts'

/** A leg: a market, by its place among those that are drawn, and the side that must come true. */
export interface RedrawnLeg {
  readonly market: number
  readonly isYes: boolean
}

/** Something that is paid where all of its legs come true, microUSDC. Any sign. */
export interface WeightedBet {
  readonly legs: readonly RedrawnLeg[]
  readonly weightMicros: number
}

/** Outcomes that are drawn at a time. */
export const CHUNK_OUTCOMES = 2048

/** The outcomes of a word in which all legs come true, a bit each. A bet without legs is won in all. */
export function wonWord({ bits, words }: OutcomeBits, legs: readonly RedrawnLeg[], word: number): number {
  let won = -1
  for (let i = 0; i < legs.length && won !== 0; i++) {
    const { market, isYes } = legs[i]!
    const yes = bits[market * words + word]!
    won &= isYes ? yes : ~yes
  }
  return won
}

/** Adds a number to the sums of the outcomes whose bits are set. `from` is the sum of bit 0. */
export function addWhere(mask: number, micros: number, sums: Float64Array, from: number): void {
  let left = mask
  while (left !== 0) {
    const bit = 31 - Math.clz32(left & -left)
    sums[from + bit]! += micros
    left &= left - 1
  }
}

/** Adds a bet's weight to the sum of each outcome in which it is won. `from` is the sum of the first outcome drawn. */
export function addWon(bits: OutcomeBits, { legs, weightMicros }: WeightedBet, count: number, sums: Float64Array, from: number): void {
  for (let word = 0; word * WORD_BITS < count; word++) addWhere(wonWord(bits, legs, word) & maskOf(count - word * WORD_BITS), weightMicros, sums, from + word * WORD_BITS)
}

/** The bits of a word that are outcomes, where `left` outcomes are left. */
export const maskOf = (left: number): number => (left >= WORD_BITS ? -1 : (1 << left) - 1)

/**
 * By outcome, what bets pay together. Two lists of bets that are summed under one key have the same outcomes, so that their difference has no noise
 * of separate draws. Sums are exact while they are below 2⁵³.
 */
export const wonSums = (bets: readonly WeightedBet[], markets: readonly DrawnMarket[], correlation: number, key: RandomKey, outcomes: number): Float64Array =>
  wonSumsOf([bets], markets, correlation, key, outcomes)[0]!

/** The same of several lists over the same outcomes, which are drawn once. */
export function wonSumsOf(lists: readonly (readonly WeightedBet[])[], markets: readonly DrawnMarket[], correlation: number, key: RandomKey, outcomes: number): Float64Array[] {
  const sums = lists.map(() => new Float64Array(outcomes))
  const bits = new OutcomeBits(markets, correlation, key, CHUNK_OUTCOMES)
  for (let first = 0; first < outcomes; first += CHUNK_OUTCOMES) {
    const count = Math.min(CHUNK_OUTCOMES, outcomes - first)
    bits.draw(first, count)
    for (const [list, bets] of lists.entries()) for (const bet of bets) addWon(bits, bet, count, sums[list]!, first)
  }
  return sums
}
