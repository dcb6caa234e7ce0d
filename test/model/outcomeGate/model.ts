import { NONE } from '../../../src/unit/none.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { SUBPROTOCOL } from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { ACCOUNT_MAX, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { type Answer, isOfKind } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { challengeKey, challengeKnownUntilUs, checkCredential, checkScope, endByItself, issueKey, revokeKey, signIn, signOut } from './credentials.ts'
import { checkFaults } from './faults.ts'
import { answerRepeats, begin, checkKey } from './idempotency.ts'
import { count } from './limits.ts'
import { operate } from './operator.ts'
import { read } from './reads.ts'
import type { Row } from './rows.ts'
import { endsAtUs, type Frame, isIntegerIn, type State, type Turn, turnOf, unsignedZero, writeReply } from './state.ts'
import { applyStream, beat, closeStream, forgetEvents, isSubscription, openMarketStream, openStream, publish } from './streams.ts'

/**
 * The gate written for reading, from docs/conformance/outcome-gate.md: what the venue inside does is given, as the rows
 * that it wrote and its view.
 */

export interface Step {
  readonly state: State
  readonly rows: readonly Row[]
}

interface Due {
  readonly atUs: number
  readonly rank: number
  readonly number: number
}

/** Every deadline of the gate that leaves rows, in no order. */
export function* deadlinesOf({ credentials, streams }: State, { profile }: Frame): Generator<Due> {
  for (const credential of credentials.values()) {
    const atUs = endsAtUs(credential, profile)
    if (atUs !== Infinity) yield { atUs, rank: 0, number: credential.number }
  }
  for (const { number, nextBeatUs } of streams.values()) yield { atUs: nextBeatUs, rank: 1, number }
}

/** Instants from which answers and challenges are no longer known. */
export function* forgettingsOf({ remembered, challenges }: State, { profile }: Frame): Generator<number> {
  for (const challenge of challenges.values()) yield challengeKnownUntilUs(challenge, profile)
  for (const { answer } of remembered.values()) if (answer !== null) yield answer.untilUs
}

function firstDue(state: State, frame: Frame): Due | null {
  let first: Due | null = null
  for (const due of deadlinesOf(state, frame)) {
    const isEarlier = first === null || due.atUs < first.atUs
      || (due.atUs === first.atUs && (due.rank < first.rank || (due.rank === first.rank && due.number < first.number)))
    if (isEarlier) first = due
  }
  return first
}

/** Instant of the earliest deadline, Infinity when there is none. */
export const nextDeadlineUs = (state: State, frame: Frame): number =>
  Math.min(firstDue(state, frame)?.atUs ?? Infinity, ...forgettingsOf(state, frame), ...state.endedUntilUs.values())

/** One instant: the venue's rows of its deadlines at it, then the gate's own deadlines at it. */
export function runInstant(state: State, frame: Frame, atUs: number, venueRows: readonly Row[]): Step {
  const turn = turnAt(state, frame, atUs, NONE)
  takeOver(turn, venueRows)
  for (let due = firstDue(turn.state, frame); due !== null && due.atUs <= atUs; due = firstDue(turn.state, frame)) {
    if (due.rank === 0) endByItself(turn, turn.state.credentials.get(due.number)!)
    else beat(turn, turn.state.streams.get(due.number)!)
  }
  for (const [name, { answer }] of turn.state.remembered) {
    if (answer !== null && atUs >= answer.untilUs) turn.state.remembered.delete(name)
  }
  for (const [number, untilUs] of turn.state.endedUntilUs) {
    if (atUs < untilUs) continue
    turn.state.endedUntilUs.delete(number)
    turn.state.credentials.delete(number)
  }
  for (const challenge of turn.state.challenges.values()) {
    if (atUs >= challengeKnownUntilUs(challenge, frame.profile)) turn.state.challenges.delete(challenge.number)
  }
  return turn
}

/** A turn begins with the events that can be replayed at its instant. */
function turnAt(state: State, frame: Frame, nowUs: number, cause: number): Turn {
  const turn = turnOf(state, frame, nowUs, cause)
  forgetEvents(turn)
  return turn
}

