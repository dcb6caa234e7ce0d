import { EntityColumns } from '../../../unit/countedColumns.ts'
import { BPS, mulDivFloor } from '../../../unit/micros.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { netOfEntryFee } from './rfqs.ts'
import { openQuoteRow, openRfqRow, refuseField, refuseOnQuote, refuseOnRfq, reply, replyOnQuote } from './rows.ts'
import { quoteTerms, refusalOfSignature } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US, SECOND_US } = timeModule
const { Field, NONE } = eventRowsModule
const { InvalidField, OutcomeCode } = codesModule
const { OutcomeEvent, QuoteState, RfqState } = eventsModule

/** Quotes by slot, in whatever state, until their RFQ is forgotten. */
export class QuoteColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  /** Slot of the RFQ. */
  rfq = new Int32Array(this.capacity)
  maker = new Int32Array(this.capacity)
  /** A `QuoteState`. */
  state = new Uint8Array(this.capacity)
  /** 1 while it is listed: live, and not yet so close to its expiry that it has left (OM-060). */
  listed = new Uint8Array(this.capacity)
  /** The RFQ's generation when it was made. */
  generation = new Int32Array(this.capacity)
  /** −1 of a cash-out, like the taker fee and the odds. */
  netStakeMicros = new Float64Array(this.capacity)
  /** Of a cash-out the price. */
  payoutMicros = new Float64Array(this.capacity)
  /** What the maker can lose by it: payout less net stake; of a cash-out the price, for the backing maker 0. */
  riskMicros = new Float64Array(this.capacity)
  oddsE4 = new Float64Array(this.capacity)
  takerFeeBps = new Int32Array(this.capacity)
  feeBps = new Int32Array(this.capacity)
  /** The maker's quote signer that signed it. */
  signer = new Int32Array(this.capacity)
  expiresAtUs = new Float64Array(this.capacity)
  /** Slot of its acceptance, or −1; a quote is accepted once. */
  acceptance = new Int32Array(this.capacity)
  /** Next quote of the RFQ by number, or −1. */
  next = new Int32Array(this.capacity)
  /** Neighbours among the RFQ's live quotes, or −1; meaningless when it is not live. */
  nextLive = new Int32Array(this.capacity)
  liveBefore = new Int32Array(this.capacity)
}

/** A maker quotes, or replaces its live quote: all is checked before the old one ends (readings B10). */
export function submitQuote(s: OutcomeState, c: OutcomeCommand): void {
  const field = invalidFieldOfQuote(c)
  if (field !== 0) return refuseField(s, c, field)
  if (s.terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  const { rfqs, accounts, events } = s
  const r = rfqs.index.slotOf(c.rfq)
  const refusal = refusalByRfq(s, c, r)
  if (refusal !== OutcomeCode.ok) return void refuseOnRfq(s, c, refusal)
  const isCashout = rfqs.position[r] !== NONE
  if (!isExpiryInWindow(s, isCashout, c.expiryS * SECOND_US - s.nowUs)) return refuseField(s, c, InvalidField.expiry)
  const netStakeMicros = isCashout ? NONE : netOfEntryFee(rfqs.stakeMicros[r]!, s.terms.takerFeeBps)
  if (!isPayoutInLimits(s, r, netStakeMicros, c.payoutMicros)) return refuseField(s, c, InvalidField.payout)
  const signer = accounts.signer[c.account]!
  const signature = refusalOfSignature(s, c, quoteTerms(s, c, r), signer)
  if (signature !== OutcomeCode.ok) return void refuseOnRfq(s, c, signature)
  const riskMicros = isCashout ? riskOfPrice(s, r, c.account, c.payoutMicros) : c.payoutMicros - netStakeMicros
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) return refuseCapital(s, c, OutcomeCode.quoteCapacityExceeded, riskMicros, freeMicros)
  const own = liveQuoteOf(s, r, c.account)
  const quotedMicros = accounts.quotedMicros[c.account]! + riskMicros - (own === NONE ? 0 : s.quotes.riskMicros[own]!)
  const limitMicros = s.profile.exposureMultiple * freeMicros
  if (quotedMicros > limitMicros) return refuseCapital(s, c, OutcomeCode.quoteExposureLimit, quotedMicros, limitMicros)

  const bestBefore = bestNumber(s, r)
  if (own !== NONE) {
    endLive(s, own, QuoteState.replaced)
    openQuoteRow(s, OutcomeEvent.quoteReplaced, own)
  }
  const q = takeQuote(s, c, r, netStakeMicros, riskMicros, signer)
  appendLive(s, q)
  refreshBest(s, r)
  openQuoteRow(s, OutcomeEvent.quoteCreated, q)
  setTermsOfQuote(s, q)
  events.set(Field.amountB, s.quotes.takerFeeBps[q]!)
  tellBest(s, r, bestBefore)
  const at = replyOnQuote(s, c, q)
  const { cells } = events
  cells[at + Field.oddsE4] = s.quotes.oddsE4[q]!
  cells[at + Field.amountB] = riskMicros
  cells[at + Field.untilUs] = s.quotes.expiresAtUs[q]!
}

