import { describe, expect, it } from 'vitest'
import { OutcomeBench } from '../../outcome/exchanges/bench.ts'
import { NO_ID, ParlayBench, SECOND } from './bench.ts'

const JWT = { jwt: 'good-bettor' }
const URL = 'https://example.com/hook'

describe('API keys', () => {
  const make = (b: ParlayBench, body: object, asked: object = JWT) => b.call('POST', '/v1/api-keys', { ...asked, body })

  it('PQ-231 PQ-266 PQ-265 are made with their whole text once, and work', () => {
    const b = new ParlayBench()
    const { status, body: { data } } = make(b, { scopes: ['positions:read', 'keys:manage'], label: 'mine' })
    expect([status, data]).toEqual([201, {
      key: expect.stringMatching(/^api_(live|test)_[A-Za-z0-9_-]{28,36}$/), prefix: data.key.slice(0, 17), scopes: ['positions:read', 'keys:manage'], status: 'active', expires_at: null,
    }])
    expect(b.call('GET', '/v1/portfolio', { key: data.key }).status).toBe(200)
    const list = b.call('GET', '/v1/api-keys', { key: data.key })
    expect([list.body.data.api_keys.length, list.text.includes(data.key), list.body.data.api_keys[1].prefix]).toEqual([2, false, data.prefix])
  })

  it('PQ-232 PQ-104 PQ-272 are revoked by their prefix, 204, and refused from then on', () => {
    const b = new ParlayBench()
    const { key, prefix } = make(b, { scopes: ['positions:read'] }).body.data
    const revoke = (asked: object, which = prefix) => b.call('DELETE', `/v1/api-keys/${which}`, asked).status
    expect([revoke({ jwt: 'good-rich' }), revoke({ key }), revoke(JWT, 'api_test_nothing0'), revoke(JWT), revoke(JWT)]).toEqual([404, 403, 404, 204, 409])
    const { status, body: { error } } = b.call('GET', '/v1/portfolio', { key })
    expect([status, error.code, error.details]).toEqual([401, 'UNAUTHORIZED', undefined])
  })

  it('PQ-230 PQ-249 PQ-251 are listed by prefix, scopes, status and end, and revoked without a body', () => {
    const b = new ParlayBench()
    const { prefix } = make(b, { scopes: ['positions:read'], expires_at: '2030-01-01T00:00:00Z' }).body.data
    const other = b.call('GET', '/v1/api-keys', { jwt: 'good-rich' }).body.data.api_keys
    const last = () => b.call('GET', '/v1/api-keys', JWT).body.data.api_keys.at(-1)
    const entry = { prefix, scopes: ['positions:read'], status: 'active', expires_at: '2030-01-01T00:00:00.000000Z' }
    expect([last(), other.map((key: { prefix: string }) => key.prefix).includes(prefix)]).toEqual([entry, false])
    expect(b.call('DELETE', `/v1/api-keys/${prefix}`, JWT)).toMatchObject({ status: 204, text: '' })
    expect(last()).toEqual({ ...entry, status: 'revoked' })
  })

  it('PQ-106 PQ-344 expire at their date', () => {
    const b = new ParlayBench()
    // The session begins at 15:06:40.
    const { key } = make(b, { scopes: ['positions:read'], expires_at: '2025-06-15T15:07:00Z' }).body.data
    const read = () => b.call('GET', '/v1/portfolio', { key }).status
    expect(read()).toBe(200)
    b.pass(20 * SECOND)
    expect([read(), make(b, { scopes: ['positions:read'], expires_at: '2025-06-15T15:07:00Z' }).status]).toEqual([401, 400])
  })

  it('PQ-104 PQ-106 tell nothing beside the service from the instant of their end on', () => {
    const b = new ParlayBench()
    const kept = make(b, { scopes: ['positions:read'] }).body.data
    const short = make(b, { scopes: ['positions:read'], expires_at: '2025-06-15T15:07:00Z' }).body.data
    const endUs = Date.parse('2025-06-15T15:07:00Z') * 1000
    const reader = (key: string, atUs = b.nowUs) => b.handler.readerOf!(b.exchange('GET', '/prices', { key }), atUs)
    expect([reader(kept.key), reader(short.key)]).toEqual([b.account('bettor'), b.account('bettor')])
    b.call('DELETE', `/v1/api-keys/${kept.prefix}`, JWT)
    const revokedUs = b.nowUs
    b.pass(20 * SECOND)
    expect([reader(kept.key), reader(kept.key, revokedUs), reader(kept.key, revokedUs - 1)]).toEqual([-1, -1, b.account('bettor')])
    expect([reader(short.key), reader(short.key, endUs), reader(short.key, endUs - 1)]).toEqual([-1, -1, b.account('bettor')])
    // The clients of turns are told apart by keys that have ended too.
    expect(b.handler.accountOf!(b.exchange('GET', '/prices', { key: kept.key }))).toBe(b.account('bettor'))
  })

  it('PQ-273 PQ-285 tell a desk only with the scopes that the service asks for to tell the same', () => {
    const b = new ParlayBench()
    const lacking = (asked: { key: string } | typeof JWT, ...roles: ('maker' | 'bettor')[]) => b.handler.deskScopesLacking!(b.exchange('GET', '/desk', asked), roles)
    const [quoter, reader, manager] = ['mm:quote', 'positions:read', 'keys:manage'].map((scope) => ({ key: make(b, { scopes: [scope] }).body.data.key as string }))
    expect([lacking(JWT, 'maker', 'bettor'), lacking(quoter!, 'maker'), lacking(reader!, 'bettor')]).toEqual([[], [], []])
    expect([lacking(reader!, 'maker'), lacking(quoter!, 'bettor'), lacking(quoter!, 'bettor', 'maker')]).toEqual([['mm:quote'], ['positions:read'], ['positions:read']])
    expect(lacking(manager!, 'maker', 'bettor')).toEqual(['positions:read', 'mm:quote'])
  })

  it('PQ-261 a JWT tells something beside the service as long as it is good', () => {
    const b = new ParlayBench({ shiftUs: SECOND })
    const reader = (atUs: number) => b.handler.readerOf!(b.exchange('GET', '/prices', { jwt: `timed-${b.nowUs}` }), atUs)
    expect([-1, 0, 1].map((us) => reader(b.nowUs - SECOND + us))).toEqual([-1, 0, -1])
  })

  it('PQ-264 PQ-267 PQ-283 need the JWT or keys:manage, and are never wider than what makes them', () => {
    const b = new ParlayBench()
    const narrow = make(b, { scopes: ['positions:read', 'keys:manage'] }).body.data.key
    const reader = make(b, { scopes: ['positions:read'] }).body.data.key
    expect([make(b, { scopes: ['positions:read'] }, { key: narrow }).status, make(b, { scopes: ['trading:write'] }, { key: narrow }).body.error.details.reason]).toEqual([201, 'insufficient_scope'])
    expect([make(b, { scopes: ['positions:read'] }, { key: reader }).status, make(b, { scopes: ['positions:read'] }, {}).status]).toEqual([403, 401])
  })

  it.each([{ scopes: [] }, { scopes: ['admin'] }, { scopes: ['mm:quote', 'mm:quote'] }, {}, { scopes: ['mm:quote'], expires_at: 'tomorrow' }])('PQ-250 PQ-285 refuses %j', (body) => {
    expect(make(new ParlayBench(), body).status).toBe(400)
  })
})

