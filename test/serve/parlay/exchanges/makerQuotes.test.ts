import { describe, expect, it } from 'vitest'
import { ParlayFault, ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { WORLD_START_US } from '../../../engine/world.ts'
import { LEGS, NO_ID, ParlayBench, SECOND, type Served, type Who } from './bench.ts'

/** A fault of the service that is on from the second second of the session on. */
const withFault = (fault: number): Served => ({
  operator: (inputs) => [...inputs, { atUs: WORLD_START_US + 2 * SECOND, op: ParlayOp.setFault, market: -1, value: fault, value2: 1 }].toSorted((a, b) => a.atUs - b.atUs),
})
const withdraw = (b: ParlayBench, id: string, asked: object = { as: 'ours' }) => b.call('DELETE', `/v1/mm/quote-requests/${id}/quote`, asked)

describe('PUT /v1/mm/quote-requests/{id}/quote', () => {
  it('PQ-193 PQ-089 PQ-055 answers with the quote and the fee rate that it was priced at', () => {
    const b = new ParlayBench()
    const made = b.request()
    const { status, body: { data } } = b.quote('ours', made, 3.9801)
    expect([status, data]).toEqual([200, {
      id: expect.any(String), quote_request_id: made.id, mm_id: b.idOf('ours'), request_version: 1, status: 'live', payout_odds: 3.9801, taker_fee_bps: 100,
      // 25 less 1 %: 24.75, times 2.9801 = 73.757475.
      user_stake: 24.75, mm_risk: 73.757475, book_seq: 1, created_at: '2025-06-15T15:06:41.002000Z', expires_at: '2025-06-15T15:07:41.002000Z', ended_at: null,
    }])
  })

  it('PQ-377 refuses an older version, another hash and a hash of nothing', () => {
    const b = new ParlayBench()
    const made = b.request()
    const updated = b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body: { legs: LEGS, bet_amount: 5 } }).body.data.quote_request
    const reasons = [made, { ...updated, version: 1 }, { ...updated, request_hash: made.request_hash }, { ...updated, request_hash: 'sha256:00' }]
      .map((one) => b.quote('ours', one)).map(({ status, body: { error } }) => [status, error.code, error.details.reason])
    expect(reasons).toEqual(Array.from({ length: 4 }, () => [409, 'CONFLICT', 'version_mismatch']))
    expect(b.quote('ours', updated).status).toBe(200)
  })

  it('PQ-374 says what collateral is needed, and what is free', () => {
    const b = new ParlayBench()
    // The risk of 100 USDC at 12 is 99 × 11 = 1089, and the maker has 1000.
    const { status, body: { error } } = b.quote('ours', b.request('rich', LEGS, 100), 12)
    expect([status, error.code, error.details]).toEqual([400, 'VALIDATION_ERROR', { reason: 'insufficient_collateral', required: 1089, available: 1000 }])
  })

  it.each([['PQ-375', ParlayFault.collateralUnavailable, 'collateral_check_unavailable'], ['PQ-376', ParlayFault.feeUnavailable, 'fee_unavailable']])(
    '%s is 503 while the service cannot know', (_, fault, reason) => {
      const b = new ParlayBench(withFault(fault))
      const made = b.request()
      b.pass(2 * SECOND)
      const { status, body: { error } } = b.quote('ours', made)
      expect([status, error.code, error.details.reason]).toEqual([503, 'SERVICE_UNAVAILABLE', reason])
    })

  it.each([
    ['PQ-205 PQ-209 odds below 1.0001', { payout_odds: 1 }, 'payout_odds'], ['PQ-205 odds above 1000', { payout_odds: 1000.0001 }, 'payout_odds'],
    ['PQ-467 odds of five decimals', { payout_odds: 2.00001 }, 'payout_odds'], ['PQ-413 too short a life', { expires_in_ms: 4999 }, 'expires_in_ms'],
    ['PQ-413 too long a life', { expires_in_ms: 60_001 }, 'expires_in_ms'], ['PQ-193 no version', { request_version: undefined }, 'request_version'],
  ])('%s is 400', (_, wrong, name) => {
    const b = new ParlayBench()
    const { status, body: { error } } = b.quote('ours', b.request(), 4, wrong)
    expect([status, error.details.issues[0].path]).toEqual([400, [name]])
  })

  it('PQ-012 PQ-284 refuses a key without mm:quote, and PQ-140 takes a JWT', () => {
    const b = new ParlayBench()
    const { id, version, request_hash } = b.request()
    const put = (asked: object) => b.call('PUT', `/v1/mm/quote-requests/${id}/quote`, { ...asked, body: { request_version: version, request_hash, payout_odds: 4 } })
    expect(put({ as: 'rich' }).body.error.details.reason).toBe('insufficient_scope')
    expect([put({}).status, put({ jwt: 'good-ours' }).status, put({ jwt: 'bad' }).status]).toEqual([401, 200, 401])
  })
})

