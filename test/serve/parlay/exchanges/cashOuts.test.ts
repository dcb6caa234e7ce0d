import { describe, expect, it } from 'vitest'
import { NO_ID, ParlayBench, SECOND, type Who } from './bench.ts'

function opened() {
  const b = new ParlayBench()
  const { rfq_id } = b.fill()
  const { status, body } = b.call('POST', '/v1/cashout-requests', { as: 'bettor', body: { rfq_id } })
  const { id } = body.data.cashout_request
  const bid = (as: Who, price_micro: unknown, more: object = {}) => b.call('PUT', `/v1/mm/cashout-requests/${id}/quote`, { as, body: { price_micro, ...more } })
  const commit = (body?: object, as: Who = 'bettor') => b.call('POST', `/v1/cashout-requests/${id}/commit`, { as, ...(body && { body }) })
  const read = (as: Who = 'bettor') => b.call('GET', `/v1/cashout-requests/${id}`, { as })
  return { b, id, rfq_id, status, body, bid, commit, read }
}

it('PQ-258 PQ-092 PQ-024 an auction is opened by the position’s holder: 201 with both conventions of money', () => {
  const { b, status, body, rfq_id } = opened()
  expect([status, body.data.cashout_request]).toEqual([201, {
    id: expect.any(String), rfq_id, position_id: b.call('GET', '/v1/mm/positions', { as: 'ours' }).body.data.positions[0].position_id, status: 'active',
    counterparty_mm_id: b.idOf('ours'), market_maker_id: null, user_stake: 24.75, total_payout: 99, best_price_micro: null, profit_fee: null, proceeds: null,
    created_at: '2025-06-15T15:06:41.005000Z', expires_at: '2025-06-15T15:06:51.005000Z',
  }])
})

it('PQ-258 nobody opens one of what it does not hold, or of nothing', () => {
  const { b, rfq_id } = opened()
  const open = (as: Who, id: string) => b.call('POST', '/v1/cashout-requests', { as, body: { rfq_id: id } }).status
  expect([open('rich', rfq_id), open('bettor', NO_ID), open('bettor', 'x'), open('nobody', rfq_id), open('bettor', rfq_id)]).toEqual([404, 404, 400, 401, 409])
})

