import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, NEVER_US, SECOND_US } from '../../../unit/time.ts'
import { type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { isIdempotencyKey, type OutcomeCommand, OutcomeOp } from '../protocol/commands.ts'
import {
  AcceptanceState, AcceptReply, BidAccepted, CapitalRefusal, OperationKind, OutcomeEvent, QuoteAccepted, QuoteFailed, QuoteFilled, QuoteState,
  RfqEnd, RfqFilled, RfqState,
} from '../protocol/events.ts'
import { AcceptanceCell, AcceptanceWord } from './acceptanceRows.ts'
import { CoreState } from './accountColumns.ts'
import { cashOutConfirmed } from './cashOuts.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { openOperationRow, startOperation } from './operations.ts'
import { isTradable } from './outcomes.ts'
import { isPositionDecided } from './positions.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { endLive, findBestWithout, isCashOutRfq, isGeneration, killQuotes, refusalOfEnded } from './quotes.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import { cancelRfqIn, closeRfq, endRfq, putInFlight } from './rfqs.ts'
import { openQuoteRow, openReply, openRfqRow, pushRfqLegs, refuseField, refuseOnQuote, reply, replyOnQuote } from './rows.ts'
import { acceptanceTerms, confirmationTerms, refusalOfSignature } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'
import { isRoomFor } from './vault.ts'

/** Accepts a quote and waits for its maker. The reply follows when the acceptance is resolved (OM-006, readings B07). */
export function acceptQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!isIdempotencyKey(c.key)) return reply(s, c, OutcomeCode.invalidIdempotencyKey)
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  if (!isGeneration(c.generation)) return refuseField(s, c, InvalidField.generation)
  if (s.terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  const { rfqs, quotes, accounts } = s
  const q = quotes.rowOf(c.quote)
  const r = q === NONE ? NONE : quotes.words[q + QuoteWord.rfq]!
  if (r === NONE || rfqs.words[r + RfqWord.owner] !== c.account) return void refuseOnQuote(s, c, OutcomeCode.quoteNotFound)
  if (s.acceptKeys.isTaken(c.account, c.key, s.nowUs)) return reply(s, c, OutcomeCode.idempotencyKeyReused)
  const state = refusalByState(s, c, r, q)
  if (state !== OutcomeCode.ok) return void refuseOnQuote(s, c, state)
  const isEntry = rfqs.cells[r + RfqCell.position] === NONE
  const field = isEntry ? invalidFieldOfFunding(s, c, rfqs.cells[r + RfqCell.stakeMicros]!) : 0
  if (field !== 0) return refuseField(s, c, field)
  const maker = quotes.words[q + QuoteWord.maker]!
  if (quotes.words[q + QuoteWord.signer] !== accounts.signer[maker]) return void refuseOnQuote(s, c, OutcomeCode.quoteSignerChanged)
  const signature = refusalOfSignature(s, c, acceptanceTerms(s, c, q), c.account)
  if (signature !== OutcomeCode.ok) return void refuseOnQuote(s, c, signature)
  // Results that decide a position end the quotes of its cash-out RFQ, so that the position of a live quote is not decided.
  if (isEntry && !(areRatesInForce(s, q) && areLegsTradable(s, r))) return void refuseOnQuote(s, c, OutcomeCode.stateConflict)
  const coreMicros = isEntry ? Math.max(0, c.coreMicros) : 0
  const money = isEntry ? refusalOfStake(s, c.account, rfqs.cells[r + RfqCell.stakeMicros]!, coreMicros) : OutcomeCode.ok
  if (money !== OutcomeCode.ok) return void refuseOnQuote(s, c, money)
  if (s.ledger.freeMicros(maker) < quotes.cells[q + QuoteCell.riskMicros]!) return refuseCapacity(s, c, q)

  s.acceptKeys.take(c.account, c.key, s.nowUs)
  const a = takeAcceptance(s, c, r, q, coreMicros)
  moveHolds(s, a, PostingCause.hold, AccountKind.free, AccountKind.reserved)
  endLive(s, q, QuoteState.accepted)
  putInFlight(s, r, q)
  announceAcceptance(s, a)
  findBestWithout(s, r, q)
}

