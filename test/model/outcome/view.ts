import { NONE } from '../../../src/unit/none.ts'
import { AccountRole } from '../../../src/venue/outcome/protocol/commands.ts'
import { PositionState, QuoteState } from '../../../src/venue/outcome/protocol/events.ts'
import type {
  AcceptanceView, CapitalView, OperationView, OutcomeBalanceView, OutcomePositionView, OutcomeQuoteView, OutcomeView, RfqView,
} from '../../../src/venue/outcome/protocol/view.ts'
import { isOpenToAsk } from './openOutcomes.ts'
import { quotedOf } from './quotes.ts'
import {
  type Acceptance, coreOf, freeOf, heldOf, itemsOf, listedQuotesOf, openRfqsOf, pendingAcceptances, pendingOf,
  pendingOperations, potsOf, reductionsOf, reservedOf, riskOf, type State, sumOf,
} from './state.ts'

/** The model's state as the venue's view shows it. */
export const viewOf = (state: State, nowUs: number): OutcomeView => ({
  balance: (account) => balanceOf(state, account),
  capital: (maker) => capitalOf(state, maker),
  totals: () => ({
    netDepositsMicros: state.netDepositsMicros, houseMicros: state.houseMicros, potMicros: potsOf(state),
    heldMicros: sumOf([...state.accounts.keys()], (account) => heldOf(state, account)),
  }),
  rfq: (number) => rfqOf(state, number),
  quote: (number) => quoteOf(state, number),
  listedQuotes: (rfq) => listedQuotesOf(state, rfq).map((quote) => quote.number),
  acceptance: (number) => acceptanceOf(state.acceptances.get(number)),
  acceptanceOfQuote: (quote) => acceptanceOf(itemsOf(state.acceptances, (acceptance) => acceptance.quote === quote).at(-1)),
  acceptancesOf: (maker) => numbersOf(itemsOf(state.acceptances, (acceptance) => acceptance.maker === maker)),
  operation: (number) => operationOf(state, number),
  position: (number) => positionOf(state, number),
  positionsOf: (account) => numbersOf(itemsOf(state.positions, ({ holder, backer }) => holder === account || backer === account)),
  openRfqsOf: (account) => numbersOf(openRfqsOf(state, account)),
  liveQuotesOf: (maker) => numbersOf(itemsOf(state.quotes, (quote) => quote.maker === maker && STANDING.includes(quote.state))),
  operationsOf: (account) => numbersOf(pendingOperations(state).filter((operation) => operation.account === account)),
  isListed: (outcome) => isOpenToAsk(state, outcome, nowUs),
})

const STANDING: readonly number[] = [QuoteState.live, QuoteState.accepted]

const numbersOf = (items: readonly { readonly number: number }[]): number[] => items.map((item) => item.number)

function balanceOf(state: State, account: number): OutcomeBalanceView {
  const known = state.accounts.get(account)
  return {
    role: known?.role ?? null, freeMicros: freeOf(state, account), reservedMicros: reservedOf(state, account), core: coreOf(state, account),
    signer: known?.signer ?? NONE,
  }
}

function capitalOf(state: State, maker: number): CapitalView | null {
  if (state.accounts.get(maker)?.role !== AccountRole.maker) return null
  return {
    freeMicros: freeOf(state, maker), pendingMicros: pendingOf(state, maker),
    backedMicros: sumOf(itemsOf(state.positions, (position) => position.backer === maker), riskOf),
    reductionsMicros: reductionsOf(state, maker), quotedMicros: quotedOf(state, maker),
  }
}

function rfqOf(state: State, wanted: number): RfqView | null {
  const rfq = state.rfqs.get(wanted)
  if (rfq === undefined) return null
  const { number, owner, generation, position, stakeMicros, netStakeMicros, openUntilUs, legs, bestQuote } = rfq
  return {
    number, owner, state: rfq.state, generation, position, stakeMicros, netStakeMicros, openUntilUs, legs: legs.map((leg) => ({ ...leg })),
    acceptedQuote: pendingAcceptances(state).find((acceptance) => acceptance.rfq === number)?.quote ?? NONE,
    bestQuote,
  }
}

function quoteOf(state: State, number: number): OutcomeQuoteView | null {
  const quote = state.quotes.get(number)
  if (quote === undefined) return null
  const { listedUntilUs: _, ...shown } = quote
  return shown
}

function acceptanceOf(acceptance: Acceptance | undefined): AcceptanceView | null {
  if (acceptance === undefined) return null
  const { seq: _seq, riskMicros: _risk, validBeforeS: _before, ...shown } = acceptance
  return shown
}

function operationOf(state: State, wanted: number): OperationView | null {
  const operation = state.operations.get(wanted)
  if (operation === undefined) return null
  const { number, kind, status, account, amountMicros, fill } = operation
  return { number, kind, status, account, acceptance: fill?.acceptance ?? NONE, amountMicros }
}

function positionOf(state: State, number: number): OutcomePositionView | null {
  const position = state.positions.get(number)
  if (position === undefined) return null
  const { closing, settlesAtUs: _settles, lastRfq: _last, legs, ...shown } = position
  return { ...shown, state: closing ? PositionState.closing : PositionState.open, legs: legs.map((leg) => ({ ...leg })) }
}
