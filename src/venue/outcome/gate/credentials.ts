import { NONE } from '../../../unit/none.ts'
import { DAY_US } from '../../../unit/time.ts'
import type { Kind, KindOf, Row } from '../../eventCells.ts'
import { ALL_SCOPES, Credential, Origin, ReadRoute } from '../protocol/access.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { type OutcomeCommand, OutcomeOp, Read, RevokeKey } from '../protocol/commands.ts'
import { CredentialRow, KeyChanged, OutcomeEvent, SessionEnd, SessionEnded } from '../protocol/events.ts'
import { CredentialKind, CredentialState } from './credentialColumns.ts'
import { openRow, reply, replyInvalid, replyWithCredential } from './rows.ts'
import { GateRank, type GateState } from './state.ts'
import { closeStreams } from './streams.ts'

const isHeaderless = (origin: number): boolean => origin === Origin.none || origin === Origin.several

/** Why the command's credential does not let it in, or ok. A credential that lets it in counts as used now (OM-128, OM-136…140, OM-189). */
export function refusalOfCredential(s: GateState, c: OutcomeCommand): number {
  const { account, credential, op, origin } = c
  if (credential === Credential.app) return op === OutcomeOp.signOut ? OutcomeCode.unauthenticated : OutcomeCode.ok
  const { credentials } = s
  const row = credentials.rowOf(credential)
  if (row === NONE || credentials.account[row] !== account || credentials.state[row] !== CredentialState.active) {
    return OutcomeCode.unauthenticated
  }
  if (credentials.isKey(row)) {
    if (isForOwner(c)) return OutcomeCode.unauthenticated
  } else if (isHeaderless(origin)) return OutcomeCode.originRequired
  else if (origin !== credentials.origin[row]) return OutcomeCode.unauthenticated
  credentials.lastUsedUs[row] = s.nowUs
  return OutcomeCode.ok
}

/** What a key cannot do: sessions and keys are their owner's to see and to change. */
function isForOwner({ op, [Read.route]: route }: OutcomeCommand): boolean {
  if (op === OutcomeOp.read) return route === ReadRoute.apiKeys
  return op === OutcomeOp.signOut || op === OutcomeOp.challengeKey || op === OutcomeOp.issueKey || op === OutcomeOp.revokeKey
}

/** Mask of the scopes that a credential holds. Precondition: it is active, or the app's. */
export function scopesHeld(s: GateState, credential: number): number {
  return credential === Credential.app ? ALL_SCOPES : s.credentials.scopes[s.credentials.rowOf(credential)]!
}

export function signIn(s: GateState, c: OutcomeCommand): void {
  if (!(Number.isInteger(c.origin) && c.origin >= 0)) return reply(s, c, OutcomeCode.originRequired)
  if (s.view.balance(c.account).role === null) return reply(s, c, OutcomeCode.identityNotFound)
  const { credentials } = s
  const untilUs = s.nowUs + s.sessionAgeUs
  const row = credentials.add(c.account, CredentialKind.session, ALL_SCOPES, untilUs)
  // Adding 0 turns −0 into 0, because an image would tell the two apart.
  credentials.origin[row] = c.origin + 0
  credentials.lastUsedUs[row] = s.nowUs
  scheduleEnd(s, row)
  openCredentialRow(s, OutcomeEvent.sessionStarted, row)
  replyWithCredential(s, c, credentials.number[row]!, untilUs)
}

/** Precondition: the command's credential is an active session. */
export function signOut(s: GateState, c: OutcomeCommand): void {
  endSession(s, s.credentials.rowOf(c.credential), SessionEnd.signedOut)
  reply(s, c, OutcomeCode.ok)
}