/** The maker confirms: the RFQ is filled and the fill, or the sale, goes to the chain (OM-007, OM-008). */
export function confirmQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  if (s.terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  const refusal = refusalOfConfirmation(s, c)
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  const { quotes, acceptances, operations, events } = s
  const q = quotes.rowOf(c.quote)
  const a = quotes.words[q + QuoteWord.acceptance]!
  const r = quotes.words[q + QuoteWord.rfq]!
  const acceptance = acceptances.cells[a + AcceptanceCell.number]!

  resolve(s, a, AcceptanceState.confirmed, QuoteState.filled)
  const o = startFill(s, a)
  const operation = operations.cells[o + OperationCell.number]!
  acceptances.cells[a + AcceptanceCell.operation] = operation
  const filled = openQuoteRow(s, OutcomeEvent.quoteFilled, q)
  events.write(filled, QuoteFilled.acceptance, acceptance)
  events.write(filled, QuoteFilled.operation, operation)
  killQuotes(s, r)
  endRfq(s, r, RfqState.filled)
  const over = openRfqRow(s, OutcomeEvent.rfqFilled, r)
  events.write(over, RfqFilled.quote, quotes.cells[q + QuoteCell.number]!)
  events.write(over, RfqFilled.acceptance, acceptance)
  openOperationRow(s, OutcomeEvent.operationStarted, o)
  replyToAccept(s, a, OutcomeCode.ok)
  events.write(replyToMaker(s, c, q, acceptance), AcceptReply.operation, operation)
}

export function declineQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  const { quotes, acceptances } = s
  const refusal = refusalOfAnswer(s, c)
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  const q = quotes.rowOf(c.quote)
  const a = quotes.words[q + QuoteWord.acceptance]!

  failAcceptance(s, a, AcceptanceState.declined, 1, OutcomeCode.declined)
  replyToMaker(s, c, q, acceptances.cells[a + AcceptanceCell.number]!)
}

/** Deadline: the maker has not confirmed acceptance `number` (OM-062, OM-260). */
export function confirmationDue(s: OutcomeState, number: number): void {
  const a = s.acceptances.rowOf(number)
  if (a === NONE || s.acceptances.words[a + AcceptanceWord.state] !== AcceptanceState.accepted) return
  failAcceptance(s, a, AcceptanceState.timedOut, 0, OutcomeCode.timedOut)
}

/** Releases what a pending acceptance held and answers the accept. The RFQ takes quotes again, unless its window is over. */
function failAcceptance(s: OutcomeState, a: number, state: number, isDeclined: number, code: number): void {
  const { rfqs, quotes, acceptances } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  moveHolds(s, a, PostingCause.release, AccountKind.reserved, AccountKind.free)
  const coreMicros = acceptances.cells[a + AcceptanceCell.coreMicros]!
  if (coreMicros > 0) {
    s.accounts.core[acceptances.words[a + AcceptanceWord.taker]!] = CoreState.idle
    s.accounts.pendingCoreMicros -= coreMicros
  }
  resolve(s, a, state, QuoteState.failed)
  const failed = openQuoteRow(s, OutcomeEvent.quoteFailed, q)
  s.events.write(failed, QuoteFailed.acceptance, acceptances.cells[a + AcceptanceCell.number]!)
  s.events.write(failed, QuoteFailed.isDeclined, isDeclined)
  const position = rfqs.cells[r + RfqCell.position]!
  if (position !== NONE && isPositionDecided(s, s.positions.rowOf(position))) cancelRfqIn(s, r, RfqEnd.decided)
  else if (s.nowUs < rfqs.cells[r + RfqCell.openUntilUs]!) rfqs.words[r + RfqWord.state] = RfqState.open
  else if (acceptances.cells[a + AcceptanceCell.acceptedAtUs]! < rfqs.cells[r + RfqCell.openUntilUs]!) closeRfq(s, r)
  else endRfq(s, r, RfqState.closed)
  replyToAccept(s, a, code)
}

