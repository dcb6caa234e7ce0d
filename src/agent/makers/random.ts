import { maker } from '../maker.ts'
import { pct } from '../parameters.ts'
import { biddingAtMargin } from './bidding.ts'
import { confirmWithin, offer, QUOTING } from './quoting.ts'

/**
 * A yardstick: the product of the legs' asks at a mark-up drawn for each request, uniform between `markupMin` and `markupMax`, from its own
 * stream, which no other participant moves. A strategy that does not beat it has learnt nothing.
 */
export default maker({
  markupMin: pct(-2, { min: -50, max: 100, about: 'lowest mark-up on the fair probability' }),
  markupMax: pct(10, { min: -50, max: 100, about: 'highest' }),
  ...QUOTING,
}, (p, seat) => {
  const ask = { side: 'ask', maxAgeMs: p.maxAge / 1000 } as const
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (fair === undefined) return desk.pass('no price')
      offer(request, desk, p, fair, fair * (1 + p.markupMin + (p.markupMax - p.markupMin) * seat.random()))
    },
    onSelected: (selection, desk) => confirmWithin(selection, desk, p.tolerance, desk.price(selection.legs, ask)),
  }
}, { about: 'a yardstick: a mark-up drawn anew for each request' })
