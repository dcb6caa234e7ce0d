import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole, KEY_MAX, OutcomeFault, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { AcceptanceState, OutcomeEvent, QuoteState, RfqEnd, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { fits } from './accounts.ts'
import type { Call } from './call.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isGeneration, isInteger, isIntegerIn, usOfMs, usOfSecond } from './numbers.ts'
import { oddsOf } from './money.ts'
import { startFill } from './operations.ts'
import { isOpenToFill, isResolved } from './openOutcomes.ts'
import { aboutQuote, aboutTerms, codeOfEnd, killLive, tellBest } from './quotes.ts'
import { cancel, close, end } from './rfqs.ts'
import { aboutRfq, free, invalid, listOfLegs, move, OK, reserved, type Turn, write, writeReply } from './rows.ts'
import { acceptanceTag, confirmationTag, quoteSignerOf, refusalOfSignature, walletOf } from './signatures.ts'
import {
  type Acceptance, change, coreOf, freeOf, isCashOut, isFaultOn, pendingOn, put, type Quote, type Rfq, type State,
} from './state.ts'

/** The taker accepts a quote; the reply waits for the maker. */
export const acceptQuote: Call = {
  role: null,
  stopsWithFinancialActions: true,
  fieldsRefusal(_turn, { key, quote, generation }) {
    if (!isIntegerIn(key, 1, KEY_MAX)) return { code: OutcomeCode.invalidIdempotencyKey }
    if (!isInteger(quote)) return invalid('quote')
    return isGeneration(generation) ? null : invalid('generation')
  },
  perform(turn, command) {
    const { state } = turn
    const { account } = command
    const quote = state.quotes.get(command.quote)
    const rfq = quote === undefined ? undefined : state.rfqs.get(quote.rfq)
    if (quote === undefined || rfq === undefined || rfq.owner !== account) return { code: OutcomeCode.quoteNotFound }
    const refusal = refusalOfKey(turn, command) ?? refusalOfState(turn, rfq, quote, command) ?? refusalOfFunding(turn, rfq, command) ??
      refusalOfSigner(state, quote) ?? refusalOfSignature(command, acceptanceTag(state, rfq, quote, command), walletOf(account)) ??
      refusalOfRates(state, rfq, quote) ?? refusalOfLegs(turn, rfq) ?? refusalOfMoney(state, rfq, coreMicrosOf(rfq, command)) ?? refusalOfMeans(state, quote)
    if (refusal !== null) return refusal
    accept(turn, rfq, quote, command)
    return null
  },
}

const coreMicrosOf = (rfq: Rfq, { coreMicros }: ModelCommand): number => (isCashOut(rfq) || coreMicros === NONE ? 0 : coreMicros + 0)

function refusalOfKey({ state, profile, atUs }: Turn, { account, key }: ModelCommand): Answer | null {
  const usedAtUs = state.acceptKeys.get(`${account}/${key}`)
  const isTaken = usedAtUs !== undefined && atUs < usedAtUs + usOfMs(profile.acceptKeyRetentionMs)
  return isTaken ? { code: OutcomeCode.idempotencyKeyReused } : null
}

function refusalOfState({ profile, atUs }: Turn, rfq: Rfq, quote: Quote, { generation }: ModelCommand): Answer | null {
  const ended = codeOfEnd(quote)
  if (ended !== null) return { code: ended }
  if (quote.state === QuoteState.failed) return { code: OutcomeCode.stateConflict }
  if (quote.state === QuoteState.dead || quote.state === QuoteState.filled) return { code: OutcomeCode.rfqNotOpen }
  if (rfq.state === RfqState.inFlight) return { code: OutcomeCode.rfqGenerationInFlight }
  if (profile.strictWindow === 1 && atUs >= rfq.openUntilUs) return { code: OutcomeCode.rfqNotOpen }
  return generation !== NONE && generation !== rfq.generation ? { code: OutcomeCode.rfqGenerationStale } : null
}

function refusalOfFunding({ profile, atUs }: Turn, rfq: Rfq, { coreMicros, validAfterS, validBeforeS }: ModelCommand): Answer | null {
  if (isCashOut(rfq)) return null
  if (coreMicros !== NONE && !isIntegerIn(coreMicros, 0, rfq.stakeMicros)) return invalid('core')
  if (!isIntegerIn(validAfterS, 0, Number.MAX_SAFE_INTEGER) || usOfSecond(validAfterS) > atUs) return invalid('validAfter')
  const isInSpan = isInteger(validBeforeS) && usOfSecond(validBeforeS) >= atUs + usOfMs(profile.fundingAheadMinMs) &&
    usOfSecond(validBeforeS) <= usOfSecond(validAfterS) + usOfMs(profile.fundingSpanMaxMs)
  return isInSpan ? null : invalid('validBefore')
}

const refusalOfSigner = (state: State, quote: Quote): Answer | null =>
  (quoteSignerOf(state, quote.maker) === quote.signer ? null : { code: OutcomeCode.quoteSignerChanged })

const refusalOfRates = (state: State, rfq: Rfq, quote: Quote): Answer | null =>
  (isCashOut(rfq) || areInForce(state, quote) ? null : { code: OutcomeCode.stateConflict })

/** Whether the rates of an entry's quote are those in force. */
export const areInForce = ({ takerFeeBps, feeBps }: State, quote: Quote): boolean =>
  quote.takerFeeBps === takerFeeBps && quote.feeBps === feeBps

function refusalOfLegs({ state, atUs }: Turn, rfq: Rfq): Answer | null {
  const isGood = isCashOut(rfq) ? !isDecided(state, rfq) : rfq.legs.every((leg) => isOpenToFill(state, leg, atUs))
  return isGood ? null : { code: OutcomeCode.stateConflict }
}

/** Whether the position of a cash-out RFQ is decided, or has even been settled while the RFQ was in flight. */
function isDecided(state: State, rfq: Rfq): boolean {
  const position = state.positions.get(rfq.position)
  return position === undefined || position.settlesAtUs !== null
}

function refusalOfMoney(state: State, rfq: Rfq, coreMicros: number): Answer | null {
  if (isCashOut(rfq)) return null
  const vaultMicros = rfq.stakeMicros - coreMicros
  if (coreMicros === 0) return freeOf(state, rfq.owner) < vaultMicros ? { code: OutcomeCode.stateConflict } : null
  if (isFaultOn(state, OutcomeFault.coreFundingUnavailable) || !fits(state, coreMicros)) return { code: OutcomeCode.coreFundingUnavailable }
  const core = coreOf(state, rfq.owner)
  if (core === 'moving') return { code: OutcomeCode.coreMoveInFlight }
  if (core === 'funding') return { code: OutcomeCode.coreFundingConflict }
  return freeOf(state, rfq.owner) < vaultMicros ? { code: OutcomeCode.coreVaultReservation } : null
}

function refusalOfMeans(state: State, { maker, riskMicros }: Quote): Answer | null {
  const freeMicros = freeOf(state, maker)
  return freeMicros < riskMicros ? { code: OutcomeCode.quoteCapacityExceeded, requiredMicros: riskMicros, availableMicros: freeMicros } : null
}

function accept(turn: Turn, rfq: Rfq, quote: Quote, command: ModelCommand): void {
  const { state, profile, atUs } = turn
  const coreMicros = coreMicrosOf(rfq, command)
  const acceptance = put(state.acceptances, {
    number: ++state.lastAcceptance, key: command.key, seq: command.seq, quote: quote.number, rfq: rfq.number, taker: rfq.owner,
    maker: quote.maker, state: AcceptanceState.accepted, acceptedAtUs: atUs, confirmUntilUs: atUs + usOfMs(profile.confirmMs),
    stakeMicros: rfq.stakeMicros, coreMicros, riskMicros: quote.riskMicros, validBeforeS: isCashOut(rfq) ? NONE : command.validBeforeS,
    operation: NONE,
  })
  state.acceptKeys.set(`${rfq.owner}/${command.key}`, atUs)
  change(state.rfqs, rfq.number, { state: RfqState.inFlight })
  if (!isCashOut(rfq)) move(turn, PostingCause.hold, free(rfq.owner), reserved(rfq.owner), rfq.stakeMicros - coreMicros, rfq.number)
  move(turn, PostingCause.hold, free(quote.maker), reserved(quote.maker), quote.riskMicros, rfq.number)
  change(state.quotes, quote.number, { state: QuoteState.accepted })
  write(turn, OutcomeEvent.quoteAccepted, {
    ...aboutTerms(rfq, quote), acceptance: acceptance.number, betMicros: rfq.stakeMicros, confirmUntilUs: acceptance.confirmUntilUs,
    list: listOfLegs(rfq.legs),
  })
  tellBest(turn, rfq)
}

interface Pending {
  readonly quote: Quote
  readonly acceptance: Acceptance
  readonly rfq: Rfq
}

/** The pending acceptance of the maker's own quote that its command names, or why there is none. */
function pendingFor({ state }: Turn, { account, quote: number }: ModelCommand): Pending | Answer {
  const quote = state.quotes.get(number)
  if (quote === undefined || quote.maker !== account) return { code: OutcomeCode.quoteNotFound }
  const acceptance = pendingOn(state, number)
  if (acceptance === undefined) return { code: OutcomeCode.stateConflict }
  return { quote, acceptance, rfq: state.rfqs.get(quote.rfq)! }
}

export const confirmQuote: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: true,
  fieldsRefusal: (_turn, { quote }) => (isInteger(quote) ? null : invalid('quote')),
  perform(turn, command) {
    const { state } = turn
    const pending = pendingFor(turn, command)
    if ('code' in pending) return pending
    const { quote, acceptance, rfq } = pending
    const refusal = refusalOfSignature(command, confirmationTag(rfq, quote, acceptance), quoteSignerOf(state, quote.maker))
    if (refusal !== null) return refusal
    const isLate = isCashOut(rfq) ? isDecided(state, rfq) : rfq.legs.some((leg) => isResolved(state, leg))
    return isLate ? { code: OutcomeCode.stateConflict } : confirm(turn, pending)
  },
}

