import { describe, expect, it } from 'vitest'
import { ALL_SCOPES, ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import { GateDriver, sec, T0, usd } from './gateDriver.ts'
import { CreateKey, Read, RevokeKey } from '../../../src/venue/parlay/protocol/commands.ts'

const { balancesRead, fundsDeposit, keysManage, marketsRead, mmQuote, positionsRead, tradingWrite } = ScopeBit
const portfolio = { value: 1 }

describe('keys', () => {
  it('PQ-104 an active key authenticates calls of its account', () => {
    const d = new GateDriver()
    const key = d.key(10, positionsRead)
    expect(d.rows).toEqual([
      { event: 'keyCreated', at: 0, cause: 1, account: 10, credential: 1, scopes: 4 },
      { event: 'reply', at: 0, cause: 1, account: 10, op: 'createKey', credential: 1, code: 'ok' },
    ])
    expect(d.code('read', 10, { ...portfolio, credential: key })).toBe('ok')
    expect(d.view.key(1)).toEqual({ number: 1, account: 10, scopes: 4, expiresAtUs: -1, state: 'active' })
  })

  it('PQ-105 PQ-137 a key is rejected once its account revoked it, and nothing else revokes it', () => {
    const d = new GateDriver()
    const [key, other] = [d.key(10, positionsRead), d.key(10, positionsRead)]
    expect(d.code('revokeKey', 10, { [RevokeKey.keyNumber]: key })).toBe('ok')
    expect(d.rows[0]).toEqual({ event: 'keyRevoked', at: 0, cause: 3, account: 10, credential: 1, scopes: 4 })
    expect(d.code('read', 10, { ...portfolio, credential: key })).toBe('unauthorized')
    expect(d.code('read', 10, { ...portfolio, credential: other })).toBe('ok')
    d.pulse(sec(1e8))
    expect(d.code('read', 10, { ...portfolio, credential: other })).toBe('ok')
    expect(d.view.keysOf(10).map(({ state }) => state)).toEqual(['revoked', 'active'])
  })

  it('PQ-106 PQ-138 a key is usable until one microsecond before its expiry', () => {
    const d = new GateDriver()
    const key = d.key(10, positionsRead, T0 + sec(5))
    expect(d.at(sec(5) - 1).code('read', 10, { ...portfolio, credential: key })).toBe('ok')
    expect(d.gate.nextDeadlineUs()).toBe(T0 + sec(5))
    expect(d.at(sec(5)).code('read', 10, { ...portfolio, credential: key })).toBe('unauthorized')
    expect(d.rows[0]).toEqual({ event: 'keyExpired', at: sec(5), account: 10, credential: 1, scopes: 4, expiresAtUs: sec(5) })
  })

  it('PQ-107 a key is active, revoked or expired, and revoked stays revoked at its expiry', () => {
    const d = new GateDriver()
    for (const closeUs of [-1, T0 + 1, T0 + 1]) d.key(10, marketsRead, closeUs)
    d.send('revokeKey', 10, { [RevokeKey.keyNumber]: 2 })
    expect(d.pulse(1).map((row) => [row.event, row['credential']])).toEqual([['keyExpired', 3]])
    expect(d.view.keysOf(10).map(({ state }) => state)).toEqual(['active', 'revoked', 'expired'])
    expect([2, 3].map((value) => d.code('revokeKey', 10, { value }))).toEqual(['conflict', 'conflict'])
  })

  it('PQ-267 a created key holds only scopes of the credential that makes it', () => {
    const d = new GateDriver()
    const maker = d.key(10, keysManage | mmQuote)
    const tries = [mmQuote, keysManage | mmQuote, keysManage, tradingWrite, mmQuote | tradingWrite, ALL_SCOPES]
    expect(tries.map((value) => d.code('createKey', 10, { value, credential: maker })))
      .toEqual(['ok', 'ok', 'ok', 'insufficientScope', 'insufficientScope', 'insufficientScope'])
    expect(d.view.keysOf(10).map(({ scopes }) => scopes)).toEqual([maker, 2, 3, 4].map((n) => d.view.key(n)!.scopes))
    expect(d.code('createKey', 10, { [CreateKey.scopes]: ALL_SCOPES })).toBe('ok')
  })

  it("PQ-137 a key outlives the end of the key that made it", () => {
    const d = new GateDriver()
    const parent = d.key(10, keysManage | positionsRead)
    const child = d.send('createKey', 10, { [CreateKey.scopes]: positionsRead, credential: parent })!['credential'] as number
    d.send('revokeKey', 10, { [RevokeKey.keyNumber]: parent, credential: parent })
    expect(d.code('read', 10, { ...portfolio, credential: child })).toBe('ok')
    expect(d.code('createKey', 10, { [CreateKey.scopes]: positionsRead, credential: parent })).toBe('unauthorized')
  })

  it('PQ-264 the JWT or a key with keys:manage makes a key', () => {
    const d = new GateDriver()
    const [without, holds] = [d.key(10, ALL_SCOPES & ~keysManage), d.key(10, keysManage)]
    expect(d.code('createKey', 10, { [CreateKey.scopes]: marketsRead, credential: without })).toBe('insufficientScope')
    expect(d.code('createKey', 10, { [CreateKey.scopes]: keysManage, credential: holds })).toBe('ok')
    expect(d.code('createKey', 10, { [CreateKey.scopes]: marketsRead, credential: -1 })).toBe('unauthorized')
  })

  it.each([
    ['no scope', { value: 0 }], ['more scopes than there are', { value: 2048 }], ['a fraction', { value: 1.5 }], ['NaN', { value: NaN }],
    ['an expiry now', { value: 1, closeUs: T0 }], ['an expiry of a fraction', { value: 1, closeUs: T0 + 1.5 }],
    ['an infinite expiry', { value: 1, closeUs: Infinity }], ['an expiry that is no safe integer', { value: 1, closeUs: 2 ** 53 }],
  ])('refuses a key with %s', (_, fields) => {
    expect(new GateDriver().code('createKey', 10, fields)).toBe('invalid')
  })

  it.each([
    ['one scope', { value: 1 }], ['all scopes', { value: 2047 }], ['an expiry in a microsecond', { value: 1, closeUs: T0 + 1 }],
    ['an expiry after all time', { value: 1, closeUs: 2 ** 53 - 1 }],
  ])('takes a key with %s', (_, fields) => {
    expect(new GateDriver().code('createKey', 10, fields)).toBe('ok')
  })

  it.each([['unknown', 99, 'notFound'], ["another account's", 1, 'notFound'], ['a fraction', 1.5, 'invalid'], ['zero', 0, 'notFound']])(
    'does not revoke a key that is %s', (_, value, code) => {
      const d = new GateDriver()
      d.key(11, marketsRead)
      expect(d.code('revokeKey', 10, { [RevokeKey.keyNumber]: value as number })).toBe(code)
      expect(d.view.key(1)!.state).toBe('active')
    })
})

describe('credentials', () => {
  it('PQ-271 a credential of another type gets wrong_api_key_type', () => {
    const d = new GateDriver()
    expect(d.code('deposit', 10, { amountMicros: usd(1), credential: -2 })).toBe('wrongApiKeyType')
    expect(d.code('openStream', 10, { credential: -2 })).toBe('wrongApiKeyType')
    expect(d.gate.view.balance(10).freeMicros).toBe(0)
  })

  it.each([['none', -1], ['unknown', 2], ["another account's", 1], ['a fraction', 0.5], ['NaN', NaN], ['below all', -3]])(
    'PQ-272 a credential that is %s gets 401', (_, credential) => {
      const d = new GateDriver()
      d.key(11, ALL_SCOPES)
      expect(d.code('deposit', 10, { amountMicros: usd(1), credential })).toBe('unauthorized')
      expect(d.rows).toHaveLength(1)
    })

  it.each([-1, 1.5, NaN, 2 ** 31 - 1])('an account %s has no JWT', (account) => {
    expect(new GateDriver().code('deposit', account, { amountMicros: usd(1) })).toBe('unauthorized')
  })

  it('PQ-273 a valid key without the scope gets insufficient_scope', () => {
    const d = new GateDriver()
    const [without, holds] = [d.key(10, ALL_SCOPES & ~fundsDeposit), d.key(10, fundsDeposit)]
    expect(d.code('deposit', 10, { amountMicros: usd(1), credential: without })).toBe('insufficientScope')
    expect(d.code('deposit', 10, { amountMicros: usd(1), credential: holds })).toBe('ok')
    expect(d.gate.view.balance(10).freeMicros).toBe(usd(1))
  })

  it('operator commands meet no check, and an unknown opcode is the venue\'s to refuse', () => {
    const d = new GateDriver()
    expect(d.code('listMarket', 0, { market: 1, closeUs: T0 + 1, credential: -2, source: NaN })).toBe('ok')
    expect(d.view.lastLimit()).toBeNull()
    expect([19, 29, 59, 69, NaN].map((op) => d.code(op, 10))).toEqual(['invalid', 'invalid', 'invalid', 'invalid', 'invalid'])
  })

  it('a route that does not exist is invalid before its scope, and after the credential', () => {
    const d = new GateDriver()
    const key = d.key(10, balancesRead)
    expect([10, -1, 1.5, NaN].map((value) => d.code('read', 10, { value, credential: key }))).toEqual(Array(4).fill('invalid'))
    expect(d.code('read', 10, { [Read.route]: 10, credential: -1 })).toBe('unauthorized')
  })
})

it('an opcode that the gate does not know is its own to refuse, and account −0 is account 0 in every row of it', () => {
  const d = new GateDriver()
  for (const op of [60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 99]) {
    d.send(op, -0, { value: 1, value2: 7 })
    expect([op, d.rows.filter((row) => !Object.is(row['account'], 0))]).toEqual([op, []])
  }
  expect(d.names()).toEqual(['reply invalid'])
})

describe('streams', () => {
  it('PQ-208 a maker is live exactly while it holds its stream open', () => {
    const d = new GateDriver()
    expect(d.view.isLive(20)).toBe(false)
    d.send('openStream', 20)
    expect(d.names()).toEqual(['streamOpened', 'reply ok'])
    d.send('openStream', 20)
    expect(d.names()).toEqual(['reply ok'])
    expect([d.view.isLive(20), d.view.isLive(21)]).toEqual([true, false])
    d.send('closeStream', 20)
    expect(d.names()).toEqual(['streamClosed', 'reply ok'])
    d.send('closeStream', 20)
    expect(d.names()).toEqual(['reply ok'])
    expect(d.view.isLive(20)).toBe(false)
    d.send('openStream', 20)
    expect(d.names()).toEqual(['streamOpened', 'reply ok'])
  })

  it('PQ-460 no heartbeat keeps a maker live, and no silence ends it', () => {
    const d = new GateDriver()
    d.send('openStream', 20)
    d.pulse(sec(1e8))
    expect(d.view.isLive(20)).toBe(true)
    d.send('closeStream', 20)
    d.send('read', 20, { [Read.route]: 4 })
    expect(d.view.isLive(20)).toBe(false)
  })

  it('PQ-208 a stream ends with its connection, whatever the key and the limits of its account', () => {
    const d = new GateDriver({ authenticatedLimit: 3, unauthenticatedLimit: 1 })
    const key = d.key(20, mmQuote)
    d.send('openStream', 20, { credential: key })
    d.send('revokeKey', 20, { [RevokeKey.keyNumber]: key })
    expect(d.code('read', 20, { [Read.route]: 4 })).toBe('rateLimited')
    expect([d.view.isLive(20), d.view.lastLimit()!.retryAfterS]).toEqual([true, 60])
    expect(d.code('closeStream', 20, { credential: key })).toBe('ok')
    expect(d.names()).toEqual(['streamClosed', 'reply ok'])
    expect([d.view.isLive(20), d.view.lastLimit()]).toEqual([false, null])
    for (const credential of [-1, -2, 99]) expect(d.code('closeStream', 20, { credential })).toBe('ok')
  })

  it('PQ-208 the end of a key does not close the stream that it opened', () => {
    const d = new GateDriver()
    const key = d.key(20, mmQuote, T0 + sec(5))
    d.send('openStream', 20, { credential: key })
    d.pulse(sec(9))
    expect([d.view.key(key)!.state, d.view.isLive(20)]).toEqual(['expired', true])
  })

  it.each([-1, 0.5, NaN, 2 ** 31 - 1])('nothing is open to an account %d', (account) => {
    const d = new GateDriver()
    expect(d.code('closeStream', account)).toBe('ok')
    expect(d.rows).toHaveLength(1)
  })

  it('account −0 is account 0', () => {
    const [zero, minusZero] = [0, -0].map((account) => {
      const d = new GateDriver().endpoint(account, account, 1, account)
      d.send('openStream', account)
      return d
    }) as [GateDriver, GateDriver]
    expect(minusZero.rows).toStrictEqual(zero.rows)
    expect(minusZero.gate.stateHash()).toBe(zero.gate.stateHash())
  })

  it('PQ-012 a maker operation needs mm:quote', () => {
    const d = new GateDriver()
    const [without, holds] = [d.key(20, ALL_SCOPES & ~mmQuote), d.key(20, mmQuote)]
    expect(d.code('openStream', 20, { credential: without })).toBe('insufficientScope')
    expect(d.view.isLive(20)).toBe(false)
    expect(d.code('openStream', 20, { credential: holds })).toBe('ok')
  })
})
