import { maker, pct, SECOND_US, usd } from 'parlor'

const MAX_AGE_US = 30 * SECOND_US

/** Quotes what the legs cost and a margin, within a cap, and declines where they cost more than that when it is chosen. */
export default maker({ margin: pct(4), cap: usd(2000) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: MAX_AGE_US })
    if (!fair || desk.exposure(request.legs).worst > p.cap) return desk.pass('risk')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US, fair })
  },
  onSelected(selection, desk) {
    const now = desk.price(selection.legs, { priceType: 'ask', maxAgeUs: MAX_AGE_US })
    return now && now <= selection.quotedProbability ? desk.confirm(selection) : desk.decline(selection)
  },
}))
