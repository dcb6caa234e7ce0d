import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { ODDS_E4_MIN } from '../../../unit/odds.ts'
import { type Row, rowAs } from '../../eventCells.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { isListCount, type ParlayCommand, ParlayOp } from '../protocol/commands.ts'
import {
  CommitReply, LastLookReply, ParlayEvent, ParlayStatus, PositionState, QuoteFailed, QuoteFilled, QuoteSelected, QuoteState, RequestState,
  StatusChanged, VaultEffect,
} from '../protocol/events.ts'
import { isFenced } from './accounts.ts'
import { legsLive } from './markets.ts'
import { announcePosition, openPosition } from './positions.ts'
import { invalidateQuotes, openQuoteRow, takeOutOfBook } from './quotes.ts'
import { endRequest, expireRequest } from './requests.ts'
import { openReply, openRequestRow, pushRequestLegs, refuseOn, replyOn } from './rows.ts'
import { DeadlineRank, type ParlayState } from './state.ts'
import { startTransaction } from './vaultTransactions.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RequestCell, RequestWord } from './requestRows.ts'

const TIMED_OUT = 0
const DECLINED = 1

/** Selects the best eligible quote and waits for its maker; the reply follows at the outcome (PQ-184, readings A12). */
export function commitRequest(s: ParlayState, c: ParlayCommand): void {
  if (!isCommitValid(c)) return refuseOn(s, c, ParlayCode.invalid)
  const requests = s.requests
  const r = requests.rowOf(c.request)
  if (r === NONE) return refuseOn(s, c, ParlayCode.notFound)
  if (requests.words[r + RequestWord.owner] !== c.account) return refuseOn(s, c, ParlayCode.forbidden)
  if (requests.words[r + RequestWord.state] !== RequestState.active) return refuseOn(s, c, ParlayCode.conflict)
  const waits = requests.words[r + RequestWord.pendingQuote] !== NONE || s.terms.chainDisabled || isFenced(s, c.account)
  if (waits) return refuseOn(s, c, ParlayCode.commitFailedRetryable)
  if (c.version !== requests.words[r + RequestWord.version]) return refuseOn(s, c, ParlayCode.quoteChanged)
  if (!legsLive(s, r)) return refuseOn(s, c, ParlayCode.marketNotLive)
  if (!hasLiveQuoteFrom(s, r, c.oddsE4)) return refuseOn(s, c, ParlayCode.quoteExpired)
  if (s.ledger.freeMicros(c.account) < requests.cells[r + RequestCell.betMicros]!) return refuseOn(s, c, ParlayCode.commitFailed)
  const q = bestEligible(s, c, r)
  if (q === NONE) return refuseOn(s, c, failsByFence(s, c, r) ? ParlayCode.commitFailedRetryable : ParlayCode.commitFailed)

  holdBoth(s, r, q, PostingCause.hold, AccountKind.free, AccountKind.reserved)
  s.quotes.words[q + QuoteWord.state] = QuoteState.reserved
  requests.words[r + RequestWord.pendingQuote] = q
  requests.cells[r + RequestCell.commitSeq] = c.seq
  requests.cells[r + RequestCell.confirmBeforeUs] = s.nowUs + s.confirmationUs
  s.deadlines.push(requests.cells[r + RequestCell.confirmBeforeUs]!, DeadlineRank.confirmation, s.quotes.cells[q + QuoteCell.number]!)
  announceSelection(s, r, q)
}

function announceSelection(s: ParlayState, r: number, q: number): void {
  const { events, requests, quotes } = s
  const row = openQuoteRow(s, ParlayEvent.quoteSelected, q)
  events.write(row, QuoteSelected.owner, requests.words[r + RequestWord.owner]!)
  events.write(row, QuoteSelected.oddsE4, quotes.words[q + QuoteWord.oddsE4]!)
  events.write(row, QuoteSelected.riskMicros, quotes.cells[q + QuoteCell.riskMicros]!)
  events.write(row, QuoteSelected.betMicros, requests.cells[r + RequestCell.betMicros]!)
  events.write(row, QuoteSelected.netStakeMicros, quotes.cells[q + QuoteCell.stakeMicros]!)
  events.write(row, QuoteSelected.confirmBeforeUs, requests.cells[r + RequestCell.confirmBeforeUs]!)
  pushRequestLegs(s, r)
}

