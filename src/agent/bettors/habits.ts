import { USDC } from '../../unit/micros.ts'
import { oddsE4FloorOfProbability } from '../../unit/odds.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import type { BettorHandlers } from '../bettor.ts'
import { type BettorDesk, IntentDraw, type IntentView } from '../bettorDesk.ts'
import { count, pct, seconds, usd, type ValuesOf } from '../parameters.ts'

const CENT_MICROS = USDC / 100

/** What a bettor decides beside its price: how many legs, how much, when, and for how long. */
export interface Habits {
  readonly legsMin: number
  readonly legsMax: number
  readonly betMin: number
  readonly betMax: number
  readonly decideMin: number
  readonly decideMax: number
  readonly patience: number
  readonly wait: number
  readonly priceMin: number
  readonly maxAge: number
}

const between = (low: number, high: number, share: number): number => low + share * (high - low)

/** Gives the intent between legsMin and legsMax random legs; false when too few markets are to be had. */
export function pickSomeLegs(intent: IntentView, desk: BettorDesk, p: Habits): boolean {
  const legs = p.legsMin + Math.floor(desk.uniform(intent, IntentDraw.legCount) * (p.legsMax - p.legsMin + 1))
  return desk.pickLegs(intent, legs, p.priceMin, p.maxAge)
}

/** Asks for prices with a bet in whole cents and a decision time, both drawn. */
export function askAtFloor(intent: IntentView, desk: BettorDesk, p: Habits, floorOddsE4: number): void {
  const bet = between(p.betMin, p.betMax, desk.uniform(intent, IntentDraw.stake))
  const delay = between(p.decideMin, p.decideMax, desk.uniform(intent, IntentDraw.delay))
  desk.request(intent, Math.floor(bet / CENT_MICROS) * CENT_MICROS, floorOddsE4, Math.floor(delay))
}

/** Commits once the best offer reaches the floor; else looks again, while patience lasts. */
export function takeOrWait(intent: IntentView, desk: BettorDesk, p: Habits): void {
  if (intent.bestOddsE4 >= intent.floorOddsE4) return desk.commit(intent)
  lookAgain(intent, desk, p)
}

export function lookAgain(intent: IntentView, desk: BettorDesk, p: Habits): void {
  if (intent.decisions < p.patience) desk.wait(intent, p.wait)
}

/** After a limit was met: looks again as soon as another command can pass, whatever patience is left. */
export const lookAfterLimit = (intent: IntentView, desk: BettorDesk): void => desk.wait(intent, intent.retryAfterUs)

/** Parameters of bettors that bet as noise does. */
export const NOISE = {
  legsMin: count(2, { min: 1, max: 16 }),
  legsMax: count(5, { min: 1, max: 16 }),
  betMin: usd(1, { min: 0 }),
  betMax: usd(100),
  toleranceMin: pct(2, { max: 99, about: 'least share of fair odds given up' }),
  toleranceMax: pct(25, { max: 99, about: 'largest share of fair odds given up' }),
  decideMin: seconds(1, { about: 'shortest time to the decision' }),
  decideMax: seconds(20, { about: 'longest time to the decision' }),
  patience: count(3, { min: 1, max: 100, about: 'decisions before leaving' }),
  wait: seconds(5, { about: 'time between decisions' }),
  priceMin: pct(3, { max: 50, about: 'legs are priced within this and its complement' }),
  maxAge: seconds(120, { max: 1e6, about: 'oldest price that a bettor looks at' }),
}

/** How noise bets: see noise.ts. */
export const betAsNoise = (p: ValuesOf<typeof NOISE>): BettorHandlers => ({
  onArrival(intent, desk) {
    if (!pickSomeLegs(intent, desk, p)) return
    let fair = 1
    for (let i = 0; i < intent.legCount; i++) fair *= desk.price(intent.market(i), intent.side(i), 'mid', p.maxAge)
    if (!(fair > 0)) return
    const tolerance = p.toleranceMin + desk.uniform(intent, IntentDraw.floor) * (p.toleranceMax - p.toleranceMin)
    askAtFloor(intent, desk, p, oddsE4FloorOfProbability(fair / (1 - tolerance)))
  },
  onDecision: (intent, desk) => takeOrWait(intent, desk, p),
  onRefused(intent, code, desk) {
    if (code === ParlayCode.rateLimited) lookAfterLimit(intent, desk)
    else if (code === ParlayCode.mmConfirmationTimeout || code === ParlayCode.quoteExpired) lookAgain(intent, desk, p)
  },
})
