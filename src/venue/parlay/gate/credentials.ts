import { NONE } from '../../../unit/none.ts'
import { NEVER_US } from '../../../unit/time.ts'
import { type Kind, type KindOf, rowAs } from '../../eventCells.ts'
import { ALL_SCOPES, Credential, SCOPE_OF_OP, SCOPE_OF_READ, ScopeBit } from '../protocol/access.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { CreateKey, type ParlayCommand, ParlayOp, Read, Redeliver, RevokeKey, RotateSecret, SetEndpoint } from '../protocol/commands.ts'
import { KeyChanged, KeyReply, ParlayEvent } from '../protocol/events.ts'
import { OwnerKind } from '../protocol/webhooks.ts'
import { KeyState } from './keyColumns.ts'
import { openReply, openRow, reply } from './rows.ts'
import { GateRank, type GateState, NUMBER_MAX } from './state.ts'

/** Mask of the scopes that a credential gives an account, or −1 when it is not valid for it (PQ-104…106, PQ-272). */
export function scopesHeld(s: GateState, account: number, credential: number): number {
  if (!(Number.isInteger(account) && account >= 0 && account <= NUMBER_MAX)) return NONE
  if (credential === Credential.jwt) return ALL_SCOPES
  const { keys } = s
  const key = keys.rowOf(credential)
  return key !== NONE && keys.account[key] === account && keys.state[key] === KeyState.active ? keys.scopes[key]! : NONE
}

/** Mask of the scope that a command needs, 0 for none (PQ-273). Precondition: a read names a route that exists. */
export function scopeNeeded(c: ParlayCommand): number {
  switch (c.op) {
    case ParlayOp.read: return SCOPE_OF_READ[c[Read.route]]!
    case ParlayOp.setEndpoint: return scopeOfOwner(c[SetEndpoint.ownerKind])
    case ParlayOp.rotateSecret: return scopeOfOwner(c[RotateSecret.ownerKind])
    case ParlayOp.redeliver: return scopeOfOwner(c[Redeliver.ownerKind])
    default: return SCOPE_OF_OP[c.op] ?? 0
  }
}

const scopeOfOwner = (owner: number): number => (owner === OwnerKind.maker ? ScopeBit.mmQuote : ScopeBit.accountWrite)

/** Makes a key without any scope that its creator lacks (PQ-267). `held` is the mask of the creating credential. */
export function createKey(s: GateState, c: ParlayCommand, held: number): void {
  const { account, [CreateKey.scopes]: scopes, closeUs: expiresAtUs } = c
  if (!(Number.isInteger(scopes) && scopes >= 1 && scopes <= ALL_SCOPES)) return reply(s, c, ParlayCode.invalid)
  if (expiresAtUs !== NONE && !(Number.isSafeInteger(expiresAtUs) && expiresAtUs > s.nowUs)) return reply(s, c, ParlayCode.invalid)
  if ((scopes & ~held) !== 0) return reply(s, c, ParlayCode.insufficientScope)
  const { keys } = s
  const row = keys.count++
  keys.ensure(keys.count)
  keys.account[row] = account
  keys.scopes[row] = scopes
  keys.expiresAtUs[row] = expiresAtUs
  if (expiresAtUs !== NONE && expiresAtUs < NEVER_US) s.deadlines.push(expiresAtUs, GateRank.keyExpiry, keys.count)
  tellKey(s, ParlayEvent.keyCreated, row)
  s.events.write(rowAs(KeyReply, openReply(s, c, ParlayCode.ok)), KeyReply.credential, keys.count)
}

export function revokeKey(s: GateState, c: ParlayCommand): void {
  if (!Number.isInteger(c[RevokeKey.keyNumber])) return reply(s, c, ParlayCode.invalid)
  const { keys } = s
  const row = keys.rowOf(c[RevokeKey.keyNumber])
  if (row === NONE || keys.account[row] !== c.account) return reply(s, c, ParlayCode.notFound)
  if (keys.state[row] !== KeyState.active) return reply(s, c, ParlayCode.conflict)
  keys.state[row] = KeyState.revoked
  tellKey(s, ParlayEvent.keyRevoked, row)
  reply(s, c, ParlayCode.ok)
}

/** The expiry of a key. From this instant on the key is no longer usable (PQ-106, PQ-138). */
export function keyExpiryDue(s: GateState, number: number): void {
  const { keys } = s
  const row = number - 1
  if (keys.state[row] !== KeyState.active) return
  keys.state[row] = KeyState.expired
  tellKey(s, ParlayEvent.keyExpired, row)
}

function tellKey(s: GateState, kind: Kind<KindOf<typeof KeyChanged>>, key: number): void {
  const { events, keys } = s
  const row = openRow(s, kind, keys.account[key]!)
  events.write(row, KeyChanged.credential, key + 1)
  events.write(row, KeyChanged.scopes, keys.scopes[key]!)
  events.write(row, KeyChanged.expiresAtUs, keys.expiresAtUs[key]!)
}
