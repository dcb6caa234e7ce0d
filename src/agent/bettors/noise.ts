import { oddsE4FloorOfProbability } from '../../unit/odds.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { bettor } from '../bettor.ts'
import { IntentDraw } from '../bettorDesk.ts'
import { count, pct, seconds, usd } from '../parameters.ts'
import { askAtFloor, lookAgain, pickSomeLegs, takeOrWait } from './habits.ts'

/**
 * Noise: random legs, sides and stakes. Takes the best offer once a decision time has passed if it gives at least
 * (1 − tolerance) of the odds that middle prices imply, with the tolerance drawn per bettor; else waits, then leaves.
 */
export default bettor({
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
}, (p) => ({
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
    if (code === ParlayCode.mmConfirmationTimeout || code === ParlayCode.quoteExpired) lookAgain(intent, desk, p)
  },
}))
