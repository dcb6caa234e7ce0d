import type { MakerDesk } from '../makerDesk.ts'
import { pct, seconds, usd, type ValuesOf } from '../parameters.ts'
import type { RequestView, SelectionView } from '../views.ts'
import { BID } from './bidding.ts'

/** Parameters that makers of the literature have in common. */
export const QUOTING = {
  cap: usd(5000, { about: 'most risk on any one leg' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  validity: seconds(15, { min: 5, max: 60, about: 'life of a quote' }),
  tolerance: pct(2, { about: 'rise of the fair price that a confirmation forgives' }),
  bid: BID,
}

/**
 * Quotes `probability`, with `fair` on the record, unless it is no chance, a leg of the request holds more than `cap` at risk, or the offer
 * risks more than is free.
 */
export function offer(request: RequestView, desk: MakerDesk, p: ValuesOf<typeof QUOTING>, fair: number, probability: number): void {
  if (!(probability > 0 && probability < 1)) return desk.pass('no price')
  if (desk.exposure(request.legs).worst > p.cap) return desk.pass('risk')
  if (desk.riskOf(request, probability) > desk.freeMicros) return desk.pass('capital')
  desk.quote(request, { probability, validMs: Math.floor(p.validity / 1000), fair })
}

/** Confirms while what the maker holds for fair, undefined without a price, has not risen above what was quoted plus `tolerance`. */
export function confirmWithin(selection: SelectionView, desk: MakerDesk, tolerance: number, fair: number | undefined): void {
  if (fair !== undefined && fair <= selection.quotedProbability * (1 + tolerance)) desk.confirm(selection)
  else desk.decline(selection)
}
