import { NONE } from '../../../src/venue/eventRows.ts'
import { PositionState } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import { tagOf } from './command.ts'
import {
  bestQuoteOf, escrowOf, freeOf, heldOf, houseOf, lastQuoteOf, type Leg, lockedOf, potOf, reservedOf, type State,
} from './state.ts'

/** The model's state as the venue's view shows it. */
export function viewOf(state: State): ParlayView {
  return {
    balance(account) {
      const freeMicros = freeOf(state, account)
      const lockedMicros = lockedOf(state, account)
      return {
        freeMicros, reservedMicros: reservedOf(state, account), lockedMicros, grossMicros: freeMicros + lockedMicros,
        hasVault: state.accounts.get(account)?.hasVault ?? false,
      }
    },
    totals: () => ({
      netDepositsMicros: state.netDepositsMicros, houseMicros: houseOf(state), potMicros: potOf(state), escrowMicros: escrowOf(state),
      heldMicros: heldOf(state),
    }),
    request(number) {
      const request = state.requests.get(number)
      if (request === undefined) return null
      const { owner, state: stands, version, bookSeq, betMicros, expiresAtUs } = request
      return {
        number, owner, state: stands, version, contentTag: tagOf(request.legs, betMicros), bookSeq, betMicros, expiresAtUs,
        legs: legsOf(request.legs), bestQuote: bestQuoteOf(state, number)?.number ?? NONE,
        pendingQuote: request.selection?.quote ?? NONE,
      }
    },
    quote(number) {
      const quote = state.quotes.get(number)
      if (quote === undefined || lastQuoteOf(state, quote.request, quote.maker) !== quote) return null
      const { request, maker, state: stands, version, oddsE4, riskMicros, stakeMicros, takerFeeBps, validUntilUs } = quote
      return { number, request, maker, state: stands, version, oddsE4, riskMicros, stakeMicros, takerFeeBps, validUntilUs }
    },
    position(number) {
      const position = state.positions.get(number)
      if (position === undefined || position.settlement !== null) return null
      const { request, quote, holder, backer, stakeMicros, payoutMicros, takerFeeMicros, takerFeeBps, profitFeeBps } = position
      return {
        number, request, quote, holder, backer, stakeMicros, payoutMicros, takerFeeMicros, takerFeeBps, profitFeeBps,
        state: PositionState.executed, legs: legsOf(position.legs),
      }
    },
  }
}

const legsOf = (legs: readonly Leg[]) => legs.map(({ market, side }) => ({ market, side }))
