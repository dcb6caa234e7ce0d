import { NONE } from '../../../src/unit/none.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { ACCOUNT_MAX, type OutcomeCommand, OutcomeFault, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { AcceptanceState, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomeView } from '../../../src/venue/outcome/protocol/view.ts'
import { acceptQuote, confirmQuote, declineQuote, timeOut } from './acceptances.ts'
import { bindAccount, deposit, setSigner } from './accounts.ts'
import type { Call } from './call.ts'
import { type ModelCommand, plainOf } from './command.ts'
import type { Answer, Row } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { stepOperation } from './operations.ts'
import { setFault, setFees } from './operator.ts'
import { delistOutcome, haltOutcome, listOutcome, resolveOutcome, resumeOutcome } from './outcomes.ts'
import { cancelQuote, expire, hide, submitQuote } from './quotes.ts'
import { cancelRfq, close, createRfq, forget, openCashout } from './rfqs.ts'
import { invalid, type Posting, type Turn, writeReply } from './rows.ts'
import { settle } from './settlement.ts'
import { copyOf, emptyState, isFaultOn, type State } from './state.ts'
import { viewOf } from './view.ts'
import { reduceCollateral, release, withdraw } from './withdrawals.ts'

/**
 * Reference model of the outcome-market service: `perform` runs a command, `advance` the deadlines. Written from
 * the specification, the readings and docs/conformance/outcome.md alone, for clarity and not for speed; states that it
 * returns are never changed afterwards.
 */
export interface Result {
  readonly state: State
  readonly rows: readonly Row[]
  readonly postings: readonly Posting[]
}

/** Called with the states before and after each single deadline. */
export type Observer = (before: State, after: State) => void

const OPERATORS: Readonly<Record<number, (turn: Turn, command: ModelCommand) => Answer>> = {
  [OutcomeOp.listOutcome]: listOutcome,
  [OutcomeOp.haltOutcome]: haltOutcome,
  [OutcomeOp.resumeOutcome]: resumeOutcome,
  [OutcomeOp.delistOutcome]: delistOutcome,
  [OutcomeOp.resolveOutcome]: resolveOutcome,
  [OutcomeOp.setFees]: setFees,
  [OutcomeOp.setFault]: setFault,
  [OutcomeOp.bindAccount]: bindAccount,
}

const PARTICIPANTS: Readonly<Record<number, Call>> = {
  [OutcomeOp.deposit]: deposit,
  [OutcomeOp.withdraw]: withdraw,
  [OutcomeOp.reduceCollateral]: reduceCollateral,
  [OutcomeOp.setSigner]: setSigner,
  [OutcomeOp.createRfq]: createRfq,
  [OutcomeOp.cancelRfq]: cancelRfq,
  [OutcomeOp.openCashout]: openCashout,
  [OutcomeOp.acceptQuote]: acceptQuote,
  [OutcomeOp.submitQuote]: submitQuote,
  [OutcomeOp.cancelQuote]: cancelQuote,
  [OutcomeOp.confirmQuote]: confirmQuote,
  [OutcomeOp.declineQuote]: declineQuote,
}

/** The latest instant whose deadlines run before the command; instants are integers. */
export const lastDeadlineBefore = (nowUs: number, command: ModelCommand): number =>
  command.op < FIRST_PARTICIPANT_OP ? nowUs - 1 : nowUs

/** Runs every deadline at or before `nowUs`, each at its own time. */
export function advance(state: State, profile: OutcomeProfile, nowUs: number, observe: Observer = () => {}): Result {
  const rows: Row[] = []
  const postings: Posting[] = []
  for (;;) {
    const due = nextDeadline(state)
    if (due === null || due.atUs > nowUs) return { state, rows, postings }
    const before = state
    state = copyOf(before)
    due.run({ state, profile, atUs: due.atUs, cause: NONE, rows, postings })
    observe(before, state)
  }
}

/** Runs the command alone, with one reply now or, for an accept that goes to the maker, later. */
export function perform(state: State, profile: OutcomeProfile, nowUs: number, command: ModelCommand): Result {
  const turn: Turn = { state: copyOf(state), profile, atUs: nowUs, cause: command.seq, rows: [], postings: [] }
  const answer = answerTo(turn, command)
  const account = Number.isNaN(command.account) ? NONE : command.account + 0
  if (answer !== null) writeReply(turn, command.seq, account, command.op, answer)
  return turn
}

function answerTo(turn: Turn, command: ModelCommand): Answer | null {
  const { account, op } = command
  if (!isIntegerIn(account, op < FIRST_PARTICIPANT_OP ? NONE : 0, ACCOUNT_MAX)) return invalid('account')
  const operator = OPERATORS[op]
  if (operator !== undefined) return operator(turn, command)
  const call = PARTICIPANTS[op]
  if (call === undefined) return invalid('op')
  // An account of −0 is account 0.
  const own = { ...command, account: account + 0 }
  const known = turn.state.accounts.get(own.account)
  if (known === undefined) return { code: OutcomeCode.identityNotFound }
  if (call.role !== null && known.role !== call.role) return { code: OutcomeCode.forbidden }
  const refusal = call.fieldsRefusal(turn, own)
  if (refusal !== null) return refusal
  if (call.stopsWithFinancialActions && isFaultOn(turn.state, OutcomeFault.financialActionsDisabled)) {
    return { code: OutcomeCode.financialActionsDisabled }
  }
  const answer = call.perform(turn, own)
  return answer === null || SILENT.includes(answer.code) ? answer : { ...subjectOf(turn.state, own, answer), ...answer }
}

