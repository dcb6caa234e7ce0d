import { Draws, Purpose } from '../../kernel/random.ts'
import { maker } from '../maker.ts'
import { pct } from '../parameters.ts'
import type { RequestView } from '../views.ts'
import { biddingAtMargin } from './bidding.ts'
import { offer, OFFERING } from './quoting.ts'

/** Values of a 32-bit word. */
const WORD = 4294967296

/**
 * Draw in [0, 1) that depends only on what a request asks: its legs in their order and its bet. Neither the order in which requests arrive
 * nor anybody's latency changes it. Requests for the same legs at the same bet get the same draw, and so do versions of one request.
 */
function drawOf(draws: Draws, { legs, betMicros }: RequestView): number {
  let word = draws.uint32(betMicros, legs.count)
  for (let i = 0; i < legs.count; i++) word = draws.uint32(word, legs.market(i) * 2 + legs.side(i))
  return draws.uniform(word, WORD)
}

/**
 * A yardstick: it quotes the product of the legs' asks at a mark-up drawn for each request, uniform between `markupMin` and `markupMax`. The
 * draw is keyed by the seed, the maker's name and what the request asks (see drawOf). It confirms whatever is selected, because a yardstick
 * honours its quotes. A strategy that does not beat it has learnt nothing.
 */
export default maker({
  markupMin: pct(-2, { min: -50, max: 100, about: 'lowest mark-up on the fair probability' }),
  markupMax: pct(10, { min: -50, max: 100, about: 'highest' }),
  ...OFFERING,
}, (p, seat) => {
  const ask = { priceType: 'ask', maxAgeUs: p.maxAge } as const
  const draws = new Draws({ word0: Math.floor(seat.random() * WORD), word1: Math.floor(seat.random() * WORD) }, Purpose.makerResponse)
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!(fair > 0)) return desk.pass('no price')
      offer(request, desk, p, fair, fair * (1 + p.markupMin + (p.markupMax - p.markupMin) * drawOf(draws, request)))
    },
  }
}, { about: 'a yardstick: a mark-up drawn for each request, and always confirmed' })