/** Ends the wait: the generation rises (readings B09). */
function resolve(s: OutcomeState, a: number, state: number, quoteState: number): void {
  const { rfqs, quotes, acceptances } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  acceptances.words[a + AcceptanceWord.state] = state
  quotes.words[q + QuoteWord.state] = quoteState
  rfqs.words[r + RfqWord.acceptedQuote] = NONE
  rfqs.cells[r + RfqCell.generation]!++
}

/** Moves what taker and maker hold for an acceptance between their free and reserved money. */
function moveHolds(s: OutcomeState, a: number, cause: number, from: number, to: number): void {
  const { rfqs, quotes, acceptances, ledger } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const taker = acceptances.words[a + AcceptanceWord.taker]!
  const maker = acceptances.words[a + AcceptanceWord.maker]!
  const rfq = rfqs.cells[quotes.words[q + QuoteWord.rfq]! + RfqCell.number]!
  if (acceptances.cells[a + AcceptanceCell.stakeMicros] !== NONE) {
    const heldMicros = acceptances.cells[a + AcceptanceCell.stakeMicros]! - acceptances.cells[a + AcceptanceCell.coreMicros]!
    ledger.post(s.nowUs, cause, from, taker, to, taker, heldMicros, rfq, NONE)
  }
  ledger.post(s.nowUs, cause, from, maker, to, maker, quotes.cells[q + QuoteCell.riskMicros]!, rfq, NONE)
}

/** Why the state of the quote or its RFQ refuses an accept, or ok. */
function refusalByState(s: OutcomeState, c: OutcomeCommand, r: number, q: number): number {
  const { rfqs, quotes } = s
  const ended = refusalOfEnded(s, q)
  if (ended !== OutcomeCode.ok) return ended
  const state = quotes.words[q + QuoteWord.state]
  if (state === QuoteState.failed) return OutcomeCode.stateConflict
  if (state === QuoteState.dead || state === QuoteState.filled) return OutcomeCode.rfqNotOpen
  if (rfqs.words[r + RfqWord.state] === RfqState.inFlight) return OutcomeCode.rfqGenerationInFlight
  if (s.profile.strictWindow === 1 && s.nowUs >= rfqs.cells[r + RfqCell.openUntilUs]!) return OutcomeCode.rfqNotOpen
  if (c.generation !== NONE && c.generation !== rfqs.cells[r + RfqCell.generation]) return OutcomeCode.rfqGenerationStale
  return OutcomeCode.ok
}

/** What is wrong with the funding of an entry, an `InvalidField`, or 0 (OM-270, OM-271). */
function invalidFieldOfFunding(s: OutcomeState, c: OutcomeCommand, stakeMicros: number): number {
  const { coreMicros, validAfterS, validBeforeS } = c
  const { fundingAheadMinMs, fundingSpanMaxMs } = s.profile
  const isCore = coreMicros === NONE || (Number.isInteger(coreMicros) && coreMicros >= 0 && coreMicros <= stakeMicros)
  if (!isCore) return InvalidField.core
  if (!(Number.isSafeInteger(validAfterS) && validAfterS >= 0 && validAfterS * SECOND_US <= s.nowUs)) return InvalidField.validAfter
  const isValidBefore = Number.isSafeInteger(validBeforeS) && validBeforeS * SECOND_US - s.nowUs >= fundingAheadMinMs * MS_US &&
    (validBeforeS - validAfterS) * SECOND_US <= fundingSpanMaxMs * MS_US
  return isValidBefore ? 0 : InvalidField.validBefore
}

