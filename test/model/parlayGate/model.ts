import { NONE } from '../../../src/unit/none.ts'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { Credential, READ_ROUTES, SCOPE_OF_OP, SCOPE_OF_READ, ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import { OwnerKind } from '../../../src/venue/parlay/protocol/webhooks.ts'
import type { Answer, Row } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'
import { answerDelivery, answered, attempt, redeliver, setDeliveries, takeOver } from './deliveries.ts'
import { rotateSecret, setEndpoint } from './endpoints.ts'
import { createKey, expireKey, revokeKey, scopesOf } from './keys.ts'
import { count, isCredentialValid, isPublic } from './limits.ts'
import { isIntegerIn, type State, type Turn, turnOf, unsignedZero, write, writeReply } from './state.ts'

/**
 * The gate written for reading, from docs/conformance/parlay-gate.md: what the venue inside does is given, as the rows
 * that it wrote.
 */

export interface Step {
  readonly state: State
  readonly rows: readonly Row[]
}

/** Session's fixed part: the settings, and the service number that rows carry. */
export interface Frame {
  readonly profile: ParlayGateProfile
  readonly service: number
}

interface Due {
  readonly atUs: number
  readonly rank: number
  readonly number: number
}

/** Every deadline of the gate, in no order. */
export function* deadlinesOf(state: State): Generator<Due> {
  for (const { number, state: stands, expiresAtUs } of state.keys.values()) {
    if (stands === 'active' && expiresAtUs !== NONE) yield { atUs: expiresAtUs, rank: 0, number }
  }
  for (const { number, next } of state.deliveries.values()) yield { atUs: next.atUs, rank: next.kind === 'evict' ? 2 : 1, number }
}

function firstDue(state: State): Due | null {
  let first: Due | null = null
  for (const due of deadlinesOf(state)) {
    const isEarlier = first === null || due.atUs < first.atUs
      || (due.atUs === first.atUs && (due.rank < first.rank || (due.rank === first.rank && due.number < first.number)))
    if (isEarlier) first = due
  }
  return first
}

/** Instant of the earliest deadline, or null. */
export const nextDeadlineUs = (state: State): number | null => firstDue(state)?.atUs ?? null

/** One instant: the venue's rows of its deadlines at it, then the gate's own deadlines at it. */
export function runInstant(state: State, frame: Frame, atUs: number, venueRows: readonly Row[]): Step {
  const turn = turnOf(state, { ...frame, nowUs: atUs, cause: NONE })
  takeOver(turn, venueRows)
  for (let due = firstDue(turn.state); due !== null && due.atUs <= atUs; due = firstDue(turn.state)) runDeadline(turn, due)
  return turn
}

function runDeadline(turn: Turn, { rank, number }: Due): void {
  const { keys, deliveries } = turn.state
  if (rank === 0) return expireKey(turn, keys.get(number)!)
  const delivery = deliveries.get(number)!
  if (delivery.next.kind === 'evict') deliveries.delete(number)
  else if (delivery.next.kind === 'attempt') attempt(turn, delivery)
  else answered(turn, delivery, -1)
}

/** Whether the gate lets the command through to the venue, and if not, what it answers; its deadlines have run. */
export type Verdict = { readonly passes: true, readonly state: State } | { readonly passes: false, readonly step: Step }

export function judge(state: State, frame: Frame, nowUs: number, command: GateCommand): Verdict {
  const turn = turnOf(state, { ...frame, nowUs, cause: command.seq })
  const answer = answerOf(turn, command)
  if (answer === null) return { passes: true, state: turn.state }
  writeReply(turn, command, answer)
  return { passes: false, step: turn }
}

/** What follows from the rows that the venue wrote for a command that was let through. */
export function admit(state: State, frame: Frame, nowUs: number, command: GateCommand, venueRows: readonly Row[]): Step {
  const turn = turnOf(state, { ...frame, nowUs, cause: command.seq })
  takeOver(turn, venueRows)
  return turn
}

/** Null: the command is the venue's. */
function answerOf(turn: Turn, command: GateCommand): Answer | null {
  const { state } = turn
  const { op, account, credential } = command
  state.lastLimit = null
  if (op === ParlayOp.setDeliveries) return setDeliveries(turn, command)
  if (op < FIRST_PARTICIPANT_OP) return null
  if (op === ParlayOp.closeStream) return setStream(turn, command, false)
  if (op === ParlayOp.answerDelivery) return account === -1 ? answerDelivery(turn, command) : { code: ParlayCode.forbidden }

  const refusal = count(turn, command)
  if (refusal !== null) {
    const { limit, retryAfterS, untilUs } = refusal
    return { code: ParlayCode.rateLimited, limit: limit.ceiling, retryAfterS, bucket: limit.bucket, resetAtUs: untilUs }
  }
  if (isPublic(command)) return { code: ParlayCode.ok }
  if (credential === Credential.wrongType) return { code: ParlayCode.wrongApiKeyType }
  if (!isCredentialValid(state, account, credential)) return { code: ParlayCode.unauthorized }
  if (op === ParlayOp.read && !isIntegerIn(command.value, 0, READ_ROUTES - 1)) return { code: ParlayCode.invalid }
  const scope = scopeOf(command)
  if ((scopesOf(state, credential) & scope) !== scope) return { code: ParlayCode.insufficientScope }
  return op < FIRST_GATE_OP ? null : own(turn, command)
}

/** Scope that the call needs; 0: none. */
export function scopeOf({ op, value, value2 }: GateCommand): number {
  const ofOwner = (owner: number) => (owner === OwnerKind.maker ? ScopeBit.mmQuote : ScopeBit.accountWrite)
  if (op === ParlayOp.read) return SCOPE_OF_READ[value]!
  if (op === ParlayOp.setEndpoint || op === ParlayOp.rotateSecret) return ofOwner(value)
  if (op === ParlayOp.redeliver) return ofOwner(value2)
  return SCOPE_OF_OP[op] ?? 0
}

function own(turn: Turn, command: GateCommand): Answer {
  switch (command.op) {
    case ParlayOp.createKey: return createKey(turn, command)
    case ParlayOp.revokeKey: return revokeKey(turn, command)
    case ParlayOp.setEndpoint: return setEndpoint(turn, command)
    case ParlayOp.rotateSecret: return rotateSecret(turn, command)
    case ParlayOp.redeliver: return redeliver(turn, command)
    case ParlayOp.openStream: return setStream(turn, command, true)
    case ParlayOp.read: return { code: ParlayCode.ok }
    default: return { code: ParlayCode.invalid }
  }
}

function setStream(turn: Turn, command: GateCommand, isOpen: boolean): Answer {
  const account = unsignedZero(command.account)
  const { live } = turn.state
  if (live.has(account) !== isOpen) {
    if (isOpen) live.add(account)
    else live.delete(account)
    write(turn, isOpen ? ParlayEvent.streamOpened : ParlayEvent.streamClosed, { account })
  }
  return { code: ParlayCode.ok }
}
