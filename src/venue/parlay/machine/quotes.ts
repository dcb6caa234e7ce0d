import { EntityColumns } from '../../../unit/countedColumns.ts'
import { feeFloor, type Micros, sub } from '../../../unit/micros.ts'
import { payoutFloor } from '../../../unit/odds.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { isFenced } from './accounts.ts'
import { openRequestRow, refuseOn, replyOn } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US } = timeModule
const { Field, NONE } = eventRowsModule
const { ParlayCode } = codesModule
const { ParlayEvent, QuoteState, RequestState } = eventsModule

/** Quotes by slot: of each maker its last one on each known request, in whatever state. */
export class QuoteColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  /** Slot of the request. */
  request = new Int32Array(this.capacity)
  maker = new Int32Array(this.capacity)
  state = new Uint8Array(this.capacity)
  /** Request version that the quote is for. */
  version = new Int32Array(this.capacity)
  oddsE4 = new Int32Array(this.capacity)
  stakeMicros = new Float64Array(this.capacity)
  riskMicros = new Float64Array(this.capacity)
  takerFeeBps = new Int32Array(this.capacity)
  validUntilUs = new Float64Array(this.capacity)
  /** Next quote of the request's book, by number, or −1. */
  next = new Int32Array(this.capacity)
}

export function submitQuote(s: ParlayState, c: ParlayCommand): void {
  if (!isQuoteValid(s, c)) return refuseOn(s, c, ParlayCode.invalid)
  const { requests, quotes, terms } = s
  const r = requests.index.slotOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (requests.state[r] !== RequestState.active) return refuseOn(s, c, ParlayCode.requestNotActive)
  if (isSelectedMaker(s, r, c.account)) return refuseOn(s, c, ParlayCode.conflict)
  if (c.version !== requests.version[r] || c.contentTag !== requests.contentTag[r]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (terms.feeUnavailable) return refuseOn(s, c, ParlayCode.feeUnavailable)
  if (terms.collateralUnavailable || isFenced(s, c.account)) return refuseOn(s, c, ParlayCode.collateralCheckUnavailable)
  const betMicros = requests.betMicros[r] as Micros
  const stakeMicros = sub(betMicros, feeFloor(betMicros, terms.takerFeeBps))
  const riskMicros = sub(payoutFloor(stakeMicros, c.oddsE4), stakeMicros)
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) {
    refuseOn(s, c, ParlayCode.insufficientCollateral)
    s.events.set(Field.amountC, riskMicros)
    s.events.set(Field.amountD, freeMicros)
    return
  }

  const bestBefore = bestNumber(s, r)
  requests.bookSeq[r]!++
  removeOwnQuote(s, r, c.account)
  const q = quotes.take()
  quotes.number[q] = quotes.index.lastNumber
  quotes.request[q] = r
  quotes.maker[q] = c.account
  quotes.state[q] = QuoteState.live
  quotes.version[q] = c.version
  quotes.oddsE4[q] = c.oddsE4
  quotes.stakeMicros[q] = stakeMicros
  quotes.riskMicros[q] = riskMicros
  quotes.takerFeeBps[q] = terms.takerFeeBps
  quotes.validUntilUs[q] = s.nowUs + (c.validMs === NONE ? s.profile.quoteValidityDefaultMs : c.validMs) * MS_US
  appendToBook(s, r, q)
  s.deadlines.push(quotes.validUntilUs[q]!, DeadlineRank.quoteExpiry, quotes.number[q]!)
  announceQuote(s, c, r, q, bestBefore)
}