describe('PUT /v1/mm/cashout-requests/{id}/quote', () => {
  it('PQ-197 PQ-198 is taken with its price in microUSDC and its life', () => {
    const { b, id, bid, read } = opened()
    const { status, body: { data } } = bid('rival', 30_000_000)
    expect([status, data]).toEqual([200, {
      id: expect.any(String), cashout_request_id: id, mm_id: b.idOf('rival'), status: 'live', price_micro: 30_000_000, expires_at: '2025-06-15T15:06:56.006000Z',
    }])
    expect(read().body.data.cashout_request.best_price_micro).toBe(30_000_000)
  })

  it.each<[string, unknown, object, (string | number)[]]>([
    ['PQ-384 a price that is no integer', 1.5, {}, ['price_micro']], ['PQ-384 a text', '1', {}, ['price_micro']], ['PQ-385 a price of zero', 0, {}, ['price_micro']],
    ['PQ-386 too short a life', 1, { expires_in_ms: 4999 }, ['expires_in_ms']], ['PQ-386 too long a life', 1, { expires_in_ms: 60_001 }, ['expires_in_ms']],
    ['PQ-387 PQ-458 a field that bids do not have', 1, { direction: 'buy' }, ['direction']],
  ])('%s is 400', (_, price, more, path) => {
    const { bid } = opened()
    const { status, body: { error } } = bid('rival', price, more)
    expect([status, error.code, error.details.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })

  it('PQ-388 malformed JSON is 400', () => {
    const { b, id } = opened()
    for (const body of ['{', '{"price_micro":1,"price_micro":2}', new Uint8Array([0x7b, 0xff, 0x7d])]) {
      expect(b.call('PUT', `/v1/mm/cashout-requests/${id}/quote`, { as: 'rival', body }).body.error.code).toBe('VALIDATION_ERROR')
    }
  })

  it('PQ-389 PQ-097 PQ-390 says the highest price, and what the backer’s collateral covers', () => {
    const { bid } = opened()
    expect(bid('rival', 99_000_001).body.error.details).toEqual({ reason: 'price_above_max_payout', max_price_micro: 99_000_000 })
    expect(bid('rival', 99_000_000).status).toBe(200)
    // A full win would net 98.2575.
    expect([bid('ours', 98_257_501).body.error.details.reason, bid('ours', 98_257_500).status]).toEqual(['price_above_buyback_bound', 200])
  })

  it('PQ-391 PQ-392 PQ-393 refuses a key without the scope, an auction of nothing, and the seller', () => {
    const { b, id, bid } = opened()
    const { key } = b.call('POST', '/v1/api-keys', { jwt: 'good-bettor', body: { scopes: ['mm:quote'] } }).body.data
    const put = (asked: object, which: string) => b.call('PUT', `/v1/mm/cashout-requests/${which}/quote`, { ...asked, body: { price_micro: 1 } })
    expect(bid('bettor', 1).body.error.details.reason).toBe('insufficient_scope')
    expect(put({ as: 'rival' }, NO_ID).body.error.code).toBe('NOT_FOUND')
    expect(put({ key }, id).body.error.details.reason).toBe('self_quote')
  })

  it('PQ-394 PQ-395 PQ-401 is refused after the auction’s end, and the auction is forgotten a minute later', () => {
    const { b, bid } = opened()
    b.pass(10 * SECOND)
    expect([bid('rival', 1).status, bid('rival', 1).body.error.details.reason]).toEqual([409, 'expired'])
    b.pass(60 * SECOND)
    expect(bid('rival', 1).status).toBe(404)
    const other = opened()
    other.b.call('POST', `/v1/cashout-requests/${other.id}/cancel`, { as: 'bettor' })
    expect(other.bid('rival', 1).body.error.details.reason).toBe('not_active')
  })
})

describe('an auction’s end', () => {
  it('PQ-259 PQ-093 the seller takes the best bid of an outsider: the answer names the maker that won', () => {
    const { b, bid, commit, rfq_id } = opened()
    bid('ours', 30_000_000)
    bid('rival', 40_000_000)
    const { status, body: { data: { cashout_request } } } = commit({ min_price_micro: 40_000_000 })
    // The fee is one percent of 40 − 24.75 = 15.25, which is 0.1525.
    expect([status, cashout_request]).toMatchObject([200, { status: 'committed', market_maker_id: b.idOf('rival'), best_price_micro: 40_000_000, profit_fee: 0.1525, proceeds: 39.8475 }])
    const seller = b.call('GET', `/v1/parlays/${rfq_id}`, { as: 'bettor' }).body.data.parlay
    const buyer = b.call('GET', `/v1/parlays/${rfq_id}`, { as: 'rival' }).body.data.parlay
    expect([seller.outcome, seller.received, buyer.status, buyer.bet_amount, buyer.counterparty_mm_id]).toEqual(['sold', 39.8475, 'executed', 40, b.idOf('ours')])
  })

  it('PQ-259 takes none below the seller’s price, and none of nobody', () => {
    const { bid, commit } = opened()
    expect(commit().body.error.details.reason).toBe('no_active_bid')
    bid('rival', 40_000_000)
    expect([commit({ min_price_micro: 40_000_001 }).status, commit(undefined, 'rich').status, commit(undefined, 'nobody').status, commit().status]).toEqual([409, 403, 401, 200])
  })

  it('PQ-408 PQ-403 a bid whose maker has no longer the money is out: 409 to the seller, and the next commit takes the next bid', () => {
    const { b, bid, commit } = opened()
    bid('ours', 30_000_000)
    bid('rival', 40_000_000)
    expect(b.call('POST', '/v1/vault/withdraw', { as: 'rival', body: { amount: 970 } }).status).toBe(200)
    const { status, body: { error } } = commit()
    expect([status, error.code, error.details.reason]).toEqual([409, 'CONFLICT', 'insufficient_buyer_balance'])
    expect(commit().body.data.cashout_request).toMatchObject({ market_maker_id: b.idOf('ours'), best_price_micro: 30_000_000 })
  })

  it('PQ-348 a commit or a cancel past the window is 410', () => {
    const { b, id, commit } = opened()
    b.pass(10 * SECOND)
    expect([commit().body.error.code, b.call('POST', `/v1/cashout-requests/${id}/cancel`, { as: 'bettor' }).status]).toEqual(['GONE', 410])
  })

  it('PQ-258 the seller reads and cancels it, others do not', () => {
    const { b, id, read } = opened()
    const cancel = (as: Who) => b.call('POST', `/v1/cashout-requests/${id}/cancel`, { as })
    expect([read('rich').status, cancel('rich').status, read().body.data.cashout_request.status]).toEqual([403, 403, 'active'])
    expect([cancel('bettor').body.data.cashout_request.status, read().body.data.cashout_request.status, cancel('bettor').status]).toEqual(['cancelled', 'cancelled', 409])
    expect(b.call('GET', `/v1/cashout-requests/${NO_ID}`, { as: 'bettor' }).status).toBe(404)
  })
})
