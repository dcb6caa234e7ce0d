import { describe, expect, it } from 'vitest'
import { ALL_SCOPES, ScopeBit, SCOPES_OF_ROLE } from '../../../src/venue/outcome/protocol/access.ts'
import { InvalidField } from '../../../src/venue/outcome/protocol/codes.ts'
import { credentialOf, keyText } from '../../../src/venue/outcome/wire/keyText.ts'
import { WireIdentity as ParlayIdentity } from '../../../src/venue/parlay/wire/identity.ts'
import { DAY, type Fields, GateDriver, type KeyRequest, MAKER, MINUTE, type OpName, OTHER, RIVAL, sec, T0, TAKER, UNBOUND } from './gateDriver.ts'
import { identity } from './wire/rows.ts'
import { Read, RevokeKey } from '../../../src/venue/outcome/protocol/commands.ts'

const { accountRead, accountStream, capitalRead, capitalWrite, fundsWithdraw, quoteAccept, quoteWrite, rfqRead, rfqWrite } = ScopeBit
const BALANCES = { value: 4 }
const REQUEST: KeyRequest = { validMs: 5, value: rfqRead, value2: 1, expiryDays: -1 }

/** Code of a read with a session from its origin, or from another. */
const readWith = (d: GateDriver, credential: number, origin = 0) => d.code('read', TAKER, { ...BALANCES, credential, origin })

