import { BPS, mulDivFloor } from '../../../unit/micros.ts'
import { MS_US, SECOND_US } from '../../../unit/time.ts'
import { Field, NONE } from '../../eventRows.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { OutcomeEvent, QuoteState, RfqState } from '../protocol/events.ts'
import { A } from './acceptanceRows.ts'
import { P } from './positionRows.ts'
import { Q } from './quoteRows.ts'
import { R } from './rfqRows.ts'
import { netOfEntryFee } from './rfqs.ts'
import { openQuoteRow, openRfqRow, refuseField, refuseOnQuote, refuseOnRfq, reply, replyOnQuote } from './rows.ts'
import { quoteTerms, refusalOfSignature } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/** A maker quotes, or replaces its live quote: all is checked before the old one ends (readings B10). */
export function submitQuote(s: OutcomeState, c: OutcomeCommand): void {
  const { rfqs, quotes, accounts, terms, profile } = s
  const r = rfqs.rowOf(c.rfq)
  const field = invalidFieldOfQuote(c, r)
  if (field !== 0) return refuseField(s, c, field)
  if (terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  if (r === NONE) return void refuseOnRfq(s, c, OutcomeCode.notFound)
  const isCashout = rfqs.cells[r + R.position] !== NONE
  const netStakeMicros = isCashout ? NONE : netOfEntryFee(rfqs.cells[r + R.stakeMicros]!, terms.takerFeeBps)
  const refusal = refusalByRfq(s, c, r, netStakeMicros)
  if (refusal !== OutcomeCode.ok) return void refuseOnRfq(s, c, refusal)
  if (!isExpiryInWindow(s, isCashout, c.expiryS * SECOND_US - s.nowUs)) return refuseField(s, c, InvalidField.expiry)
  if (!isPayoutInLimits(s, r, netStakeMicros, c.payoutMicros)) return refuseField(s, c, InvalidField.payout)
  const signer = accounts.signer[c.account]!
  const signature = refusalOfSignature(s, c, quoteTerms(s, c, r, netStakeMicros), signer)
  if (signature !== OutcomeCode.ok) return void refuseOnRfq(s, c, signature)
  const riskMicros = isCashout ? riskOfPrice(s, r, c.account, c.payoutMicros) : c.payoutMicros - netStakeMicros
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) return refuseCapital(s, c, OutcomeCode.quoteCapacityExceeded, riskMicros, freeMicros)
  const own = s.makerQuotes.get(r, c.account)
  const freedMicros = own === NONE ? 0 : quotes.cells[own + Q.riskMicros]!
  const quotedMicros = accounts.quotedMicros[c.account]! + riskMicros - freedMicros
  const limitMicros = profile.exposureMultiple * freeMicros
  if (quotedMicros > limitMicros) return refuseCapital(s, c, OutcomeCode.quoteExposureLimit, quotedMicros, limitMicros)

  const bestBefore = rfqs.words[r + R.bestQuote]!
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
  cells[at + Field.oddsE4] = quotes.cells[q + Q.oddsE4]!
  cells[at + Field.amountB] = riskMicros
  cells[at + Field.untilUs] = quotes.cells[q + Q.expiresAtUs]!
}

/** A maker pulls its live quote. */
export function cancelQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  const { words } = s.quotes
  const q = s.quotes.rowOf(c.quote)
  const isOwn = q !== NONE && words[q + Q.maker] === c.account
  const refusal = isOwn ? refusalOfEnded(s, q) : OutcomeCode.quoteNotFound
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  if (words[q + Q.state] !== QuoteState.live) return void refuseOnQuote(s, c, OutcomeCode.stateConflict)

  endAndTell(s, q, QuoteState.cancelled, OutcomeEvent.quoteCancelled)
  replyOnQuote(s, c, q)
}

/**
 * Deadline: quote `number` is so close to its expiry that it leaves the listing (OM-257, OM-259); it can be accepted on. Its expiry is
 * scheduled only now, which most quotes do not live to see.
 */
