import { holds, is, like, sees } from '../expect.ts'
import type { Json, Seen, Socket } from '../client.ts'
import type { Area } from '../rules.ts'
import { INSTANT, until } from '../world.ts'
import { AMOUNT, failure, PROTOCOL, REPLAY_S, type World } from './world.ts'

const ofEvent = (event: string, id: string, value: unknown) => (frame: Json): boolean => frame.event === event && frame.data[id] === value

/** A socket of prices that has subscribed. */
async function prices(w: World, subscribe: object): Promise<Socket> {
  const socket = await w.nobody.socket('/v1/market-stream', [PROTOCOL])
  socket.say({ type: 'subscribe', ...subscribe })
  return socket
}

/** How a socket is closed that says this first. */
async function closedOn(w: World, frame: object | string, path = '/v1/stream'): Promise<readonly [number, string]> {
  const socket = await w.as(w.mine).socket(path, [PROTOCOL])
  socket.say(frame)
  return socket.end()
}

/** Seconds of the wire between the first heartbeats of a stream. */
async function beats(w: World, count: number, more: object): Promise<readonly number[]> {
  const { socket } = await w.stream(w.mine, ['account'], more)
  const at: number[] = []
  while (at.length < count) at.push(Date.parse((await socket.next(({ type }) => type === 'heartbeat', 'a heartbeat')).sent_at))
  socket.close()
  return at.slice(1).map((ms, i) => (ms - at[i]!) / 1000)
}

