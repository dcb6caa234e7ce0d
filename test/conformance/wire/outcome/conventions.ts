import { fieldsOf, holds, is, like, sees } from '../expect.ts'
import type { Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT, UUID } from '../world.ts'
import { failure, NO_HEX, NO_UUID7, violation, type World } from './world.ts'

const successes = async (w: World): Promise<readonly Seen[]> => {
  const { acceptance } = await w.fill()
  const seen = await Promise.all(['/v1/me/balances', '/v1/me/identity', '/v1/rfqs?limit=2', '/v1/me/positions?limit=2', '/v1/me/activity?limit=2', `/v1/me/operations/${acceptance.operation_id}`, '/v1/deployment', '/v1/markets?limit=2'].map((path) => w.as(w.mine).get(path)))
  for (const one of seen) sees(one, 200)
  return seen
}
const failures = async (w: World): Promise<readonly Seen[]> => {
  const seen = await Promise.all([
  w.nobody.get('/v1/me/balances'), w.as(w.mine).get('/v1/nothing'), w.as(w.mine).get('/v1/rfqs?limit=0'), w.post(w.mine, '/v1/rfqs', '{'), w.post(w.mine, '/v1/rfqs', {}), w.as(w.mine).get(`/v1/rfqs/${NO_UUID7}`),
  w.as(w.mine).get(`/v1/makers/${w.idOf('m1')}/capital`), w.as(w.mine).post('/v1/rfqs', {}), w.as(w.mine).get(`/v1/quotes/${NO_HEX}/acceptance`),
  ])
  is(seen.map(({ status }) => status), [401, 404, 400, 400, 400, 404, 403, 400, 404])
  return seen
}

