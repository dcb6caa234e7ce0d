import { describe, expect, it } from 'vitest'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { LEGS, ParlayBench, SECOND } from './bench.ts'

const streamRows = (b: ParlayBench) => b.kinds.filter((kind) => kind === ParlayEvent.streamOpened || kind === ParlayEvent.streamClosed)

describe('server-sent events', () => {
  it('PQ-207 PQ-331 PQ-332 tell makers and bettors of requests, best quotes and cash-outs', () => {
    const b = new ParlayBench()
    const maker = b.open('events', '/v1/mm/stream', { as: 'ours' })
    const bettor = b.open('events', '/v1/stream', { as: 'rich' })
    const { rfq_id } = b.fill()
    b.call('POST', '/v1/cashout-requests', { as: 'bettor', body: { rfq_id } })
    b.pass(1000)
    // The best quote is gone once it is filled.
    expect(maker.events.map(({ event }) => event)).toEqual(['quote_request', 'best_quote', 'best_quote', 'cashout_request'])
    expect(bettor.events).toEqual(maker.events)
    expect(maker.events.at(-1)!.data).toMatchObject({ rfq_id, position_id: expect.stringMatching(/^[0-9a-f]{64}$/), max_price_micro: 99_000_000, total_payout: 99 })
    const ids = maker.events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, c) => a - c))
  })

  it('PQ-180 PQ-047 PQ-045 carry the request as its owner reads it, and its next version', () => {
    const b = new ParlayBench()
    const streams = [b.open('events', '/v1/mm/stream', { as: 'ours' }), b.open('events', '/v1/stream', { as: 'rich' })]
    const legs = [{ ...LEGS[0], note: 'mine' }, LEGS[1]]
    const first = b.call('POST', '/v1/quote-requests', { as: 'bettor', body: { legs, bet_amount: 25 } }).body.data.quote_request
    const second = b.call('PATCH', `/v1/quote-requests/${first.id}`, { as: 'bettor', body: { legs: LEGS, bet_amount: 5 } }).body.data.quote_request
    b.pass(1000)
    for (const stream of streams) expect(stream.events.map(({ data }) => data)).toEqual([first, second])
    expect(first.input_legs).toEqual(legs)
  })

  it('PQ-333 PQ-014 carry the book_seq that a commit echoes', () => {
    const b = new ParlayBench()
    const stream = b.open('events', '/v1/stream', { as: 'bettor' })
    const made = b.request()
    const { id: quote_id } = b.quote('ours', made).body.data
    const { data } = stream.events.at(-1)!
    expect(data).toMatchObject({ quote_request_id: made.id, quote_id, book_seq: 1, payout_odds: 4, mm_id: b.idOf('ours') })
    expect(b.commit('bettor', made, { displayed_quote_id: data.quote_id, displayed_quote_book_seq: data.book_seq }).answer).toBe(null)
  })

  it('PQ-208 a maker is live while it holds a stream open, on however many connections', () => {
    const b = new ParlayBench()
    // Makers hold their streams from the beginning, and opening one that is open changes nothing.
    const [first, second] = [b.open('events', '/v1/mm/stream', { as: 'ours' }), b.open('events', '/v1/mm/stream', { as: 'ours' })]
    const before = streamRows(b).length
    first.onClose(1006)
    b.pass(1000)
    expect(streamRows(b).length).toBe(before)
    second.onClose(1006)
    b.pass(1000)
    expect(streamRows(b).slice(before)).toEqual([ParlayEvent.streamClosed])
    const third = b.open('events', '/v1/mm/stream', { as: 'ours' })
    expect(streamRows(b).slice(before)).toEqual([ParlayEvent.streamClosed, ParlayEvent.streamOpened])
    b.request()
    b.pass(1000)
    expect([first.sent.length, second.sent.length, third.sent.length]).toEqual([0, 0, 1])
    third.onClose(1006)
    expect(streamRows(b).slice(before)).toEqual([ParlayEvent.streamClosed, ParlayEvent.streamOpened, ParlayEvent.streamClosed])
  })

  it('PQ-208 a stream whose client went before it was opened marks nobody live', () => {
    const b = new ParlayBench()
    b.open('events', '/v1/mm/stream', { as: 'ours' }).onClose(1006)
    b.onTheirWay = []
    const before = streamRows(b).length
    const channel = b.open('events', '/v1/mm/stream', { as: 'ours' })
    expect([channel.accepted, streamRows(b).slice(before)]).toEqual([null, [ParlayEvent.streamOpened]])
    channel.onClose(1006)
    b.pass(1000)
    for (const answer of b.onTheirWay) answer()
    expect([channel.accepted, channel.refused, streamRows(b).slice(before)]).toEqual([null, null, [ParlayEvent.streamOpened, ParlayEvent.streamClosed]])
  })

  it('PQ-045 never repeat the legs of an answered call for another request of the same content', () => {
    const b = new ParlayBench()
    const stream = b.open('events', '/v1/stream', { as: 'rich' })
    b.request('bettor', [{ ...LEGS[0], note: 'mine' }, LEGS[1]])
    b.request('bettor', LEGS)
    expect(stream.events.map(({ data }) => data.input_legs[0].note)).toEqual(['mine', undefined])
  })

  it('PQ-271 PQ-273 PQ-272 are refused before they begin, as any call', () => {
    const b = new ParlayBench()
    const refused = (target: string, asked: object) => {
      const { refused: heard, accepted } = b.open('events', target, asked)
      return [accepted, heard?.status, heard?.body.error.details?.reason]
    }
    expect([
      refused('/v1/mm/stream', { key: 'sk_x' }), refused('/v1/mm/stream', { as: 'bettor' }), refused('/v1/mm/stream', {}), refused('/v1/stream', {}), refused('/v1/none', { as: 'bettor' }),
    ]).toEqual([[null, 403, 'wrong_api_key_type'], [null, 403, 'insufficient_scope'], [null, 401, undefined], [null, 401, undefined], [null, 404, undefined]])
  })

  it('PQ-445 are opened with the headers of their limit, and PQ-336 not without being asked for', () => {
    const b = new ParlayBench()
    expect(Object.keys(b.open('events', '/v1/stream', { as: 'bettor' }).accepted!)).toEqual(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    const before = streamRows(b).length
    for (const path of ['/v1/stream', '/v1/mm/stream', '/v1/ws']) expect(b.call('GET', path, { as: 'ours' }).status).toBe(400)
    expect([b.open('socket', '/v1/stream', { as: 'ours' }).refused!.status, b.open('events', '/v1/ws', { as: 'ours' }).refused!.status, streamRows(b).length]).toEqual([400, 400, before])
    expect(b.open('events', '/v1/portfolio', { as: 'bettor' }).refused!.status).toBe(200)
  })
})