describe('credentials', () => {
  const read = (asked: object) => {
    const { status, body } = new ParlayBench().call('GET', '/v1/portfolio', asked)
    return [status, body.error?.code, body.error?.details?.reason]
  }

  it('PQ-271 PQ-345 what is no key of this service is the wrong type', () => {
    expect([read({ key: 'sk_live_1' }), read({ key: 'API_test_x' }), read({ key: 'pm_v1_test_abc.secret' })]).toEqual(Array.from({ length: 3 }, () => [403, 'FORBIDDEN', 'wrong_api_key_type']))
  })

  it('PQ-001 a key that the outcome service has given out is none here', () => {
    const outcome = new OutcomeBench()
    const key = outcome.seat('taker')['api_key']!
    expect(outcome.get('/v1/me/balances', { bearer: key }).status).toBe(200)
    expect(read({ key })).toEqual([403, 'FORBIDDEN', 'wrong_api_key_type'])
  })

  it('PQ-272 PQ-344 a key that is malformed or unknown, an empty one and none are 401', () => {
    const unauthorized = [401, 'UNAUTHORIZED', undefined]
    expect([
      read({}), read({ key: '' }), read({ key: 'api_test_short' }), read({ key: `api_test_${'x'.repeat(32)}` }),
      read({ headers: [['x-api-key', 'api_test_a'], ['x-api-key', 'api_test_a']] }),
    ]).toEqual(Array.from({ length: 5 }, () => unauthorized))
  })

  it('PQ-261 PQ-263 a JWT counts where there is no key, and only as one bearer', () => {
    const bearer = (...values: string[]) => read({ headers: values.map((value) => ['authorization', value]) })[0]
    expect([bearer('Bearer good-bettor'), bearer('bearer good-bettor'), bearer('Bearer bad'), bearer('Basic good-bettor'), bearer('good-bettor'), bearer('Bearer good-bettor', 'Bearer good-bettor'), bearer('')])
      .toEqual([200, 200, 401, 401, 401, 401, 401])
    expect(read({ key: 'api_test_a', headers: [['authorization', 'Bearer good-bettor']] })[0]).toBe(401)
  })
})

