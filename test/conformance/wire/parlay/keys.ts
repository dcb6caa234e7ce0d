import { holds, is, like, sees } from '../expect.ts'
import type { Client, Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, until } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const KEYS = '/v1/api-keys'
const SCOPES = ['account:read', 'markets:read', 'positions:read', 'balances:read', 'trading:write', 'funds:deposit', 'funds:withdraw', 'account:write', 'tx:sign', 'keys:manage', 'mm:quote']
const UNAUTHORIZED = { error: { code: 'UNAUTHORIZED' } }
const forbidden = (reason: string) => ({ error: { code: 'FORBIDDEN', details: { reason } } })
const make = async (w: World, body: object): Promise<Json> => sees(await w.jwt(w.mine).post(KEYS, body), 201).data
const KEY = /^api_(live|test)_[A-Za-z0-9_-]{28,36}$/

/** Calls that a scope grants: with it alone they are let through, with all others they are refused. */
async function grants(w: World, scope: string, calls: readonly string[]): Promise<void> {
  const only = await w.keyWith('m3', [scope])
  const others = await w.keyWith('m3', SCOPES.filter((name) => name !== scope))
  const call = (client: Client, text: string): Promise<Seen> => {
    const [method, path] = text.replace('ID', NO_ID).split(' ') as [string, string]
    return client.call(method, path, method === 'GET' ? undefined : {})
  }
  for (const text of calls) {
    const seen = await call(only, text)
    is([text, seen.status === 401 || seen.status === 403], [text, false], 'refused with the scope')
    sees(await call(others, text), 403, forbidden('insufficient_scope'))
  }
}

