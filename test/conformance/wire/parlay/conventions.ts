import { fieldsOf, holds, is, like, sees } from '../expect.ts'
import type { Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const CODES: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409, GONE: 410, PAYLOAD_TOO_LARGE: 413, RATE_LIMITED: 429, INTERNAL_ERROR: 500, PARTIAL_VAULT_ONLY: 502,
  SERVICE_UNAVAILABLE: 503,
}

const RETIRED_PAGES = [
  ['create-quote-request', 'createQuoteRequest'], ['update-quote-request', 'updateQuoteRequest'], ['commit-quote-request', 'commitQuoteRequest'], ['submit-quote', 'submitQuote'],
  ['withdraw-quote', 'withdrawQuote'], ['submit-cashout-quote', 'submitBid'],
] as const

const successes = async (w: World): Promise<readonly Seen[]> => {
  await w.fill()
  const seen = await Promise.all([...['/v1/portfolio', '/v1/parlays', '/v1/api-keys', '/v1/markets'].map((path) => w.jwt(w.mine).get(path)), ...['/v1/mm/quotes', '/v1/mm/positions'].map((path) => w.as('m1').get(path))])
  for (const one of seen) sees(one, 200)
  return seen
}
const failures = async (w: World): Promise<readonly Seen[]> => {
  const request = await w.request()
  const seen = await Promise.all([
  w.nobody.get('/v1/portfolio'), w.key('sk_x').get('/v1/portfolio'), w.as(w.mine).get('/v1/nothing'), w.as(w.mine).get(`/v1/parlays/${NO_ID}`), w.as(w.mine).post('/v1/quote-requests', {}),
  w.commit(w.mine, request), w.as(w.mine).get('/v1/wallet/blockhash'), w.as(w.mine).post('/v1/quote-requests', 'x'.repeat(262_145)),
  ])
  is(seen.map(({ status }) => status), [401, 403, 404, 404, 400, 409, 410, 413])
  return seen
}