export function quoteHiddenDue(s: OutcomeState, number: number): void {
  const { cells, words } = s.quotes
  const q = s.quotes.rowOf(number)
  if (q === NONE || words[q + Q.state] !== QuoteState.live) return
  s.deadlines.push(cells[q + Q.expiresAtUs]!, DeadlineRank.quoteExpiry, number)
  words[q + Q.listed] = 0
  findBestWithout(s, words[q + Q.rfq]!, q)
}

/** Deadline: the expiry of quote `number`, unless it ended before or waits for its confirmation. */
export function quoteExpiryDue(s: OutcomeState, number: number): void {
  const { words } = s.quotes
  const q = s.quotes.rowOf(number)
  if (q === NONE || words[q + Q.state] !== QuoteState.live) return
  endAndTell(s, q, QuoteState.expired, OutcomeEvent.quoteExpired)
}

/** Ends every live quote of the RFQ, which leaves it without a best one. */
export function killQuotes(s: OutcomeState, r: number): void {
  const { quotes: { words }, rfqs } = s
  const bestBefore = rfqs.words[r + R.bestQuote]!
  for (let q = rfqs.words[r + R.firstLive]!; q !== NONE; q = words[q + Q.nextLive]!) {
    endLive(s, q, QuoteState.dead)
    openQuoteRow(s, OutcomeEvent.quoteDead, q)
  }
  rfqs.words[r + R.bestQuote] = NONE
  tellBest(s, r, bestBefore)
}

/** Takes a live quote off the RFQ's live ones and the listing, without a row; its risk does not count any more. */
export function endLive(s: OutcomeState, q: number, state: number): void {
  const { cells, words } = s.quotes
  const maker = words[q + Q.maker]!
  s.accounts.quotedMicros[maker]! -= cells[q + Q.riskMicros]!
  s.makerQuotes.remove(words[q + Q.rfq]!, maker)
  unlinkLive(s, q, state)
}

function unlinkLive(s: OutcomeState, q: number, state: number): void {
  const { quotes: { words }, rfqs } = s
  const r = words[q + Q.rfq]!
  words[q + Q.state] = state
  words[q + Q.listed] = 0
  const before = words[q + Q.liveBefore]!
  const after = words[q + Q.nextLive]!
  if (before === NONE) rfqs.words[r + R.firstLive] = after
  else words[before + Q.nextLive] = after
  if (after === NONE) rfqs.words[r + R.lastLive] = before
  else words[after + Q.liveBefore] = before
}

/** Finds each maker's live quotes anew. */
export function tabulateQuotes({ quotes, quotes: { words }, makerQuotes }: OutcomeState): void {
  makerQuotes.clear()
  quotes.forEachLive((q) => {
    if (words[q + Q.state] === QuoteState.live) makerQuotes.set(words[q + Q.rfq]!, words[q + Q.maker]!, q)
  })
}

/** Gives the rows of all quotes of the RFQ back, with their acceptances'. */
export function releaseQuotes(s: OutcomeState, r: number): void {
  const { quotes: { index, cells, words }, acceptances } = s
  for (let q = s.rfqs.words[r + R.firstQuote]!; q !== NONE; q = words[q + Q.next]!) {
    const a = words[q + Q.acceptance]!
    if (a !== NONE) acceptances.index.release(acceptances.cells[a + A.number]!)
    index.release(cells[q + Q.number]!)
  }
}

/** What a maker can lose by a price for the position of cash-out RFQ `r`: nothing when it backs it, as the pot pays (readings B16). */
export function riskOfPrice(s: OutcomeState, r: number, maker: number, priceMicros: number): number {
  const p = s.positions.rowOf(s.rfqs.cells[r + R.position]!)
  return s.positions.words[p + P.backer] === maker ? 0 : priceMicros
}

/** The code of a quote that expired, was cancelled or was replaced, else ok (readings B10). */
export function refusalOfEnded(s: OutcomeState, q: number): number {
  switch (s.quotes.words[q + Q.state]) {
    case QuoteState.expired: return OutcomeCode.quoteExpired
    case QuoteState.cancelled: return OutcomeCode.quoteCancelled
    case QuoteState.replaced: return OutcomeCode.quoteReplaced
    default: return OutcomeCode.ok
  }
}

