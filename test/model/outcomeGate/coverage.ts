import { NONE } from '../../../src/unit/none.ts'
import { GateFault, needsKey, ReadRoute } from '../../../src/venue/outcome/protocol/access.ts'
import { INVALID_FIELD_POINTERS, OUTCOME_CODES, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, STREAM_EVENT_NAMES } from '../../../src/venue/outcome/protocol/events.ts'
import { answerIn, isOfKind, rowsOfKind } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { challengeKnownUntilUs, isPublic } from './credentials.ts'
import { knownOf } from './idempotency.ts'
import { endOf, LIMIT_OF_BUCKET, limitsOf, windowAt } from './limits.ts'
import type { Step } from './model.ts'
import type { Row } from './rows.ts'
import { SIGHTS } from './sights.ts'
import { endsAtUs, type Frame, type State, type Stream } from './state.ts'
import { isFor, isOver, keptUntilUs } from './streams.ts'

/** What a number of runs have reached. */
export interface Coverage {
  commands: number
  steps: number
  readonly seen: Map<string, number>
  readonly given: Map<number, number>
  readonly accepted: Map<number, number>
}

export const newCoverage = (): Coverage => ({ commands: 0, steps: 0, seen: new Map(), given: new Map(), accepted: new Map() })

/** A command as it meets the state before the deadlines of its instant. */
export function observeInstant(coverage: Coverage, before: State, { profile }: Frame, nowUs: number, command: GateCommand): void {
  const near = (what: string, atUs: number): void => {
    if (Math.abs(atUs - nowUs) <= 1) see(coverage, `${what} ${nowUs < atUs ? '−1 µs' : nowUs > atUs ? '+1 µs' : '±0'}`)
  }
  const credential = before.credentials.get(command.credential)
  if (credential !== undefined && credential.account === command.account) {
    near(`call with a ${credential.kind} at its end`, endsAtUs(credential, profile))
  }
  if (command.op === OutcomeOp.issueKey) {
    const challenge = before.challenges.get(command.challenge)
    near('challenge used at its end', challenge?.untilUs ?? NONE)
    if (challenge !== undefined) near('challenge used as it is forgotten', challengeKnownUntilUs(challenge, profile))
  }
  if (command.op === OutcomeOp.read) near('page cursor at its end', (command.cursor + profile.cursorLifeMs) * 1000)
  if (command.op === OutcomeOp.openStream && command.cursor > NONE) {
    const after = before.log.find(({ seq }) => seq === command.cursor + 1) ?? before.log.find(({ seq }) => seq > command.cursor)
    if (after !== undefined) near('replay at the end of the window', keptUntilUs(after, profile.replayWindowMs))
  }
  if (command.op === OutcomeOp.openMarketStream) near('market stream of an outcome at its close', before.outcomes.get(command.list[0]!)?.closeUs ?? NONE)
  if (needsKey(command.op)) {
    const known = knownOf(before, command)
    if (known?.answer) near(known.op === OutcomeOp.acceptQuote ? 'repeat of an accept at the end' : 'repeat at the end', known.answer.untilUs)
  }
  for (const { nextBeatUs } of before.streams.values()) near('command at a heartbeat', nextBeatUs)
  for (const { name, ceiling } of limitsOf(profile, command)) {
    const window = before.windows.get(name)
    if (window !== undefined && window.count >= ceiling) near('call at the end of a full window', endOf(window, profile))
  }
}

export function observeCommand(
  coverage: Coverage, middle: State, frame: Frame, nowUs: number, command: GateCommand, step: Step,
): void {
  const { op, seq } = command
  coverage.commands++
  bump(coverage.given, op)
  const replies = rowsOfKind(step.rows, OutcomeEvent.reply)
  const reply = replies.find((row) => row.cause === seq)
  for (const row of replies) if (isDone(row)) bump(coverage.accepted, row.op)
  if (reply === undefined) {
    const known = knownOf(middle, command)
    if (known?.answer === null) see(coverage, known.waiting.length === 0 ? 'repeat that waits' : 'repeat that waits behind another')
    return
  }
  const name = OUTCOME_OP_NAMES[op] ?? 'unknown op'
  const field = reply.code === OutcomeCode.invalidRequest ? ` ${INVALID_FIELD_POINTERS[answerIn(reply).invalidField!]}` : ''
  see(coverage, `${name}: ${OUTCOME_CODES[reply.code]!.name}${field}`)
  for (const [fault, value] of Object.entries(GateFault)) {
    if (OUTCOME_CODES[reply.code]!.name === fault && middle.faults.has(value)) see(coverage, `${fault} of ${classOf(command)}`)
  }
  if (isOfMakers(command) && !middle.roles.has(command.account)) see(coverage, `a maker's read by nobody bound: ${OUTCOME_CODES[reply.code]!.name}`)
  const foreign = middle.credentials.get(command.credential)
  if (reply.code === OutcomeCode.unauthenticated && foreign?.state === 'active' && foreign.account !== command.account) {
    see(coverage, `${name} with another account's ${foreign.kind}`)
  }
  observeLimits(coverage, middle, frame, nowUs, command, reply)
  observeKeys(coverage, middle, command, reply)
  if (op === OutcomeOp.openStream || op === OutcomeOp.openMarketStream) observeOpening(coverage, middle, frame, command, step)
}

