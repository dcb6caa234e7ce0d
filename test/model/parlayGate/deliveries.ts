import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import {
  Answer as NoStatus, DeliveryStatus, OwnerKind, SCOPE_OF_EVENT, WebhookEvent,
} from '../../../src/venue/parlay/protocol/webhooks.ts'
import { type Answer, isOfKind, type Row } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'
import { isOwnerKind } from './endpoints.ts'
import { scopesOf } from './keys.ts'
import { isCredentialValid } from './limits.ts'
import { type Delivery, endpointName, isIntegerIn, type State, type Turn, unsignedZero, write } from './state.ts'

/** A webhook's event, and whom it tells: a user, and the backing maker of three events. */
interface News {
  readonly event: number
  readonly user: number
  readonly maker?: number
}

/** What a row of the venue is told as, or null. */
function newsOf(row: Row): News | null {
  if (isOfKind(row, ParlayEvent.positionSettled)) return { event: WebhookEvent.positionSettled, user: row.holder, maker: row.backer }
  if (isOfKind(row, ParlayEvent.positionCancelled)) return { event: WebhookEvent.positionCancelled, user: row.owner, maker: row.backer }
  if (isOfKind(row, ParlayEvent.positionBoughtBack)) return { event: WebhookEvent.positionBoughtBack, user: row.holder, maker: row.backer }
  if (isOfKind(row, ParlayEvent.positionTransferred)) return { event: WebhookEvent.positionTransferred, user: row.seller }
  if (isOfKind(row, ParlayEvent.statusChanged)) return { event: WebhookEvent.statusChanged, user: row.owner }
  if (isOfKind(row, ParlayEvent.fundsDeposited)) return { event: WebhookEvent.fundsDeposited, user: row.account }
  if (isOfKind(row, ParlayEvent.fundsWithdrawn)) return { event: WebhookEvent.fundsWithdrawn, user: row.account }
  return null
}

/** Takes over the venue's rows of a command or an instant, then queues what its endpoints are told of them. */
export function takeOver(turn: Turn, rows: readonly Row[]): void {
  const before = turn.state.rowCount
  turn.rows.push(...rows)
  turn.state.rowCount += rows.length
  rows.forEach((row, i) => {
    const news = newsOf(row)
    if (news === null) return
    const { event, user, maker = NONE } = news
    const told = { event, place: before + i + 1, cause: row.cause }
    queue(turn, user, OwnerKind.user, told)
    if (maker !== NONE) queue(turn, maker, OwnerKind.maker, told)
  })
}

function queue(turn: Turn, account: number, owner: number, told: { event: number, place: number, cause: number }): void {
  const endpoint = turn.state.endpoints.get(endpointName(account, owner))
  if (turn.state.mute.has(account) || endpoint === undefined || endpoint.secret === 0 || !subscribes(endpoint.events, told.event)) return
  const number = ++turn.state.lastDelivery
  turn.state.deliveries.set(number, {
    number, account, owner, event: told.event, createdAtUs: turn.nowUs, status: DeliveryStatus.pending, attempts: 0, budgetSpent: 0,
    response: null, next: { kind: 'attempt', atUs: turn.nowUs },
  })
  const fields = { account, ownerKind: owner, delivery: number, webhookEvent: told.event, eventSeq: told.place }
  write(turn, ParlayEvent.deliveryQueued, fields, told.cause)
}

const subscribes = (events: number, event: number): boolean => (events & (1 << event)) !== 0

/** An attempt that is due: made, or dead without one. */
export function attempt(turn: Turn, delivery: Delivery): void {
  const { state, profile, nowUs } = turn
  const endpoint = state.endpoints.get(endpointName(delivery.account, delivery.owner))!
  if (!isAllowed(state, delivery)) return end(turn, delivery, DeliveryStatus.deadLetter, NoStatus.notAllowed)
  const attempts = delivery.attempts + 1
  const timeoutAtUs = nowUs + profile.deliveryTimeoutMs * 1000
  state.deliveries.set(delivery.number, {
    ...delivery, attempts, budgetSpent: delivery.budgetSpent + 1, next: { kind: 'timeout', atUs: timeoutAtUs },
  })
  write(turn, ParlayEvent.deliveryAttempted, {
    account: delivery.account, ownerKind: delivery.owner, delivery: delivery.number, webhookEvent: delivery.event, attempt: attempts,
    secretGeneration: endpoint.secret, timeoutAtUs,
  })
}