/** Why the taker cannot pay the stake, of which `coreMicros` come out of its core wallet, or ok (OM-209…211, OM-228). */
function refusalOfStake(s: OutcomeState, taker: number, stakeMicros: number, coreMicros: number): number {
  const { accounts, ledger, terms } = s
  const freeMicros = ledger.freeMicros(taker)
  if (coreMicros === 0) return freeMicros < stakeMicros ? OutcomeCode.stateConflict : OutcomeCode.ok
  if (terms.coreFundingUnavailable || !isRoomFor(s, coreMicros)) return OutcomeCode.coreFundingUnavailable
  if (accounts.core[taker] === CoreState.moving) return OutcomeCode.coreMoveInFlight
  if (accounts.core[taker] === CoreState.funding) return OutcomeCode.coreFundingConflict
  return freeMicros < stakeMicros - coreMicros ? OutcomeCode.coreVaultReservation : OutcomeCode.ok
}

/** Whether quote `q` was made at the rates in force. An entry pays the rates of its accept (readings B01, B02). */
function areRatesInForce({ quotes: { words }, terms }: OutcomeState, q: number): boolean {
  return words[q + QuoteWord.takerFeeBps] === terms.takerFeeBps && words[q + QuoteWord.feeBps] === terms.feeBps
}

function areLegsTradable(s: OutcomeState, r: number): boolean {
  const { rfqs } = s
  const from = rfqs.legsFrom(r)
  const end = from + rfqs.words[r + RfqWord.legCount]!
  for (let i = from; i < end; i++) if (!isTradable(s, rfqs.legOutcomes[i]!)) return false
  return true
}

function refuseCapacity(s: OutcomeState, c: OutcomeCommand, q: number): void {
  const { quotes, events, ledger } = s
  const row = rowAs(CapitalRefusal, refuseOnQuote(s, c, OutcomeCode.quoteCapacityExceeded))
  events.write(row, CapitalRefusal.requiredMicros, quotes.cells[q + QuoteCell.riskMicros]!)
  events.write(row, CapitalRefusal.availableMicros, ledger.freeMicros(quotes.words[q + QuoteWord.maker]!))
}

/** Takes the row of a new acceptance and schedules its confirm deadline, the first instant that is too late. */
function takeAcceptance(s: OutcomeState, c: OutcomeCommand, r: number, q: number, coreMicros: number): number {
  const { rfqs, quotes, acceptances, accounts } = s
  const a = acceptances.take()
  const { words, cells } = acceptances
  const number = acceptances.index.lastNumber
  const confirmUntilUs = s.nowUs + s.confirmUs
  words[a + AcceptanceWord.quote] = q
  words[a + AcceptanceWord.taker] = c.account
  words[a + AcceptanceWord.maker] = quotes.words[q + QuoteWord.maker]!
  words[a + AcceptanceWord.state] = AcceptanceState.accepted
  cells[a + AcceptanceCell.number] = number
  cells[a + AcceptanceCell.key] = c.key
  cells[a + AcceptanceCell.stakeMicros] = rfqs.cells[r + RfqCell.stakeMicros]!
  cells[a + AcceptanceCell.coreMicros] = coreMicros
  cells[a + AcceptanceCell.acceptedAtUs] = s.nowUs
  cells[a + AcceptanceCell.confirmUntilUs] = confirmUntilUs
  cells[a + AcceptanceCell.acceptSeq] = c.seq
  cells[a + AcceptanceCell.operation] = NONE
  cells[a + AcceptanceCell.fundingUntilUs] = rfqs.cells[r + RfqCell.position] === NONE ? c.validBeforeS * SECOND_US : NEVER_US
  quotes.words[q + QuoteWord.acceptance] = a
  if (coreMicros > 0) {
    accounts.core[c.account] = CoreState.funding
    accounts.pendingCoreMicros += coreMicros
  }
  s.deadlines.push(confirmUntilUs + 1, DeadlineRank.confirmation, number)
  return a
}

