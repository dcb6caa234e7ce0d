import { hashMessage, type Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { OperatorInput } from '../../../../src/engine/config.ts'
import { ClientKeyBook } from '../../../../src/serve/outcome/clientKeys.ts'
import { GateFault } from '../../../../src/venue/outcome/protocol/access.ts'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import { sign } from '../../../../src/venue/outcome/wire/signing.ts'
import { LEGS, newKey, OutcomeBench, PAGE, SECOND, START_S, type Who } from './bench.ts'
import { keyBody, session } from './wallets.ts'

const code = ({ status, body }: { status: number; body: { error: { code: string; retry: string } } }) => [status, body.error.code, body.error.retry]

/** A fault of the gate in the first seconds of the session. */
const withFault = (fault: number, seconds: number) => (inputs: readonly OperatorInput[]): readonly OperatorInput[] => {
  const at = (atS: number, value2: number) => ({ atUs: atS * SECOND, op: OutcomeOp.setFault, market: -1, service: 'outcome' as const, value: fault, value2 })
  return [...inputs, at(START_S, 1), at(START_S + seconds, 0)].toSorted((x, y) => x.atUs - y.atUs)
}

describe('Idempotency-Keys', () => {
  const create = (b: OutcomeBench, key: string | undefined, stake = '25000000') =>
    b.call('POST', '/v1/rfqs', { as: 'taker', ...(key !== undefined && { key }), body: { stake, legs: LEGS } })

  it('OM-109 OM-110 the same call again has the first answer, whatever has changed since', () => {
    const b = new OutcomeBench()
    const key = newKey()
    const first = create(b, key)
    b.call('POST', `/v1/rfqs/${first.body.rfq_id}/cancel`, { as: 'taker', key: newKey() })
    const again = create(b, key)
    expect([again.status, again.body, again.headers['Idempotency-Replayed'], first.headers['Idempotency-Replayed']]).toEqual([201, first.body, 'true', undefined])
    expect(again.headers['X-Request-ID']).not.toBe(first.headers['X-Request-ID'])
    expect(b.get('/v1/rfqs', { as: 'taker' }).body.items).toHaveLength(1)
  })

  it('OM-112 OM-080 a repeat is a new call once its answer is remembered no more, and the id of an acceptance stays', () => {
    const b = new OutcomeBench({ gate: { idempotencyRetentionMs: 60_000, acceptRetentionMs: 1000 } })
    const { quote, acceptance } = b.fill()
    const key = newKey()
    const first = create(b, key)
    // Each call comes a millisecond after the one before.
    b.pass(60 * SECOND - 1001)
    expect(create(b, key).body).toEqual(first.body)
    // Whatever comes in between lets go of what is over.
    b.post('/v1/rfqs/cancel', { as: 'taker' })
    const again = create(b, key)
    expect([again.status, again.headers['Idempotency-Replayed']]).toEqual([201, undefined])
    expect(again.body.rfq_id).not.toBe(first.body.rfq_id)
    expect(b.get(`/v1/quotes/${quote.quote_id}/acceptance`, { as: 'taker' }).body.acceptance_id).toBe(acceptance.acceptance_id)
  })

  it('OM-111 OM-184 another body is IDEMPOTENCY_KEY_REUSED, also after one that could not be read', () => {
    const b = new OutcomeBench()
    const key = newKey()
    const refused = create(b, key, '025')
    expect(refused).toMatchObject({ status: 400, body: { error: { field_violations: [{ field: '/stake', code: 'INVALID' }] } } })
    const again = create(b, key, '025')
    expect([again.headers['Idempotency-Replayed'], again.body.error.field_violations]).toEqual(['true', refused.body.error.field_violations])
    expect(code(create(b, key))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', 'NEVER'])
  })

  it('OM-107 OM-108 OM-187 are one lowercase UUIDv7', () => {
    const b = new OutcomeBench()
    for (const key of [undefined, 'x', newKey().toUpperCase(), '0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b']) expect(code(create(b, key))).toEqual([400, 'INVALID_IDEMPOTENCY_KEY', 'NEVER'])
  })

  it('OM-084 a confirm takes none', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const quote = b.quote('ours', rfq)
    expect(code(b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', key: newKey(), body: { decision: 'DECLINE' } }))).toEqual([400, 'INVALID_IDEMPOTENCY_KEY', 'NEVER'])
  })

  it('OM-081 a repeat of an accept that waits is answered with it', () => {
    const b = new OutcomeBench()
    const rfq = b.rfq()
    const quote = b.quote('ours', rfq)
    const key = newKey()
    const body = b.acceptBody('taker', rfq, quote, key)
    const [first, second] = [0, 1].map(() => b.send('POST', `/v1/quotes/${quote.quote_id}/accept`, { as: 'taker', key, body }))
    b.call('POST', `/v1/quotes/${quote.quote_id}/confirm`, { as: 'ours', body: b.confirmBody('ours', rfq, quote, key) })
    expect([second!.answer!.body, second!.answer!.headers['Idempotency-Replayed']]).toEqual([first!.answer!.body, 'true'])
  })
})

describe('wallet sessions', () => {
  it('OM-097 OM-136 OM-137 act for the account of the wallet, from the origin of the sign-in alone', () => {
    const b = new OutcomeBench()
    const bearer = session(b, 'taker')
    const balances = (origin?: string) => b.get('/v1/me/balances', { bearer, ...(origin !== undefined && { origin }) })
    expect(balances(PAGE).body.account_id).toBe(b.idOf('taker'))
    expect(code(balances())).toEqual([403, 'ORIGIN_REQUIRED', 'NEVER'])
    expect(code(balances('https://second.example'))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect(b.call('DELETE', '/v1/auth/wallet-sessions/current', { bearer, origin: PAGE }).status).toBe(204)
    expect(code(balances(PAGE))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
  })

  it('OM-293 a message is good once, for its page, for five minutes, and with the signature of its wallet', () => {
    const b = new OutcomeBench()
    const { wallet_address, wallet_private_key } = b.seat('taker')
    const challenge = () => b.call('POST', '/v1/auth/wallet-challenges', { origin: PAGE, body: { address: wallet_address } }).body.message as string
    const signIn = (message: string, key = wallet_private_key!, origin = PAGE) =>
      b.call('POST', '/v1/auth/wallet-sessions', { origin, body: { message, signature: sign(hashMessage(message), key as Hex) } })
    const message = challenge()
    expect(code(signIn(message, b.seat('rich')['wallet_private_key']))).toEqual([422, 'INVALID_SIGNATURE', 'NEVER'])
    expect(code(signIn(message, undefined, 'https://second.example'))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect([signIn(message).status, code(signIn(message))]).toEqual([201, [409, 'STATE_CONFLICT', 'REFRESH']])
    expect(signIn('x')).toMatchObject({ status: 400, body: { error: { field_violations: [{ field: '/message', code: 'INVALID' }] } } })
    const late = challenge()
    b.pass(300 * SECOND)
    expect(code(signIn(late))).toEqual([409, 'STATE_CONFLICT', 'REFRESH'])
  })

  it('OM-293 OM-280 sign-ins of an address are limited, right or wrong, before their signatures are looked at', () => {
    const b = new OutcomeBench()
    const { wallet_address, wallet_private_key } = b.seat('taker')
    const { message } = b.call('POST', '/v1/auth/wallet-challenges', { origin: PAGE, body: { address: wallet_address } }).body
    const signature = sign(hashMessage(message), wallet_private_key as Hex)
    const signIn = (text: string, remote?: string) => b.call('POST', '/v1/auth/wallet-sessions', { origin: PAGE, body: { message: text, signature }, ...(remote !== undefined && { remote }) })
    for (let i = 0; i < 100; i++) expect(signIn('x').status).toBe(400)
    const refused = signIn(message)
    // The window began with the first of 101 calls a millisecond apart.
    expect([code(refused), refused.headers['Retry-After']]).toEqual([[429, 'RATE_LIMITED', 'BACKOFF'], '60'])
    expect([b.call('POST', '/v1/auth/wallet-sessions', { origin: PAGE, body: '{' }).status, b.call('POST', '/v1/auth/wallet-sessions', { body: {} }).status]).toEqual([429, 403])
    // Another address, messages themselves and a next window have room. The message was not used.
    expect([signIn('x', '10.0.0.2').status, b.call('POST', '/v1/auth/wallet-challenges', { origin: PAGE, body: { address: wallet_address } }).status]).toEqual([400, 201])
    b.pass(60 * SECOND)
    expect(signIn(message).status).toBe(201)
  })

  it('OM-293 OM-223 a message whose sign-in the gate refused can be used again', () => {
    const b = new OutcomeBench({ operator: withFault(GateFault.authorizationUnavailable, 10) })
    const { wallet_address, wallet_private_key } = b.seat('taker')
    const { message } = b.call('POST', '/v1/auth/wallet-challenges', { origin: PAGE, body: { address: wallet_address } }).body
    const signature = sign(hashMessage(message), wallet_private_key as Hex)
    const signIn = () => b.call('POST', '/v1/auth/wallet-sessions', { origin: PAGE, body: { message, signature } })
    expect(code(signIn())).toEqual([503, 'AUTHORIZATION_UNAVAILABLE', 'BACKOFF'])
    b.pass(10 * SECOND)
    expect([signIn().status, code(signIn())]).toEqual([201, [409, 'STATE_CONFLICT', 'REFRESH']])
  })

  it('OM-233 an embedded wallet signs in through the app, which cannot while it is away; a wallet of its own signs in meanwhile', () => {
    const b = new OutcomeBench({ operator: withFault(GateFault.embeddedWalletUnavailable, 10), embeddedWallets: ['rich'] })
    const signIn = (who: Who) => {
      const { wallet_address, wallet_private_key } = b.seat(who)
      const { message } = b.call('POST', '/v1/auth/wallet-challenges', { origin: PAGE, body: { address: wallet_address } }).body
      return b.call('POST', '/v1/auth/wallet-sessions', { origin: PAGE, body: { message, signature: sign(hashMessage(message), wallet_private_key as Hex) } })
    }
    expect([code(signIn('rich')), signIn('taker').status]).toEqual([[503, 'EMBEDDED_WALLET_UNAVAILABLE', 'BACKOFF'], 201])
    b.pass(10 * SECOND)
    const { status, body } = signIn('rich')
    expect([status, b.get('/v1/me/balances', { bearer: body.access_token, origin: PAGE }).body.account_id]).toEqual([201, b.idOf('rich')])
  })
})

describe('API keys', () => {
  it('OM-042 OM-119 OM-131 are issued over a signed challenge, act within their scopes, and end', () => {
    const b = new OutcomeBench()
    const bearer = session(b, 'taker')
    const issued = b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'taker', bearer) })
    expect(issued).toMatchObject({ status: 201, body: { key: { label: 'bot', scopes: ['account:read', 'rfq:read'], status: 'ACTIVE', account: { kind: 'PARTICIPANT', id: b.idOf('taker') } } } })
    const { key, secret } = issued.body
    expect(b.get('/v1/me/balances', { bearer: secret }).status).toBe(200)
    expect(code(b.post('/v1/rfqs', { bearer: secret, body: { stake: '25000000', legs: LEGS } }))).toEqual([403, 'FORBIDDEN', 'NEVER'])
    const listed = b.get('/v1/me/api-keys', { bearer, origin: PAGE })
    expect([listed.body.items.map(({ label }: { label: string }) => label), listed.text.includes(secret)]).toEqual([['xxxxxxxx', 'bot'], false])
    expect(b.call('DELETE', `/v1/me/api-keys/${key.id}`, { bearer, origin: PAGE }).status).toBe(204)
    expect(code(b.get('/v1/me/balances', { bearer: secret }))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect(b.call('DELETE', '/v1/me/api-keys/x', { bearer, origin: PAGE })).toMatchObject({ status: 400, body: { error: { field_violations: [{ field: '/key_id', code: 'INVALID' }] } } })
  })

  it('OM-139 tell nothing beside the service from the instant of their end on, as sessions', () => {
    const b = new OutcomeBench({ gate: { sessionIdleMs: 60_000 } })
    const bearer = session(b, 'taker')
    const issue = () => b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'taker', bearer, { days: 1 }) }).body
    const [revoked, expiring] = [issue(), issue()]
    const expiresUs = Date.parse(expiring.key.expires_at) * 1000
    const reader = (secret: string, atUs = b.nowUs) => b.handler.readerOf!(b.exchange('GET', '/prices', { bearer: secret }), atUs)
    const taker = b.account('taker')
    expect([reader(revoked.secret), reader(expiring.secret), reader(bearer), reader('x')]).toEqual([taker, taker, taker, -1])
    b.call('DELETE', `/v1/me/api-keys/${revoked.key.id}`, { bearer, origin: PAGE })
    const revokedUs = b.nowUs
    expect([reader(revoked.secret), reader(revoked.secret, revokedUs - 1)]).toEqual([-1, taker])
    b.pass(24 * 3600 * SECOND)
    expect([reader(expiring.secret), reader(expiring.secret, expiresUs), reader(expiring.secret, expiresUs - 1)]).toEqual([-1, -1, taker])
    // The session was used for the last time when the key was revoked.
    const idleUs = revokedUs + 60 * SECOND
    expect([reader(bearer), reader(bearer, idleUs), reader(bearer, idleUs - 1)]).toEqual([-1, -1, taker])
    expect(b.handler.accountOf!(b.exchange('GET', '/prices', { bearer: revoked.secret }))).toBe(taker)
  })

  it('OM-147 tell a desk only with the scopes that the service asks for to tell the same', () => {
    const b = new OutcomeBench()
    const bearer = session(b, 'taker')
    const issue = (...scopes: string[]) => b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'taker', bearer, { scopes }) }).body.secret as string
    const lacking = (secret: string, ...roles: ('maker' | 'bettor')[]) => b.handler.deskScopesLacking!(b.exchange('GET', '/desk', { bearer: secret }), roles)
    // A session has all of them (OM-136).
    expect([lacking(bearer, 'maker'), lacking(issue('account:read', 'rfq:read'), 'bettor')]).toEqual([[], []])
    expect(lacking(issue('account:read', 'rfq:read'), 'maker', 'bettor')).toEqual(['capital:read'])
    expect([lacking(issue('rfq:write'), 'bettor'), lacking(issue('rfq:read'), 'bettor')]).toEqual([['account:read', 'rfq:read'], ['account:read']])
  })

  it('OM-119 with another label, scope or life than was signed for are INVALID_SIGNATURE', () => {
    const b = new OutcomeBench()
    const bearer = session(b, 'taker')
    for (const change of [{ label: 'tob' }, { scopes: ['account:read', 'rfq:write'] }, { expires_in_days: 31 }]) {
      const body = { ...keyBody(b, 'taker', bearer), ...change }
      expect(code(b.post('/v1/me/api-keys', { bearer, origin: PAGE, body }))).toEqual([422, 'INVALID_SIGNATURE', 'NEVER'])
    }
  })

  it('OM-111 two orders of scopes are two bodies', () => {
    const b = new OutcomeBench()
    const bearer = session(b, 'taker')
    const body = keyBody(b, 'taker', bearer)
    const key = newKey()
    const issue = (sent: object) => b.call('POST', '/v1/me/api-keys', { bearer, origin: PAGE, key, body: sent })
    expect([issue(body).status, issue(body).headers['Idempotency-Replayed'], code(issue({ ...body, scopes: body.scopes.toReversed() }))])
      .toEqual([201, 'true', [409, 'IDEMPOTENCY_KEY_REUSED', 'NEVER']])
  })

  it('OM-128 OM-004 cannot issue keys, and what is no key of this service is none', () => {
    const b = new OutcomeBench()
    expect(code(b.post('/v1/me/api-keys', { as: 'taker', origin: PAGE, body: keyBody(b, 'taker', session(b, 'taker')) }))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    const [head, secret] = b.seat('taker')['api_key']!.split('.')
    for (const bearer of ['api_test_x', 'x', `${head}.${'A'.repeat(secret!.length)}`]) expect(code(b.get('/v1/me/balances', { bearer }))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
    expect(code(b.get('/v1/me/balances', { as: 'taker', headers: [['authorization', 'Bearer x']] }))).toEqual([401, 'UNAUTHENTICATED', 'NEVER'])
  })
})