export function confirmSelection(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfAnswer(s, c)
  if (refusal !== ParlayCode.ok) return refuseOn(s, c, refusal)
  const { requests, quotes, events } = s
  const r = requests.rowOf(c.request)
  const q = requests.words[r + RequestWord.pendingQuote]!
  const bettor = requests.words[r + RequestWord.owner]!

  const p = openPosition(s, r, q)
  const position = s.positions.cells[p + PositionCell.number]!
  quotes.words[q + QuoteWord.state] = QuoteState.filled
  requests.words[r + RequestWord.pendingQuote] = NONE
  const filled = openQuoteRow(s, ParlayEvent.quoteFilled, q)
  events.write(filled, QuoteFilled.owner, bettor)
  events.write(filled, QuoteFilled.position, position)
  events.write(filled, QuoteFilled.oddsE4, quotes.words[q + QuoteWord.oddsE4]!)
  tellStatus(s, r, q, ParlayStatus.accepted)
  tellStatus(s, r, q, ParlayStatus.confirmed)
  invalidateQuotes(s, r)
  endRequest(s, r, RequestState.committed, ParlayEvent.requestCommitted)
  announcePosition(s, p, r, quotes.words[q + QuoteWord.oddsE4]!)
  if (s.positions.words[p + PositionWord.state] === PositionState.confirmed) {
    const amountMicros = requests.cells[r + RequestCell.betMicros]! + quotes.cells[q + QuoteCell.riskMicros]!
    const effect = s.terms.chainFault() ? VaultEffect.fill : VaultEffect.execution
    startTransaction(s, effect, bettor, amountMicros, position)
  } else tellStatus(s, r, q, ParlayStatus.executed)
  const toBettor = openCommitReply(s, r, q, ParlayCode.ok)
  events.write(toBettor, CommitReply.oddsE4, quotes.words[q + QuoteWord.oddsE4]!)
  events.write(toBettor, CommitReply.position, position)
  events.write(toBettor, CommitReply.confirmBeforeUs, requests.cells[r + RequestCell.confirmBeforeUs]!)
  const toMaker = replyOnLastLook(s, c, r)
  events.write(toMaker, LastLookReply.position, position)
}

export function declineSelection(s: ParlayState, c: ParlayCommand): void {
  const refusal = refusalOfAnswer(s, c)
  if (refusal !== ParlayCode.ok) return refuseOn(s, c, refusal)
  const r = s.requests.rowOf(c.request)

  failSelection(s, r, DECLINED)
  replyOnLastLook(s, c, r)
  expireIfOver(s, r)
}

/** Deadline: the maker of quote `number` has not confirmed (PQ-115). */
export function confirmationDue(s: ParlayState, number: number): void {
  const q = s.quotes.rowOf(number)
  if (q === NONE || s.quotes.words[q + QuoteWord.state] !== QuoteState.reserved) return
  const r = s.quotes.words[q + QuoteWord.request]!
  failSelection(s, r, TIMED_OUT)
  expireIfOver(s, r)
}

/** Releases what the pending selection held, takes its quote out of the book and answers the commit. */
function failSelection(s: ParlayState, r: number, isDeclined: typeof TIMED_OUT | typeof DECLINED): void {
  const requests = s.requests
  const q = requests.words[r + RequestWord.pendingQuote]!
  holdBoth(s, r, q, PostingCause.release, AccountKind.reserved, AccountKind.free)
  requests.words[r + RequestWord.pendingQuote] = NONE
  const row = takeOutOfBook(s, q, QuoteState.failed, ParlayEvent.quoteFailed)
  s.events.write(row, QuoteFailed.owner, requests.words[r + RequestWord.owner]!)
  s.events.write(row, QuoteFailed.isDeclined, isDeclined)
  openCommitReply(s, r, q, ParlayCode.mmConfirmationTimeout)
}

/** A request whose expiry passed during the wait expires right after the failed selection. */
function expireIfOver(s: ParlayState, r: number): void {
  if (s.nowUs >= s.requests.cells[r + RequestCell.expiresAtUs]!) expireRequest(s, r)
}

function isCommitValid(c: ParlayCommand): boolean {
  if (!(Number.isInteger(c.request) && Number.isInteger(c.version) && c.version >= 1)) return false
  if (!(Number.isInteger(c.quote) && c.quote >= 1 && Number.isInteger(c.bookSeq) && c.bookSeq >= 0)) return false
  return Number.isInteger(c.oddsE4) && c.oddsE4 >= ODDS_E4_MIN && isListCount(c.listCount)
}

function hasLiveQuoteFrom(s: ParlayState, r: number, floorE4: number): boolean {
  const quotes = s.quotes
  for (let q = s.requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = quotes.words[q + QuoteWord.next]!) {
    if (quotes.words[q + QuoteWord.state] === QuoteState.live && quotes.words[q + QuoteWord.oddsE4]! >= floorE4) return true
  }
  return false
}

/**
 * The live quote with the highest odds, at or above the floor, whose maker is not excluded, not short of collateral and not fenced,
 * or −1. The book runs by ascending number, so that the earliest quote wins a tie (readings A06).
 */