describe('webhooks', () => {
  const set = (b: ParlayBench, body: object, query = '', asked: object = JWT) => b.call('PUT', `/v1/webhooks${query}`, { ...asked, body })

  it('PQ-233 PQ-238 PQ-242 an endpoint is set and read, one of the user and one of the maker', () => {
    const b = new ParlayBench()
    expect(b.call('GET', '/v1/webhooks', JWT).status).toBe(404)
    const user = { owner_kind: 'user', url: URL, events: ['position.settled', 'funds.deposited'], has_secret: false }
    expect(set(b, { url: URL, events: ['funds.deposited', 'position.settled'] }).body.data).toEqual(user)
    expect(set(b, { url: `${URL}/mm`, events: [] }, '?owner_kind=mm').body.data).toEqual({ owner_kind: 'mm', url: `${URL}/mm`, events: [], has_secret: false })
    expect([b.call('GET', '/v1/webhooks', JWT).body.data, b.call('GET', '/v1/webhooks?owner_kind=mm', JWT).body.data.url]).toEqual([user, `${URL}/mm`])
    expect(b.call('GET', '/v1/webhooks?owner_kind=house', JWT).body.error.details.issues[0].path).toEqual(['owner_kind'])
  })

  it.each([
    ['PQ-234', { url: 'http://example.com', events: [] }, 'url'], ['PQ-235', { url: 'https://10.0.0.1/hook', events: [] }, 'url'], ['PQ-235', { url: 'https://localhost', events: [] }, 'url'],
    ['PQ-236', { url: URL, events: ['position.opened'] }, 'events'], ['PQ-233', { url: URL }, 'events'],
  ])('%s refuses %j', (_, body, name) => {
    expect(set(new ParlayBench(), body).body.error.details.issues[0].path[0]).toBe(name)
    if (name === 'url') expect(set(new ParlayBench({ allowsLocalWebhooks: true }), body).status).toBe(200)
  })

  it('PQ-307 a maker’s endpoint takes three events', () => {
    const b = new ParlayBench()
    const status = (event: string) => set(b, { url: URL, events: [event] }, '?owner_kind=mm', { as: 'ours' }).status
    expect(['position.settled', 'position.cancelled', 'position.bought_back', 'position.transferred', 'parlay.status_changed', 'funds.deposited', 'funds.withdrawn'].map(status))
      .toEqual([200, 200, 200, 400, 400, 400, 400])
  })

  it('PQ-243 PQ-245 PQ-246 need account:read and account:write, or mm:quote', () => {
    const b = new ParlayBench()
    const keyWith = (...scopes: string[]) => b.call('POST', '/v1/api-keys', { ...JWT, body: { scopes } }).body.data.key as string
    const [read, write, quote] = [keyWith('account:read'), keyWith('account:write'), keyWith('mm:quote')]
    const put = (key: string, query = '') => set(b, { url: URL, events: [] }, query, { key }).status
    const get = (key: string, query = '') => b.call('GET', `/v1/webhooks${query}`, { key }).status
    expect([put(read!), put(write!), put(quote!), put(write!, '?owner_kind=mm'), put(quote!, '?owner_kind=mm')]).toEqual([403, 200, 403, 403, 200])
    expect([get(read!), get(write!), get(quote!), get(read!, '?owner_kind=mm'), get(quote!, '?owner_kind=mm')]).toEqual([200, 403, 403, 403, 200])
  })

  it('PQ-239 PQ-318 PQ-326 a secret is shown when it is made, and the next is another', () => {
    const b = new ParlayBench()
    const rotate = (query = '') => b.call('POST', `/v1/webhooks/rotate-secret${query}`, JWT)
    expect(rotate().status).toBe(404)
    set(b, { url: URL, events: [] })
    const secrets = [rotate().body.data.secret, rotate().body.data.secret]
    expect([secrets[0].startsWith('whsec_'), secrets[0] !== secrets[1]]).toEqual([true, true])
    const read = b.call('GET', '/v1/webhooks', JWT)
    expect([read.body.data.has_secret, read.text.includes('whsec_')]).toEqual([true, false])
  })

  it('PQ-252 an endpoint is read as its kind of owner, its URL, its events and whether it has a secret', () => {
    const b = new ParlayBench()
    set(b, { url: URL, events: ['funds.withdrawn'] })
    const read = () => b.call('GET', '/v1/webhooks', JWT).body.data
    const endpoint = { owner_kind: 'user', url: URL, events: ['funds.withdrawn'], has_secret: false }
    expect(read()).toEqual(endpoint)
    b.call('POST', '/v1/webhooks/rotate-secret', JWT)
    expect(read()).toEqual({ ...endpoint, has_secret: true })
  })

  it('PQ-136 PQ-135 a delivery that is pending, or failed and to be tried again, is not sent again by request: 409', () => {
    const b = new ParlayBench()
    set(b, { url: URL, events: ['funds.deposited'] })
    b.call('POST', '/v1/webhooks/rotate-secret', JWT)
    b.call('POST', '/v1/vault/deposit', { as: 'bettor', body: { amount: 1 } })
    const read = () => b.call('GET', '/v1/webhooks/deliveries', JWT).body.data.deliveries[0]
    const again = () => {
      const { status, body: { error } } = b.call('POST', `/v1/webhooks/deliveries/${read().id}/redeliver`, JWT)
      return [read().status, status, error.code, error.details.reason]
    }
    expect(again()).toEqual(['pending', 409, 'CONFLICT', 'delivery_pending'])
    b.posted[0]!.answer(500)
    expect(again()).toEqual(['failed', 409, 'CONFLICT', 'delivery_pending'])
  })

  it('PQ-240 PQ-103 PQ-241 deliveries are listed, the newest first, and an ended one is asked for again', () => {
    const b = new ParlayBench({ gate: { deliveryAttemptsMax: 1, deliveryTimeoutMs: 1000 } })
    set(b, { url: URL, events: ['funds.deposited', 'funds.withdrawn'] })
    b.call('POST', '/v1/webhooks/rotate-secret', JWT)
    b.call('POST', '/v1/vault/deposit', { as: 'bettor', body: { amount: 1 } })
    b.call('POST', '/v1/vault/withdraw', { as: 'bettor', body: { amount: 1 } })
    const list = (query = '') => b.call('GET', `/v1/webhooks/deliveries${query}`, JWT).body.data.deliveries
    expect(list().map(({ event_type, status, attempts, response_code }: { [name: string]: unknown }) => [event_type, status, attempts, response_code]))
      .toEqual([['funds.withdrawn', 'pending', 1, null], ['funds.deposited', 'pending', 1, null]])
    const [{ id }] = list()
    const again = (which: string, asked: object = JWT) => b.call('POST', `/v1/webhooks/deliveries/${which}/redeliver`, asked)
    expect([again(id).status, again(id).body.error.details.reason]).toEqual([409, 'delivery_pending'])
    b.pass(SECOND)
    expect(list().map(({ status }: { status: string }) => status)).toEqual(['dead_letter', 'dead_letter'])
    expect([again(NO_ID).status, again(id, { jwt: 'good-rich' }).status, again(id).body.data]).toMatchObject([404, 404, { id, status: 'pending' }])
    expect([list('?limit=1').length, list('?owner_kind=mm'), b.call('GET', '/v1/webhooks/deliveries?limit=0', JWT).status]).toEqual([1, [], 400])
  })
})
