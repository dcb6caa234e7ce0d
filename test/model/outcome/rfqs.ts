import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, QuoteState, RfqEnd, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { Call } from './call.ts'
import type { ModelCommand } from './command.ts'
import { netStakeOf } from './money.ts'
import type { Answer } from './namedRows.ts'
import { isInteger, isIntegerIn, usOfMs } from './numbers.ts'
import { isAbove, isOpenToAsk } from './openOutcomes.ts'
import { killLive } from './quotes.ts'
import { aboutRfq, invalid, listOfLegs, OK, type Turn, write } from './rows.ts'
import { change, isUnresolved, itemsOf, openRfqsOf, type Position, put, quotesOf, type Rfq } from './state.ts'

const STAKE_MAX_MICROS = 1e15

export const createRfq: Call = {
  role: AccountRole.participant,
  stopsWithFinancialActions: true,
  fieldsRefusal({ state, profile, atUs }, { stakeMicros, legs }) {
    if (!isIntegerIn(stakeMicros, 1, STAKE_MAX_MICROS)) return invalid('stake')
    if (netStakeOf(stakeMicros, state.takerFeeBps) < profile.netStakeMinMicros) return invalid('stake')
    if (!isIntegerIn(legs.length, profile.legsMin, profile.legsMax)) return invalid('legs')
    for (const [i, { outcome, side }] of legs.entries()) {
      if (!isOpenToAsk(state, outcome, atUs)) return invalid('legOutcome', i)
      if (side !== 0 && side !== 1) return invalid('legSide', i)
      if (i > 0 && !isAbove(state, outcome, legs[i - 1]!.outcome)) return invalid('legOutcome', i)
    }
    return null
  },
  perform(turn, { account, stakeMicros, legs }) {
    const { state, profile } = turn
    if (hasTooMany(turn, account)) return { code: OutcomeCode.rfqIntentLimit }
    const netStakeMicros = netStakeOf(stakeMicros, state.takerFeeBps)
    const rfq = put(state.rfqs, {
      number: ++state.lastRfq, owner: account, state: RfqState.open, generation: 1, position: NONE, stakeMicros, netStakeMicros,
      openUntilUs: turn.atUs + usOfMs(profile.entryOpenMs), legs: [...legs], bestQuote: NONE, forgetAtUs: null,
    })
    write(turn, OutcomeEvent.rfqCreated, {
      ...aboutRfq(rfq), owner: account, betMicros: stakeMicros, netStakeMicros, takerFeeBps: state.takerFeeBps, profitFeeBps: state.feeBps,
      openUntilUs: rfq.openUntilUs, list: listOfLegs(legs),
    })
    return answerOf(rfq)
  },
}

const hasTooMany = ({ state, profile }: Turn, account: number): boolean => openRfqsOf(state, account).length >= profile.rfqIntentLimit

const answerOf = (rfq: Rfq): Answer => ({ ...OK, ...aboutRfq(rfq), openUntilUs: rfq.openUntilUs })

/** The holder of a position asks makers to buy it. */
export const openCashout: Call = {
  role: null,
  stopsWithFinancialActions: true,
  fieldsRefusal: (_turn, { position }) => (isInteger(position) ? null : invalid('position')),
  perform(turn, { account, position: number }) {
    const { state, profile } = turn
    const position = state.positions.get(number)
    if (position === undefined || position.holder !== account) return { code: OutcomeCode.notFound }
    const last = state.rfqs.get(position.lastRfq)
    const isAsked = last !== undefined && isUnresolved(last)
    if (position.closing || position.settlesAtUs !== null || isAsked) return { code: OutcomeCode.stateConflict }
    if (hasTooMany(turn, account)) return { code: OutcomeCode.rfqIntentLimit }
    if (last?.state === RfqState.closed) cancel(turn, last, RfqEnd.superseded)
    const rfq = put(state.rfqs, {
      number: ++state.lastRfq, owner: account, state: RfqState.open, generation: 1, position: number, stakeMicros: NONE, netStakeMicros: NONE,
      openUntilUs: turn.atUs + usOfMs(profile.cashoutOpenMs), legs: position.legs, bestQuote: NONE, forgetAtUs: null,
    })
    change(state.positions, number, { lastRfq: rfq.number })
    write(turn, OutcomeEvent.rfqCreated, {
      ...aboutRfq(rfq), seller: account, backer: position.backer, payoutMicros: position.payoutMicros, netStakeMicros: position.netStakeMicros,
      profitFeeBps: position.feeBps, openUntilUs: rfq.openUntilUs, list: listOfLegs(rfq.legs),
    })
    return answerOf(rfq)
  },
}

export const cancelRfq: Call = {
  role: null,
  stopsWithFinancialActions: false,
  fieldsRefusal: (_turn, { rfq }) => (isInteger(rfq) ? null : invalid('rfq')),
  perform(turn, { account, rfq: number }: ModelCommand) {
    const rfq = turn.state.rfqs.get(number)
    if (rfq === undefined || rfq.owner !== account) return { code: OutcomeCode.notFound }
    if (rfq.state !== RfqState.open) return { code: OutcomeCode.rfqNotCancellable }
    cancel(turn, rfq, RfqEnd.byOwner)
    return { ...OK, ...aboutRfq(rfq) }
  },
}

/** Cancels an RFQ: its live quotes are dead. */
export function cancel(turn: Turn, rfq: Rfq, why: number): void {
  killLive(turn, rfq)
  end(turn, rfq, RfqState.cancelled)
  write(turn, OutcomeEvent.rfqCancelled, { ...aboutRfq(rfq), owner: rfq.owner, reason: why })
}

/** Cancels the cash-out RFQ of a position that results have just decided; one in flight waits for its resolution. */
export function cancelDecided(turn: Turn, position: Position): void {
  const rfq = turn.state.rfqs.get(position.lastRfq)
  if (rfq !== undefined && (rfq.state === RfqState.open || rfq.state === RfqState.closed)) cancel(turn, rfq, RfqEnd.decided)
}

/** The window is over: no new quotes. Precondition: it is open. */
export function close(turn: Turn, rfq: Rfq): void {
  end(turn, rfq, RfqState.closed)
  write(turn, OutcomeEvent.rfqClosed, { ...aboutRfq(rfq), owner: rfq.owner })
}

/** Fills, cancels or closes an RFQ, from when on it is to be forgotten. */
export function end({ state, profile, atUs }: Turn, rfq: Rfq, to: number): void {
  change(state.rfqs, rfq.number, { state: to, forgetAtUs: atUs + usOfMs(profile.retentionMs) })
}

/** Forgets an ended RFQ with its quotes and acceptances, later if one of its quotes can still be accepted or is. */
export function forget({ state, profile, atUs }: Turn, rfq: Rfq): void {
  const quotes = quotesOf(state, rfq.number)
  if (quotes.some((quote) => STANDING.includes(quote.state))) {
    change(state.rfqs, rfq.number, { forgetAtUs: atUs + usOfMs(profile.retentionMs) })
    return
  }
  state.rfqs.delete(rfq.number)
  for (const { number } of quotes) state.quotes.delete(number)
  for (const { number } of itemsOf(state.acceptances, (acceptance) => acceptance.rfq === rfq.number)) state.acceptances.delete(number)
}

const STANDING: readonly number[] = [QuoteState.live, QuoteState.accepted]