function bestEligible(s: ParlayState, c: ParlayCommand, r: number): number {
  const { quotes, requests } = s
  let best = NONE
  let bestOddsE4 = c.oddsE4 - 1
  for (let q = requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = quotes.words[q + QuoteWord.next]!) {
    if (quotes.words[q + QuoteWord.state] !== QuoteState.live || quotes.words[q + QuoteWord.oddsE4]! <= bestOddsE4) continue
    const maker = quotes.words[q + QuoteWord.maker]!
    if (isShort(s, r, q) || isExcluded(c, maker) || isFenced(s, maker)) continue
    best = q
    bestOddsE4 = quotes.words[q + QuoteWord.oddsE4]!
  }
  return best
}

/** Whether a quote at or above the floor could be taken if its maker's vault were not fenced. Precondition: none can be taken now. */
function failsByFence(s: ParlayState, c: ParlayCommand, r: number): boolean {
  const quotes = s.quotes
  for (let q = s.requests.words[r + RequestWord.firstQuote]!; q !== NONE; q = quotes.words[q + QuoteWord.next]!) {
    if (quotes.words[q + QuoteWord.state] !== QuoteState.live || quotes.words[q + QuoteWord.oddsE4]! < c.oddsE4) continue
    if (!isShort(s, r, q) && !isExcluded(c, quotes.words[q + QuoteWord.maker]!)) return true
  }
  return false
}

/** Whether the maker's free balance does not cover the risk, plus the bet when the bettor bets with the maker's account. */
function isShort(s: ParlayState, r: number, q: number): boolean {
  const { quotes, requests, ledger } = s
  const maker = quotes.words[q + QuoteWord.maker]!
  const neededMicros = maker === requests.words[r + RequestWord.owner] ? quotes.cells[q + QuoteCell.riskMicros]! + requests.cells[r + RequestCell.betMicros]! : quotes.cells[q + QuoteCell.riskMicros]!
  return ledger.freeMicros(maker) < neededMicros
}

function isExcluded(c: ParlayCommand, maker: number): boolean {
  for (let i = 0; i < c.listCount; i++) if (c.list[i] === maker) return true
  return false
}

/** Moves the bet of the bettor, then the risk of the maker, between their free and reserved balances (readings A09). */
function holdBoth(s: ParlayState, r: number, q: number, cause: number, from: number, to: number): void {
  const { ledger, quotes, requests } = s
  const bettor = requests.words[r + RequestWord.owner]!
  const maker = quotes.words[q + QuoteWord.maker]!
  const number = requests.cells[r + RequestCell.number]!
  ledger.post(s.nowUs, cause, from, bettor, to, bettor, requests.cells[r + RequestCell.betMicros]!, number, NONE)
  ledger.post(s.nowUs, cause, from, maker, to, maker, quotes.cells[q + QuoteCell.riskMicros]!, number, NONE)
}

/** Why a confirmation or decline is refused, or ok. */
function refusalOfAnswer(s: ParlayState, c: ParlayCommand): number {
  if (!Number.isInteger(c.request) || !Number.isInteger(c.quote)) return ParlayCode.invalid
  const r = s.requests.rowOf(c.request)
  if (r === NONE) return ParlayCode.notFound
  const q = s.requests.words[r + RequestWord.pendingQuote]!
  if (q === NONE || s.quotes.cells[q + QuoteCell.number] !== c.quote || s.quotes.words[q + QuoteWord.maker] !== c.account) return ParlayCode.noPendingSelection
  return ParlayCode.ok
}

function tellStatus(s: ParlayState, r: number, q: number, status: number): void {
  const row = openRequestRow(s, ParlayEvent.statusChanged, r)
  s.events.write(row, StatusChanged.owner, s.requests.words[r + RequestWord.owner]!)
  s.events.write(row, StatusChanged.status, status)
  s.events.write(row, StatusChanged.quote, s.quotes.cells[q + QuoteCell.number]!)
}

/** Opens the reply to the commit that selected quote `q`. */
function openCommitReply(s: ParlayState, r: number, q: number, code: number): Row<'parlay.reply.commit'> {
  const { requests, quotes, events } = s
  const row = rowAs(CommitReply, openReply(
    s, requests.cells[r + RequestCell.commitSeq]!, requests.words[r + RequestWord.owner]!, ParlayOp.commitRequest, code, requests.cells[r + RequestCell.number]!,
  ))
  events.write(row, CommitReply.version, requests.words[r + RequestWord.version]!)
  events.write(row, CommitReply.quote, quotes.cells[q + QuoteCell.number]!)
  events.write(row, CommitReply.maker, quotes.words[q + QuoteWord.maker]!)
  return row
}

/** Opens the reply to the maker's answer, which named the quote. */
function replyOnLastLook(s: ParlayState, c: ParlayCommand, r: number): Row<'parlay.reply.lastLook'> {
  const row = rowAs(LastLookReply, replyOn(s, c, ParlayCode.ok, r))
  s.events.write(row, LastLookReply.version, s.requests.words[r + RequestWord.version]!)
  s.events.write(row, LastLookReply.quote, c.quote)
  return row
}
