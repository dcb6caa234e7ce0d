import { setTimeout as sleep } from 'node:timers/promises'
import { holds, is, like, sees } from '../expect.ts'
import type { Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, until } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const LIMIT = 'x-ratelimit-limit'
const LEFT = 'x-ratelimit-remaining'
const RESET = 'x-ratelimit-reset'
const LIMITED = { error: { code: 'RATE_LIMITED' } }

/** The first call of a new window, of so many: the session has called for its seats when it began. A window lasts a minute. */
const fresh = (count: number, call: () => Promise<Seen>): Promise<Seen> => until(call, ({ headers }) => headers[LEFT] === String(count - 1), 'a new window', 90_000)

/** Calls of one window, which each answer names by its end. What was called across the end of a window is called again. */
const inOneWindow = <T extends readonly Seen[]>(call: () => Promise<T>): Promise<T> => inGoodTime(async () => {
  const seen = await call()
  if (new Set(seen.map(({ headers }) => headers[RESET])).size === 1) return seen
  for (const { status } of seen) holds(status < 500, 'an answer')
  return null
}, 'calls of one window')

/** So many calls pass, each with one less left, and the next one is limited. They come abreast, since a window may be over before as many one by one. */
async function allows(count: number, call: () => Promise<Seen>, next = call): Promise<Seen> {
  const [first, ...others] = await inOneWindow(async () => [await fresh(count, call), ...await Promise.all(Array.from({ length: count - 1 }, call)), await next()])
  const last = others.pop()!
  const lefts: number[] = []
  for (const { status, headers } of [first!, ...others]) {
    holds(status !== 429, `each of ${count} calls`)
    is(headers[LIMIT], String(count), 'the limit')
    lefts.push(Number(headers[LEFT]))
  }
  is(lefts.toSorted((x, y) => y - x), Array.from({ length: count }, (_, i) => count - 1 - i), 'what is left after each call')
  sees(last, 429, LIMITED)
  return last
}
/** An answer of a full window: that of an earlier row may be over. */
const limited = (call: () => Promise<Seen>): Promise<Seen> => until(call, ({ status }) => status === 429, 'a limit', 90_000)

const left = ({ status, headers }: Seen): number => {
  is(status, 200)
  return Number(headers[LEFT])
}