/** Takes over the venue's rows of a command or an instant, and does what follows from them. */
function takeOver(turn: Turn, rows: readonly Row[]): void {
  turn.rows.push(...rows)
  learn(turn, rows)
  answerRepeats(turn, rows)
  publish(turn, rows)
}

function learn({ state }: Turn, rows: readonly Row[]): void {
  state.newest = rows.at(-1)?.seq ?? state.newest
  for (const row of rows) {
    const isDelisted = isOfKind(row, OutcomeEvent.outcomeDelisted)
    if (isOfKind(row, OutcomeEvent.accountBound)) state.roles.set(row.account, row.role)
    if (isDelisted || isOfKind(row, OutcomeEvent.outcomeListed)) state.generation++
    if (isOfKind(row, OutcomeEvent.outcomeListed)) state.outcomes.set(row.outcome, { closeUs: row.closeUs, isOffered: true })
    else if (isDelisted || isOfKind(row, OutcomeEvent.outcomeResolved)) {
      state.outcomes.set(row.outcome, { ...state.outcomes.get(row.outcome)!, isOffered: false })
    }
  }
}

/** Whether the gate lets the command through to the venue, and if not, what it answers; its deadlines have run. */
export type Verdict = { readonly passes: true, readonly state: State } | { readonly passes: false, readonly step: Step }

export function judge(state: State, frame: Frame, nowUs: number, command: GateCommand): Verdict {
  const turn = turnAt(state, frame, nowUs, command.seq)
  const answer = answerOf(turn, command)
  if (answer === 'venue') return { passes: true, state: turn.state }
  if (answer !== 'repeat') {
    const account = Number.isNaN(command.account) ? NONE : unsignedZero(command.account)
    answerRepeats(turn, [writeReply(turn, account, command.op, answer)])
  }
  return { passes: false, step: turn }
}

/** What follows from the rows that the venue wrote for a command that was let through. */
export function admit(state: State, frame: Frame, nowUs: number, command: GateCommand, venueRows: readonly Row[]): Step {
  const turn = turnAt(state, frame, nowUs, command.seq)
  takeOver(turn, venueRows)
  return turn
}

function answerOf(turn: Turn, command: GateCommand): Answer | 'venue' | 'repeat' {
  const { op, account, version } = command
  if (op < FIRST_PARTICIPANT_OP) return operate(turn, command) ?? 'venue'

  turn.state.lastLimit = null
  if (op === OutcomeOp.applyStream) return account === NONE ? applyStream(turn, command) : { code: OutcomeCode.forbidden }
  if (!isIntegerIn(account, 0, ACCOUNT_MAX)) return { code: OutcomeCode.invalidRequest, invalidField: InvalidField.account }
  if (op === OutcomeOp.closeStream) return closeStream(turn, command)
  if (op === OutcomeOp.deposit || op === OutcomeOp.setSigner) return 'venue'
  if (isSubscription(op) && version !== SUBPROTOCOL) return { code: OutcomeCode.subprotocolRequired }

  const refusal = checkCredential(turn, command) ?? checkScope(turn, command) ?? count(turn, command) ?? checkKey(turn, command) ??
    checkFaults(turn, command)
  if (refusal !== null) return refusal
  begin(turn, command)
  return own(turn, command) ?? 'venue'
}

/** The gate's own commands. Null: the command is the venue's. */
function own(turn: Turn, command: GateCommand): Answer | null {
  switch (command.op) {
    case OutcomeOp.signIn: return signIn(turn, command)
    case OutcomeOp.signOut: return signOut(turn, command)
    case OutcomeOp.challengeKey: return challengeKey(turn, command)
    case OutcomeOp.issueKey: return issueKey(turn, command)
    case OutcomeOp.revokeKey: return revokeKey(turn, command)
    case OutcomeOp.openStream: return openStream(turn, command)
    case OutcomeOp.openMarketStream: return openMarketStream(turn, command)
    case OutcomeOp.read: return read(turn, command)
    default: return null
  }
}