/** Finds and tells the RFQ's best listed quote after `q` has left the listing. */
export function findBestWithout(s: OutcomeState, r: number, q: number): void {
  if (s.rfqs.words[r + R.bestQuote] !== q) return
  findBest(s, r)
  tellBest(s, r, q)
}

/** Finds the RFQ's best listed quote. */
function findBest(s: OutcomeState, r: number): void {
  const { quotes: { words }, rfqs } = s
  let best = NONE
  for (let q = rfqs.words[r + R.firstLive]!; q !== NONE; q = words[q + Q.nextLive]!) {
    if (words[q + Q.listed] === 1 && isBetter(s, q, best)) best = q
  }
  rfqs.words[r + R.bestQuote] = best
}

/** Whether the listed quote `q` is better than `best`, which was made before it, or is none: a higher payout or price. */
function isBetter(s: OutcomeState, q: number, best: number): boolean {
  const { cells } = s.quotes
  return best === NONE || cells[q + Q.payoutMicros]! > cells[best + Q.payoutMicros]!
}

/** Tells the RFQ's best listed quote if it is another than `before`. */
function tellBest(s: OutcomeState, r: number, before: number): void {
  const { quotes, rfqs, events } = s
  const best = rfqs.words[r + R.bestQuote]!
  if (best === before) return
  const at = openRfqRow(s, OutcomeEvent.bestQuoteChanged, r, best === NONE ? NONE : quotes.words[best + Q.maker]!)
  const { cells } = events
  cells[at + Field.other] = rfqs.words[r + R.owner]!
  if (best === NONE) return
  cells[at + Field.quote] = quotes.cells[best + Q.number]!
  cells[at + Field.oddsE4] = quotes.cells[best + Q.oddsE4]!
  cells[at + Field.amountD] = quotes.cells[best + Q.payoutMicros]!
  cells[at + Field.untilUs] = quotes.cells[best + Q.expiresAtUs]!
}

function tellCreated(s: OutcomeState, q: number): void {
  const at = openQuoteRow(s, OutcomeEvent.quoteCreated, q)
  setTermsOfQuote(s, at, q)
  s.events.cells[at + Field.amountB] = s.quotes.words[q + Q.takerFeeBps]!
  s.events.cells[at + Field.untilUs] = s.quotes.cells[q + Q.expiresAtUs]!
}

/** Sets what a quote is worth on the row whose first cell is `at`: its odds, risk (of a cash-out the price), net stake and payout. */
export function setTermsOfQuote(s: OutcomeState, at: number, q: number): void {
  const { quotes, events: { cells } } = s
  const isCashout = s.rfqs.cells[quotes.words[q + Q.rfq]! + R.position] !== NONE
  cells[at + Field.oddsE4] = quotes.cells[q + Q.oddsE4]!
  cells[at + Field.amountA] = quotes.cells[q + (isCashout ? Q.payoutMicros : Q.riskMicros)]!
  cells[at + Field.amountC] = quotes.cells[q + Q.netStakeMicros]!
  cells[at + Field.amountD] = quotes.cells[q + Q.payoutMicros]!
}

function endAndTell(s: OutcomeState, q: number, state: number, event: number): void {
  endLive(s, q, state)
  openQuoteRow(s, event, q)
  findBestWithout(s, s.quotes.words[q + Q.rfq]!, q)
}

/** What is wrong with a quote's numbers, an `InvalidField`, or 0; `r` is the row of the RFQ that it names, or −1. */
function invalidFieldOfQuote(c: OutcomeCommand, r: number): number {
  if (r === NONE && !Number.isSafeInteger(c.rfq)) return InvalidField.rfq
  if (!isGeneration(c.generation)) return InvalidField.generation
  if (!(Number.isSafeInteger(c.payoutMicros) && c.payoutMicros >= 1)) return InvalidField.payout
  return Number.isSafeInteger(c.expiryS) ? 0 : InvalidField.expiry
}

/** Whether a command's generation is one: NONE for whichever, or from 1. */
export const isGeneration = (generation: number): boolean =>
  generation === NONE || (Number.isSafeInteger(generation) && generation >= 1)