/** A maker pulls its live quote. */
export function cancelQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  const { quotes } = s
  const q = quotes.index.slotOf(c.quote)
  const refusal = q === NONE || quotes.maker[q] !== c.account ? OutcomeCode.quoteNotFound : refusalOfEnded(s, q)
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  if (quotes.state[q] !== QuoteState.live) return void refuseOnQuote(s, c, OutcomeCode.stateConflict)

  endAndTell(s, q, QuoteState.cancelled, OutcomeEvent.quoteCancelled)
  replyOnQuote(s, c, q)
}

/** Deadline: quote `number` is so close to its expiry that it leaves the listing (OM-257, OM-259); it can be accepted on. */
export function quoteHiddenDue(s: OutcomeState, number: number): void {
  const q = s.quotes.index.slotOf(number)
  if (q === NONE || s.quotes.state[q] !== QuoteState.live) return
  const r = s.quotes.rfq[q]!
  const bestBefore = bestNumber(s, r)
  s.quotes.listed[q] = 0
  refreshBest(s, r)
  tellBest(s, r, bestBefore)
}

/** Deadline: the expiry of quote `number`, unless it ended before or waits for its confirmation. */
export function quoteExpiryDue(s: OutcomeState, number: number): void {
  const q = s.quotes.index.slotOf(number)
  if (q !== NONE && s.quotes.state[q] === QuoteState.live) endAndTell(s, q, QuoteState.expired, OutcomeEvent.quoteExpired)
}

/** Ends every live quote of the RFQ, which leaves it without a best one. */
export function killQuotes(s: OutcomeState, r: number): void {
  const { quotes, rfqs } = s
  const bestBefore = bestNumber(s, r)
  for (let q = rfqs.firstLive[r]!; q !== NONE; q = quotes.nextLive[q]!) {
    endLive(s, q, QuoteState.dead)
    openQuoteRow(s, OutcomeEvent.quoteDead, q)
  }
  rfqs.bestQuote[r] = NONE
  tellBest(s, r, bestBefore)
}

/** Takes a live quote off the RFQ's live ones and the listing, without a row; its risk does not count any more. */
export function endLive(s: OutcomeState, q: number, state: number): void {
  const { quotes, rfqs, accounts } = s
  const r = quotes.rfq[q]!
  quotes.state[q] = state
  quotes.listed[q] = 0
  accounts.quotedMicros[quotes.maker[q]!]! -= quotes.riskMicros[q]!
  const before = quotes.liveBefore[q]!
  const after = quotes.nextLive[q]!
  if (before === NONE) rfqs.firstLive[r] = after
  else quotes.nextLive[before] = after
  if (after === NONE) rfqs.lastLive[r] = before
  else quotes.liveBefore[after] = before
}

/** Gives the slots of all quotes of the RFQ back, with their acceptances'. */
export function releaseQuotes(s: OutcomeState, r: number): void {
  const { quotes, acceptances } = s
  for (let q = s.rfqs.firstQuote[r]!; q !== NONE; q = quotes.next[q]!) {
    const a = quotes.acceptance[q]!
    if (a !== NONE) acceptances.index.release(acceptances.number[a]!)
    quotes.index.release(quotes.number[q]!)
  }
}

/** Whether quote `a` is a better listed one than `b`: a higher payout or price, then the lower number. */
export const isBetterQuote = (s: OutcomeState, a: number, b: number): boolean =>
  s.quotes.payoutMicros[a] === s.quotes.payoutMicros[b]
    ? s.quotes.number[a]! < s.quotes.number[b]!
    : s.quotes.payoutMicros[a]! > s.quotes.payoutMicros[b]!

/** What a maker can lose by a price for the position of cash-out RFQ `r`: nothing when it backs it, as the pot pays (readings B16). */
export function riskOfPrice(s: OutcomeState, r: number, maker: number, priceMicros: number): number {
  const p = s.positions.index.slotOf(s.rfqs.position[r]!)
  return s.positions.backer[p] === maker ? 0 : priceMicros
}

