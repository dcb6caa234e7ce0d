import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import {
  AuctionRow, CashOutReply, CashOutRow, ParlayEvent, PositionRow, Refusal, Reply, RequestRow, StatusChanged,
} from '../protocol/events.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'
import type { ParlayState } from './state.ts'

/** Opens a row about the request whose row begins at `r`, at its present version. */
export function openRequestRow<N extends KindOf<typeof RequestRow>>(s: ParlayState, kind: Kind<N>, r: number): Row<N> {
  const { events, requests } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, RequestRow.request, requests.cells[r + RequestCell.number]!)
  events.write(row, RequestRow.version, requests.words[r + RequestWord.version]!)
  return row
}

/** Opens a row about the position whose row begins at `p`, at its committed version: its holder, its backing maker. */
export function openPositionRow<N extends KindOf<typeof PositionRow>>(s: ParlayState, kind: Kind<N>, p: number): Row<N> {
  const { events, positions } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, PositionRow.holder, positions.words[p + PositionWord.holder]!)
  events.write(row, PositionRow.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, PositionRow.request, positions.cells[p + PositionCell.request]!)
  events.write(row, PositionRow.version, positions.words[p + PositionWord.version]!)
  events.write(row, PositionRow.position, positions.cells[p + PositionCell.number]!)
  return row
}

/** Writes a row about a `ParlayStatus` of position `p`, whose request may be forgotten. */
export function tellPositionStatus(s: ParlayState, p: number, status: number): void {
  const { events, positions } = s
  const row = events.open(s.nowUs, ParlayEvent.statusChanged, s.cause)
  events.write(row, StatusChanged.owner, positions.words[p + PositionWord.holder]!)
  events.write(row, StatusChanged.request, positions.cells[p + PositionCell.request]!)
  events.write(row, StatusChanged.version, positions.words[p + PositionWord.version]!)
  events.write(row, StatusChanged.quote, positions.cells[p + PositionCell.quote]!)
  events.write(row, StatusChanged.status, status)
}

/** Opens a row about an auction as such: its seller and its position. */
export function openAuctionRow<N extends KindOf<typeof AuctionRow>>(s: ParlayState, kind: Kind<N>, a: number): Row<N> {
  const row = openCashOutRow(s, kind, a)
  s.events.write(row, AuctionRow.seller, s.auctions.words[a + AuctionWord.seller]!)
  return row
}

/** Opens a row about a cash-out: its auction and its position. */
export function openCashOutRow<N extends KindOf<typeof CashOutRow>>(s: ParlayState, kind: Kind<N>, a: number): Row<N> {
  const { auctions, events } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, CashOutRow.request, auctions.cells[a + AuctionCell.request]!)
  events.write(row, CashOutRow.version, auctions.words[a + AuctionWord.version]!)
  events.write(row, CashOutRow.position, auctions.cells[a + AuctionCell.position]!)
  events.write(row, CashOutRow.auction, auctions.cells[a + AuctionCell.number]!)
  return row
}

/** Appends the request's legs to the row opened last, as market, side pairs. */
export function pushRequestLegs(s: ParlayState, r: number): void {
  const { events, requests } = s
  const from = requests.legsFrom(r)
  for (let i = from; i < from + requests.words[r + RequestWord.legCount]!; i++) {
    events.push(requests.legMarkets[i]!)
    events.push(requests.legSides[i]!)
  }
}

/** Opens the reply, or the rejection, of a command that names no request. */
export function reply(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
}

/** Opens the reply to a command on the request whose row begins at `r`. */
export function replyOn(s: ParlayState, c: ParlayCommand, code: number, r: number): Row<'parlay.reply'> {
  return openReply(s, s.cause, c.account, c.op, code, s.requests.cells[r + RequestCell.number]!)
}

/** Opens a reply to the command `cause`. The caller writes what else the answer shows. */
export function openReply(s: ParlayState, cause: number, account: number, op: number, code: number, request: number): Row<'parlay.reply'> {
  const { events } = s
  const row = events.open(s.nowUs, ParlayEvent.reply, cause)
  events.write(row, Reply.account, account)
  events.write(row, Reply.op, op)
  events.write(row, Reply.code, code)
  events.write(row, Reply.request, request)
  return row
}

/** Rejects a command whose opcode names a request. The reply shows the request when it is known. */
export function refuseOn(s: ParlayState, c: ParlayCommand, code: number): void {
  openRefusalOn(s, c, code)
}

export function openRefusalOn(s: ParlayState, c: ParlayCommand, code: number): Row<'parlay.reply'> {
  const known = s.requests.rowOf(c.request) !== NONE
  return openReply(s, s.cause, c.account, c.op, code, known ? c.request : NONE)
}

/** Opens the reply to a command on auction `a`, with its position and request. */
export function replyOnAuction(s: ParlayState, c: ParlayCommand, code: number, a: number): Row<KindOf<typeof CashOutReply>> {
  const { auctions, events } = s
  const row = rowAs(CashOutReply, openReply(s, s.cause, c.account, c.op, code, auctions.cells[a + AuctionCell.request]!))
  events.write(row, CashOutReply.position, auctions.cells[a + AuctionCell.position]!)
  events.write(row, CashOutReply.auction, auctions.cells[a + AuctionCell.number]!)
  return row
}

/** Rejects a command whose opcode names an auction. The reply shows the auction when it is known. */
export function refuseOnAuction(s: ParlayState, c: ParlayCommand, code: number): void {
  const row = openReply(s, s.cause, c.account, c.op, code, NONE)
  if (s.auctions.rowOf(c.auction) !== NONE) s.events.write(rowAs(Refusal, row), Refusal.auction, c.auction)
}