function confirm(turn: Turn, { quote, acceptance, rfq: former }: Pending): Answer {
  const { state } = turn
  const rfq = change(state.rfqs, former.number, { generation: former.generation + 1 })
  const number = state.lastOperation + 1
  change(state.quotes, quote.number, { state: QuoteState.filled })
  const confirmed = change(state.acceptances, acceptance.number, { state: AcceptanceState.confirmed, operation: number })
  if (isCashOut(rfq)) change(state.positions, rfq.position, { closing: true })
  write(turn, OutcomeEvent.quoteFilled, { ...aboutQuote(rfq, quote), acceptance: acceptance.number, operation: number })
  killLive(turn, rfq)
  end(turn, rfq, RfqState.filled)
  write(turn, OutcomeEvent.rfqFilled, { ...aboutRfq(rfq), owner: rfq.owner, quote: quote.number, acceptance: acceptance.number })
  startFill(turn, rfq, quote, confirmed)
  replyToAccept(turn, rfq, quote, confirmed, OutcomeCode.ok)
  return { ...OK, ...aboutRfq(rfq), quote: quote.number, acceptance: acceptance.number, operation: number }
}

export const declineQuote: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: false,
  fieldsRefusal: (_turn, { quote }) => (isInteger(quote) ? null : invalid('quote')),
  perform(turn, command) {
    const pending = pendingFor(turn, command)
    if ('code' in pending) return pending
    const { quote, acceptance } = pending
    const rfq = fail(turn, pending, AcceptanceState.declined)
    return { ...OK, ...aboutRfq(rfq), quote: quote.number, acceptance: acceptance.number }
  },
}

