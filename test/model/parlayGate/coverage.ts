import { NONE } from '../../../src/unit/none.ts'
import { FIRST_GATE_OP } from '../../../src/venue/contract.ts'
import { PARLAY_CODES, ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { DELIVERY_STATUS_NAMES, DeliveryStatus, WEBHOOK_EVENT_NAMES } from '../../../src/venue/parlay/protocol/webhooks.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import { isOfKind, type Row, rowsOfKind } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'
import { endOf, limitsOf, isCredentialValid, windowAt } from './limits.ts'
import { deadlinesOf, type Step } from './model.ts'
import { endpointName, type State } from './state.ts'

const RETRIED = ['1xx', '3xx', '408', '429', '5xx', 'network error', 'timeout']
const ENDS = ['delivered', 'dead_letter']
const OFFSETS = [-1, 0, 1]
const LIMITS = [
  'quote service', 'public', 'unauthenticated', 'authenticated', 'walletWithdrawLimit', 'depositLimit', 'withdrawLimit',
  'submitTransactionLimit',
]

/** What must be reached: the transitions of docs/readings.md, "Tables of states" (delivery, API key), every class of answer, every limit and instant. */
export const SIGHTS: readonly string[] = [
  'key none→active', 'key active→revoked', 'key active→expired', 'key revoked, revoke refused', 'key expired, revoke refused',
  'delivery none→pending', 'delivery pending→delivered by 2xx', 'delivery failed→delivered by 2xx',
  ...RETRIED.flatMap((by) => ['pending→failed', 'failed→failed', 'failed→dead_letter'].map((change) => `delivery ${change} by ${by}`)),
  'delivery pending→dead_letter by 4xx', 'delivery failed→dead_letter by 4xx', 'delivery pending→dead_letter by not allowed',
  'delivery failed→dead_letter by not allowed', 'delivery pending→dead_letter by budget of one',
  ...ENDS.flatMap((end) => [`delivery ${end}→pending by redelivery`, `delivery ${end}→evicted`, `delivery ${end} again after a redelivery`]),
  'delivery pending, redelivery refused', 'delivery failed, redelivery refused',
  'delivery delivered, answer refused', 'delivery dead_letter, answer refused', 'delivery failed, answer refused',
  'not allowed: switched off', 'dropped while switched off', 'not allowed: parked', 'not allowed: credential', 'not allowed: scope', 'attempt with a later secret',
  'dropped before a secret', 'maker live', 'maker not live any more',
  ...LIMITS.flatMap((name) => [`refused by ${name}`, `last call of a window by ${name}`]),
  ...OFFSETS.map((offset) => `call at the end of a full window ${sign(offset)}`),
  ...['key expiry', 'attempt', 'timeout', 'evict'].flatMap((what) => OFFSETS.map((offset) => `command at ${what} ${sign(offset)}`)),
  ...WEBHOOK_EVENT_NAMES.map((name) => `told user ${name}`), ...WEBHOOK_EVENT_NAMES.slice(0, 3).map((name) => `told maker ${name}`),
]

function sign(offset: number): string {
  return `${offset > 0 ? '+' : ''}${offset} µs`
}

/** What a number of runs have reached. */
export interface Coverage {
  commands: number
  steps: number
  readonly seen: Map<string, number>
  readonly codes: Map<number, number>
  readonly given: Map<number, number>
  readonly accepted: Map<number, number>
}

export const newCoverage = (): Coverage =>
  ({ commands: 0, steps: 0, seen: new Map(), codes: new Map(), given: new Map(), accepted: new Map() })

/** A command as it meets the state before the deadlines of its instant. */
export function observeInstant(coverage: Coverage, before: State, profile: ParlayGateProfile, nowUs: number, command: GateCommand): void {
  for (const { atUs, rank, number } of deadlinesOf(before)) {
    if (Math.abs(atUs - nowUs) > 1) continue
    const what = rank === 0 ? 'key expiry' : before.deliveries.get(number)!.next.kind
    see(coverage, `command at ${what} ${sign(nowUs - atUs)}`)
  }
  for (const { name, ceiling } of limitsOf(before, profile, command)) {
    const window = before.windows.get(name)
    if (window === undefined || window.count < ceiling || Math.abs(endOf(window, profile) - nowUs) > 1) continue
    see(coverage, `call at the end of a full window ${sign(nowUs - endOf(window, profile))}`)
  }
}

export function observeCommand(
  coverage: Coverage, middle: State, profile: ParlayGateProfile, nowUs: number, command: GateCommand, step: Step,
): void {
  const { op, seq } = command
  const reply = rowsOfKind(step.rows, ParlayEvent.reply).find((row) => row.cause === seq)
  coverage.commands++
  if (op >= FIRST_GATE_OP) {
    bump(coverage.given, op)
    if (reply?.code === ParlayCode.ok) bump(coverage.accepted, op)
  }
  if (op < 20 || reply?.code === ParlayCode.forbidden) return
  if (op !== ParlayOp.answerDelivery && op !== ParlayOp.closeStream) {
    for (const { name, ceiling } of limitsOf(middle, profile, command)) {
      const { count } = windowAt(middle, profile, name, nowUs)
      const limit = name.split(',')[0]!
      if (count === ceiling) {
        see(coverage, `refused by ${limit}`)
        break
      }
      if (count + 1 === ceiling) see(coverage, `last call of a window by ${limit}`)
    }
  }
  const delivery = middle.deliveries.get(command.value)
  const key = middle.keys.get(command.value)
  if (op === ParlayOp.redeliver && reply?.code === ParlayCode.deliveryPending) {
    see(coverage, `delivery ${DELIVERY_STATUS_NAMES[delivery!.status as 0]}, redelivery refused`)
  }
  if (op === ParlayOp.answerDelivery && reply?.code === ParlayCode.conflict) {
    see(coverage, `delivery ${DELIVERY_STATUS_NAMES[delivery!.status as 0]}, answer refused`)
  }
  if (op === ParlayOp.revokeKey && reply?.code === ParlayCode.conflict) see(coverage, `key ${key!.state}, revoke refused`)
}

/** One turn of the model: rows of the gate and of the venue, and what they changed. */
export function observeStep(coverage: Coverage, before: State, step: Step, profile: ParlayGateProfile): void {
  const statuses = new Map([...before.deliveries].map(([number, { status }]) => [number, status]))
  for (const row of step.rows) {
    const { kind } = row
    if (isOfKind(row, ParlayEvent.reply)) bump(coverage.codes, row.code)
    else if (kind === ParlayEvent.keyCreated) see(coverage, 'key none→active')
    else if (kind === ParlayEvent.keyRevoked) see(coverage, 'key active→revoked')
    else if (kind === ParlayEvent.keyExpired) see(coverage, 'key active→expired')
    else if (kind === ParlayEvent.streamOpened) see(coverage, 'maker live')
    else if (kind === ParlayEvent.streamClosed) see(coverage, 'maker not live any more')
    else if (isOfKind(row, ParlayEvent.deliveryQueued)) {
      see(coverage, 'delivery none→pending')
      see(coverage, `told ${row.ownerKind === 1 ? 'maker' : 'user'} ${WEBHOOK_EVENT_NAMES[row.webhookEvent as 0]}`)
      statuses.set(row.delivery, DeliveryStatus.pending)
    } else if (isOfKind(row, ParlayEvent.deliveryAttempted) && row.secretGeneration > 1) see(coverage, 'attempt with a later secret')
    else if (isOfKind(row, ParlayEvent.deliveryRequeued)) {
      see(coverage, `delivery ${nameOf(statuses.get(row.delivery)!)}→pending by redelivery`)
      statuses.set(row.delivery, DeliveryStatus.pending)
    } else if (isOfKind(row, ParlayEvent.deliveryChanged)) {
      observeChange(coverage, row, statuses.get(row.delivery)!, step.state, profile)
      statuses.set(row.delivery, row.status)
      const known = before.deliveries.get(row.delivery)
      if (known !== undefined && known.attempts > known.budgetSpent && row.nextAttemptAtUs === NONE) {
        see(coverage, `delivery ${nameOf(row.status)} again after a redelivery`)
      }
    }
    if (isOfKind(row, ParlayEvent.fundsDeposited)) {
      const endpoint = step.state.endpoints.get(endpointName(row.account, 0))
      if (endpoint?.secret === 0) see(coverage, 'dropped before a secret')
      else if (endpoint !== undefined && step.state.mute.has(row.account)) see(coverage, 'dropped while switched off')
    }
  }
  for (const [number, status] of statuses) {
    if (!step.state.deliveries.has(number)) see(coverage, `delivery ${nameOf(status)}→evicted`)
  }
}

function observeChange(coverage: Coverage, row: Row<'deliveryChanged'>, from: number, after: State, profile: ParlayGateProfile): void {
  const by = classOf(row.response)
  const change = `delivery ${nameOf(from)}→${nameOf(row.status)}`
  if (change === 'delivery pending→dead_letter' && RETRIED.includes(by) && profile.deliveryAttemptsMax === 1) {
    return see(coverage, `${change} by budget of one`)
  }
  see(coverage, `${change} by ${by}`)
  if (by !== 'not allowed') return
  const delivery = after.deliveries.get(row.delivery)
  if (delivery === undefined) return
  const { events, credential } = after.endpoints.get(endpointName(delivery.account, delivery.owner))!
  const why = after.mute.has(row.account) ? 'switched off' : (events & (1 << row.webhookEvent)) === 0 ? 'parked' : isCredentialValid(after, row.account, credential) ? 'scope' : 'credential'
  see(coverage, `not allowed: ${why}`)
}

function classOf(answer: number): string {
  if (answer === -2) return 'not allowed'
  if (answer === -1) return 'timeout'
  if (answer === 0) return 'network error'
  if (answer === 408 || answer === 429) return String(answer)
  return `${Math.floor(answer / 100)}xx`
}

const nameOf = (status: number): string => DELIVERY_STATUS_NAMES[status as 0]

/** Everything that should have been reached and was not; empty when all was. */
export function missing(coverage: Coverage, leastAccepted: number): string[] {
  const lines = SIGHTS.filter((name) => !coverage.seen.has(name))
  for (const code of gateCodes()) if (!coverage.codes.has(code)) lines.push(`code ${PARLAY_CODES[code]!.name}`)
  for (const op of gateOps()) {
    const share = (coverage.accepted.get(op) ?? 0) / (coverage.given.get(op) ?? NONE)
    if (!(share >= leastAccepted)) lines.push(`accepted share of ${PARLAY_OP_NAMES[op]}: ${share.toFixed(3)}`)
  }
  return lines
}

const gateOps = (): number[] => Object.values(ParlayOp).filter((op) => op >= FIRST_GATE_OP)
const gateCodes = (): number[] => Object.values(ParlayCode).filter((code) => code >= ParlayCode.unauthorized)

/** The counts as text. */
export function table(coverage: Coverage): string {
  const pair = (name: string, count: number | undefined) => `${name.padEnd(56)} ${String(count ?? 0).padStart(7)}`
  return [
    `${coverage.commands} commands, ${coverage.steps} calls`, '',
    ...gateOps().map((op) => {
      const given = coverage.given.get(op) ?? 0
      return `${pair(PARLAY_OP_NAMES[op]!, given)}  ${Math.round((100 * (coverage.accepted.get(op) ?? 0)) / given)} % accepted`
    }), '',
    ...gateCodes().map((code) => pair(`code ${PARLAY_CODES[code]!.name}`, coverage.codes.get(code))), '',
    ...SIGHTS.map((name) => pair(name, coverage.seen.get(name))),
    ...[...coverage.seen].filter(([name]) => !SIGHTS.includes(name)).map(([name, count]) => pair(`beyond: ${name}`, count)),
  ].join('\n')
}

const see = (coverage: Coverage, name: string): void => bump(coverage.seen, name)

function bump<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
