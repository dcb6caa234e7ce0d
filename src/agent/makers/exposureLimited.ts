import { maker } from '../maker.ts'
import { pct, seconds, usd } from '../parameters.ts'
import { BID, biddingAtMargin } from './bidding.ts'
import { limitReason } from './limitReason.ts'
import { MARGIN_PER_LEG, marginOn } from './legMargin.ts'

/**
 * Exposure-limited maker with an inventory skew. Its margin grows linearly with the share of the leg limit that is already
 * used (by `skew` at the limit). Above the limit, or with too little free capital, it does not quote.
 */
export default maker({
  margin: pct(3, { max: 100, about: 'mark-up with nothing at risk' }),
  marginPerLeg: MARGIN_PER_LEG,
  skew: pct(8, { max: 200, about: 'mark-up added when a leg is at its limit' }),
  legLimit: usd(2000, { min: 1, about: 'most risk on any one leg' }),
  totalLimit: usd(50_000, { min: 1, about: 'most risk over all open positions' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(12, { min: 5, max: 60, about: 'life of a quote' }),
  bid: BID,
}, (p) => {
  const ask = { priceType: 'ask', maxAgeUs: p.maxAge } as const
  const [legReason, totalReason] = [limitReason('legLimit', p.legLimit), limitReason('totalLimit', p.totalLimit)]
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!fair) return desk.pass('no price')
      const risk = request.netStakeMicros * (1 / fair - 1)
      const exposure = desk.exposure(request.legs)
      const used = (exposure.worst + risk) / p.legLimit
      if (used > 1) return desk.pass(legReason)
      if (exposure.total + risk > p.totalLimit) return desk.pass(totalReason)
      if (risk > desk.freeMicros) return desk.pass('capital')
      desk.quote(request, { probability: fair * (1 + marginOn(request.legs.count, p) + p.skew * used), validUs: p.validity, fair, fairProduct: fair })
    },
    onSelected(selection, desk) {
      const now = desk.price(selection.legs, ask)
      return now && now <= selection.quotedProbability ? desk.confirm(selection) : desk.decline(selection)
    },
  }
}, { about: 'a margin that grows with the risk on the legs, up to a limit' })