/** The code of a quote that expired, was cancelled or was replaced, else ok (readings B10). */
export function refusalOfEnded(s: OutcomeState, q: number): number {
  switch (s.quotes.state[q]) {
    case QuoteState.expired: return OutcomeCode.quoteExpired
    case QuoteState.cancelled: return OutcomeCode.quoteCancelled
    case QuoteState.replaced: return OutcomeCode.quoteReplaced
    default: return OutcomeCode.ok
  }
}

/** Number of the RFQ's best listed quote, or −1. */
export const bestNumber = (s: OutcomeState, r: number): number => {
  const best = s.rfqs.bestQuote[r]!
  return best === NONE ? NONE : s.quotes.number[best]!
}

/** Finds the RFQ's best listed quote. */
export function refreshBest(s: OutcomeState, r: number): void {
  const { quotes, rfqs } = s
  let best = NONE
  for (let q = rfqs.firstLive[r]!; q !== NONE; q = quotes.nextLive[q]!) {
    if (quotes.listed[q] === 1 && (best === NONE || isBetterQuote(s, q, best))) best = q
  }
  rfqs.bestQuote[r] = best
}

/** Tells the RFQ's best listed quote if it is another than number `before`. */
export function tellBest(s: OutcomeState, r: number, before: number): void {
  const { quotes, rfqs, events } = s
  if (bestNumber(s, r) === before) return
  const best = rfqs.bestQuote[r]!
  const at = openRfqRow(s, OutcomeEvent.bestQuoteChanged, r, best === NONE ? NONE : quotes.maker[best]!)
  const { cells } = events
  cells[at + Field.other] = rfqs.owner[r]!
  if (best === NONE) return
  cells[at + Field.quote] = quotes.number[best]!
  cells[at + Field.oddsE4] = quotes.oddsE4[best]!
  cells[at + Field.amountD] = quotes.payoutMicros[best]!
  cells[at + Field.untilUs] = quotes.expiresAtUs[best]!
}

/** Sets what a quote is worth on the row opened last: its odds, risk (of a cash-out the price), net stake, payout and expiry. */
export function setTermsOfQuote(s: OutcomeState, q: number): void {
  const { quotes, events } = s
  const isCashout = s.rfqs.position[quotes.rfq[q]!] !== NONE
  events.set(Field.oddsE4, quotes.oddsE4[q]!)
  events.set(Field.amountA, isCashout ? quotes.payoutMicros[q]! : quotes.riskMicros[q]!)
  events.set(Field.amountC, quotes.netStakeMicros[q]!)
  events.set(Field.amountD, quotes.payoutMicros[q]!)
  events.set(Field.untilUs, quotes.expiresAtUs[q]!)
}

function endAndTell(s: OutcomeState, q: number, state: number, event: number): void {
  const r = s.quotes.rfq[q]!
  const bestBefore = bestNumber(s, r)
  endLive(s, q, state)
  openQuoteRow(s, event, q)
  refreshBest(s, r)
  tellBest(s, r, bestBefore)
}

function invalidFieldOfQuote(c: OutcomeCommand): number {
  if (!Number.isSafeInteger(c.rfq)) return InvalidField.rfq
  if (!isGeneration(c.generation)) return InvalidField.generation
  if (!(Number.isSafeInteger(c.payoutMicros) && c.payoutMicros >= 1)) return InvalidField.payout
  return Number.isSafeInteger(c.expiryS) ? 0 : InvalidField.expiry
}

/** Whether a command's generation is one: NONE for whichever, or from 1. */
export const isGeneration = (generation: number): boolean =>
  generation === NONE || (Number.isSafeInteger(generation) && generation >= 1)

/** Why the RFQ in slot `r` takes no quote of this sender, or ok. */
function refusalByRfq(s: OutcomeState, c: OutcomeCommand, r: number): number {
  const { rfqs } = s
  if (r === NONE) return OutcomeCode.notFound
  if (rfqs.owner[r] === c.account) return OutcomeCode.forbidden
  if (rfqs.state[r] === RfqState.inFlight) {
    const isOwnAccepted = s.quotes.maker[rfqs.acceptedQuote[r]!] === c.account
    return isOwnAccepted ? OutcomeCode.stateConflict : OutcomeCode.rfqGenerationInFlight
  }
  if (rfqs.state[r] !== RfqState.open) return OutcomeCode.rfqNotOpen
  if (c.generation !== NONE && c.generation !== rfqs.generation[r]) return OutcomeCode.rfqGenerationStale
  const isEntry = rfqs.position[r] === NONE
  if (isEntry && netOfEntryFee(rfqs.stakeMicros[r]!, s.terms.takerFeeBps) < s.profile.netStakeMinMicros) return OutcomeCode.stateConflict
  return s.terms.quoteExposureStale ? OutcomeCode.quoteExposureStale : OutcomeCode.ok
}