export function revokeKey(s: GateState, c: OutcomeCommand): void {
  if (!Number.isInteger(c[RevokeKey.keyNumber])) return replyInvalid(s, c, InvalidField.value)
  const { credentials } = s
  const row = credentials.rowOf(c[RevokeKey.keyNumber])
  if (row === NONE || credentials.account[row] !== c.account || !credentials.isKey(row)) return reply(s, c, OutcomeCode.notFound)
  if (credentials.state[row] !== CredentialState.active) return reply(s, c, OutcomeCode.stateConflict)
  endKey(s, row, CredentialState.revoked, OutcomeEvent.keyRevoked)
  reply(s, c, OutcomeCode.ok)
}

/** Gives the account a key. With `expiryDays` −1 it never expires. */
export function addKey(s: GateState, account: number, scopes: number, expiryDays: number): { number: number; expiresAtUs: number } {
  const expiresAtUs = expiryDays === NONE ? NONE : s.nowUs + expiryDays * DAY_US
  const row = s.credentials.add(account, CredentialKind.key, scopes, expiresAtUs)
  if (expiresAtUs !== NONE) scheduleEnd(s, row)
  openKeyRow(s, OutcomeEvent.keyIssued, row)
  return { number: s.credentials.number[row]!, expiresAtUs }
}

/** Deadline: a credential ends, unless it is a session that was used since. */
export function credentialDue(s: GateState, number: number): void {
  const { credentials } = s
  const row = credentials.rowOf(number)
  if (row === NONE || credentials.state[row] !== CredentialState.active) return
  if (credentials.isKey(row)) return endKey(s, row, CredentialState.expired, OutcomeEvent.keyExpired)
  if (s.nowUs >= credentials.expiresAtUs[row]!) return endSession(s, row, SessionEnd.aged)
  if (s.nowUs >= credentials.lastUsedUs[row]! + s.sessionIdleUs) return endSession(s, row, SessionEnd.idle)
  scheduleEnd(s, row)
}

/** Deadline: the retention of an ended credential is over. */
export function credentialForgettingDue(s: GateState, number: number): void {
  const { credentials } = s
  credentials.number[credentials.rowOf(number)] = 0
  credentials.index.release(number)
}

/** A credential has one deadline at a time, so that using it schedules none. */
function scheduleEnd(s: GateState, row: number): void {
  const { credentials } = s
  const agedUs = credentials.expiresAtUs[row]!
  const endUs = credentials.isKey(row) ? agedUs : Math.min(agedUs, credentials.lastUsedUs[row]! + s.sessionIdleUs)
  s.schedule(endUs, GateRank.credentialEnd, credentials.number[row]!)
}

function endSession(s: GateState, row: number, why: number): void {
  s.credentials.state[row] = CredentialState.ended
  s.events.write(openCredentialRow(s, OutcomeEvent.sessionEnded, row), SessionEnded.reason, why)
  revokeStreams(s, row)
}

function endKey(s: GateState, row: number, state: number, kind: Kind<KindOf<typeof KeyChanged>>): void {
  s.credentials.state[row] = state
  openKeyRow(s, kind, row)
  revokeStreams(s, row)
}

/** Closes the streams of a credential that ended (OM-146, OM-237). The credential is forgotten after its retention. */
function revokeStreams(s: GateState, row: number): void {
  const number = s.credentials.number[row]!
  closeStreams(s, OutcomeCode.authorizationRevoked, (slot) => s.streams.credential[slot] === number)
  s.schedule(s.nowUs + s.credentialRetentionUs, GateRank.credentialForgetting, number)
}

/** Opens a row about the key in row `key`. */
function openKeyRow(s: GateState, kind: Kind<KindOf<typeof KeyChanged>>, key: number): void {
  s.events.write(openCredentialRow(s, kind, key), KeyChanged.scopes, s.credentials.scopes[key]!)
}

/** Opens a row about the credential in row `credential`. */
function openCredentialRow<N extends KindOf<typeof CredentialRow>>(s: GateState, kind: Kind<N>, credential: number): Row<N> {
  const { credentials, events } = s
  const row = openRow(s, kind, credentials.account[credential]!)
  events.write(row, CredentialRow.credential, credentials.number[credential]!)
  events.write(row, CredentialRow.expiresAtUs, credentials.expiresAtUs[credential]!)
  return row
}
