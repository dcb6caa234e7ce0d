import { BPS, mulDivFloor } from '../../../unit/micros.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import * as quoteRowsModule from './quoteRows.ts'
import * as rfqRowsModule from './rfqRows.ts'
import { netOfEntryFee } from './rfqs.ts'
import { openQuoteRow, openRfqRow, refuseField, refuseOnQuote, refuseOnRfq, reply, replyOnQuote } from './rows.ts'
import { quoteTerms, refusalOfSignature } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US, SECOND_US } = timeModule
const { Field, NONE } = eventRowsModule
const { InvalidField, OutcomeCode } = codesModule
const { OutcomeEvent, QuoteState, RfqState } = eventsModule
const { Quote, QUOTE_STRIDE, QuoteInt } = quoteRowsModule
const { Rfq, RFQ_STRIDE, RfqInt } = rfqRowsModule

/** A maker quotes, or replaces its live quote: all is checked before the old one ends (readings B10). */
export function submitQuote(s: OutcomeState, c: OutcomeCommand): void {
  const { rfqs, quotes, accounts, terms, profile } = s
  const r = rfqs.index.slotOf(c.rfq)
  const field = invalidFieldOfQuote(c, r)
  if (field !== 0) return refuseField(s, c, field)
  if (terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  if (r === NONE) return void refuseOnRfq(s, c, OutcomeCode.notFound)
  const rfq = r * RFQ_STRIDE
  const isCashout = rfqs.cells[rfq + Rfq.position] !== NONE
  const netStakeMicros = isCashout ? NONE : netOfEntryFee(rfqs.cells[rfq + Rfq.stakeMicros]!, terms.takerFeeBps)
  const refusal = refusalByRfq(s, c, rfq, netStakeMicros)
  if (refusal !== OutcomeCode.ok) return void refuseOnRfq(s, c, refusal)
  if (!isExpiryInWindow(s, isCashout, c.expiryS * SECOND_US - s.nowUs)) return refuseField(s, c, InvalidField.expiry)
  if (!isPayoutInLimits(s, rfq, netStakeMicros, c.payoutMicros)) return refuseField(s, c, InvalidField.payout)
  const signer = accounts.signer[c.account]!
  const signature = refusalOfSignature(s, c, quoteTerms(s, c, r, netStakeMicros), signer)
  if (signature !== OutcomeCode.ok) return void refuseOnRfq(s, c, signature)
  const riskMicros = isCashout ? riskOfPrice(s, r, c.account, c.payoutMicros) : c.payoutMicros - netStakeMicros
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) return refuseCapital(s, c, OutcomeCode.quoteCapacityExceeded, riskMicros, freeMicros)
  const own = s.makerQuotes.get(r, c.account)
  const freedMicros = own === NONE ? 0 : quotes.cells[own * QUOTE_STRIDE + Quote.riskMicros]!
  const quotedMicros = accounts.quotedMicros[c.account]! + riskMicros - freedMicros
  const limitMicros = profile.exposureMultiple * freeMicros
  if (quotedMicros > limitMicros) return refuseCapital(s, c, OutcomeCode.quoteExposureLimit, quotedMicros, limitMicros)

  const bestBefore = rfqs.ints[rfq + RfqInt.bestQuote]!
  if (own !== NONE) {
    unlinkLive(s, own, QuoteState.replaced)
    if (own === bestBefore) findBest(s, r)
    openQuoteRow(s, OutcomeEvent.quoteReplaced, own)
  }
  accounts.quotedMicros[c.account] = quotedMicros
  const q = takeQuote(s, c, r, netStakeMicros, riskMicros, signer)
  appendLive(s, r, q)
  s.makerQuotes.set(r, c.account, q)
  tellCreated(s, q)
  tellBest(s, r, bestBefore)
  const at = replyOnQuote(s, c, q)
  const { cells } = s.events
  cells[at + Field.oddsE4] = quotes.cells[q * QUOTE_STRIDE + Quote.oddsE4]!
  cells[at + Field.amountB] = riskMicros
  cells[at + Field.untilUs] = quotes.cells[q * QUOTE_STRIDE + Quote.expiresAtUs]!
}