/** Whether a quote may expire so long after now (OM-256, OM-258). */
function isExpiryInWindow(s: OutcomeState, isCashout: boolean, aheadUs: number): boolean {
  const { cashoutExpiryMinMs, cashoutExpiryMaxMs, entryExpiryMaxMs } = s.profile
  if (isCashout) return aheadUs >= cashoutExpiryMinMs * MS_US && aheadUs <= cashoutExpiryMaxMs * MS_US
  return aheadUs > 0 && aheadUs <= entryExpiryMaxMs * MS_US
}

/** Whether a payout, or a price, is within its limits (OM-251, readings B16). */
function isPayoutInLimits(s: OutcomeState, r: number, netStakeMicros: number, payoutMicros: number): boolean {
  const { rfqs, positions } = s
  if (rfqs.position[r] !== NONE) return payoutMicros <= positions.payoutMicros[positions.index.slotOf(rfqs.position[r]!)]!
  return payoutMicros > netStakeMicros && payoutMicros <= s.profile.payoutMaxMicros
}

function refuseCapital(s: OutcomeState, c: OutcomeCommand, code: number, neededMicros: number, thereMicros: number): void {
  const at = refuseOnRfq(s, c, code)
  s.events.cells[at + Field.amountC] = neededMicros
  s.events.cells[at + Field.amountD] = thereMicros
}

/** Slot of the maker's live quote on the RFQ, or −1 (OM-061). */
function liveQuoteOf(s: OutcomeState, r: number, maker: number): number {
  const { quotes } = s
  let q = s.rfqs.firstLive[r]!
  while (q !== NONE && quotes.maker[q] !== maker) q = quotes.nextLive[q]!
  return q
}

/** Takes the row of a new live quote and schedules its ends. */
function takeQuote(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number, riskMicros: number, signer: number): number {
  const { quotes, rfqs, terms } = s
  const q = quotes.take()
  const isCashout = rfqs.position[r] !== NONE
  quotes.number[q] = quotes.index.lastNumber
  quotes.rfq[q] = r
  quotes.maker[q] = c.account
  quotes.state[q] = QuoteState.live
  quotes.generation[q] = rfqs.generation[r]!
  quotes.netStakeMicros[q] = netStakeMicros
  quotes.payoutMicros[q] = c.payoutMicros
  quotes.riskMicros[q] = riskMicros
  quotes.oddsE4[q] = !isCashout ? mulDivFloor(c.payoutMicros, BPS, netStakeMicros) : NONE
  quotes.takerFeeBps[q] = isCashout ? NONE : terms.takerFeeBps
  quotes.feeBps[q] = isCashout ? s.positions.feeBps[s.positions.index.slotOf(rfqs.position[r]!)]! : terms.feeBps
  quotes.signer[q] = signer
  quotes.expiresAtUs[q] = c.expiryS * SECOND_US
  quotes.acceptance[q] = NONE
  const number = quotes.number[q]!
  const hiddenMs = isCashout ? s.profile.cashoutHiddenMs : s.profile.entryHiddenMs
  const hiddenFromUs = quotes.expiresAtUs[q]! - hiddenMs * MS_US
  quotes.listed[q] = hiddenFromUs > s.nowUs ? 1 : 0
  if (hiddenFromUs > s.nowUs) s.deadlines.push(hiddenFromUs, DeadlineRank.quoteHidden, number)
  s.deadlines.push(quotes.expiresAtUs[q]!, DeadlineRank.quoteExpiry, number)
  return q
}

/** Appends a quote, whose number is the highest, to the RFQ's quotes and to its live ones; its risk counts from now on. */
function appendLive(s: OutcomeState, q: number): void {
  const { quotes, rfqs, accounts } = s
  const r = quotes.rfq[q]!
  accounts.quotedMicros[quotes.maker[q]!]! += quotes.riskMicros[q]!
  const last = rfqs.lastQuote[r]!
  if (last === NONE) rfqs.firstQuote[r] = q
  else quotes.next[last] = q
  rfqs.lastQuote[r] = q
  const lastLive = rfqs.lastLive[r]!
  if (lastLive === NONE) rfqs.firstLive[r] = q
  else quotes.nextLive[lastLive] = q
  rfqs.lastLive[r] = q
  quotes.liveBefore[q] = lastLive
  quotes.next[q] = quotes.nextLive[q] = NONE
}
