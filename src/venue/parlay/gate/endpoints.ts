import { rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, RotateSecret, SetEndpoint } from '../protocol/commands.ts'
import { EndpointSet, ParlayEvent, SecretReply, SecretRotated } from '../protocol/events.ts'
import { ALL_WEBHOOK_EVENTS, MAKER_WEBHOOK_EVENTS, OwnerKind } from '../protocol/webhooks.ts'
import { keyOf } from './endpointColumns.ts'
import { openReply, openRow, reply } from './rows.ts'
import type { GateState } from './state.ts'

/** Whether a number is an `OwnerKind`. */
export const isOwner = (owner: number): boolean => owner === OwnerKind.user || owner === OwnerKind.maker

/** Subscribes the account's endpoint, which is made if there is none. An empty mask parks it (PQ-237, PQ-307). */
export function setEndpoint(s: GateState, c: ParlayCommand): void {
  const { account, [SetEndpoint.ownerKind]: owner, [SetEndpoint.events]: mask } = c
  const allowed = owner === OwnerKind.maker ? MAKER_WEBHOOK_EVENTS : ALL_WEBHOOK_EVENTS
  if (!isOwner(owner) || !(Number.isInteger(mask) && mask >= 0 && mask <= allowed)) return reply(s, c, ParlayCode.invalid)
  const { endpoints, events } = s
  const known = endpoints.rowOfOwner(account, owner)
  const e = known === NONE ? endpoints.add(keyOf(account, owner)) : known
  endpoints.events[e] = mask
  endpoints.credential[e] = c.credential + 0
  const row = openRow(s, ParlayEvent.endpointSet, account)
  events.write(row, EndpointSet.ownerKind, owner + 0)
  events.write(row, EndpointSet.webhookEvents, mask + 0)
  events.write(row, EndpointSet.credential, c.credential + 0)
  reply(s, c, ParlayCode.ok)
}

/** Makes the endpoint's next signing secret. The former secret is void at once (PQ-326). */
export function rotateSecret(s: GateState, c: ParlayCommand): void {
  const { account, [RotateSecret.ownerKind]: owner } = c
  if (!isOwner(owner)) return reply(s, c, ParlayCode.invalid)
  const { endpoints, events } = s
  const e = endpoints.rowOfOwner(account, owner)
  if (e === NONE) return reply(s, c, ParlayCode.notFound)
  const generation = ++endpoints.secret[e]!
  const row = openRow(s, ParlayEvent.secretRotated, account)
  events.write(row, SecretRotated.ownerKind, owner + 0)
  events.write(row, SecretRotated.secretGeneration, generation)
  events.write(rowAs(SecretReply, openReply(s, c, ParlayCode.ok)), SecretReply.secretGeneration, generation)
}