/** A maker pulls its live quote. */
export function cancelQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  const { ints, index } = s.quotes
  const q = index.slotOf(c.quote)
  const isOwn = q !== NONE && ints[q * QUOTE_STRIDE + QuoteInt.maker] === c.account
  const refusal = isOwn ? refusalOfEnded(s, q) : OutcomeCode.quoteNotFound
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  if (ints[q * QUOTE_STRIDE + QuoteInt.state] !== QuoteState.live) return void refuseOnQuote(s, c, OutcomeCode.stateConflict)

  endAndTell(s, q, QuoteState.cancelled, OutcomeEvent.quoteCancelled)
  replyOnQuote(s, c, q)
}

/**
 * Deadline: quote `number` is so close to its expiry that it leaves the listing (OM-257, OM-259); it can be accepted on. Its expiry is
 * scheduled only now, which most quotes do not live to see.
 */
export function quoteHiddenDue(s: OutcomeState, number: number): void {
  const { index, cells, ints } = s.quotes
  const q = index.slotOf(number)
  const at = q * QUOTE_STRIDE
  if (q === NONE || ints[at + QuoteInt.state] !== QuoteState.live) return
  s.deadlines.push(cells[at + Quote.expiresAtUs]!, DeadlineRank.quoteExpiry, number)
  ints[at + QuoteInt.listed] = 0
  findBestWithout(s, ints[at + QuoteInt.rfq]!, q)
}

/** Deadline: the expiry of quote `number`, unless it ended before or waits for its confirmation. */
export function quoteExpiryDue(s: OutcomeState, number: number): void {
  const { index, ints } = s.quotes
  const q = index.slotOf(number)
  if (q === NONE || ints[q * QUOTE_STRIDE + QuoteInt.state] !== QuoteState.live) return
  endAndTell(s, q, QuoteState.expired, OutcomeEvent.quoteExpired)
}

/** Ends every live quote of the RFQ, which leaves it without a best one. */
export function killQuotes(s: OutcomeState, r: number): void {
  const { quotes: { ints }, rfqs } = s
  const bestBefore = rfqs.ints[r * RFQ_STRIDE + RfqInt.bestQuote]!
  for (let q = rfqs.ints[r * RFQ_STRIDE + RfqInt.firstLive]!; q !== NONE; q = ints[q * QUOTE_STRIDE + QuoteInt.nextLive]!) {
    endLive(s, q, QuoteState.dead)
    openQuoteRow(s, OutcomeEvent.quoteDead, q)
  }
  rfqs.ints[r * RFQ_STRIDE + RfqInt.bestQuote] = NONE
  tellBest(s, r, bestBefore)
}

/** Takes a live quote off the RFQ's live ones and the listing, without a row; its risk does not count any more. */
export function endLive(s: OutcomeState, q: number, state: number): void {
  const { cells, ints } = s.quotes
  const at = q * QUOTE_STRIDE
  const maker = ints[at + QuoteInt.maker]!
  s.accounts.quotedMicros[maker]! -= cells[at + Quote.riskMicros]!
  s.makerQuotes.remove(ints[at + QuoteInt.rfq]!, maker)
  unlinkLive(s, q, state)
}

function unlinkLive(s: OutcomeState, q: number, state: number): void {
  const { quotes: { ints }, rfqs } = s
  const at = q * QUOTE_STRIDE
  const rfq = ints[at + QuoteInt.rfq]! * RFQ_STRIDE
  ints[at + QuoteInt.state] = state
  ints[at + QuoteInt.listed] = 0
  const before = ints[at + QuoteInt.liveBefore]!
  const after = ints[at + QuoteInt.nextLive]!
  if (before === NONE) rfqs.ints[rfq + RfqInt.firstLive] = after
  else ints[before * QUOTE_STRIDE + QuoteInt.nextLive] = after
  if (after === NONE) rfqs.ints[rfq + RfqInt.lastLive] = before
  else ints[after * QUOTE_STRIDE + QuoteInt.liveBefore] = before
}

