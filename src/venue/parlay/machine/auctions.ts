import { EntityColumns } from '../../../unit/countedColumns.ts'
import { feeFloor, type Micros, mulDivFloor, BPS } from '../../../unit/micros.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { invalidateBids, releaseBids } from './bids.ts'
import { openReply } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US, NEVER_US } = timeModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { AuctionEnd, AuctionState, ParlayEvent, PositionState } = eventsModule

/** Cash-out auctions by slot, until they are evicted: they outlive positions that are bought back or settled. */
export class AuctionColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  /** Numbers of the position and of its request. */
  position = new Float64Array(this.capacity)
  request = new Float64Array(this.capacity)
  version = new Int32Array(this.capacity)
  /** Holder of the position when the auction opened. */
  seller = new Int32Array(this.capacity)
  /** `counterparty_mm_id` (PQ-092). */
  backer = new Int32Array(this.capacity)
  payoutMicros = new Float64Array(this.capacity)
  /** Highest price that the backing maker may pay (readings A28). */
  boundMicros = new Float64Array(this.capacity)
  state = new Uint8Array(this.capacity)
  endsAtUs = new Float64Array(this.capacity)
  /** When the ended auction is forgotten; meaningless while it is active. */
  evictAtUs = new Float64Array(this.capacity)
  /** Account of the maker whose bid won (PQ-093), or −1. */
  winner = new Int32Array(this.capacity)
  /** Bid slots by ascending number, linked through `BidColumns.next`; −1 when empty. */
  firstBid = new Int32Array(this.capacity)
  lastBid = new Int32Array(this.capacity)
  /** Slot of the best live bid, or −1. */
  bestBid = new Int32Array(this.capacity)
}

/** Whether cash-outs of the position in slot `p` are cut off (PQ-417, readings A33). */
export function isNearClose(s: ParlayState, p: number): boolean {
  const { positions, markets, profile, nowUs } = s
  const from = p * positions.legWidth
  for (let i = from; i < from + positions.legCount[p]!; i++) {
    const market = positions.legMarkets[i]!
    if (profile.cutoffSkipsResolvedLegs === 1 && markets.resolved[market] === 1) continue
    if (nowUs >= markets.closeUs[market]! - s.cashoutCutoffUs) return true
  }
  return false
}

/** The most that the backing maker may pay to close its position, in microUSDC (PQ-390, readings A28). */
export function buybackBound(s: ParlayState, p: number): number {
  const positions = s.positions
  const stakeMicros = positions.stakeMicros[p]!
  const riskMicros = positions.riskMicros[p]!
  const feeBps = positions.profitFeeBps[p]!
  if (s.profile.buybackBoundGrossedUp === 1) return stakeMicros + mulDivFloor(riskMicros, BPS, BPS + feeBps)
  return stakeMicros + riskMicros - feeFloor(riskMicros as Micros, feeBps)
}

export function openCashout(s: ParlayState, c: ParlayCommand): void {
  const { positions, auctions, events } = s
  if (!Number.isInteger(c.position)) return refuseOnPosition(s, c, ParlayCode.invalid)
  const p = positions.index.slotOf(c.position)
  if (p === NONE || positions.holder[p] !== c.account) return refuseOnPosition(s, c, ParlayCode.notFound)
  if (positions.state[p] !== PositionState.executed) return refuseOnPosition(s, c, ParlayCode.conflict)
  if (positions.auction[p] !== NONE) return refuseOnPosition(s, c, ParlayCode.conflict)
  if (isNearClose(s, p)) return refuseOnPosition(s, c, ParlayCode.marketNearClose)

  const a = auctions.take()
  auctions.number[a] = auctions.index.lastNumber
  auctions.position[a] = positions.number[p]!
  auctions.request[a] = positions.request[p]!
  auctions.version[a] = positions.version[p]!
  auctions.seller[a] = c.account
  auctions.backer[a] = positions.backer[p]!
  auctions.payoutMicros[a] = positions.stakeMicros[p]! + positions.riskMicros[p]!
  auctions.boundMicros[a] = buybackBound(s, p)
  auctions.state[a] = AuctionState.active
  auctions.endsAtUs[a] = s.nowUs + s.profile.cashoutWindowMs * MS_US
  auctions.evictAtUs[a] = NEVER_US
  s.makerBids.open(a)
  auctions.winner[a] = auctions.firstBid[a] = auctions.lastBid[a] = auctions.bestBid[a] = NONE
  positions.auction[p] = a
  s.deadlines.push(auctions.endsAtUs[a]!, DeadlineRank.auction, auctions.number[a]!)
  openAuctionRow(s, ParlayEvent.auctionOpened, a, c.account)
  events.set(Field.other, auctions.backer[a]!)
  events.set(Field.amountA, auctions.payoutMicros[a]!)
  events.set(Field.amountB, positions.stakeMicros[p]!)
  events.set(Field.amountC, positions.basisMicros[p]!)
  events.set(Field.amountD, auctions.boundMicros[a]!)
  events.set(Field.untilUs, auctions.endsAtUs[a]!)
  pushPositionLegs(s, p)
  replyOnAuction(s, c, ParlayCode.ok, a)
  events.set(Field.untilUs, auctions.endsAtUs[a]!)
}

