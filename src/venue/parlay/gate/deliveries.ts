import type { Kind, KindOf, Row } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { AnswerDelivery, type ParlayCommand, Redeliver } from '../protocol/commands.ts'
import { DeliveryAttempted, DeliveryChanged, DeliveryQueued, DeliveryRow, ParlayEvent } from '../protocol/events.ts'
import { Answer, DeliveryStatus, OwnerKind, SCOPE_OF_EVENT } from '../protocol/webhooks.ts'
import { scopesHeld } from './credentials.ts'
import { isOwner } from './endpoints.ts'
import { openRow, reply } from './rows.ts'
import { GateRank, type GateState } from './state.ts'

const STATUS_MIN = 100
const STATUS_MAX = 599

/** What a delivery waits for at its `dueUs`. */
const Phase = { attempt: 1, answer: 2, eviction: 3 } as const

/** Makes a delivery of the row numbered `rowSeq` to an endpoint, with an attempt due now. */
export function queueDelivery(s: GateState, account: number, owner: number, event: number, rowSeq: number): void {
  const { deliveries, events } = s
  const d = deliveries.take()
  deliveries.number[d] = deliveries.index.lastNumber
  deliveries.account[d] = account
  deliveries.owner[d] = owner
  deliveries.event[d] = event
  deliveries.attempts[d] = 0
  deliveries.isAnswered[d] = 0
  deliveries.createdAtUs[d] = s.nowUs
  makePending(s, d)
  const row = openDeliveryRow(s, ParlayEvent.deliveryQueued, d)
  events.write(row, DeliveryQueued.ownerKind, owner)
  events.write(row, DeliveryQueued.eventSeq, rowSeq)
}

/** Requeues an ended delivery under its event id (PQ-132…135). */
export function redeliver(s: GateState, c: ParlayCommand): void {
  const { [Redeliver.delivery]: number, [Redeliver.ownerKind]: named } = c
  const owner = named === NONE ? OwnerKind.user : named
  if (!Number.isInteger(number) || !isOwner(owner)) return reply(s, c, ParlayCode.invalid)
  const { deliveries } = s
  const d = deliveries.index.slotOf(number)
  if (d === NONE || deliveries.account[d] !== c.account || deliveries.owner[d] !== owner) return reply(s, c, ParlayCode.notFound)
  if (deliveries.phase[d] !== Phase.eviction) return reply(s, c, ParlayCode.deliveryPending)
  makePending(s, d)
  tellStatus(s, ParlayEvent.deliveryRequeued, d, s.nowUs)
  reply(s, c, ParlayCode.ok)
}

/** The world's answer to the attempt under way. An answer at the timeout or later is stale. */
export function answerDelivery(s: GateState, c: ParlayCommand): void {
  const { [AnswerDelivery.delivery]: number, version: attempt, [AnswerDelivery.status]: status } = c
  if (!(Number.isInteger(number) && Number.isInteger(attempt) && isAnswer(status))) return reply(s, c, ParlayCode.invalid)
  const { deliveries } = s
  const d = deliveries.index.slotOf(number)
  if (d === NONE) return reply(s, c, ParlayCode.notFound)
  if (deliveries.phase[d] !== Phase.answer || deliveries.attempts[d] !== attempt) return reply(s, c, ParlayCode.conflict)
  answered(s, d, status + 0)
  reply(s, c, ParlayCode.ok)
}

/** An HTTP status, or 0 for a network error. */
const isAnswer = (status: number): boolean =>
  status === Answer.networkError || (Number.isInteger(status) && status >= STATUS_MIN && status <= STATUS_MAX)

/** Deadline: an attempt is due or has timed out. */
export function deliveryDue(s: GateState, number: number): void {
  const { deliveries } = s
  const d = deliveries.index.slotOf(number)
  if (d === NONE || deliveries.dueUs[d] !== s.nowUs) return
  if (deliveries.phase[d] === Phase.attempt) attempt(s, d)
  else if (deliveries.phase[d] === Phase.answer) answered(s, d, Answer.timeout)
}

/** Deadline: an ended delivery is forgotten, unless it was requeued since. */
export function deliveryEvictionDue(s: GateState, number: number): void {
  const { deliveries } = s
  const d = deliveries.index.slotOf(number)
  if (d === NONE || deliveries.dueUs[d] !== s.nowUs) return
  deliveries.number[d] = 0
  deliveries.index.release(number)
}