/** Finds each maker's live quotes anew. */
export function tabulateQuotes({ quotes: { index, ints }, makerQuotes }: OutcomeState): void {
  makerQuotes.clear()
  for (let q = 0; q < index.slotCount; q++) {
    const at = q * QUOTE_STRIDE
    if (ints[at + QuoteInt.state] === QuoteState.live) makerQuotes.set(ints[at + QuoteInt.rfq]!, ints[at + QuoteInt.maker]!, q)
  }
}

/** Gives the slots of all quotes of the RFQ back, with their acceptances'. */
export function releaseQuotes(s: OutcomeState, r: number): void {
  const { quotes: { index, cells, ints }, acceptances } = s
  for (let q = s.rfqs.ints[r * RFQ_STRIDE + RfqInt.firstQuote]!; q !== NONE; q = ints[q * QUOTE_STRIDE + QuoteInt.next]!) {
    const a = ints[q * QUOTE_STRIDE + QuoteInt.acceptance]!
    if (a !== NONE) acceptances.index.release(acceptances.number[a]!)
    index.release(cells[q * QUOTE_STRIDE + Quote.number]!)
  }
}

/** What a maker can lose by a price for the position of cash-out RFQ `r`: nothing when it backs it, as the pot pays (readings B16). */
export function riskOfPrice(s: OutcomeState, r: number, maker: number, priceMicros: number): number {
  const p = s.positions.index.slotOf(s.rfqs.cells[r * RFQ_STRIDE + Rfq.position]!)
  return s.positions.backer[p] === maker ? 0 : priceMicros
}

/** The code of a quote that expired, was cancelled or was replaced, else ok (readings B10). */
export function refusalOfEnded(s: OutcomeState, q: number): number {
  switch (s.quotes.ints[q * QUOTE_STRIDE + QuoteInt.state]) {
    case QuoteState.expired: return OutcomeCode.quoteExpired
    case QuoteState.cancelled: return OutcomeCode.quoteCancelled
    case QuoteState.replaced: return OutcomeCode.quoteReplaced
    default: return OutcomeCode.ok
  }
}

/** Finds and tells the RFQ's best listed quote after `q` has left the listing. */
export function findBestWithout(s: OutcomeState, r: number, q: number): void {
  if (s.rfqs.ints[r * RFQ_STRIDE + RfqInt.bestQuote] !== q) return
  findBest(s, r)
  tellBest(s, r, q)
}

/** Finds the RFQ's best listed quote. */
function findBest(s: OutcomeState, r: number): void {
  const { quotes: { ints }, rfqs } = s
  let best = NONE
  for (let q = rfqs.ints[r * RFQ_STRIDE + RfqInt.firstLive]!; q !== NONE; q = ints[q * QUOTE_STRIDE + QuoteInt.nextLive]!) {
    if (ints[q * QUOTE_STRIDE + QuoteInt.listed] === 1 && isBetter(s, q, best)) best = q
  }
  rfqs.ints[r * RFQ_STRIDE + RfqInt.bestQuote] = best
}

/** Whether the listed quote `q` is better than `best`, which was made before it, or is none: a higher payout or price. */
function isBetter(s: OutcomeState, q: number, best: number): boolean {
  const { cells } = s.quotes
  return best === NONE || cells[q * QUOTE_STRIDE + Quote.payoutMicros]! > cells[best * QUOTE_STRIDE + Quote.payoutMicros]!
}

/** Tells the RFQ's best listed quote if it is another than the one in slot `before`. */
function tellBest(s: OutcomeState, r: number, before: number): void {
  const { quotes, rfqs, events } = s
  const best = rfqs.ints[r * RFQ_STRIDE + RfqInt.bestQuote]!
  if (best === before) return
  const quote = best * QUOTE_STRIDE
  const at = openRfqRow(s, OutcomeEvent.bestQuoteChanged, r, best === NONE ? NONE : quotes.ints[quote + QuoteInt.maker]!)
  const { cells } = events
  cells[at + Field.other] = rfqs.ints[r * RFQ_STRIDE + RfqInt.owner]!
  if (best === NONE) return
  cells[at + Field.quote] = quotes.cells[quote + Quote.number]!
  cells[at + Field.oddsE4] = quotes.cells[quote + Quote.oddsE4]!
  cells[at + Field.amountD] = quotes.cells[quote + Quote.payoutMicros]!
  cells[at + Field.untilUs] = quotes.cells[quote + Quote.expiresAtUs]!
}

