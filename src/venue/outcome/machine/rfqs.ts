import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { rowAs } from '../../eventCells.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { CashOutRfqCreated, OutcomeEvent, RfqCancelled, RfqCreated, RfqEnd, RfqReply, RfqState } from '../protocol/events.ts'
import { netOfEntryFee } from './fees.ts'
import { forgetLater, Forgotten } from './forgetting.ts'
import { isAskable } from './outcomes.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { killQuotes, releaseQuotes } from './quotes.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import { openRfqRow, pushRfqLegs, refuseField, refuseOnRfq, reply, replyOnRfq } from './rows.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

const STAKE_MAX_MICROS = 1e15

/** A participant asks for quotes on a combination of legs (OM-006). */
export function createRfq(s: OutcomeState, c: OutcomeCommand): void {
  const { terms, rfqs, events } = s
  if (!isStakeValid(c.stakeMicros)) return refuseField(s, c, InvalidField.stake)
  const netStakeMicros = netOfEntryFee(c.stakeMicros, terms.takerFeeBps)
  if (netStakeMicros < s.profile.netStakeMinMicros) return refuseField(s, c, InvalidField.stake)
  const { legsMin, legsMax } = s.profile
  if (!(Number.isInteger(c.legCount) && c.legCount >= legsMin && c.legCount <= legsMax)) return refuseField(s, c, InvalidField.legs)
  for (let i = 0; i < c.legCount; i++) {
    const field = invalidFieldOfLeg(s, c, i)
    if (field !== 0) return refuseField(s, c, field, i)
  }
  if (terms.financialActionsDisabled) return reply(s, c, OutcomeCode.financialActionsDisabled)
  if (s.accounts.openRfqs[c.account]! >= s.profile.rfqIntentLimit) return reply(s, c, OutcomeCode.rfqIntentLimit)

  const r = takeRfq(s, c.account, NONE, s.profile.entryOpenMs)
  rfqs.cells[r + RfqCell.stakeMicros] = c.stakeMicros
  rfqs.cells[r + RfqCell.netStakeMicros] = netStakeMicros
  rfqs.words[r + RfqWord.legCount] = c.legCount
  const from = rfqs.legsFrom(r)
  for (let i = 0; i < c.legCount; i++) {
    rfqs.legOutcomes[from + i] = c.legOutcomes[i]!
    rfqs.legSides[from + i] = c.legSides[i]!
  }
  const openUntilUs = rfqs.cells[r + RfqCell.openUntilUs]!
  const row = openRfqRow(s, OutcomeEvent.rfqCreated, r)
  events.write(row, RfqCreated.betMicros, c.stakeMicros)
  events.write(row, RfqCreated.netStakeMicros, netStakeMicros)
  events.write(row, RfqCreated.takerFeeBps, terms.takerFeeBps)
  events.write(row, RfqCreated.profitFeeBps, terms.feeBps)
  events.write(row, RfqCreated.openUntilUs, openUntilUs)
  pushRfqLegs(s, r)
  events.write(rowAs(RfqReply, replyOnRfq(s, c, r)), RfqReply.openUntilUs, openUntilUs)
}

/** Opens the cash-out RFQ of position `p` for its holder, writes the row about it and returns the RFQ's row (OM-009). */
export function openCashOutRfq(s: OutcomeState, p: number): number {
  const { positions, rfqs, events } = s
  const holder = positions.words[p + PositionWord.holder]!
  const r = takeRfq(s, holder, positions.cells[p + PositionCell.number]!, s.profile.cashoutOpenMs)
  rfqs.cells[r + RfqCell.stakeMicros] = rfqs.cells[r + RfqCell.netStakeMicros] = NONE
  const from = rfqs.legsFrom(r)
  const source = positions.legsFrom(p)
  rfqs.words[r + RfqWord.legCount] = positions.words[p + PositionWord.legCount]!
  for (let i = 0; i < positions.words[p + PositionWord.legCount]!; i++) {
    rfqs.legOutcomes[from + i] = positions.legOutcomes[source + i]!
    rfqs.legSides[from + i] = positions.legSides[source + i]!
  }
  const row = rowAs(CashOutRfqCreated, openRfqRow(s, OutcomeEvent.rfqCreated, r))
  events.write(row, CashOutRfqCreated.backer, positions.words[p + PositionWord.backer]!)
  events.write(row, CashOutRfqCreated.payoutMicros, positions.cells[p + PositionCell.payoutMicros]!)
  events.write(row, CashOutRfqCreated.netStakeMicros, positions.cells[p + PositionCell.netStakeMicros]!)
  events.write(row, CashOutRfqCreated.profitFeeBps, positions.words[p + PositionWord.feeBps]!)
  events.write(row, CashOutRfqCreated.openUntilUs, rfqs.cells[r + RfqCell.openUntilUs]!)
  pushRfqLegs(s, r)
  return r
}

