import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayFault } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionEnd, AuctionRoute, AuctionState, BidState, ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { aboutAuction, isNearClose } from './auctions.ts'
import { clearBids, failBid, writeOfBid } from './bids.ts'
import type { ModelCommand } from './command.ts'
import { buybackBoundOf, profitFeeOf } from './money.ts'
import type { Answer } from './namedRows.ts'
import { endPosition, keepTakerFee, leave, payFromPot, touch } from './positions.ts'
import { listOfLegs } from './requests.ts'
import { free, house, move, type Turn, write } from './rows.ts'
import {
  activeAuctionOn, type Auction, bestBidOf, type Bid, chainFaultOf, freeOf, holderOf, holdingOf, isFaultOn, isFenced, type Position,
} from './state.ts'

/** Cash-out auctions: a holder opens one on its position, makers bid, the holder takes the best bid (readings A26…A34). */
export function openCashout(turn: Turn, command: ModelCommand): Answer {
  const { state, profile } = turn
  if (!Number.isInteger(command.position)) return { code: ParlayCode.invalid }
  const position = state.positions.get(command.position)
  if (position === undefined || position.end !== null || holderOf(position) !== command.account) return { code: ParlayCode.notFound }
  if (!position.isFunded || position.settlesAtUs !== null) return { code: ParlayCode.conflict }
  if (activeAuctionOn(state, position.number) !== undefined) return { code: ParlayCode.conflict }
  if (isNearClose(turn, position)) return { code: ParlayCode.marketNearClose }
  const auction: Auction = {
    number: ++state.lastAuction, position: position.number, seller: command.account, endsAtUs: turn.atUs + profile.cashoutWindowMs * 1000,
    state: AuctionState.active, wonBy: NONE, endedAtUs: null,
  }
  state.auctions.set(auction.number, auction)
  write(turn, ParlayEvent.auctionOpened, {
    ...aboutAuction(turn, auction), seller: auction.seller, backer: position.backer, payoutMicros: position.payoutMicros,
    netStakeMicros: position.stakeMicros, basisMicros: holdingOf(position).basisMicros,
    boundMicros: buybackBoundOf(position, profile.buybackBoundGrossedUp === 1), endsAtUs: auction.endsAtUs, list: listOfLegs(position.legs),
  })
  return { ...answerOf(turn, auction), untilUs: auction.endsAtUs }
}

export function cancelCashout(turn: Turn, command: ModelCommand): Answer {
  if (!Number.isInteger(command.auction)) return { code: ParlayCode.invalid }
  const auction = turn.state.auctions.get(command.auction)
  if (auction === undefined) return { code: ParlayCode.notFound }
  if (auction.seller !== command.account) return { code: ParlayCode.forbidden }
  const refusal = refusalOfState(auction)
  if (refusal !== null) return refusal
  cancelAuction(turn, auction, AuctionEnd.bySeller)
  return answerOf(turn, auction)
}

/** The seller takes the best bid, if it is at or above its price. */
export function commitCashout(turn: Turn, command: ModelCommand): Answer {
  const { state } = turn
  const { amountMicros } = command
  const isValid = Number.isInteger(command.auction) && Number.isInteger(amountMicros) && (amountMicros === NONE || amountMicros >= 1)
  if (!isValid) return { code: ParlayCode.invalid }
  const auction = state.auctions.get(command.auction)
  if (auction === undefined) return { code: ParlayCode.notFound }
  if (auction.seller !== command.account) return { code: ParlayCode.forbidden }
  const position = state.positions.get(auction.position)!
  if (position.end === null && holderOf(position) !== auction.seller) return { code: ParlayCode.alreadyTransferred }
  const refusal = refusalOfState(auction)
  if (refusal !== null) return refusal
  if (isNearClose(turn, position)) return { code: ParlayCode.marketNearClose }
  if (isFaultOn(state, ParlayFault.chainDisabled)) return { code: ParlayCode.chainDisabled }
  if (chainFaultOf(state) !== null || isFenced(state, auction.seller)) return { code: ParlayCode.vaultFenced }
  const bid = bestBidOf(state, auction.number)
  if (bid === null || bid.priceMicros < amountMicros) return { code: ParlayCode.noActiveBid }
  const obstacle = obstacleOf(turn, position, bid)
  if (obstacle === ParlayCode.vaultFenced) return { code: obstacle }
  if (obstacle !== null) {
    failBid(turn, auction, bid, obstacle)
    return { ...answerOf(turn, auction), code: obstacle, bid: bid.number, maker: bid.maker }
  }
  return sell(turn, auction, position, bid)
}

/** Why the best bid cannot be carried out, or null. */
export function obstacleOf(turn: Pick<Turn, 'state' | 'profile'>, position: Position, { maker, priceMicros }: Bid): number | null {
  const { state, profile } = turn
  if (maker === position.backer) {
    if (state.walletsOff.includes(maker)) return ParlayCode.buyerIsCounterparty
    if (isFenced(state, maker)) return ParlayCode.vaultFenced
    return priceMicros > buybackBoundOf(position, profile.buybackBoundGrossedUp === 1) ? ParlayCode.amountOverBound : null
  }
  if (!state.accounts.get(maker)?.hasVault) return ParlayCode.buyerNoVault
  if (isFenced(state, maker)) return ParlayCode.vaultFenced
  return freeOf(state, maker) < priceMicros ? ParlayCode.insufficientBuyerBalance : null
}

