import { EntityColumns } from '../../../unit/countedColumns.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { hasWallet } from './accounts.ts'
import { isNearClose, openAuctionRow, refuseOnAuction, replyOnAuction } from './auctions.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US } = timeModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { AuctionState, BidState, ParlayEvent } = eventsModule

/** Cash-out bids by slot: of each maker its last one in each known auction, in whatever state. */
export class BidColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  /** Slot of the auction. */
  auction = new Int32Array(this.capacity)
  maker = new Int32Array(this.capacity)
  state = new Uint8Array(this.capacity)
  priceMicros = new Float64Array(this.capacity)
  validUntilUs = new Float64Array(this.capacity)
  /** Bids of the auction after and before this one, by number, or −1. */
  next = new Int32Array(this.capacity)
  before = new Int32Array(this.capacity)
}

export function submitBid(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfBid(s, c)
  if (refusal !== ParlayCode.ok) {
    refuseOnAuction(s, c, refusal)
    if (refusal === ParlayCode.priceAboveMaxPayout) {
      s.events.set(Field.amountC, s.auctions.payoutMicros[s.auctions.index.slotOf(c.auction)]!)
    }
    return
  }
  const { auctions, bids, events } = s
  const a = auctions.index.slotOf(c.auction)

  const bestBefore = bestNumber(s, a)
  removeOwnBid(s, a, c.account)
  const b = bids.take()
  bids.number[b] = bids.index.lastNumber
  bids.auction[b] = a
  bids.maker[b] = c.account
  bids.state[b] = BidState.live
  bids.priceMicros[b] = c.amountMicros
  bids.validUntilUs[b] = s.nowUs + (c.validMs === NONE ? s.profile.bidValidityDefaultMs : c.validMs) * MS_US
  append(s, a, b)
  s.makerBids.set(a, c.account, b)
  s.deadlines.push(bids.validUntilUs[b]!, DeadlineRank.bidExpiry, bids.number[b]!)
  openBidRow(s, ParlayEvent.bidSubmitted, b)
  events.set(Field.untilUs, bids.validUntilUs[b]!)
  tellBest(s, a, bestBefore)
  replyOnAuction(s, c, ParlayCode.ok, a)
  events.set(Field.quote, bids.number[b]!)
  events.set(Field.untilUs, bids.validUntilUs[b]!)
}

/** Deadline: the bid's validity. */
export function bidExpiryDue(s: ParlayState, number: number): void {
  const { bids, events } = s
  const b = bids.index.slotOf(number)
  if (b === NONE || bids.state[b] !== BidState.live) return
  const a = bids.auction[b]!
  const bestBefore = bestNumber(s, a)
  bids.state[b] = BidState.expired
  openBidRow(s, ParlayEvent.bidExpired, b)
  events.set(Field.untilUs, bids.validUntilUs[b]!)
  if (s.auctions.bestBid[a] === b) findBest(s, a)
  tellBest(s, a, bestBefore)
}

/** Takes the best bid out as one that the seller's commit could not take, for the reason `code`; the auction goes on. */
export function failBid(s: ParlayState, b: number, code: number): void {
  const a = s.bids.auction[b]!
  const bestBefore = bestNumber(s, a)
  s.bids.state[b] = BidState.failed
  openBidRow(s, ParlayEvent.bidFailed, b)
  s.events.set(Field.code, code)
  findBest(s, a)
  tellBest(s, a, bestBefore)
}

/** Marks the best bid as the winner and invalidates the other live ones. */
export function winBid(s: ParlayState, b: number): void {
  s.bids.state[b] = BidState.won
  openBidRow(s, ParlayEvent.bidWon, b)
  invalidateBids(s, s.bids.auction[b]!)
}

/** Invalidates every live bid of an auction that ends, which leaves it without a best. */
export function invalidateBids(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  const bestBefore = bestNumber(s, a)
  for (let b = auctions.firstBid[a]!; b !== NONE; b = bids.next[b]!) {
    if (bids.state[b] !== BidState.live) continue
    bids.state[b] = BidState.invalidated
    openBidRow(s, ParlayEvent.bidInvalidated, b)
  }
  auctions.bestBid[a] = NONE
  tellBest(s, a, bestBefore)
}

/** Gives the slots of all bids of the auction back. */
export function releaseBids(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  for (let b = auctions.firstBid[a]!; b !== NONE; b = bids.next[b]!) bids.index.release(bids.number[b]!)
}