/** The confirm deadline has passed. Precondition: the acceptance is pending. */
export function timeOut(turn: Turn, acceptance: Acceptance): void {
  const { state } = turn
  fail(turn, { acceptance, quote: state.quotes.get(acceptance.quote)!, rfq: state.rfqs.get(acceptance.rfq)! }, AcceptanceState.timedOut)
}

/** Ends an acceptance without a fill; returns the RFQ, which is open again, closed, or cancelled. */
function fail(turn: Turn, { quote, acceptance, rfq: former }: Pending, to: number): Rfq {
  const { state, atUs } = turn
  const rfq = change(state.rfqs, former.number, { state: RfqState.open, generation: former.generation + 1 })
  const isDeclined = to === AcceptanceState.declined
  change(state.quotes, quote.number, { state: QuoteState.failed })
  const failed = change(state.acceptances, acceptance.number, { state: to })
  if (!isCashOut(rfq)) {
    const vaultMicros = acceptance.stakeMicros - acceptance.coreMicros
    move(turn, PostingCause.release, reserved(rfq.owner), free(rfq.owner), vaultMicros, rfq.number)
  }
  move(turn, PostingCause.release, reserved(quote.maker), free(quote.maker), quote.riskMicros, rfq.number)
  write(turn, OutcomeEvent.quoteFailed, { ...aboutQuote(rfq, quote), acceptance: acceptance.number, isDeclined: isDeclined ? 1 : 0 })
  if (isCashOut(rfq) && isDecided(state, rfq)) cancel(turn, rfq, RfqEnd.decided)
  else if (wasClosedBefore(acceptance, rfq)) end(turn, rfq, RfqState.closed)
  else if (atUs >= rfq.openUntilUs) close(turn, rfq)
  replyToAccept(turn, rfq, quote, failed, isDeclined ? OutcomeCode.declined : OutcomeCode.timedOut)
  return rfq
}

/** Whether the window was over at the accept already: then the end of it has been told. */
const wasClosedBefore = ({ acceptedAtUs }: Acceptance, { openUntilUs }: Rfq): boolean => acceptedAtUs >= openUntilUs

function replyToAccept(turn: Turn, rfq: Rfq, quote: Quote, acceptance: Acceptance, code: number): void {
  writeReply(turn, acceptance.seq, acceptance.taker, OutcomeOp.acceptQuote, {
    code, ...aboutRfq(rfq), quote: quote.number, acceptance: acceptance.number, operation: acceptance.operation, maker: quote.maker,
    oddsE4: oddsOf(quote.payoutMicros, quote.netStakeMicros), betMicros: acceptance.stakeMicros, payoutMicros: quote.payoutMicros,
  })
}