function makePending(s: GateState, d: number): void {
  const { deliveries } = s
  deliveries.status[d] = DeliveryStatus.pending
  deliveries.spent[d] = deliveries.attempts[d]!
  wait(s, d, Phase.attempt, s.nowUs, GateRank.delivery)
}

function attempt(s: GateState, d: number): void {
  const { deliveries, endpoints, events } = s
  const account = deliveries.account[d]!
  const owner = deliveries.owner[d]!
  const event = deliveries.event[d]!
  const e = endpoints.rowOfOwner(account, owner)
  const held = scopesHeld(s, account, endpoints.credential[e]!)
  if (s.deliverySwitches.isOff(account) || !endpoints.subscribes(e, event) || held === NONE || (SCOPE_OF_EVENT[event]! & ~held) !== 0) {
    deliveries.answer[d] = Answer.notAllowed
    deliveries.isAnswered[d] = 1
    return end(s, d, DeliveryStatus.deadLetter)
  }
  const timeoutUs = s.nowUs + s.deliveryTimeoutUs
  deliveries.attempts[d]!++
  wait(s, d, Phase.answer, timeoutUs, GateRank.delivery)
  const row = openDeliveryRow(s, ParlayEvent.deliveryAttempted, d)
  events.write(row, DeliveryAttempted.ownerKind, owner)
  events.write(row, DeliveryAttempted.attempt, deliveries.attempts[d]!)
  events.write(row, DeliveryAttempted.secretGeneration, endpoints.secret[e]!)
  events.write(row, DeliveryAttempted.timeoutAtUs, timeoutUs)
}

/** Classes of answers: PQ-126…131, readings A40. */
function answered(s: GateState, d: number, answer: number): void {
  const { deliveries } = s
  deliveries.answer[d] = answer
  deliveries.isAnswered[d] = 1
  if (answer >= 200 && answer <= 299) return end(s, d, DeliveryStatus.delivered)
  if (answer >= 400 && answer <= 499 && answer !== 408 && answer !== 429) return end(s, d, DeliveryStatus.deadLetter)
  const tried = deliveries.attempts[d]! - deliveries.spent[d]!
  if (tried >= s.profile.deliveryAttemptsMax) return end(s, d, DeliveryStatus.deadLetter)
  deliveries.status[d] = DeliveryStatus.failed
  const nextUs = s.nowUs + backoffUs(s, tried)
  wait(s, d, Phase.attempt, nextUs, GateRank.delivery)
  tellStatus(s, ParlayEvent.deliveryChanged, d, nextUs)
}

/** Wait after the failed attempt `tried` of a budget. It doubles with each attempt, up to the longest (PQ-329). */
function backoffUs({ deliveryBackoffUs, deliveryBackoffMaxUs }: GateState, tried: number): number {
  let us = deliveryBackoffUs
  for (let k = 1; k < tried && us < deliveryBackoffMaxUs; k++) us *= 2
  return Math.min(us, deliveryBackoffMaxUs)
}

function end(s: GateState, d: number, status: number): void {
  s.deliveries.status[d] = status
  wait(s, d, Phase.eviction, s.nowUs + s.deliveryRetentionUs, GateRank.eviction)
  tellStatus(s, ParlayEvent.deliveryChanged, d, NONE)
}

function wait(s: GateState, d: number, phase: number, untilUs: number, rank: number): void {
  const { deliveries } = s
  deliveries.phase[d] = phase
  deliveries.dueUs[d] = untilUs
  s.deadlines.push(untilUs, rank, deliveries.number[d]!)
}

/** Opens a row about a delivery: its event and whose endpoint it goes to. */
function openDeliveryRow<N extends KindOf<typeof DeliveryRow>>(s: GateState, kind: Kind<N>, d: number): Row<N> {
  const { deliveries, events } = s
  const row = openRow(s, kind, deliveries.account[d]!)
  events.write(row, DeliveryRow.delivery, deliveries.number[d]!)
  events.write(row, DeliveryRow.webhookEvent, deliveries.event[d]!)
  return row
}

function tellStatus(s: GateState, kind: Kind<KindOf<typeof DeliveryChanged>>, d: number, nextAttemptAtUs: number): void {
  const { deliveries, events } = s
  const row = openDeliveryRow(s, kind, d)
  events.write(row, DeliveryChanged.status, deliveries.status[d]!)
  events.write(row, DeliveryChanged.attempts, deliveries.attempts[d]!)
  events.write(row, DeliveryChanged.response, deliveries.answer[d]!)
  events.write(row, DeliveryChanged.nextAttemptAtUs, nextAttemptAtUs)
}
