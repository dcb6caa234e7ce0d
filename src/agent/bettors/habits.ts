import { exp } from '../../math/exp.ts'
import { log } from '../../math/log.ts'
import { normalCdf, normalQuantile } from '../../math/normal.ts'
import { USDC } from '../../unit/micros.ts'
import { oddsE4FloorOfProbability } from '../../unit/odds.ts'
import type { BettorHandlers } from '../bettor.ts'
import { type BettorDesk, IntentDraw } from '../bettorDesk.ts'
import { count, num, pct, seconds, usd, type ValuesOf } from '../parameters.ts'
import type { IntentView } from '../views.ts'
import { Refusal, Side } from '../vocabulary.ts'

const CENT_MICROS = USDC / 100

/** How leg counts and stakes are spread between their bounds: evenly, unless a scenario says otherwise (docs/strategies.md). */
export const SPREAD = {
  legsRatio: num(1, { min: 0.01, max: 100, about: 'how many times as likely each further leg is' }),
  betMedian: usd(0, { about: 'median of lognormal stakes, cut off at betMin and betMax; 0: all stakes alike' }),
  betSigma: num(1, { min: 0.01, max: 10, about: 'standard deviation of the logarithm of lognormal stakes' }),
}

/** Parameters of a bettor's decisions other than its price: how many legs, how much, when, and for how long. */
export const HABITS = {
  legsMin: count(2, { min: 1, max: 16 }),
  legsMax: count(5, { min: 1, max: 16 }),
  betMin: usd(1, { min: 0 }),
  betMax: usd(100),
  ...SPREAD,
  decideMin: seconds(1, { about: 'shortest time to the decision' }),
  decideMax: seconds(20, { about: 'longest time to the decision' }),
  patience: count(3, { min: 1, max: 100, about: 'decisions before leaving' }),
  wait: seconds(5, { about: 'time between decisions' }),
  priceMin: pct(3, { max: 50, about: 'legs are priced within this and its complement' }),
  maxAge: seconds(120, { max: 1e6, about: 'oldest price that a bettor looks at' }),
}

export type Habits = ValuesOf<typeof HABITS>

/** Parameters of bettors that give up a drawn share of fair odds. */
export const TOLERANCE = {
  toleranceMin: pct(2, { max: 99, about: 'least share of fair odds given up' }),
  toleranceMax: pct(25, { max: 99, about: 'largest share of fair odds given up' }),
}

/** Parameter of bettors that bet on drawn sides, not on what they know. */
export const SIDES = { yes: pct(50, { about: 'share of legs that are backed to come true' }) }

/** Parameters of bettors that bet like noise. */
export const NOISE = { ...HABITS, ...SIDES, ...TOLERANCE }

const between = (low: number, high: number, share: number): number => low + share * (high - low)

/** Leg count at `share` of its distribution: from legsMin to legsMax, each legsRatio times as likely as the one before. */
function legCountAt(share: number, { legsMin, legsMax, legsRatio }: Habits): number {
  if (legsRatio === 1) return legsMin + Math.floor(share * (legsMax - legsMin + 1))
  let total = 0
  let weight = 1
  for (let legs = legsMin; legs <= legsMax; legs++, weight *= legsRatio) total += weight
  let left = share * total
  let legs = legsMin
  for (weight = 1; legs < legsMax && left >= weight; weight *= legsRatio) {
    left -= weight
    legs++
  }
  return legs
}

/** Stake at `share` of its distribution, µUSDC: uniform over betMin … betMax, or lognormal and cut off there, by inversion. */
function stakeAt(share: number, { betMin, betMax, betMedian, betSigma }: Habits): number {
  if (betMedian === 0) return between(betMin, betMax, share)
  const below = (stake: number): number => normalCdf(log(stake / betMedian) / betSigma)
  const stake = betMedian * exp(betSigma * normalQuantile(between(below(betMin), below(betMax), share)))
  return Math.min(betMax, Math.max(betMin, stake))
}

/** Draws how many legs the intent is to have. */
export const drawnLegs = (intent: IntentView, desk: BettorDesk, p: Habits): number =>
  legCountAt(desk.uniform(intent, IntentDraw.legCount), p)

