import { ODDS_E4_MAX, probabilityOfOddsE4 } from '../../unit/odds.ts'
import { maker } from '../maker.ts'
import type { MakerDesk } from '../makerDesk.ts'
import { count, ms, pct } from '../parameters.ts'
import type { SelectionView } from '../views.ts'
import { biddingAtMargin } from './bidding.ts'
import { MARGIN_PER_LEG, marginOn } from './legMargin.ts'
import { offer, QUOTING } from './quoting.ts'

/** A quote at the highest odds, where the fair price may be anywhere below. */
const LOWEST = probabilityOfOddsE4(ODDS_E4_MAX)

/** What the maker does with a selection: always confirm, decline after a move against it, or decline after a move either way. */
export const LookPolicy = { always: 0, against: 1, either: 2 } as const

/**
 * Policies of last look for a maker with a fixed margin. They differ in what they do when the price has moved by more than `tolerance` since
 * the quote. `policy` 0 confirms whatever happened. 1 declines when the price rose, against the maker (asymmetric: a free option for the
 * maker, worth about σ√(τ/2π) over a window τ without a margin). 2 declines when it moved either way (symmetric). With `atDeadline` the maker
 * decides at the end of the window, minus `reserve` for the delay to the venue, otherwise at once. Symmetric and asymmetric last look, and
 * the option in waiting: R. Oomen, "Last look", Quantitative Finance 17 (2017). The price at the quote is the quoted price minus the margin,
 * to the fourth decimal of the odds. For a quote at the highest odds, 1000, a fall cannot be seen.
 */
export default maker({
  margin: pct(4, { max: 100, about: 'mark-up on the fair probability' }),
  marginPerLeg: MARGIN_PER_LEG,
  policy: count(LookPolicy.against, { max: LookPolicy.either, about: '0: confirm always; 1: decline a rise; 2: decline a move either way' }),
  atDeadline: count(0, { max: 1, about: '1: decide at the end of the window; 0: at once' }),
  reserve: ms(500, { max: 60_000, about: 'how long before the deadline a late decision is sent' }),
  ...QUOTING,
  tolerance: pct(0.5, { min: 0.02, about: 'price moves up to this share of the price count as no move' }),
}, (p) => {
  const ask = { priceType: 'ask', maxAgeUs: p.maxAge } as const
  const isGood = (selection: SelectionView, desk: MakerDesk): boolean => {
    if (p.policy === LookPolicy.always) return true
    const now = desk.price(selection.legs, ask)
    if (!(now > 0)) return false
    const quoted = selection.quotedProbability / (1 + marginOn(selection.legs.count, p))
    const hasFallen = selection.quotedProbability > LOWEST && now < quoted * (1 - p.tolerance)
    return now <= quoted * (1 + p.tolerance) && !(p.policy === LookPolicy.either && hasFallen)
  }
  const decide = (selection: SelectionView, desk: MakerDesk): void => {
    if (isGood(selection, desk)) desk.confirm(selection)
    else desk.decline(selection)
  }
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = desk.price(request.legs, ask)
      if (!(fair > 0)) return desk.pass('no price')
      offer(request, desk, p, fair, fair * (1 + marginOn(request.legs.count, p)))
    },
    onSelected(selection, desk) {
      const wait = p.atDeadline === 1 ? selection.deadlineAtUs - p.reserve - desk.nowUs : 0
      if (wait > 0) desk.decideLater(selection, wait)
      else decide(selection, desk)
    },
    onDecision: decide,
  }
}, { about: 'policies of last look: confirm always, asymmetric, symmetric; at once or at the end of the window' })
