import { holds, is, like, sees } from '../expect.ts'
import type { Client, Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { until } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const LIMIT = 'x-ratelimit-limit'
const LEFT = 'x-ratelimit-remaining'
const LIMITED = { error: { code: 'RATE_LIMITED' } }

/** The first call of a new window, of so many: the session has called for its seats when it began. */
const fresh = (count: number, call: () => Promise<Seen>): Promise<Seen> => until(call, ({ headers }) => headers[LEFT] === String(count - 1), 'a new window')

/** So many calls pass, each with one less left, and the next one is limited. Returns it. */
async function allows(count: number, call: () => Promise<Seen>): Promise<Seen> {
  const { headers } = await fresh(count, call)
  is(headers[LIMIT], String(count), 'the limit')
  for (let i = 1; i < count; i++) {
    const { status, headers } = await call()
    holds(status !== 429, `call ${i + 1} of ${count}`)
    is([headers[LIMIT], headers[LEFT]], [String(count), String(count - 1 - i)], `the limit after call ${i + 1}`)
  }
  const seen = await call()
  sees(seen, 429, LIMITED)
  return seen
}
const left = async (client: Client): Promise<number> => {
  const { status, headers } = await client.get('/v1/portfolio')
  is(status, 200)
  return Number(headers[LEFT])
}

const capped = (path: string, cap: number, body: object, ids: string, name: string): readonly [string, string, (w: World) => Promise<void>] =>
  [ids, `${path} is capped at ${cap} a minute, on top of the bucket`, async (w) => {
    await fresh(300, () => w.jwt(name).get('/v1/portfolio'))
    const calls: number[] = []
    await allows(cap, () => {
      calls.push(0)
      return w.jwt(name).post(path, body)
    })
    const now = await left(w.jwt(name))
    // The window may have ended meanwhile.
    holds(now === 299 - calls.length - 1 || calls.length > cap + 1, `${calls.length} calls counted in the bucket, of which ${now} are left`)
  }]

export const LIMITS: Area<World> = {
  name: 'limits', service: 'parlay', session: 'parlay-limits', isOneByOne: true,
  rows: [
    ['PQ-433 PQ-350 PQ-341', 'an account has 300 calls a minute, then 429 with the wait in the body too', async (w) => {
      const { body, headers } = await allows(300, () => w.as('b1').get('/v1/portfolio'))
      like(body.error.retry_after, (seconds: number) => Number.isInteger(seconds) && seconds > 0 && seconds <= 60)
      is(headers['retry-after'], String(body.error.retry_after))
      sees(await w.as('b2').get('/v1/portfolio'), 200)
    }],
    ['PQ-448', 'a 429 has Retry-After in seconds', async (w) => { 
      const { status, headers } = await w.as('b1').get('/v1/portfolio')
      is(status, 429)
      like(headers['retry-after'], /^[1-9]\d?$/)
    }],
    ['PQ-432', 'the bucket is that of every call that needs a key', async (w) => {
      const paths = ['/v1/portfolio', '/v1/parlays', '/v1/api-keys', '/v1/webhooks/deliveries', '/v1/mm/quotes', '/v1/mm/positions', '/mm/quotes', '/mm/positions', '/app/x', '/rfqs/x', '/parlay-shares/x']
      await fresh(300, () => w.jwt('m1').get('/v1/portfolio'))
      const seen = []
      for (const path of paths) {
        const { status, headers } = await w.jwt('m1').get(path)
        seen.push([status, headers[LEFT]])
      }
      is(seen, paths.map((path, i) => [path.endsWith('/x') ? 404 : 200, String(298 - i)]))
    }],
    ['PQ-450 PQ-439 PQ-342', 'the quote service has 300 of its own, and tells the wait by the header alone', async (w) => {
      await fresh(300, () => w.as('b3').get('/v1/portfolio'))
      const { body, headers } = await allows(300, () => w.as('b3').get(`/v1/quote-requests/${NO_ID}`))
      is('retry_after' in body.error, false, 'retry_after in the body')
      like(headers['retry-after'], /^[1-9]\d?$/)
      holds([298, 299].includes(await left(w.as('b3'))), 'none of these calls in the account’s bucket')
    }],
    ['PQ-438', 'its bucket is that of its four paths', async (w) => {
      const calls = [['GET', `/v1/quote-requests/${NO_ID}`], ['GET', `/v1/cashout-requests/${NO_ID}`], ['DELETE', `/v1/mm/quote-requests/${NO_ID}/quote`], ['PUT', `/v1/mm/cashout-requests/${NO_ID}/quote`]] as const
      await fresh(300, () => w.as('m2').get(`/v1/quote-requests/${NO_ID}`))
      const seen = []
      for (const [method, path] of calls) {
        const { status, headers } = await w.as('m2').call(method, path)
        seen.push([status, headers[LEFT]])
      }
      is(seen, [[404, '298'], [404, '297'], [404, '296'], [400, '295']])
    }],
    ['PQ-434', 'an address without a key has 100', async (w) => { await allows(100, () => w.nobody.get('/v1/portfolio')) }],
    ['PQ-436 PQ-437 PQ-449', 'reads of the markets have 100 by address: a key neither raises that nor is charged', async (w) => {
      await fresh(300, () => w.as('b4').get('/v1/portfolio'))
      let calls = 0
      await allows(100, () => (calls++ % 2 === 0 ? w.as('b4') : w.nobody).get('/v1/markets?limit=1'))
      sees(await w.as('b5').get('/v1/markets'), 429)
      holds([298, 299].includes(await left(w.as('b4'))), 'none of these calls in the account’s bucket')
    }],
    ['PQ-435', 'both paths of the markets and those of referrals are in that bucket', async (w) => { for (const path of ['/markets', '/v1/markets', '/referral/x']) is((await w.nobody.get(path)).status, 429, path) }],
    capped('/v1/wallet/withdraw', 5, { amount: 0.01, address: '1'.repeat(32) }, 'PQ-441 PQ-440', 'b6'),
    capped('/v1/vault/deposit', 10, { amount: 0.01 }, 'PQ-442', 'b7'),
    capped('/v1/vault/withdraw', 10, { amount: 0.01 }, 'PQ-443', 'b8'),
    capped('/v1/wallet/submit-tx', 10, { transaction: 'x' }, 'PQ-444', 'b9'),
    ['PQ-465', 'the window begins with the first call, and its end in Unix seconds does not move', async (w) => {
      const reset = async (): Promise<number> => {
        const { status, headers } = await w.as('b10').get('/v1/portfolio')
        is(status, 200)
        return Number(headers['x-ratelimit-reset'])
      }
      await fresh(300, () => w.as('b10').get('/v1/portfolio'))
      const first = await reset()
      const seconds = first - Date.now() / 1000
      holds(Number.isInteger(first) && seconds > 0, `an end ahead, not in ${seconds} s`)
      is(await reset(), first)
    }],
  ],
}
