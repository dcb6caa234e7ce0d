import { holds, is, like, sees } from '../expect.ts'
import { awaitedLater, type Client, type Json, type Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import { inGoodTime, INSTANT, UUID } from '../world.ts'
import { isLate, NO_ID, type World } from './world.ts'

const HEX = /^[0-9a-f]{64}$/
const withdraw = (by: Client, id: string, body?: object): Promise<Seen> => by.delete(`/v1/mm/quote-requests/${id}/quote`, body)
const reason = (text: string, code = 'CONFLICT') => ({ error: { code, details: { reason: text } } })
const issueAt = (...path: (string | number)[]) => ({ error: { details: { issues: (issues: Json) => issues.some((issue: Json) => JSON.stringify(issue.path) === JSON.stringify(path)) } } })
const quoteOf = async (w: World, maker: string, id: string, path = '/v1/mm/quotes'): Promise<Json> =>
  sees(await w.as(maker).get(`${path}?limit=100`), 200).data.quotes.find((one: Json) => one.id === id)

export const MAKERS: Area<World> = {
  name: 'makers', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-193 PQ-209', 'a quote is put with its version, hash, odds and life', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', request, 2.5, { expires_in_ms: 20_000 }), 200, { data: { quote_request_id: request.id, payout_odds: 2.5 } })
      for (const field of ['request_version', 'request_hash', 'payout_odds']) sees(await w.quote('m1', request, 2.5, { [field]: undefined }), 400, issueAt(field))
    }],
    ['PQ-089', 'the answer has the fee rate', async (w) => { is(sees(await w.quote('m1', await w.request()), 200).data.taker_fee_bps, 100) }],
    ['PQ-055', 'a quote has its fields', async (w) => {
      const request = await w.request()
      // 25 USDC less a fee of 1 % is a stake of 24.75; at odds of 4 the maker risks three times that.
      sees(await w.quote('m1', request), 200, { data: {
        id: UUID, quote_request_id: request.id, mm_id: w.seat('m1')['user_id'], request_version: 1, status: 'live', payout_odds: 4, user_stake: 24.75, mm_risk: 74.25, book_seq: 1,
        created_at: INSTANT, expires_at: INSTANT, ended_at: null,
      } })
    }],
    ['PQ-412 PQ-413', 'a quote lasts 15 s when nothing is said, and 5 to 60 s', async (w) => {
      const request = await w.request()
      const { created_at, expires_at } = sees(await w.quote('m1', request, 4, { expires_in_ms: undefined }), 200).data
      is(Date.parse(expires_at) - Date.parse(created_at), 15_000, 'the life in ms')
      const statuses = []
      for (const expires_in_ms of [4999, 5000, 60_000, 60_001]) statuses.push((await w.quote('m1', request, 4, { expires_in_ms })).status)
      is(statuses, [400, 200, 200, 400])
    }],
    ['PQ-205', 'odds are 1.0001 to 1000', async (w) => {
      const statuses = []
      for (const odds of [1, 1.0001, 1000, 1000.0001]) statuses.push((await w.quote('m1', await w.request(w.mine, 1), odds)).status)
      is(statuses, [400, 200, 200, 400])
    }],
    ['PQ-012', 'a maker’s calls need mm:quote', async (w) => {
      const client = await w.keyWith('m1', ['trading:write', 'positions:read'])
      const { id } = await w.request()
      for (const seen of [await client.put(`/v1/mm/quote-requests/${id}/quote`, {}), await withdraw(client, id), await client.get('/v1/mm/quotes'), await client.get('/v1/mm/positions')]) {
        sees(seen, 403, reason('insufficient_scope', 'FORBIDDEN'))
      }
    }],
    ['PQ-194', 'a quote is withdrawn: 204 without a body', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', request), 200)
      const seen = await withdraw(w.as('m1'), request.id)
      is([seen.status, seen.text], [204, ''])
      sees(await w.quote('m1', request), 200)
      sees(await withdraw(w.as('m1'), request.id), 204)
    }],
    ['PQ-196', 'version and hash may be left out, and stand for those now', async (w) => {
      const request = await w.request()
      for (const body of [undefined, {}, { request_version: 1 }, { request_hash: request.request_hash }, { request_version: 1, request_hash: request.request_hash }]) {
        sees(await w.quote('m1', request), 200)
        sees(await withdraw(w.as('m1'), request.id, body), 204)
      }
      sees(await withdraw(w.as('m1'), request.id, { request_version: '1' }), 400, issueAt('request_version'))
    }],
    ['PQ-378', 'a withdrawal needs a credential', async (w) => { sees(await withdraw(w.nobody, (await w.request()).id), 401, { error: { code: 'UNAUTHORIZED' } }) }],
    ['PQ-379', 'a withdrawal of nothing is not found', async (w) => { sees(await withdraw(w.as('m1'), NO_ID), 404, { error: { code: 'NOT_FOUND' } }) }],
    ['PQ-383 PQ-382', 'why there is nothing to withdraw', async (w) => {
      const request = await w.request()
      sees(await withdraw(w.as('m1'), request.id), 409, reason('no_active_quote'))
      sees(await w.quote('m1', request), 200)
      sees(await withdraw(w.as('m1'), request.id, { request_version: 2 }), 409, reason('version_mismatch'))
      sees(await w.as(w.mine).post(`/v1/quote-requests/${request.id}/cancel`), 200)
      sees(await withdraw(w.as('m1'), request.id), 409, reason('request_not_active'))
    }],
    ['PQ-377', 'a quote of an old version or another hash is version_mismatch', async (w) => {
      const request = await w.request()
      sees(await w.quote('m1', { ...request, version: 2 }), 409, reason('version_mismatch'))
      sees(await w.quote('m1', { ...request, request_hash: `sha256:${'0'.repeat(64)}` }), 409, reason('version_mismatch'))
    }],
    ['PQ-374', 'a quote beyond the collateral is refused, with what it takes and what there is', async (w) => {
      // 99 USDC at odds of 999 take 98,802 USDC.
      sees(await w.quote('poor', await w.request(w.mine, 100), 999), 400, { error: { code: 'VALIDATION_ERROR', details: { reason: 'insufficient_collateral', required: 98_802, available: 1000 } } })
    }],
    ['PQ-211', 'a maker confirms or declines, and is answered with the quote', async (w) => {
      const { confirm, quote } = await w.fill()
      like(confirm, { id: quote.id, status: 'filled' })
      const socket = await w.as('m2').socket('/v1/ws')
      await socket.next(({ type }) => type === 'auth:ok')
      await inGoodTime(async () => {
        const request = await w.request()
        const { id } = sees(await w.quote('m2', request), 200).data
        const committing = awaitedLater(w.commit(w.mine, request))
        await socket.next(({ type, data }) => type === 'quote:accepted' && data.quote_id === id)
        const decline = await w.as('m2').post(`/v1/mm/quote-requests/${request.id}/quote/decline`, { quote_id: id })
        const commit = await committing
        if (isLate(commit) && decline.status !== 200) return null
        sees(decline, 200, { data: { id, status: 'failed' } })
        return sees(commit, 409)
      }, 'a decline in time')
      socket.close()
    }],
    ['PQ-203', 'every quote is listed with what became of it', async (w) => {
      const m = w.as('m2')
      const put = async (request: Json, odds = 2): Promise<string> => sees(await w.quote('m2', request, odds), 200).data.id
      const [request, second, third] = [await w.request(), await w.request(), await w.request()]
      const replaced = await put(request)
      const live = await put(request, 3)
      const withdrawn = await put(second)
      sees(await withdraw(m, second.id), 204)
      const invalidated = await put(third)
      sees(await w.as(w.mine).patch(`/v1/quote-requests/${third.id}`, { legs: await w.legs(), bet_amount: 5 }), 200)
      const { quote: { id: filled } } = await w.fill(w.mine, 'm2')
      const became = []
      for (const id of [replaced, live, withdrawn, invalidated, filled]) {
        const { status, ended_at } = await quoteOf(w, 'm2', id)
        became.push([status, ended_at === null])
      }
      is(became, [['replaced', false], ['live', true], ['withdrawn', false], ['invalidated', false], ['filled', false]])
    }],
    ['PQ-204', 'a maker that connects again learns from the list what it did not hear', async (w) => {
      const { quote } = await w.fill(w.mine, 'm1')
      like(await quoteOf(w, 'm1', quote.id), { id: quote.id, quote_request_id: quote.quote_request_id, status: 'filled' })
    }],
    ['PQ-206', 'flat aliases lead to the same', async (w) => {
      const { quote, commit } = await w.fill()
      is((await quoteOf(w, 'm1', quote.id, '/mm/quotes')).id, quote.id)
      const positions = sees(await w.as('m1').get('/mm/positions?limit=100'), 200).data.positions
      const { position_id } = positions.find((one: Json) => one.rfq_id === commit.rfq_id)
      sees(await w.as('m1').get(`/mm/positions/${position_id}`), 200, { data: { position: { position_id } } })
    }],
    ['PQ-200', 'positions that a maker backs are listed', async (w) => {
      const { commit } = await w.fill()
      const { positions } = sees(await w.as('m1').get('/v1/mm/positions?limit=100'), 200).data
      holds(positions.some((one: Json) => one.rfq_id === commit.rfq_id), 'the position')
      const others = sees(await w.as('m3').get('/v1/mm/positions?limit=100'), 200).data.positions
      holds(!others.some((one: Json) => one.rfq_id === commit.rfq_id), 'none of another maker’s')
    }],
    ['PQ-201 PQ-090', 'one position by its id on the chain, lowercase hex', async (w) => {
      const { commit } = await w.fill()
      const { positions } = sees(await w.as('m1').get('/v1/mm/positions?limit=100'), 200).data
      const { position_id } = positions.find((one: Json) => one.rfq_id === commit.rfq_id)
      like(position_id, HEX)
      sees(await w.as('m1').get(`/v1/mm/positions/${position_id}`), 200, { data: { position: { position_id, rfq_id: commit.rfq_id } } })
      sees(await w.as('m1').get(`/v1/mm/positions/${position_id.toUpperCase()}X`), 400)
      sees(await w.as('m2').get(`/v1/mm/positions/${position_id}`), 404)
    }],
    ['PQ-202', 'a position has all legs of the parlay', async (w) => {
      const { commit, request } = await w.fill()
      const { positions } = sees(await w.as('m1').get('/v1/mm/positions?limit=100'), 200).data
      const legs = request.legs.map(({ market_ticker, event_ticker, venue, side }: Json) => ({ market_ticker, event_ticker, venue, side }))
      like(positions.find((one: Json) => one.rfq_id === commit.rfq_id), { position_id: HEX, legs })
    }],
  ],
}