describe('wallet sessions', () => {
  it('OM-097 a sign-in starts a session of the account', () => {
    const d = new GateDriver()
    expect(d.send('signIn', TAKER, { origin: 3, credential: -1 })).toEqual(
      { event: 'reply', at: 0, cause: 1, account: TAKER, op: 'signIn', code: 'ok', credential: 1, expiresAtUs: 30 * DAY })
    expect(d.rows[0]).toEqual({ event: 'sessionStarted', at: 0, cause: 1, account: TAKER, credential: 1, expiresAtUs: 30 * DAY })
    expect(d.view.credential(1)).toEqual({
      number: 1, account: TAKER, kind: 'session', scopes: ALL_SCOPES, origin: 3, expiresAtUs: T0 + 30 * DAY, lastUsedUs: T0, state: 'active',
    })
    expect(d.venue.effects).toBe(0)
  })

  it('OM-136 a session acts for its own account alone, without any scope limit', () => {
    const d = new GateDriver()
    const session = d.session(TAKER)
    const calls: readonly [op: Parameters<GateDriver['code']>[0], fields?: Fields][] =
      [['withdraw'], ['createRfq'], ['acceptQuote', { quote: 0 }], ['read', BALANCES], ['openStream'], ['challengeKey', REQUEST]]
    for (const [op, fields] of calls) expect([op, d.code(op, TAKER, { ...fields, credential: session, origin: 0 })]).toEqual([op, 'ok'])
    expect(d.code('read', OTHER, { ...BALANCES, credential: session, origin: 0 })).toBe('unauthenticated')
  })

  it.each([[-1, 'originRequired'], [-2, 'originRequired'], [-3, 'originRequired'], [0.5, 'originRequired'], [NaN, 'originRequired'], [0, 'ok'], [7, 'ok'], [99, 'ok']])(
    'OM-137 a sign-in from origin %s is %s', (origin, code) => {
      expect(new GateDriver().code('signIn', TAKER, { origin })).toBe(code)
    })

  it.each([[-1, 'originRequired'], [-2, 'originRequired'], [2, 'unauthenticated'], [NaN, 'unauthenticated'], [3, 'ok']])(
    'OM-137 a call from origin %s with a session of origin 3 is %s', (origin, code) => {
      const d = new GateDriver()
      expect(readWith(d, d.session(TAKER, 3), origin)).toBe(code)
    })

  it('OM-192 an account that is not bound cannot sign in', () => {
    const d = new GateDriver()
    expect(d.code('signIn', UNBOUND, { origin: 0 })).toBe('identityNotFound')
    expect(d.view.credential(1)).toBeNull()
  })

  it('OM-138 a session ends at 30 days to the microsecond, however active it was', () => {
    const d = new GateDriver()
    const session = d.session(TAKER)
    for (let day = 6; day < 30; day += 6) expect(readWith(d.at(day * DAY), session)).toBe('ok')
    expect(readWith(d.at(30 * DAY - 1), session)).toBe('ok')
    expect(d.rows).toHaveLength(1)
    expect(readWith(d.at(30 * DAY), session)).toBe('unauthenticated')
    expect(d.rows[0]).toEqual({ event: 'sessionEnded', at: 30 * DAY, account: TAKER, credential: session, reason: 2, expiresAtUs: 30 * DAY })
    expect(d.view.credential(session)!.state).toBe('ended')
  })

  it('OM-139 a session ends 7 days after its start when it was never used', () => {
    const d = new GateDriver()
    const session = d.session(TAKER)
    expect(d.pulse(7 * DAY - 1)).toEqual([])
    expect(d.view.credential(session)!.state).toBe('active')
    expect(d.pulse(7 * DAY)).toEqual([{ event: 'sessionEnded', at: 7 * DAY, account: TAKER, credential: session, reason: 1, expiresAtUs: 30 * DAY }])
    expect(readWith(d, session)).toBe('unauthenticated')
  })

  it('OM-139 every use of a session begins its 7 days anew, a refused one does not', () => {
    const d = new GateDriver()
    const session = d.session(TAKER)
    const lastUse = 7 * DAY - 1
    expect(readWith(d.at(lastUse), session)).toBe('ok')
    expect(d.view.credential(session)!.lastUsedUs).toBe(T0 + lastUse)
    expect(readWith(d.at(lastUse + DAY), session, 5)).toBe('unauthenticated')
    expect(readWith(d, session, -1)).toBe('originRequired')
    expect(d.pulse(lastUse + 7 * DAY - 1)).toEqual([])
    expect(d.pulse(lastUse + 7 * DAY).map((row) => [row.event, row['reason']])).toEqual([['sessionEnded', 1]])
  })

  it('OM-138 OM-139 a session whose two ends are one instant ends of its age', () => {
    const d = new GateDriver({ sessionIdleMs: 1_000, sessionAgeMs: 1_500 })
    const session = d.session(TAKER)
    expect(readWith(d.at(sec(0.5)), session)).toBe('ok')
    expect(d.pulse(sec(2)).map((row) => [row.at, row['reason']])).toEqual([[sec(1.5), 2]])
  })

  it('OM-140 OM-098 a session is refused after its sign-out', () => {
    const d = new GateDriver()
    const [session, other] = [d.session(TAKER), d.session(TAKER)]
    expect(d.code('signOut', TAKER, { credential: session, origin: 0 })).toBe('ok')
    expect(d.rows[0]).toEqual({ event: 'sessionEnded', at: 0, cause: 3, account: TAKER, credential: session, reason: 0, expiresAtUs: 30 * DAY })
    expect([session, other].map((credential) => readWith(d, credential))).toEqual(['unauthenticated', 'ok'])
    expect(d.code('signOut', TAKER, { credential: session, origin: 0 })).toBe('unauthenticated')
    d.pulse(31 * DAY)
    expect(d.of('sessionEnded').map((row) => row['credential'])).toEqual([other])
  })

  it('OM-098 only a session signs out', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, accountRead)
    expect([0, key, -1].map((credential) => d.code('signOut', TAKER, { credential }))).toEqual(Array(3).fill('unauthenticated'))
  })

  it('OM-015 OM-098 OM-189 nobody signs another account\'s session out', () => {
    const d = new GateDriver()
    const [session, key] = [d.session(TAKER), d.issue(TAKER, accountRead)]
    for (const credential of [session, key]) {
      expect(d.code('signOut', OTHER, { credential, origin: 0 })).toBe('unauthenticated')
      expect(d.rows).toHaveLength(1)
    }
    expect([session, key].map((credential) => d.view.credential(credential)!.state)).toEqual(['active', 'active'])
    expect(readWith(d, session)).toBe('ok')
  })
})

