import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { AuctionState, BidState, ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { aboutAuction, isNearClose } from './auctions.ts'
import type { ModelCommand } from './command.ts'
import { buybackBoundOf } from './money.ts'
import { isIntegerIn } from './numbers.ts'
import type { Answer, EventKind, Fields } from './namedRows.ts'
import { type Turn, write } from './rows.ts'
import { type Auction, bestBidOf, type Bid, lastBidOf, liveBidsOf } from './state.ts'

/** A maker's bid; its former live one in the auction gives way. */
export function submitBid(turn: Turn, command: ModelCommand): Answer {
  const refusal = refusalOfBid(turn, command)
  if (refusal !== null) return refusal
  const { state, profile } = turn
  const auction = state.auctions.get(command.auction)!
  const best = bestBidOf(state, auction.number)
  const former = lastBidOf(state, auction.number, command.account)
  if (former?.state === BidState.live) {
    former.state = BidState.replaced
    writeOfBid(turn, auction, former, ParlayEvent.bidReplaced, { expiresAtUs: former.validUntilUs })
  }
  const validMs = command.validMs === NONE ? profile.bidValidityDefaultMs : command.validMs
  const bid: Bid = {
    number: ++state.lastBid, auction: auction.number, maker: command.account, priceMicros: command.amountMicros,
    validUntilUs: turn.atUs + validMs * 1000, state: BidState.live,
  }
  state.bids.set(bid.number, bid)
  writeOfBid(turn, auction, bid, ParlayEvent.bidSubmitted, { expiresAtUs: bid.validUntilUs })
  writeBestBid(turn, auction, best)
  const { request, position } = aboutAuction(turn, auction)
  return { code: ParlayCode.ok, request, position, auction: auction.number, bid: bid.number, untilUs: bid.validUntilUs }
}

function refusalOfBid({ state, profile, atUs }: Turn, command: ModelCommand): Answer | null {
  const { account, amountMicros, validMs } = command
  const isValid = Number.isInteger(command.auction) && Number.isInteger(amountMicros) && amountMicros >= 1 &&
    (validMs === NONE || isIntegerIn(validMs, profile.bidValidityMinMs, profile.bidValidityMaxMs))
  if (!isValid) return { code: ParlayCode.invalid }
  const auction = state.auctions.get(command.auction)
  if (auction === undefined) return { code: ParlayCode.notFound }
  if (account === auction.seller) return { code: ParlayCode.selfQuote }
  if (auction.state === AuctionState.expired) return { code: ParlayCode.auctionExpired }
  if (auction.state !== AuctionState.active) return { code: ParlayCode.auctionNotActive }
  const position = state.positions.get(auction.position)!
  if (isNearClose({ state, profile, atUs }, position)) return { code: ParlayCode.marketNearClose }
  const isBacker = account === position.backer
  if (isBacker && state.walletsOff.includes(account)) return { code: ParlayCode.buybackWalletMissing }
  if (amountMicros > position.payoutMicros) return { code: ParlayCode.priceAboveMaxPayout, maxPriceMicros: position.payoutMicros }
  const isAboveBound = amountMicros > buybackBoundOf(position, profile.buybackBoundGrossedUp === 1)
  if (isBacker && profile.buybackBoundAtBid === 1 && isAboveBound) return { code: ParlayCode.priceAboveBuybackBound }
  return null
}

/** The bid's validity is over. Precondition: it is live. */
export function expireBid(turn: Turn, bid: Bid): void {
  takeOut(turn, turn.state.auctions.get(bid.auction)!, bid, BidState.expired, ParlayEvent.bidExpired, { expiresAtUs: bid.validUntilUs })
}

/** The seller took it and it could not be carried out: it is out, the auction goes on. */
export function failBid(turn: Turn, auction: Auction, bid: Bid, code: number): void {
  takeOut(turn, auction, bid, BidState.failed, ParlayEvent.bidFailed, { failure: code })
}

function takeOut<N extends BidKind>(turn: Turn, auction: Auction, bid: Bid, state: number, event: EventKind<N>, fields: Fields<N>): void {
  const best = bestBidOf(turn.state, auction.number)
  bid.state = state
  writeOfBid(turn, auction, bid, event, fields)
  writeBestBid(turn, auction, best)
}

/** Invalidates the live bids, by number; `best` was the best one before. */
export function clearBids(turn: Turn, auction: Auction, best: Bid | null): void {
  for (const bid of liveBidsOf(turn.state, auction.number)) {
    bid.state = BidState.invalidated
    writeOfBid(turn, auction, bid, ParlayEvent.bidInvalidated)
  }
  writeBestBid(turn, auction, best)
}

type BidKind = 'bidSubmitted' | 'bidReplaced' | 'bidExpired' | 'bidInvalidated' | 'bidWon' | 'bidFailed'

export function writeOfBid<N extends BidKind>(turn: Turn, auction: Auction, bid: Bid, event: EventKind<N>, fields?: Fields<N>): void {
  const about: Fields<BidKind> = {
    ...aboutAuction(turn, auction), bid: bid.number, maker: bid.maker, seller: auction.seller, priceMicros: bid.priceMicros,
  }
  write(turn, event, { ...about, ...fields } as Fields<N>)
}

/** Writes bestBidChanged if the best bid is another than `before`. */
function writeBestBid(turn: Turn, auction: Auction, before: Bid | null): void {
  const best = bestBidOf(turn.state, auction.number)
  if (best?.number === before?.number) return
  write(turn, ParlayEvent.bestBidChanged, {
    ...aboutAuction(turn, auction), bid: best?.number ?? NONE, maker: best?.maker ?? NONE, seller: auction.seller,
    priceMicros: best?.priceMicros ?? NONE, expiresAtUs: best?.validUntilUs ?? NONE,
  })
}