export function cancelCashout(s: ParlayState, c: ParlayCommand): void {
  const auctions = s.auctions
  if (!Number.isInteger(c.auction)) return refuseOnAuction(s, c, ParlayCode.invalid)
  const a = auctions.index.slotOf(c.auction)
  if (a === NONE) return refuseOnAuction(s, c, ParlayCode.notFound)
  if (auctions.seller[a] !== c.account) return refuseOnAuction(s, c, ParlayCode.forbidden)
  if (auctions.state[a] === AuctionState.expired) return refuseOnAuction(s, c, ParlayCode.gone)
  if (auctions.state[a] !== AuctionState.active) return refuseOnAuction(s, c, ParlayCode.auctionNotActive)

  cancelAuction(s, a, AuctionEnd.bySeller)
  replyOnAuction(s, c, ParlayCode.ok, a)
}

/** Cancels the active auction of a position that results have decided, if there is one, before it is paid. */
export function cancelAuctionOfDecided(s: ParlayState, p: number): void {
  const a = s.positions.auction[p]!
  if (a !== NONE) cancelAuction(s, a, AuctionEnd.positionDecided)
}

/** Deadline: the window of an active auction is over (PQ-416), or an ended one is forgotten (PQ-401). */
export function auctionDue(s: ParlayState, number: number): void {
  const auctions = s.auctions
  const a = auctions.index.slotOf(number)
  if (a === NONE) return
  if (auctions.state[a] === AuctionState.active) {
    invalidateBids(s, a)
    endAuction(s, a, AuctionState.expired)
    openAuctionRow(s, ParlayEvent.auctionExpired, a, auctions.seller[a]!)
  } else if (auctions.evictAtUs[a]! <= s.nowUs) {
    releaseBids(s, a)
    auctions.index.release(number)
  }
}

/** Puts an active auction into a final state and schedules its eviction. Its bids must have ended. */
export function endAuction(s: ParlayState, a: number, state: number): void {
  const { auctions, positions } = s
  auctions.state[a] = state
  auctions.evictAtUs[a] = s.nowUs + s.profile.auctionRetentionMs * MS_US
  positions.auction[positions.index.slotOf(auctions.position[a]!)] = NONE
  s.deadlines.push(auctions.evictAtUs[a]!, DeadlineRank.auction, auctions.number[a]!)
}

/** Opens a row about an auction and its position. */
export function openAuctionRow(s: ParlayState, event: number, a: number, account: number): void {
  const { auctions, events } = s
  events.open(s.nowUs, event, s.cause)
  events.set(Field.account, account)
  events.set(Field.request, auctions.request[a]!)
  events.set(Field.version, auctions.version[a]!)
  events.set(Field.position, auctions.position[a]!)
  events.set(Field.auction, auctions.number[a]!)
}

/** Opens the reply to a command on auction `a`, with its position and request. */
export function replyOnAuction(s: ParlayState, c: ParlayCommand, code: number, a: number): void {
  const { auctions, events } = s
  openReply(s, s.cause, c.account, c.op, code, auctions.request[a]!)
  events.set(Field.position, auctions.position[a]!)
  events.set(Field.auction, auctions.number[a]!)
}

/** Rejects a command whose opcode names an auction; the reply shows it when it is a known one. */
export function refuseOnAuction(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
  if (s.auctions.index.slotOf(c.auction) !== NONE) s.events.set(Field.auction, c.auction)
}

/** Rejects the opening of an auction; the reply shows the position when it is open and the account's own (PQ-288). */
function refuseOnPosition(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
  const p = s.positions.index.slotOf(c.position)
  if (p !== NONE && s.positions.holder[p] === c.account) s.events.set(Field.position, c.position)
}

function cancelAuction(s: ParlayState, a: number, why: number): void {
  invalidateBids(s, a)
  endAuction(s, a, AuctionState.cancelled)
  openAuctionRow(s, ParlayEvent.auctionCancelled, a, s.auctions.seller[a]!)
  s.events.set(Field.code, why)
}

function pushPositionLegs(s: ParlayState, p: number): void {
  const { events, positions } = s
  const from = p * positions.legWidth
  for (let i = from; i < from + positions.legCount[p]!; i++) {
    events.push(positions.legMarkets[i]!)
    events.push(positions.legSides[i]!)
  }
}