export function withdrawQuote(s: ParlayState, c: ParlayCommand): void {
  if (!isWithdrawalValid(c)) return refuseOn(s, c, ParlayCode.invalid)
  const { requests, quotes } = s
  const r = requests.index.slotOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (requests.state[r] !== RequestState.active) return refuseOn(s, c, ParlayCode.requestNotActive)
  if (c.version !== NONE && c.version !== requests.version[r]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (c.contentTag !== NONE && c.contentTag !== requests.contentTag[r]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (isSelectedMaker(s, r, c.account)) return refuseOn(s, c, ParlayCode.conflict)
  const q = quoteOfMaker(s, r, c.account)
  const lapsed = q !== NONE && quotes.state[q] === QuoteState.expired && quotes.version[q] === requests.version[r]
  const live = q !== NONE && quotes.state[q] === QuoteState.live
  if (!live && !lapsed) return refuseOn(s, c, ParlayCode.noActiveQuote)

  if (live) takeOutOfBook(s, q, QuoteState.withdrawn, ParlayEvent.quoteWithdrawn)
  replyOn(s, c, live ? ParlayCode.ok : ParlayCode.alreadyExpired, r)
  s.events.set(Field.version, requests.version[r]!)
  s.events.set(Field.quote, quotes.number[q]!)
  if (live) s.events.set(Field.bookSeq, requests.bookSeq[r]!)
}

/** Deadline: the quote's validity. A reserved quote outlives it (readings A12). */
export function quoteExpiryDue(s: ParlayState, number: number): void {
  const q = s.quotes.index.slotOf(number)
  if (q !== NONE && s.quotes.state[q] === QuoteState.live) takeOutOfBook(s, q, QuoteState.expired, ParlayEvent.quoteExpired)
}

/** Ends a live or reserved quote with one step of the book, and tells it and the new best quote. */
export function takeOutOfBook(s: ParlayState, q: number, state: number, event: number, other = NONE, amountA = NONE): void {
  const { quotes, requests, events } = s
  const r = quotes.request[q]!
  const bestBefore = bestNumber(s, r)
  quotes.state[q] = state
  requests.bookSeq[r]!++
  const at = openQuoteRow(s, event, q)
  const { cells } = events
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  cells[at + Field.other] = other
  cells[at + Field.amountA] = amountA
  if (requests.bestQuote[r] === q) findBest(s, r)
  tellBest(s, r, bestBefore)
}

/** Invalidates every live quote of the request in one step of the book (readings A07), which leaves it without a best. */
export function invalidateQuotes(s: ParlayState, r: number): void {
  const { quotes, requests, events } = s
  const bestBefore = bestNumber(s, r)
  let stepped = false
  for (let q = requests.firstQuote[r]!; q !== NONE; q = quotes.next[q]!) {
    if (quotes.state[q] !== QuoteState.live) continue
    if (!stepped) requests.bookSeq[r]!++
    stepped = true
    quotes.state[q] = QuoteState.invalidated
    const at = openQuoteRow(s, ParlayEvent.quoteInvalidated, q)
    events.cells[at + Field.bookSeq] = requests.bookSeq[r]!
  }
  requests.bestQuote[r] = NONE
  tellBest(s, r, bestBefore)
}

/** Gives the slots of all quotes of the request back. */
export function releaseQuotes(s: ParlayState, r: number): void {
  const { quotes, requests } = s
  for (let q = requests.firstQuote[r]!; q !== NONE; q = quotes.next[q]!) quotes.index.release(quotes.number[q]!)
}

/** Opens a row about a quote (its maker, request and version) and returns its first cell. */
export function openQuoteRow(s: ParlayState, event: number, q: number): number {
  const at = openRequestRow(s, event, s.quotes.request[q]!, s.quotes.maker[q]!)
  s.events.cells[at + Field.quote] = s.quotes.number[q]!
  return at
}

function isQuoteValid(s: ParlayState, c: ParlayCommand): boolean {
  const { oddsE4Min, oddsE4Max, quoteValidityMinMs, quoteValidityMaxMs } = s.profile
  if (!Number.isInteger(c.request)) return false
  if (!(Number.isInteger(c.version) && c.version >= 1 && Number.isInteger(c.contentTag) && c.contentTag >= 0)) return false
  if (!(Number.isInteger(c.oddsE4) && c.oddsE4 >= oddsE4Min && c.oddsE4 <= oddsE4Max)) return false
  return c.validMs === NONE || (Number.isInteger(c.validMs) && c.validMs >= quoteValidityMinMs && c.validMs <= quoteValidityMaxMs)
}

function isWithdrawalValid(c: ParlayCommand): boolean {
  if (!Number.isInteger(c.request)) return false
  if (c.version !== NONE && !(Number.isInteger(c.version) && c.version >= 1)) return false
  return c.contentTag === NONE || (Number.isInteger(c.contentTag) && c.contentTag >= 0)
}

function isSelectedMaker(s: ParlayState, r: number, account: number): boolean {
  const pending = s.requests.pendingQuote[r]!
  return pending !== NONE && s.quotes.maker[pending] === account
}

function quoteOfMaker(s: ParlayState, r: number, maker: number): number {
  const quotes = s.quotes
  let q = s.requests.firstQuote[r]!
  while (q !== NONE && quotes.maker[q] !== maker) q = quotes.next[q]!
  return q
}

const bestNumber = (s: ParlayState, r: number): number => {
  const best = s.requests.bestQuote[r]!
  return best === NONE ? NONE : s.quotes.number[best]!
}

/** Takes the maker's former quote out of the book and gives its slot back; tells it if it was live (readings A08). */
function removeOwnQuote(s: ParlayState, r: number, maker: number): void {
  const { quotes, requests } = s
  let before = NONE
  let q = requests.firstQuote[r]!
  while (q !== NONE && quotes.maker[q] !== maker) {
    before = q
    q = quotes.next[q]!
  }
  if (q === NONE) return
  if (quotes.state[q] === QuoteState.live) {
    openQuoteRow(s, ParlayEvent.quoteReplaced, q)
    s.events.set(Field.bookSeq, requests.bookSeq[r]!)
  }
  if (before === NONE) requests.firstQuote[r] = quotes.next[q]!
  else quotes.next[before] = quotes.next[q]!
  if (requests.lastQuote[r] === q) requests.lastQuote[r] = before
  quotes.index.release(quotes.number[q]!)
  if (requests.bestQuote[r] === q) findBest(s, r)
}

/** Appends a live quote, whose number is the highest, and makes it the best if its odds are higher than the best's. */
function appendToBook(s: ParlayState, r: number, q: number): void {
  const { quotes, requests } = s
  const last = requests.lastQuote[r]!
  if (last === NONE) requests.firstQuote[r] = q
  else quotes.next[last] = q
  requests.lastQuote[r] = q
  quotes.next[q] = NONE
  const best = requests.bestQuote[r]!
  if (best === NONE || quotes.oddsE4[q]! > quotes.oddsE4[best]!) requests.bestQuote[r] = q
}

/** Scans the book for its best live or reserved quote: highest odds, then lowest number (readings A06). */
function findBest(s: ParlayState, r: number): void {
  const { quotes, requests } = s
  let best = NONE
  let bestOddsE4 = 0
  for (let q = requests.firstQuote[r]!; q !== NONE; q = quotes.next[q]!) {
    const state = quotes.state[q]
    if ((state !== QuoteState.live && state !== QuoteState.reserved) || quotes.oddsE4[q]! <= bestOddsE4) continue
    best = q
    bestOddsE4 = quotes.oddsE4[q]!
  }
  requests.bestQuote[r] = best
}

/** Tells the request's best quote if it is another than number `before`. */
function tellBest(s: ParlayState, r: number, before: number): void {
  const { quotes, requests, events } = s
  if (bestNumber(s, r) === before) return
  const best = requests.bestQuote[r]!
  const at = openRequestRow(s, ParlayEvent.bestQuoteChanged, r, best === NONE ? NONE : quotes.maker[best]!)
  const { cells } = events
  cells[at + Field.other] = requests.owner[r]!
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  if (best === NONE) return
  cells[at + Field.quote] = quotes.number[best]!
  cells[at + Field.oddsE4] = quotes.oddsE4[best]!
  cells[at + Field.untilUs] = quotes.validUntilUs[best]!
}

function announceQuote(s: ParlayState, c: ParlayCommand, r: number, q: number, bestBefore: number): void {
  const { quotes, requests, events } = s
  let at = openQuoteRow(s, ParlayEvent.quoteSubmitted, q)
  let cells = events.cells
  cells[at + Field.oddsE4] = quotes.oddsE4[q]!
  cells[at + Field.amountA] = quotes.riskMicros[q]!
  cells[at + Field.amountB] = quotes.takerFeeBps[q]!
  cells[at + Field.amountC] = quotes.stakeMicros[q]!
  cells[at + Field.untilUs] = quotes.validUntilUs[q]!
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  tellBest(s, r, bestBefore)
  at = replyOn(s, c, ParlayCode.ok, r)
  cells = events.cells
  cells[at + Field.version] = requests.version[r]!
  cells[at + Field.quote] = quotes.number[q]!
  cells[at + Field.bookSeq] = requests.bookSeq[r]!
  cells[at + Field.oddsE4] = quotes.oddsE4[q]!
  cells[at + Field.amountB] = quotes.takerFeeBps[q]!
  cells[at + Field.untilUs] = quotes.validUntilUs[q]!
}
