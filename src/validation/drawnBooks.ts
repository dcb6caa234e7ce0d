import { log } from '../math/log.ts'
import { normalQuantile } from '../math/normal.ts'
import type { Uniform } from '../stats/counterUniform.ts'

/**
 * Books of parlays that are drawn and not played, whose true expectation is known. In each settlement cluster there are twelve markets
 * of independent results. A parlay takes the YES or NO of different ones, so that parlays of a cluster share legs. Prices, stakes and
 * the number of parlays are about those of scenarios/nyc-weather.yaml and scenarios/quickstart.yaml.
 */
export interface BookModel {
  /** By parlay, drawn with equal chance. */
  readonly legs: readonly number[]
  /** Parlays of a cluster on average, an even number: from half to one and a half times as many. */
  readonly parlays: number
  /** Standard deviation of a price from the quote to the close. */
  readonly move: number
  /** How far each close has come from there to the result, from 0 to 1: 0 without. */
  readonly near?: number
  /** The share of markets whose result is known at the close: 0 without. */
  readonly decided?: number
}

/** A maker's sums in one cluster, USDC. */
export interface DrawnCluster {
  /** Stakes less payouts of parlays that won. */
  readonly cash: number
  /** Stakes less payouts by V at the close: the luck-adjusted profit. */
  readonly valued: number
  readonly stakes: number
  /** Σ payout · V(1 − V) at the quote, and at the close: what was uncertain, and what of it a result still had to decide. */
  readonly uncertain: number
  readonly undecided: number
}

const MARKETS = 12
const [PRICE_MIN, PRICE_MAX] = [0.1, 0.9]
/** What a maker adds to the price of a leg. */
const MARGIN = 0.01
const [STAKE_MIN, STAKE_MAX] = [5, 50]
const CLOSE_MIN = 0.02

export function drawCluster({ legs, parlays, move, near = 0, decided = 0 }: BookModel, next: () => number): DrawnCluster {
  const prices = Array.from({ length: MARKETS }, () => PRICE_MIN + (PRICE_MAX - PRICE_MIN) * next())
  const closes = prices.map((price) => {
    const by = move * normalQuantile(next())
    // A move that would leave the range is none, in both directions, so that prices stay fair.
    return Math.abs(by) > Math.min(price, 1 - price) - CLOSE_MIN ? price : price + by
  })
  const results = closes.map((close) => next() < close)
  // On average a price is where it was, so that values stay fair.
  const lasts = closes.map((close, market) => close + (decided > 0 && next() < decided ? 1 : near) * ((results[market] ? 1 : 0) - close))
  const count = Math.round(parlays * (0.5 + next()))
  let [cash, valued, stakes, uncertain, undecided] = [0, 0, 0, 0, 0]
  for (let parlay = 0; parlay < count; parlay++) {
    const stake = STAKE_MIN + (STAKE_MAX - STAKE_MIN) * next()
    let [quoted, fair, value, isHit, taken] = [1, 1, 1, true, 0]
    for (let left = legs[Math.floor(next() * legs.length)]!; left > 0;) {
      const market = Math.floor(next() * MARKETS)
      if ((taken >> market) & 1) continue
      taken |= 1 << market
      left--
      const isYes = next() < 0.5
      quoted *= (isYes ? prices[market]! : 1 - prices[market]!) + MARGIN
      fair *= isYes ? prices[market]! : 1 - prices[market]!
      value *= isYes ? lasts[market]! : 1 - lasts[market]!
      isHit &&= results[market] === isYes
    }
    stakes += stake
    cash += stake - (isHit ? stake / quoted : 0)
    valued += stake - (value * stake) / quoted
    uncertain += (fair * (1 - fair) * stake) / quoted
    undecided += (value * (1 - value) * stake) / quoted
  }
  return { cash, valued, stakes, uncertain, undecided }
}

/** The expected hold, profit over stakes: a leg of price p is quoted at p + margin, and p is uniform. */
export function expectedHold({ legs }: BookModel): number {
  const fairOverQuoted = 1 - (MARGIN * log((PRICE_MAX + MARGIN) / (PRICE_MIN + MARGIN))) / (PRICE_MAX - PRICE_MIN)
  return legs.reduce((sum, count) => sum + 1 - fairOverQuoted ** count, 0) / legs.length
}

/** The expected profit of a cluster, USDC. */
export const expectedProfit = (model: BookModel): number => (model.parlays * (STAKE_MIN + STAKE_MAX) / 2) * expectedHold(model)

/** Numbers in (0, 1), one after the other. */
export function sequence(uniform: Uniform): () => number {
  let at = 0
  return () => (uniform(at++) * 2 ** 32 + 0.5) / 2 ** 32
}
