import type { MakerDesk } from '../makerDesk.ts'
import { pct, seconds, usd, type ValuesOf } from '../parameters.ts'
import type { LegsView, RequestView, SelectionView } from '../views.ts'
import { isKnown } from '../vocabulary.ts'
import { BID } from './bidding.ts'
import { limitReason } from './limitReason.ts'

/** Parameters of every maker that quotes. */
export const OFFERING = {
  cap: usd(5000, { about: 'most risk on any one leg' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(15, { min: 5, max: 60, about: 'life of a quote' }),
  bid: BID,
}

/** The same for makers that confirm with confirmWithin. */
export const QUOTING = {
  ...OFFERING,
  tolerance: pct(2, { about: 'how far above the quoted probability its price may stand for it to confirm' }),
}

/**
 * Quotes `probability`, and records `fair` and the product of the leg prices behind it, unless it is no probability of a quote, a leg of the request has more than `cap` at risk, or the
 * offer risks more than the free capital.
 */
export function offer(request: RequestView, desk: MakerDesk, p: ValuesOf<typeof OFFERING>, fair: number, probability: number, fairProduct = fair): void {
  if (!(probability > 0 && probability < 1)) return desk.pass('no price')
  if (desk.exposure(request.legs).worst > p.cap) return desk.pass(limitReason('cap', p.cap))
  if (desk.riskOf(request, probability) > desk.freeMicros) return desk.pass('capital')
  desk.quote(request, { probability, validUs: p.validity, fair, fairProduct })
}

/** Confirms while the maker's price `now` (NaN when it has none) is not more than `tolerance` above the quoted price. */
export function confirmWithin(selection: SelectionView, desk: MakerDesk, tolerance: number, now: number): void {
  if (now <= selection.quotedProbability * (1 + tolerance)) desk.confirm(selection)
  else desk.decline(selection)
}

/**
 * Prices legs at the product of their middle prices, but none below its bid: where one side of the book is empty, the middle is the last
 * price, however old. NaN when a leg has no ask, because it is then not for sale at any known price.
 */
export function middlePrice(maxAgeUs: number): (legs: LegsView, desk: MakerDesk) => number {
  const [ask, bid, middle] = [{ priceType: 'ask', maxAgeUs }, { priceType: 'bid', maxAgeUs }, { priceType: 'mid', maxAgeUs }] as const
  return (legs, desk) => {
    let product = 1
    for (let i = 0; i < legs.count; i++) {
      const price = desk.legPrice(legs, i, middle)
      if (!isKnown(price) || !isKnown(desk.legPrice(legs, i, ask))) return NaN
      const least = desk.legPrice(legs, i, bid)
      product *= least > price ? least : price
    }
    return product > 0 ? product : NaN
  }
}
