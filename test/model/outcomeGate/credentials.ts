import { NONE } from '../../../src/unit/none.ts'
import {
  ALL_SCOPES, Credential as Named, isPublicRoute, Origin, READ_ROUTES, ReadRoute, SCOPE_OF_OP, SCOPE_OF_READ, SCOPES_OF_ROLE,
} from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, SessionEnd } from '../../../src/venue/outcome/protocol/events.ts'
import { GateFault } from '../../../src/venue/outcome/protocol/access.ts'
import { SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import type { GateCommand } from './command.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { type Challenge, type Credential, isIntegerIn, type KeyRequest, type State, type Turn, unsignedZero, write } from './state.ts'
import type { Answer } from '../outcome/namedRows.ts'
import { closeAll } from './streams.ts'

const DAY_US = 86_400_000_000
const unauthenticated = { code: OutcomeCode.unauthenticated }
const invalid = (field: number): Answer => ({ code: OutcomeCode.invalidRequest, invalidField: field })

export const isRoute = (route: number): boolean => isIntegerIn(route, 0, READ_ROUTES - 1)

/** Calls that need no credential. */
export function isPublic({ op, value }: GateCommand): boolean {
  if (op === OutcomeOp.read) return isRoute(value) && isPublicRoute(value)
  return op === OutcomeOp.openMarketStream
}

/** The active session or key of the account, by its number. */
export function credentialOf(state: State, account: number, number: number): Credential | undefined {
  const credential = state.credentials.get(number)
  return credential?.account === account && credential.state === 'active' ? credential : undefined
}

/** Step 3: who calls. The credential has been used when it passes. */
export function checkCredential(turn: Turn, command: GateCommand): Answer | null {
  const { state, nowUs } = turn
  const { op, account, credential: number, origin } = command
  if (isPublic(command)) return null
  if (state.faults.has(GateFault.authorizationUnavailable)) return { code: OutcomeCode.authorizationUnavailable }
  if (op === OutcomeOp.signIn) return null
  const isApp = number === Named.app
  const credential = isApp ? undefined : credentialOf(state, account, number)
  if (!isApp && credential === undefined) return unauthenticated
  if (credential?.kind === 'session') {
    if (origin === Origin.none || origin === Origin.several) return { code: OutcomeCode.originRequired }
    if (origin !== credential.origin) return unauthenticated
  }
  if (op === OutcomeOp.signOut && credential?.kind !== 'session') return unauthenticated
  const readsKeys = op === OutcomeOp.read && command.value === ReadRoute.apiKeys
  const isForOwner = readsKeys || op === OutcomeOp.challengeKey || op === OutcomeOp.issueKey || op === OutcomeOp.revokeKey
  if (isForOwner && credential?.kind === 'key') return unauthenticated
  if (credential !== undefined) state.credentials.set(credential.number, { ...credential, lastUsedUs: nowUs })
  return null
}

/** Scope that a call needs; 0: none. */
export const scopeOf = ({ op, value }: GateCommand): number =>
  op === OutcomeOp.read ? (isRoute(value) ? SCOPE_OF_READ[value]! : 0) : SCOPE_OF_OP[op] ?? 0

/** Step 4: whether the credential may. */
export function checkScope({ state }: Turn, command: GateCommand): Answer | null {
  const { op, account, credential, value } = command
  const forbidden = { code: OutcomeCode.forbidden }
  if (isPublic(command) || op === OutcomeOp.signIn) return null
  const scopes = state.credentials.get(credential)?.scopes ?? ALL_SCOPES
  const scope = scopeOf(command)
  if ((scopes & scope) !== scope) return forbidden
  const isMakers = op === OutcomeOp.read && (value === ReadRoute.acceptances || value === ReadRoute.capital)
  return isMakers && state.roles.get(account) !== AccountRole.maker ? forbidden : null
}

export function signIn(turn: Turn, command: GateCommand): Answer {
  const { state, profile, nowUs } = turn
  const origin = unsignedZero(command.origin)
  const account = unsignedZero(command.account)
  if (!isIntegerIn(origin, 0, Number.MAX_VALUE)) return { code: OutcomeCode.originRequired }
  if (!state.roles.has(account)) return { code: OutcomeCode.identityNotFound }
  const expiresAtUs = nowUs + profile.sessionAgeMs * 1000
  const number = ++state.lastCredential
  state.credentials.set(number, {
    number, account, kind: 'session', scopes: ALL_SCOPES, origin, expiresAtUs, lastUsedUs: nowUs, state: 'active',
  })
  write(turn, OutcomeEvent.sessionStarted, { account, credential: number, expiresAtUs })
  return { code: OutcomeCode.ok, credential: number, expiresAtUs }
}

export function signOut(turn: Turn, command: GateCommand): Answer {
  end(turn, turn.state.credentials.get(command.credential)!, 'ended', SessionEnd.signedOut)
  return { code: OutcomeCode.ok }
}

/** Precondition: the instant at which it ends by itself has come. */
export function endByItself(turn: Turn, credential: Credential): void {
  if (credential.kind === 'key') return end(turn, credential, 'expired')
  end(turn, credential, 'ended', turn.nowUs >= credential.expiresAtUs ? SessionEnd.aged : SessionEnd.idle)
}

function end(turn: Turn, credential: Credential, state: 'revoked' | 'expired' | 'ended', reason = NONE): void {
  const { number, account, scopes, expiresAtUs } = credential
  turn.state.credentials.set(number, { ...credential, state })
  turn.state.endedUntilUs.set(number, turn.nowUs + turn.profile.credentialRetentionMs * 1000)
  const about = { account, credential: number, expiresAtUs }
  if (state === 'ended') write(turn, OutcomeEvent.sessionEnded, { ...about, reason })
  else write(turn, state === 'revoked' ? OutcomeEvent.keyRevoked : OutcomeEvent.keyExpired, { ...about, scopes })
  closeAll(turn, (stream) => stream.credential === number, OutcomeCode.authorizationRevoked)
}

const requestOf = ({ value, value2, validMs, expiryDays }: GateCommand): KeyRequest =>
  ({ scopes: value, scopeCount: value2, labelLength: validMs, expiryDays })

/** Refusal of what a key is asked for with, or null. */
function checkRequest({ state, profile }: Turn, account: number, request: KeyRequest): Answer | null {
  const { scopes, scopeCount, labelLength, expiryDays } = request
  if (!isIntegerIn(labelLength, 1, profile.labelMax)) return invalid(InvalidField.label)
  const role = state.roles.get(account)
  const applicable = role === undefined ? 0 : SCOPES_OF_ROLE[role]!
  const areScopes = isIntegerIn(scopeCount, 1, profile.scopesMax) && isIntegerIn(scopes, 1, ALL_SCOPES) && (scopes & ~applicable) === 0
  if (!areScopes) return invalid(InvalidField.scopes)
  return expiryDays === NONE || isIntegerIn(expiryDays, 1, profile.keyDaysMax) ? null : invalid(InvalidField.expiryDays)
}

export function challengeKey(turn: Turn, command: GateCommand): Answer {
  const { state, profile, nowUs } = turn
  const account = unsignedZero(command.account)
  const request = requestOf(command)
  const refusal = checkRequest(turn, account, request)
  if (refusal !== null) return refusal
  const number = ++state.lastChallenge
  const untilUs = nowUs + profile.challengeMs * 1000
  state.challenges.set(number, { number, account, request, untilUs, isUsed: false })
  write(turn, OutcomeEvent.challengeMade, { account, challenge: number, expiresAtUs: untilUs })
  return { code: OutcomeCode.ok, challenge: number, expiresAtUs: untilUs }
}

/** From when on a challenge is not known any more. */
export const challengeKnownUntilUs = ({ untilUs }: Challenge, profile: OutcomeGateProfile): number => untilUs + profile.challengeMs * 1000

/** Terms of a key as its owner signs them. */
export function keyTermsOf(account: number, challenge: number, { scopes, labelLength, expiryDays }: KeyRequest): SignedTerms {
  const terms = new SignedTerms().reset(TermsKind.keyIssue, account)
  terms.challenge = challenge
  terms.value = scopes
  terms.payoutMicros = labelLength
  terms.expiryS = expiryDays
  return terms
}

export function issueKey(turn: Turn, command: GateCommand): Answer {
  const { state, profile, nowUs, digest } = turn
  const { origin, signer, termsTag } = command
  const account = unsignedZero(command.account)
  const request = requestOf(command)
  if (origin === Origin.none || origin === Origin.several) return { code: OutcomeCode.originRequired }
  if (!isIntegerIn(origin, 0, profile.allowedOrigins - 1)) return { code: OutcomeCode.forbidden }
  const refusal = checkRequest(turn, account, request)
  if (refusal !== null) return refusal
  const challenge = state.challenges.get(command.challenge)
  if (challenge === undefined || challenge.account !== account) return invalid(InvalidField.proof)
  if (challenge.isUsed || nowUs >= challenge.untilUs) return { code: OutcomeCode.stateConflict }
  const isSigned = isIntegerIn(signer, 0, Number.MAX_SAFE_INTEGER) && termsTag === digest(keyTermsOf(account, challenge.number, request))
  if (!isSigned || !isSameRequest(challenge.request, request)) return { code: OutcomeCode.invalidSignature }
  if (signer !== account) return { code: OutcomeCode.wrongAuthority }
  if (liveKeysOf(state, account).length >= profile.liveKeysMax) return { code: OutcomeCode.stateConflict }

  const { scopes, expiryDays } = request
  const number = ++state.lastCredential
  const expiresAtUs = expiryDays === NONE ? NONE : nowUs + expiryDays * DAY_US
  state.challenges.set(challenge.number, { ...challenge, isUsed: true })
  state.credentials.set(number, {
    number, account, kind: 'key', scopes, origin: NONE, expiresAtUs, lastUsedUs: NONE, state: 'active',
  })
  write(turn, OutcomeEvent.keyIssued, { account, credential: number, scopes, expiresAtUs })
  return { code: OutcomeCode.ok, credential: number, expiresAtUs }
}

const isSameRequest = (a: KeyRequest, b: KeyRequest): boolean =>
  a.scopes === b.scopes && a.scopeCount === b.scopeCount && a.labelLength === b.labelLength && a.expiryDays === b.expiryDays

export const liveKeysOf = (state: State, account: number): Credential[] =>
  [...state.credentials.values()].filter((one) => one.kind === 'key' && one.state === 'active' && one.account === account)

export function revokeKey(turn: Turn, command: GateCommand): Answer {
  if (!Number.isInteger(command.value)) return invalid(InvalidField.value)
  const key = turn.state.credentials.get(command.value)
  if (key?.kind !== 'key' || key.account !== command.account) return { code: OutcomeCode.notFound }
  if (key.state !== 'active') return { code: OutcomeCode.stateConflict }
  end(turn, key, 'revoked')
  return { code: OutcomeCode.ok }
}