/** Codes whose replies name nothing. */
const SILENT: readonly number[] = [
  OutcomeCode.invalidRequest, OutcomeCode.idempotencyKeyReused, OutcomeCode.notFound, OutcomeCode.quoteNotFound,
]

const QUOTE_OPS: readonly number[] = [OutcomeOp.acceptQuote, OutcomeOp.cancelQuote, OutcomeOp.confirmQuote, OutcomeOp.declineQuote]
const RFQ_OPS: readonly number[] = [OutcomeOp.cancelRfq, OutcomeOp.submitQuote]

/** What a refused command names and the account may see: an RFQ, a quote and its RFQ, or a position that the account holds. */
function subjectOf(state: State, { op, account, ...command }: ModelCommand, { code }: Answer): Partial<Answer> {
  if (code === OutcomeCode.ok) return {}
  const quote = QUOTE_OPS.includes(op) ? state.quotes.get(command.quote) : undefined
  const rfq = state.rfqs.get(quote?.rfq ?? (RFQ_OPS.includes(op) ? command.rfq : NONE))
  const isOwn = op === OutcomeOp.openCashout && state.positions.get(command.position)?.holder === account
  return {
    ...(rfq === undefined ? {} : { rfq: rfq.number, generation: rfq.generation }),
    ...(quote === undefined ? {} : { quote: quote.number }),
    ...(isOwn ? { position: command.position } : {}),
  }
}

interface Deadline {
  readonly atUs: number
  readonly rank: number
  readonly number: number
  readonly run: (turn: Turn) => void
}

/** The deadline that comes first by time, rank and number, or null. */
export function nextDeadline(state: State): Deadline | null {
  let first: Deadline | null = null
  for (const deadline of deadlinesOf(state)) {
    if (first === null || precedes(deadline, first)) first = deadline
  }
  return first
}

const precedes = (a: Deadline, b: Deadline): boolean =>
  a.atUs !== b.atUs ? a.atUs < b.atUs : a.rank !== b.rank ? a.rank < b.rank : a.number < b.number

/** Every deadline that the state holds; each acts on the turn's own state. */
export function* deadlinesOf(state: State): Generator<Deadline> {
  for (const { number, stepAtUs } of state.operations.values()) {
    if (stepAtUs !== null) yield { atUs: stepAtUs, rank: 0, number, run: (turn) => stepOperation(turn, turn.state.operations.get(number)!) }
  }
  for (const { number, expiresAtUs, listedUntilUs, state: stands } of state.quotes.values()) {
    if (stands !== QuoteState.live) continue
    if (listedUntilUs !== null) yield { atUs: listedUntilUs, rank: 1, number, run: (turn) => hide(turn, turn.state.quotes.get(number)!) }
    yield { atUs: expiresAtUs, rank: 2, number, run: (turn) => expire(turn, turn.state.quotes.get(number)!) }
  }
  for (const { number, confirmUntilUs, state: stands } of state.acceptances.values()) {
    // The window's last instant is in time.
    if (stands !== AcceptanceState.accepted) continue
    yield { atUs: confirmUntilUs + 1, rank: 3, number, run: (turn) => timeOut(turn, turn.state.acceptances.get(number)!) }
  }
  for (const { number, openUntilUs, state: stands } of state.rfqs.values()) {
    if (stands === RfqState.open) yield { atUs: openUntilUs, rank: 4, number, run: (turn) => close(turn, turn.state.rfqs.get(number)!) }
  }
  for (const { number, settlesAtUs } of state.positions.values()) {
    if (settlesAtUs !== null) yield { atUs: settlesAtUs, rank: 5, number, run: (turn) => settle(turn, turn.state.positions.get(number)!) }
  }
  for (const { number, releasesAtUs } of state.reductions.values()) {
    yield { atUs: releasesAtUs, rank: 6, number, run: (turn) => release(turn, turn.state.reductions.get(number)!) }
  }
  for (const { number, forgetAtUs } of state.rfqs.values()) {
    if (forgetAtUs !== null) yield { atUs: forgetAtUs, rank: 7, number, run: (turn) => forget(turn, turn.state.rfqs.get(number)!) }
  }
  for (const { number, forgetAtUs } of state.operations.values()) {
    if (forgetAtUs !== null) yield { atUs: forgetAtUs, rank: 7, number, run: (turn) => void turn.state.operations.delete(number) }
  }
}

/** The model as the venue is used: fed by the same reused commands, holding the rows and postings of its last call. */
export class OutcomeModel {
  state: State
  rows: readonly Row[] = []
  postings: readonly Posting[] = []
  private nowUs = 0
  private readonly profile: OutcomeProfile

  constructor(profile: OutcomeProfile) {
    this.profile = profile
    this.state = emptyState(profile)
  }

  apply(nowUs: number, command: OutcomeCommand): void {
    const own = plainOf(command)
    const earlier = advance(this.state, this.profile, lastDeadlineBefore(nowUs, own))
    const { state, rows, postings } = perform(earlier.state, this.profile, nowUs, own)
    this.take(nowUs, { state, rows: [...earlier.rows, ...rows], postings: [...earlier.postings, ...postings] })
  }

  pulse(nowUs: number): void {
    this.take(nowUs, advance(this.state, this.profile, nowUs))
  }

  get view(): OutcomeView {
    return viewOf(this.state, this.nowUs)
  }

  private take(nowUs: number, { state, rows, postings }: Result): void {
    this.nowUs = nowUs
    this.state = state
    this.rows = rows
    this.postings = postings
  }
}