/** Why a bid is refused, or ok. */
function refusalOfBid(s: ParlayState, c: ParlayCommand): number {
  if (!isBidValid(s, c)) return ParlayCode.invalid
  const { auctions, positions, profile } = s
  const a = auctions.index.slotOf(c.auction)
  if (a === NONE) return ParlayCode.notFound
  if (auctions.seller[a] === c.account) return ParlayCode.selfQuote
  if (auctions.state[a] === AuctionState.expired) return ParlayCode.auctionExpired
  if (auctions.state[a] !== AuctionState.active) return ParlayCode.auctionNotActive
  if (isNearClose(s, positions.index.slotOf(auctions.position[a]!))) return ParlayCode.marketNearClose
  const isBacker = auctions.backer[a] === c.account
  if (isBacker && !hasWallet(s, c.account)) return ParlayCode.buybackWalletMissing
  if (c.amountMicros > auctions.payoutMicros[a]!) return ParlayCode.priceAboveMaxPayout
  const isBoundChecked = isBacker && profile.buybackBoundAtBid === 1
  return isBoundChecked && c.amountMicros > auctions.boundMicros[a]! ? ParlayCode.priceAboveBuybackBound : ParlayCode.ok
}

function isBidValid(s: ParlayState, c: ParlayCommand): boolean {
  const { bidValidityMinMs, bidValidityMaxMs } = s.profile
  if (!(Number.isInteger(c.auction) && Number.isInteger(c.amountMicros) && c.amountMicros >= 1)) return false
  return c.validMs === NONE || (Number.isInteger(c.validMs) && c.validMs >= bidValidityMinMs && c.validMs <= bidValidityMaxMs)
}

/** Opens a row about a bid: its auction, its maker, the seller and the price. */
function openBidRow(s: ParlayState, event: number, b: number): void {
  const { auctions, bids, events } = s
  const a = bids.auction[b]!
  openAuctionRow(s, event, a, bids.maker[b]!)
  events.set(Field.other, auctions.seller[a]!)
  events.set(Field.quote, bids.number[b]!)
  events.set(Field.amountA, bids.priceMicros[b]!)
}

const bestNumber = (s: ParlayState, a: number): number => {
  const best = s.auctions.bestBid[a]!
  return best === NONE ? NONE : s.bids.number[best]!
}

/** Finds each maker's bids anew in all known auctions. */
export function tabulateBids({ auctions, bids, makerBids }: ParlayState): void {
  for (let a = 0; a < auctions.index.slotCount; a++) {
    if (auctions.index.slotOf(auctions.number[a]!) !== a) continue
    makerBids.open(a)
    for (let b = auctions.firstBid[a]!; b !== NONE; b = bids.next[b]!) makerBids.set(a, bids.maker[b]!, b)
  }
}

/** Takes the maker's former bid out of the auction and gives its slot back; tells it if it was live (readings A31). */
function removeOwnBid(s: ParlayState, a: number, maker: number): void {
  const b = s.makerBids.get(a, maker)
  if (b === NONE) return
  const { auctions, bids } = s
  if (bids.state[b] === BidState.live) {
    openBidRow(s, ParlayEvent.bidReplaced, b)
    s.events.set(Field.untilUs, bids.validUntilUs[b]!)
  }
  const before = bids.before[b]!
  const next = bids.next[b]!
  if (before === NONE) auctions.firstBid[a] = next
  else bids.next[before] = next
  if (next === NONE) auctions.lastBid[a] = before
  else bids.before[next] = before
  bids.index.release(bids.number[b]!)
  if (auctions.bestBid[a] === b) findBest(s, a)
}

/** Appends a live bid, whose number is the highest, and makes it the best if its price is higher than the best's. */
function append(s: ParlayState, a: number, b: number): void {
  const { auctions, bids } = s
  const last = auctions.lastBid[a]!
  if (last === NONE) auctions.firstBid[a] = b
  else bids.next[last] = b
  auctions.lastBid[a] = b
  bids.before[b] = last
  bids.next[b] = NONE
  const best = auctions.bestBid[a]!
  if (best === NONE || bids.priceMicros[b]! > bids.priceMicros[best]!) auctions.bestBid[a] = b
}

/** Scans the auction for its best live bid: highest price, then lowest number (readings A31). */
function findBest(s: ParlayState, a: number): void {
  const { auctions, bids } = s
  let best = NONE
  let bestMicros = 0
  for (let b = auctions.firstBid[a]!; b !== NONE; b = bids.next[b]!) {
    if (bids.state[b] !== BidState.live || bids.priceMicros[b]! <= bestMicros) continue
    best = b
    bestMicros = bids.priceMicros[b]!
  }
  auctions.bestBid[a] = best
}

/** Tells the auction's best bid if it is another than number `before`. */
function tellBest(s: ParlayState, a: number, before: number): void {
  const { auctions, bids, events } = s
  if (bestNumber(s, a) === before) return
  const best = auctions.bestBid[a]!
  openAuctionRow(s, ParlayEvent.bestBidChanged, a, best === NONE ? NONE : bids.maker[best]!)
  events.set(Field.other, auctions.seller[a]!)
  if (best === NONE) return
  events.set(Field.quote, bids.number[best]!)
  events.set(Field.amountA, bids.priceMicros[best]!)
  events.set(Field.untilUs, bids.validUntilUs[best]!)
}
