import { oddsE4FloorOfProbability, ODDS_E4_MIN } from '../../unit/odds.ts'
import { USDC } from '../../unit/micros.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { bettor } from '../bettor.ts'
import { IntentDraw } from '../bettorDesk.ts'
import { count, pct, seconds, usd } from '../parameters.ts'

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
    const span = p.legsMax - p.legsMin + 1
    const legs = p.legsMin + Math.floor(desk.uniform(intent, IntentDraw.legCount) * span)
    if (!desk.pickLegs(intent, legs, p.priceMin, p.maxAge)) return
    let fair = 1
    for (let i = 0; i < legs; i++) fair *= desk.price(intent.market(i), intent.side(i), 'mid', p.maxAge)
    if (!(fair > 0)) return
    const tolerance = p.toleranceMin + desk.uniform(intent, IntentDraw.floor) * (p.toleranceMax - p.toleranceMin)
    const floor = Math.max(ODDS_E4_MIN, oddsE4FloorOfProbability(fair / (1 - tolerance)))
    const bet = p.betMin + desk.uniform(intent, IntentDraw.stake) * (p.betMax - p.betMin)
    const delay = p.decideMin + desk.uniform(intent, IntentDraw.delay) * (p.decideMax - p.decideMin)
    desk.request(intent, Math.floor(bet / (USDC / 100)) * (USDC / 100), floor, Math.floor(delay))
  },
  onDecision(intent, desk) {
    if (intent.bestOddsE4 >= intent.floorOddsE4) return desk.commit(intent)
    if (intent.decisions < p.patience) desk.wait(intent, p.wait)
  },
  onRefused(intent, code, desk) {
    const again = code === ParlayCode.mmConfirmationTimeout || code === ParlayCode.quoteExpired
    if (again && intent.decisions < p.patience) desk.wait(intent, p.wait)
  },
}))
