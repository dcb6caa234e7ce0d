import { setTimeout as sleep } from 'node:timers/promises'
import { holds, is, like, sees } from '../expect.ts'
import type { Json, Seen, Socket } from '../client.ts'
import type { Area } from '../rules.ts'
import { fitting, inGoodTime, until } from '../world.ts'
import { failure, newKey, NO_HEX, NO_UUID7, PROTOCOL, SMALL_FRAME_BYTES, type World } from './world.ts'

const LIMITED = failure('RATE_LIMITED', 'BACKOFF')
const WINDOW_MS = 60_000

/**
 * So many calls pass in a minute, and the next one is limited. Returns it. They come abreast, since a minute may be over before as many one by
 * one. Where it was over all the same, they come again in another one.
 */
const allows = (count: number, call: (i: number) => Promise<Seen>): Promise<Seen> => inGoodTime(async () => {
  const beganMs = Date.now()
  const seen = await Promise.all(Array.from({ length: count }, (_, i) => call(i)))
  const last = await call(count)
  is(seen.filter(({ status }) => status !== 429).length, count, 'calls that pass')
  if (last.status !== 429 && Date.now() - beganMs > WINDOW_MS) {
    await sleep(WINDOW_MS)
    return null
  }
  sees(last, 429, LIMITED)
  return last
}, `${count + 1} calls in a minute`)

export const LIMITS: Area<World> = {
  name: 'limits', service: 'outcome', session: 'outcome-limits', isOneByOne: true,
  rows: [
    ['OM-281 OM-182', 'RFQs and cash-outs share 30 a minute', async (w) => {
      await allows(30, (i) => (i % 2 === 0 ? w.post('t1', '/v1/rfqs', {}) : w.post('t1', `/v1/me/positions/${NO_HEX}/cashout`, {})))
    }],
    ['OM-216 OM-280', 'RATE_LIMITED is 429 with Retry-After', async (w) => { like((await allows(30, () => w.post('t2', '/v1/rfqs', {}))).headers['retry-after'], /^[1-9]\d?$/) }],
    ['OM-282', 'accepts: 30', async (w) => { await allows(30, () => w.post('t3', `/v1/quotes/${NO_HEX}/accept`, {})) }],
    ['OM-283', 'quotes: 120', async (w) => { await allows(120, () => w.post('m1', `/v1/rfqs/${NO_UUID7}/quotes`, {})) }],
    ['OM-284', 'pulled quotes: 120', async (w) => { await allows(120, () => w.as('m1').delete(`/v1/quotes/${NO_HEX}`)) }],
    ['OM-285', 'confirms: 120', async (w) => { await allows(120, () => w.as('m1').post(`/v1/quotes/${NO_HEX}/confirm`, { decision: 'DECLINE' })) }],
    ['OM-288', 'reads of positions and capital share 120', async (w) => { await allows(120, (i) => w.as('m2').get(i % 2 === 0 ? '/v1/me/positions' : `/v1/makers/${w.idOf('m2')}/capital`)) }],
    ['OM-289', 'lists of activity: 120', async (w) => { await allows(120, () => w.as('t4').get('/v1/me/activity')) }],
    ['OM-286', 'lists of quotes: 600', async (w) => { await allows(600, () => w.as('t5').get(`/v1/rfqs/${NO_UUID7}/quotes`)) }],
    ['OM-287', 'reads of acceptances: 600', async (w) => { await allows(600, () => w.as('t6').get(`/v1/quotes/${NO_HEX}/acceptance`)) }],
    ['OM-217', 'the eleventh stream of an account: CONNECTION_LIMIT', async (w) => {
      const sockets: Socket[] = []
      for (let i = 0; i < 10; i++) sockets.push((await w.stream('t7', ['account'])).socket)
      sees(await w.as('t7').upgrade('/v1/stream', [PROTOCOL]) as Seen, 429, failure('CONNECTION_LIMIT', 'BACKOFF'))
      for (const socket of sockets) socket.close()
    }],
    ['OM-239', 'state must be loaded anew: RESNAPSHOT_REQUIRED closes the streams of a channel, and a new one begins with a snapshot', async (w) => {
      const [{ socket }, other] = [await w.stream('m3', ['maker']), await w.stream('t8', ['account'])]
      is(await socket.end(), [1008, 'RESNAPSHOT_REQUIRED'])
      is(await Promise.race([other.socket.closed, Promise.resolve('open')]), 'open')
      const again = await w.stream('m3', ['maker'])
      like(again.snapshot, { type: 'snapshot', cursor: String })
      for (const each of [other, again]) each.socket.close()
    }],
  ],
}