export const KEYS_AND_SCOPES: Area<World> = {
  name: 'keys and scopes', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-230 PQ-249', 'keys are listed by prefix, scopes, status and end', async (w) => {
      const { prefix } = await make(w, { scopes: ['positions:read'] })
      const { api_keys } = sees(await w.jwt(w.mine).get(KEYS), 200).data
      like(api_keys.find((key: Json) => key.prefix === prefix), { scopes: ['positions:read'], status: 'active', expires_at: null })
    }],
    ['PQ-231 PQ-250', 'a key is made', async (w) => {
      like(await make(w, { scopes: ['positions:read', 'mm:quote'], label: 'mine', expires_at: '2090-01-01T00:00:00Z' }), { key: KEY, prefix: String, scopes: ['positions:read', 'mm:quote'], expires_at: /^2090-01-01T00:00:00/ })
      for (const body of [{}, { scopes: [] }, { scopes: ['mm:quote'], expires_at: 'soon' }]) sees(await w.jwt(w.mine).post(KEYS, body), 400)
    }],
    ['PQ-266', 'its text is shown this once', async (w) => {
      const { key, prefix } = await make(w, { scopes: ['positions:read'] })
      const { status, text } = await w.jwt(w.mine).get(KEYS)
      is([status, text.includes(prefix), text.includes(key)], [200, true, false])
    }],
    ['PQ-265', 'it has the form of keys', async (w) => {
      like((await make(w, { scopes: ['positions:read'] })).key, KEY)
      // 27 and 37 characters are no key of any account.
      for (const length of [27, 37]) sees(await w.key(`api_test_${'x'.repeat(length)}`).get('/v1/portfolio'), 401, UNAUTHORIZED)
    }],
    ['PQ-232 PQ-251', 'a key is revoked by its prefix: 204', async (w) => {
      const { key, prefix } = await make(w, { scopes: ['positions:read'] })
      sees(await w.key(key).get('/v1/portfolio'), 200)
      is((await w.jwt(w.other).delete(`${KEYS}/${prefix}`)).status, 404, 'another account’s revocation')
      is(sees(await w.jwt(w.mine).delete(`${KEYS}/${prefix}`), 204), null)
      sees(await w.key(key).get('/v1/portfolio'), 401, UNAUTHORIZED)
      sees(await w.jwt(w.mine).delete(`${KEYS}/${prefix}`), 409)
    }],
    ['PQ-264', 'making one needs the JWT or keys:manage', async (w) => {
      sees(await (await w.keyWith(w.mine, ['keys:manage', 'mm:quote'])).post(KEYS, { scopes: ['mm:quote'] }), 201)
      sees(await (await w.keyWith(w.mine, ['mm:quote'])).post(KEYS, { scopes: ['mm:quote'] }), 403, forbidden('insufficient_scope'))
      sees(await w.nobody.post(KEYS, { scopes: ['mm:quote'] }), 401, UNAUTHORIZED)
    }],
    ['PQ-267', 'a key is never wider than what makes it', async (w) => { sees(await (await w.keyWith(w.mine, ['keys:manage'])).post(KEYS, { scopes: ['mm:quote'] }), 403, forbidden('insufficient_scope')) }],
    ['PQ-106', 'a key ends at its date', async (w) => {
      await inGoodTime(async () => {
        const endMs = Date.now() + 8000
        const { key } = await make(w, { scopes: ['positions:read'], expires_at: new Date(endMs).toISOString() })
        const first = await w.key(key).get('/v1/portfolio')
        if (first.status !== 200 && Date.now() >= endMs) return null
        sees(first, 200)
        const over = await until(() => w.key(key).get('/v1/portfolio'), ({ status }) => status !== 200, 'its end')
        // The clocks of the machine and of the session may go apart by a little.
        holds(Date.now() > endMs - 100, 'a key that is good until then')
        return sees(over, 401, UNAUTHORIZED)
      }, 'a call before its end')
    }],
    ['PQ-285', 'there are eleven scopes', async (w) => {
      is((await make(w, { scopes: SCOPES })).scopes, SCOPES)
      for (const scope of ['admin', 'quote:write', 'Trading:write']) sees(await w.jwt(w.mine).post(KEYS, { scopes: [scope] }), 400)
    }],
    ['PQ-274', 'account:read reads the webhook endpoint', (w) => grants(w, 'account:read', ['GET /v1/webhooks', 'GET /v1/webhooks/deliveries'])],
    ['PQ-276', 'positions:read reads requests, parlays and the portfolio', (w) => grants(w, 'positions:read', ['GET /v1/quote-requests/ID', 'GET /v1/parlays', 'GET /v1/parlays/ID', 'GET /v1/portfolio', 'GET /v1/cashout-requests/ID'])],
    ['PQ-278', 'trading:write trades', (w) => grants(w, 'trading:write', [
      'POST /v1/quote-requests', 'PATCH /v1/quote-requests/ID', 'POST /v1/quote-requests/ID/cancel', 'POST /v1/quote-requests/ID/commit', 'POST /v1/cashout-requests', 'POST /v1/cashout-requests/ID/commit',
    ])],
    ['PQ-279', 'funds:deposit moves money in', (w) => grants(w, 'funds:deposit', ['POST /v1/vault/deposit'])],
    ['PQ-280', 'funds:withdraw moves money out', (w) => grants(w, 'funds:withdraw', ['POST /v1/vault/withdraw', 'POST /v1/wallet/withdraw'])],
    ['PQ-281', 'account:write changes the webhook endpoint', (w) => grants(w, 'account:write', ['PUT /v1/webhooks', 'POST /v1/webhooks/rotate-secret', 'POST /v1/webhooks/deliveries/ID/redeliver'])],
    ['PQ-282', 'tx:sign submits transactions', (w) => grants(w, 'tx:sign', ['POST /v1/wallet/submit-tx'])],
    ['PQ-283', 'keys:manage lists, makes and revokes keys', (w) => grants(w, 'keys:manage', ['GET /v1/api-keys', 'POST /v1/api-keys', 'DELETE /v1/api-keys/api_test_nothing0'])],
    ['PQ-284', 'mm:quote quotes, confirms and reads a maker’s own', (w) => grants(w, 'mm:quote', [
      'PUT /v1/mm/quote-requests/ID/quote', 'DELETE /v1/mm/quote-requests/ID/quote', 'POST /v1/mm/quote-requests/ID/quote/confirm', 'POST /v1/mm/quote-requests/ID/quote/decline', 'GET /v1/mm/quotes', 'GET /v1/mm/positions',
    ])],
    ['PQ-287', 'what the document names no scope for has one', async (w) => {
      for (const path of ['/v1/portfolio', '/v1/parlays']) sees(await (await w.keyWith(w.mine, ['mm:quote'])).get(path), 403, forbidden('insufficient_scope'))
      sees(await (await w.keyWith(w.mine, ['mm:quote'])).post('/v1/wallet/submit-tx', {}), 403, forbidden('insufficient_scope'))
    }],
    ['PQ-275', 'the markets are there for a key with markets:read, as for everybody', async (w) => { sees(await (await w.keyWith(w.mine, ['markets:read'])).get('/v1/markets'), 200) }],
    ['PQ-243', 'reading a user’s webhooks needs account:read', (w) => grants(w, 'account:read', ['GET /v1/webhooks?owner_kind=user', 'GET /v1/webhooks/deliveries?owner_kind=user'])],
    ['PQ-244', 'reading a maker’s webhooks needs mm:quote', (w) => grants(w, 'mm:quote', ['GET /v1/webhooks?owner_kind=mm', 'GET /v1/webhooks/deliveries?owner_kind=mm'])],
    ['PQ-245', 'changing a user’s webhooks needs account:write', (w) => grants(w, 'account:write', ['PUT /v1/webhooks?owner_kind=user', 'POST /v1/webhooks/rotate-secret?owner_kind=user'])],
    ['PQ-246', 'changing a maker’s webhooks needs mm:quote', (w) => grants(w, 'mm:quote', ['PUT /v1/webhooks?owner_kind=mm', 'POST /v1/webhooks/rotate-secret?owner_kind=mm', 'POST /v1/webhooks/deliveries/ID/redeliver?owner_kind=mm'])],

    ['PQ-140', 'an endpoint marked K takes a key or a JWT', async (w) => { for (const client of [w.as(w.mine), w.jwt(w.mine)]) sees(await client.get('/v1/portfolio'), 200) }],
    ['PQ-260', 'X-API-Key is the credential of a program, on REST, streams and sockets', async (w) => {
      sees(await w.as(w.mine).get('/v1/portfolio'), 200)
      const stream = await w.as('m1').events('/v1/mm/stream')
      stream.close()
      const socket = await w.as('m1').socket('/v1/ws')
      like(await socket.next(({ type }) => type === 'auth:ok'), { user_id: w.seat('m1')['user_id'] })
      socket.close()
    }],
    ['PQ-261', 'Authorization: Bearer with a JWT is that of the dashboard', async (w) => {
      sees(await w.jwt(w.mine).get('/v1/portfolio'), 200)
      const [head, body] = w.seat(w.mine)['jwt']!.split('.') as [string, string]
      for (const token of [`${head}.${body}.${'A'.repeat(86)}`, 'x', '']) sees(await w.nobody.with({ authorization: `Bearer ${token}` }).get('/v1/portfolio'), 401, UNAUTHORIZED)
    }],
    ['PQ-263', 'either is taken everywhere', async (w) => {
      for (const client of [w.as('m1'), w.jwt('m1')]) {
        for (const path of ['/v1/mm/quotes', '/v1/mm/positions', '/v1/portfolio', '/v1/parlays', '/v1/api-keys', '/v1/webhooks/deliveries']) {
          const { status } = await client.get(path)
          // The seat's own key may not manage keys.
          is([path, [200, 403].includes(status)], [path, true])
        }
      }
      sees(await w.jwt('m1').get('/v1/mm/quotes'), 200)
    }],
    ['PQ-271', 'what does not begin with api_ is the wrong type, on REST and streams', async (w) => {
      for (const key of ['sk_live_1', 'outcome_v1_test_x.y', 'API_test_x']) sees(await w.key(key).get('/v1/portfolio'), 403, forbidden('wrong_api_key_type'))
      sees(await w.key('sk_live_1').get('/v1/mm/stream', { accept: 'text/event-stream' }), 403, forbidden('wrong_api_key_type'))
    }],
    ['PQ-272', 'a key that nobody has, or has no longer, is 401', async (w) => { sees(await w.key(`api_test_${'x'.repeat(32)}`).get('/v1/portfolio'), 401, UNAUTHORIZED) }],
    ['PQ-273', 'a key without the scope is 403', async (w) => { sees(await (await w.keyWith(w.mine, ['mm:quote'])).get('/v1/portfolio'), 403, forbidden('insufficient_scope')) }],
    ['PQ-001', 'a key of the outcome-market API is none here', async (w) => { sees(await w.key(`outcome_v1_test_${NO_ID}.${'A'.repeat(43)}`).get('/v1/portfolio'), 403, forbidden('wrong_api_key_type')) }],
    ['PQ-344', 'without a credential: UNAUTHORIZED', async (w) => { sees(await w.nobody.get('/v1/portfolio'), 401, UNAUTHORIZED) }],
  ],
}
