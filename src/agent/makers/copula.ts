import { copulaProbability } from '../../math/copula.ts'
import { maker, type ParameterFault } from '../maker.ts'
import type { MakerDesk, PriceOptions } from '../makerDesk.ts'
import { pct } from '../parameters.ts'
import { type LegsView, VIEW_LEGS_MAX } from '../views.ts'
import { isKnown } from '../vocabulary.ts'
import { biddingAtMargin } from './bidding.ts'
import { MARGIN_PER_LEG, marginOn } from './legMargin.ts'
import { confirmWithin, offer, QUOTING } from './quoting.ts'

interface Correlations {
  readonly all: number
  readonly category: number
  readonly game: number
}

/**
 * Any number of legs has a joint distribution with these correlations exactly when 0 ≤ all ≤ category ≤ game. Then they are the
 * correlations of Z = √all·G + √(category − all)·C + √(game − category)·M + rest, with a factor for everything, one for each category and
 * one for each game. Otherwise the matrix of enough legs is not positive semidefinite (its eigenvalues over e legs of each of m games in k
 * categories are 1 − game, 1 + (e − 1)·game − e·category, and so on).
 */
function faultOf({ all, category, game }: Correlations): ParameterFault | undefined {
  const cents = (share: number): string => `${Number((share * 100).toFixed(6))}%`
  const why = 'no outcomes of many legs are so correlated (the matrix is not positive semidefinite)'
  if (category < all) return { parameter: 'category', message: `${cents(category)} is below the ${cents(all)} of legs that have nothing in common: ${why}` }
  if (game < category) return { parameter: 'game', message: `${cents(game)} is below the ${cents(category)} of legs of one category: ${why}` }
  return undefined
}

/** Prices legs jointly. Its columns keep nothing between two calls. */
class LegsCopula {
  private declare readonly correlations: Correlations
  private readonly chances = new Float64Array(VIEW_LEGS_MAX)
  private readonly rows = new Float64Array(VIEW_LEGS_MAX * VIEW_LEGS_MAX)
  /** Category of each leg or of its game, so that a game lies in one category. */
  private readonly categories = new Float64Array(VIEW_LEGS_MAX)

  private declare readonly ask: PriceOptions
  /** Product of the asks of the legs that were asked for last. */
  product = NaN

  constructor(correlations: Correlations, maxAgeUs: number) {
    this.correlations = correlations
    this.ask = { priceType: 'ask', maxAgeUs }
  }

  /** Probability of all legs together, each at its ask; NaN where one has no price or two are of one event. */
  fair(legs: LegsView, desk: MakerDesk): number {
    const n = legs.count
    this.product = 1
    for (let i = 0; i < n; i++) {
      const chance = desk.legPrice(legs, i, this.ask)
      if (!(chance > 0)) return NaN
      this.chances[i] = Math.min(chance, 1)
      this.product *= this.chances[i]!
      this.categories[i] = desk.gameCategory(legs, i)
      this.rows[i * n + i] = 1
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        if (desk.event(legs, i) === desk.event(legs, j)) return NaN
        const size = this.between(legs, desk, i, j)
        this.rows[i * n + j] = this.rows[j * n + i] = legs.side(i) === legs.side(j) ? size : -size
      }
    }
    const fair = copulaProbability(this.chances, this.rows, n)
    return fair > 0 ? fair : NaN
  }

  private between(legs: LegsView, desk: MakerDesk, i: number, j: number): number {
    const { all, category, game } = this.correlations
    if (desk.game(legs, i) === desk.game(legs, j)) return game
    return this.categories[i] === this.categories[j] ? category : all
  }
}

/**
 * Prices a parlay by a Gaussian copula. Leg i wins when Zᵢ < Φ⁻¹(pᵢ), where pᵢ is its ask. The correlation of two YES legs is that of the
 * closest thing that they share: a game, a category or nothing. A NO leg flips the signs of its correlations. The quote is the joint
 * probability (math/copula.ts; D. X. Li, "On default correlation", Journal of Fixed Income 9, 2000), raised by `margin` and, for each
 * leg beyond two, by `marginPerLeg`. With all correlations 0 it is `fixed-margin`. Legs of one event exclude or imply each other, which no correlation expresses, so that the maker does
 * not quote them. The world's correlation is another setting, the scenario's `settlement.correlation`. Its bids treat legs as independent,
 * like those of all makers.
 */
export default maker({
  margin: pct(4, { max: 100, about: 'mark-up on the joint probability' }),
  marginPerLeg: MARGIN_PER_LEG,
  all: pct(0, { about: 'correlation of legs that share neither category nor game' }),
  category: pct(10, { about: 'correlation of legs of one category' }),
  game: pct(50, { about: 'correlation of legs of one game' }),
  ...QUOTING,
}, (p) => {
  const copula = new LegsCopula(p, p.maxAge)
  return {
    ...biddingAtMargin(p),
    onRequest(request, desk) {
      const fair = copula.fair(request.legs, desk)
      if (!isKnown(fair)) return desk.pass('no price')
      offer(request, desk, p, fair, fair * (1 + marginOn(request.legs.count, p)), copula.product)
    },
    onSelected: (selection, desk) => confirmWithin(selection, desk, p.tolerance, copula.fair(selection.legs, desk)),
  }
}, { about: 'parlays at a Gaussian copula: correlated legs, a NO leg with the opposite sign', check: faultOf })