describe('DELETE /v1/mm/quote-requests/{id}/quote', () => {
  it('PQ-194 PQ-196 answers 204, with the current version where none is named', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made)
    expect(withdraw(b, made.id).status).toBe(204)
    b.quote('ours', made)
    expect(withdraw(b, made.id, { as: 'ours', body: { request_version: 1, request_hash: made.request_hash } }).status).toBe(204)
  })

  it('PQ-195 answers 200 already_expired when the quote had run out', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made, 4, { expires_in_ms: 5000 })
    b.pass(5 * SECOND)
    expect([withdraw(b, made.id).status, withdraw(b, made.id).body.data]).toEqual([200, { status: 'already_expired' }])
  })

  it('PQ-380 PQ-381 PQ-382 says why there is nothing to withdraw', () => {
    const b = new ParlayBench()
    const made = b.request()
    const reason = (body?: object) => {
      const { status, body: { error } } = withdraw(b, made.id, { as: 'ours', ...(body && { body }) })
      return [status, error.details.reason]
    }
    expect(reason()).toEqual([409, 'no_active_quote'])
    b.quote('ours', made)
    expect(reason({ request_version: 2 })).toEqual([409, 'version_mismatch'])
    b.call('POST', `/v1/quote-requests/${made.id}/cancel`, { as: 'bettor' })
    expect(reason()).toEqual([409, 'request_not_active'])
  })

  it('PQ-383 an old version and one that never was are told alike, before whether there is a quote', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body: { legs: LEGS, bet_amount: 30 } })
    const reason = (body: object) => withdraw(b, made.id, { as: 'ours', body }).body.error.details.reason
    expect([reason({ request_version: 1 }), reason({ request_version: 3 }), reason({ request_hash: made.request_hash }), reason({ request_version: 2 })])
      .toEqual(['version_mismatch', 'version_mismatch', 'version_mismatch', 'no_active_quote'])
  })

  it('PQ-378 PQ-379 refuses nobody, and an id of nothing', () => {
    const b = new ParlayBench()
    expect([withdraw(b, NO_ID, {}).status, withdraw(b, NO_ID).status]).toEqual([401, 404])
  })
})

describe('the last look', () => {
  it('PQ-211 a confirmation answers with the filled quote, a decline with the failed one', () => {
    const b = new ParlayBench()
    const look = (what: 'confirm' | 'decline') => {
      const made = b.request()
      const { id: quote_id } = b.quote('ours', made).body.data
      const commit = b.commit('bettor', made)
      const { status, body: { data } } = b.call('POST', `/v1/mm/quote-requests/${made.id}/quote/${what}`, { as: 'ours', body: { quote_id } })
      return [status, data.id === quote_id, data.status, commit.answer!.status]
    }
    expect([look('confirm'), look('decline')]).toEqual([[200, true, 'filled', 201], [200, true, 'failed', 409]])
  })

  it('PQ-211 is too late after the deadline, and nobody else’s', () => {
    const b = new ParlayBench()
    const made = b.request()
    const { id: quote_id } = b.quote('ours', made).body.data
    b.commit('bettor', made)
    const confirm = (as: Who) => b.call('POST', `/v1/mm/quote-requests/${made.id}/quote/confirm`, { as, body: { quote_id } })
    expect(confirm('rival').body.error.details.reason).toBe('no_pending_selection')
    b.pass(5 * SECOND)
    expect([confirm('ours').status, confirm('ours').body.error.details.reason]).toEqual([409, 'no_pending_selection'])
  })
})

