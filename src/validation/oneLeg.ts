import { bettor, type BettorStrategy } from '../agent/bettor.ts'
import { maker, type MakerStrategy } from '../agent/maker.ts'
import { Side } from '../agent/vocabulary.ts'
import { USDC } from '../unit/micros.ts'
import { ODDS_E4_MIN } from '../unit/odds.ts'
import { SECOND_US } from '../unit/time.ts'

/** Stakes of one-leg requests: so large that a microUSDC is nothing. */
export const STAKE_MICROS = 1000 * USDC
/** The time from the request to the decision, by which all quotes have come. */
export const DECIDE_US = SECOND_US / 2
export const VALID_US = 20 * SECOND_US

/** Lowest odds that arrival number `arrival` takes, four decimals; null: it asks and never takes. */
export type FloorOf = (arrival: number) => number | null

/** Arrival number i asks for YES of market i and takes the best offer at or above its floor. */
export const asker = (floorOf: FloorOf = () => ODDS_E4_MIN, decideUs = DECIDE_US): BettorStrategy => bettor({}, () => ({
  onArrival(intent, desk) {
    intent.setLeg(0, intent.arrival, Side.yes)
    intent.setLegCount(1)
    desk.requestQuote(intent, { betMicros: STAKE_MICROS, minOddsE4: floorOf(intent.arrival) ?? ODDS_E4_MIN, decideInUs: decideUs })
  },
  onDecision(intent, desk) {
    if (floorOf(intent.arrival) !== null && intent.bestOddsE4 >= intent.minOddsE4) desk.commit(intent)
  },
}))

/** Quotes the delivered price of the leg plus `addOn` of its market, and confirms whatever is selected. */
export const quoter = (addOn: (market: number) => number): MakerStrategy => maker({}, () => ({
  onRequest(request, desk) {
    const price = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 60_000_000 })
    if (!(price > 0)) return desk.pass('no price')
    desk.quote(request, { probability: price + addOn(request.legs.market(0)), validUs: VALID_US, fair: price })
  },
}))