function tellCreated(s: OutcomeState, q: number): void {
  const at = openQuoteRow(s, OutcomeEvent.quoteCreated, q)
  setTermsOfQuote(s, at, q)
  s.events.cells[at + Field.amountB] = s.quotes.cells[q * QUOTE_STRIDE + Quote.takerFeeBps]!
  s.events.cells[at + Field.untilUs] = s.quotes.cells[q * QUOTE_STRIDE + Quote.expiresAtUs]!
}

/** Sets what a quote is worth on the row whose first cell is `at`: its odds, risk (of a cash-out the price), net stake and payout. */
export function setTermsOfQuote(s: OutcomeState, at: number, q: number): void {
  const { quotes, events: { cells } } = s
  const quote = q * QUOTE_STRIDE
  const isCashout = s.rfqs.cells[quotes.ints[quote + QuoteInt.rfq]! * RFQ_STRIDE + Rfq.position] !== NONE
  cells[at + Field.oddsE4] = quotes.cells[quote + Quote.oddsE4]!
  cells[at + Field.amountA] = quotes.cells[quote + (isCashout ? Quote.payoutMicros : Quote.riskMicros)]!
  cells[at + Field.amountC] = quotes.cells[quote + Quote.netStakeMicros]!
  cells[at + Field.amountD] = quotes.cells[quote + Quote.payoutMicros]!
}

function endAndTell(s: OutcomeState, q: number, state: number, event: number): void {
  endLive(s, q, state)
  openQuoteRow(s, event, q)
  findBestWithout(s, s.quotes.ints[q * QUOTE_STRIDE + QuoteInt.rfq]!, q)
}

/** What is wrong with a quote's numbers, an `InvalidField`, or 0; `r` is the slot of the RFQ that it names, or −1. */
function invalidFieldOfQuote(c: OutcomeCommand, r: number): number {
  if (r === NONE && !Number.isSafeInteger(c.rfq)) return InvalidField.rfq
  if (!isGeneration(c.generation)) return InvalidField.generation
  if (!(Number.isSafeInteger(c.payoutMicros) && c.payoutMicros >= 1)) return InvalidField.payout
  return Number.isSafeInteger(c.expiryS) ? 0 : InvalidField.expiry
}

/** Whether a command's generation is one: NONE for whichever, or from 1. */
export const isGeneration = (generation: number): boolean =>
  generation === NONE || (Number.isSafeInteger(generation) && generation >= 1)

/** Why the RFQ whose row begins at `rfq` takes no quote of this sender, or ok; `netStakeMicros` is NONE of a cash-out. */
function refusalByRfq(s: OutcomeState, c: OutcomeCommand, rfq: number, netStakeMicros: number): number {
  const { cells, ints } = s.rfqs
  if (ints[rfq + RfqInt.owner] === c.account) return OutcomeCode.forbidden
  const state = ints[rfq + RfqInt.state]
  if (state === RfqState.inFlight) {
    const accepted = ints[rfq + RfqInt.acceptedQuote]! * QUOTE_STRIDE
    const isOwnAccepted = s.quotes.ints[accepted + QuoteInt.maker] === c.account
    return isOwnAccepted ? OutcomeCode.stateConflict : OutcomeCode.rfqGenerationInFlight
  }
  if (state !== RfqState.open) return OutcomeCode.rfqNotOpen
  if (c.generation !== NONE && c.generation !== cells[rfq + Rfq.generation]) return OutcomeCode.rfqGenerationStale
  if (netStakeMicros !== NONE && netStakeMicros < s.profile.netStakeMinMicros) return OutcomeCode.stateConflict
  return s.terms.quoteExposureStale ? OutcomeCode.quoteExposureStale : OutcomeCode.ok
}

/** Whether a quote may expire so long after now (OM-256, OM-258). */
function isExpiryInWindow(s: OutcomeState, isCashout: boolean, aheadUs: number): boolean {
  const { cashoutExpiryMinMs, cashoutExpiryMaxMs, entryExpiryMaxMs } = s.profile
  if (isCashout) return aheadUs >= cashoutExpiryMinMs * MS_US && aheadUs <= cashoutExpiryMaxMs * MS_US
  return aheadUs > 0 && aheadUs <= entryExpiryMaxMs * MS_US
}

