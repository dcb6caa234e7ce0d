import { NONE } from '../../../src/unit/none.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { AcceptanceState, OutcomeEvent, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { changedOf, type Claim, type Invariant, type Moment } from './moment.ts'
import { answerIn, rowsOfKind } from './namedRows.ts'
import { usOfMs } from './numbers.ts'
import { isAbove } from './openOutcomes.ts'
import { isCashOut, isLive, listedQuotesOf, pendingAcceptances, type State } from './state.ts'

const RESPONSE_US = 1_000_000

/** INV-09: what fills was confirmed by its maker inside the window. INV-26: the accept is answered within a second more. */
export const confirmedInTime: Invariant = ({ rows, command, middle, after, profile, nowUs }, claim) => {
  for (const row of rowsOfKind(rows, OutcomeEvent.quoteFilled)) {
    const acceptance = middle.acceptances.get(row.acceptance)
    claim(command?.op === OutcomeOp.confirmQuote && row.cause === command.seq, `acceptance ${row.acceptance} filled without a confirmation`)
    claim(acceptance?.state === AcceptanceState.accepted, `acceptance ${row.acceptance} was not pending`)
    const isInTime = acceptance !== undefined && row.atUs <= acceptance.acceptedAtUs + usOfMs(profile.confirmMs)
    claim(isInTime, `acceptance ${row.acceptance} confirmed late`)
    claim(acceptance?.maker === command?.account, `acceptance ${row.acceptance} confirmed by another`)
  }
  for (const row of rowsOfKind(rows, OutcomeEvent.reply)) {
    const { acceptance: number = NONE } = answerIn(row)
    if (row.op !== OutcomeOp.acceptQuote || number === NONE) continue
    const { acceptedAtUs } = after.acceptances.get(number) ?? middle.acceptances.get(number) ?? { acceptedAtUs: row.atUs }
    claim(row.atUs <= acceptedAtUs + usOfMs(profile.confirmMs) + RESPONSE_US, `acceptance ${number} answered late`)
  }
  for (const { number, confirmUntilUs } of pendingAcceptances(after)) {
    claim(isAhead(confirmUntilUs + 1, command, nowUs), `acceptance ${number} outlived its window`)
  }
}

/** An operator's command comes before the deadlines of its instant. */
const isAhead = (atUs: number, command: Moment['command'], nowUs: number): boolean =>
  atUs > nowUs || (atUs === nowUs && command !== null && command.op < FIRST_PARTICIPANT_OP)

/** A position opens, closes or passes on by a done operation of a confirmed acceptance. */
export const fillsAreConfirmed: Invariant = ({ rows, before, middle, after }, claim) => {
  for (const row of rowsOfKind(rows, OutcomeEvent.positionOpened, OutcomeEvent.positionClosed, OutcomeEvent.positionTransferred)) {
    const known = after.acceptances.get(row.acceptance) ?? middle.acceptances.get(row.acceptance) ?? before.acceptances.get(row.acceptance)
    claim(known === undefined || known.state === AcceptanceState.confirmed, `position ${row.position} without a confirmation`)
    const isDone = rowsOfKind(rows, OutcomeEvent.operationUpdated).some((one) => one.acceptance === row.acceptance)
    claim(isDone, `position ${row.position} without an operation`)
  }
}

/** INV-11: an RFQ has at most one filled acceptance, and one pending. */
export const oneFillPerRfq: Invariant = ({ after }, claim) => {
  const of = (state: number): number[] => [...after.acceptances.values()].filter((one) => one.state === state).map((one) => one.rfq)
  for (const state of [AcceptanceState.confirmed, AcceptanceState.accepted]) {
    const rfqs = of(state)
    claim(new Set(rfqs).size === rfqs.length, `an RFQ of ${rfqs.join()} has two acceptances in state ${state}`)
  }
}

/** INV-12: the generation rises by one with each resolution of an acceptance, and never else. */
export const generationsRise: Invariant = ({ before, after, rows }, claim) => {
  const resolutions = rowsOfKind(rows, OutcomeEvent.quoteFilled, OutcomeEvent.quoteFailed)
  for (const [former, rfq] of changedOf(before.rfqs, after.rfqs)) {
    const resolved = resolutions.filter((row) => row.rfq === rfq.number).length
    claim(rfq.generation === (former?.generation ?? 1) + resolved, `generation of RFQ ${rfq.number}`)
  }
}

/**
 * INV-25: live quotes are in time and on RFQs that can be accepted. No quote is accepted at or after its expiry, and listed ones are far
 * enough from it.
 */