function sell(turn: Turn, auction: Auction, position: Position, bid: Bid): Answer {
  const { seller } = auction
  const { priceMicros } = bid
  const best = bestBidOf(turn.state, auction.number)
  const closes = bid.maker === position.backer
  const sale = closes ? buyBack(turn, position, bid) : transfer(turn, position, bid)
  bid.state = BidState.won
  auction.wonBy = bid.number
  writeOfBid(turn, auction, bid, ParlayEvent.bidWon)
  clearBids(turn, auction, best)
  end(turn, auction, AuctionState.committed)
  const about = aboutAuction(turn, auction)
  write(turn, ParlayEvent.auctionCommitted, {
    ...about, seller, winner: bid.maker, bid: bid.number, priceMicros, profitFeeMicros: sale.feeMicros,
    route: closes ? AuctionRoute.closes : AuctionRoute.transfers,
  })
  const toSellerMicros = priceMicros - sale.feeMicros
  if (closes) {
    write(turn, ParlayEvent.positionBoughtBack, {
      ...about, holder: seller, backer: bid.maker, differenceMicros: Math.abs(priceMicros - position.stakeMicros),
      isPaidByMaker: priceMicros >= position.stakeMicros ? 1 : 0, toHolderMicros: toSellerMicros, profitFeeMicros: sale.feeMicros,
      toBackerMicros: sale.toBackerMicros,
    })
  } else {
    write(turn, ParlayEvent.positionTransferred, {
      ...about, seller, buyer: bid.maker, priceMicros, toSellerMicros, profitFeeMicros: sale.feeMicros,
    })
  }
  return {
    ...answerOf(turn, auction), bid: bid.number, maker: bid.maker, toSellerMicros, profitFeeMicros: sale.feeMicros, priceMicros,
  }
}

interface Sale {
  /** The seller's profit fee. */
  readonly feeMicros: number
  readonly toBackerMicros: number
}

/** The backing maker closes the position out of the pot. */
function buyBack(turn: Turn, position: Position, { priceMicros }: Bid): Sale {
  const { backer, stakeMicros, payoutMicros, takerFeeMicros, profitFeeBps } = position
  const { account: seller, basisMicros } = holdingOf(position)
  const feeMicros = profitFeeOf(priceMicros - basisMicros, profitFeeBps)
  const backersFeeMicros = turn.profile.profitFeeOnMaker === 1 ? profitFeeOf(stakeMicros - priceMicros, profitFeeBps) : 0
  const toBackerMicros = payoutMicros - priceMicros - backersFeeMicros
  payFromPot(turn, position, PostingCause.buyback, free(seller), priceMicros - feeMicros)
  payFromPot(turn, position, PostingCause.profitFee, house, feeMicros)
  payFromPot(turn, position, PostingCause.buyback, free(backer), toBackerMicros)
  payFromPot(turn, position, PostingCause.profitFee, house, backersFeeMicros)
  keepTakerFee(turn, position)
  endPosition(turn, position, { how: 'boughtBack', receivedMicros: priceMicros - feeMicros, saleFeeMicros: 0 }, {
    how: 'boughtBack', toHolderMicros: priceMicros - feeMicros, toBackerMicros, profitFeeMicros: feeMicros + backersFeeMicros,
    takerFeeKeptMicros: takerFeeMicros,
  })
  return { feeMicros, toBackerMicros }
}

/** Another maker takes the position over; only its holder changes. */
function transfer(turn: Turn, position: Position, { maker: buyer, priceMicros }: Bid): Sale {
  const { account: seller, basisMicros } = holdingOf(position)
  const takesFee = turn.profile.profitFeeOnTransfer === 1
  const feeMicros = takesFee ? profitFeeOf(priceMicros - basisMicros, position.profitFeeBps) : 0
  move(turn, PostingCause.transfer, free(buyer), free(seller), priceMicros - feeMicros, position.request)
  move(turn, PostingCause.profitFee, free(buyer), house, feeMicros, position.request)
  leave(position, { how: 'sold', receivedMicros: priceMicros - feeMicros, saleFeeMicros: feeMicros })
  const holding = { account: buyer, costMicros: priceMicros, basisMicros: takesFee ? priceMicros : basisMicros, left: null }
  position.holdings = [...position.holdings, holding]
  touch(turn, seller, buyer)
  return { feeMicros, toBackerMicros: 0 }
}

/** Ends an active auction by its seller, or because its position is decided. */
export function cancelAuction(turn: Turn, auction: Auction, reason: number): void {
  clearBids(turn, auction, bestBidOf(turn.state, auction.number))
  end(turn, auction, AuctionState.cancelled)
  write(turn, ParlayEvent.auctionCancelled, { ...aboutAuction(turn, auction), seller: auction.seller, reason })
}

/** The auction's window is over. Precondition: it is active. */
export function expireAuction(turn: Turn, auction: Auction): void {
  clearBids(turn, auction, bestBidOf(turn.state, auction.number))
  end(turn, auction, AuctionState.expired)
  write(turn, ParlayEvent.auctionExpired, { ...aboutAuction(turn, auction), seller: auction.seller })
}

/** Forgets an ended auction and its bids: from now on 404. */
export function evictAuction(turn: Turn, auction: Auction): void {
  turn.state.auctions.delete(auction.number)
  for (const bid of turn.state.bids.values()) if (bid.auction === auction.number) turn.state.bids.delete(bid.number)
}

function end(turn: Turn, auction: Auction, state: number): void {
  auction.state = state
  auction.endedAtUs = turn.atUs
}

function refusalOfState({ state }: Auction): Answer | null {
  if (state === AuctionState.expired) return { code: ParlayCode.gone }
  return state === AuctionState.active ? null : { code: ParlayCode.auctionNotActive }
}

function answerOf(turn: Turn, auction: Auction): Answer {
  const { request, position } = aboutAuction(turn, auction)
  return { code: ParlayCode.ok, request, position, auction: auction.number }
}
