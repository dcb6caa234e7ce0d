import { EntityColumns } from '../../../unit/countedColumns.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import { contentTag, type ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { countCancelled, countExpired } from './accounts.ts'
import { codeOfLegs } from './markets.ts'
import { invalidateQuotes, releaseQuotes } from './quotes.ts'
import { openRequestRow, pushRequestLegs, refuseOn, reply, replyOn } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { CancelReason, ParlayEvent, ParlayStatus, RequestState } = eventsModule

/** Quote requests by slot, until they are evicted. */
export class RequestColumns extends EntityColumns {
  readonly legWidth: number
  number = new Float64Array(this.capacity)
  owner = new Int32Array(this.capacity)
  state = new Uint8Array(this.capacity)
  version = new Int32Array(this.capacity)
  contentTag = new Float64Array(this.capacity)
  bookSeq = new Int32Array(this.capacity)
  betMicros = new Float64Array(this.capacity)
  expiresAtUs = new Float64Array(this.capacity)
  legCount = new Uint8Array(this.capacity)
  legMarkets: Int32Array
  legSides: Uint8Array
  /** The book: quote slots by ascending number, linked through `QuoteColumns.next`; −1 when empty. */
  firstQuote = new Int32Array(this.capacity)
  lastQuote = new Int32Array(this.capacity)
  /** Slot of the best live or reserved quote, or −1. */
  bestQuote = new Int32Array(this.capacity)
  /** Slot of the reserved quote, or −1; with it the commit that waits, and the first instant too late to confirm. */
  pendingQuote = new Int32Array(this.capacity)
  commitSeq = new Float64Array(this.capacity)
  confirmBeforeUs = new Float64Array(this.capacity)

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legMarkets = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
  }
}

/** Whether the request takes no change now: it has ended, or waits for a confirmation (PQ-117, readings A12). */
export const isClosedToChange = (s: ParlayState, r: number): boolean =>
  s.requests.state[r] !== RequestState.active || s.requests.pendingQuote[r] !== NONE

export function createRequest(s: ParlayState, c: ParlayCommand): void {
  if (!isBodyValid(s, c)) return reply(s, c, ParlayCode.invalid)
  const legs = codeOfLegs(s, c)
  if (legs !== ParlayCode.ok) return reply(s, c, legs)

  const requests = s.requests
  const r = requests.take()
  requests.number[r] = requests.index.lastNumber
  requests.owner[r] = c.account
  requests.state[r] = RequestState.active
  requests.version[r] = 1
  requests.bookSeq[r] = 0
  requests.firstQuote[r] = requests.lastQuote[r] = requests.bestQuote[r] = requests.pendingQuote[r] = NONE
  takeBody(s, c, r)
  s.deadlines.push(requests.expiresAtUs[r]!, DeadlineRank.requestExpiry, requests.number[r]!)
  announceRequest(s, c, r, ParlayEvent.requestCreated)
}

export function updateRequest(s: ParlayState, c: ParlayCommand): void {
  if (!isBodyValid(s, c) || !Number.isInteger(c.request)) return refuseOn(s, c, ParlayCode.invalid)
  const r = s.requests.index.slotOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (s.requests.owner[r] !== c.account) return refuseOn(s, c, ParlayCode.forbidden)
  if (isClosedToChange(s, r)) return refuseOn(s, c, ParlayCode.conflict)
  const legs = codeOfLegs(s, c)
  if (legs !== ParlayCode.ok) return refuseOn(s, c, legs)

  invalidateQuotes(s, r)
  s.requests.version[r]!++
  takeBody(s, c, r)
  announceRequest(s, c, r, ParlayEvent.requestUpdated)
}

export function cancelRequest(s: ParlayState, c: ParlayCommand): void {
  if (!Number.isInteger(c.request)) return refuseOn(s, c, ParlayCode.invalid)
  const r = s.requests.index.slotOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (s.requests.owner[r] !== c.account) return refuseOn(s, c, ParlayCode.forbidden)
  if (isClosedToChange(s, r)) return refuseOn(s, c, ParlayCode.conflict)

  invalidateQuotes(s, r)
  endRequest(s, r, RequestState.cancelled, ParlayEvent.requestCancelled)
  openRequestRow(s, ParlayEvent.statusChanged, r, c.account)
  s.events.set(Field.amountA, ParlayStatus.cancelled)
  openRequestRow(s, ParlayEvent.positionCancelled, r, c.account)
  s.events.set(Field.code, CancelReason.userCancelled)
  countCancelled(s, c.account)
  replyOn(s, c, ParlayCode.ok, r)
}

/** Deadline: the request's expiry, unless an update put it off or the request ended or waits for a confirmation. */
export function requestExpiryDue(s: ParlayState, number: number): void {
  const requests = s.requests
  const r = requests.index.slotOf(number)
  if (r === NONE || requests.state[r] !== RequestState.active) return
  if (requests.expiresAtUs[r]! > s.nowUs) s.deadlines.push(requests.expiresAtUs[r]!, DeadlineRank.requestExpiry, number)
  else if (requests.pendingQuote[r] === NONE) expireRequest(s, r)
}

export function expireRequest(s: ParlayState, r: number): void {
  invalidateQuotes(s, r)
  endRequest(s, r, RequestState.expired, ParlayEvent.requestExpired)
  countExpired(s, s.requests.owner[r]!)
}

/** Puts an active request into a terminal state, tells it, and schedules its eviction. Its book must be closed. */
export function endRequest(s: ParlayState, r: number, state: number, event: number): void {
  const requests = s.requests
  requests.state[r] = state
  s.deadlines.push(s.nowUs + s.requestRetentionUs, DeadlineRank.eviction, requests.number[r]!)
  openRequestRow(s, event, r, requests.owner[r]!)
  s.events.set(Field.bookSeq, requests.bookSeq[r]!)
}

/** Deadline: the ended request and its quotes are forgotten. */
export function evictionDue(s: ParlayState, number: number): void {
  releaseQuotes(s, s.requests.index.slotOf(number))
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
  const from = r * requests.legWidth
  for (let i = 0; i < c.legCount; i++) {
    requests.legMarkets[from + i] = c.legMarkets[i]!
    requests.legSides[from + i] = c.legSides[i]!
  }
  requests.legCount[r] = c.legCount
  requests.betMicros[r] = c.betMicros
  requests.contentTag[r] = contentTag(c.legCount, c.legMarkets, c.legSides, c.betMicros)
  requests.expiresAtUs[r] = s.nowUs + s.requestExpiryUs
}

function announceRequest(s: ParlayState, c: ParlayCommand, r: number, event: number): void {
  const { events, requests } = s
  let at = openRequestRow(s, event, r, c.account)
  let cells = events.cells
  cells[at + Field.amountA] = requests.betMicros[r]!
  cells[at + Field.amountB] = requests.contentTag[r]!
  cells[at + Field.untilUs] = requests.expiresAtUs[r]!
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  pushRequestLegs(s, r)
  at = replyOn(s, c, ParlayCode.ok, r)
  cells = events.cells
  cells[at + Field.version] = requests.version[r]!
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  cells[at + Field.untilUs] = requests.expiresAtUs[r]!
}
