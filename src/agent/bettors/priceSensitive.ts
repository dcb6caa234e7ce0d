import { log } from '../../math/log.ts'
import { BPS } from '../../unit/micros.ts'
import { ODDS_E4_MAX, ODDS_E4_MIN, ODDS_ONE } from '../../unit/odds.ts'
import { bettor } from '../bettor.ts'
import { IntentDraw } from '../bettorDesk.ts'
import { count, num } from '../parameters.ts'
import { betOn, HABITS, pickSomeSides, SIDES } from './habits.ts'

/** Odds that no offer reaches. */
const NO_OFFER_E4 = ODDS_E4_MAX + 1

/**
 * Price-sensitive: random legs and stakes. It takes the best offer with the logistic probability f = 1/(1 + exp(alpha + beta·δ)) of the
 * mark-up δ = 100(q − V), cents per dollar of payout. q is what the bettor pays for a dollar, 1/odds before fees. V is the product of the
 * legs' middle prices as delivered to the bettor when it asked: its own view, not a maker's. This is the demand of A. Barzykin, P. Bergault
 * and O. Guéant, "Market making by an FX dealer: tiers, pricing ladders and hedging rates for optimal risk control" (arXiv 2207.04100). The
 * defaults fit one operator's record of 25 million combination requests: 67.6 % of the flow won at δ = 0, 3.7 % at 5 cents.
 *
 * The draw is made before any offer. Inverted, it is the largest mark-up that the bettor takes, so that all makers, and the same maker with
 * another margin, meet the same thresholds. The service keeps its taker fee of a bet, as announced when the bettor asks, so that a dollar of
 * payout costs q/(1 − fee). With `patience` above 1 the bettor looks again, and f holds for the best of all looks.
 */
export default bettor({
  alpha: num(-0.735, { min: -1000, max: 1000, about: 'log-odds of turning down an offer without mark-up' }),
  beta: num(0.8, { min: 0.0001, max: 1e6, about: 'what each cent of mark-up per dollar of payout adds to them' }),
  ...HABITS,
  ...SIDES,
  patience: count(1, { min: 1, max: 100, about: 'decisions before leaving' }),
}, (p) => betOn(p, (intent, desk) => pickSomeSides(intent, desk, p), (intent, desk, fair) => {
  // P(mark-up taken ≥ δ) = f(δ): a logistic variable with location −alpha/beta and scale 1/beta, cents.
  const draw = desk.uniform(intent, IntentDraw.floor)
  const mostCents = (log((1 - draw) / draw) - p.alpha) / p.beta
  // The fee buys no payout: at odds 1/q a dollar of payout takes a stake of q, and a bet of q/(1 − fee).
  return leastOddsE4((fair + mostCents / 100) * (1 - desk.takerFeeBps / BPS))
}), { about: 'random legs and stakes; takes an offer with a logistic probability of its mark-up over middle prices' })

/** The least odds on the grid whose probability is at most `probability`, or odds out of reach when there are none. */
function leastOddsE4(probability: number): number {
  const oddsE4 = probability > 0 ? Math.ceil(ODDS_ONE / probability) : NO_OFFER_E4
  return Math.min(NO_OFFER_E4, Math.max(ODDS_E4_MIN, oddsE4))
}