const capped = (path: string, cap: number, body: object, ids: string, name: string): readonly [string, string, (w: World) => Promise<void>] =>
  [ids, `${path} is capped at ${cap} a minute, on top of the bucket`, async (w) => {
    const portfolio = (): Promise<Seen> => w.jwt(name).get('/v1/portfolio')
    let calls = 0
    const [, now] = await inOneWindow(async () => {
      const begin = await fresh(300, portfolio)
      calls = 0
      await allows(cap, () => {
        calls++
        return w.jwt(name).post(path, body)
      })
      return [begin, await portfolio()]
    })
    is(left(now!), 299 - calls - 1, `what is left in the bucket after ${calls} calls`)
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
    ['PQ-448', 'a 429 has Retry-After in seconds', async (w) => { like((await limited(() => w.as('b1').get('/v1/portfolio'))).headers['retry-after'], /^[1-9]\d?$/) }],
    ['PQ-432', 'the bucket is that of every call that needs a key', async (w) => {
      const paths = ['/v1/portfolio', '/v1/parlays', '/v1/api-keys', '/v1/webhooks/deliveries', '/v1/mm/quotes', '/v1/mm/positions', '/mm/quotes', '/mm/positions', '/app/x', '/rfqs/x', '/parlay-shares/x']
      const [, ...seen] = await inOneWindow(async () => {
        const all = [await fresh(300, () => w.jwt('m1').get('/v1/portfolio'))]
        for (const path of paths) all.push(await w.jwt('m1').get(path))
        return all
      })
      is(seen.map(({ status, headers }) => [status, headers[LEFT]]), paths.map((path, i) => [path.endsWith('/x') ? 404 : 200, String(298 - i)]))
    }],
    ['PQ-450 PQ-439 PQ-342', 'the quote service has 300 of its own, and tells the wait by the header alone', async (w) => {
      await fresh(300, () => w.as('b3').get('/v1/portfolio'))
      const { body, headers } = await allows(300, () => w.as('b3').get(`/v1/quote-requests/${NO_ID}`))
      is('retry_after' in body.error, false, 'retry_after in the body')
      like(headers['retry-after'], /^[1-9]\d?$/)
      holds([298, 299].includes(left(await w.as('b3').get('/v1/portfolio'))), 'none of these calls in the account’s bucket')
    }],
    ['PQ-438', 'its bucket is that of its four paths', async (w) => {
      const calls = [['GET', `/v1/quote-requests/${NO_ID}`], ['GET', `/v1/cashout-requests/${NO_ID}`], ['DELETE', `/v1/mm/quote-requests/${NO_ID}/quote`], ['PUT', `/v1/mm/cashout-requests/${NO_ID}/quote`]] as const
      const [, ...seen] = await inOneWindow(async () => {
        const all = [await fresh(300, () => w.as('m2').get(`/v1/quote-requests/${NO_ID}`))]
        for (const [method, path] of calls) all.push(await w.as('m2').call(method, path))
        return all
      })
      is(seen.map(({ status, headers }) => [status, headers[LEFT]]), [[404, '298'], [404, '297'], [404, '296'], [400, '295']])
    }],
    ['PQ-434', 'an address without a key has 100', async (w) => { await allows(100, () => w.nobody.get('/v1/portfolio')) }],
    ['PQ-436 PQ-437 PQ-449', 'reads of the markets have 100 by address: a key neither raises that nor is charged', async (w) => {
      await fresh(300, () => w.as('b4').get('/v1/portfolio'))
      let calls = 0
      await allows(100, () => (calls++ % 2 === 0 ? w.as('b4') : w.nobody).get('/v1/markets?limit=1'), () => w.as('b5').get('/v1/markets'))
      holds([298, 299].includes(left(await w.as('b4').get('/v1/portfolio'))), 'none of these calls in the account’s bucket')
    }],
    ['PQ-435', 'both paths of the markets and those of referrals are in that bucket', async (w) => {
      const paths = ['/markets', '/v1/markets', '/referral/x']
      // A call with a key has room in every other bucket.
      const seen = await inOneWindow(async () => [await limited(() => w.nobody.get('/v1/markets')), ...await Promise.all(paths.map((path) => w.as('b5').get(path)))])
      is(seen.map(({ status }) => status), [429, 429, 429, 429])
    }],
    capped('/v1/wallet/withdraw', 5, { amount: 0.01, address: '1'.repeat(32) }, 'PQ-441 PQ-440', 'b6'),
    capped('/v1/vault/deposit', 10, { amount: 0.01 }, 'PQ-442', 'b7'),
    capped('/v1/vault/withdraw', 10, { amount: 0.01 }, 'PQ-443', 'b8'),
    capped('/v1/wallet/submit-tx', 10, { transaction: 'x' }, 'PQ-444', 'b9'),
    ['PQ-465', 'the window begins with the first call, and its end in Unix seconds does not move', async (w) => {
      const portfolio = (): Promise<Seen> => w.as('b10').get('/v1/portfolio')
      const began = Date.now() / 1000
      const { headers } = await fresh(300, portfolio)
      const first = Number(headers[RESET])
      // It is rounded up to a second.
      holds(Number.isInteger(first) && first >= began + 59 && first <= Date.now() / 1000 + 62, `an end a minute ahead, not ${first - began} s after the call`)
      await sleep(2000)
      const again = await portfolio()
      // A machine that others load may be in the next window by then.
      holds(Number(again.headers[RESET]) === first || left(again) === 299, 'an end that does not move')
      is(again.status, 200)
    }],
  ],
}
