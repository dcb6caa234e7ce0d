import { bettor, type BettorStrategy } from '../agent/bettor.ts'
import { maker, type MakerStrategy } from '../agent/maker.ts'
import { USDC } from '../unit/micros.ts'
import { ODDS_E4_MIN } from '../unit/odds.ts'
import { SECOND_US } from '../unit/time.ts'

/** Stakes of one-leg requests: so large that a microUSDC is nothing. */
export const STAKE_MICROS = 1000 * USDC
/** From the request to the decision: all quotes have come by then. */
export const DECIDE_US = SECOND_US / 2
export const VALID_MS = 20_000

/** Lowest odds that arrival number `arrival` takes, four decimals; null: it asks and never takes. */
export type FloorOf = (arrival: number) => number | null

/** Arrival number i asks for YES of market i and takes the best offer at or above its floor. */
export const asker = (floorOf: FloorOf = () => ODDS_E4_MIN, decideUs = DECIDE_US): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    intent.setLeg(0, intent.arrival, 1)
    intent.setLegCount(1)
    desk.request(intent, STAKE_MICROS, floorOf(intent.arrival) ?? ODDS_E4_MIN, decideUs)
  },
  onDecision(intent, desk) {
    if (floorOf(intent.arrival) !== null && intent.bestOddsE4 >= intent.floorOddsE4) desk.commit(intent)
  },
}))

/** Quotes the delivered price of the leg plus `addOn` of its market, and confirms whatever is selected. */
export const quoter = (addOn: (market: number) => number): MakerStrategy => maker({}, () => ({
  onRequest(request, desk) {
    const price = desk.price(request.legs, { side: 'mid', maxAgeMs: 60_000 })
    if (price === undefined) return desk.pass('no price')
    desk.quote(request, { probability: price + addOn(request.legs.markets[0]!), validMs: VALID_MS, fair: price })
  },
}))