export const CONVENTIONS: Area<World> = {
  name: 'conventions', service: 'outcome', session: 'outcome',
  rows: [
    ['OM-017', 'names are snake_case', async (w) => {
      const names = [...await successes(w), ...await failures(w)].flatMap(({ body }) => fieldsOf(body).map(([name]) => name))
      is(names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)), [])
    }],
    ['OM-018', 'a success is the resource itself', async (w) => { for (const { path, body } of await successes(w)) is([path, 'data' in body, 'error' in body], [path, false, false]) }],
    ['OM-020', 'a list has items, next_cursor and has_more', async (w) => { for (const path of ['/v1/markets', '/v1/rfqs', '/v1/me/positions', '/v1/me/activity']) is(Object.keys(sees(await w.as(w.mine).get(path), 200)), ['items', 'next_cursor', 'has_more']) }],
    ['OM-031', 'instants are RFC 3339 in UTC', async (w) => {
      const instants = (await successes(w)).flatMap(({ body }) => fieldsOf(body)).filter(([name, value]) => /_at$|_until$/.test(name) && value !== null)
      holds(instants.length > 3, 'instants')
      for (const [name, value] of instants) like(value, INSTANT, name)
    }],
    ['OM-033', 'enums are UPPER_SNAKE', async (w) => {
      const enums = (await successes(w)).flatMap(({ body }) => fieldsOf(body)).filter(([name]) => ['status', 'kind', 'side', 'core_status'].includes(name))
      for (const [name, value] of enums) like(value, /^[A-Z]+(_[A-Z]+)*$/, name)
    }],
    ['OM-167 OM-169', 'an error has code, message, retry and request_id', async (w) => {
      for (const { path, body } of await failures(w)) {
        is([path, Object.keys(body)], [path, ['error']])
        like(body.error, { code: /^[A-Z_]+$/, message: String, retry: /^(NEVER|BACKOFF|REFRESH)$/, request_id: UUID })
        is(Object.keys(body.error).filter((name) => !['code', 'message', 'retry', 'request_id', 'field_violations'].includes(name)), [])
      }
    }],
    ['OM-168', 'the same fault has the same code', async (w) => { for (const client of [w.nobody, w.bearer('x')]) sees(await client.get('/v1/me/balances'), 401, failure('UNAUTHENTICATED')) }],
    ['OM-170', 'what cannot be mended by waiting is NEVER', async (w) => { sees(await w.post(w.mine, '/v1/rfqs', {}), 400, { error: { retry: 'NEVER' } }) }],
    ['OM-173', 'the request’s id stands in the header too', async (w) => {
      for (const { headers, body } of await failures(w)) is(headers['x-request-id'], body.error.request_id)
      for (const { headers } of await successes(w)) like(headers['x-request-id'], UUID)
    }],
    ['OM-174', 'violations have a JSON pointer and one of three codes', async (w) => {
      const [leg] = await w.legs()
      const { error } = sees(await w.post(w.mine, '/v1/rfqs', { stake: 1, memo: 'x', legs: [{ ...leg, side: undefined }] }), 400)
      is(error.field_violations, [{ field: '/stake', code: 'INVALID' }, { field: '/legs/0/side', code: 'REQUIRED' }, { field: '/memo', code: 'UNEXPECTED' }])
    }],
    ['OM-176 OM-184', 'a malformed body, path or header: 400 INVALID_REQUEST', async (w) => {
      for (const body of ['{', '[]', '', '{"stake":"1","stake":"2"}']) sees(await w.post(w.mine, '/v1/rfqs', body), 400, failure('INVALID_REQUEST'))
      sees(await w.as(w.mine).get('/v1/rfqs/x'), 400, violation('/rfq_id'))
    }],
    ['OM-185', 'a query that is not taken: INVALID_QUERY', async (w) => { for (const query of ['limit=x', 'limit=1&limit=2', 'page=1']) sees(await w.as(w.mine).get(`/v1/rfqs?${query}`), 400, failure('INVALID_QUERY')) }],
    ['OM-186', 'a cursor that is none, or of another list: INVALID_CURSOR', async (w) => {
      sees(await w.nobody.get('/v1/markets?cursor=x'), 400, failure('INVALID_CURSOR'))
      await w.outcomes(3)
      const { next_cursor } = sees(await w.nobody.get('/v1/markets?limit=1'), 200)
      sees(await w.as(w.mine).get(`/v1/rfqs?cursor=${encodeURIComponent(next_cursor)}`), 400, failure('INVALID_CURSOR'))
    }],
    ['OM-177 OM-189', 'no credential: 401 UNAUTHENTICATED', async (w) => { for (const client of [w.nobody, w.bearer('x'), w.bearer(`${w.seat(w.mine)['api_key']}x`)]) sees(await client.get('/v1/me/balances'), 401, failure('UNAUTHENTICATED')) }],
    ['OM-179 OM-191', 'absent or invisible: 404 NOT_FOUND', async (w) => {
      const { rfq_id } = await w.rfq()
      for (const path of [`/v1/rfqs/${NO_UUID7}`, `/v1/me/positions/${NO_HEX}`, '/v1/nothing']) sees(await w.as(w.mine).get(path), 404, failure('NOT_FOUND'))
      sees(await w.as(w.other).get(`/v1/rfqs/${rfq_id}`), 404, failure('NOT_FOUND'))
    }],
    ['OM-243', 'a page has 1 to 200 entries, 50 when nothing is said', async (w) => {
      for (const path of ['/v1/markets', '/v1/rfqs', '/v1/me/positions', '/v1/me/activity']) {
        const statuses = []
        for (const limit of [0, 1, 200, 201]) statuses.push((await w.as(w.mine).get(`${path}?limit=${limit}`)).status)
        is([path, statuses], [path, [400, 200, 200, 400]])
      }
      holds(sees(await w.nobody.get('/v1/markets'), 200).items.length <= 50, '50 markets at most')
    }],
    ['OM-245 OM-246', 'pages follow by next_cursor, which is null exactly at the end', async (w) => {
      await w.outcomes(4)
      // The catalogue may change meanwhile: then reading begins again (OM-196).
      const pages = async (): Promise<{ readonly ids: readonly string[]; readonly last: Seen }> => {
        const ids: string[] = []
        for (let cursor = ''; ;) {
          const last = await w.nobody.get(`/v1/markets?limit=2${cursor}`)
          if (last.status !== 200) return { ids, last }
          const { items, next_cursor, has_more } = last.body
          is(next_cursor === null, !has_more, 'null at the end alone')
          ids.push(...items.map((one: { outcome_id: string }) => one.outcome_id))
          if (next_cursor === null) return { ids, last }
          cursor = `&cursor=${encodeURIComponent(next_cursor)}`
        }
      }
      let read = await pages()
      for (let i = 0; i < 20 && read.last.status === 409; i++) read = await pages()
      sees(read.last, 200)
      is([new Set(read.ids).size, read.ids.length > 2], [read.ids.length, true], 'each outcome once')
    }],
    ['OM-278 OM-279', 'a body has 65,536 bytes at most, else 400 INVALID_REQUEST', async (w) => {
      const text = JSON.stringify({ stake: '25000000', legs: await w.legs() })
      sees(await w.post(w.mine, '/v1/rfqs', text.padEnd(65_536, ' ')), 201)
      sees(await w.post(w.mine, '/v1/rfqs', text.padEnd(65_537, ' ')), 400, violation(''))
    }],
    ['OM-290', 'routes stand under /v1', async (w) => { for (const path of ['/markets', '/v2/markets', '/me/balances']) sees(await w.as(w.mine).get(path), 404, failure('NOT_FOUND')) }],
  ],
}