/** Whether the endpoint still subscribes, on a valid credential that holds the event's scope. */
function isAllowed(state: State, { account, owner, event }: Delivery): boolean {
  const { events, credential } = state.endpoints.get(endpointName(account, owner))!
  if (state.mute.has(account) || !subscribes(events, event) || !isCredentialValid(state, account, credential)) return false
  return (scopesOf(state, credential) & SCOPE_OF_EVENT[event]!) !== 0
}

/** The attempt under way has its answer: an HTTP status, a network error or a timeout. */
export function answered(turn: Turn, delivery: Delivery, answer: number): void {
  const { state, profile, nowUs } = turn
  if (answer >= 200 && answer <= 299) return end(turn, delivery, DeliveryStatus.delivered, answer)
  const isRefused = answer >= 400 && answer <= 499 && answer !== 408 && answer !== 429
  if (isRefused || delivery.budgetSpent >= profile.deliveryAttemptsMax) return end(turn, delivery, DeliveryStatus.deadLetter, answer)
  const atUs = nowUs + backoffUs(profile, delivery.budgetSpent)
  const failed: Delivery = { ...delivery, status: DeliveryStatus.failed, response: answer, next: { kind: 'attempt', atUs } }
  state.deliveries.set(delivery.number, failed)
  tell(turn, failed, atUs)
}

/** Wait after the `k`-th attempt of a budget. */
const backoffUs = (profile: ParlayGateProfile, k: number): number =>
  Math.min(profile.deliveryBackoffMs * 2 ** (k - 1), profile.deliveryBackoffMaxMs) * 1000

function end(turn: Turn, delivery: Delivery, status: number, response: number): void {
  const next = { kind: 'evict', atUs: turn.nowUs + turn.profile.deliveryRetentionMs * 1000 } as const
  const ended: Delivery = { ...delivery, status, response, next }
  turn.state.deliveries.set(delivery.number, ended)
  tell(turn, ended, NONE)
}

function tell(turn: Turn, delivery: Delivery, nextAttemptAtUs: number): void {
  write(turn, ParlayEvent.deliveryChanged, {
    account: delivery.account, status: delivery.status, delivery: delivery.number, webhookEvent: delivery.event, attempts: delivery.attempts,
    response: delivery.response!, nextAttemptAtUs,
  })
}

export function redeliver(turn: Turn, command: GateCommand): Answer {
  const { state, nowUs } = turn
  const owner = command.value2 === NONE ? OwnerKind.user : command.value2
  if (!Number.isInteger(command.value) || !isOwnerKind(owner)) return { code: ParlayCode.invalid }
  const delivery = state.deliveries.get(command.value)
  if (delivery === undefined || delivery.account !== command.account || delivery.owner !== owner) return { code: ParlayCode.notFound }
  if (delivery.status === DeliveryStatus.pending || delivery.status === DeliveryStatus.failed) return { code: ParlayCode.deliveryPending }
  state.deliveries.set(delivery.number, {
    ...delivery, status: DeliveryStatus.pending, budgetSpent: 0, next: { kind: 'attempt', atUs: nowUs },
  })
  write(turn, ParlayEvent.deliveryRequeued, {
    account: delivery.account, status: DeliveryStatus.pending, delivery: delivery.number, webhookEvent: delivery.event,
    attempts: delivery.attempts, response: delivery.response!, nextAttemptAtUs: nowUs,
  })
  return { code: ParlayCode.ok }
}

export function answerDelivery(turn: Turn, command: GateCommand): Answer {
  const { value: number, version: attemptNumber, value2: answer } = command
  if (!Number.isInteger(number) || !Number.isInteger(attemptNumber) || !(answer === 0 || isIntegerIn(answer, 100, 599))) return { code: ParlayCode.invalid }
  const delivery = turn.state.deliveries.get(number)
  if (delivery === undefined) return { code: ParlayCode.notFound }
  if (delivery.next.kind !== 'timeout' || delivery.attempts !== attemptNumber) return { code: ParlayCode.conflict }
  answered(turn, delivery, unsignedZero(answer))
  return { code: ParlayCode.ok }
}

export function setDeliveries(turn: Turn, { value: account, value2: isOn }: GateCommand): Answer {
  if (!isIntegerIn(account, 0, 16_777_215) || !isIntegerIn(isOn, 0, 1)) return { code: ParlayCode.invalid }
  if (isOn === 1) turn.state.mute.delete(unsignedZero(account))
  else turn.state.mute.add(unsignedZero(account))
  return { code: ParlayCode.ok }
}
