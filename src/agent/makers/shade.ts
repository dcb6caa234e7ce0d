import { maker } from '../maker.ts'
import { pct, seconds, usd } from '../parameters.ts'
import { BID, biddingAtMargin } from './bidding.ts'

/**
 * Shades for competition: the best of n offers is the one that erred most, so the margin rises with the number of
 * rivals by `curse` times (n − 1)/(n + 1), the loss of naive bidders in a common-value auction (Kagel and Levin). The number
 * is estimated from what is public: how often the book of a request had changed when its best quote was last seen.
 */
export default maker({
  margin: pct(2, { max: 100, about: 'mark-up without a rival' }),
  curse: pct(5, { max: 100, about: 'mark-up added as rivals grow without bound' }),
  memory: pct(2, { min: 0.01, max: 100, about: 'weight of the newest request in the estimate of rivals' }),
  cap: usd(5000, { about: 'most risk on any one leg' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(10, { min: 5, max: 60, about: 'life of a quote' }),
  bid: BID,
}, (p) => {
  const ask = { side: 'ask', maxAgeMs: p.maxAge / 1000 } as const
  const state = { rivals: 1 }
  return {
    state,
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!fair) return desk.pass('no price')
      if (desk.exposure(request.legs).worst > p.cap) return desk.pass('risk')
      const n = Math.max(1, state.rivals)
      const margin = p.margin + (p.curse * (n - 1)) / (n + 1)
      const probability = fair * (1 + margin)
      if (desk.riskOf(request, probability) > desk.freeMicros) return desk.pass('capital')
      desk.quote(request, { probability, validMs: Math.floor(p.validity / 1000), fair })
    },
    onBest(request) {
      state.rivals += p.memory * (request.bookSeq - state.rivals)
    },
    onSelected(selection, desk) {
      const now = desk.price(selection.legs, ask)
      return now && now <= selection.quotedProbability ? desk.confirm(selection) : desk.decline(selection)
    },
  }
})