export function cancelRfq(s: OutcomeState, c: OutcomeCommand): void {
  const { rfqs } = s
  if (!Number.isSafeInteger(c.rfq)) return refuseField(s, c, InvalidField.rfq)
  const r = rfqs.rowOf(c.rfq)
  if (r === NONE || rfqs.words[r + RfqWord.owner] !== c.account) return void refuseOnRfq(s, c, OutcomeCode.notFound)
  if (rfqs.words[r + RfqWord.state] !== RfqState.open) return void refuseOnRfq(s, c, OutcomeCode.rfqNotCancellable)

  cancelRfqIn(s, r, RfqEnd.byOwner)
  replyOnRfq(s, c, r)
}

/** Cancels an RFQ with its live quotes. `why` is an `RfqEnd`. Precondition: no acceptance is pending. */
export function cancelRfqIn(s: OutcomeState, r: number, why: number): void {
  killQuotes(s, r)
  endRfq(s, r, RfqState.cancelled)
  s.events.write(openRfqRow(s, OutcomeEvent.rfqCancelled, r), RfqCancelled.reason, why)
}

/** Deadline: the window of RFQ `number` is over, and it takes no new quotes (OM-254, OM-255). An RFQ in flight is closed when it comes back. */
export function rfqWindowDue(s: OutcomeState, number: number): void {
  const r = s.rfqs.rowOf(number)
  if (r !== NONE && s.rfqs.words[r + RfqWord.state] === RfqState.open) closeRfq(s, r)
}

/** Closes an RFQ whose window is over, and writes the row about it. */
export function closeRfq(s: OutcomeState, r: number): void {
  endRfq(s, r, RfqState.closed)
  openRfqRow(s, OutcomeEvent.rfqClosed, r)
}

/** Puts an RFQ into a state in which it takes no more quotes. It is forgotten a retention later. */
export function endRfq(s: OutcomeState, r: number, state: number): void {
  const { rfqs: { words }, accounts } = s
  if (isPending(s, r)) accounts.openRfqs[words[r + RfqWord.owner]!]!--
  words[r + RfqWord.state] = state
  forgetRfqLater(s, r)
}

/** The RFQ waits for its maker. A closed RFQ counts among its owner's again (OM-218). */
export function putInFlight(s: OutcomeState, r: number, q: number): void {
  const { rfqs: { words }, accounts } = s
  if (!isPending(s, r)) accounts.openRfqs[words[r + RfqWord.owner]!]!++
  words[r + RfqWord.state] = RfqState.inFlight
  words[r + RfqWord.acceptedQuote] = q
}

/** A retention is over: the RFQ is forgotten with its quotes, unless a quote is live or accepted, or the RFQ ended again meanwhile. */
export function rfqForgettingDue(s: OutcomeState, number: number): void {
  const { rfqs } = s
  const r = rfqs.rowOf(number)
  if (r === NONE || rfqs.cells[r + RfqCell.forgetAtUs]! > s.nowUs) return
  if (rfqs.words[r + RfqWord.acceptedQuote] !== NONE || rfqs.words[r + RfqWord.firstLive] !== NONE) return forgetRfqLater(s, r)
  releaseQuotes(s, r)
  rfqs.index.release(number)
}

function forgetRfqLater(s: OutcomeState, r: number): void {
  const { cells } = s.rfqs
  cells[r + RfqCell.forgetAtUs] = s.nowUs + s.retentionUs
  forgetLater(s, Forgotten.rfq, cells[r + RfqCell.number]!)
}

/** Whether the RFQ is open or in flight. */
function isPending(s: OutcomeState, r: number): boolean {
  const state = s.rfqs.words[r + RfqWord.state]
  return state === RfqState.open || state === RfqState.inFlight
}

/** Takes the row of a new open RFQ. The caller sets stake and legs. */
function takeRfq(s: OutcomeState, owner: number, position: number, openMs: number): number {
  const { rfqs, accounts } = s
  const r = rfqs.take()
  const { cells, words } = rfqs
  const number = rfqs.index.lastNumber
  const openUntilUs = s.nowUs + openMs * MS_US
  cells[r + RfqCell.number] = number
  cells[r + RfqCell.position] = position
  cells[r + RfqCell.openUntilUs] = openUntilUs
  cells[r + RfqCell.generation] = 1
  words[r + RfqWord.owner] = owner
  words[r + RfqWord.state] = RfqState.open
  words[r + RfqWord.firstQuote] = words[r + RfqWord.firstLive] = words[r + RfqWord.lastLive] = NONE
  words[r + RfqWord.bestQuote] = words[r + RfqWord.acceptedQuote] = NONE
  accounts.openRfqs[owner]!++
  s.deadlines.push(openUntilUs, DeadlineRank.rfqWindow, number)
  return r
}

const isStakeValid = (stakeMicros: number): boolean =>
  Number.isInteger(stakeMicros) && stakeMicros >= 1 && stakeMicros <= STAKE_MAX_MICROS

/** What is wrong with the leg at place `i`, an `InvalidField`, or 0 (OM-249). */
function invalidFieldOfLeg(s: OutcomeState, c: OutcomeCommand, i: number): number {
  if (!isAskable(s, c.legOutcomes[i]!)) return InvalidField.legOutcome
  if (c.legSides[i]! > 1) return InvalidField.legSide
  const isAscending = i === 0 || s.outcomeIds.compare(s.outcomes, c.legOutcomes[i - 1]!, c.legOutcomes[i]!) < 0
  return isAscending ? 0 : InvalidField.legOutcome
}
