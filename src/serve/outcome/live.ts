import { feeFloor, type Micros, mulDivFloor } from '../../unit/micros.ts'
import { NONE } from '../../unit/none.ts'
import { type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import { CashOutRfqCreated, FundsRow, OutcomeEvent, type OutcomeKind, QuoteRow, QuoteState, RfqRow, RfqState } from '../../venue/outcome/protocol/events.ts'
import type { OutcomeLegView, OutcomeView } from '../../venue/outcome/protocol/view.ts'
import type { LegFacts, LiveVenue, Noted, OfferFacts, PositionFacts, RequestFacts, RequestName } from '../live/liveVenue.ts'
import { legsOfList } from '../live/rowLegs.ts'
import { stateNames } from '../live/stateNames.ts'

const ODDS_ONE_E4 = 10_000
const RFQ_STATES = stateNames(RfqState)
const QUOTE_STATES = stateNames(QuoteState)

/** An outcome has the number of its market. */
const legsOf = (legs: readonly OutcomeLegView[]): LegFacts[] => legs.map(({ outcome, side }) => ({ market: outcome, side }))

/** The outcome service as a page sees it. */
export class OutcomeLive implements LiveVenue {
  private declare readonly view: OutcomeView
  private declare readonly requestId: (name: RequestName) => string

  constructor(view: OutcomeView, requestId: (name: RequestName) => string) {
    this.view = view
    this.requestId = requestId
  }

  note(events: EventRows, row: Row): Noted | null {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.rfqCreated: {
        const created = rowOfKind(row, kind)
        const noted = { isAuction: false, number: events.read(created, RfqRow.rfq), isNew: true, offer: null }
        if (events.read(created, RfqRow.position) === NONE) return noted
        return { ...noted, sale: { legs: legsOfList(events.list(row)), amountMicros: events.read(rowAs(CashOutRfqCreated, created), CashOutRfqCreated.payoutMicros) } }
      }
      case OutcomeEvent.quoteCreated: {
        const made = rowOfKind(row, kind)
        return { isAuction: false, number: events.read(made, QuoteRow.rfq), isNew: false, offer: { maker: events.read(made, QuoteRow.maker), number: events.read(made, QuoteRow.quote) } }
      }
      default: return null
    }
  }

  paidIn(events: EventRows, row: Row): { readonly account: number; readonly amountMicros: number } | null {
    const kind = events.kindOf(row) as OutcomeKind
    if (kind !== OutcomeEvent.fundsDeposited && kind !== OutcomeEvent.fundsWithdrawn) return null
    const moved = rowOfKind(row, kind)
    const amountMicros = events.read(moved, FundsRow.amountMicros)
    return { account: events.read(moved, FundsRow.account), amountMicros: kind === OutcomeEvent.fundsDeposited ? amountMicros : -amountMicros }
  }

  known(makers: readonly number[]): readonly Noted[] {
    const { view } = this
    return makers.flatMap((maker) => view.liveQuotesOf(maker).map((number) => ({ maker, number })))
      .map((offer): Noted => ({ isAuction: false, number: view.quote(offer.number)!.rfq, isNew: false, offer }))
      .sort((a, b) => a.number - b.number)
  }

  request({ number }: RequestName): RequestFacts | null {
    const rfq = this.view.rfq(number)
    if (rfq === null) return null
    const { owner, legs, position, stakeMicros, state, acceptedQuote, bestQuote, openUntilUs } = rfq
    const isCashOut = position !== NONE
    return {
      owner, isCashOut, legs: legsOf(legs), amountMicros: isCashOut ? this.view.position(position)?.payoutMicros ?? NONE : stakeMicros, state: RFQ_STATES(state),
      isOpen: state === RfqState.open || state === RfqState.inFlight, best: acceptedQuote === NONE ? bestQuote : acceptedQuote, untilUs: openUntilUs,
    }
  }

  offer(_of: RequestName, number: number): OfferFacts | null {
    const quote = this.view.quote(number)
    if (quote === null) return null
    const { maker, state, netStakeMicros, payoutMicros, riskMicros, expiresAtUs, rfq } = quote
    const isPrice = this.view.rfq(rfq)?.position !== NONE
    return {
      maker, state: QUOTE_STATES(state), isLive: state === QuoteState.live || state === QuoteState.accepted, isTaken: state === QuoteState.filled,
      oddsE4: isPrice ? NONE : mulDivFloor(payoutMicros, ODDS_ONE_E4, netStakeMicros), priceMicros: isPrice ? payoutMicros : NONE, riskMicros: isPrice ? NONE : riskMicros,
      untilUs: expiresAtUs,
    }
  }

  id(name: RequestName): string {
    return this.requestId(name)
  }

  money(account: number): { readonly freeMicros: number; readonly reservedMicros: number } {
    return this.view.balance(account)
  }

  positionsOf(account: number): readonly number[] {
    return this.view.positionsOf(account)
  }

  position(number: number): PositionFacts | null {
    const position = this.view.position(number)
    if (position === null) return null
    const { netStakeMicros, payoutMicros, basisMicros, feeBps, legs } = position
    return {
      ...position, stakeMicros: netStakeMicros, legs: legsOf(legs), makerFeeMicros: 0,
      profitFeeMicros: feeFloor(Math.max(0, payoutMicros - basisMicros) as Micros, feeBps),
    }
  }
}
