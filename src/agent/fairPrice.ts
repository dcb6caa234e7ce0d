import { exp } from '../math/exp.ts'
import { log } from '../math/log.ts'
import { exactSum } from '../math/sum.ts'
import { oddsE4FloorOfProbability as floorOf } from '../unit/odds.ts'
import { isProbability, numbersOf } from './jointProbability.ts'
import type { Odds, Share } from './quantities.ts'
import { type Method, refuse, shownValue } from './refuse.ts'

/**
 * How prices that sum to more than 1 are brought down to 1 (S. Clarke, S. Kovalchik and M. Ingram, American Journal of Sports Science 5, 2017):
 * each price loses the same amount (`additive`), the same share of itself (`proportional`), or is raised to the same power (`power`).
 */
export type FairMethod = 'additive' | 'proportional' | 'power'

/** What the prices of outcomes are made probabilities by. Refuses prices that the method has no answer for. */
const FAIR: Readonly<Record<FairMethod, (prices: readonly number[], method: Method) => number[]>> = {
  additive(prices, method) {
    const excess = (exactSum(prices) - 1) / prices.length
    const low = prices.findIndex((price) => price < excess)
    if (low >= 0) refuse(`prices[${low}] is ${prices[low]}, and additive would take ${excess} of it: proportional or power keeps it above 0`, method)
    return prices.map((price) => price - excess)
  },
  proportional(prices, method) {
    const whole = exactSum(prices)
    if (!(whole > 0)) refuse('prices are all 0', method)
    return prices.map((price) => price / whole)
  },
  power(prices, method) {
    const end = prices.findIndex((price) => price === 0 || price === 1)
    if (end >= 0) refuse(`prices[${end}] is ${prices[end]}, which no power moves`, method)
    const logs = prices.map(log)
    const power = powerOf(logs)
    return logs.map((of) => exp(power * of))
  },
}

/** The power k at which the prices sum to 1, to the last digit. Precondition: at least two prices, all between 0 and 1. */
function powerOf(logs: readonly number[]): number {
  const isAbove = (power: number): boolean => exactSum(logs.map((of) => exp(power * of))) > 1
  let [low, high] = [0, 1]
  while (isAbove(high)) [low, high] = [high, high * 2]
  for (let middle = low + (high - low) / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    if (isAbove(middle)) low = middle
    else high = middle
  }
  return high
}

function checkMethod(method: FairMethod, of: Method): void {
  if (typeof method !== 'string' || !Object.hasOwn(FAIR, method)) refuse(`method is additive, proportional or power, not ${typeof method === 'string' ? `'${String(method)}'` : shownValue(method)}`, of)
}

/**
 * Probabilities of outcomes of which exactly one comes true, from what a dollar of each costs, in the order of `prices`, 0…1 and at least two of
 * them. They sum to 1. Throws when a price is none, and when the method has no answer: `additive` for a price below what it takes of each,
 * `power` for a price of 0 or 1.
 */
export function fairProbabilities(prices: ArrayLike<number>, method: FairMethod = 'proportional'): Share[] {
  const given = numbersOf('prices', prices, isProbability, 'a price within 0 … 1', fairProbabilities)
  if (given.length < 2) refuse(`prices has a price of each outcome, of which there are two at least, not ${given.length}`, fairProbabilities)
  checkMethod(method, fairProbabilities)
  return FAIR[method](given, fairProbabilities)
}

/**
 * Probability that a market comes true, from its bid and its ask, each 0…1: YES costs the ask, and NO costs 1 less the bid. `additive` is the
 * middle of both, and the method unless another is given. Throws when a price is none, and when the method has no answer (`fairProbabilities`).
 */
export function fairProbability(bid: Share, ask: Share, method: FairMethod = 'additive'): Share {
  for (const [argument, price] of [['bid', bid], ['ask', ask]] as const) {
    if (!(typeof price === 'number' && isProbability(price))) refuse(`${argument} is a price within 0 … 1, not ${shownValue(price)}`, fairProbability)
  }
  checkMethod(method, fairProbability)
  return method === 'additive' ? (bid + ask) / 2 : FAIR[method]([ask, 1 - bid], fairProbability)[0]!
}

/**
 * The odds that a maker offers at a probability, four decimals: rounded down, against the bettor, and kept within 1.0001 and 1000 (PQ-205). At a
 * fair probability they are the fair odds. Throws when the probability is no finite number above 0.
 */
export function oddsE4FloorOfProbability(probability: Share): Odds {
  if (!(typeof probability === 'number' && probability > 0 && probability < Infinity)) refuse(`probability is a finite number above 0, not ${shownValue(probability)}`, oddsE4FloorOfProbability)
  return floorOf(probability)
}
