import { exp } from '../../math/exp.ts'
import { log } from '../../math/log.ts'
import { maker } from '../maker.ts'
import type { MakerDesk } from '../makerDesk.ts'
import { num, usd, type ValuesOf } from '../parameters.ts'
import type { LegsView } from '../views.ts'
import { biddingAtMargin } from './bidding.ts'
import { confirmWithin, middlePrice, offer, QUOTING } from './quoting.ts'

const MODEL = {
  gamma: num(0.1, { min: 1e-6, max: 100, about: 'risk aversion per unit of inventory (γ)' }),
  sigma: num(0.3, { min: 0, max: 100, about: 'volatility of the log-odds per √hour (σ)' }),
  decay: num(10, { min: 1e-3, max: 1e4, about: 'how fast fills thin out as log-odds rise: their rate is A·exp(−k·δ) (k)' }),
  intensity: num(60, { min: 1e-6, max: 1e9, about: 'fills per hour at the fair price (A)' }),
  unit: usd(100, { min: 0.01, about: 'risk that counts as one unit of inventory' }),
}

/**
 * How far above the fair log-odds a maker offers, as a function of the units `held` that it is short: the asymptotic formulas of O. Guéant,
 * C.-A. Lehalle and J. Fernandez-Tapia, "Dealing with the inventory risk", Mathematics and Financial Economics 7 (2013), for the ask with
 * inventory q = −held:
 * δ = (1/γ)·ln(1 + γ/k) + ((1 − 2q)/2)·√((σ²γ/(2kA))·(1 + γ/k)^(1 + k/γ)).
 */
export function askDistance(
  { gamma, sigma, decay, intensity }: { readonly gamma: number; readonly sigma: number; readonly decay: number; readonly intensity: number },
): (held: number) => number {
  const whole = log(1 + gamma / decay)
  const slope = Math.sqrt(((sigma * sigma * gamma) / (2 * decay * intensity)) * exp((1 + decay / gamma) * whole))
  return (held) => whole / gamma + ((1 + 2 * held) / 2) * slope
}

/** Net risk on the request's legs, in units: the risk of positions on a leg's side minus that of positions on the other side, as the mean over legs. */
function heldOn(legs: LegsView, desk: MakerDesk, p: ValuesOf<typeof MODEL>): number {
  let sum = 0
  for (let i = 0; i < legs.count; i++) sum += desk.netLegRisk(legs, i)
  return sum / (legs.count * p.unit)
}

/**
 * Inventory on log-odds. The fair probability is the product of the legs' middle prices. It is moved up on the log-odds scale by a
 * half-spread and by a skew: logistic(logit(fair) + δ), see askDistance. The skew grows with the net risk on the request's legs, and turns
 * into a discount where the request offsets that risk. A parlay has no bid: where the paper's maker buys, this one sells the other side. It
 * confirms what it would still quote, discounts included: while its offer at the selection is at most `tolerance` above the quoted one.
 */
export default maker({ ...MODEL, ...QUOTING }, (p) => {
  const fairOf = middlePrice(p.maxAge)
  const distanceOf = askDistance(p)
  const probabilityOf = (legs: LegsView, desk: MakerDesk, fair: number): number =>
    1 / (1 + exp(-log(fair / (1 - fair)) - distanceOf(heldOn(legs, desk, p))))
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = fairOf(request.legs, desk)
      if (!(fair < 1)) return desk.pass('no price')
      offer(request, desk, p, fair, probabilityOf(request.legs, desk, fair))
    },
    onSelected(selection, desk) {
      const fair = fairOf(selection.legs, desk)
      confirmWithin(selection, desk, p.tolerance, !(fair < 1) ? NaN : probabilityOf(selection.legs, desk, fair))
    },
  }
}, { about: 'Guéant–Lehalle–Fernandez-Tapia on log-odds: half-spread and a skew by the net risk on the legs' })
