import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { Field, NONE } from '../../eventRows.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import { ALL_WEBHOOK_EVENTS, MAKER_WEBHOOK_EVENTS, OwnerKind } from '../protocol/webhooks.ts'
import { openRow, reply, replyWith } from './rows.ts'
import type { GateState } from './state.ts'

/** Webhook endpoints; an account has one as a user and one as a maker. */
export class EndpointColumns extends KeyedColumns {
  /** Mask of subscribed events; 0: parked. */
  events = new Uint8Array(this.capacity)
  /** Credential that the endpoint was last set with. */
  credential = new Float64Array(this.capacity)
  /** Generation of the signing secret; 0 before there is one. */
  secret = new Float64Array(this.capacity)

  /** The row of an account's endpoint, or −1; also for an account of −1. */
  rowOfOwner(account: number, owner: number): number {
    return this.rowOf(keyOf(account, owner))
  }

  subscribes(row: number, event: number): boolean {
    return ((this.events[row]! >> event) & 1) === 1
  }
}

/** Adding 0 makes 0 of −0, which an image would tell from it. */
const keyOf = (account: number, owner: number): number => account * 2 + owner + 0

/** Whether a number is an `OwnerKind`. */
export const isOwner = (owner: number): boolean => owner === OwnerKind.user || owner === OwnerKind.maker

/** Subscribes the account's endpoint, made if there is none; an empty mask parks it (PQ-237, PQ-307). */
export function setEndpoint(s: GateState, c: ParlayCommand): void {
  const { account, value: owner, value2: mask } = c
  const allowed = owner === OwnerKind.maker ? MAKER_WEBHOOK_EVENTS : ALL_WEBHOOK_EVENTS
  if (!isOwner(owner) || !(Number.isInteger(mask) && mask >= 0 && mask <= allowed)) return reply(s, c, ParlayCode.invalid)
  const { endpoints, events } = s
  const known = endpoints.rowOfOwner(account, owner)
  const row = known === NONE ? endpoints.add(keyOf(account, owner)) : known
  endpoints.events[row] = mask
  endpoints.credential[row] = c.credential + 0
  openRow(s, ParlayEvent.endpointSet, account)
  events.set(Field.code, owner + 0)
  events.set(Field.amountA, mask + 0)
  events.set(Field.amountB, c.credential + 0)
  reply(s, c, ParlayCode.ok)
}

/** Makes the endpoint's next signing secret; the former is void at once (PQ-326). */
export function rotateSecret(s: GateState, c: ParlayCommand): void {
  const { account, value: owner } = c
  if (!isOwner(owner)) return reply(s, c, ParlayCode.invalid)
  const { endpoints, events } = s
  const row = endpoints.rowOfOwner(account, owner)
  if (row === NONE) return reply(s, c, ParlayCode.notFound)
  const generation = ++endpoints.secret[row]!
  openRow(s, ParlayEvent.secretRotated, account)
  events.set(Field.code, owner + 0)
  events.set(Field.amountA, generation)
  replyWith(s, c, ParlayCode.ok, generation)
}