export const CONVENTIONS: Area<World> = {
  name: 'conventions', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-002', 'errors have this service’s envelope, and money its units', async (w) => {
      const { error } = sees(await w.nobody.get('/v1/portfolio'), 401)
      is(['retry' in error, 'request_id' in error], [false, false], 'fields of the other service')
      is(typeof sees(await w.as('b23').get('/v1/portfolio'), 200).data.balance.gross_balance, 'number')
    }],
    ['PQ-013', 'bodies are JSON', async (w) => { for (const seen of [...await successes(w), ...await failures(w)]) like(seen.headers['content-type'], /^application\/json/) }],
    ['PQ-017', 'names are snake_case', async (w) => {
      const names = [...await successes(w), ...await failures(w)].flatMap(({ body }) => fieldsOf(body).map(([name]) => name))
      is(names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)), [])
      holds(names.length > 100, 'a hundred names')
    }],
    ['PQ-018', 'a success stands in data', async (w) => { for (const { path, body } of await successes(w)) is([path, Object.keys(body).filter((name) => name !== 'meta')], [path, ['data']]) }],
    ['PQ-020 PQ-338', 'every error is error, with code and message, and details or retry_after besides', async (w) => {
      for (const { path, body } of await failures(w)) {
        is([path, Object.keys(body)], [path, ['error']])
        like(body.error, { code: String, message: String })
        is(Object.keys(body.error).filter((name) => !['code', 'message', 'details', 'retry_after'].includes(name)), [])
      }
    }],
    ['PQ-339 PQ-354', 'an error’s code is one of eleven, and says its status', async (w) => { for (const { path, status, body } of await failures(w)) is([path, status], [path, CODES[body.error.code]]) }],
    ['PQ-340', 'details have mostly a reason', async (w) => {
      sees(await w.key('sk_x').get('/v1/portfolio'), 403, { error: { details: { reason: String } } })
      sees(await w.commit(w.mine, await w.request()), 409, { error: { details: { reason: String } } })
    }],
    ['PQ-021', 'instants are ISO 8601', async (w) => {
      const instants = (await successes(w)).flatMap(({ body }) => fieldsOf(body)).filter(([name, value]) => /_(at|time|deadline)$/.test(name) && value !== null)
      holds(instants.length > 5, 'instants')
      for (const [name, value] of instants) like(value, INSTANT, name)
    }],
    ['PQ-030', 'what an operator does has no path', async (w) => { for (const path of ['/v1/markets/x/resolve', '/v1/admin', '/admin/fees', '/v1/fees']) sees(await w.jwt('m1').post(path, {}), 404, { error: { code: 'NOT_FOUND' } }) }],
    ['PQ-139 PQ-453', 'paths stand below the base, under /v1', async (w) => {
      sees(await w.as(w.mine).get('/v1/portfolio'), 200)
      for (const path of ['/portfolio', '/v2/portfolio', '/v1/portfolio/', '/V1/portfolio']) sees(await w.as(w.mine).get(path), 404)
    }],
    ['PQ-343', 'malformed or out of range: VALIDATION_ERROR', async (w) => {
      for (const body of ['{', '[]', '', 'null', '{"bet_amount":1,"bet_amount":2}', new Uint8Array([0x22, 0xc3, 0x28, 0x22])]) sees(await w.as(w.mine).post('/v1/quote-requests', body), 400, { error: { code: 'VALIDATION_ERROR' } })
    }],
    ['PQ-410 PQ-349', 'a body has 262,144 bytes at most, else 413', async (w) => {
      const text = JSON.stringify({ legs: await w.legs(), bet_amount: 25 })
      sees(await w.as(w.mine).post('/v1/quote-requests', text.padEnd(262_144, ' ')), 201)
      sees(await w.as(w.mine).post('/v1/quote-requests', text.padEnd(262_145, ' ')), 413, { error: { code: 'PAYLOAD_TOO_LARGE' } })
    }],
    ['PQ-351', 'what is malformed is a 400, never a 500', async (w) => {
      for (const [method, path] of [['PUT', '/v1/webhooks'], ['POST', '/v1/api-keys'], ['PATCH', `/v1/quote-requests/${NO_ID}`], ['PUT', `/v1/mm/quote-requests/${NO_ID}/quote`], ['GET', '/v1/markets?cursor=%ff']] as const) {
        for (const body of [new Uint8Array([0xff, 0xfe]), '['.repeat(50_000), '{"__proto__":1}', '{"legs":[{"side":{}}],"bet_amount":1e999}']) {
          sees(await w.jwt('m1').call(method, path, body), 400, { error: { code: 'VALIDATION_ERROR' } })
        }
      }
    }],
    ['PQ-445 PQ-446 PQ-447', 'every answer has its limit, what is left of it and its reset', async (w) => {
      const before = await w.nowMs() / 1000
      const seen = [...await successes(w), ...await failures(w)]
      const after = await w.nowMs() / 1000
      for (const { path, headers } of seen) {
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) like(headers[name], /^\d+$/, `${name} of ${path}`)
        const reset = Number(headers['x-ratelimit-reset'])
        // It is rounded up to a second.
        holds(reset >= before && reset <= after + 61, `a reset within a minute, between ${before} and ${after + 61}, not ${reset}`)
      }
    }],
    ['PQ-452', 'the description is of version 2.1.0', async (w) => { sees(await w.nobody.get('/openapi.json'), 200, { openapi: /^3\.1/, info: { version: '2.1.0' } }) }],
    ['PQ-459 PQ-464', 'GET /v1/wallet/blockhash is GONE', async (w) => { sees(await w.as(w.mine).get('/v1/wallet/blockhash'), 410, { error: { code: 'GONE' } }) }],
    ['PQ-460', 'POST /v1/mm/heartbeat is GONE', async (w) => { sees(await w.as('m1').post('/v1/mm/heartbeat', {}), 410, { error: { code: 'GONE' } }) }],
    ['PQ-461', 'retired documentation paths of quote-service operations redirect to where each is described now', async (w) => {
      for (const [path, operation] of RETIRED_PAGES) {
        const { status, headers } = await w.nobody.get(`/docs/quote-service/${path}`)
        is([status, headers['location']], [301, `/reference#${operation}`])
      }
      sees(await w.nobody.get('/reference'), 200)
      sees(await w.nobody.get('/docs/quote-service/list-markets'), 404)
    }],
    ['PQ-462', 'the document’s paths are paths still', async (w) => {
      const calls = [
        'POST /v1/quote-requests', 'PATCH /v1/quote-requests/ID', 'POST /v1/quote-requests/ID/commit', 'PUT /v1/mm/quote-requests/ID/quote', 'DELETE /v1/mm/quote-requests/ID/quote', 'PUT /v1/mm/cashout-requests/ID/quote',
        'GET /v1/mm/positions', 'GET /v1/mm/quotes', 'GET /v1/portfolio', 'POST /v1/vault/withdraw', 'POST /v1/vault/deposit', 'POST /v1/wallet/withdraw', 'POST /v1/wallet/submit-tx', 'GET /v1/api-keys',
        'POST /v1/api-keys', 'DELETE /v1/api-keys/x', 'PUT /v1/webhooks', 'GET /v1/webhooks', 'POST /v1/webhooks/rotate-secret', 'GET /v1/webhooks/deliveries', 'POST /v1/webhooks/deliveries/ID/redeliver',
      ]
      for (const call of calls) {
        const [method, path] = call.replace('ID', NO_ID).split(' ') as [string, string]
        sees(await w.nobody.call(method, path), 401)
      }
    }],
  ],
}

/** An issue of a body, at a path. */
export const issueAt = (...path: (string | number)[]) => ({ error: { code: 'VALIDATION_ERROR', details: { issues: (issues: Json) => issues.some((issue: Json) => JSON.stringify(issue.path) === JSON.stringify(path)) } } })