/** Why the RFQ takes no quote of this sender, or ok; `netStakeMicros` is NONE of a cash-out. */
function refusalByRfq(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number): number {
  const { cells, words } = s.rfqs
  if (words[r + R.owner] === c.account) return OutcomeCode.forbidden
  const state = words[r + R.state]
  if (state === RfqState.inFlight) {
    const accepted = words[r + R.acceptedQuote]!
    return s.quotes.words[accepted + Q.maker] === c.account ? OutcomeCode.stateConflict : OutcomeCode.rfqGenerationInFlight
  }
  if (state !== RfqState.open) return OutcomeCode.rfqNotOpen
  if (c.generation !== NONE && c.generation !== cells[r + R.generation]) return OutcomeCode.rfqGenerationStale
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
function isPayoutInLimits(s: OutcomeState, r: number, netStakeMicros: number, payoutMicros: number): boolean {
  if (netStakeMicros !== NONE) return payoutMicros > netStakeMicros && payoutMicros <= s.profile.payoutMaxMicros
  const { positions } = s
  return payoutMicros <= positions.cells[positions.rowOf(s.rfqs.cells[r + R.position]!) + P.payoutMicros]!
}

function refuseCapital(s: OutcomeState, c: OutcomeCommand, code: number, neededMicros: number, thereMicros: number): void {
  const at = refuseOnRfq(s, c, code)
  s.events.cells[at + Field.amountC] = neededMicros
  s.events.cells[at + Field.amountD] = thereMicros
}

/** Takes the row of a new live quote, which is none of its RFQ's live ones yet, and schedules its next end. */
function takeQuote(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number, riskMicros: number, signer: number): number {
  const { quotes, terms, profile } = s
  const position = s.rfqs.cells[r + R.position]!
  const isCashout = position !== NONE
  const q = quotes.take()
  const { cells, words } = quotes
  const number = quotes.index.lastNumber
  const expiresAtUs = c.expiryS * SECOND_US
  const hiddenFromUs = expiresAtUs - (isCashout ? profile.cashoutHiddenMs : profile.entryHiddenMs) * MS_US
  const isListed = hiddenFromUs > s.nowUs
  words[q + Q.rfq] = r
  words[q + Q.maker] = c.account
  words[q + Q.state] = QuoteState.live
  words[q + Q.listed] = isListed ? 1 : 0
  words[q + Q.generation] = s.rfqs.cells[r + R.generation]!
  words[q + Q.signer] = signer
  words[q + Q.takerFeeBps] = isCashout ? NONE : terms.takerFeeBps
  words[q + Q.feeBps] = isCashout ? s.positions.words[s.positions.rowOf(position) + P.feeBps]! : terms.feeBps
  words[q + Q.acceptance] = NONE
  cells[q + Q.number] = number
  cells[q + Q.netStakeMicros] = netStakeMicros
  cells[q + Q.payoutMicros] = c.payoutMicros
  cells[q + Q.riskMicros] = riskMicros
  cells[q + Q.oddsE4] = isCashout ? NONE : mulDivFloor(c.payoutMicros, BPS, netStakeMicros)
  cells[q + Q.expiresAtUs] = expiresAtUs
  if (isListed) s.deadlines.push(hiddenFromUs, DeadlineRank.quoteHidden, number)
  else s.deadlines.push(expiresAtUs, DeadlineRank.quoteExpiry, number)
  return q
}

/** Puts a quote, whose number is the highest, among the RFQ's quotes and its live ones, and makes it the best listed one if it is. */
function appendLive(s: OutcomeState, r: number, q: number): void {
  const { quotes: { words }, rfqs } = s
  words[q + Q.next] = rfqs.words[r + R.firstQuote]!
  rfqs.words[r + R.firstQuote] = q
  const last = rfqs.words[r + R.lastLive]!
  if (last === NONE) rfqs.words[r + R.firstLive] = q
  else words[last + Q.nextLive] = q
  rfqs.words[r + R.lastLive] = q
  words[q + Q.liveBefore] = last
  words[q + Q.nextLive] = NONE
  if (words[q + Q.listed] === 1 && isBetter(s, q, rfqs.words[r + R.bestQuote]!)) rfqs.words[r + R.bestQuote] = q
}
