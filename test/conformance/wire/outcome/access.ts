import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { holds, is, like, sees } from '../expect.ts'
import type { Client, Json, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT, UUID } from '../world.ts'
import { failure, newKey, NO_HEX, NO_UUID7, PROTOCOL, violation, type World } from './world.ts'

const KEYS = '/v1/me/api-keys'
const issue = (client: Client, body: Json, key = newKey()): Promise<Seen> => client.post(KEYS, body, { 'idempotency-key': key })
const TAKERS_SCOPES = ['account:read', 'account:stream', 'quote:accept', 'rfq:read', 'rfq:write']

/** A key of a taker with one scope is issued, and has it. */
const scoped = (id: string, scope: string): readonly [string, string, (w: World) => Promise<void>] => [id, `a key may have ${scope}`, async (w) => { is((await w.keyWith(w.mine, [scope])).key.scopes, [scope]) }]

/** A request for a key with one field changed is refused, with that field. */
async function refusesKey(w: World, change: object, field: string, code = 'INVALID'): Promise<void> {
  const { client } = await w.session(w.mine)
  sees(await issue(client, { ...await w.keyBody(w.mine, client), ...change }), 400, violation(field, code))
}

export const ACCESS: Area<World> = {
  name: 'access', service: 'outcome', session: 'outcome',
  rows: [
    ['OM-134', 'a key is the bearer of a call', async (w) => {
      sees(await w.as(w.mine).get('/v1/me/balances'), 200)
      for (const authorization of [undefined, w.seat(w.mine)['api_key']!, `Basic ${w.seat(w.mine)['api_key']}`]) sees(await w.nobody.with(authorization === undefined ? {} : { authorization }).get('/v1/me/balances'), 401, failure('UNAUTHENTICATED'))
    }],
    ['OM-135', 'a key’s text has a prefix, a version, an environment, an id and a secret', async (w) => { like((await w.keyWith(w.mine, ['account:read'])).secret, /^[a-z]+_v1_[a-z]+_[0-9a-f-]{36}\.[\w-]{43}$/) }],
    ['OM-004', 'a key of the parlay service is none here', async (w) => { sees(await w.bearer(`api_test_${'x'.repeat(32)}`).get('/v1/me/balances'), 401, failure('UNAUTHENTICATED')) }],
    ['OM-015', 'a key acts for one account, within its scopes', async (w) => {
      const { client } = await w.keyWith(w.mine, ['account:read'])
      sees(await client.get('/v1/me/balances'), 200, { account_id: w.idOf(w.mine) })
      sees(await client.get('/v1/rfqs'), 403, failure('FORBIDDEN'))
    }],
    ['OM-097 OM-292', 'a wallet signs in without an Idempotency-Key, and gets a token', async (w) => {
      const { client } = await w.session(w.mine)
      sees(await client.get('/v1/me/balances'), 200, { account_id: w.idOf(w.mine) })
    }],
    ['OM-136', 'a session has no limit of scopes', async (w) => {
      const { client } = await w.session('m3')
      for (const path of ['/v1/me/balances', '/v1/rfqs', `/v1/makers/${w.idOf('m3')}/capital`, KEYS]) sees(await client.get(path), 200)
    }],
    ['OM-137', 'a session is bound to the origin of its sign-in', async (w) => {
      const { token } = await w.session(w.mine)
      sees(await w.bearer(token).get('/v1/me/balances'), 403, failure('ORIGIN_REQUIRED'))
      sees(await w.bearer(token, { origin: 'https://elsewhere.example' }).get('/v1/me/balances'), 401, failure('UNAUTHENTICATED'))
      sees(await w.bearer(token, { origin: [w.origin, w.origin] }).get('/v1/me/balances'), 403, failure('ORIGIN_REQUIRED'))
    }],
    ['OM-149', 'ORIGIN_REQUIRED is 403, NEVER', async (w) => { sees(await w.nobody.post('/v1/auth/wallet-challenges', { address: w.seat(w.mine)['wallet_address'] }), 403, failure('ORIGIN_REQUIRED')) }],
    ['OM-098', 'signing out ends the session', async (w) => {
      const { client } = await w.session(w.mine)
      sees(await client.delete('/v1/auth/wallet-sessions/current'), 204)
      sees(await client.get('/v1/me/balances'), 401, failure('UNAUTHENTICATED'))
    }],
    ['OM-293', 'a sign-in’s message is good once, with the wallet’s signature', async (w) => {
      const page = w.nobody.with({ origin: w.origin })
      const { message, expires_at } = sees(await page.post('/v1/auth/wallet-challenges', { address: w.seat(w.mine)['wallet_address'] }), 201)
      like(expires_at, INSTANT)
      sees(await page.post('/v1/auth/wallet-sessions', { message, signature: `0x${'1'.repeat(128)}1b` }), 422, failure('INVALID_SIGNATURE'))
      sees(await page.post('/v1/auth/wallet-sessions', { message: 'x', signature: `0x${'1'.repeat(128)}1b` }), 400, violation('/message'))
    }],
    ['OM-192', 'a wallet that is no account’s: IDENTITY_NOT_FOUND', async (w) => {
      const wallet = privateKeyToAccount(generatePrivateKey())
      const page = w.nobody.with({ origin: w.origin })
      const { message } = sees(await page.post('/v1/auth/wallet-challenges', { address: wallet.address }), 201)
      sees(await page.post('/v1/auth/wallet-sessions', { message, signature: await wallet.signMessage({ message }) }), 404, failure('IDENTITY_NOT_FOUND'))
    }],
    ['OM-099 OM-131', 'a key is issued: 201', async (w) => {
      const { client } = await w.session(w.mine)
      sees(await issue(client, await w.keyBody(w.mine, client)), 201, { key: Object, secret: String })
    }],
    ['OM-042', 'the answer is the key and its secret', async (w) => {
      const { client } = await w.session(w.mine)
      is(Object.keys(sees(await issue(client, await w.keyBody(w.mine, client)), 201)), ['key', 'secret'])
    }],
    ['OM-043', 'the secret is shown this once', async (w) => {
      const { key, secret } = await w.keyWith(w.mine, ['account:read'])
      const { status, text } = await (await w.session(w.mine)).client.get(`${KEYS}?limit=200`)
      is([status, text.includes(key.id), text.includes(secret)], [200, true, false])
    }],
    ['OM-037 OM-038 OM-039', 'a key has its id, account, environment, label, scopes and status', async (w) => {
      like((await w.keyWith(w.mine, ['account:read'])).key, { id: UUID, account: { kind: 'PARTICIPANT', id: w.idOf(w.mine) }, environment: String, label: 'bot', scopes: ['account:read'], status: 'ACTIVE' })
      like((await w.keyWith('m3', ['account:read'])).key.account, { kind: 'MAKER', id: w.idOf('m3') })
    }],
    ['OM-040', 'a key has four instants, null where there is none', async (w) => { like((await w.keyWith(w.mine, ['account:read'])).key, { created_at: INSTANT, expires_at: INSTANT, last_used_at: null, revoked_at: null }) }],
    ['OM-041', 'a new key was not rotated', async (w) => { like((await w.keyWith(w.mine, ['account:read'])).key, { rotated_from: null, overlap_until: null }) }],
    ['OM-113', 'a label has 1 to 80 characters', async (w) => {
      const { client } = await w.session(w.mine)
      for (const [length, status] of [[1, 201], [80, 201]] as const) sees(await issue(client, await w.keyBody(w.mine, client, { label: 'x'.repeat(length) })), status)
      for (const label of ['', 'x'.repeat(81)]) sees(await client.post('/v1/me/api-key-challenges', { label, scopes: ['account:read'], expires_in_days: 1 }), 400, violation('/label'))
    }],
    ['OM-114', 'scopes are 1 to 32', async (w) => {
      const { client } = await w.session(w.mine)
      const ask = (count: number): Promise<Seen> => client.post('/v1/me/api-key-challenges', { label: 'x', scopes: Array.from({ length: count }, () => 'account:read'), expires_in_days: 1 })
      is([(await ask(0)).status, (await ask(1)).status, (await ask(32)).status, (await ask(33)).status], [400, 201, 201, 400])
    }],
    ['OM-115', 'a scope of the other kind of account is refused', async (w) => {
      const { client } = await w.session(w.mine)
      sees(await client.post('/v1/me/api-key-challenges', { label: 'x', scopes: ['quote:write'], expires_in_days: 1 }), 400, violation('/scopes'))
    }],
    ['OM-147', 'there are four scopes more', async (w) => { is((await w.keyWith('m3', ['quote:write', 'capital:read', 'capital:write'])).key.scopes, ['quote:write', 'capital:read', 'capital:write']) }],
    scoped('OM-120', 'account:read'), scoped('OM-121', 'account:stream'), scoped('OM-122', 'quote:accept'), scoped('OM-123', 'rfq:read'), scoped('OM-124', 'rfq:write'),
    ['OM-116', 'a key lasts 1 to 90 days', async (w) => {
      const { client } = await w.session(w.mine)
      const ask = async (days: number): Promise<number> => (await client.post('/v1/me/api-key-challenges', { label: 'x', scopes: ['account:read'], expires_in_days: days })).status
      is([await ask(0), await ask(1), await ask(90), await ask(91)], [400, 201, 201, 400])
    }],
    ['OM-117 OM-132', 'a key without an end is asked for by null', async (w) => {
      const { client } = await w.session(w.mine)
      is(sees(await issue(client, await w.keyBody(w.mine, client, { days: null })), 201).key.expires_at, null)
    }],
    ['OM-118', 'a proof is a challenge and a signature', async (w) => {
      const { client } = await w.session(w.mine)
      const body = await w.keyBody(w.mine, client)
      for (const [proof, field] of [[{ signature: body.proof.signature }, '/proof/challenge_id'], [{ challenge_id: body.proof.challenge_id }, '/proof/signature']] as const) sees(await issue(client, { ...body, proof }), 400, violation(field, 'REQUIRED'))
    }],
    ['OM-119', 'the proof is for this very request', async (w) => {
      const { client } = await w.session(w.mine)
      for (const change of [{ label: 'tob' }, { scopes: ['rfq:read'] }, { expires_in_days: 31 }]) sees(await issue(client, { ...await w.keyBody(w.mine, client), ...change }), 422, failure('INVALID_SIGNATURE'))
    }],
    ['OM-125', 'takers and makers ask alike', async (w) => { for (const name of [w.mine, 'm3']) is(Object.keys((await w.keyWith(name, ['account:read'])).key).length, 12) }],
    ['OM-126', 'a key needs a session', async (w) => { sees(await issue(w.nobody.with({ origin: w.origin }), {}), 401, failure('UNAUTHENTICATED')) }],
    ['OM-127', 'a key needs an Origin that is allowed', async (w) => {
      const { client } = await w.session(w.mine, 'https://elsewhere.example')
      sees(await issue(client, await w.keyBody(w.mine, client)), 403, failure('FORBIDDEN'))
    }],
    ['OM-128', 'a key issues no keys', async (w) => {
      const { client } = await w.session(w.mine)
      const body = await w.keyBody(w.mine, client)
      sees(await issue(w.as(w.mine).with({ origin: w.origin }), body), 401, failure('UNAUTHENTICATED'))
    }],
    ['OM-129', 'a wrong or missing Origin is FORBIDDEN, ORIGIN_REQUIRED or UNAUTHENTICATED', async (w) => {
      const { token, client } = await w.session(w.mine)
      const body = await w.keyBody(w.mine, client)
      sees(await issue(w.bearer(token), body), 403, failure('ORIGIN_REQUIRED'))
      sees(await issue(w.bearer(token, { origin: 'https://elsewhere.example' }), body), 401, failure('UNAUTHENTICATED'))
    }],
    ['OM-130', 'what is wrong with a key’s fields is told', async (w) => {
      await refusesKey(w, { label: 7 }, '/label')
      await refusesKey(w, { memo: 'x' }, '/memo', 'UNEXPECTED')
    }],
    ['OM-144', 'the 21st live key is STATE_CONFLICT', async (w) => {
      const { client } = await w.session('t24')
      // The seat has one of its own.
      for (let i = 0; i < 19; i++) sees(await issue(client, await w.keyBody('t24', client)), 201)
      sees(await issue(client, await w.keyBody('t24', client)), 409, failure('STATE_CONFLICT', 'REFRESH'))
    }],
    ['OM-145', 'streams take the same credential', async (w) => {
      sees(await w.nobody.upgrade('/v1/stream', [PROTOCOL]) as Seen, 401, failure('UNAUTHENTICATED'))
      const { socket } = await w.stream(w.mine, ['account'])
      socket.close()
    }],
    ['OM-178 OM-190', 'without the scope: 403 FORBIDDEN', async (w) => {
      const { client } = await w.keyWith(w.mine, TAKERS_SCOPES.filter((scope) => scope !== 'rfq:write'))
      sees(await client.post('/v1/rfqs', { stake: '25000000', legs: await w.legs() }, { 'idempotency-key': newKey() }), 403, failure('FORBIDDEN'))
    }],

    ...([
      ['OM-071 OM-107', 'POST /v1/rfqs', 'mine'], ['OM-073', `POST /v1/rfqs/${NO_UUID7}/cancel`, 'mine'], ['OM-075', `POST /v1/rfqs/${NO_UUID7}/quotes`, 'm1'], ['OM-079', `POST /v1/quotes/${NO_HEX}/accept`, 'mine'],
      ['OM-088', 'POST /v1/makers/MAKER/collateral-reductions', 'm1'], ['OM-094', `POST /v1/me/positions/${NO_HEX}/cashout`, 'mine'], ['OM-096', 'POST /v1/me/withdrawals', 'mine'],
    ] as const).map(([ids, call, who]): readonly [string, string, (w: World) => Promise<void>] => [ids, `${call} needs an Idempotency-Key`, async (w) => {
      const name = who === 'mine' ? w.mine : who
      const path = call.split(' ')[1]!.replace('MAKER', w.idOf('m1'))
      sees(await w.as(name).post(path, {}), 400, failure('INVALID_IDEMPOTENCY_KEY'))
      const { status, body } = await w.post(name, path, {})
      holds([400, 404].includes(status) && body.error.code !== 'INVALID_IDEMPOTENCY_KEY', `another refusal of a call with a key, not ${status} ${body.error?.code}`)
    }]),
    ['OM-100', 'POST /v1/me/api-keys needs one', async (w) => {
      const { client } = await w.session(w.mine)
      sees(await client.post(KEYS, await w.keyBody(w.mine, client)), 400, failure('INVALID_IDEMPOTENCY_KEY'))
    }],
    ['OM-077', 'DELETE /v1/quotes/{quote_id} takes none', async (w) => {
      const rfq = await w.rfq()
      const { quote_id } = await w.quote('m1', rfq)
      sees(await w.as('m1').delete(`/v1/quotes/${quote_id}`), 204)
    }],
    ['OM-084', 'a confirm is sent none', async (w) => {
      const { quote_id } = await w.quote('m1', await w.rfq())
      sees(await w.post('m1', `/v1/quotes/${quote_id}/confirm`, { decision: 'DECLINE' }), 400, failure('INVALID_IDEMPOTENCY_KEY'))
    }],
    ['OM-108 OM-187', 'a key is one lowercase UUIDv7', async (w) => {
      const body = { stake: '25000000', legs: await w.legs() }
      for (const key of ['x', newKey().toUpperCase(), '0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b', '0190a1b2-c3d4-7e5f-ca9b-0c1d2e3f4a5b']) sees(await w.post(w.mine, '/v1/rfqs', body, key), 400, failure('INVALID_IDEMPOTENCY_KEY'))
      sees(await w.as(w.mine).post('/v1/rfqs', body, { 'idempotency-key': [newKey(), newKey()] }), 400, failure('INVALID_IDEMPOTENCY_KEY'))
    }],
    ['OM-109 OM-110', 'the same call again has the first answer, and says so', async (w) => {
      const [key, body] = [newKey(), { stake: '25000000', legs: await w.legs() }]
      const [first, again] = [await w.post(w.mine, '/v1/rfqs', body, key), await w.post(w.mine, '/v1/rfqs', body, key)]
      is([first.status, again.status, again.body, again.headers['idempotency-replayed'], first.headers['idempotency-replayed']], [201, 201, first.body, 'true', undefined])
    }],
    ['OM-111', 'another body with the key is IDEMPOTENCY_KEY_REUSED', async (w) => {
      const [key, legs] = [newKey(), await w.legs()]
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '25000000', legs }, key), 201)
      sees(await w.post(w.mine, '/v1/rfqs', { stake: '26000000', legs }, key), 409, failure('IDEMPOTENCY_KEY_REUSED'))
    }],
  ],
}
