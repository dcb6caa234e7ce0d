import { cents, maker, seconds } from 'parlor'

/**
 * Quotes the product of middle prices plus a mark-up in cents per dollar of payout, whatever it holds, and keeps its word: flow that it
 * wins at 0, 1, 2 … cents is what a demand curve is made of.
 */
export default maker({ markUp: cents(2, { min: 0, max: 50 }), validity: seconds(60, { min: 5, max: 60 }) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'mid', maxAgeUs: 120_000_000 })
    if (!fair || fair + p.markUp >= 0.99) return desk.pass('no price')
    if (desk.riskOf(request, fair + p.markUp) > desk.freeMicros) return desk.pass('capital')
    desk.quote(request, { probability: fair + p.markUp, validUs: p.validity, fair })
  },
}))