describe('credentials', () => {
  it('OM-134 OM-189 a credential that is missing, unknown, another\'s, ended or no number gets 401', () => {
    const d = new GateDriver()
    const [mine, others] = [d.issue(TAKER, accountRead), d.issue(OTHER, accountRead)]
    const revoked = d.issue(TAKER, accountRead)
    d.send('revokeKey', TAKER, { [RevokeKey.keyNumber]: revoked })
    const expired = d.issue(TAKER, accountRead, 1)
    d.at(DAY)
    expect([mine, 0].map((credential) => readWith(d, credential))).toEqual(['ok', 'ok'])
    for (const credential of [-1, -2, -3, 99, others, revoked, expired, 0.5, NaN, Infinity]) {
      expect([credential, readWith(d, credential)]).toEqual([credential, 'unauthenticated'])
    }
  })

  it('OM-004 a key of the parlay service gets in nowhere, also where a key here has its number', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, accountRead)
    const given = { keyOfId: (id: string) => (id === identity.apiKey(key) ? key : undefined), sessionOfToken: () => undefined }
    const codeOf = (text: string) => readWith(d, credentialOf(identity, `Bearer ${text}`, given))
    expect(codeOf(keyText(identity, key))).toBe('ok')
    expect(codeOf(new ParlayIdentity('session 7').apiKey(key))).toBe('unauthenticated')
  })

  it('OM-015 a key acts for exactly one account', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, ALL_SCOPES & SCOPES_OF_ROLE[0]!)
    expect([TAKER, OTHER].map((account) => d.code('createRfq', account, { credential: key }))).toEqual(['ok', 'unauthenticated'])
    expect(d.venue.effects).toBe(1)
  })

  /** Every call that needs a credential; the rest are public, the client's going away, and the chain's. */
  const CALLS: readonly OpName[] = [
    'withdraw', 'reduceCollateral', 'createRfq', 'cancelRfq', 'openCashout', 'acceptQuote', 'submitQuote', 'cancelQuote', 'confirmQuote', 'declineQuote',
    'signOut', 'challengeKey', 'issueKey', 'revokeKey', 'openStream', 'read',
  ]

  it.each(CALLS)('OM-015 OM-136 OM-189 %s with another account\'s session or key is unauthenticated', (op) => {
    for (const [owner, caller] of [[MAKER, RIVAL], [RIVAL, MAKER]] as const) {
      const d = new GateDriver()
      const credentials = [d.session(owner), d.issue(owner, SCOPES_OF_ROLE[1]!), d.issue(caller, SCOPES_OF_ROLE[1]!)]
      const codes = credentials.map((credential) => d.code(op, caller, { ...(op === 'read' ? BALANCES : {}), credential, origin: 0 }))
      expect(codes.slice(0, 2)).toEqual(['unauthenticated', 'unauthenticated'])
      const isForOwner = ['signOut', 'challengeKey', 'issueKey', 'revokeKey'].includes(op)
      expect(codes[2] === 'unauthenticated').toBe(isForOwner)
      expect([d.venue.effects, d.view.streamsOf(owner)]).toEqual([isForOwner || op === 'openStream' || op === 'read' ? 0 : codes[2] === 'ok' ? 1 : 0, []])
    }
  })

  it.each([-1, 1.5, NaN, 16_777_216])('OM-184 a call of account %s is malformed before all else', (account) => {
    const d = new GateDriver()
    expect(d.send('openStream', account, { version: 0, credential: -1 })).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.account })
    expect(d.view.lastLimit()).toBeNull()
  })

  it('OM-184 accounts 0 and 16777215 are accounts', () => {
    const d = new GateDriver()
    expect([0, 16_777_215].map((account) => d.code('read', account, BALANCES))).toEqual(['ok', 'ok'])
    expect(d.send('read', -0, BALANCES)!['account']).toBe(0)
  })

  it('operator commands and transactions on the chain meet no check of a call', () => {
    const d = new GateDriver()
    expect(d.code('listOutcome', -1, { credential: -2, origin: -2 })).toBe('ok')
    expect(['deposit', 'setSigner'].map((op) => d.code(op as 'deposit', TAKER, { credential: -1 }))).toEqual(['ok', 'ok'])
    expect(d.venue.effects).toBe(3)
  })

  it('an opcode that does not exist needs a credential and is the venue\'s to refuse', () => {
    const d = new GateDriver()
    expect([29, 59, 70, NaN].map((op) => d.send(op, TAKER)!['invalidField'])).toEqual(Array(4).fill(InvalidField.op))
    expect(d.code(29, TAKER, { credential: -1 })).toBe('unauthenticated')
    expect(d.code(29, TAKER, { credential: d.issue(TAKER, accountRead) })).toBe('invalidRequest')
  })
})

