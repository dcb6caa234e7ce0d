import { oddsE4FloorOfProbability } from '../../unit/odds.ts'
import { bettor } from '../bettor.ts'
import { IntentDraw } from '../bettorDesk.ts'
import { cents, count, pct, seconds, usd } from '../parameters.ts'
import { Refusal, Side } from '../vocabulary.ts'
import { askAtFloor, pickSomeLegs, SPREAD, takeOrWait } from './habits.ts'

/**
 * Informed: sees each leg's middle price `horizon` ahead through noise, backs the side that will rise, and commits only
 * when the offered odds beat its own view of the parlay by `edge`. Its view never comes from a result.
 */
export default bettor({
  horizon: seconds(60, { min: 0, max: 1e6, about: 'how far ahead its prices are' }),
  noise: cents(2, { max: 50, about: 'standard deviation of the error of each leg' }),
  edge: pct(2, { max: 100, about: 'least expected gain per dollar before fees' }),
  legsMin: count(2, { min: 1, max: 16 }),
  legsMax: count(3, { min: 1, max: 16 }),
  betMin: usd(10, { min: 0 }),
  betMax: usd(100),
  ...SPREAD,
  decideMin: seconds(0.5),
  decideMax: seconds(3),
  patience: count(2, { min: 1, max: 100, about: 'decisions before leaving' }),
  wait: seconds(2, { about: 'time between decisions' }),
  priceMin: pct(3, { max: 50, about: 'legs are priced within this and its complement' }),
  maxAge: seconds(120, { max: 1e6, about: 'oldest price that a bettor looks at' }),
}, (p) => ({
  onArrival(intent, desk) {
    if (!pickSomeLegs(intent, desk, p)) return
    let view = 1
    for (let i = 0; i < intent.legs.count; i++) {
      intent.setSide(i, Side.yes)
      const yes = desk.futurePrice(intent.legs, i) + p.noise * desk.normal(intent, IntentDraw.signal + i)
      const rises = yes >= desk.legPrice(intent.legs, i, { priceType: 'mid', maxAgeUs: p.maxAge })
      intent.setSide(i, rises ? Side.yes : Side.no)
      view *= Math.min(0.999, Math.max(0.001, rises ? yes : 1 - yes))
    }
    if (view > 0) askAtFloor(intent, desk, p, oddsE4FloorOfProbability(view / (1 + p.edge)))
  },
  onDecision: (intent, desk) => takeOrWait(intent, desk, p),
  onRefused(intent, { refusal, retryAfterUs }, desk) {
    if (refusal === Refusal.rateLimited) desk.wait(intent, retryAfterUs)
  },
}), { about: 'sees prices ahead, and takes offers that beat its view of them by its edge', horizonUs: (p) => p.horizon })