const isDone = ({ code }: Row<'reply'>): boolean => code <= OutcomeCode.timedOut

const isOfMakers = ({ op, value }: GateCommand): boolean =>
  op === OutcomeOp.read && (value === ReadRoute.acceptances || value === ReadRoute.capital)

/** What a fault met. */
function classOf(command: GateCommand): string {
  if (command.op !== OutcomeOp.read) return OUTCOME_OP_NAMES[command.op]!
  return isPublic(command) ? 'a public read' : 'a read'
}

function observeLimits(coverage: Coverage, middle: State, { profile }: Frame, nowUs: number, command: GateCommand, reply: Row<'reply'>): void {
  if (reply.code === OutcomeCode.rateLimited) {
    const limits = limitsOf(profile, command)
    const full = limits.find(({ name, ceiling }) => windowAt(middle, profile, name, nowUs).count >= ceiling)!
    see(coverage, full === limits[0] ? `refused by ${LIMIT_OF_BUCKET[full.bucket]}` : 'refused by the total')
    return
  }
  // An answer that the steps before the limits cannot give: the call was counted.
  const isCounted = reply.code < OutcomeCode.invalidRequest || reply.code > OutcomeCode.identityNotFound
  if (!isCounted || reply.code === OutcomeCode.authorizationUnavailable) return
  limitsOf(profile, command).forEach(({ name, ceiling, bucket }, i) => {
    if (windowAt(middle, profile, name, nowUs).count + 1 !== ceiling) return
    see(coverage, i === 0 ? `last call of a window by ${LIMIT_OF_BUCKET[bucket]}` : 'last call of a window by the total')
  })
}

function observeKeys(coverage: Coverage, middle: State, command: GateCommand, reply: Row<'reply'>): void {
  if (!needsKey(command.op)) return
  const known = knownOf(middle, command)
  if (reply.list.length > 0) {
    see(coverage, `replayed ${OUTCOME_OP_NAMES[command.op]}`)
    see(coverage, reply.code === OutcomeCode.ok ? 'replayed a success' : 'replayed a refusal')
  }
  if (known === undefined) {
    const { status } = OUTCOME_CODES[reply.code]!
    if (status === 429 && reply.code !== OutcomeCode.rateLimited) see(coverage, 'not remembered, a 429 of the venue')
    if (status === 503 && reply.code === OutcomeCode.financialActionsDisabled) see(coverage, 'not remembered, a 503 of the venue')
  }
  if (reply.code === OutcomeCode.idempotencyKeyReused) {
    const why = known === undefined ? 'the venue' : known.answer === null ? 'a command under way' : known.op === command.op ? 'its own op' : 'another op'
    see(coverage, `reused, as known of ${why}`)
  }
}

function observeOpening(coverage: Coverage, middle: State, { profile }: Frame, { cursor }: GateCommand, { rows, state }: Step): void {
  const [opened] = rowsOfKind(rows, OutcomeEvent.streamOpened)
  if (opened === undefined) {
    if (cursor === middle.horizon - 1) see(coverage, 'cursor one below the horizon')
    if (cursor === middle.newest + 1) see(coverage, 'cursor one above the newest')
    return
  }
  const { stream, start, channels, itemCount } = opened
  const how = start === 1 ? 'a replay' : 'a snapshot'
  const of = channels === 4 ? 'market' : channels === 3 ? 'account and maker' : channels === 2 ? 'maker' : 'account'
  see(coverage, `${of} opened with ${how}${itemCount > 0 ? ' of some' : ' of none'}`)
  if (cursor !== NONE && cursor === middle.horizon && cursor > 0) see(coverage, 'cursor at the horizon')
  if (cursor === middle.newest) see(coverage, 'cursor at the newest')
  if (cursor === NONE && itemCount > 0 && itemCount % profile.snapshotItemsMax === 0) see(coverage, 'snapshot of a full class')
  if (state.streams.get(stream)?.unread.length === profile.backlogMax) see(coverage, 'replay that fills the backlog')
}