describe('limits', () => {
  it('OM-278 OM-279 a body of 65,536 bytes is read, and a larger one is invalid', () => {
    const b = new OutcomeBench()
    const body = (bytes: number) => JSON.stringify({ stake: '25000000', legs: LEGS }).padEnd(bytes, ' ')
    expect(b.post('/v1/rfqs', { as: 'taker', body: body(65_536) }).status).toBe(201)
    expect(b.post('/v1/rfqs', { as: 'taker', body: body(65_537) })).toMatchObject({ status: 400, body: { error: { field_violations: [{ field: '', code: 'INVALID' }] } } })
  })

  it('OM-281 OM-280 the 31st RFQ of a minute is RATE_LIMITED, and those that cannot be read count', () => {
    const b = new OutcomeBench()
    for (let i = 0; i < 30; i++) expect(b.post('/v1/rfqs', { as: 'taker', body: '{' }).status).toBe(400)
    const last = b.post('/v1/rfqs', { as: 'taker', body: { stake: '25000000', legs: LEGS } })
    expect([...code(last), last.headers['Retry-After']]).toEqual([429, 'RATE_LIMITED', 'BACKOFF', '60'])
    b.pass(60 * SECOND)
    expect(b.rfq().status).toBe('OPEN')
  })
})

describe('keys of calls that are refused', () => {
  it('OM-171 OM-281 that of a call over its limit, or without its scope, is not kept, and one that was bound before is', () => {
    const b = new OutcomeBench({ gate: { rfqLimit: 1 } })
    const bearer = session(b, 'taker')
    const { secret } = b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'taker', bearer, { scopes: ['rfq:read'] }) }).body
    const answered = vi.spyOn(ClientKeyBook.prototype, 'answered')
    const [bound, limited, outOfScope] = [newKey(), newKey(), newKey()]
    const create = (key: string, asked: object) => {
      const { status } = b.post('/v1/rfqs', { body: { stake: '25000000', legs: LEGS }, key, ...asked })
      const [account, number] = answered.mock.lastCall!
      return [status, (answered.mock.contexts.at(-1) as ClientKeyBook).textOf(account, number)]
    }
    const taker = { as: 'taker' }
    expect([create(bound, taker), create(limited, taker), create(outOfScope, { bearer: secret }), create(bound, taker)]).toEqual([[201, bound], [429, null], [403, null], [429, bound]])
    answered.mockRestore()
  })

  it('OM-171 that of a call that the gate answers 503 is not kept', () => {
    const b = new OutcomeBench({ operator: withFault(GateFault.authorizationUnavailable, 30) })
    const answered = vi.spyOn(ClientKeyBook.prototype, 'answered')
    const { status } = b.post('/v1/rfqs', { as: 'taker', body: { stake: '25000000', legs: LEGS } })
    const [account, number] = answered.mock.lastCall!
    expect([status, (answered.mock.contexts[0] as ClientKeyBook).textOf(account, number)]).toEqual([503, null])
    answered.mockRestore()
  })
})

