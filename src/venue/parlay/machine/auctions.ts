import { assert } from '../../../unit/assert.ts'
import { feeFloor, type Micros, mulDivFloor, BPS } from '../../../unit/micros.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, NEVER_US } from '../../../unit/time.ts'
import { rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import {
  AuctionCancelled, AuctionEnd, AuctionOpened, AuctionReply, AuctionState, ParlayEvent, PositionState, Refusal,
} from '../protocol/events.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { forgetMakersOf, invalidateBids, releaseBids } from './bids.ts'
import { isNearClose } from './markets.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { openAuctionRow, openReply, refuseOnAuction, replyOnAuction } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

/** The most that the backing maker may pay to close its position, in microUSDC (PQ-390, readings A28). */
export function buybackBound(s: ParlayState, p: number): number {
  const positions = s.positions
  const stakeMicros = positions.cells[p + PositionCell.stakeMicros]!
  const riskMicros = positions.cells[p + PositionCell.riskMicros]!
  const feeBps = positions.words[p + PositionWord.profitFeeBps]!
  if (s.profile.buybackBoundGrossedUp === 1) return stakeMicros + mulDivFloor(riskMicros, BPS, BPS + feeBps)
  return stakeMicros + riskMicros - feeFloor(riskMicros as Micros, feeBps)
}

export function openCashout(s: ParlayState, c: ParlayCommand): void {
  const { positions, auctions, events } = s
  if (!Number.isInteger(c.position)) return refuseOnPosition(s, c, ParlayCode.invalid)
  const p = positions.rowOf(c.position)
  if (p === NONE || positions.words[p + PositionWord.holder] !== c.account) return refuseOnPosition(s, c, ParlayCode.notFound)
  if (positions.words[p + PositionWord.state] !== PositionState.executed) return refuseOnPosition(s, c, ParlayCode.conflict)
  if (positions.words[p + PositionWord.auction] !== NONE) return refuseOnPosition(s, c, ParlayCode.conflict)
  if (isNearClose(s, p)) return refuseOnPosition(s, c, ParlayCode.marketNearClose)

  const a = auctions.take()
  const { words, cells } = auctions
  words[a + AuctionWord.seller] = c.account
  words[a + AuctionWord.backer] = positions.words[p + PositionWord.backer]!
  words[a + AuctionWord.state] = AuctionState.active
  words[a + AuctionWord.version] = positions.words[p + PositionWord.version]!
  words[a + AuctionWord.firstBid] = words[a + AuctionWord.lastBid] = words[a + AuctionWord.bestBid] = words[a + AuctionWord.winner] = NONE
  cells[a + AuctionCell.number] = auctions.index.lastNumber
  cells[a + AuctionCell.position] = positions.cells[p + PositionCell.number]!
  cells[a + AuctionCell.request] = positions.cells[p + PositionCell.request]!
  cells[a + AuctionCell.payoutMicros] = positions.cells[p + PositionCell.stakeMicros]! + positions.cells[p + PositionCell.riskMicros]!
  cells[a + AuctionCell.boundMicros] = buybackBound(s, p)
  cells[a + AuctionCell.endsAtUs] = s.nowUs + s.profile.cashoutWindowMs * MS_US
  cells[a + AuctionCell.evictAtUs] = NEVER_US
  positions.words[p + PositionWord.auction] = a
  s.deadlines.push(cells[a + AuctionCell.endsAtUs]!, DeadlineRank.auction, cells[a + AuctionCell.number]!)
  const row = openAuctionRow(s, ParlayEvent.auctionOpened, a)
  events.write(row, AuctionOpened.backer, words[a + AuctionWord.backer]!)
  events.write(row, AuctionOpened.payoutMicros, cells[a + AuctionCell.payoutMicros]!)
  events.write(row, AuctionOpened.netStakeMicros, positions.cells[p + PositionCell.stakeMicros]!)
  events.write(row, AuctionOpened.basisMicros, positions.cells[p + PositionCell.basisMicros]!)
  events.write(row, AuctionOpened.boundMicros, cells[a + AuctionCell.boundMicros]!)
  events.write(row, AuctionOpened.endsAtUs, cells[a + AuctionCell.endsAtUs]!)
  pushPositionLegs(s, p)
  const answer = rowAs(AuctionReply, replyOnAuction(s, c, ParlayCode.ok, a))
  events.write(answer, AuctionReply.untilUs, cells[a + AuctionCell.endsAtUs]!)
}

export function cancelCashout(s: ParlayState, c: ParlayCommand): void {
  const auctions = s.auctions
  if (!Number.isInteger(c.auction)) return refuseOnAuction(s, c, ParlayCode.invalid)
  const a = auctions.rowOf(c.auction)
  if (a === NONE) return refuseOnAuction(s, c, ParlayCode.notFound)
  if (auctions.words[a + AuctionWord.seller] !== c.account) return refuseOnAuction(s, c, ParlayCode.forbidden)
  if (auctions.words[a + AuctionWord.state] === AuctionState.expired) return refuseOnAuction(s, c, ParlayCode.gone)
  if (auctions.words[a + AuctionWord.state] !== AuctionState.active) return refuseOnAuction(s, c, ParlayCode.auctionNotActive)

  cancelAuction(s, a, AuctionEnd.bySeller)
  replyOnAuction(s, c, ParlayCode.ok, a)
}

/** Cancels the active auction of a position that results have decided, if there is one, before it is paid. */
export function cancelAuctionOfDecided(s: ParlayState, p: number): void {
  const a = s.positions.words[p + PositionWord.auction]!
  if (a !== NONE) cancelAuction(s, a, AuctionEnd.positionDecided)
}

/** Deadline: the window of an active auction is over (PQ-416), or an ended one is forgotten (PQ-401). */
export function auctionDue(s: ParlayState, number: number): void {
  const auctions = s.auctions
  const a = auctions.rowOf(number)
  if (a === NONE) return
  if (auctions.words[a + AuctionWord.state] === AuctionState.active) {
    invalidateBids(s, a)
    endAuction(s, a, AuctionState.expired)
    openAuctionRow(s, ParlayEvent.auctionExpired, a)
  } else if (auctions.cells[a + AuctionCell.evictAtUs]! <= s.nowUs) {
    releaseBids(s, a)
    auctions.index.release(number)
  }
}

/** Puts an active auction into a final state and schedules its eviction. Its bids must have ended. */
export function endAuction(s: ParlayState, a: number, state: number): void {
  const { auctions, positions } = s
  auctions.words[a + AuctionWord.state] = state
  forgetMakersOf(s, a)
  auctions.cells[a + AuctionCell.evictAtUs] = s.nowUs + s.profile.auctionRetentionMs * MS_US
  const p = positions.rowOf(auctions.cells[a + AuctionCell.position]!)
  assert(p !== NONE, 'an auction ends before its position')
  positions.words[p + PositionWord.auction] = NONE
  s.deadlines.push(auctions.cells[a + AuctionCell.evictAtUs]!, DeadlineRank.auction, auctions.cells[a + AuctionCell.number]!)
}

/** Rejects the opening of an auction. The reply shows the position when it is open and the account's own (PQ-288). */
function refuseOnPosition(s: ParlayState, c: ParlayCommand, code: number): void {
  const row = rowAs(Refusal, openReply(s, s.cause, c.account, c.op, code, NONE))
  const p = s.positions.rowOf(c.position)
  if (p !== NONE && s.positions.words[p + PositionWord.holder] === c.account) s.events.write(row, Refusal.position, c.position)
}

function cancelAuction(s: ParlayState, a: number, why: number): void {
  invalidateBids(s, a)
  endAuction(s, a, AuctionState.cancelled)
  const row = openAuctionRow(s, ParlayEvent.auctionCancelled, a)
  s.events.write(row, AuctionCancelled.reason, why)
}

function pushPositionLegs(s: ParlayState, p: number): void {
  const { events, positions } = s
  const from = positions.legsFrom(p)
  for (let i = from; i < from + positions.words[p + PositionWord.legCount]!; i++) {
    events.push(positions.legMarkets[i]!)
    events.push(positions.legSides[i]!)
  }
}
