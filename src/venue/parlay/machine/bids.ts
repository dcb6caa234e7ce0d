import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { AuctionReply, AuctionState, BidFailed, BidOffer, BidRow, BidState, ParlayEvent, PriceRefusal } from '../protocol/events.ts'
import { hasWallet } from './accounts.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { BidCell, BidWord } from './bidRows.ts'
import { isNearClose } from './markets.ts'
import { openCashOutRow, openReply, refuseOnAuction, replyOnAuction } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

export function submitBid(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfBid(s, c)
  if (refusal === ParlayCode.priceAboveMaxPayout) return refusePrice(s, c)
  if (refusal !== ParlayCode.ok) return refuseOnAuction(s, c, refusal)
  const { auctions, bids, events } = s
  const a = auctions.rowOf(c.auction)

  const bestBefore = bestNumber(s, a)
  removeOwnBid(s, a, c.account)
  const b = bids.take()
  const { words, cells } = bids
  words[b + BidWord.auction] = a
  words[b + BidWord.maker] = c.account
  words[b + BidWord.state] = BidState.live
  cells[b + BidCell.number] = bids.index.lastNumber
  cells[b + BidCell.priceMicros] = c.amountMicros
  cells[b + BidCell.validUntilUs] = s.nowUs + (c.validMs === NONE ? s.profile.bidValidityDefaultMs : c.validMs) * MS_US
  append(s, a, b)
  s.makerBids.set(a, c.account, b)
  s.deadlines.push(cells[b + BidCell.validUntilUs]!, DeadlineRank.bidExpiry, cells[b + BidCell.number]!)
  const row = openBidRow(s, ParlayEvent.bidSubmitted, b)
  events.write(row, BidOffer.expiresAtUs, cells[b + BidCell.validUntilUs]!)
  tellBest(s, a, bestBefore)
  const answer = rowAs(AuctionReply, replyOnAuction(s, c, ParlayCode.ok, a))
  events.write(answer, AuctionReply.bid, cells[b + BidCell.number]!)
  events.write(answer, AuctionReply.untilUs, cells[b + BidCell.validUntilUs]!)
}

/** Deadline: the bid's validity. */
export function bidExpiryDue(s: ParlayState, number: number): void {
  const { bids, events } = s
  const b = bids.rowOf(number)
  if (b === NONE || bids.words[b + BidWord.state] !== BidState.live) return
  const a = bids.words[b + BidWord.auction]!
  const bestBefore = bestNumber(s, a)
  bids.words[b + BidWord.state] = BidState.expired
  const row = openBidRow(s, ParlayEvent.bidExpired, b)
  events.write(row, BidOffer.expiresAtUs, bids.cells[b + BidCell.validUntilUs]!)
  if (s.auctions.words[a + AuctionWord.bestBid] === b) findBest(s, a)
  tellBest(s, a, bestBefore)
}

/** Takes the best bid out because the seller's commit could not take it, for the reason `code`. The auction goes on. */
export function failBid(s: ParlayState, b: number, code: number): void {
  const a = s.bids.words[b + BidWord.auction]!
  const bestBefore = bestNumber(s, a)
  s.bids.words[b + BidWord.state] = BidState.failed
  const row = openBidRow(s, ParlayEvent.bidFailed, b)
  s.events.write(row, BidFailed.failure, code)
  findBest(s, a)
  tellBest(s, a, bestBefore)
}

/** Marks the best bid as the winner and invalidates the other live ones. */
export function winBid(s: ParlayState, b: number): void {
  s.bids.words[b + BidWord.state] = BidState.won
  openBidRow(s, ParlayEvent.bidWon, b)
  invalidateBids(s, s.bids.words[b + BidWord.auction]!)
}

/** Invalidates every live bid of an auction that ends, which leaves it without a best. */
export function invalidateBids(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  const bestBefore = bestNumber(s, a)
  for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = bids.words[b + BidWord.next]!) {
    if (bids.words[b + BidWord.state] !== BidState.live) continue
    bids.words[b + BidWord.state] = BidState.invalidated
    openBidRow(s, ParlayEvent.bidInvalidated, b)
  }
  auctions.words[a + AuctionWord.bestBid] = NONE
  tellBest(s, a, bestBefore)
}

/** Removes the entries of the makers' bids in an auction that ends, because no maker can replace a bid any more. */
export function forgetMakersOf({ auctions, bids: { words }, makerBids }: ParlayState, a: number): void {
  for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = words[b + BidWord.next]!) makerBids.remove(a, words[b + BidWord.maker]!)
}

/** Gives the rows of all bids of the auction back. */
export function releaseBids(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = bids.words[b + BidWord.next]!) bids.index.release(bids.cells[b + BidCell.number]!)
}

/** Rejects a bid above the position's total payout, which the reply shows. */
function refusePrice(s: ParlayState, c: ParlayCommand): void {
  const { auctions, events } = s
  const row = rowAs(PriceRefusal, openReply(s, s.cause, c.account, c.op, ParlayCode.priceAboveMaxPayout, NONE))
  events.write(row, PriceRefusal.auction, c.auction)
  events.write(row, PriceRefusal.maxPriceMicros, auctions.cells[auctions.rowOf(c.auction) + AuctionCell.payoutMicros]!)
}