export const quotesAreInTime: Invariant = ({ after, middle, rows, command, nowUs, profile }, claim) => {
  const created = rowsOfKind(rows, OutcomeEvent.quoteCreated)
  for (const quote of after.quotes.values()) {
    if (!isLive(quote)) continue
    const { state: stands, position } = after.rfqs.get(quote.rfq)!
    // Where the nearest expiry of a cash-out quote is now, it is over with the next call.
    const isNew = created.some((row) => row.quote === quote.number)
    claim(isAhead(quote.expiresAtUs, command, nowUs) || (isNew && quote.expiresAtUs === nowUs), `live quote ${quote.number} is over`)
    claim(stands !== RfqState.filled && stands !== RfqState.cancelled, `live quote ${quote.number} on an ended RFQ`)
    const hiddenUs = usOfMs(position === NONE ? profile.entryHiddenMs : profile.cashoutHiddenMs)
    const isListed = quote.listedUntilUs !== null
    claim(!isListed || isAhead(quote.expiresAtUs - hiddenUs, command, nowUs), `quote ${quote.number} is listed`)
    claim(isListed || quote.expiresAtUs - nowUs <= hiddenUs, `quote ${quote.number} is not listed`)
  }
  for (const row of rowsOfKind(rows, OutcomeEvent.quoteAccepted)) {
    const quote = middle.quotes.get(row.quote)!
    claim(isLive(quote) && quote.expiresAtUs > row.atUs, `accepted quote ${row.quote}`)
  }
}

/** bestQuoteChanged tells of each change of the best listed quote, and of nothing else. */
export const bestIsTold: Invariant = ({ before, after, rows }, claim) => {
  const changes = rowsOfKind(rows, OutcomeEvent.bestQuoteChanged)
  for (const rfq of after.rfqs.values()) {
    const told = changes.findLast((row) => row.rfq === rfq.number)
    claim(rfq.bestQuote === (told?.quote ?? before.rfqs.get(rfq.number)?.bestQuote ?? NONE), `best quote of RFQ ${rfq.number}`)
    const listed = listedQuotesOf(after, rfq.number)
    claim(rfq.bestQuote === (listed[0]?.number ?? NONE), `best quote of RFQ ${rfq.number} is not the best listed one`)
    for (const [i, quote] of listed.entries()) {
      const { payoutMicros, number } = listed[i - 1] ?? { payoutMicros: Infinity, number: 0 }
      const isInOrder = payoutMicros > quote.payoutMicros || (payoutMicros === quote.payoutMicros && number < quote.number)
      claim(isInOrder, `listing of RFQ ${rfq.number}`)
    }
  }
}

/** INV-16: at most one live or accepted quote per maker and RFQ. INV-20: none of the RFQ's owner, no price above the payout. */
export const oneQuotePerMaker: Invariant = ({ after }, claim) => {
  const makers = new Set<string>()
  for (const { number, rfq, maker, state: stands, payoutMicros } of after.quotes.values()) {
    if (stands !== QuoteState.live && stands !== QuoteState.accepted) continue
    const key = `${rfq}/${maker}`
    claim(!makers.has(key), `two standing quotes of RFQ/maker ${key}`)
    makers.add(key)
    const { owner, position } = after.rfqs.get(rfq)!
    claim(owner !== maker, `quote ${number} by its RFQ's owner`)
    claim(payoutMicros <= (after.positions.get(position)?.payoutMicros ?? Infinity), `price of quote ${number}`)
  }
}

const NEXT_RFQ: Readonly<Record<number, readonly number[]>> = {
  [RfqState.open]: [RfqState.inFlight, RfqState.cancelled, RfqState.closed],
  [RfqState.inFlight]: [RfqState.open, RfqState.filled, RfqState.closed, RfqState.cancelled],
  [RfqState.closed]: [RfqState.inFlight, RfqState.cancelled],
  [RfqState.filled]: [], [RfqState.cancelled]: [],
}
const NEXT_QUOTE: Readonly<Record<number, readonly number[]>> = {
  [QuoteState.live]: [QuoteState.replaced, QuoteState.cancelled, QuoteState.expired, QuoteState.dead, QuoteState.accepted],
  [QuoteState.accepted]: [QuoteState.filled, QuoteState.failed],
}

type Stateful = ReadonlyMap<number, { readonly number: number; readonly state: number }>

/** INV-17: ended RFQs, quotes, acceptances and operations do not change again; single steps go as the state tables say. */
export function endsAreFinal(before: State, after: State, claim: Claim): void {
  const check = (what: string, from: Stateful, to: Stateful, next: Readonly<Record<number, readonly number[]>>) => {
    for (const [former, now] of changedOf(from, to)) {
      const isAllowed = former === undefined || former.state === now.state || (next[former.state] ?? []).includes(now.state)
      claim(isAllowed, `${what} ${now.number} from ${former?.state} to ${now.state}`)
    }
  }
  check('RFQ', before.rfqs, after.rfqs, NEXT_RFQ)
  check('quote', before.quotes, after.quotes, NEXT_QUOTE)
  for (const [former, now] of changedOf(before.acceptances, after.acceptances)) {
    claim(former === undefined || former.state === AcceptanceState.accepted, `acceptance ${now.number}`)
  }
  for (const [former, now] of changedOf(before.operations, after.operations)) {
    claim(former === undefined || former.stepAtUs !== null, `operation ${now.number}`)
  }
}