export const SMALL: Area<World> = {
  name: 'small settings', service: 'outcome', session: 'outcome-small', isOneByOne: true,
  rows: [
    ['OM-240', 'a snapshot above what a frame may have: SNAPSHOT_TOO_LARGE', async (w) => {
      const socket = await w.as('t1').socket('/v1/stream', [PROTOCOL])
      socket.say({ type: 'subscribe', channels: ['account'] })
      is(await socket.end(), [1013, 'SNAPSHOT_TOO_LARGE'])
    }],
    ['OM-162', 'a frame of prices is never longer than frames may be: the socket is closed instead', async (w) => {
      const first = async (outcomes: readonly string[]): Promise<Json> => {
        const socket = await w.nobody.socket('/v1/market-stream', [PROTOCOL])
        socket.say({ type: 'subscribe', outcomes })
        const frame = await Promise.race([socket.next(({ type, prices }) => type === 'prices' && prices.length === outcomes.length, 'prices'), socket.end()])
        socket.close()
        return frame
      }
      const outcomes = await w.outcomes(8)
      // A frame has its head, and each price with a comma. The cursor in the head grows by a digit now and then.
      const lengthOf = (frame: Json): number => JSON.stringify(frame.prices[0]).length
      const bytesOf = (alone: readonly Json[]): number => alone[0].bytes - lengthOf(alone[0]) + alone.reduce((sum, frame) => sum + lengthOf(frame), 0) + alone.length - 1
      const alone = (count: number): Promise<Json[]> => Promise.all(outcomes.slice(0, count).map((outcome) => first([outcome])))
      const ends: string[] = []
      for (let count = 1; count <= outcomes.length; count++) {
        // Prices change meanwhile, and their lengths with them.
        const [before, frame] = await fitting(async () => [bytesOf(await alone(count)), await first(outcomes.slice(0, count)), bytesOf(await alone(count))], ([one, , other]) => Math.abs(one - other) <= 1, 'prices of one length')
        if (Array.isArray(frame)) is(frame, [1013, 'SNAPSHOT_TOO_LARGE'])
        else holds(frame.bytes <= SMALL_FRAME_BYTES, 'a frame of 300 bytes at most')
        if (Math.abs(before - SMALL_FRAME_BYTES) > 8) is([count, Array.isArray(frame)], [count, before > SMALL_FRAME_BYTES])
        ends.push(Array.isArray(frame) ? 'closed' : 'told')
      }
      is([ends[0], ends.at(-1)], ['told', 'closed'])
    }],
    ['OM-197', 'a cursor of an account that is too old: CURSOR_EXPIRED', async (w) => {
      for (let i = 0; i < 3; i++) sees(await w.post('t2', '/v1/rfqs', { stake: '25000000', legs: await w.legs() }), 201)
      const { next_cursor } = sees(await w.as('t2').get('/v1/rfqs?limit=1'), 200)
      await new Promise((resolve) => { setTimeout(resolve, 2500) })
      sees(await w.as('t2').get(`/v1/rfqs?limit=1&cursor=${encodeURIComponent(next_cursor)}`), 409, failure('CURSOR_EXPIRED', 'REFRESH'))
    }],
    ['OM-241 OM-242', 'a caller below its own limit meets that of all callers', async (w) => {
      await allows(40, (i) => w.as(i < 40 ? `t${3 + i % 10}` : 't20').get('/v1/me/activity'))
    }],
  ],
}

/** Each fault comes again every 44 s. */
const ROUNDS_MS = 220_000
const when = (code: string) => ({ body }: Seen): boolean => body?.error?.code === code
/** What is answered while something is away. */
const away = (ids: string, code: string, call: (w: World) => Promise<Seen>): readonly [string, string, (w: World) => Promise<void>] =>
  [ids, code, async (w) => {
    const seen = await until(() => call(w), when(code), code, ROUNDS_MS)
    sees(seen, 503, failure(code, 'BACKOFF'))
    like(seen.headers['retry-after'], /^\d+$/)
  }]

/** What is seen while something that the service needs is away: one fault after another, as the session's scenario has them. */
export const FAULTS: Area<World> = {
  name: 'faults', service: 'outcome', session: 'outcome-faults',
  rows: [
    away('OM-222 OM-183', 'DEPENDENCY_STALE', (w) => w.as('t1').get('/v1/rfqs')),
    away('OM-224', 'SOURCE_UNAVAILABLE', (w) => w.as('t2').get('/v1/me/balances')),
    away('OM-225', 'CONTRACT_UNAVAILABLE', (w) => w.post('t3', '/v1/rfqs', { stake: '25000000', legs: [{ outcome_id: '1', side: 'YES' }] })),
    away('OM-226', 'MARKET_DATA_UNAVAILABLE', (w) => w.nobody.get('/v1/markets')),
    away('OM-229', 'SPONSORSHIP_UNAVAILABLE', async (w) => {
      const key = newKey()
      return w.post('t4', '/v1/me/withdrawals', await w.withdrawal('t4', key, '1000'), key)
    }),
    away('OM-230', 'CONTRACT_SIGNATURE_OVERLOADED', async (w) => {
      const key = newKey()
      return w.post('m1', `/v1/makers/${w.idOf('m1')}/collateral-reductions`, await w.reduction('m1', key, '1000'), key)
    }),
    away('OM-232', 'COMBO_AUTOMATIC_DISABLED', (w) => w.post('t5', '/v1/rfqs', { stake: '25000000', legs: [{ outcome_id: '1', side: 'YES' }, { outcome_id: '2', side: 'YES' }] })),
    away('OM-227', 'FINANCIAL_ACTIONS_DISABLED', async (w) => {
      const key = newKey()
      return w.post('t6', '/v1/me/withdrawals', await w.withdrawal('t6', key, '1000'), key)
    }),
    away('OM-233', 'EMBEDDED_WALLET_UNAVAILABLE', async (w) => {
      // An address has a hundred sign-ins a minute.
      await sleep(750)
      return w.signIn('t24')
    }),
    away('OM-223', 'AUTHORIZATION_UNAVAILABLE', (w) => w.as('t7').get('/v1/me/balances')),
  ],
}
