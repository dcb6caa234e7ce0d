import { BPS, mulDivFloor } from '../../../unit/micros.ts'
import { NONE } from '../../../unit/none.ts'
import { MS_US, SECOND_US } from '../../../unit/time.ts'
import { type Kind, type KindOf, rowAs } from '../../eventCells.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import {
  BestBidChanged, BestQuoteChanged, BidCreated, CapitalRefusal, OutcomeEvent, QuoteCreated, QuoteReply, type QuoteRow, QuoteState, RfqState,
} from '../protocol/events.ts'
import { AcceptanceCell } from './acceptanceRows.ts'
import { netOfEntryFee } from './fees.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import { openQuoteRow, openRowOfQuotes, refuseField, refuseOnQuote, refuseOnRfq, reply, replyOnQuote } from './rows.ts'
import { quoteTerms, refusalOfSignature } from './signatures.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/** A maker quotes, or replaces its live quote. Everything is checked before the old quote ends (readings B10). */
export function submitQuote(s: OutcomeState, c: OutcomeCommand): void {
  const { rfqs, quotes, accounts, terms, profile } = s
  const r = rfqs.rowOf(c.rfq)
  const field = invalidFieldOfQuote(c, r)
  if (field !== 0) return refuseField(s, c, field)
  if (terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  if (r === NONE) return void refuseOnRfq(s, c, OutcomeCode.notFound)
  const isCashOut = rfqs.cells[r + RfqCell.position] !== NONE
  const netStakeMicros = isCashOut ? NONE : netOfEntryFee(rfqs.cells[r + RfqCell.stakeMicros]!, terms.takerFeeBps)
  const refusal = refusalByRfq(s, c, r, netStakeMicros)
  if (refusal !== OutcomeCode.ok) return void refuseOnRfq(s, c, refusal)
  if (!isExpiryInWindow(s, isCashOut, c.expiryS * SECOND_US - s.nowUs)) return refuseField(s, c, InvalidField.expiry)
  if (!isPayoutInLimits(s, r, netStakeMicros, c.payoutMicros)) return refuseField(s, c, InvalidField.payout)
  const signer = accounts.signer[c.account]!
  const signature = refusalOfSignature(s, c, quoteTerms(s, c, r, netStakeMicros), signer)
  if (signature !== OutcomeCode.ok) return void refuseOnRfq(s, c, signature)
  const riskMicros = isCashOut ? riskOfPrice(s, r, c.account, c.payoutMicros) : c.payoutMicros - netStakeMicros
  const freeMicros = s.ledger.freeMicros(c.account)
  if (freeMicros < riskMicros) return refuseCapital(s, c, OutcomeCode.quoteCapacityExceeded, riskMicros, freeMicros)
  const own = s.makerQuotes.get(r, c.account)
  const freedMicros = own === NONE ? 0 : quotes.cells[own + QuoteCell.riskMicros]!
  const quotedMicros = accounts.quotedMicros[c.account]! + riskMicros - freedMicros
  const limitMicros = profile.exposureMultiple * freeMicros
  if (quotedMicros > limitMicros) return refuseCapital(s, c, OutcomeCode.quoteExposureLimit, quotedMicros, limitMicros)

  const bestBefore = rfqs.words[r + RfqWord.bestQuote]!
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
  const row = rowAs(QuoteReply, replyOnQuote(s, c, q))
  s.events.write(row, QuoteReply.oddsE4, quotes.cells[q + QuoteCell.oddsE4]!)
  s.events.write(row, QuoteReply.riskMicros, riskMicros)
  s.events.write(row, QuoteReply.expiresAtUs, quotes.cells[q + QuoteCell.expiresAtUs]!)
}

/** A maker pulls its live quote. */
export function cancelQuote(s: OutcomeState, c: OutcomeCommand): void {
  if (!Number.isSafeInteger(c.quote)) return refuseField(s, c, InvalidField.quote)
  const { words } = s.quotes
  const q = s.quotes.rowOf(c.quote)
  const isOwn = q !== NONE && words[q + QuoteWord.maker] === c.account
  const refusal = isOwn ? refusalOfEnded(s, q) : OutcomeCode.quoteNotFound
  if (refusal !== OutcomeCode.ok) return void refuseOnQuote(s, c, refusal)
  if (words[q + QuoteWord.state] !== QuoteState.live) return void refuseOnQuote(s, c, OutcomeCode.stateConflict)

  endAndTell(s, q, QuoteState.cancelled, OutcomeEvent.quoteCancelled)
  replyOnQuote(s, c, q)
}

/**
 * Deadline: quote `number` is so close to its expiry that it leaves the listing (OM-257, OM-259). It can still be accepted. Its expiry is
 * scheduled only now, because most quotes end before.
 */
export function quoteHiddenDue(s: OutcomeState, number: number): void {
  const { cells, words } = s.quotes
  const q = s.quotes.rowOf(number)
  if (q === NONE || words[q + QuoteWord.state] !== QuoteState.live) return
  s.deadlines.push(cells[q + QuoteCell.expiresAtUs]!, DeadlineRank.quoteExpiry, number)
  words[q + QuoteWord.listed] = 0
  findBestWithout(s, words[q + QuoteWord.rfq]!, q)
}

/** Deadline: the expiry of quote `number`, unless it ended before or waits for its confirmation. */
export function quoteExpiryDue(s: OutcomeState, number: number): void {
  const { words } = s.quotes
  const q = s.quotes.rowOf(number)
  if (q === NONE || words[q + QuoteWord.state] !== QuoteState.live) return
  endAndTell(s, q, QuoteState.expired, OutcomeEvent.quoteExpired)
}

/** Ends every live quote of the RFQ, so that it has no best quote. */
export function killQuotes(s: OutcomeState, r: number): void {
  const { quotes: { words }, rfqs } = s
  const bestBefore = rfqs.words[r + RfqWord.bestQuote]!
  for (let q = rfqs.words[r + RfqWord.firstLive]!; q !== NONE; q = words[q + QuoteWord.nextLive]!) {
    endLive(s, q, QuoteState.dead)
    openQuoteRow(s, OutcomeEvent.quoteDead, q)
  }
  rfqs.words[r + RfqWord.bestQuote] = NONE
  tellBest(s, r, bestBefore)
}

/** Takes a live quote out of the RFQ's live quotes and the listing, without a row. Its risk does not count any more. */
export function endLive(s: OutcomeState, q: number, state: number): void {
  const { cells, words } = s.quotes
  const maker = words[q + QuoteWord.maker]!
  s.accounts.quotedMicros[maker]! -= cells[q + QuoteCell.riskMicros]!
  s.makerQuotes.remove(words[q + QuoteWord.rfq]!, maker)
  unlinkLive(s, q, state)
}

function unlinkLive(s: OutcomeState, q: number, state: number): void {
  const { quotes: { words }, rfqs } = s
  const r = words[q + QuoteWord.rfq]!
  words[q + QuoteWord.state] = state
  words[q + QuoteWord.listed] = 0
  const before = words[q + QuoteWord.liveBefore]!
  const after = words[q + QuoteWord.nextLive]!
  if (before === NONE) rfqs.words[r + RfqWord.firstLive] = after
  else words[before + QuoteWord.nextLive] = after
  if (after === NONE) rfqs.words[r + RfqWord.lastLive] = before
  else words[after + QuoteWord.liveBefore] = before
}

/** Gives the rows of all quotes of the RFQ back, with their acceptances'. */
export function releaseQuotes(s: OutcomeState, r: number): void {
  const { quotes: { index, cells, words }, acceptances } = s
  for (let q = s.rfqs.words[r + RfqWord.firstQuote]!; q !== NONE; q = words[q + QuoteWord.next]!) {
    const a = words[q + QuoteWord.acceptance]!
    if (a !== NONE) acceptances.index.release(acceptances.cells[a + AcceptanceCell.number]!)
    index.release(cells[q + QuoteCell.number]!)
  }
}

/** What a maker can lose by a price for the position of cash-out RFQ `r`. The backing maker loses nothing, because the pot pays (readings B16). */
export function riskOfPrice(s: OutcomeState, r: number, maker: number, priceMicros: number): number {
  const p = s.positions.rowOf(s.rfqs.cells[r + RfqCell.position]!)
  return s.positions.words[p + PositionWord.backer] === maker ? 0 : priceMicros
}

/** The code for a quote that expired, was cancelled or was replaced, else ok (readings B10). */
export function refusalOfEnded(s: OutcomeState, q: number): number {
  switch (s.quotes.words[q + QuoteWord.state]) {
    case QuoteState.expired: return OutcomeCode.quoteExpired
    case QuoteState.cancelled: return OutcomeCode.quoteCancelled
    case QuoteState.replaced: return OutcomeCode.quoteReplaced
    default: return OutcomeCode.ok
  }
}

/** Finds the RFQ's best listed quote after `q` has left the listing, and writes the row about it. */
export function findBestWithout(s: OutcomeState, r: number, q: number): void {
  if (s.rfqs.words[r + RfqWord.bestQuote] !== q) return
  findBest(s, r)
  tellBest(s, r, q)
}

/**
 * Finds the RFQ's best listed quote. A quote at the edge itself is hidden (OM-266), also when its own deadline of this instant is still to come:
 * quotes that leave the listing at one instant leave it together, and none of them is the best for no time.
 */
function findBest(s: OutcomeState, r: number): void {
  const { quotes: { cells, words }, rfqs, profile } = s
  const edgeUs = s.nowUs + (isCashOutRfq(s, r) ? profile.cashoutHiddenMs : profile.entryHiddenMs) * MS_US
  let best = NONE
  for (let q = rfqs.words[r + RfqWord.firstLive]!; q !== NONE; q = words[q + QuoteWord.nextLive]!) {
    if (words[q + QuoteWord.listed] === 1 && cells[q + QuoteCell.expiresAtUs]! > edgeUs && isBetter(s, q, best)) best = q
  }
  rfqs.words[r + RfqWord.bestQuote] = best
}

/** Whether the listed quote `q` has a higher payout or price than `best`, which was made before it or does not exist. */
function isBetter(s: OutcomeState, q: number, best: number): boolean {
  const { cells } = s.quotes
  return best === NONE || cells[q + QuoteCell.payoutMicros]! > cells[best + QuoteCell.payoutMicros]!
}

/** Writes a row about the RFQ's best listed quote if it is not `before`. */
function tellBest(s: OutcomeState, r: number, before: number): void {
  const { quotes, rfqs, events } = s
  const best = rfqs.words[r + RfqWord.bestQuote]!
  if (best === before) return
  if (best === NONE) return void openRowOfQuotes(s, OutcomeEvent.bestQuoteChanged, r)
  const row = openQuoteRow(s, OutcomeEvent.bestQuoteChanged, best)
  if (isCashOutRfq(s, r)) {
    const bid = rowAs(BestBidChanged, row)
    events.write(bid, BestBidChanged.priceMicros, quotes.cells[best + QuoteCell.payoutMicros]!)
    events.write(bid, BestBidChanged.expiresAtUs, quotes.cells[best + QuoteCell.expiresAtUs]!)
    return
  }
  events.write(row, BestQuoteChanged.oddsE4, quotes.cells[best + QuoteCell.oddsE4]!)
  events.write(row, BestQuoteChanged.payoutMicros, quotes.cells[best + QuoteCell.payoutMicros]!)
  events.write(row, BestQuoteChanged.expiresAtUs, quotes.cells[best + QuoteCell.expiresAtUs]!)
}

function tellCreated(s: OutcomeState, q: number): void {
  const { events, quotes: { cells, words } } = s
  const row = openQuoteRow(s, OutcomeEvent.quoteCreated, q)
  if (isCashOutRfq(s, words[q + QuoteWord.rfq]!)) {
    const bid = rowAs(BidCreated, row)
    events.write(bid, BidCreated.priceMicros, cells[q + QuoteCell.payoutMicros]!)
    events.write(bid, BidCreated.payoutMicros, cells[q + QuoteCell.payoutMicros]!)
    events.write(bid, BidCreated.expiresAtUs, cells[q + QuoteCell.expiresAtUs]!)
    return
  }
  events.write(row, QuoteCreated.oddsE4, cells[q + QuoteCell.oddsE4]!)
  events.write(row, QuoteCreated.riskMicros, cells[q + QuoteCell.riskMicros]!)
  events.write(row, QuoteCreated.takerFeeBps, words[q + QuoteWord.takerFeeBps]!)
  events.write(row, QuoteCreated.netStakeMicros, cells[q + QuoteCell.netStakeMicros]!)
  events.write(row, QuoteCreated.payoutMicros, cells[q + QuoteCell.payoutMicros]!)
  events.write(row, QuoteCreated.expiresAtUs, cells[q + QuoteCell.expiresAtUs]!)
}

/** Whether the RFQ sells a position. */
export const isCashOutRfq = (s: OutcomeState, r: number): boolean => s.rfqs.cells[r + RfqCell.position] !== NONE

function endAndTell(s: OutcomeState, q: number, state: number, kind: Kind<KindOf<typeof QuoteRow>>): void {
  endLive(s, q, state)
  openQuoteRow(s, kind, q)
  findBestWithout(s, s.quotes.words[q + QuoteWord.rfq]!, q)
}

/** What is wrong with a quote's numbers, an `InvalidField`, or 0. `r` is the row of the RFQ that it names, or −1. */
function invalidFieldOfQuote(c: OutcomeCommand, r: number): number {
  if (r === NONE && !Number.isSafeInteger(c.rfq)) return InvalidField.rfq
  if (!isGeneration(c.generation)) return InvalidField.generation
  if (!(Number.isSafeInteger(c.payoutMicros) && c.payoutMicros >= 1)) return InvalidField.payout
  return Number.isSafeInteger(c.expiryS) ? 0 : InvalidField.expiry
}

/** Whether a command's generation is possible: NONE for any, or from 1. */
export const isGeneration = (generation: number): boolean =>
  generation === NONE || (Number.isSafeInteger(generation) && generation >= 1)

/** Why the RFQ takes no quote of this sender, or ok. `netStakeMicros` is NONE for a cash-out. */
function refusalByRfq(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number): number {
  const { cells, words } = s.rfqs
  if (words[r + RfqWord.owner] === c.account) return OutcomeCode.forbidden
  const state = words[r + RfqWord.state]
  if (state === RfqState.inFlight) {
    const accepted = words[r + RfqWord.acceptedQuote]!
    return s.quotes.words[accepted + QuoteWord.maker] === c.account ? OutcomeCode.stateConflict : OutcomeCode.rfqGenerationInFlight
  }
  if (state !== RfqState.open) return OutcomeCode.rfqNotOpen
  if (c.generation !== NONE && c.generation !== cells[r + RfqCell.generation]) return OutcomeCode.rfqGenerationStale
  if (netStakeMicros !== NONE && netStakeMicros < s.profile.netStakeMinMicros) return OutcomeCode.stateConflict
  return s.terms.quoteExposureStale ? OutcomeCode.quoteExposureStale : OutcomeCode.ok
}

/** Whether a quote may expire at this distance from now (OM-256, OM-258). */
function isExpiryInWindow(s: OutcomeState, isCashOut: boolean, aheadUs: number): boolean {
  const { cashoutExpiryMinMs, cashoutExpiryMaxMs, entryExpiryMaxMs } = s.profile
  if (isCashOut) return aheadUs >= cashoutExpiryMinMs * MS_US && aheadUs <= cashoutExpiryMaxMs * MS_US
  return aheadUs > 0 && aheadUs <= entryExpiryMaxMs * MS_US
}

/** Whether a payout, or a price, is within its limits (OM-251, readings B16). */
function isPayoutInLimits(s: OutcomeState, r: number, netStakeMicros: number, payoutMicros: number): boolean {
  if (netStakeMicros !== NONE) return payoutMicros > netStakeMicros && payoutMicros <= s.profile.payoutMaxMicros
  const { positions } = s
  return payoutMicros <= positions.cells[positions.rowOf(s.rfqs.cells[r + RfqCell.position]!) + PositionCell.payoutMicros]!
}

function refuseCapital(s: OutcomeState, c: OutcomeCommand, code: number, neededMicros: number, thereMicros: number): void {
  const row = rowAs(CapitalRefusal, refuseOnRfq(s, c, code))
  s.events.write(row, CapitalRefusal.requiredMicros, neededMicros)
  s.events.write(row, CapitalRefusal.availableMicros, thereMicros)
}

/** Takes the row of a new live quote, which is not yet among the RFQ's live quotes, and schedules its next deadline. */
function takeQuote(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number, riskMicros: number, signer: number): number {
  const { quotes, terms, profile } = s
  const position = s.rfqs.cells[r + RfqCell.position]!
  const isCashOut = position !== NONE
  const q = quotes.take()
  const { cells, words } = quotes
  const number = quotes.index.lastNumber
  const expiresAtUs = c.expiryS * SECOND_US
  const hiddenFromUs = expiresAtUs - (isCashOut ? profile.cashoutHiddenMs : profile.entryHiddenMs) * MS_US
  const isListed = hiddenFromUs > s.nowUs
  words[q + QuoteWord.rfq] = r
  words[q + QuoteWord.maker] = c.account
  words[q + QuoteWord.state] = QuoteState.live
  words[q + QuoteWord.listed] = isListed ? 1 : 0
  words[q + QuoteWord.generation] = s.rfqs.cells[r + RfqCell.generation]!
  words[q + QuoteWord.signer] = signer
  words[q + QuoteWord.takerFeeBps] = isCashOut ? NONE : terms.takerFeeBps
  words[q + QuoteWord.feeBps] = isCashOut ? s.positions.words[s.positions.rowOf(position) + PositionWord.feeBps]! : terms.feeBps
  words[q + QuoteWord.acceptance] = NONE
  cells[q + QuoteCell.number] = number
  cells[q + QuoteCell.netStakeMicros] = netStakeMicros
  cells[q + QuoteCell.payoutMicros] = c.payoutMicros
  cells[q + QuoteCell.riskMicros] = riskMicros
  cells[q + QuoteCell.oddsE4] = isCashOut ? NONE : mulDivFloor(c.payoutMicros, BPS, netStakeMicros)
  cells[q + QuoteCell.expiresAtUs] = expiresAtUs
  if (isListed) s.deadlines.push(hiddenFromUs, DeadlineRank.quoteHidden, number)
  else s.deadlines.push(expiresAtUs, DeadlineRank.quoteExpiry, number)
  return q
}

/** Appends a quote, whose number is the highest, to the RFQ's quotes and live quotes, and makes it the best listed one if it is better. */
function appendLive(s: OutcomeState, r: number, q: number): void {
  const { quotes: { words }, rfqs } = s
  words[q + QuoteWord.next] = rfqs.words[r + RfqWord.firstQuote]!
  rfqs.words[r + RfqWord.firstQuote] = q
  const last = rfqs.words[r + RfqWord.lastLive]!
  if (last === NONE) rfqs.words[r + RfqWord.firstLive] = q
  else words[last + QuoteWord.nextLive] = q
  rfqs.words[r + RfqWord.lastLive] = q
  words[q + QuoteWord.liveBefore] = last
  words[q + QuoteWord.nextLive] = NONE
  if (words[q + QuoteWord.listed] === 1 && isBetter(s, q, rfqs.words[r + RfqWord.bestQuote]!)) rfqs.words[r + RfqWord.bestQuote] = q
}