/** INV-18: legs of an RFQ are strictly ascending in outcome_id, and as many as allowed. */
export const legsAscend: Invariant = ({ rows, after, profile }, claim) => {
  for (const row of rowsOfKind(rows, OutcomeEvent.rfqCreated)) {
    const outcomes = row.list.filter((_, i) => i % 2 === 0)
    claim(outcomes.length >= profile.legsMin && outcomes.length <= profile.legsMax, `leg count of RFQ ${row.rfq}`)
    claim(outcomes.every((outcome, i) => i === 0 || isAbove(after, outcome, outcomes[i - 1]!)), `legs of RFQ ${row.rfq}`)
  }
}

/** INV-19: stakes, payouts and expiries of what is stored lie within their limits. */
export const withinLimits: Invariant = ({ before, after, rows, profile }, claim) => {
  for (const [former, rfq] of changedOf(before.rfqs, after.rfqs)) {
    if (former !== undefined || isCashOut(rfq)) continue
    claim(rfq.netStakeMicros >= profile.netStakeMinMicros && rfq.stakeMicros <= 1e15, `stake of RFQ ${rfq.number}`)
  }
  for (const row of rowsOfKind(rows, OutcomeEvent.quoteCreated)) {
    const aheadUs = row.expiresAtUs - row.atUs
    const isEntry = row.position === NONE
    const isInWindow = isEntry ? aheadUs > 0 && aheadUs <= usOfMs(profile.entryExpiryMaxMs)
      : aheadUs >= usOfMs(profile.cashoutExpiryMinMs) && aheadUs <= usOfMs(profile.cashoutExpiryMaxMs)
    claim(isInWindow, `expiry of quote ${row.quote}`)
    const { netStakeMicros, payoutMicros, riskMicros } = row
    claim(!isEntry || (payoutMicros > netStakeMicros && payoutMicros <= profile.payoutMaxMicros), `payout of quote ${row.quote}`)
    claim(!isEntry || netStakeMicros >= profile.netStakeMinMicros, `net stake of quote ${row.quote}`)
    claim(!isEntry || riskMicros === payoutMicros - netStakeMicros, `risk of quote ${row.quote}`)
  }
}

/** INV-21: a position has one holder and one backing maker; a transfer changes the holder alone. */
export const partiesStay: Invariant = ({ before, after, rows }, claim) => {
  for (const [former, now] of changedOf(before.positions, after.positions)) {
    if (former === undefined) continue
    const holder = rowsOfKind(rows, OutcomeEvent.positionTransferred).findLast((row) => row.position === now.number)?.buyer ?? former.holder
    claim(now.holder === holder && now.backer === former.backer, `parties of position ${now.number}`)
    const isSame = now.netStakeMicros === former.netStakeMicros && now.payoutMicros === former.payoutMicros && now.rfq === former.rfq &&
      now.quote === former.quote && now.entryFeeMicros === former.entryFeeMicros && now.legs === former.legs
    claim(isSame, `terms of position ${now.number}`)
  }
}

/** INV-24: an account's key is that of one acceptance, for as long as the key is kept. */
export const keysAreOnce: Invariant = ({ before, after, command, profile, nowUs }, claim) => {
  for (const [former, acceptance] of changedOf(before.acceptances, after.acceptances)) {
    if (former !== undefined) continue
    const { taker, key, number } = acceptance
    const usedAtUs = before.acceptKeys.get(`${taker}/${key}`)
    claim(key === command?.key, `key of acceptance ${number}`)
    claim(usedAtUs === undefined || nowUs - usedAtUs >= usOfMs(profile.acceptKeyRetentionMs), `key of acceptance ${number} was used`)
  }
}

/** INV-30: rows follow time. Replays are compared by the driver. */
export const timeIsMonotone: Invariant = ({ rows, postings, nowUs }, claim) => {
  let atUs = 0
  for (const row of rows) {
    claim(row.atUs >= atUs && row.atUs <= nowUs, `instant ${row.atUs} of a row`)
    atUs = row.atUs
  }
  for (const posting of postings) claim(posting.atUs <= nowUs, `instant ${posting.atUs} of a posting`)
}

/** The contract: one reply to each command, at once or to a pending accept later. */
export const oneReplyEach: Invariant = ({ rows, before, after, command }, claim) => {
  const owed = (state: State): number[] => pendingAcceptances(state).map((acceptance) => acceptance.seq)
  const left = owed(after)
  const expected = [...owed(before), ...(command === null ? [] : [command.seq])].filter((seq) => !left.includes(seq))
  const given = rowsOfKind(rows, OutcomeEvent.reply).map((row) => row.cause)
  const inOrder = (seqs: readonly number[]): string => seqs.toSorted((a, b) => a - b).join()
  claim(inOrder(given) === inOrder(expected), `replies to ${inOrder(given)} where ${inOrder(expected)} were owed`)
}