describe('issuing keys', () => {
  it('OM-099 OM-119 a signed challenge becomes a key', () => {
    const d = new GateDriver()
    const request = { validMs: 5, value: rfqRead | rfqWrite, value2: 2, expiryDays: 90 }
    expect(d.send('challengeKey', TAKER, request)).toEqual(
      { event: 'reply', at: 0, cause: 1, account: TAKER, op: 'challengeKey', code: 'ok', challenge: 1, expiresAtUs: 5 * MINUTE })
    expect(d.rows[0]).toEqual({ event: 'challengeMade', at: 0, cause: 1, account: TAKER, challenge: 1, expiresAtUs: 5 * MINUTE })
    expect(d.send('issueKey', TAKER, d.signed(TAKER, 1, request))).toEqual(
      { event: 'reply', at: 0, cause: 2, account: TAKER, op: 'issueKey', code: 'ok', credential: 1, expiresAtUs: 90 * DAY })
    expect(d.rows[0]).toEqual({ event: 'keyIssued', at: 0, cause: 2, account: TAKER, credential: 1, scopes: 24, expiresAtUs: 90 * DAY })
    expect(d.view.credential(1)).toEqual({
      number: 1, account: TAKER, kind: 'key', scopes: 24, origin: -1, expiresAtUs: T0 + 90 * DAY, lastUsedUs: -1, state: 'active',
    })
  })

  const challenge = (change: KeyRequest) => new GateDriver().send('challengeKey', TAKER, { ...REQUEST, ...change })!
  const issue = (change: KeyRequest) => {
    const d = new GateDriver()
    d.send('challengeKey', TAKER, REQUEST)
    return d.send('issueKey', TAKER, d.signed(TAKER, 1, { ...REQUEST, ...change }))!
  }

  it.each<[string, keyof KeyRequest, number, number, number]>([
    ['OM-113 OM-130 a label of', 'validMs', 1, 80, InvalidField.label],
    ['OM-114 OM-130 a count of scopes of', 'value2', 1, 32, InvalidField.scopes],
    ['OM-116 OM-130 a life in days of', 'expiryDays', 1, 90, InvalidField.expiryDays],
  ])('%s %s is from %i to %i', (_, field, min, max, invalidField) => {
    for (const value of [min, max]) expect(challenge({ [field]: value }).code).toBe('ok')
    for (const value of [min - 1, max + 1, min + 0.5, NaN]) {
      expect(challenge({ [field]: value })).toMatchObject({ code: 'invalidRequest', invalidField })
      expect(issue({ [field]: value })).toMatchObject({ code: 'invalidRequest', invalidField })
    }
  })

  it('OM-113 OM-114 OM-116 the fields are looked at in their order', () => {
    expect(challenge({ validMs: 0, value2: 0, expiryDays: 0 })['invalidField']).toBe(InvalidField.label)
    expect(challenge({ value2: 0, expiryDays: 0 })['invalidField']).toBe(InvalidField.scopes)
  })

  it('OM-117 a key without expiry never expires', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, accountRead)
    d.pulse(3_650 * DAY)
    expect(readWith(d, key)).toBe('ok')
    expect(d.rows).toHaveLength(1)
  })

  it.each([
    ['OM-120 account:read', accountRead], ['OM-121 account:stream', accountStream], ['OM-122 quote:accept', quoteAccept],
    ['OM-123 rfq:read', rfqRead], ['OM-124 rfq:write', rfqWrite],
  ])('%s is accepted in a request for a key', (_, value) => {
    expect(challenge({ value }).code).toBe('ok')
    expect(new GateDriver().issue(MAKER, value)).toBe(1)
  })

  it('OM-115 OM-125 a scope that does not apply to the account\'s role is rejected, the form of the request is the same', () => {
    const code = (account: number, value: number) => new GateDriver().code('challengeKey', account, { ...REQUEST, value })
    for (const value of [quoteWrite, capitalRead, capitalWrite]) {
      expect([TAKER, MAKER].map((account) => code(account, value))).toEqual(['invalidRequest', 'ok'])
      expect(code(TAKER, accountRead | value)).toBe('invalidRequest')
    }
    expect([TAKER, MAKER, UNBOUND].map((account) => code(account, fundsWithdraw))).toEqual(['ok', 'invalidRequest', 'invalidRequest'])
    expect([SCOPES_OF_ROLE[0]!, SCOPES_OF_ROLE[1]!].map((mask, role) => code(role === 0 ? TAKER : MAKER, mask))).toEqual(['ok', 'ok'])
    expect([0, 512, 1.5, NaN, -1].map((value) => code(TAKER, value))).toEqual(Array(5).fill('invalidRequest'))
    expect(code(UNBOUND, accountRead)).toBe('invalidRequest')
  })

  it.each<[string, KeyRequest]>([
    ['label', { validMs: 6 }], ['scope', { value: rfqWrite }], ['count of scopes', { value2: 2 }], ['lifetime', { expiryDays: 1 }],
  ])('OM-119 a proof fails for another %s, also when that is signed', (_, change) => {
    expect(issue(change).code).toBe('invalidSignature')
  })

  it('OM-119 a proof is the owner\'s over precisely this request', () => {
    const d = new GateDriver()
    d.send('challengeKey', TAKER, REQUEST)
    const signed = d.signed(TAKER, 1, REQUEST)
    const code = (change: Fields) => d.code('issueKey', TAKER, { ...signed, ...change })
    expect(code({ signer: -1 })).toBe('invalidSignature')
    expect(code({ signer: 0.5 })).toBe('invalidSignature')
    expect(code({ termsTag: signed.termsTag! + 1 })).toBe('invalidSignature')
    expect(code({ signer: OTHER })).toBe('wrongAuthority')
    expect(code({})).toBe('ok')
  })

  it('OM-119 account 0 signs as 0', () => {
    expect(new GateDriver().issue(0, accountRead)).toBe(1)
  })

  it.each([true, false])('OM-142 a challenge is forgotten 5 minutes after its end to the microsecond; it was used: %s', (isUsed) => {
    for (const [at, answer] of [[10 * MINUTE - 1, { code: 'stateConflict' }], [10 * MINUTE, { code: 'invalidRequest', invalidField: InvalidField.proof }]] as const) {
      const d = new GateDriver()
      d.send('challengeKey', TAKER, REQUEST)
      if (isUsed) expect(d.code('issueKey', TAKER, d.signed(TAKER, 1, REQUEST))).toBe('ok')
      expect(d.at(at).send('issueKey', TAKER, d.signed(TAKER, 1, REQUEST))).toMatchObject(answer)
      expect(d.rows).toHaveLength(1)
    }
  })

  it('OM-142 what is known of challenges is bounded by their time, and their numbers never come again', () => {
    const d = new GateDriver({ challengeMs: 1 })
    for (let i = 0; i < 2_000; i++) expect(d.at(i * 100).send('challengeKey', TAKER, REQUEST)!['challenge']).toBe(i + 1)
    const { gate } = d.gate.snapshot() as { gate: { challenges: { untilUs: Float64Array } } }
    expect(gate.challenges.untilUs.length).toBeLessThanOrEqual(21)
  })

  it('OM-058 a key that has ended is known for 30 days to the microsecond, then as if it had never been; a session too', () => {
    const d = new GateDriver({ heartbeatMs: 86_400_000 })
    const [key, session] = [d.issue(TAKER, accountRead), d.session(TAKER)]
    d.send('revokeKey', TAKER, { [RevokeKey.keyNumber]: key })
    d.send('signOut', TAKER, { credential: session, origin: 0 })
    d.at(30 * DAY - 1)
    expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: key })).toBe('stateConflict')
    expect([key, session].map((number) => d.view.credential(number)?.state)).toEqual(['revoked', 'ended'])
    d.at(30 * DAY)
    expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: key })).toBe('notFound')
    expect([key, session].map((number) => d.view.credential(number))).toEqual([null, null])
    expect(readWith(d, key)).toBe('unauthenticated')
    expect([d.issue(TAKER, accountRead), d.issue(TAKER, accountRead)]).toEqual([3, 4])
    expect(d.view.liveKeysOf(TAKER)).toEqual([3, 4])
  })

  it('OM-058 what is known of sessions is bounded by their time, and their numbers never come again', () => {
    const d = new GateDriver({ sessionIdleMs: 1, credentialRetentionMs: 1 })
    const key = d.issue(TAKER, accountRead)
    for (let i = 0; i < 2_000; i++) expect(d.at(i * 100).session(TAKER)).toBe(key + 1 + i)
    const { gate } = d.gate.snapshot() as { gate: { credentials: { number: Float64Array } } }
    expect(gate.credentials.number.length).toBeLessThanOrEqual(22)
    expect(readWith(d, key)).toBe('ok')
    expect(d.view.liveKeysOf(TAKER)).toEqual([key])
  })

  it('OM-142 a challenge is usable for 5 minutes to the microsecond', () => {
    for (const [at, code] of [[5 * MINUTE - 1, 'ok'], [5 * MINUTE, 'stateConflict']] as const) {
      const d = new GateDriver()
      d.send('challengeKey', TAKER, REQUEST)
      expect(d.at(at).code('issueKey', TAKER, d.signed(TAKER, 1, REQUEST))).toBe(code)
    }
  })

  it('OM-143 a challenge is used once, and only by a key that was issued', () => {
    const d = new GateDriver()
    d.send('challengeKey', TAKER, REQUEST)
    const signed = d.signed(TAKER, 1, REQUEST)
    expect(d.code('issueKey', TAKER, { ...signed, signer: OTHER })).toBe('wrongAuthority')
    expect([1, 2].map(() => d.code('issueKey', TAKER, signed))).toEqual(['ok', 'stateConflict'])
    expect(d.view.liveKeysOf(TAKER)).toEqual([1])
  })

  it.each([['unknown', 2], ['none', -1], ['a fraction', 1.5], ['another account\'s', 1]])(
    'OM-119 OM-130 a challenge that is %s is a malformed proof', (_, number) => {
      const d = new GateDriver()
      d.send('challengeKey', OTHER, REQUEST)
      expect(d.send('issueKey', TAKER, d.signed(TAKER, number, REQUEST))).toMatchObject({ code: 'invalidRequest', invalidField: InvalidField.proof })
    })

  it('OM-141 OM-144 the 20th live key is issued, the 21st refused; ended ones and sessions do not count', () => {
    const d = new GateDriver()
    const short = d.issue(TAKER, accountRead, 1)
    for (let i = 0; i < 18; i++) d.issue(TAKER, accountRead)
    for (let i = 0; i < 3; i++) d.session(TAKER)
    d.issue(OTHER, accountRead)
    const issued = () => {
      const challenge = d.send('challengeKey', TAKER, REQUEST)!['challenge'] as number
      return d.code('issueKey', TAKER, d.signed(TAKER, challenge, REQUEST))
    }
    expect([issued(), issued()]).toEqual(['ok', 'stateConflict'])
    d.send('revokeKey', TAKER, { [RevokeKey.keyNumber]: 2 })
    expect([issued(), issued()]).toEqual(['ok', 'stateConflict'])
    expect(d.view.liveKeysOf(TAKER)).toHaveLength(20)
    d.at(DAY)
    expect([issued(), issued()]).toEqual(['ok', 'stateConflict'])
    expect(d.view.credential(short)!.state).toBe('expired')
  })

  it('OM-126 OM-128 OM-294 a session or the app\'s sign-in issues, lists and revokes keys, an API key does not', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, SCOPES_OF_ROLE[0]!)
    for (const [credential, code] of [[d.session(TAKER), 'ok'], [0, 'ok'], [key, 'unauthenticated'], [-1, 'unauthenticated']] as const) {
      const number = d.send('challengeKey', TAKER, REQUEST)!['challenge'] as number
      expect(d.code('challengeKey', TAKER, { ...REQUEST, credential, origin: 0 })).toBe(code)
      expect(d.code('issueKey', TAKER, { ...d.signed(TAKER, number, REQUEST), credential })).toBe(code)
      expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: 99, credential, origin: 0 })).toBe(code === 'ok' ? 'notFound' : code)
      expect(d.code('read', TAKER, { [Read.route]: 16, credential, origin: 0 })).toBe(code)
    }
  })

  it.each([[-1, 'originRequired'], [-2, 'originRequired'], [0, 'ok'], [7, 'ok'], [8, 'forbidden'], [-3, 'forbidden'], [0.5, 'forbidden']])(
    'OM-127 OM-129 a key is issued to exactly one allowed origin: %s is %s', (origin, code) => {
      const d = new GateDriver()
      d.send('challengeKey', TAKER, REQUEST)
      expect(d.code('issueKey', TAKER, { ...d.signed(TAKER, 1, REQUEST), origin })).toBe(code)
    })

  it('OM-129 a session from another origin than its own is unauthenticated at key issue', () => {
    const d = new GateDriver()
    const session = d.session(TAKER, 3)
    d.send('challengeKey', TAKER, REQUEST)
    const code = (origin: number) => d.code('issueKey', TAKER, { ...d.signed(TAKER, 1, REQUEST), credential: session, origin })
    expect([-1, -2, 0, 3].map(code)).toEqual(['originRequired', 'originRequired', 'unauthenticated', 'ok'])
  })
})

