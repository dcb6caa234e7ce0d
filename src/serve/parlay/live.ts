import { feeFloor, type Micros } from '../../unit/micros.ts'
import { NONE } from '../../unit/none.ts'
import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import {
  AuctionOpened, AuctionState, BidRow, BidState, FundsMoved, ParlayEvent, type ParlayKind, QuoteState, QuoteSubmitted, RequestCreated, RequestState,
} from '../../venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../venue/parlay/protocol/profile.ts'
import type { ParlayView } from '../../venue/parlay/protocol/view.ts'
import type { LiveVenue, Noted, OfferFacts, PositionFacts, RequestFacts, RequestName } from '../live/liveVenue.ts'
import { legsOfList } from '../live/rowLegs.ts'
import { stateNames } from '../live/stateNames.ts'

const REQUEST_STATES = stateNames(RequestState)
const QUOTE_STATES = stateNames(QuoteState)
const AUCTION_STATES = stateNames(AuctionState)
const BID_STATES = stateNames(BidState)

/** The parlay service as a page sees it. */
export class ParlayLive implements LiveVenue {
  private declare readonly view: ParlayView
  private declare readonly feeOnMaker: boolean
  private declare readonly requestId: (name: RequestName) => string

  constructor(view: ParlayView, { profitFeeOnMaker }: Pick<ParlayProfile, 'profitFeeOnMaker'>, requestId: (name: RequestName) => string) {
    this.view = view
    this.feeOnMaker = profitFeeOnMaker === 1
    this.requestId = requestId
  }

  note(events: EventRows, row: Row): Noted | null {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.requestCreated: return { isAuction: false, number: events.read(rowOfKind(row, kind), RequestCreated.request), isNew: true, offer: null }
      case ParlayEvent.quoteSubmitted: {
        const made = rowOfKind(row, kind)
        const offer = { maker: events.read(made, QuoteSubmitted.maker), number: events.read(made, QuoteSubmitted.quote) }
        return { isAuction: false, number: events.read(made, QuoteSubmitted.request), isNew: false, offer }
      }
      case ParlayEvent.auctionOpened: {
        const opened = rowOfKind(row, kind)
        const sale = { legs: legsOfList(events.list(row)), amountMicros: events.read(opened, AuctionOpened.payoutMicros) }
        return { isAuction: true, number: events.read(opened, AuctionOpened.auction), isNew: true, offer: null, sale }
      }
      case ParlayEvent.bidSubmitted: {
        const made = rowOfKind(row, kind)
        return { isAuction: true, number: events.read(made, BidRow.auction), isNew: false, offer: { maker: events.read(made, BidRow.maker), number: events.read(made, BidRow.bid) } }
      }
      default: return null
    }
  }

  paidIn(events: EventRows, row: Row): { readonly account: number; readonly amountMicros: number } | null {
    const kind = events.kindOf(row) as ParlayKind
    if (kind !== ParlayEvent.fundsDeposited && kind !== ParlayEvent.fundsWithdrawn) return null
    const moved = rowOfKind(row, kind)
    const amountMicros = events.read(moved, FundsMoved.amountMicros)
    return { account: events.read(moved, FundsMoved.account), amountMicros: kind === ParlayEvent.fundsDeposited ? amountMicros : -amountMicros }
  }

  known(makers: readonly number[]): readonly Noted[] {
    const { view } = this
    return makers.flatMap((maker) => view.quotesOf(maker).map((number) => ({ maker, number })))
      .map((offer): Noted => ({ isAuction: false, number: view.quote(offer.number)!.request, isNew: false, offer }))
      .sort((a, b) => a.number - b.number)
  }

  request(name: RequestName): RequestFacts | null {
    if (name.isAuction) return this.auction(name.number)
    const request = this.view.request(name.number)
    if (request === null) return null
    const { owner, legs, betMicros, state, bestQuote, pendingQuote, expiresAtUs } = request
    const isOpen = state === RequestState.active
    return {
      owner, legs, isCashOut: false, amountMicros: betMicros, isOpen, best: bestQuote, untilUs: expiresAtUs,
      state: isOpen && pendingQuote !== NONE ? 'waits for its maker' : REQUEST_STATES(state),
    }
  }

  private auction(number: number): RequestFacts | null {
    const auction = this.view.auction(number)
    if (auction === null) return null
    const { seller, position: sold, state, bestBid, endsAtUs } = auction
    const position = this.view.position(sold)
    return {
      owner: seller, isCashOut: true, legs: position?.legs ?? [], amountMicros: position?.payoutMicros ?? NONE, state: AUCTION_STATES(state),
      isOpen: state === AuctionState.active, best: bestBid, untilUs: endsAtUs,
    }
  }

  offer({ isAuction }: RequestName, number: number): OfferFacts | null {
    if (isAuction) {
      const bid = this.view.bid(number)
      return bid === null ? null : {
        maker: bid.maker, state: BID_STATES(bid.state), isLive: bid.state === BidState.live, isTaken: bid.state === BidState.won, oddsE4: NONE, priceMicros: bid.priceMicros, riskMicros: NONE,
        untilUs: bid.validUntilUs,
      }
    }
    const quote = this.view.quote(number)
    return quote === null ? null : {
      maker: quote.maker, state: QUOTE_STATES(quote.state), isLive: quote.state === QuoteState.live || quote.state === QuoteState.reserved,
      isTaken: quote.state === QuoteState.filled, oddsE4: quote.oddsE4, priceMicros: NONE, riskMicros: quote.riskMicros, untilUs: quote.validUntilUs,
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
    const { payoutMicros, basisMicros, stakeMicros, profitFeeBps } = position
    return {
      ...position, profitFeeMicros: feeFloor(Math.max(0, payoutMicros - basisMicros) as Micros, profitFeeBps),
      makerFeeMicros: this.feeOnMaker ? feeFloor(stakeMicros as Micros, profitFeeBps) : 0,
    }
  }
}
