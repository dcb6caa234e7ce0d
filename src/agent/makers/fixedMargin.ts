import { maker, type MakerHandlers } from '../maker.ts'
import { pct, seconds, usd, type ValuesOf } from '../parameters.ts'
import { BID, biddingAtMargin } from './bidding.ts'
import { limitReason } from './limitReason.ts'
import { MARGIN_PER_LEG, marginOn } from './legMargin.ts'

/** Parameters of makers that quote at a fixed margin. */
export const FIXED_MARGIN = {
  margin: pct(4, { max: 100, about: 'mark-up on the fair probability' }),
  marginPerLeg: MARGIN_PER_LEG,
  cap: usd(5000, { about: 'most risk on any one leg' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(15, { min: 5, max: 60, about: 'life of a quote' }),
  tolerance: pct(2, { about: 'how far above the quoted probability its price may stand for it to confirm' }),
  bid: BID,
}

/**
 * Independent product at a fixed margin: it prices the parlay as if legs were independent, at the product of their asks, raised by
 * `margin`, and by `marginPerLeg` for each leg beyond two. `copula` does the same for correlated legs. Confirms while the same price is not above the quoted price plus `tolerance`.
 */
export function quotingAtMargin(p: ValuesOf<typeof FIXED_MARGIN>): MakerHandlers {
  const ask = { priceType: 'ask', maxAgeUs: p.maxAge } as const
  const overCap = limitReason('cap', p.cap)
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!fair) return desk.pass('no price')
      if (desk.exposure(request.legs).worst > p.cap) return desk.pass(overCap)
      const probability = fair * (1 + marginOn(request.legs.count, p))
      if (desk.riskOf(request, probability) > desk.freeMicros) return desk.pass('capital')
      desk.quote(request, { probability, validUs: p.validity, fair, fairProduct: fair })
    },
    onSelected(selection, desk) {
      const now = desk.price(selection.legs, ask)
      return now && now <= selection.quotedProbability * (1 + p.tolerance) ? desk.confirm(selection) : desk.decline(selection)
    },
  }
}

/** Independent product: see quotingAtMargin. */
export default maker(FIXED_MARGIN, quotingAtMargin, { about: 'independent product: the product of the legs’ asks at a fixed margin' })