describe('GET /v1/mm/quotes', () => {
  it('PQ-203 PQ-204 PQ-206 lists what became of each quote, the newest first, under either path', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made, 5)
    b.quote('ours', made, 4)
    b.quote('rival', made, 3)
    const statuses = (path: string) => b.call('GET', path, { as: 'ours' }).body.data.quotes.map((quote: { status: string; payout_odds: number }) => [quote.status, quote.payout_odds])
    expect(statuses('/v1/mm/quotes')).toEqual([['live', 4], ['replaced', 5]])
    b.call('POST', `/v1/quote-requests/${made.id}/cancel`, { as: 'bettor' })
    b.pass(120 * SECOND)
    expect(statuses('/mm/quotes')).toEqual([['invalidated', 4], ['replaced', 5]])
  })

  it('PQ-019 PQ-451 PQ-454 comes page by page, and takes no cursor of another list', () => {
    const b = new ParlayBench()
    const made = b.request()
    for (const odds of [2, 3, 4, 5, 6]) b.quote('ours', made, odds)
    const list = (query: string, as: Who = 'ours') => b.call('GET', `/v1/mm/quotes?${query}`, { as })
    const odds: number[] = []
    let cursor = ''
    do {
      const { data, meta } = list(cursor === '' ? 'limit=2' : `limit=2&cursor=${encodeURIComponent(cursor)}`).body
      odds.push(...data.quotes.map((quote: { payout_odds: number }) => quote.payout_odds))
      expect([meta.limit, meta.has_more]).toEqual([2, meta.cursor !== ''])
      cursor = meta.cursor
    } while (cursor !== '')
    expect(odds).toEqual([6, 5, 4, 3, 2])
    const { meta } = list('limit=2').body
    expect([list('limit=0').status, list('limit=101').status, list('limit=100').status, list(`cursor=${meta.cursor}`, 'rival').status, list('cursor=x').status])
      .toEqual([400, 400, 200, 400, 400])
    expect(list('limit=1&limit=2').body.error.details.issues[0].path).toEqual(['limit'])
  })
})

describe('GET /v1/mm/positions', () => {
  it('PQ-200 PQ-201 PQ-202 shows what the maker backs, with its legs and its id on the chain', () => {
    const b = new ParlayBench()
    const { rfq_id, quote_id } = b.fill()
    b.fill('rich', 'rival', [{ market_ticker: 'M16', side: 'yes' }, LEGS[0]!])
    const { positions } = b.call('GET', '/v1/mm/positions', { as: 'ours' }).body.data
    expect(positions).toEqual([{
      position_id: expect.stringMatching(/^[0-9a-f]{64}$/), rfq_id, quote_id, status: 'executed', user_stake: 24.75, total_payout: 99, mm_risk: 74.25,
      legs: [{ market_ticker: 'M0', event_ticker: 'E0', venue: 'venue_a', side: 'yes' }, { market_ticker: 'M8', event_ticker: 'E2', venue: 'venue_a', side: 'no' }],
    }])
    const read = (path: string, as: Who = 'ours') => b.call('GET', `${path}/${positions[0].position_id}`, { as })
    expect([read('/v1/mm/positions').body.data.position, read('/mm/positions').body.data.position]).toEqual([positions[0], positions[0]])
    expect([read('/v1/mm/positions', 'rival').status, b.call('GET', '/v1/mm/positions/0F', { as: 'ours' }).status]).toEqual([404, 400])
  })
})