function announceAcceptance(s: OutcomeState, a: number): void {
  const { quotes, acceptances, events } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  const row = openQuoteRow(s, OutcomeEvent.quoteAccepted, q)
  if (isCashOutRfq(s, r)) {
    const bid = rowAs(BidAccepted, row)
    events.write(bid, BidAccepted.acceptance, acceptances.cells[a + AcceptanceCell.number]!)
    events.write(bid, BidAccepted.priceMicros, quotes.cells[q + QuoteCell.payoutMicros]!)
    events.write(bid, BidAccepted.payoutMicros, quotes.cells[q + QuoteCell.payoutMicros]!)
    events.write(bid, BidAccepted.confirmUntilUs, acceptances.cells[a + AcceptanceCell.confirmUntilUs]!)
  } else {
    events.write(row, QuoteAccepted.acceptance, acceptances.cells[a + AcceptanceCell.number]!)
    events.write(row, QuoteAccepted.oddsE4, quotes.cells[q + QuoteCell.oddsE4]!)
    events.write(row, QuoteAccepted.riskMicros, quotes.cells[q + QuoteCell.riskMicros]!)
    events.write(row, QuoteAccepted.betMicros, acceptances.cells[a + AcceptanceCell.stakeMicros]!)
    events.write(row, QuoteAccepted.netStakeMicros, quotes.cells[q + QuoteCell.netStakeMicros]!)
    events.write(row, QuoteAccepted.payoutMicros, quotes.cells[q + QuoteCell.payoutMicros]!)
    events.write(row, QuoteAccepted.confirmUntilUs, acceptances.cells[a + AcceptanceCell.confirmUntilUs]!)
  }
  pushRfqLegs(s, r)
}

/** Why a maker's answer to an accept is refused, or ok. An answer that comes too late finds the acceptance ended (OM-260). */
function refusalOfAnswer(s: OutcomeState, c: OutcomeCommand): number {
  const { quotes } = s
  const q = quotes.rowOf(c.quote)
  if (q === NONE || quotes.words[q + QuoteWord.maker] !== c.account) return OutcomeCode.quoteNotFound
  return quotes.words[q + QuoteWord.state] === QuoteState.accepted ? OutcomeCode.ok : OutcomeCode.stateConflict
}

function refusalOfConfirmation(s: OutcomeState, c: OutcomeCommand): number {
  const refusal = refusalOfAnswer(s, c)
  if (refusal !== OutcomeCode.ok) return refusal
  const { rfqs, quotes, acceptances } = s
  const q = quotes.rowOf(c.quote)
  const number = acceptances.cells[quotes.words[q + QuoteWord.acceptance]! + AcceptanceCell.number]!
  const signature = refusalOfSignature(s, c, confirmationTerms(s, q, number), s.accounts.signer[c.account]!)
  if (signature !== OutcomeCode.ok) return signature
  const r = quotes.words[q + QuoteWord.rfq]!
  const position = rfqs.cells[r + RfqCell.position]!
  const isOver = position === NONE ? hasResolvedLeg(s, r) : isPositionDecided(s, s.positions.rowOf(position))
  return isOver ? OutcomeCode.stateConflict : OutcomeCode.ok
}

function hasResolvedLeg(s: OutcomeState, r: number): boolean {
  const { rfqs, outcomes } = s
  const from = rfqs.legsFrom(r)
  const end = from + rfqs.words[r + RfqWord.legCount]!
  for (let i = from; i < end; i++) if (outcomes.resolved[rfqs.legOutcomes[i]!] === 1) return true
  return false
}

/** Starts the operation of a confirmed acceptance: a fill, or the sale of a position. */
function startFill(s: OutcomeState, a: number): number {
  const { rfqs, quotes, acceptances, operations } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  const position = rfqs.cells[r + RfqCell.position]!
  const isCashOut = position !== NONE
  const riskMicros = quotes.cells[q + QuoteCell.riskMicros]!
  const taker = acceptances.words[a + AcceptanceWord.taker]!
  const o = isCashOut
    ? startOperation(s, OperationKind.cashout, taker, quotes.cells[q + QuoteCell.payoutMicros]!)
    : startOperation(s, OperationKind.fill, taker, acceptances.cells[a + AcceptanceCell.stakeMicros]! + riskMicros)
  operations.words[o + OperationWord.other] = acceptances.words[a + AcceptanceWord.maker]!
  operations.cells[o + OperationCell.acceptance] = acceptances.cells[a + AcceptanceCell.number]!
  operations.cells[o + OperationCell.rfq] = rfqs.cells[r + RfqCell.number]!
  operations.words[o + OperationWord.generation] = rfqs.cells[r + RfqCell.generation]!
  operations.cells[o + OperationCell.quote] = quotes.cells[q + QuoteCell.number]!
  operations.cells[o + OperationCell.position] = position
  operations.cells[o + OperationCell.riskMicros] = riskMicros
  if (isCashOut) cashOutConfirmed(s, s.positions.rowOf(position))
  else setFill(s, o, a)
  return o
}

