import { maker } from '../maker.ts'
import { num, pct, seconds, usd } from '../parameters.ts'
import { BID, biddingAtMargin } from './bidding.ts'
import { limitReason } from './limitReason.ts'
import { MARGIN_PER_LEG, marginOn } from './legMargin.ts'

/**
 * Shades for competition, because the best of n offers is the one that erred most. With errors uniform within ±ε and a common value, the
 * best of n makers that quote their own estimate loses ε·(n − 1)/(n + 1) (J. H. Kagel and D. Levin, American Economic Review 76, 1986; for a
 * normal error of standard deviation s it loses s times the mean of the largest of n normals, 0.564/0.846/1.163/1.424 for n = 2/3/5/8). The
 * margin is therefore `margin` + `curse`·(n − 1)/(n + 1), where `curse` is ε as a share of the price. At margin 0 the maker earns nothing.
 * The equilibrium's profit of 2ε/(n + 1) would come on top.
 *
 * n counts the offers on a request, the maker's own included. It is estimated from public data: the mean of `book_seq`, the number of
 * changes of a request's book, over all messages about a best quote, including that it is gone. The estimate counts changes and not offers.
 * Changes after the last best quote are missing, and a quote that expires, is withdrawn or fails a last look counts once more, so that n
 * offers of one quote each count for at most 2n. Alone in scenarios/quickstart.yaml, where most quotes expire, the estimate is 1.36 offers
 * (docs/strategies.md). The outcome service tells nothing about rivals, so that n stays at 1 + `rivals` there.
 */
export default maker({
  margin: pct(2, { max: 100, about: 'mark-up without a rival' }),
  marginPerLeg: MARGIN_PER_LEG,
  curse: pct(5, { max: 100, about: 'mark-up added as rivals grow without bound' }),
  rivals: num(0, { min: 0, max: 1000, about: 'rivals assumed before any is heard of; on the outcome service for good' }),
  memory: pct(2, { min: 0.01, max: 100, about: 'weight of the newest request in the estimate of rivals' }),
  cap: usd(5000, { about: 'most risk on any one leg' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(10, { min: 5, max: 60, about: 'life of a quote' }),
  bid: BID,
}, (p) => {
  const ask = { priceType: 'ask', maxAgeUs: p.maxAge } as const
  const overCap = limitReason('cap', p.cap)
  /** Offers on a request, its own among them. */
  const state = { offers: 1 + p.rivals }
  return {
    state,
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!fair) return desk.pass('no price')
      if (desk.exposure(request.legs).worst > p.cap) return desk.pass(overCap)
      const n = Math.max(1, state.offers)
      const margin = marginOn(request.legs.count, p) + (p.curse * (n - 1)) / (n + 1)
      const probability = fair * (1 + margin)
      if (desk.riskOf(request, probability) > desk.freeMicros) return desk.pass('capital')
      desk.quote(request, { probability, validUs: p.validity, fair, fairProduct: fair })
    },
    onBest(request) {
      state.offers += p.memory * (request.bookChanges - state.offers)
    },
    onSelected(selection, desk) {
      const now = desk.price(selection.legs, ask)
      return now && now <= selection.quotedProbability ? desk.confirm(selection) : desk.decline(selection)
    },
  }
}, { about: 'a margin that rises with the number of rivals, against the winner’s curse' })
