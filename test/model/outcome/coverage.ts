import { NONE } from '../../../src/unit/none.ts'
import { InvalidField, OUTCOME_CODES, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeFault, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import {
  AcceptanceState, OperationKind, OperationStatus, OutcomeEvent, PositionOutcome, QuoteState, RfqState,
} from '../../../src/venue/outcome/protocol/events.ts'
import { areInForce } from './acceptances.ts'
import type { ModelCommand } from './command.ts'
import { answerIn, isOfKind, type Row, rowsOfKind } from './namedRows.ts'
import { isWaitingFor } from './quotes.ts'
import { isCashOut, type Rfq, type State } from './state.ts'

const KINDS = ['entry', 'cash-out']
const OPERATIONS = Object.keys(OperationKind)

/** The transitions of docs/readings.md, "Tables of states", tables Outcome RFQ, quote, acceptance, operation and position, that must be reached. */
export const TRANSITIONS: readonly string[] = [
  ...KINDS.flatMap((kind) => [
    `${kind} none→open`, `${kind} open→inFlight`, `${kind} closed→inFlight`, `${kind} inFlight→filled`, `${kind} inFlight→open`,
    `${kind} inFlight→closed`, `${kind} open→closed`, `${kind} open→cancelled byOwner`, `${kind} filled→forgotten`,
    `${kind} cancelled→forgotten`, `${kind} closed→forgotten`, `${kind} forgetting put off`,
  ]),
  'cash-out open→cancelled decided', 'cash-out closed→cancelled decided', 'cash-out inFlight→cancelled decided',
  'cash-out closed→cancelled superseded',
  ...KINDS.flatMap((kind) => [
    `${kind} quote none→live`, `${kind} quote live→replaced`, `${kind} quote live→cancelled`, `${kind} quote live→expired`,
    `${kind} quote live→accepted`, `${kind} quote live→dead by cancelled`, `${kind} quote live→dead by filled`,
    `${kind} quote accepted→filled`, `${kind} quote accepted→failed`, `${kind} quote live, hidden`, `${kind} quote never listed`,
  ]),
  'acceptance none→accepted', 'acceptance accepted→confirmed', 'acceptance accepted→declined', 'acceptance accepted→timedOut',
  ...OPERATIONS.flatMap((kind) => [
    `${kind} none→pending`, `${kind} pending→done`, `${kind} pending→failed by the chain`, `${kind} pending→pending`, `${kind} ended→forgotten`,
  ]),
  'fill pending→failed too late', 'withdrawal pending→failed too late',
  'core-funded fill pending→done', 'core-funded fill pending→failed',
  'position none→open', 'position none→open, decided', 'position open→closing', 'position closing→closed', 'position closing→open, new holder',
  'position closing→open by failure', 'position open→settled lost', 'position open→settled won', 'position open→settled void',
  'position claimed', 'position decided while closing', 'position decided while in flight', 'batch put off',
  'void position lost before its batch', 'reduction none→pending', 'reduction pending→released', 'position sold twice',
]

const { deposit, withdraw, reduceCollateral, setSigner, createRfq, cancelRfq, openCashout, acceptQuote, submitQuote, cancelQuote } = OutcomeOp
const { confirmQuote, declineQuote, listOutcome, haltOutcome, resumeOutcome, delistOutcome, resolveOutcome, setFees, setFault, bindAccount } = OutcomeOp

type CodeName = keyof typeof OutcomeCode
type FieldName = keyof typeof InvalidField

/** What the page's table lets each command be refused with, beside a bad account. */
export const REFUSALS: readonly (readonly [op: number, fields: readonly FieldName[], codes: readonly CodeName[]])[] = [
  [listOutcome, ['outcome', 'close', 'outcomeId'], ['stateConflict']],
  [haltOutcome, ['outcome'], ['notFound', 'stateConflict']],
  [resumeOutcome, ['outcome'], ['notFound', 'stateConflict']],
  [delistOutcome, ['outcome'], ['notFound', 'stateConflict']],
  [resolveOutcome, ['outcome', 'value'], ['notFound', 'stateConflict']],
  [setFees, ['value', 'value2'], []],
  [setFault, ['value', 'value2'], []],
  [bindAccount, ['value', 'value2'], ['stateConflict']],
  [deposit, ['amount'], ['identityNotFound']],
  [withdraw, ['amount', 'exitExpiry', 'validAfter', 'validBefore'], [
    'identityNotFound', 'forbidden', 'financialActionsDisabled', 'invalidSignature', 'wrongAuthority', 'coreMoveInFlight',
    'coreFundingConflict', 'stateConflict',
  ]],
  [reduceCollateral, ['amount'], [
    'identityNotFound', 'forbidden', 'financialActionsDisabled', 'invalidSignature', 'wrongAuthority', 'stateConflict',
  ]],
  [setSigner, ['value'], ['identityNotFound', 'forbidden']],
  [createRfq, ['stake', 'legs', 'legOutcome', 'legSide'], ['identityNotFound', 'forbidden', 'financialActionsDisabled', 'rfqIntentLimit']],
  [cancelRfq, ['rfq'], ['identityNotFound', 'notFound', 'rfqNotCancellable']],
  [openCashout, ['position'], ['identityNotFound', 'financialActionsDisabled', 'notFound', 'stateConflict', 'rfqIntentLimit']],
  [submitQuote, ['rfq', 'generation', 'payout', 'expiry'], [
    'identityNotFound', 'forbidden', 'financialActionsDisabled', 'notFound', 'rfqGenerationInFlight', 'rfqNotOpen', 'rfqGenerationStale',
    'stateConflict', 'quoteExposureStale', 'invalidSignature', 'wrongAuthority', 'quoteCapacityExceeded', 'quoteExposureLimit',
  ]],
  [cancelQuote, ['quote'], [
    'identityNotFound', 'forbidden', 'quoteNotFound', 'quoteExpired', 'quoteCancelled', 'quoteReplaced', 'stateConflict',
  ]],
  [acceptQuote, ['quote', 'generation', 'core', 'validAfter', 'validBefore'], [
    'identityNotFound', 'invalidIdempotencyKey', 'financialActionsDisabled', 'quoteNotFound', 'idempotencyKeyReused', 'quoteExpired',
    'quoteCancelled', 'quoteReplaced', 'stateConflict', 'rfqNotOpen', 'rfqGenerationInFlight', 'rfqGenerationStale', 'quoteSignerChanged',
    'invalidSignature', 'wrongAuthority', 'coreFundingUnavailable', 'coreMoveInFlight', 'coreFundingConflict', 'coreVaultReservation',
    'quoteCapacityExceeded',
  ]],
  [confirmQuote, ['quote'], [
    'identityNotFound', 'forbidden', 'financialActionsDisabled', 'quoteNotFound', 'stateConflict', 'invalidSignature', 'wrongAuthority',
  ]],
  [declineQuote, ['quote'], ['identityNotFound', 'forbidden', 'quoteNotFound', 'stateConflict']],
]

const OPS = REFUSALS.map(([op]) => op)
const OP_NAMES = Object.fromEntries(Object.entries(OutcomeOp).map(([name, op]) => [op, name]))
const FIELD_NAMES = Object.fromEntries(Object.entries(InvalidField).map(([name, field]) => [field, name]))

/** Every answer that must be given, as `answerOf` names it. */
const ANSWERS: readonly string[] = [
  ...REFUSALS.flatMap(([op, fields, codes]) => [
    `${OP_NAMES[op]}: ok`, `${OP_NAMES[op]}: invalidRequest account`, ...fields.map((field) => `${OP_NAMES[op]}: invalidRequest ${field}`),
    ...codes.map((code) => `${OP_NAMES[op]}: ${code}`),
  ]),
  'acceptQuote: declined', 'acceptQuote: timedOut', 'unknown: invalidRequest op', 'unknown: invalidRequest account',
]

/** Causes of one answer that must each be met, as `causeOf` names them. */
const CAUSES: readonly string[] = ['its own quote is accepted', 'the net stake is too small', 'the rates are others']

/** Which of those a conflict has, in the state that the command met. */
function causeOf({ op, account, ...command }: ModelCommand, state: State): string | null {
  if (op === submitQuote) {
    return isWaitingFor(state, state.rfqs.get(command.rfq)!, account + 0) ? 'its own quote is accepted' : 'the net stake is too small'
  }
  const quote = state.quotes.get(command.quote)
  if (op !== acceptQuote || quote?.state !== QuoteState.live) return null
  return quote.takerFeeBps !== NONE && !areInForce(state, quote) ? 'the rates are others' : null
}

function answerOf(reply: Row<'reply'>): string {
  const { op, code } = reply
  const field = code === OutcomeCode.invalidRequest ? ` ${FIELD_NAMES[answerIn(reply).invalidField!]}` : ''
  return `${OPS.includes(op) ? OP_NAMES[op] : 'unknown'}: ${OUTCOME_CODES[code]!.name}${field}`
}

/** What a series of runs reached. */
export interface Coverage {
  readonly transitions: Map<string, number>
  readonly answers: Map<string, number>
  readonly causes: Map<string, number>
  readonly given: Map<number, number>
  /** Commands that were not refused; an accept that goes to its maker counts, whatever that does. */
  readonly accepted: Map<number, number>
  /** Claims that each invariant made, by its ids. */
  readonly claims: Map<string, number>
  steps: number
  onDeadline: number
}

export const newCoverage = (): Coverage =>
  ({ transitions: new Map(), answers: new Map(), causes: new Map(), given: new Map(), accepted: new Map(), claims: new Map(), steps: 0, onDeadline: 0 })

/** Records what one command or deadline changed. */
export function observe(coverage: Coverage, before: State, after: State): void {
  for (const name of changes(before, after)) bump(coverage.transitions, name)
}

/** Records a command, the state that it met and the rows that it wrote itself. */
export function observeCommand(coverage: Coverage, command: ModelCommand, before: State, rows: readonly Row[]): void {
  if (!OPS.includes(command.op)) return
  bump(coverage.given, command.op)
  const own = rowsOfKind(rows, OutcomeEvent.reply).find((row) => row.cause === command.seq)
  if (own === undefined || own.code === OutcomeCode.ok) bump(coverage.accepted, command.op)
  const cause = own?.code === OutcomeCode.stateConflict ? causeOf(command, before) : null
  if (cause !== null) bump(coverage.causes, cause)
}

export function observeRows(coverage: Coverage, rows: readonly Row[]): void {
  for (const row of rows) {
    if (isOfKind(row, OutcomeEvent.reply)) bump(coverage.answers, answerOf(row))
    const { transitions } = coverage
    if (isOfKind(row, OutcomeEvent.positionSettled)) bump(transitions, `position open→settled ${nameOf(PositionOutcome, row.outcome)}`)
    if (row.kind === OutcomeEvent.positionClaimed) bump(transitions, 'position claimed')
    if (row.kind === OutcomeEvent.positionClosed) bump(transitions, 'position closing→closed')
  }
}

function* changes(before: State, after: State): Generator<string> {
  yield* changesOfRfqs(before, after)
  yield* changesOfQuotes(before, after)
  for (const { number, state } of after.acceptances.values()) {
    const former = before.acceptances.get(number)
    if (former === undefined) yield 'acceptance none→accepted'
    else if (former.state !== state) yield `acceptance accepted→${nameOf(AcceptanceState, state)}`
  }
  yield* changesOfOperations(before, after)
  yield* changesOfPositions(before, after)
  if (after.reductions.size > before.reductions.size) yield 'reduction none→pending'
  if (after.reductions.size < before.reductions.size) yield 'reduction pending→released'
}

const kindOf = (rfq: Rfq): string => KINDS[isCashOut(rfq) ? 1 : 0]!

function* changesOfRfqs(before: State, after: State): Generator<string> {
  for (const rfq of after.rfqs.values()) {
    const former = before.rfqs.get(rfq.number)
    if (former === rfq) continue
    if (former === undefined) yield `${kindOf(rfq)} none→open`
    else if (former.state !== rfq.state) {
      const why = rfq.state === RfqState.cancelled ? ` ${whyOf(after, rfq)}` : ''
      yield `${kindOf(rfq)} ${nameOf(RfqState, former.state)}→${nameOf(RfqState, rfq.state)}${why}`
    } else if (former.forgetAtUs !== rfq.forgetAtUs) yield `${kindOf(rfq)} forgetting put off`
  }
  for (const rfq of before.rfqs.values()) if (!after.rfqs.has(rfq.number)) yield `${kindOf(rfq)} ${nameOf(RfqState, rfq.state)}→forgotten`
}

function whyOf(after: State, rfq: Rfq): string {
  if (!isCashOut(rfq)) return 'byOwner'
  const position = after.positions.get(rfq.position)
  if (position !== undefined && position.lastRfq !== rfq.number) return 'superseded'
  return position === undefined || position.settlesAtUs !== null ? 'decided' : 'byOwner'
}

function* changesOfQuotes(before: State, after: State): Generator<string> {
  for (const quote of after.quotes.values()) {
    const former = before.quotes.get(quote.number)
    if (former === quote) continue
    const rfq = after.rfqs.get(quote.rfq)!
    const about = `${kindOf(rfq)} quote`
    if (former === undefined) {
      yield `${about} none→live`
      if (quote.listedUntilUs === null) yield `${about} never listed`
    } else if (former.state !== quote.state) {
      const by = quote.state === QuoteState.dead ? ` by ${nameOf(RfqState, rfq.state)}` : ''
      yield `${about} ${nameOf(QuoteState, former.state)}→${nameOf(QuoteState, quote.state)}${by}`
    } else yield `${about} live, hidden`
  }
}

function* changesOfOperations(before: State, after: State): Generator<string> {
  for (const operation of after.operations.values()) {
    const { number, kind, status, fill } = operation
    const former = before.operations.get(number)
    if (former === operation) continue
    const name = nameOf(OperationKind, kind)
    if (former === undefined) yield `${name} none→pending`
    else if (status === OperationStatus.failed) yield `${name} pending→failed ${after.faults.includes(OutcomeFault.chainDropped) ? 'by the chain' : 'too late'}`
    else yield `${name} pending→${nameOf(OperationStatus, status)}`
    if (former !== undefined && status !== OperationStatus.pending && kind === OperationKind.fill && fill!.coreMicros > 0) {
      yield `core-funded fill pending→${nameOf(OperationStatus, status)}`
    }
  }
  for (const { number, kind } of before.operations.values()) {
    if (!after.operations.has(number)) yield `${nameOf(OperationKind, kind)} ended→forgotten`
  }
}

function* changesOfPositions(before: State, after: State): Generator<string> {
  for (const position of after.positions.values()) {
    const former = before.positions.get(position.number)
    if (former === position) continue
    if (former === undefined) {
      yield 'position none→open'
      if (position.settlesAtUs !== null) yield 'position none→open, decided'
      continue
    }
    if (!former.closing && position.closing) yield 'position open→closing'
    if (former.closing && !position.closing) {
      yield `position closing→open${former.holder === position.holder ? ' by failure' : ', new holder'}`
      const isResale = former.costMicros !== former.netStakeMicros + former.entryFeeMicros
      if (former.holder !== position.holder && isResale) yield 'position sold twice'
    }
    if (former.settlesAtUs === null && position.settlesAtUs !== null) {
      if (position.closing) yield 'position decided while closing'
      if (after.rfqs.get(position.lastRfq)?.state === RfqState.inFlight) yield 'position decided while in flight'
    }
    if (former.settlesAtUs !== null && former.settlesAtUs !== position.settlesAtUs) yield 'batch put off'
  }
  for (const [number, { result }] of after.outcomes) {
    if (before.outcomes.get(number)?.result === result || result < 0) continue
    const isLost = [...before.positions.values()].some(({ settlesAtUs, legs }) => settlesAtUs !== null &&
      legs.every((leg) => !isLostLeg(before, leg.outcome, leg.side)) && legs.some((leg) => isLostLeg(after, leg.outcome, leg.side)))
    if (isLost) yield 'void position lost before its batch'
  }
}

function isLostLeg(state: State, outcome: number, side: number): boolean {
  const { result } = state.outcomes.get(outcome)!
  return (result === 0 || result === 1) && result !== side
}

/** Everything that should have been reached and was not; empty when all was. */
export function missing(coverage: Coverage, leastAccepted: number): string[] {
  const lines = TRANSITIONS.filter((name) => !coverage.transitions.has(name)).map((name) => `transition ${name}`)
  for (const cause of CAUSES) if (!coverage.causes.has(cause)) lines.push(`conflict as ${cause}`)
  for (const answer of ANSWERS) if (!coverage.answers.has(answer)) lines.push(`answer ${answer}`)
  for (const answer of coverage.answers.keys()) if (!ANSWERS.includes(answer)) lines.push(`unexpected answer ${answer}`)
  for (const op of OPS) {
    const share = (coverage.accepted.get(op) ?? 0) / (coverage.given.get(op) ?? NONE)
    if (!(share >= leastAccepted)) lines.push(`accepted share of ${OP_NAMES[op]}: ${share.toFixed(3)}`)
  }
  return lines
}

/** How many commands of the venue's own were played. */
export const commandsOf = (coverage: Coverage): number => [...coverage.given.values()].reduce((sum, count) => sum + count, 0)

/** The counts as text. */
export function table(coverage: Coverage): string {
  const lines = [`${coverage.steps} steps, ${coverage.onDeadline} exactly on a deadline`, '', 'command                given  accepted']
  for (const op of OPS) {
    const given = coverage.given.get(op) ?? 0
    const accepted = coverage.accepted.get(op) ?? 0
    lines.push(`${OP_NAMES[op]!.padEnd(20)} ${String(given).padStart(7)}  ${`${Math.round((100 * accepted) / given)} %`.padStart(8)}`)
  }
  const pair = (name: string, count: number) => `${name.padEnd(44)} ${String(count).padStart(7)}`
  lines.push('', ...ANSWERS.map((name) => pair(name, coverage.answers.get(name) ?? 0)))
  lines.push('', ...CAUSES.map((name) => pair(`conflict as ${name}`, coverage.causes.get(name) ?? 0)))
  lines.push('', ...TRANSITIONS.map((name) => pair(name, coverage.transitions.get(name) ?? 0)))
  lines.push('', ...[...coverage.claims].map(([ids, count]) => pair(`claims of ${ids}`, count)))
  return lines.join('\n')
}

const nameOf = (values: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(values).find((name) => values[name] === value)!

function bump<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
