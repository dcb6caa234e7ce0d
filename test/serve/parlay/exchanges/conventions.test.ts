import { expect, it } from 'vitest'
import { OutcomeBench } from '../../outcome/exchanges/bench.ts'
import { LEGS, NO_ID, ParlayBench, SECOND } from './bench.ts'

/** Bodies of a session's answers, events and frames. */
function told(): { readonly successes: unknown[]; readonly errors: readonly { readonly status: number; readonly body: unknown }[]; readonly events: unknown[] } {
  const b = new ParlayBench()
  const channels = [b.open('events', '/v1/mm/stream', { as: 'ours' }), b.open('events', '/v1/stream', { as: 'rich' })]
  const socket = b.open('socket', '/v1/ws', { as: 'ours' })
  const { rfq_id, quote_request_id } = b.fill()
  const cash = b.call('POST', '/v1/cashout-requests', { as: 'bettor', body: { rfq_id } })
  const { id } = cash.body.data.cashout_request
  const jwt = 'good-bettor'
  const answers = [
    cash, b.call('PUT', `/v1/mm/cashout-requests/${id}/quote`, { as: 'rival', body: { price_micro: 30_000_000 } }), b.call('POST', `/v1/cashout-requests/${id}/commit`, { as: 'bettor' }),
    b.call('GET', `/v1/quote-requests/${quote_request_id}`, { jwt }), b.call('POST', '/v1/vault/deposit', { jwt, body: { amount: 1.5 } }), b.call('POST', '/v1/api-keys', { jwt, body: { scopes: ['mm:quote'] } }),
    b.call('PUT', '/v1/webhooks', { jwt, body: { url: 'https://example.com', events: [] } }), b.call('POST', '/v1/webhooks/rotate-secret', { jwt }),
    ...['/v1/portfolio', '/v1/parlays', `/v1/parlays/${rfq_id}`, '/v1/api-keys', '/v1/webhooks', '/v1/webhooks/deliveries', '/markets?limit=2'].map((path) => b.call('GET', path, { jwt })),
    b.call('GET', '/v1/mm/quotes', { as: 'ours' }), b.call('GET', '/v1/mm/positions', { as: 'ours' }),
    b.call('GET', '/v1/nothing'), b.call('GET', '/v1/portfolio'), b.call('POST', '/v1/quote-requests', { as: 'bettor', body: { legs: LEGS } }), b.call('GET', `/v1/parlays/${NO_ID}`, { jwt }),
    b.quote('ours', { id: quote_request_id, version: 1, request_hash: 'sha256:0' }), b.quote('rival', b.request('rich', LEGS, 100), 13), b.call('GET', '/v1/wallet/blockhash'),
  ]
  b.pass(SECOND)
  return {
    successes: answers.filter(({ status }) => status < 400).map(({ body }) => body), errors: answers.filter(({ status }) => status >= 400),
    events: [...channels.flatMap(({ events }) => events.map(({ data }) => data)), ...socket.frames],
  }
}
const { successes, errors, events } = told()

/** Every field of a body, at whatever depth. */
function fieldsOf(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner] as [string, unknown], ...fieldsOf(inner)])
}
const fields = [...successes, ...errors.map(({ body }) => body), ...events].flatMap(fieldsOf)

it('PQ-017 every name is snake_case', () => {
  expect(fields.length).toBeGreaterThan(500)
  expect(fields.map(([name]) => name).filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([])
})

it('PQ-018 PQ-020 PQ-338 successes stand in data, with meta beside lists, and errors in one envelope', () => {
  expect(new Set(successes.map((body) => Object.keys(body as object).join()))).toEqual(new Set(['data', 'data,meta']))
  expect(new Set(errors.map(({ body }) => Object.keys(body as object).join()))).toEqual(new Set(['error']))
  for (const { body } of errors) expect(Object.keys((body as { error: object }).error).slice(0, 2)).toEqual(['code', 'message'])
})

it('PQ-002 envelope, limits and units are not those of the outcome service', () => {
  const [here, there] = [new ParlayBench().call('GET', '/v1/portfolio'), new OutcomeBench().get('/v1/me/balances', {})]
  const fieldsOfError = ({ body }: { body: { error: object } }): string[] => Object.keys(body.error)
  expect([fieldsOfError(here), fieldsOfError(there)]).toEqual([['code', 'message'], ['code', 'message', 'retry', 'request_id']])
  expect([here, there].map(({ headers }) => 'X-RateLimit-Limit' in headers)).toEqual([true, false])
  const amounts = [new ParlayBench().call('GET', '/v1/portfolio', { as: 'bettor' }).body.data.balance.free_balance, Object.values(new OutcomeBench().get('/v1/me/balances', { as: 'taker' }).body)]
  expect([typeof amounts[0], amounts[1].filter((value: unknown) => typeof value === 'number')]).toEqual(['number', []])
})

it('PQ-339 PQ-354 PQ-347 an error has one of eleven codes, each with its status, whatever its message says', () => {
  expect(errors.length).toBeGreaterThan(6)
  const kinds = errors.map(({ status, body }) => `${status} ${(body as { error: { code: string } }).error.code}`)
  expect([...new Set(kinds)].toSorted()).toEqual(['400 VALIDATION_ERROR', '401 UNAUTHORIZED', '404 NOT_FOUND', '409 CONFLICT', '410 GONE'])
})

it('PQ-021 PQ-043 every instant is ISO 8601', () => {
  const instants = fields.filter(([name, value]) => /_(at|time|deadline)$/.test(name) && value !== null)
  expect(instants.length).toBeGreaterThan(20)
  expect(instants.filter(([, value]) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value as string))).toEqual([])
})

it('PQ-022 PQ-023 PQ-024 what ends in _micro is an integer, and other money is a decimal number of USDC', () => {
  const micros = fields.filter(([name, value]) => name.endsWith('_micro') && value !== null)
  expect(micros.map(([, value]) => value)).toEqual(expect.arrayContaining([30_000_000, 99_000_000]))
  expect(micros.every(([, value]) => Number.isSafeInteger(value))).toBe(true)
  const decimals = fields.filter(([name, value]) => ['user_stake', 'mm_risk', 'taker_fee', 'bet_amount', 'total_payout', 'free_balance', 'amount'].includes(name) && value !== null)
  expect(decimals.map(([, value]) => value)).toEqual(expect.arrayContaining([24.75, 74.25, 0.25, 25, 99, 1.5]))
  expect(decimals.every(([, value]) => typeof value === 'number' && value < 20_000)).toBe(true)
})

it('PQ-046 PQ-047 nothing says implied_probability', () => {
  expect(fields.filter(([name]) => name === 'implied_probability')).toEqual([])
})
