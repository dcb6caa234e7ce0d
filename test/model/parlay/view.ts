import { NONE } from '../../../src/unit/none.ts'
import { AuctionState, PositionState } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import { tagOf } from './command.ts'
import { balanceOf, portfolioOf } from './portfolio.ts'
import {
  bestBidOf, bestQuoteOf, type Bid, bidsOf, escrowOf, heldOf, holderOf, holdingOf, houseOf, lastBidOf, lastQuoteOf, type Leg,
  openPositions, type Position, potOf, type Quote, type State,
} from './state.ts'

/** The model's state as the venue's view shows it. */
export function viewOf(state: State): ParlayView {
  const isLastQuote = (quote: Quote): boolean => lastQuoteOf(state, quote.request, quote.maker) === quote
  const isLastBid = (bid: Bid): boolean => lastBidOf(state, bid.auction, bid.maker) === bid
  return {
    balance: (account) => balanceOf(state, account),
    portfolio: (account) => portfolioOf(state, account),
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
      if (quote === undefined || !isLastQuote(quote)) return null
      const { request, maker, state: stands, version, oddsE4, riskMicros, stakeMicros, takerFeeBps, validUntilUs } = quote
      return { number, request, maker, state: stands, version, oddsE4, riskMicros, stakeMicros, takerFeeBps, validUntilUs }
    },
    quotesOf: (maker) =>
      numbersOf([...state.quotes.values()].filter((quote) => quote.maker === maker && isLastQuote(quote))),
    position(number) {
      const position = state.positions.get(number)
      if (position === undefined || position.end !== null) return null
      const { request, quote, backer, stakeMicros, payoutMicros, takerFeeMicros, takerFeeBps, profitFeeBps } = position
      const { account: holder, costMicros, basisMicros } = holdingOf(position)
      return {
        number, request, quote, holder, backer, stakeMicros, payoutMicros, costMicros, basisMicros, takerFeeMicros, takerFeeBps,
        profitFeeBps, state: stateOf(position), legs: legsOf(position.legs),
      }
    },
    positionsOf: (account) =>
      numbersOf(openPositions(state).filter((position) => holderOf(position) === account || position.backer === account)),
    auction(number) {
      const auction = state.auctions.get(number)
      if (auction === undefined) return null
      const { position, seller, state: stands, endsAtUs, wonBy } = auction
      const { request, backer } = state.positions.get(position)!
      const bestBid = stands === AuctionState.committed ? wonBy : bestBidOf(state, number)?.number ?? NONE
      return {
        number, position, request, seller, backer, state: stands, endsAtUs, bestBid, winner: state.bids.get(wonBy)?.maker ?? NONE,
        bids: numbersOf(bidsOf(state, number).filter(isLastBid)),
      }
    },
    bid(number) {
      const bid = state.bids.get(number)
      if (bid === undefined || !isLastBid(bid)) return null
      const { auction, maker, state: stands, priceMicros, validUntilUs } = bid
      return { number, auction, maker, state: stands, priceMicros, validUntilUs }
    },
  }
}

/** An open position is `confirmed` until it is funded, and `decided` from its deciding result until it is paid. */
const stateOf = (position: Position): number =>
  !position.isFunded ? PositionState.confirmed : position.settlesAtUs !== null ? PositionState.decided : PositionState.executed

const numbersOf = (items: readonly { readonly number: number }[]): number[] => items.map((item) => item.number).sort((a, b) => a - b)

const legsOf = (legs: readonly Leg[]) => legs.map(({ market, side }) => ({ market, side }))