/** One turn of the model: rows of the gate and of the venue, and what they changed. */
export function observeStep(coverage: Coverage, before: State, step: Step, { profile }: Frame): void {
  const opened = new Set<number>()
  let accept: Row<'reply'> | null = null
  for (const row of step.rows) {
    if (isOfKind(row, OutcomeEvent.sessionStarted)) see(coverage, 'session none→live')
    else if (isOfKind(row, OutcomeEvent.sessionEnded)) see(coverage, `session live→ended, ${['signed out', 'idle', 'aged'][row.reason]}`)
    else if (isOfKind(row, OutcomeEvent.keyIssued)) see(coverage, `key none→active${row.expiresAtUs === NONE ? ', for ever' : ''}`)
    else if (isOfKind(row, OutcomeEvent.keyRevoked)) see(coverage, 'key active→revoked')
    else if (isOfKind(row, OutcomeEvent.keyExpired)) see(coverage, 'key active→expired')
    else if (isOfKind(row, OutcomeEvent.streamOpened)) opened.add(row.stream)
    else if (isOfKind(row, OutcomeEvent.streamClosed)) {
      const code = OUTCOME_CODES[row.reason]!.name
      see(coverage, opened.has(row.stream) ? 'stream closed as it opened' : `stream live→closed, ${code}`)
      if (row.account === NONE) see(coverage, `market stream closed, ${code}`)
    } else if (isOfKind(row, OutcomeEvent.streamHeartbeat)) {
      see(coverage, `heartbeat of ${beatOf(before.streams.get(row.stream), profile.freshHeartbeatMs)}`)
    } else if (isOfKind(row, OutcomeEvent.reply)) {
      const isOfAccept = row.list.length > 0 && accept !== null && row.code === accept.code
      if (isOfAccept) see(coverage, `waiting repeat answered ${OUTCOME_CODES[row.code]!.name}`)
      if (row.list.length === 0 && row.op === OutcomeOp.acceptQuote && row.code <= OutcomeCode.timedOut) accept = row
    }
    if (STREAM_EVENT_NAMES[row.kind] !== undefined) observeEvent(coverage, before, row, { profile })
  }
}

const beatOf = (stream: Stream | undefined, freshMs: number): string =>
  stream?.channels === 4 ? 'market data' : stream?.beatMs === freshMs ? 'a fresh stream' : 'a plain stream'

function observeEvent(coverage: Coverage, before: State, row: Row, { profile }: Pick<Frame, 'profile'>): void {
  const { streams } = before
  for (const stream of streams.values()) {
    if (!isFor(stream, row)) continue
    if (isOver(before, stream, profile, row.atUs)) see(coverage, 'event at the end of its stream\'s credential')
    else see(coverage, `${STREAM_EVENT_NAMES[row.kind]} to ${stream.isPaced ? 'a paced' : 'a reading'} stream`)
  }
}

/** Everything that should have been reached and was not; empty when all was. */
export function missing(coverage: Coverage, leastAccepted: number): string[] {
  const lines = SIGHTS.filter((name) => !coverage.seen.has(name))
  for (const op of Object.values(OutcomeOp)) {
    const share = (coverage.accepted.get(op) ?? 0) / (coverage.given.get(op) ?? NONE)
    if (!(share >= leastAccepted)) lines.push(`accepted share of ${OUTCOME_OP_NAMES[op]}: ${share.toFixed(3)}`)
  }
  return lines
}

/** The counts as text. */
export function table(coverage: Coverage): string {
  const pair = (name: string, count: number | undefined) => `${name.padEnd(56)} ${String(count ?? 0).padStart(7)}`
  return [
    `${coverage.commands} commands, ${coverage.steps} calls`, '',
    ...Object.values(OutcomeOp).map((op) => {
      const given = coverage.given.get(op) ?? 0
      return `${pair(OUTCOME_OP_NAMES[op]!, given)}  ${Math.round((100 * (coverage.accepted.get(op) ?? 0)) / given)} % accepted`
    }), '',
    ...SIGHTS.map((name) => pair(name, coverage.seen.get(name))),
    ...[...coverage.seen].filter(([name]) => !SIGHTS.includes(name)).map(([name, count]) => pair(`beyond: ${name}`, count)),
  ].join('\n')
}

const see = (coverage: Coverage, name: string): void => bump(coverage.seen, name)

function bump<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