describe('who signed', () => {
  /** A quote of a seat, and what it said of its signer when it went to the gate. */
  function quoting(served: ConstructorParameters<typeof OutcomeBench>[0] = {}) {
    const b = new OutcomeBench(served)
    const rfq = b.rfq()
    b.pass(1000)
    const body = b.quoteBody('ours', rfq)
    const sent = vi.spyOn(b.session, 'bringCall')
    return { b, body, quote: (asked: object = { as: 'ours' }) => {
      const { status } = b.post(`/v1/rfqs/${rfq.rfq_id}/quotes`, { body, ...asked })
      return [status, sent.mock.lastCall![2].fields['signer']]
    } }
  }

  it('OM-283 is not asked of a call that its limit turns away, and again once the window is over', () => {
    const { b, quote } = quoting({ gate: { quoteLimit: 1 } })
    expect([quote(), quote()]).toEqual([[201, b.account('ours')], [429, undefined]])
    // Each call comes a millisecond after the one before, and the first one was the window's.
    b.pass(60 * SECOND - 3000)
    expect(quote()).toEqual([429, undefined])
    expect(quote()[1]).toBe(b.account('ours'))
  })

  it('OM-216 OM-241 is not asked where all callers together have used a route up', () => {
    const { quote } = quoting({ gate: { routeTotalLimit: 1 } })
    expect([quote()[0], quote()]).toEqual([201, [429, undefined]])
  })

  it('OM-136 OM-134 is not asked of a key without the scope, of one that has ended, and of none', () => {
    const { b, quote } = quoting()
    const bearer = session(b, 'ours')
    const issue = (scopes: string[]) => b.post('/v1/me/api-keys', { bearer, origin: PAGE, body: keyBody(b, 'ours', bearer, { scopes }) }).body
    const [reading, quoted] = [issue(['rfq:read']), issue(['quote:write'])]
    expect([quote({ bearer: reading.secret }), quote({ bearer: 'x' }), quote({ bearer: quoted.secret })]).toEqual([[403, undefined], [401, undefined], [201, b.account('ours')]])
    b.call('DELETE', `/v1/me/api-keys/${quoted.key.id}`, { bearer, origin: PAGE })
    expect(quote({ bearer: quoted.secret })).toEqual([401, undefined])
  })

  it('is asked while time waits, whatever the limit has left: it may have room when the call arrives', () => {
    const { b, quote } = quoting({ gate: { quoteLimit: 1 }, isInTurns: true })
    expect([quote(), quote(), quote({ bearer: 'x' })]).toEqual([[201, b.account('ours')], [429, b.account('ours')], [401, undefined]])
  })

  it('is asked of the calls that no limit counts', () => {
    const b = new OutcomeBench()
    const sent = vi.spyOn(b.session, 'bringCall')
    const key = newKey()
    const message = { maker: b.idOf('ours'), amount: '5000000', takerFeeBps: 20, feeBps: 100, requestKey: key }
    const body = { amount: '5000000', signature: b.sign('ours', 'CollateralReduction', message) }
    expect(b.post(`/v1/makers/${b.idOf('ours')}/collateral-reductions`, { as: 'ours', key, body }).status).toBe(201)
    expect(sent.mock.lastCall![2].fields['signer']).toBe(b.account('ours'))
  })
})
