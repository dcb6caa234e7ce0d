import { EntityColumns } from '../../../unit/countedColumns.ts'
import { feeFloor, type Micros } from '../../../unit/micros.ts'
import * as timeModule from '../../../unit/time.ts'
import * as eventRowsModule from '../../eventRows.ts'
import * as codesModule from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import * as eventsModule from '../protocol/events.ts'
import { forgetLater, Forgotten } from './forgetting.ts'
import { isAskable } from './outcomes.ts'
import { killQuotes, releaseQuotes } from './quotes.ts'
import { openRfqRow, pushRfqLegs, refuseField, refuseOnRfq, reply, replyOnRfq } from './rows.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { MS_US } = timeModule
const { Field, NONE } = eventRowsModule
const { InvalidField, OutcomeCode } = codesModule
const { OutcomeEvent, RfqEnd, RfqState } = eventsModule

const STAKE_MAX_MICROS = 1e15

/** RFQs by slot, until they are forgotten: entries, and cash-outs of a position. */
export class RfqColumns extends EntityColumns {
  readonly legWidth: number
  number = new Float64Array(this.capacity)
  owner = new Int32Array(this.capacity)
  /** An `RfqState`. */
  state = new Uint8Array(this.capacity)
  generation = new Int32Array(this.capacity)
  /** Number of the position that a cash-out RFQ sells, or −1. */
  position = new Float64Array(this.capacity)
  /** The stake, and what was left of it by the entry fee in force at its creation; −1 of a cash-out. */
  stakeMicros = new Float64Array(this.capacity)
  netStakeMicros = new Float64Array(this.capacity)
  openUntilUs = new Float64Array(this.capacity)
  /** When it is forgotten or looked at again; meaningless while it is open. */
  forgetAtUs = new Float64Array(this.capacity)
  legCount = new Uint8Array(this.capacity)
  legOutcomes: Int32Array
  legSides: Uint8Array
  /** All its quotes by ascending number, linked through `QuoteColumns.next`; −1 when there are none. */
  firstQuote = new Int32Array(this.capacity)
  lastQuote = new Int32Array(this.capacity)
  /** The live ones among them, doubly linked through `QuoteColumns.nextLive` and `liveBefore`. */
  firstLive = new Int32Array(this.capacity)
  lastLive = new Int32Array(this.capacity)
  /** Slot of the best listed quote, or −1. */
  bestQuote = new Int32Array(this.capacity)
  /** Slot of the quote whose acceptance is pending, or −1. */
  acceptedQuote = new Int32Array(this.capacity)

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legOutcomes = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
  }
}

