import { exp } from '../../math/exp.ts'
import { lambertW } from '../../math/lambertW.ts'
import { maker } from '../maker.ts'
import { cents, num } from '../parameters.ts'
import { isKnown } from '../vocabulary.ts'
import { biddingAtMargin } from './bidding.ts'
import { confirmWithin, middlePrice, offer, QUOTING } from './quoting.ts'

const CENT = 0.01

/**
 * The mark-up that maximises (δ − p)·f(δ) when requests trade with probability f(δ) = 1/(1 + exp(α + β·δ)) and each trade costs p:
 * δ* = p + [1 + W(exp(−(1 + α + β·p)))]/β, with Lambert's W (A. Barzykin, P. Bergault and O. Guéant, arXiv 2207.04100). δ, p and 1/β have the
 * same unit.
 */
export const bestMarkup = (alpha: number, beta: number, cost: number): number => cost + (1 + lambertW(exp(-(1 + alpha + beta * cost)))) / beta

/**
 * Optimal quote under logistic demand: the product of the legs' middle prices plus the mark-up of bestMarkup, in cents per dollar of payout,
 * whatever the price. The defaults of α and β come from a record of 25 million combo RFQs, of which a maker won 67.6 % without mark-up and
 * 3.7 % at 5 ¢: α = ln(0.324/0.676) and β = (ln(0.963/0.037) − α)/5, rounded. They describe demand at the quoted price. For a bettor that
 * also counts a taker fee φ, like `price-sensitive`, demand at the same δ has the parameters α + 100·β·φV/(1 − φ) and β/(1 − φ). The user has
 * to set these.
 */
export default maker({
  alpha: num(-0.735, { min: -50, max: 50, about: 'demand at no mark-up: a share 1/(1 + exp(α)) trades' }),
  beta: num(0.8, { min: 0.001, max: 1e4, about: 'how fast demand falls with each cent of mark-up for a dollar of payout' }),
  cost: cents(0, { min: 0, max: 50, about: 'what each trade costs the maker, for example by adverse selection, for a dollar of payout' }),
  ...QUOTING,
}, (p) => {
  const fairOf = middlePrice(p.maxAge)
  const markup = bestMarkup(p.alpha, p.beta, p.cost / CENT) * CENT
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = fairOf(request.legs, desk)
      if (!isKnown(fair)) return desk.pass('no price')
      offer(request, desk, p, fair, fair + markup)
    },
    onSelected: (selection, desk) => confirmWithin(selection, desk, p.tolerance, fairOf(selection.legs, desk)),
  }
}, { about: 'the mark-up that earns most when demand falls logistically with it' })
