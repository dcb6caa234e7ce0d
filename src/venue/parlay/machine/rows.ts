import { Field, NONE } from '../../eventRows.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import { AuctionCell, AuctionWord } from './auctionRows.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'
import type { ParlayState } from './state.ts'

/** Opens a row about the request whose row begins at `r`, at its present version, and returns its first cell. */
export function openRequestRow(s: ParlayState, kind: number, r: number, account: number): number {
  const { events, requests } = s
  const at = events.open(s.nowUs, kind, s.cause)
  const { cells } = events
  cells[at + Field.account] = account
  cells[at + Field.request] = requests.cells[r + RequestCell.number]!
  cells[at + Field.version] = requests.words[r + RequestWord.version]!
  return at
}

/** Opens a row about the position whose row begins at `p`, at its committed version: its holder, its backing maker. */
export function openPositionRow(s: ParlayState, event: number, p: number): void {
  const { events, positions } = s
  events.open(s.nowUs, event, s.cause)
  events.set(Field.account, positions.words[p + PositionWord.holder]!)
  events.set(Field.other, positions.words[p + PositionWord.backer]!)
  events.set(Field.request, positions.cells[p + PositionCell.request]!)
  events.set(Field.version, positions.words[p + PositionWord.version]!)
  events.set(Field.position, positions.cells[p + PositionCell.number]!)
}

/** Tells a `ParlayStatus` of position `p`, whose request may be forgotten. */
export function tellPositionStatus(s: ParlayState, p: number, status: number): void {
  const { events, positions } = s
  events.open(s.nowUs, ParlayEvent.statusChanged, s.cause)
  events.set(Field.account, positions.words[p + PositionWord.holder]!)
  events.set(Field.request, positions.cells[p + PositionCell.request]!)
  events.set(Field.version, positions.words[p + PositionWord.version]!)
  events.set(Field.quote, positions.cells[p + PositionCell.quote]!)
  events.set(Field.amountA, status)
}

/** Opens a row about an auction and its position. */
export function openAuctionRow(s: ParlayState, event: number, a: number, account: number): void {
  const { auctions, events } = s
  events.open(s.nowUs, event, s.cause)
  events.set(Field.account, account)
  events.set(Field.request, auctions.cells[a + AuctionCell.request]!)
  events.set(Field.version, auctions.words[a + AuctionWord.version]!)
  events.set(Field.position, auctions.cells[a + AuctionCell.position]!)
  events.set(Field.auction, auctions.cells[a + AuctionCell.number]!)
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

/** Opens the reply to a command that names no request: its rejection too. */
export function reply(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
}

/** Opens the reply to a command on the request whose row begins at `r` and returns its first cell. */
export function replyOn(s: ParlayState, c: ParlayCommand, code: number, r: number): number {
  return openReply(s, s.cause, c.account, c.op, code, s.requests.cells[r + RequestCell.number]!)
}

/** Opens a reply to the command `cause` and returns its first cell; the fields of its answer are then set on it. */
export function openReply(s: ParlayState, cause: number, account: number, op: number, code: number, request: number): number {
  const { events } = s
  const at = events.open(s.nowUs, ParlayEvent.reply, cause)
  const { cells } = events
  cells[at + Field.account] = account
  cells[at + Field.amountA] = op
  cells[at + Field.code] = code
  cells[at + Field.request] = request
  return at
}

/** Rejects a command whose opcode names a request; the reply shows it when it is a known one. */
export function refuseOn(s: ParlayState, c: ParlayCommand, code: number): void {
  const known = s.requests.rowOf(c.request) !== NONE
  openReply(s, s.cause, c.account, c.op, code, known ? c.request : NONE)
}

/** Opens the reply to a command on auction `a`, with its position and request. */
export function replyOnAuction(s: ParlayState, c: ParlayCommand, code: number, a: number): void {
  const { auctions, events } = s
  openReply(s, s.cause, c.account, c.op, code, auctions.cells[a + AuctionCell.request]!)
  events.set(Field.position, auctions.cells[a + AuctionCell.position]!)
  events.set(Field.auction, auctions.cells[a + AuctionCell.number]!)
}

/** Rejects a command whose opcode names an auction; the reply shows it when it is a known one. */
export function refuseOnAuction(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
  if (s.auctions.rowOf(c.auction) !== NONE) s.events.set(Field.auction, c.auction)
}
