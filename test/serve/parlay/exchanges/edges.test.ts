import { describe, expect, it } from 'vitest'
import { BODY_BYTES_MAX } from '../../../../src/serve/exchange.ts'
import { LEGS, NO_ID, ParlayBench, SECOND } from './bench.ts'

const limitsOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => [headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining']]

describe('what the service does not have', () => {
  it.each([
    ['GET', '/v1/nothing'], ['POST', '/v1/portfolio'], ['GET', '/nothing'], ['PROPFIND', '/v1/portfolio'], ['GET', '/v1/portfolio/'], ['GET', '/V1/portfolio'], ['GET', ''], ['GET', '/'],
    ['GET', '//v1/portfolio'], ['GET', '/v1/quote-requests'], ['DELETE', '/markets'], ['get', '/markets'], ['GET', '/v1/%70ortfolio'],
  ])('PQ-346 %s %s is 404 for everybody', (method, path) => {
    const b = new ParlayBench()
    for (const asked of [{}, { as: 'bettor' } as const, { key: 'sk_wrong' }]) expect([b.call(method, path, asked).status, b.call(method, path, asked).body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it.each([['PQ-459', 'GET', '/v1/wallet/blockhash'], ['PQ-460', 'POST', '/v1/mm/heartbeat']])('%s PQ-464 %s %s is 410', (_, method, path) => {
    const { status, body: { error } } = new ParlayBench().call(method, path, { as: 'ours' })
    expect([status, error.code]).toEqual([410, 'GONE'])
  })

  it('PQ-453 PQ-139 a route without /v1 is none, but for the aliases', () => {
    const b = new ParlayBench()
    expect([b.call('GET', '/portfolio', { as: 'bettor' }).status, b.call('GET', '/mm/positions', { as: 'ours' }).status, b.call('GET', '/markets').status]).toEqual([404, 200, 200])
  })

  it.each([
    ['POST', '/v1/markets'], ['PATCH', '/v1/markets/M0'], ['POST', '/v1/markets/M0/resolve'], ['POST', '/v1/markets/M0/halt'], ['PUT', '/v1/fees'], ['POST', '/v1/admin/faults'], ['GET', '/admin'],
  ])('PQ-030 what an operator does has no path here: %s %s', (method, path) => {
    expect(new ParlayBench().call(method, path, { jwt: 'good-ours', body: {} }).status).toBe(404)
  })

  it.each([
    'GET /v1/markets', 'POST /v1/quote-requests', 'PATCH /v1/quote-requests/ID', 'POST /v1/quote-requests/ID/commit', 'PUT /v1/mm/quote-requests/ID/quote',
    'DELETE /v1/mm/quote-requests/ID/quote', 'PUT /v1/mm/cashout-requests/ID/quote', 'GET /v1/mm/positions', 'GET /v1/mm/quotes', 'GET /v1/portfolio', 'POST /v1/vault/withdraw',
    'POST /v1/vault/deposit', 'POST /v1/wallet/withdraw', 'POST /v1/wallet/submit-tx', 'GET /v1/api-keys', 'POST /v1/api-keys', 'PUT /v1/webhooks', 'GET /v1/webhooks',
  ])('PQ-462 the document’s %s is a path still, to which nobody without a credential is let in', (call) => {
    const [method, path] = call.replace('ID', NO_ID).split(' ') as [string, string]
    expect(new ParlayBench().call(method, path).status).toBe(path === '/v1/markets' ? 200 : 401)
  })
})

describe('bodies', () => {
  const post = (body: unknown, asked: object = { as: 'bettor' }) => new ParlayBench().call('POST', '/v1/quote-requests', { ...asked, body })

  it('PQ-410 PQ-349 of 262,144 bytes are read, and larger ones refused with 413', () => {
    const text = JSON.stringify({ legs: LEGS, bet_amount: 25 })
    const padded = (bytes: number): string => text.padEnd(bytes, ' ')
    expect([post(padded(BODY_BYTES_MAX)).status, post(padded(BODY_BYTES_MAX + 1)).status, post(padded(BODY_BYTES_MAX + 1)).body.error.code]).toEqual([201, 413, 'PAYLOAD_TOO_LARGE'])
    expect([post(padded(BODY_BYTES_MAX + 1), {}).status, new ParlayBench().call('GET', '/v1/portfolio', { as: 'bettor', body: padded(BODY_BYTES_MAX + 1) }).status]).toEqual([401, 413])
  })

  it.each<[string, string | Uint8Array]>([
    ['no JSON', '{"legs":'], ['no UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22])], ['a name twice', '{"bet_amount":1,"bet_amount":2}'], ['a list', '[]'], ['null', 'null'],
    ['a number', '7'], ['nothing', ''], ['blanks', '  '], ['a byte order mark alone', '\ufeff'], ['depth', '['.repeat(100_000)],
  ])('PQ-343 PQ-355 %s is 400', (_, body) => {
    const { status, body: { error } } = post(body)
    expect([status, error.code, error.details.issues.length > 0]).toEqual([400, 'VALIDATION_ERROR', true])
  })

  it('PQ-343 a call that is wrong in its shape is refused by the gate first', () => {
    expect([post('{', {}).status, post('{', { as: 'nobody', key: 'sk_x' }).status, post('{', { as: 'bettor' }).status]).toEqual([401, 403, 400])
  })
})

describe('limits', () => {
  it('PQ-433 PQ-350 PQ-341 an account has 300 calls a minute, and then 429 with Retry-After in both places', () => {
    const b = new ParlayBench()
    const read = () => b.call('GET', '/v1/portfolio', { jwt: 'good-rich' })
    b.pass(60 * SECOND)
    for (let i = 0; i < 300; i++) expect(limitsOf(read())).toEqual(['300', String(299 - i)])
    const { status, headers, body: { error } } = read()
    // The window began with the first of 301 calls a millisecond apart.
    expect([status, error.code, error.retry_after, headers['Retry-After'], headers['X-RateLimit-Remaining']]).toEqual([429, 'RATE_LIMITED', 60, '60', '0'])
    expect(b.call('GET', '/v1/portfolio', { jwt: 'good-bettor' }).status).toBe(200)
    b.pass(60 * SECOND)
    expect(read().status).toBe(200)
  })

  it('PQ-434 an address without a credential has 100, whatever it calls for', () => {
    const b = new ParlayBench()
    const calls = [['GET', '/v1/portfolio', 401], ['GET', '/v1/nothing', 404], ['GET', '/elsewhere', 404], ['GET', '/v1/wallet/blockhash', 410]] as const
    for (let i = 0; i < 100; i++) {
      const [method, path, status] = calls[i % 4]!
      expect(b.call(method, path).status).toBe(status)
    }
    expect(calls.map(([method, path]) => b.call(method, path).status)).toEqual([429, 429, 429, 429])
    expect([b.call('GET', '/v1/nothing', { remote: '10.0.0.2' }).status, b.call('GET', '/v1/portfolio', { as: 'bettor' }).status]).toEqual([404, 200])
  })

  it('PQ-436 PQ-437 PQ-449 reads of the markets count by address: a key neither raises the limit nor is charged', () => {
    const b = new ParlayBench()
    const left = () => Number(limitsOf(b.call('GET', '/v1/portfolio', { as: 'bettor' }))[1])
    const before = left()
    for (let i = 0; i < 100; i++) expect(limitsOf(b.call('GET', i % 2 === 0 ? '/markets' : '/v1/markets', i % 3 === 0 ? { as: 'bettor' } : {}))).toEqual(['100', String(99 - i)])
    expect([b.call('GET', '/markets').status, b.call('GET', '/v1/markets', { as: 'bettor' }).status, b.call('GET', '/markets/M0').status, b.call('GET', '/markets', { remote: '10.0.0.2' }).status])
      .toEqual([429, 429, 429, 200])
    expect(['/markets/M0', '/referral/x'].map((path) => b.call('GET', path, { as: 'bettor' }).status)).toEqual([429, 429])
    expect(left()).toBe(before - 1)
  })

  it('PQ-439 PQ-342 PQ-450 the quote service has 300, says so in a header alone, and charges no other budget', () => {
    const b = new ParlayBench()
    const left = () => Number(limitsOf(b.call('GET', '/v1/portfolio', { as: 'bettor' }))[1])
    const before = left()
    const read = () => b.call('GET', `/v1/quote-requests/${NO_ID}`, { as: 'bettor' })
    for (let i = 0; i < 300; i++) expect(read().status).toBe(404)
    const { status, headers, body: { error } } = read()
    expect([status, headers['Retry-After'], 'retry_after' in error]).toEqual([429, '60', false])
    expect([b.call('POST', '/v1/quote-requests', { as: 'bettor', body: '{' }).status, b.call('GET', '/v1/quote-requests/a/b/c', { as: 'bettor' }).status, left()]).toEqual([429, 429, before - 1])
  })

  it.each([
    ['PQ-441', '/v1/wallet/withdraw', 5, { amount: 0.01, address: '1'.repeat(32) }], ['PQ-442', '/v1/vault/deposit', 10, { amount: 0.01 }], ['PQ-443', '/v1/vault/withdraw', 10, { amount: 0.01 }],
    ['PQ-444', '/v1/wallet/submit-tx', 10, { transaction: 'wrong' }],
  ])('%s PQ-440 %s is capped at %i a minute, on top of the bucket', (_, path, cap, body) => {
    const b = new ParlayBench()
    b.pass(60 * SECOND)
    const move = () => b.call('POST', path, { jwt: 'good-rich', body })
    for (let i = 0; i < cap; i++) expect(limitsOf(move())).toEqual([String(cap), String(cap - 1 - i)])
    expect([move().status, move().headers['X-RateLimit-Limit']]).toEqual([429, String(cap)])
    // Both refusals of the cap were counted in the bucket before.
    expect(limitsOf(b.call('GET', '/v1/portfolio', { jwt: 'good-rich' }))).toEqual(['300', String(300 - cap - 3)])
  })

  it('PQ-447 PQ-465 the reset is the end of the window, in Unix seconds rounded up', () => {
    const b = new ParlayBench()
    // The first call of its address comes at 1750000001.001 s.
    expect([b.call('GET', '/v1/portfolio').headers['X-RateLimit-Reset'], b.call('GET', '/v1/portfolio').headers['X-RateLimit-Reset']]).toEqual(['1750000062', '1750000062'])
  })
})