/** Whether a payout, or a price, is within its limits (OM-251, readings B16). */
function isPayoutInLimits(s: OutcomeState, rfq: number, netStakeMicros: number, payoutMicros: number): boolean {
  if (netStakeMicros !== NONE) return payoutMicros > netStakeMicros && payoutMicros <= s.profile.payoutMaxMicros
  const { positions } = s
  return payoutMicros <= positions.payoutMicros[positions.index.slotOf(s.rfqs.cells[rfq + Rfq.position]!)]!
}

function refuseCapital(s: OutcomeState, c: OutcomeCommand, code: number, neededMicros: number, thereMicros: number): void {
  const at = refuseOnRfq(s, c, code)
  s.events.cells[at + Field.amountC] = neededMicros
  s.events.cells[at + Field.amountD] = thereMicros
}

/** Takes the row of a new live quote, which is none of its RFQ's live ones yet, and schedules its next end. */
function takeQuote(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number, riskMicros: number, signer: number): number {
  const { quotes, terms, profile } = s
  const rfq = r * RFQ_STRIDE
  const position = s.rfqs.cells[rfq + Rfq.position]!
  const isCashout = position !== NONE
  const q = quotes.take()
  const { cells, ints } = quotes
  const at = q * QUOTE_STRIDE
  const number = quotes.index.lastNumber
  const expiresAtUs = c.expiryS * SECOND_US
  cells[at + Quote.number] = number
  cells[at + Quote.netStakeMicros] = netStakeMicros
  cells[at + Quote.payoutMicros] = c.payoutMicros
  cells[at + Quote.riskMicros] = riskMicros
  cells[at + Quote.oddsE4] = isCashout ? NONE : mulDivFloor(c.payoutMicros, BPS, netStakeMicros)
  cells[at + Quote.takerFeeBps] = isCashout ? NONE : terms.takerFeeBps
  cells[at + Quote.feeBps] = isCashout ? s.positions.feeBps[s.positions.index.slotOf(position)]! : terms.feeBps
  cells[at + Quote.expiresAtUs] = expiresAtUs
  cells[at + Quote.generation] = s.rfqs.cells[rfq + Rfq.generation]!
  ints[at + QuoteInt.rfq] = r
  ints[at + QuoteInt.maker] = c.account
  ints[at + QuoteInt.state] = QuoteState.live
  ints[at + QuoteInt.signer] = signer
  ints[at + QuoteInt.acceptance] = NONE
  const hiddenFromUs = expiresAtUs - (isCashout ? profile.cashoutHiddenMs : profile.entryHiddenMs) * MS_US
  const isListed = hiddenFromUs > s.nowUs
  ints[at + QuoteInt.listed] = isListed ? 1 : 0
  if (isListed) s.deadlines.push(hiddenFromUs, DeadlineRank.quoteHidden, number)
  else s.deadlines.push(expiresAtUs, DeadlineRank.quoteExpiry, number)
  return q
}

/** Puts a quote, whose number is the highest, among the RFQ's quotes and its live ones, and makes it the best listed one if it is. */
function appendLive(s: OutcomeState, r: number, q: number): void {
  const { quotes: { ints }, rfqs } = s
  const at = q * QUOTE_STRIDE
  const rfq = r * RFQ_STRIDE
  ints[at + QuoteInt.next] = rfqs.ints[rfq + RfqInt.firstQuote]!
  rfqs.ints[rfq + RfqInt.firstQuote] = q
  const last = rfqs.ints[rfq + RfqInt.lastLive]!
  if (last === NONE) rfqs.ints[rfq + RfqInt.firstLive] = q
  else ints[last * QUOTE_STRIDE + QuoteInt.nextLive] = q
  rfqs.ints[rfq + RfqInt.lastLive] = q
  ints[at + QuoteInt.liveBefore] = last
  ints[at + QuoteInt.nextLive] = NONE
  if (ints[at + QuoteInt.listed] === 1 && isBetter(s, q, rfqs.ints[rfq + RfqInt.bestQuote]!)) rfqs.ints[rfq + RfqInt.bestQuote] = q
}
