import { feeFloor, type Micros, sub } from '../../../unit/micros.ts'
import { NONE } from '../../../unit/none.ts'
import { payoutFloor } from '../../../unit/odds.ts'
import { MS_US } from '../../../unit/time.ts'
import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import {
  BestQuoteChanged, CollateralRefusal, ParlayEvent, QuoteEnded, QuoteReply, QuoteRow, QuoteState, QuoteSubmitted, RequestState,
} from '../protocol/events.ts'
import { isFenced } from './accounts.ts'
import { openRefusalOn, openRequestRow, refuseOn, replyOn } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'

export function submitQuote(s: ParlayState, c: ParlayCommand): void {
  if (!isQuoteValid(s, c)) return refuseOn(s, c, ParlayCode.invalid)
  const { requests, quotes, terms } = s
  const r = requests.rowOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (requests.words[r + RequestWord.state] !== RequestState.active) return refuseOn(s, c, ParlayCode.requestNotActive)
  if (isSelectedMaker(s, r, c.account)) return refuseOn(s, c, ParlayCode.conflict)
  if (c.version !== requests.words[r + RequestWord.version] || c.contentTag !== requests.cells[r + RequestCell.contentTag]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (terms.feeUnavailable) return refuseOn(s, c, ParlayCode.feeUnavailable)
  if (terms.collateralUnavailable || isFenced(s, c.account)) return refuseOn(s, c, ParlayCode.collateralCheckUnavailable)
  const betMicros = requests.cells[r + RequestCell.betMicros] as Micros
  const stakeMicros = sub(betMicros, feeFloor(betMicros, terms.takerFeeBps))
  const riskMicros = sub(payoutFloor(stakeMicros, c.oddsE4), stakeMicros)
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) return refuseCollateral(s, c, riskMicros, freeMicros)

  const bestBefore = bestNumber(s, r)
  requests.words[r + RequestWord.bookSeq]!++
  removeOwnQuote(s, r, c.account)
  const q = quotes.take()
  const { words, cells } = quotes
  const number = quotes.index.lastNumber
  const validUntilUs = s.nowUs + (c.validMs === NONE ? s.profile.quoteValidityDefaultMs : c.validMs) * MS_US
  words[q + QuoteWord.request] = r
  words[q + QuoteWord.maker] = c.account
  words[q + QuoteWord.state] = QuoteState.live
  words[q + QuoteWord.version] = c.version
  words[q + QuoteWord.oddsE4] = c.oddsE4
  words[q + QuoteWord.takerFeeBps] = terms.takerFeeBps
  cells[q + QuoteCell.number] = number
  cells[q + QuoteCell.stakeMicros] = stakeMicros
  cells[q + QuoteCell.riskMicros] = riskMicros
  cells[q + QuoteCell.validUntilUs] = validUntilUs
  appendToBook(s, r, q)
  s.makerQuotes.set(r, c.account, q)
  s.deadlines.push(validUntilUs, DeadlineRank.quoteExpiry, number)
  announceQuote(s, c, r, q, bestBefore)
}