export const STREAMS: Area<World> = {
  name: 'streams', service: 'outcome', session: 'outcome',
  rows: [
    ['OM-002 OM-068', 'a socket tells of an account and of a maker', async (w) => {
      const { socket, snapshot } = await w.stream('m1', ['account', 'maker'])
      like(snapshot, { type: 'snapshot', cursor: AMOUNT })
      is(socket.protocol, PROTOCOL)
      socket.close()
    }],
    ['OM-003 OM-069', 'another one tells of prices, without a key', async (w) => {
      const outcomes = await w.outcomes(2)
      const socket = await prices(w, { outcomes })
      like(await socket.next(({ type }) => type === 'prices', 'prices'), { type: 'prices', cursor: AMOUNT, prices: Array.isArray })
      socket.close()
    }],
    ['OM-044 OM-161', 'prices are of 1 to 256 outcomes by their ids', async (w) => {
      const [outcome] = await w.outcomes(1)
      const socket = await prices(w, { outcomes: [outcome] })
      const frame = await socket.next(({ type }) => type === 'prices', 'prices')
      holds(frame.prices.every((one: Json) => one.outcome_id === outcome), 'that outcome alone')
      socket.close()
      for (const outcomes of [[], Array.from({ length: 257 }, (_, i) => String(i))]) is(await closedOn(w, { type: 'subscribe', outcomes }, '/v1/market-stream'), [1008, 'INVALID_SUBSCRIPTION'])
    }],
    ['OM-150', 'four events tell a trade from both sides', async (w) => {
      const [maker, taker] = [await w.stream('m1', ['maker']), await w.stream(w.mine, ['account'])]
      const { rfq, quote, acceptance } = await w.fill()
      await maker.socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id), 'RFQ_CREATED')
      const terms = { rfq_id: rfq.rfq_id, generation: rfq.generation, kind: 'ENTRY', quote_id: quote.quote_id, maker_id: w.idOf('m1'), payout: '99000000', risk: quote.risk, net_stake: '24950000' }
      like((await taker.socket.next(ofEvent('QUOTE_CREATED', 'quote_id', quote.quote_id), 'QUOTE_CREATED')).data, { ...terms, expires_at: quote.expires_at })
      like((await maker.socket.next(ofEvent('QUOTE_ACCEPTED', 'quote_id', quote.quote_id), 'QUOTE_ACCEPTED')).data, {
        ...terms, acceptance_id: acceptance.acceptance_id, stake: '25000000', confirm_until: acceptance.confirm_until, legs: rfq.legs,
      })
      await taker.socket.next(ofEvent('OPERATION_UPDATED', 'operation_id', acceptance.operation_id), 'OPERATION_UPDATED')
      for (const { socket } of [maker, taker]) socket.close()
    }],
    ['OM-164', 'an event has its name, its cursor, its instant and its data', async (w) => {
      const { socket } = await w.stream('m2', ['maker'])
      const rfq = await w.rfq()
      like(await socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id), 'RFQ_CREATED'), {
        type: 'event', cursor: AMOUNT, occurred_at: INSTANT, data: { generation: rfq.generation, kind: 'ENTRY', net_stake: '24950000', stake: '25000000', taker_fee_bps: 20, fee_bps: 100, open_until: INSTANT, legs: rfq.legs },
      })
      socket.close()
    }],
    ['OM-166', 'a snapshot has a list for each class', async (w) => {
      const rfq = await w.rfq()
      const { socket, snapshot } = await w.stream(w.mine, ['account'])
      like(snapshot, { rfqs: (list: Json[]) => list.some((one) => one.rfq_id === rfq.rfq_id), positions: Array.isArray, operations: Array.isArray })
      socket.close()
    }],
    ['OM-165 OM-160', 'the first frame subscribes, or the socket is closed', async (w) => {
      for (const frame of ['{', 'x', { type: 'hello' }, { type: 'subscribe' }, { type: 'subscribe', channels: [] }, { type: 'subscribe', channels: ['account'], memo: 1 }]) is(await closedOn(w, frame), [1008, 'INVALID_SUBSCRIPTION'])
    }],
    ['OM-235', 'INVALID_SUBSCRIPTION closes with 1008', async (w) => { is(await closedOn(w, { type: 'subscribe', channels: ['house'] }), [1008, 'INVALID_SUBSCRIPTION']) }],
    ['OM-236', 'a channel that is not open to the credential: SUBSCRIPTION_DENIED', async (w) => {
      is(await closedOn(w, { type: 'subscribe', channels: ['maker'] }), [1008, 'SUBSCRIPTION_DENIED'])
      is(await closedOn(w, { type: 'subscribe', outcomes: ['1'] }, '/v1/market-stream'), [1008, 'SUBSCRIPTION_DENIED'])
    }],
    ['OM-175', 'a close has the error’s code as its reason', async (w) => { like((await closedOn(w, '{'))[1], /^[A-Z_]+$/) }],
    ['OM-188', 'without the subprotocol: SUBPROTOCOL_REQUIRED', async (w) => {
      sees(await w.as(w.mine).get('/v1/stream'), 400, failure('SUBPROTOCOL_REQUIRED'))
      sees(await w.as(w.mine).upgrade('/v1/stream', ['other.v1']) as Seen, 400, failure('SUBPROTOCOL_REQUIRED'))
    }],
    ['OM-295', 'both sockets speak outcome-rfq.v1, take publication_freshness, and a cursor', async (w) => {
      const outcomes = await w.outcomes(1)
      const socket = await prices(w, { outcomes, publication_freshness: true })
      const { cursor } = await socket.next(({ type }) => type === 'prices' || type === 'heartbeat', 'a frame')
      is(socket.protocol, PROTOCOL)
      socket.close()
      const again = await prices(w, { outcomes, cursor, publication_freshness: true })
      like(await again.next(({ type }) => type === 'prices' || type === 'heartbeat', 'a frame behind the cursor'), { cursor: (text: string) => BigInt(text) >= BigInt(cursor) })
      again.close()
    }],
    ['OM-155', 'a stream is resumed from a cursor: what came since comes again', async (w) => {
      const { socket, snapshot } = await w.stream('m2', ['maker'])
      const rfq = await w.rfq()
      const first = await socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id), 'RFQ_CREATED')
      socket.close()
      const again = await w.stream('m2', ['maker'], { cursor: snapshot.cursor })
      is(await again.socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id), 'RFQ_CREATED again'), first)
      again.socket.close()
    }],
    ['OM-198', 'a cursor that cannot be replayed: CURSOR_RESET', async (w) => { is(await closedOn(w, { type: 'subscribe', channels: ['account'], cursor: '9000000000000000' }), [1008, 'CURSOR_RESET']) }],
    ['OM-146 OM-237', 'a stream ends with its credential: AUTHORIZATION_REVOKED', async (w) => {
      const { client, key } = await w.keyWith(w.mine, ['account:stream'])
      const socket = await client.socket('/v1/stream', [PROTOCOL])
      socket.say({ type: 'subscribe', channels: ['account'] })
      await socket.next(({ type }) => type === 'snapshot', 'a snapshot')
      sees(await (await w.session(w.mine)).client.delete(`/v1/me/api-keys/${key.id}`), 204)
      is(await socket.end(), [1008, 'AUTHORIZATION_REVOKED'])
    }],
  ],
}