describe('the WebSocket', () => {
  const auth = (b: ParlayBench) => ({ type: 'auth', api_key: b.keyOf('ours') })
  const open = (b: ParlayBench, frame?: unknown) => {
    const socket = b.open('socket', '/v1/ws')
    if (frame !== undefined) socket.say(frame)
    return socket
  }
  const select = (b: ParlayBench) => {
    const made = b.request()
    b.quote('ours', made)
    b.commit('bettor', made)
    b.pass(1000)
    return made
  }

  it('PQ-268 takes an auth frame within ten seconds', () => {
    const b = new ParlayBench()
    const [inTime, late] = [open(b), open(b)]
    b.pass(10 * SECOND - 2000)
    inTime.say(auth(b))
    expect([inTime.frames, late.frames]).toEqual([[{ type: 'auth:ok', user_id: b.idOf('ours') }], []])
    b.pass(2000)
    late.say(auth(b))
    expect([late.frames, late.closedWith, inTime.closedWith]).toEqual([[{ type: 'auth:error', code: 'auth_timeout' }], [1008, 'auth_timeout'], null])
  })

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'invalid_message'], ['another type', { type: 'login', api_key: 'x' }, 'invalid_message'], ['no key', { type: 'auth' }, 'invalid_message'],
    ['a name twice', '{"type":"auth","api_key":"a","api_key":"b"}', 'invalid_message'], ['a list', [], 'invalid_message'],
    ['a key of another service', { type: 'auth', api_key: 'sk_x' }, 'wrong_api_key_type'], ['an unknown key', { type: 'auth', api_key: `api_test_${'x'.repeat(32)}` }, 'invalid_api_key'],
    ['a malformed key', { type: 'auth', api_key: 'api_test_' }, 'invalid_api_key'],
  ])('PQ-269 PQ-270 answers %s with auth:error and its code, and closes', (_, frame, code) => {
    const b = new ParlayBench()
    const socket = open(b, frame)
    expect([socket.frames, socket.closedWith]).toEqual([[{ type: 'auth:error', code }], [1008, code]])
    socket.say(auth(b))
    expect(socket.frames.length).toBe(1)
  })

  it('PQ-335 PQ-334 PQ-015 tells the chosen maker of its selection, and gives the private channel its economics', () => {
    const b = new ParlayBench()
    const sockets = [open(b, auth(b)), open(b, auth(b)), open(b, { type: 'auth', api_key: b.keyOf('rival') }), open(b)]
    const made = select(b)
    const [ours, again, rival, nobody] = sockets
    expect(ours!.frames.slice(1)).toMatchObject([
      { type: 'quote:accepted', data: { quote_request_id: made.id, payout_odds: 4 } },
      { type: 'mm_quote:accepted', channel: `mm:quotes:${b.idOf('ours')}`, data: { user_stake: 24.75, total_payout: 99, mm_risk: 74.25, taker_fee: 0.25, legs: [{ market_ticker: 'M0', side: 'yes' }, { market_ticker: 'M8', side: 'no' }] } },
    ])
    expect([again!.frames.length, rival!.frames.length, nobody!.frames.length]).toEqual([3, 1, 0])
  })

  it('PQ-335 PQ-208 tells the chosen maker of its selection whether or not it holds a stream open', () => {
    const b = new ParlayBench()
    b.open('events', '/v1/mm/stream', { as: 'ours' }).onClose(1006)
    const socket = b.open('socket', '/v1/ws', { as: 'ours' })
    const made = b.request()
    const { id: quote_id } = b.quote('ours', made).body.data
    b.commit('bettor', made)
    b.pass(1000)
    expect(socket.frames.map(({ type, data }) => [type, data?.quote_id])).toEqual([['auth:ok', undefined], ['quote:accepted', quote_id], ['mm_quote:accepted', quote_id]])
  })

  it('PQ-260 takes a credential with its upgrade, and refuses a bad one', () => {
    const b = new ParlayBench()
    const named = b.open('socket', '/v1/ws', { as: 'ours' })
    expect([named.frames, b.open('socket', '/v1/ws', { jwt: 'good-ours' }).frames]).toEqual(Array.from({ length: 2 }, () => [{ type: 'auth:ok', user_id: b.idOf('ours') }]))
    expect([b.open('socket', '/v1/ws', { key: 'sk_x' }).refused!.status, b.open('socket', '/v1/ws', { key: 'api_test_x' }).refused!.status, b.open('socket', '/v1/ws', { jwt: 'bad' }).refused!.status])
      .toEqual([403, 401, 401])
  })

  it('PQ-012 PQ-104 tells nothing to a key that may not quote, or that was revoked since', () => {
    const b = new ParlayBench()
    const make = (scopes: string[]) => b.call('POST', '/v1/api-keys', { jwt: 'good-ours', body: { scopes } }).body.data
    const [reader, quoter] = [make(['positions:read']), make(['mm:quote'])]
    const sockets = [reader, quoter].map(({ key }) => open(b, { type: 'auth', api_key: key }))
    select(b)
    expect(sockets.map(({ frames }) => frames.length)).toEqual([1, 3])
    b.call('DELETE', `/v1/api-keys/${quoter.prefix}`, { jwt: 'good-ours' })
    b.pass(5 * SECOND)
    select(b)
    expect(sockets.map(({ frames }) => frames.length)).toEqual([1, 3])
  })

  it('PQ-434 upgrades of nobody count, and are refused above the limit', () => {
    const b = new ParlayBench()
    for (let i = 0; i < 100; i++) open(b).onClose(1000)
    expect(open(b).refused!.status).toBe(429)
  })
})

it('a session that is over closes every channel', () => {
  const b = new ParlayBench()
  const channels = [b.open('events', '/v1/mm/stream', { as: 'ours' }), b.open('events', '/v1/stream', { as: 'rich' }), b.open('socket', '/v1/ws'), b.open('socket', '/v1/ws', { as: 'ours' })]
  b.handler.drain()
  expect(channels.map(({ closedWith }) => closedWith?.[0])).toEqual([0, 0, 1001, 1001])
  b.pass(20 * SECOND)
  expect(channels.map(({ sent }) => sent.length)).toEqual([0, 0, 0, 1])
})