/** Gives the intent between legsMin and legsMax random legs. False when there are too few markets. */
export const pickSomeLegs = (intent: IntentView, desk: BettorDesk, p: Habits): boolean =>
  desk.pickLegs(intent, drawnLegs(intent, desk, p), p.priceMin, p.maxAge)

/** The same with a share `yes` of the sides on YES. At one half they are exactly the sides that were drawn with the legs. */
export function pickSomeSides(intent: IntentView, desk: BettorDesk, p: Habits & ValuesOf<typeof SIDES>): boolean {
  const isPicked = pickSomeLegs(intent, desk, p)
  for (let i = 0; i < intent.legs.count; i++) intent.setSide(i, desk.uniform(intent, IntentDraw.side + i) < 1 - p.yes ? Side.no : Side.yes)
  return isPicked
}

/** The bettor's own view of its parlay: the product of its legs' middle prices as delivered, NaN when one has none young enough. */
const fairOf = (intent: IntentView, desk: BettorDesk, maxAgeUs: number): number => desk.price(intent.legs, { priceType: 'mid', maxAgeUs })

/** Least odds of a bettor that gives up a drawn share of the fair ones. */
export function tolerantFloor(intent: IntentView, desk: BettorDesk, p: ValuesOf<typeof TOLERANCE>, fair: number): number {
  const tolerance = p.toleranceMin + desk.uniform(intent, IntentDraw.floor) * (p.toleranceMax - p.toleranceMin)
  return oddsE4FloorOfProbability(fair / (1 - tolerance))
}

/** Asks for prices with a bet in whole cents and a decision time, both drawn. */
export function askAtFloor(intent: IntentView, desk: BettorDesk, p: Habits, minOddsE4: number): void {
  const bet = stakeAt(desk.uniform(intent, IntentDraw.stake), p)
  const delay = between(p.decideMin, p.decideMax, desk.uniform(intent, IntentDraw.delay))
  desk.requestQuote(intent, { betMicros: Math.floor(bet / CENT_MICROS) * CENT_MICROS, minOddsE4, decideInUs: Math.floor(delay) })
}

/** Commits once the best offer reaches the floor. Until then it looks again, while patience lasts. */
export function takeOrWait(intent: IntentView, desk: BettorDesk, p: Habits): void {
  if (intent.bestOddsE4 >= intent.minOddsE4) return desk.commit(intent)
  lookAgain(intent, desk, p)
}

export function lookAgain(intent: IntentView, desk: BettorDesk, p: Habits): void {
  if (intent.decisions < p.patience) desk.wait(intent, p.wait)
}

/** The offer cannot be had, but another one may be. */
const LOOK_AGAIN: readonly Refusal[] = [Refusal.noQuote, Refusal.quoteGone, Refusal.notConfirmed]

/**
 * Bets on the legs that `pick` gives the intent (false when there are none), and takes an offer that reaches the odds that `floorOf` makes
 * of their fair value, which is above 0.
 */
export const betOn = (
  p: Habits, pick: (intent: IntentView, desk: BettorDesk) => boolean,
  floorOf: (intent: IntentView, desk: BettorDesk, fair: number) => number,
): BettorHandlers => ({
  onArrival(intent, desk) {
    if (!pick(intent, desk)) return
    const fair = fairOf(intent, desk, p.maxAge)
    if (fair > 0) askAtFloor(intent, desk, p, floorOf(intent, desk, fair))
  },
  onDecision: (intent, desk) => takeOrWait(intent, desk, p),
  onRefused(intent, { refusal, retryAfterUs }, desk) {
    // It tries as soon as another command can pass, whatever patience is left.
    if (refusal === Refusal.rateLimited) desk.wait(intent, retryAfterUs)
    else if (LOOK_AGAIN.includes(refusal)) lookAgain(intent, desk, p)
  },
})

/** The way in which noise bets (see noise.ts). */
export const betAsNoise = (p: ValuesOf<typeof NOISE>): BettorHandlers =>
  betOn(p, (intent, desk) => pickSomeSides(intent, desk, p), (intent, desk, fair) => tolerantFloor(intent, desk, p, fair))