/** A participant asks for quotes on a combination of legs (OM-006). */
export function createRfq(s: OutcomeState, c: OutcomeCommand): void {
  const { terms, rfqs, events } = s
  if (!isStakeValid(s, c.stakeMicros)) return refuseField(s, c, InvalidField.stake)
  const { legsMin, legsMax } = s.profile
  if (!(Number.isInteger(c.legCount) && c.legCount >= legsMin && c.legCount <= legsMax)) return refuseField(s, c, InvalidField.legs)
  for (let i = 0; i < c.legCount; i++) {
    const field = invalidFieldOfLeg(s, c, i)
    if (field !== 0) return refuseField(s, c, field, i)
  }
  if (terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  if (s.accounts.openRfqs[c.account]! >= s.profile.rfqIntentLimit) return reply(s, c, OutcomeCode.rfqIntentLimit)

  const r = takeRfq(s, c.account, NONE, s.profile.entryOpenMs)
  rfqs.stakeMicros[r] = c.stakeMicros
  rfqs.netStakeMicros[r] = netOfEntryFee(c.stakeMicros, terms.takerFeeBps)
  const from = r * rfqs.legWidth
  rfqs.legCount[r] = c.legCount
  for (let i = 0; i < c.legCount; i++) {
    rfqs.legOutcomes[from + i] = c.legOutcomes[i]!
    rfqs.legSides[from + i] = c.legSides[i]!
  }
  const at = openRfqRow(s, OutcomeEvent.rfqCreated, r, rfqs.owner[r]!)
  const { cells } = events
  cells[at + Field.amountA] = c.stakeMicros
  cells[at + Field.amountB] = rfqs.netStakeMicros[r]!
  cells[at + Field.amountC] = terms.takerFeeBps
  cells[at + Field.amountD] = terms.feeBps
  cells[at + Field.untilUs] = rfqs.openUntilUs[r]!
  pushRfqLegs(s, r)
  replyOnRfq(s, c, r)
  events.set(Field.untilUs, rfqs.openUntilUs[r]!)
}

/** Opens the cash-out RFQ of the position in slot `p` for its holder, tells it and returns its slot (OM-009). */
export function openCashoutRfq(s: OutcomeState, p: number): number {
  const { positions, rfqs, events } = s
  const holder = positions.holder[p]!
  const r = takeRfq(s, holder, positions.number[p]!, s.profile.cashoutOpenMs)
  rfqs.stakeMicros[r] = rfqs.netStakeMicros[r] = NONE
  const from = r * rfqs.legWidth
  const source = p * positions.legWidth
  rfqs.legCount[r] = positions.legCount[p]!
  for (let i = 0; i < positions.legCount[p]!; i++) {
    rfqs.legOutcomes[from + i] = positions.legOutcomes[source + i]!
    rfqs.legSides[from + i] = positions.legSides[source + i]!
  }
  openRfqRow(s, OutcomeEvent.rfqCreated, r, holder)
  events.set(Field.other, positions.backer[p]!)
  events.set(Field.amountA, positions.payoutMicros[p]!)
  events.set(Field.amountB, positions.netStakeMicros[p]!)
  events.set(Field.amountD, positions.feeBps[p]!)
  events.set(Field.untilUs, rfqs.openUntilUs[r]!)
  pushRfqLegs(s, r)
  return r
}

export function cancelRfq(s: OutcomeState, c: OutcomeCommand): void {
  const { rfqs } = s
  if (!Number.isSafeInteger(c.rfq)) return refuseField(s, c, InvalidField.rfq)
  const r = rfqs.index.slotOf(c.rfq)
  if (r === NONE || rfqs.owner[r] !== c.account) return void refuseOnRfq(s, c, OutcomeCode.notFound)
  if (rfqs.state[r] !== RfqState.open) return void refuseOnRfq(s, c, OutcomeCode.rfqNotCancellable)

  cancelRfqIn(s, r, RfqEnd.byOwner)
  replyOnRfq(s, c, r)
}

/** Cancels an RFQ whatever it waits for, with its live quotes; `why` is an `RfqEnd`. Precondition: no acceptance is pending. */
export function cancelRfqIn(s: OutcomeState, r: number, why: number): void {
  killQuotes(s, r)
  endRfq(s, r, RfqState.cancelled)
  openRfqRow(s, OutcomeEvent.rfqCancelled, r, s.rfqs.owner[r]!)
  s.events.set(Field.code, why)
}

/** Deadline: the window of RFQ `number` is over: no new quotes (OM-254, OM-255). One in flight is closed when it comes back. */
export function rfqWindowDue(s: OutcomeState, number: number): void {
  const r = s.rfqs.index.slotOf(number)
  if (r !== NONE && s.rfqs.state[r] === RfqState.open) closeRfq(s, r)
}

/** Closes an RFQ whose window is over, and tells it. */
export function closeRfq(s: OutcomeState, r: number): void {
  endRfq(s, r, RfqState.closed)
  openRfqRow(s, OutcomeEvent.rfqClosed, r, s.rfqs.owner[r]!)
}

/** Puts an RFQ into a state in which it takes no more quotes: it is forgotten a retention later. */
export function endRfq(s: OutcomeState, r: number, state: number): void {
  const { rfqs, accounts } = s
  if (isPending(s, r)) accounts.openRfqs[rfqs.owner[r]!]!--
  rfqs.state[r] = state
  forgetRfqLater(s, r)
}

/** The RFQ waits for its maker. One that was closed counts among its owner's again (OM-218). */
export function putInFlight(s: OutcomeState, r: number, q: number): void {
  const { rfqs, accounts } = s
  if (!isPending(s, r)) accounts.openRfqs[rfqs.owner[r]!]!++
  rfqs.state[r] = RfqState.inFlight
  rfqs.acceptedQuote[r] = q
}

/** What is left of a stake after the entry fee at `takerFeeBps`, rounded down (OM-252, readings B01). */
export const netOfEntryFee = (stakeMicros: number, takerFeeBps: number): number =>
  stakeMicros - feeFloor(stakeMicros as Micros, takerFeeBps)

/** A retention is over: the RFQ is forgotten with its quotes, unless one of them is live or accepted or it ended anew meanwhile. */
export function rfqForgettingDue(s: OutcomeState, number: number): void {
  const { rfqs } = s
  const r = rfqs.index.slotOf(number)
  if (r === NONE || rfqs.forgetAtUs[r]! > s.nowUs) return
  if (rfqs.acceptedQuote[r] !== NONE || rfqs.firstLive[r] !== NONE) return forgetRfqLater(s, r)
  releaseQuotes(s, r)
  rfqs.index.release(number)
}

function forgetRfqLater(s: OutcomeState, r: number): void {
  s.rfqs.forgetAtUs[r] = s.nowUs + s.retentionUs
  forgetLater(s, Forgotten.rfq, s.rfqs.number[r]!)
}

/** Whether the RFQ is open or in flight. */
const isPending = (s: OutcomeState, r: number): boolean => s.rfqs.state[r] === RfqState.open || s.rfqs.state[r] === RfqState.inFlight

/** Takes the row of a new open RFQ; stake and legs are the caller's to set. */
function takeRfq(s: OutcomeState, owner: number, position: number, openMs: number): number {
  const { rfqs, accounts } = s
  const r = rfqs.take()
  rfqs.number[r] = rfqs.index.lastNumber
  rfqs.owner[r] = owner
  rfqs.state[r] = RfqState.open
  rfqs.generation[r] = 1
  rfqs.position[r] = position
  rfqs.openUntilUs[r] = s.nowUs + openMs * MS_US
  rfqs.firstQuote[r] = rfqs.lastQuote[r] = rfqs.firstLive[r] = rfqs.lastLive[r] = NONE
  rfqs.bestQuote[r] = rfqs.acceptedQuote[r] = NONE
  accounts.openRfqs[owner]!++
  s.deadlines.push(rfqs.openUntilUs[r]!, DeadlineRank.rfqWindow, rfqs.number[r]!)
  return r
}

function isStakeValid(s: OutcomeState, stakeMicros: number): boolean {
  if (!(Number.isInteger(stakeMicros) && stakeMicros >= 1 && stakeMicros <= STAKE_MAX_MICROS)) return false
  return netOfEntryFee(stakeMicros, s.terms.takerFeeBps) >= s.profile.netStakeMinMicros
}

/** What is wrong with the leg at place `i`, an `InvalidField`, or 0 (OM-249). */
function invalidFieldOfLeg(s: OutcomeState, c: OutcomeCommand, i: number): number {
  if (!isAskable(s, c.legOutcomes[i]!)) return InvalidField.legOutcome
  if (c.legSides[i]! > 1) return InvalidField.legSide
  const isAscending = i === 0 || s.outcomeIds.compare(s.outcomes, c.legOutcomes[i - 1]!, c.legOutcomes[i]!) < 0
  return isAscending ? 0 : InvalidField.legOutcome
}
