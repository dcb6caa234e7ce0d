import { NONE } from '../../../src/unit/none.ts'
import { ALL_SCOPES, Credential } from '../../../src/venue/parlay/protocol/access.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { Answer, EventKind } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'
import { isIntegerIn, type Key, type State, type Turn, unsignedZero, write } from './state.ts'

/** Scopes of a valid credential. */
export const scopesOf = (state: State, credential: number): number =>
  credential === Credential.jwt ? ALL_SCOPES : state.keys.get(credential)!.scopes

export function createKey(turn: Turn, command: GateCommand): Answer {
  const { state, nowUs } = turn
  const { value: scopes, closeUs: expiresAtUs } = command
  const account = unsignedZero(command.account)
  const isExpiryRight = expiresAtUs === NONE || (Number.isSafeInteger(expiresAtUs) && expiresAtUs > nowUs)
  if (!isIntegerIn(scopes, 1, ALL_SCOPES) || !isExpiryRight) return { code: ParlayCode.invalid }
  if ((scopes & ~scopesOf(state, command.credential)) !== 0) return { code: ParlayCode.insufficientScope }
  const key: Key = { number: ++state.lastKey, account, scopes, expiresAtUs, state: 'active' }
  state.keys.set(key.number, key)
  tell(turn, ParlayEvent.keyCreated, key)
  return { code: ParlayCode.ok, credential: key.number }
}

export function revokeKey(turn: Turn, command: GateCommand): Answer {
  if (!Number.isInteger(command.value)) return { code: ParlayCode.invalid }
  const key = turn.state.keys.get(command.value)
  if (key === undefined || key.account !== command.account) return { code: ParlayCode.notFound }
  if (key.state !== 'active') return { code: ParlayCode.conflict }
  turn.state.keys.set(key.number, { ...key, state: 'revoked' })
  tell(turn, ParlayEvent.keyRevoked, key)
  return { code: ParlayCode.ok }
}

/** Precondition: the key is active and its instant has come. */
export function expireKey(turn: Turn, key: Key): void {
  turn.state.keys.set(key.number, { ...key, state: 'expired' })
  tell(turn, ParlayEvent.keyExpired, key)
}

const tell = (turn: Turn, kind: EventKind<'keyCreated' | 'keyRevoked' | 'keyExpired'>, key: Key): void =>
  write(turn, kind, { account: key.account, credential: key.number, scopes: key.scopes, expiresAtUs: key.expiresAtUs })