export const HEARTBEATS: Area<World> = {
  name: 'heartbeats', service: 'outcome', session: 'outcome-fast',
  rows: [
    ['OM-158', 'a stream beats every 15 s', async (w) => { is(await beats(w, 3, {}), [15, 15]) }],
    ['OM-159', 'and every second with publication_freshness', async (w) => { is(await beats(w, 4, { publication_freshness: true }), [1, 1, 1]) }],
  ],
}

/** Instant of the wire. A challenge lasts five minutes, and asking for one is no command. */
async function nowMs(w: World): Promise<number> {
  const { expires_at } = sees(await w.nobody.with({ origin: w.origin }).post('/v1/auth/wallet-challenges', { address: w.seat(w.mine)['wallet_address'] }), 201)
  return Date.parse(expires_at) - 300_000
}

/** What takes minutes. */
export const MINUTES: Area<World> = {
  name: 'minutes', service: 'outcome', session: 'outcome-fast',
  rows: [
    ['OM-196', 'a cursor of an earlier catalogue: STALE_CURSOR, and reading begins again', async (w) => {
      const { next_cursor } = (await until(() => w.nobody.get('/v1/markets?limit=1'), ({ body }) => body.has_more === true, 'two markets')).body
      const seen = await until(() => w.nobody.get(`/v1/markets?limit=1&cursor=${encodeURIComponent(next_cursor)}`), ({ status }) => status !== 200, 'another catalogue')
      sees(seen, 409, failure('STALE_CURSOR', 'REFRESH'))
      sees(await w.nobody.get('/v1/markets?limit=1'), 200)
    }],
    ['OM-156', 'what came since a cursor comes again for the window’s time, and then it is CURSOR_RESET', async (w) => {
      const { socket } = await w.stream('m1', ['maker'])
      const [rfq, later] = [await w.rfq(), await w.rfq()]
      const { cursor } = await socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq.rfq_id), 'RFQ_CREATED')
      const { occurred_at } = await socket.next(ofEvent('RFQ_CREATED', 'rfq_id', later.rfq_id), 'the next RFQ_CREATED')
      socket.close()
      const secondsAfter = (ms: number): number => (ms - Date.parse(occurred_at)) / 1000
      for (let replayed = 0; ;) {
        const before = secondsAfter(await nowMs(w))
        const again = (await w.stream('m1', ['maker'], { cursor })).socket
        const frame = await Promise.race([again.next(ofEvent('RFQ_CREATED', 'rfq_id', later.rfq_id), 'RFQ_CREATED again'), again.end()])
        again.close()
        // A client has ten seconds to subscribe, which are two on the wall.
        if (Array.isArray(frame) && frame[1] === 'INVALID_SUBSCRIPTION') continue
        if (Array.isArray(frame)) {
          const after = secondsAfter(await nowMs(w))
          is(frame, [1008, 'CURSOR_RESET'])
          holds(replayed > REPLAY_S / 2 && after >= REPLAY_S, `replays for ${REPLAY_S} s, not the last after ${replayed} s and the close before ${after} s`)
          break
        }
        holds(before < REPLAY_S, `no replay after ${REPLAY_S} s, not after ${before} s`)
        replayed = before
        await new Promise((resolve) => { setTimeout(resolve, 200) })
      }
      const { socket: fresh, snapshot } = await w.stream('m1', ['maker'])
      like(snapshot.cursor, AMOUNT)
      fresh.close()
    }],
  ],
}

