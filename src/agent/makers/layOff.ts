import { ODDS_ONE } from '../../unit/odds.ts'
import { maker } from '../maker.ts'
import { pct, seconds, usd } from '../parameters.ts'
import { FIXED_MARGIN, quotingAtMargin } from './fixedMargin.ts'

/**
 * Lays risk off: it quotes like fixed-margin. After each fill it asks on the other service for a bet on the same legs that pays `share` of
 * what the position pays, at odds at least `keep` above its own. It thus keeps that share of the price of what is laid off, before the
 * other service's fees. A maker without an account there quotes and lays nothing off.
 */
export default maker({
  ...FIXED_MARGIN,
  share: pct(50, { about: 'part of the payout that is laid off' }),
  keep: pct(2, { max: 1000, about: "how far the other service's odds must lie above its own" }),
  least: usd(2, { min: 0.000001, about: 'smallest bet that is asked for' }),
  decide: seconds(5, { max: 60, about: 'from asking to taking the best offer' }),
}, (p) => ({
  ...quotingAtMargin(p),
  onOpened(position, desk) {
    const minOdds = (position.oddsE4 / ODDS_ONE) * (1 + p.keep)
    const betMicros = Math.floor((p.share * position.payoutMicros) / minOdds)
    if (betMicros >= p.least) desk.layOff(position, { betMicros, minOddsE4: Math.round(minOdds * ODDS_ONE), decideInUs: p.decide })
  },
}), { about: 'fixed margin, and asks the other service for a part of each fill' })
