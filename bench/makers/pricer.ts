import { maker } from 'parlor'

/** Does as the makers of the workload do (bench/workload.ts), draw for draw. The bench plays it as ten files (bench/makerFiles.ts). */

const EXPOSURE_LIMIT_MICROS = 5_000_000_000
/** Makers do not bid for a position that is worth less than this, microUSDC. */
const WORTH_MIN_MICROS = 10_000

export default maker({}, (_values, seat) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 1e12 })
    if (!fair || desk.exposure(request.legs).worst > EXPOSURE_LIMIT_MICROS) return desk.pass('risk')
    desk.quote(request, { probability: fair / (1 - (0.01 + 0.1 * seat.random())), validUs: 15_000_000 })
  },
  onCashOut(auction, desk) {
    const chance = desk.winProbability(auction.legs, { priceType: 'mid', maxAgeUs: 1e12 })
    if (!(chance * auction.payoutMicros >= WORTH_MIN_MICROS)) return
    desk.bid(auction, { probability: chance * (0.95 + 0.04 * seat.random()), validUs: 40_000_000 })
  },
}))
