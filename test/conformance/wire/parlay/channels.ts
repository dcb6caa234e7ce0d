import { holds, is, like, sees } from '../expect.ts'
import { Socket, type Json } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, INSTANT, UUID } from '../world.ts'
import type { World } from './world.ts'

const of = (request: Json) => (data: Json): boolean => data.id === request.id || data.quote_request_id === request.id

/** A socket on which a frame is said at once: its answer, and how it is closed. */
async function authWith(w: World, frame: Json): Promise<{ readonly code: string; readonly close: readonly [number, string] }> {
  const socket = await w.nobody.socket('/v1/ws')
  socket.say(frame)
  const { code } = await socket.next(({ type }) => type === 'auth:error', 'auth:error')
  return { code, close: await socket.end() }
}

export const CHANNELS: Area<World> = {
  name: 'streams and sockets', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-014 PQ-331', 'best quotes come by server-sent events', async (w) => {
      const stream = await w.as(w.mine).events('/v1/stream')
      like(stream.headers['content-type'], /^text\/event-stream/)
      const request = await w.request()
      const { id } = sees(await w.quote('m1', request, 2.5), 200).data
      like((await stream.next('best_quote', of(request))).data, { quote_id: id, payout_odds: 2.5, mm_id: w.seat('m1')['user_id'] })
      stream.close()
    }],
    ['PQ-207 PQ-257', 'makers and bettors are told of requests, best quotes and cash-outs', async (w) => {
      const streams = [await w.as('m3').events('/v1/mm/stream'), await w.as(w.other).events('/v1/stream')]
      const { fill: { request }, auction } = await w.auction()
      for (const stream of streams) {
        await stream.next('quote_request', of(request))
        await stream.next('best_quote', of(request))
        await stream.next('cashout_request', ({ cashout_request_id }) => cashout_request_id === auction.id)
        stream.close()
      }
    }],
    ['PQ-180 PQ-336', 'a request is told as its owner reads it, and again with its next version', async (w) => {
      const stream = await w.as('m2').events('/v1/mm/stream')
      const request = await w.request()
      is((await stream.next('quote_request', of(request))).data, request)
      const { quote_request } = sees(await w.as(w.mine).patch(`/v1/quote-requests/${request.id}`, { legs: await w.legs(), bet_amount: 30 }), 200).data
      is((await stream.next('quote_request', of(request))).data, quote_request)
      stream.close()
    }],
    ['PQ-047', 'no stream says implied_probability', async (w) => {
      const stream = await w.as('m2').events('/v1/mm/stream')
      const request = await w.request()
      sees(await w.quote('m1', request), 200)
      await stream.next('best_quote', of(request))
      for (const { data } of stream.all) holds(!JSON.stringify(data).includes('implied_probability'), 'no implied_probability')
      stream.close()
    }],
    ['PQ-333', 'an event of a quote has the book_seq that a commit takes', async (w) => {
      const stream = await w.as(w.mine).events('/v1/stream')
      await inGoodTime(async () => {
        const request = await w.request()
        sees(await w.quote('m1', request), 200)
        const { quote_id, book_seq } = (await stream.next('best_quote', of(request))).data
        is(book_seq, 1)
        const filled = await w.fillRequest(w.mine, 'm1', request, { displayed_quote_id: quote_id, displayed_quote_book_seq: book_seq })
        if (filled !== null) is(filled.commit.quote_id, quote_id)
        return filled
      }, 'a confirmation in time')
      stream.close()
    }],
    ['PQ-332 PQ-091', 'cashout_request has the position’s id, lowercase hex', async (w) => {
      const stream = await w.as('m2').events('/v1/mm/stream')
      const { auction } = await w.auction()
      const { data } = await stream.next('cashout_request', ({ cashout_request_id }) => cashout_request_id === auction.id)
      like(data, { position_id: /^[0-9a-f]{64}$/, rfq_id: auction.rfq_id, counterparty_mm_id: w.seat('m1')['user_id'], max_price_micro: 99_000_000, total_payout: 99, expires_at: INSTANT })
      is(data.position_id, auction.position_id)
      stream.close()
    }],
    ['PQ-015 PQ-335', 'quote:accepted comes to the chosen maker on its socket, after the commit', async (w) => {
      const { accepted, request, quote, commit } = await w.fill()
      like(accepted, { type: 'quote:accepted', data: { quote_request_id: request.id, request_version: 1, quote_id: quote.id, rfq_id: commit.rfq_id, payout_odds: 4, confirmation_deadline: INSTANT } })
    }],
    ['PQ-334 PQ-337', 'mm_quote:accepted names the maker’s channel, with the economics and the legs', async (w) => {
      const { exposure, request } = await w.fill()
      const legs = request.legs.map(({ market_ticker, event_ticker, venue, side }: Json) => ({ market_ticker, event_ticker, venue, side }))
      like(exposure, { type: 'mm_quote:accepted', channel: `mm:quotes:${w.seat('m1')['user_id']}`, data: { bet_amount: 25, taker_fee: 0.25, user_stake: 24.75, total_payout: 99, mm_risk: 74.25, legs } })
    }],
    ['PQ-268', 'an auth frame is taken within 10 s, and one that does not come closes the socket', async (w) => {
      await inGoodTime(async () => {
        const [early, silent] = [await w.nobody.socket('/v1/ws'), await w.nobody.socket('/v1/ws')]
        const began = Date.now()
        setTimeout(() => { early.say({ type: 'auth', api_key: w.seat('m1')['api_key'] }) }, 5000)
        const [answer, last] = [await early.next(() => true), await silent.next(() => true)]
        await silent.end()
        early.close()
        const seconds = (Date.now() - began) / 1000
        holds(seconds > 9.4, `a close after 10 s, not ${seconds}`)
        like(last, { type: 'auth:error', code: 'auth_timeout' })
        // A machine that others load may have kept both waiting.
        if (seconds > 18) return null
        like(answer, { type: 'auth:ok', user_id: w.seat('m1')['user_id'] })
        return seconds
      }, 'a close after 10 s')
    }],
    ['PQ-269 PQ-270', 'an auth that fails is told by a code, and closed', async (w) => {
      for (const [frame, code] of [
        [{ type: 'auth', api_key: 'sk_x' }, 'wrong_api_key_type'], [{ type: 'auth', api_key: `api_test_${'x'.repeat(32)}` }, 'invalid_api_key'], [{ type: 'hello' }, 'invalid_message'], ['{', 'invalid_message'],
      ] as const) is(await authWith(w, frame), { code, close: [1008, code] })
    }],
    ['PQ-284', 'the maker’s stream needs mm:quote', async (w) => {
      const refused = await (await w.keyWith('m1', ['positions:read'])).get('/v1/mm/stream', { accept: 'text/event-stream' })
      sees(refused, 403, { error: { details: { reason: 'insufficient_scope' } } })
    }],
    ['PQ-260', 'a socket’s upgrade may bring its key, and a bad one is refused', async (w) => {
      const seen = await w.key('sk_x').upgrade('/v1/ws')
      holds(!(seen instanceof Socket), 'a refused upgrade')
      sees(seen as never, 403, { error: { details: { reason: 'wrong_api_key_type' } } })
    }],
    ['PQ-055', 'a best quote has its version, its end and its maker', async (w) => {
      const stream = await w.as(w.mine).events('/v1/stream')
      const request = await w.request()
      sees(await w.quote('m2', request), 200)
      like((await stream.next('best_quote', of(request))).data, { request_version: 1, quote_id: UUID, mm_id: w.seat('m2')['user_id'], expires_at: INSTANT })
      stream.close()
    }],
  ],
}
