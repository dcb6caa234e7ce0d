import { USDC } from '../../unit/micros.ts'
import { type BettorDesk, IntentDraw, type IntentView } from '../bettorDesk.ts'

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