describe('the life of a key', () => {
  it('OM-058 a key is active, revoked or expired, and revoked stays revoked', () => {
    const d = new GateDriver()
    for (let i = 0; i < 3; i++) d.issue(TAKER, rfqRead, i === 0 ? -1 : 1)
    expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: 2 })).toBe('ok')
    expect(d.rows[0]).toEqual({ event: 'keyRevoked', at: 0, cause: 7, account: TAKER, credential: 2, scopes: rfqRead, expiresAtUs: DAY })
    expect(d.pulse(DAY - 1)).toEqual([])
    expect(d.pulse(DAY)).toEqual([{ event: 'keyExpired', at: DAY, account: TAKER, credential: 3, scopes: rfqRead, expiresAtUs: DAY }])
    expect([1, 2, 3].map((number) => d.view.credential(number)!.state)).toEqual(['active', 'revoked', 'expired'])
    expect([2, 3].map((value) => d.code('revokeKey', TAKER, { value }))).toEqual(['stateConflict', 'stateConflict'])
  })

  it('OM-116 a key of 90 days works until one microsecond before their end', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, accountRead, 90)
    expect([90 * DAY - 1, 90 * DAY].map((at) => readWith(d.at(at), key))).toEqual(['ok', 'unauthenticated'])
  })

  it.each([['unknown', 99, 'notFound'], ["another account's", 1, 'notFound'], ['a session', 2, 'notFound'], ['a fraction', 1.5, 'invalidRequest'], ['zero', 0, 'notFound']])(
    'OM-191 does not revoke what is %s', (_, value, code) => {
      const d = new GateDriver()
      d.issue(OTHER, accountRead)
      d.session(TAKER)
      expect(d.code('revokeKey', TAKER, { [RevokeKey.keyNumber]: value as number })).toBe(code)
      expect([1, 2].map((number) => d.view.credential(number)!.state)).toEqual(['active', 'active'])
    })

  it('the last use of a key is known', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, accountRead)
    expect(d.view.credential(key)!.lastUsedUs).toBe(-1)
    d.at(5).send('createRfq', TAKER, { credential: key })
    expect(d.view.credential(key)!.lastUsedUs).toBe(T0 + 5)
  })
})