/** Why a bid is refused, or ok. */
function refusalOfBid(s: ParlayState, c: ParlayCommand): number {
  if (!isBidValid(s, c)) return ParlayCode.invalid
  const { auctions, positions, profile } = s
  const a = auctions.rowOf(c.auction)
  if (a === NONE) return ParlayCode.notFound
  if (auctions.words[a + AuctionWord.seller] === c.account) return ParlayCode.selfQuote
  if (auctions.words[a + AuctionWord.state] === AuctionState.expired) return ParlayCode.auctionExpired
  if (auctions.words[a + AuctionWord.state] !== AuctionState.active) return ParlayCode.auctionNotActive
  if (isNearClose(s, positions.rowOf(auctions.cells[a + AuctionCell.position]!))) return ParlayCode.marketNearClose
  const isBacker = auctions.words[a + AuctionWord.backer] === c.account
  if (isBacker && !hasWallet(s, c.account)) return ParlayCode.buybackWalletMissing
  if (c.amountMicros > auctions.cells[a + AuctionCell.payoutMicros]!) return ParlayCode.priceAboveMaxPayout
  const isBoundChecked = isBacker && profile.buybackBoundAtBid === 1
  return isBoundChecked && c.amountMicros > auctions.cells[a + AuctionCell.boundMicros]! ? ParlayCode.priceAboveBuybackBound : ParlayCode.ok
}

function isBidValid(s: ParlayState, c: ParlayCommand): boolean {
  const { bidValidityMinMs, bidValidityMaxMs } = s.profile
  if (!(Number.isInteger(c.auction) && Number.isInteger(c.amountMicros) && c.amountMicros >= 1)) return false
  return c.validMs === NONE || (Number.isInteger(c.validMs) && c.validMs >= bidValidityMinMs && c.validMs <= bidValidityMaxMs)
}

/** Opens a row about a bid: its auction, its maker, the seller and the price. */
function openBidRow<N extends KindOf<typeof BidRow>>(s: ParlayState, kind: Kind<N>, b: number): Row<N> {
  const { auctions, bids, events } = s
  const a = bids.words[b + BidWord.auction]!
  const row = openCashOutRow(s, kind, a)
  events.write(row, BidRow.maker, bids.words[b + BidWord.maker]!)
  events.write(row, BidRow.seller, auctions.words[a + AuctionWord.seller]!)
  events.write(row, BidRow.bid, bids.cells[b + BidCell.number]!)
  events.write(row, BidRow.priceMicros, bids.cells[b + BidCell.priceMicros]!)
  return row
}

const bestNumber = (s: ParlayState, a: number): number => {
  const best = s.auctions.words[a + AuctionWord.bestBid]!
  return best === NONE ? NONE : s.bids.cells[best + BidCell.number]!
}

/** Takes the maker's former bid out of the auction and gives its row back. Writes a row if the bid was live (readings A31). */
function removeOwnBid(s: ParlayState, a: number, maker: number): void {
  const b = s.makerBids.get(a, maker)
  if (b === NONE) return
  const { auctions, bids } = s
  if (bids.words[b + BidWord.state] === BidState.live) {
    const row = openBidRow(s, ParlayEvent.bidReplaced, b)
    s.events.write(row, BidOffer.expiresAtUs, bids.cells[b + BidCell.validUntilUs]!)
  }
  const before = bids.words[b + BidWord.before]!
  const next = bids.words[b + BidWord.next]!
  if (before === NONE) auctions.words[a + AuctionWord.firstBid] = next
  else bids.words[before + BidWord.next] = next
  if (next === NONE) auctions.words[a + AuctionWord.lastBid] = before
  else bids.words[next + BidWord.before] = before
  bids.index.release(bids.cells[b + BidCell.number]!)
  if (auctions.words[a + AuctionWord.bestBid] === b) findBest(s, a)
}

/** Appends a live bid, whose number is the highest, and makes it the best if its price is higher than the best's. */
function append(s: ParlayState, a: number, b: number): void {
  const { auctions, bids } = s
  const last = auctions.words[a + AuctionWord.lastBid]!
  if (last === NONE) auctions.words[a + AuctionWord.firstBid] = b
  else bids.words[last + BidWord.next] = b
  auctions.words[a + AuctionWord.lastBid] = b
  bids.words[b + BidWord.before] = last
  bids.words[b + BidWord.next] = NONE
  const best = auctions.words[a + AuctionWord.bestBid]!
  if (best === NONE || bids.cells[b + BidCell.priceMicros]! > bids.cells[best + BidCell.priceMicros]!) auctions.words[a + AuctionWord.bestBid] = b
}

/** Scans the auction for its best live bid: highest price, then lowest number (readings A31). */
function findBest(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  let best = NONE
  let bestMicros = 0
  for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = bids.words[b + BidWord.next]!) {
    if (bids.words[b + BidWord.state] !== BidState.live || bids.cells[b + BidCell.priceMicros]! <= bestMicros) continue
    best = b
    bestMicros = bids.cells[b + BidCell.priceMicros]!
  }
  auctions.words[a + AuctionWord.bestBid] = best
}

/** Writes a row about the auction's best bid if it is not number `before`. */
function tellBest(s: ParlayState, a: number, before: number): void {
  const { auctions, bids, events } = s
  if (bestNumber(s, a) === before) return
  const best = auctions.words[a + AuctionWord.bestBid]!
  if (best === NONE) {
    const none = openCashOutRow(s, ParlayEvent.bestBidChanged, a)
    events.write(none, BidRow.seller, auctions.words[a + AuctionWord.seller]!)
    return
  }
  const row = openBidRow(s, ParlayEvent.bestBidChanged, best)
  events.write(row, BidOffer.expiresAtUs, bids.cells[best + BidCell.validUntilUs]!)
}
