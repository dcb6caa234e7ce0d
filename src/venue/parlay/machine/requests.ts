import { assert } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { type Kind, type KindOf, rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { contentTag, type ParlayCommand } from '../protocol/commands.ts'
import {
  CancelReason, ParlayEvent, ParlayStatus, PositionCancelled, RequestCreated, RequestEnded, RequestReply, RequestState, StatusChanged,
} from '../protocol/events.ts'
import { countCancelled, countExpired } from './accounts.ts'
import { codeOfLegs } from './markets.ts'
import { forgetMakersOf, invalidateQuotes, releaseQuotes } from './quotes.ts'
import { openRequestRow, pushRequestLegs, refuseOn, reply, replyOn } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { RequestCell, RequestWord } from './requestRows.ts'

/** Whether the request takes no change now: it has ended, or waits for a confirmation (PQ-117, readings A12). */
export const isClosedToChange = (s: ParlayState, r: number): boolean =>
  s.requests.words[r + RequestWord.state] !== RequestState.active || s.requests.words[r + RequestWord.pendingQuote] !== NONE

export function createRequest(s: ParlayState, c: ParlayCommand): void {
  if (!isBodyValid(s, c)) return reply(s, c, ParlayCode.invalid)
  const legs = codeOfLegs(s, c)
  if (legs !== ParlayCode.ok) return reply(s, c, legs)

  const requests = s.requests
  const r = requests.take()
  const { words } = requests
  requests.cells[r + RequestCell.number] = requests.index.lastNumber
  words[r + RequestWord.owner] = c.account
  words[r + RequestWord.state] = RequestState.active
  words[r + RequestWord.version] = 1
  words[r + RequestWord.bookSeq] = 0
  words[r + RequestWord.firstQuote] = words[r + RequestWord.lastQuote] = words[r + RequestWord.bestQuote] = words[r + RequestWord.pendingQuote] = NONE
  takeBody(s, c, r)
  s.deadlines.push(requests.cells[r + RequestCell.expiresAtUs]!, DeadlineRank.requestExpiry, requests.cells[r + RequestCell.number]!)
  announceRequest(s, c, r, ParlayEvent.requestCreated)
}

export function updateRequest(s: ParlayState, c: ParlayCommand): void {
  if (!isBodyValid(s, c) || !Number.isInteger(c.request)) return refuseOn(s, c, ParlayCode.invalid)
  const r = s.requests.rowOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (s.requests.words[r + RequestWord.owner] !== c.account) return refuseOn(s, c, ParlayCode.forbidden)
  if (isClosedToChange(s, r)) return refuseOn(s, c, ParlayCode.conflict)
  const legs = codeOfLegs(s, c)
  if (legs !== ParlayCode.ok) return refuseOn(s, c, legs)

  invalidateQuotes(s, r)
  s.requests.words[r + RequestWord.version]!++
  takeBody(s, c, r)
  announceRequest(s, c, r, ParlayEvent.requestUpdated)
}

export function cancelRequest(s: ParlayState, c: ParlayCommand): void {
  if (!Number.isInteger(c.request)) return refuseOn(s, c, ParlayCode.invalid)
  const r = s.requests.rowOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (s.requests.words[r + RequestWord.owner] !== c.account) return refuseOn(s, c, ParlayCode.forbidden)
  if (isClosedToChange(s, r)) return refuseOn(s, c, ParlayCode.conflict)

  invalidateQuotes(s, r)
  endRequest(s, r, RequestState.cancelled, ParlayEvent.requestCancelled)
  const status = openRequestRow(s, ParlayEvent.statusChanged, r)
  s.events.write(status, StatusChanged.owner, c.account)
  s.events.write(status, StatusChanged.status, ParlayStatus.cancelled)
  const cancelled = openRequestRow(s, ParlayEvent.positionCancelled, r)
  s.events.write(cancelled, PositionCancelled.owner, c.account)
  s.events.write(cancelled, PositionCancelled.reason, CancelReason.userCancelled)
  countCancelled(s, c.account)
  replyOn(s, c, ParlayCode.ok, r)
}

/** Deadline: the request's expiry, unless an update put it off or the request ended or waits for a confirmation. */
export function requestExpiryDue(s: ParlayState, number: number): void {
  const requests = s.requests
  const r = requests.rowOf(number)
  if (r === NONE || requests.words[r + RequestWord.state] !== RequestState.active) return
  if (requests.cells[r + RequestCell.expiresAtUs]! > s.nowUs) s.deadlines.push(requests.cells[r + RequestCell.expiresAtUs]!, DeadlineRank.requestExpiry, number)
  else if (requests.words[r + RequestWord.pendingQuote] === NONE) expireRequest(s, r)
}

export function expireRequest(s: ParlayState, r: number): void {
  invalidateQuotes(s, r)
  endRequest(s, r, RequestState.expired, ParlayEvent.requestExpired)
  countExpired(s, s.requests.words[r + RequestWord.owner]!)
}

/** Puts an active request into a terminal state, writes the row about it, and schedules its eviction. Precondition: its book is closed. */
export function endRequest(s: ParlayState, r: number, state: number, kind: Kind<KindOf<typeof RequestEnded>>): void {
  const requests = s.requests
  requests.words[r + RequestWord.state] = state
  forgetMakersOf(s, r)
  s.deadlines.push(s.nowUs + s.requestRetentionUs, DeadlineRank.eviction, requests.cells[r + RequestCell.number]!)
  const row = openRequestRow(s, kind, r)
  s.events.write(row, RequestEnded.owner, requests.words[r + RequestWord.owner]!)
  s.events.write(row, RequestEnded.bookSeq, requests.words[r + RequestWord.bookSeq]!)
}

/** Deadline: the ended request and its quotes are forgotten. */
export function evictionDue(s: ParlayState, number: number): void {
  const r = s.requests.rowOf(number)
  assert(r !== NONE, 'a request is forgotten once')
  releaseQuotes(s, r)
  s.requests.index.release(number)
}

function isBodyValid(s: ParlayState, c: ParlayCommand): boolean {
  const { legsMin, legsMax, betMinMicros, betMaxMicros } = s.profile
  if (!(Number.isInteger(c.legCount) && c.legCount >= legsMin && c.legCount <= legsMax)) return false
  for (let i = 0; i < c.legCount; i++) if (c.legSides[i]! > 1) return false
  return Number.isInteger(c.betMicros) && c.betMicros >= betMinMicros && c.betMicros <= betMaxMicros
}

/** Copies the command's body into the request and restarts its window (PQ-112). */
function takeBody(s: ParlayState, c: ParlayCommand, r: number): void {
  const requests = s.requests
  const from = requests.legsFrom(r)
  for (let i = 0; i < c.legCount; i++) {
    requests.legMarkets[from + i] = c.legMarkets[i]!
    requests.legSides[from + i] = c.legSides[i]!
  }
  requests.words[r + RequestWord.legCount] = c.legCount
  requests.cells[r + RequestCell.betMicros] = c.betMicros
  requests.cells[r + RequestCell.contentTag] = contentTag(c.legCount, c.legMarkets, c.legSides, c.betMicros)
  requests.cells[r + RequestCell.expiresAtUs] = s.nowUs + s.requestExpiryUs
}

function announceRequest(s: ParlayState, c: ParlayCommand, r: number, kind: Kind<KindOf<typeof RequestCreated>>): void {
  const { events, requests } = s
  const row = openRequestRow(s, kind, r)
  events.write(row, RequestCreated.owner, c.account)
  events.write(row, RequestCreated.betMicros, requests.cells[r + RequestCell.betMicros]!)
  events.write(row, RequestCreated.contentTag, requests.cells[r + RequestCell.contentTag]!)
  events.write(row, RequestCreated.expiresAtUs, requests.cells[r + RequestCell.expiresAtUs]!)
  events.write(row, RequestCreated.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  pushRequestLegs(s, r)
  const answer = rowAs(RequestReply, replyOn(s, c, ParlayCode.ok, r))
  events.write(answer, RequestReply.version, requests.words[r + RequestWord.version]!)
  events.write(answer, RequestReply.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  events.write(answer, RequestReply.expiresAtUs, requests.cells[r + RequestCell.expiresAtUs]!)
}