export function withdrawQuote(s: ParlayState, c: ParlayCommand): void {
  if (!isWithdrawalValid(c)) return refuseOn(s, c, ParlayCode.invalid)
  const { requests, quotes } = s
  const r = requests.rowOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (requests.words[r + RequestWord.state] !== RequestState.active) return refuseOn(s, c, ParlayCode.requestNotActive)
  if (c.version !== NONE && c.version !== requests.words[r + RequestWord.version]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (c.contentTag !== NONE && c.contentTag !== requests.cells[r + RequestCell.contentTag]) return refuseOn(s, c, ParlayCode.versionMismatch)
  if (isSelectedMaker(s, r, c.account)) return refuseOn(s, c, ParlayCode.conflict)
  const q = s.makerQuotes.get(r, c.account)
  const lapsed = q !== NONE && quotes.words[q + QuoteWord.state] === QuoteState.expired && quotes.words[q + QuoteWord.version] === requests.words[r + RequestWord.version]
  const live = q !== NONE && quotes.words[q + QuoteWord.state] === QuoteState.live
  if (!live && !lapsed) return refuseOn(s, c, ParlayCode.noActiveQuote)

  if (live) takeOutOfBook(s, q, QuoteState.withdrawn, ParlayEvent.quoteWithdrawn)
  const answer = rowAs(QuoteReply, replyOn(s, c, live ? ParlayCode.ok : ParlayCode.alreadyExpired, r))
  s.events.write(answer, QuoteReply.version, requests.words[r + RequestWord.version]!)
  s.events.write(answer, QuoteReply.quote, quotes.cells[q + QuoteCell.number]!)
  if (live) s.events.write(answer, QuoteReply.bookSeq, requests.words[r + RequestWord.bookSeq]!)
}

/** Deadline: the quote's validity. A reserved quote outlives it (readings A12). */
export function quoteExpiryDue(s: ParlayState, number: number): void {
  const q = s.quotes.rowOf(number)
  if (q !== NONE && s.quotes.words[q + QuoteWord.state] === QuoteState.live) takeOutOfBook(s, q, QuoteState.expired, ParlayEvent.quoteExpired)
}

/** Ends a live or reserved quote with one step of the book, and writes rows about it and about the new best quote. Returns the quote's row. */
export function takeOutOfBook<N extends KindOf<typeof QuoteEnded>>(s: ParlayState, q: number, state: number, kind: Kind<N>): Row<N> {
  const { quotes, requests, events } = s
  const r = quotes.words[q + QuoteWord.request]!
  const bestBefore = bestNumber(s, r)
  quotes.words[q + QuoteWord.state] = state
  requests.words[r + RequestWord.bookSeq]!++
  const row = openQuoteRow(s, kind, q)
  events.write(row, QuoteEnded.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  if (requests.words[r + RequestWord.bestQuote] === q) findBest(s, r)
  tellBest(s, r, bestBefore)
  return row
}

/** Invalidates every live quote of the request in one step of the book (readings A07), which leaves it without a best. */
export function invalidateQuotes(s: ParlayState, r: number): void {
  const { quotes, requests, events } = s
  const bestBefore = bestNumber(s, r)
  let stepped = false
  for (let q = requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = quotes.words[q + QuoteWord.next]!) {
    if (quotes.words[q + QuoteWord.state] !== QuoteState.live) continue
    if (!stepped) requests.words[r + RequestWord.bookSeq]!++
    stepped = true
    quotes.words[q + QuoteWord.state] = QuoteState.invalidated
    const row = openQuoteRow(s, ParlayEvent.quoteInvalidated, q)
    events.write(row, QuoteEnded.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  }
  requests.words[r + RequestWord.bestQuote] = NONE
  tellBest(s, r, bestBefore)
}

/** Removes the entries of the makers' quotes on a request that ends, because no maker can replace or withdraw a quote any more. */
export function forgetMakersOf({ requests, quotes: { words }, makerQuotes }: ParlayState, r: number): void {
  for (let q = requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = words[q + QuoteWord.next]!) makerQuotes.remove(r, words[q + QuoteWord.maker]!)
}

/** Gives the rows of all quotes of the request back. */
export function releaseQuotes(s: ParlayState, r: number): void {
  const { index, words, cells } = s.quotes
  for (let q = s.requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = words[q + QuoteWord.next]!) index.release(cells[q + QuoteCell.number]!)
}

/** Opens a row about a quote: its maker, request and version. */
export function openQuoteRow<N extends KindOf<typeof QuoteRow>>(s: ParlayState, kind: Kind<N>, q: number): Row<N> {
  const { quotes, events } = s
  const row = openRequestRow(s, kind, quotes.words[q + QuoteWord.request]!)
  events.write(row, QuoteRow.maker, quotes.words[q + QuoteWord.maker]!)
  events.write(row, QuoteRow.quote, quotes.cells[q + QuoteCell.number]!)
  return row
}

/** Rejects a quote that the maker's free balance does not cover. The reply shows the collateral needed and the free balance. */
function refuseCollateral(s: ParlayState, c: ParlayCommand, riskMicros: number, freeMicros: number): void {
  const row = rowAs(CollateralRefusal, openRefusalOn(s, c, ParlayCode.insufficientCollateral))
  s.events.write(row, CollateralRefusal.requiredMicros, riskMicros)
  s.events.write(row, CollateralRefusal.availableMicros, freeMicros)
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
  const pending = s.requests.words[r + RequestWord.pendingQuote]!
  return pending !== NONE && s.quotes.words[pending + QuoteWord.maker] === account
}

const bestNumber = (s: ParlayState, r: number): number => {
  const best = s.requests.words[r + RequestWord.bestQuote]!
  return best === NONE ? NONE : s.quotes.cells[best + QuoteCell.number]!
}

/** Takes the maker's former quote out of the book and gives its row back. Writes a row if the quote was live (readings A08). */
function removeOwnQuote(s: ParlayState, r: number, maker: number): void {
  const q = s.makerQuotes.get(r, maker)
  if (q === NONE) return
  const { quotes, requests } = s
  if (quotes.words[q + QuoteWord.state] === QuoteState.live) {
    const row = openQuoteRow(s, ParlayEvent.quoteReplaced, q)
    s.events.write(row, QuoteEnded.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  }
  const before = quotes.words[q + QuoteWord.before]!
  const next = quotes.words[q + QuoteWord.next]!
  if (before === NONE) requests.words[r + RequestWord.firstQuote] = next
  else quotes.words[before + QuoteWord.next] = next
  if (next === NONE) requests.words[r + RequestWord.lastQuote] = before
  else quotes.words[next + QuoteWord.before] = before
  quotes.index.release(quotes.cells[q + QuoteCell.number]!)
  if (requests.words[r + RequestWord.bestQuote] === q) findBest(s, r)
}

/** Appends a live quote, whose number is the highest, and makes it the best if its odds are higher than the best's. */
function appendToBook(s: ParlayState, r: number, q: number): void {
  const { words } = s.quotes
  const { words: requestWords } = s.requests
  const last = requestWords[r + RequestWord.lastQuote]!
  if (last === NONE) requestWords[r + RequestWord.firstQuote] = q
  else words[last + QuoteWord.next] = q
  words[q + QuoteWord.before] = last
  words[q + QuoteWord.next] = NONE
  requestWords[r + RequestWord.lastQuote] = q
  const best = requestWords[r + RequestWord.bestQuote]!
  if (best === NONE || words[q + QuoteWord.oddsE4]! > words[best + QuoteWord.oddsE4]!) requestWords[r + RequestWord.bestQuote] = q
}

/** Scans the book for its best live or reserved quote: highest odds, then lowest number (readings A06). */
function findBest(s: ParlayState, r: number): void {
  const { words } = s.quotes
  let best = NONE
  let bestOddsE4 = 0
  for (let q = s.requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = words[q + QuoteWord.next]!) {
    const state = words[q + QuoteWord.state]
    if ((state !== QuoteState.live && state !== QuoteState.reserved) || words[q + QuoteWord.oddsE4]! <= bestOddsE4) continue
    best = q
    bestOddsE4 = words[q + QuoteWord.oddsE4]!
  }
  s.requests.words[r + RequestWord.bestQuote] = best
}

/** Writes a row about the request's best quote if it is not number `before`. */
function tellBest(s: ParlayState, r: number, before: number): void {
  const { quotes, requests, events } = s
  if (bestNumber(s, r) === before) return
  const best = requests.words[r + RequestWord.bestQuote]!
  const row = openRequestRow(s, ParlayEvent.bestQuoteChanged, r)
  events.write(row, BestQuoteChanged.owner, requests.words[r + RequestWord.owner]!)
  events.write(row, BestQuoteChanged.bookSeq, requests.words[r + RequestWord.bookSeq]!)
  if (best === NONE) return
  events.write(row, BestQuoteChanged.maker, quotes.words[best + QuoteWord.maker]!)
  events.write(row, BestQuoteChanged.quote, quotes.cells[best + QuoteCell.number]!)
  events.write(row, BestQuoteChanged.oddsE4, quotes.words[best + QuoteWord.oddsE4]!)
  events.write(row, BestQuoteChanged.expiresAtUs, quotes.cells[best + QuoteCell.validUntilUs]!)
}

function announceQuote(s: ParlayState, c: ParlayCommand, r: number, q: number, bestBefore: number): void {
  const { events, requests, quotes: { words, cells } } = s
  const bookSeq = requests.words[r + RequestWord.bookSeq]!
  const row = openQuoteRow(s, ParlayEvent.quoteSubmitted, q)
  events.write(row, QuoteSubmitted.oddsE4, words[q + QuoteWord.oddsE4]!)
  events.write(row, QuoteSubmitted.riskMicros, cells[q + QuoteCell.riskMicros]!)
  events.write(row, QuoteSubmitted.takerFeeBps, words[q + QuoteWord.takerFeeBps]!)
  events.write(row, QuoteSubmitted.netStakeMicros, cells[q + QuoteCell.stakeMicros]!)
  events.write(row, QuoteSubmitted.expiresAtUs, cells[q + QuoteCell.validUntilUs]!)
  events.write(row, QuoteSubmitted.bookSeq, bookSeq)
  tellBest(s, r, bestBefore)
  const answer = rowAs(QuoteReply, replyOn(s, c, ParlayCode.ok, r))
  events.write(answer, QuoteReply.version, words[q + QuoteWord.version]!)
  events.write(answer, QuoteReply.quote, cells[q + QuoteCell.number]!)
  events.write(answer, QuoteReply.bookSeq, bookSeq)
  events.write(answer, QuoteReply.oddsE4, words[q + QuoteWord.oddsE4]!)
  events.write(answer, QuoteReply.takerFeeBps, words[q + QuoteWord.takerFeeBps]!)
  events.write(answer, QuoteReply.expiresAtUs, cells[q + QuoteCell.validUntilUs]!)
}