/** What a client leaves unread here is more than the service keeps for it, and than the system's buffers between them take. */
const UNREAD_BYTES = 11 << 20
/** RFQs that are made at a time. */
const ABREAST = 32

/** Opens the maker's stream behind a cursor, reads nothing at first, and then everything until the close. */
async function slowly(w: World, cursor: string, ms: number): Promise<{ readonly frames: readonly Json[]; readonly close: readonly [number, string] | null }> {
  const { socket } = await w.stream('m1', ['maker'], { cursor })
  socket.stall()
  await new Promise((resolve) => { setTimeout(resolve, ms) })
  socket.resume()
  const close = await Promise.race([socket.closed, socket.next(({ type }) => type === 'heartbeat', 'a heartbeat').then(() => null)])
  socket.close()
  return { frames: socket.all.filter(({ type }) => type === 'event'), close }
}

/** What takes many RFQs of one account. */
export const WIDE: Area<World> = {
  name: 'many RFQs', service: 'outcome', session: 'outcome-wide', isOneByOne: true,
  rows: [
    ['OM-157', 'a snapshot has 100 items of a class, the newest', async (w) => {
      const legs = await w.legs()
      const made: string[] = []
      const snapshotAfter = async (count: number): Promise<readonly string[]> => {
        while (made.length < count) made.push((await w.rfq('t1', '25000000', legs)).rfq_id)
        const { socket, snapshot } = await w.stream('t1', ['account'])
        socket.close()
        return snapshot.rfqs.map((one: Json) => one.rfq_id)
      }
      is(new Set(await snapshotAfter(100)), new Set(made), 'all of 100')
      is(new Set(await snapshotAfter(101)), new Set(made.slice(1)), 'the newest 100 of 101')
    }],
    ['OM-238', 'a client that does not read is closed with SLOW_CONSUMER, and goes on where it was', async (w) => {
      const legs = await w.legs(50)
      const { socket, snapshot } = await w.stream('m1', ['maker'])
      const { rfq_id } = await w.rfq('t2', '25000000', legs)
      const count = Math.ceil(UNREAD_BYTES / (await socket.next(ofEvent('RFQ_CREATED', 'rfq_id', rfq_id), 'RFQ_CREATED')).bytes)
      socket.close()
      for (let made = 1; made < count; made += ABREAST) await Promise.all(Array.from({ length: Math.min(ABREAST, count - made) }, () => w.rfq('t2', '25000000', legs)))
      const [seen, pauses]: [string[], number[]] = [[], [100, 300, 900, 0, 2700]]
      // A client that pauses for too short a time is not slow, and one that pauses for too long is cut off before it could read its close.
      while (!seen.includes('1008,SLOW_CONSUMER') && pauses.length > 0) {
        const [pauseMs, cursors, closes]: [number, string[], string[]] = [pauses.shift()!, [], []]
        for (let cursor = snapshot.cursor; cursors.length < count && closes.length < 50;) {
          const { frames, close } = await slowly(w, cursor, closes.length < 5 ? pauseMs : 0)
          cursors.push(...frames.map((frame) => frame.cursor))
          closes.push(String(close))
          cursor = cursors.at(-1) ?? cursor
        }
        is([cursors.length, new Set(cursors).size], [count, count], 'every event once')
        is(closes.filter((close) => !['1008,SLOW_CONSUMER', '1006,', 'null'].includes(close)), [])
        seen.push(...closes)
      }
      holds(seen.includes('1008,SLOW_CONSUMER'), `a close with SLOW_CONSUMER, not ${seen.join(' ')}`)
    }],
  ],
}

/** The end of a session. */
export const DRAIN: Area<World> = {
  name: 'drain', service: 'outcome', session: 'outcome-fast', isOneByOne: true,
  rows: [
    ['OM-234 OM-163', 'streams are closed with CONNECTION_DRAIN, after a cursor to resume from', async (w) => {
      const { socket, snapshot } = await w.stream(w.mine, ['account'])
      like(snapshot.cursor, AMOUNT)
      w.drain()
      is(await socket.end(), [1012, 'CONNECTION_DRAIN'])
    }],
  ],
}
