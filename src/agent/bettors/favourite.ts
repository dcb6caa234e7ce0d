import { exp } from '../../math/exp.ts'
import { log } from '../../math/log.ts'
import { bettor } from '../bettor.ts'
import { type BettorDesk, IntentDraw } from '../bettorDesk.ts'
import { num, pct } from '../parameters.ts'
import type { IntentView } from '../views.ts'
import { Side } from '../vocabulary.ts'
import { betOn, drawnLegs, HABITS, TOLERANCE, tolerantFloor } from './habits.ts'

/**
 * Favourite: chases favourites. It looks at live markets whose likelier side is priced at least `favouriteMin`, and bets on yes with
 * probability pᵏ/(pᵏ + (1 − p)ᵏ), where p is the middle price of yes and k its `taste`. A taste of 0 is a fair coin, and 1 bets on each side
 * as often as its price says. Large tastes bet on favourites alone, negative ones on longshots. It takes offers like noise. The choice rule
 * is that of R. D. Luce, "Individual choice behavior" (1959), with prices as weights. The two tastes are those of the favourite–longshot
 * bias (R. H. Thaler and W. T. Ziemba, "Parimutuel betting markets", J. Economic Perspectives 2, 1988).
 */
export default bettor({
  favouriteMin: pct(60, { min: 50, max: 99, about: 'least price of the likelier side of a leg' }),
  taste: num(4, { min: -50, max: 50, about: 'power of the price by which sides are chosen; negative: longshots' }),
  ...HABITS,
  ...TOLERANCE,
}, (p) => {
  const pick = (intent: IntentView, desk: BettorDesk): boolean => {
    if (!desk.pickLegs(intent, drawnLegs(intent, desk, p), p.priceMin, p.maxAge, p.favouriteMin)) return false
    for (let i = 0; i < intent.legs.count; i++) {
      intent.setSide(i, Side.yes)
      const yes = desk.legPrice(intent.legs, i, { priceType: 'mid', maxAgeUs: p.maxAge })
      intent.setSide(i, desk.uniform(intent, IntentDraw.side + i) < shareOfYes(yes, p.taste) ? Side.yes : Side.no)
    }
    return true
  }
  return betOn(p, pick, (intent, desk, fair) => tolerantFloor(intent, desk, p, fair))
}, { about: 'backs likely sides of markets that have a favourite; takes offers as noise does' })

/** pᵏ/(pᵏ + (1 − p)ᵏ). */
const shareOfYes = (price: number, taste: number): number => 1 / (1 + exp(-taste * log(price / (1 - price))))