/** Copies the fields of the position that a fill will make. */
function setFill(s: OutcomeState, o: number, a: number): void {
  const { rfqs, quotes, acceptances, operations } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  operations.cells[o + OperationCell.stakeMicros] = acceptances.cells[a + AcceptanceCell.stakeMicros]!
  operations.cells[o + OperationCell.coreMicros] = acceptances.cells[a + AcceptanceCell.coreMicros]!
  operations.cells[o + OperationCell.netStakeMicros] = quotes.cells[q + QuoteCell.netStakeMicros]!
  operations.cells[o + OperationCell.payoutMicros] = quotes.cells[q + QuoteCell.payoutMicros]!
  operations.cells[o + OperationCell.oddsE4] = quotes.cells[q + QuoteCell.oddsE4]!
  operations.words[o + OperationWord.feeBps] = quotes.words[q + QuoteWord.feeBps]!
  operations.cells[o + OperationCell.validUntilUs] = acceptances.cells[a + AcceptanceCell.fundingUntilUs]!
  if (acceptances.cells[a + AcceptanceCell.coreMicros]! > 0) s.accounts.core[acceptances.words[a + AcceptanceWord.taker]!] = CoreState.moving
  const source = rfqs.legsFrom(r)
  const from = operations.legsFrom(o)
  operations.words[o + OperationWord.legCount] = rfqs.words[r + RfqWord.legCount]!
  for (let i = 0; i < rfqs.words[r + RfqWord.legCount]!; i++) {
    operations.legOutcomes[from + i] = rfqs.legOutcomes[source + i]!
    operations.legSides[from + i] = rfqs.legSides[source + i]!
  }
}

/** Opens the reply to the accept, at the resolution (OM-261). */
function replyToAccept(s: OutcomeState, a: number, code: number): void {
  const { rfqs, quotes, acceptances, events } = s
  const q = acceptances.words[a + AcceptanceWord.quote]!
  const r = quotes.words[q + QuoteWord.rfq]!
  const { cells, words } = acceptances
  const row = rowAs(AcceptReply, openReply(s, cells[a + AcceptanceCell.acceptSeq]!, words[a + AcceptanceWord.taker]!, OutcomeOp.acceptQuote, code))
  events.write(row, AcceptReply.rfq, rfqs.cells[r + RfqCell.number]!)
  events.write(row, AcceptReply.generation, rfqs.cells[r + RfqCell.generation]!)
  events.write(row, AcceptReply.position, rfqs.cells[r + RfqCell.position]!)
  events.write(row, AcceptReply.quote, quotes.cells[q + QuoteCell.number]!)
  events.write(row, AcceptReply.acceptance, cells[a + AcceptanceCell.number]!)
  events.write(row, AcceptReply.operation, cells[a + AcceptanceCell.operation]!)
  events.write(row, AcceptReply.maker, words[a + AcceptanceWord.maker]!)
  events.write(row, AcceptReply.oddsE4, quotes.cells[q + QuoteCell.oddsE4]!)
  events.write(row, AcceptReply.betMicros, cells[a + AcceptanceCell.stakeMicros]!)
  events.write(row, AcceptReply.payoutMicros, quotes.cells[q + QuoteCell.payoutMicros]!)
}

/** Opens the reply to a maker that has confirmed or declined. */
function replyToMaker(s: OutcomeState, c: OutcomeCommand, q: number, acceptance: number): Row<KindOf<typeof AcceptReply>> {
  const row = rowAs(AcceptReply, replyOnQuote(s, c, q))
  s.events.write(row, AcceptReply.acceptance, acceptance)
  return row
}
