import { describe, expect, it } from 'vitest'
import { LEGS, NO_ID, ParlayBench, SECOND, type Who } from './bench.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const create = '/v1/quote-requests'
const body = { legs: LEGS, bet_amount: 25 }

describe('POST /v1/quote-requests', () => {
  it('PQ-164 PQ-052 PQ-045 answers 201 with the request, its legs with ids, and the legs as they were sent', () => {
    const b = new ParlayBench()
    const legs = [{ side: 'yes', market_ticker: 'M0', venue: 'venue_a', note: 'mine' }, LEGS[1]]
    const { status, body: { data: { quote_request } } } = b.call('POST', create, { as: 'bettor', body: { legs, bet_amount: 25.5 } })
    expect(status).toBe(201)
    expect(quote_request).toMatchObject({
      user_id: b.idOf('bettor'), version: 1, book_seq: 0, status: 'active', bet_amount: 25.5, input_legs: legs,
      legs: [{ market_ticker: 'M0', event_ticker: 'E0', venue: 'venue_a', side: 'yes' }, { market_ticker: 'M8', event_ticker: 'E2', venue: 'venue_a', side: 'no' }],
    })
    for (const id of [quote_request.id, ...quote_request.legs.map((leg: { id: string }) => leg.id)]) expect(id).toMatch(UUID)
    // 1 s after the session's begin at 15:06:40, plus 1 ms of this exchange, plus 90 s.
    expect(quote_request.expires_at).toBe('2025-06-15T15:08:11.001000Z')
  })

  it.each<[string, object, unknown]>([
    ['PQ-165 without legs', { bet_amount: 25 }, ['legs']], ['PQ-165 without a bet', { legs: LEGS }, ['bet_amount']],
    ['PQ-048 PQ-355 a leg without a ticker', { legs: [LEGS[0], { side: 'yes' }], bet_amount: 25 }, ['legs', 1, 'market_ticker']],
    ['PQ-003 PQ-049 PQ-355 a leg of another side', { legs: [LEGS[0], { market_ticker: 'M8', side: 'maybe' }], bet_amount: 25 }, ['legs', 1, 'side']],
    ['PQ-003 PQ-050 PQ-355 a leg of another venue', { legs: [LEGS[0], { ...LEGS[1], venue: 'venue_c' }], bet_amount: 25 }, ['legs', 1, 'venue']],
    ['PQ-166 one leg', { legs: [LEGS[0]], bet_amount: 25 }, ['legs']], ['PQ-042 too small a bet', { legs: LEGS, bet_amount: 0.99 }, ['bet_amount']],
    ['PQ-042 too large a bet', { legs: LEGS, bet_amount: 100.000001 }, ['bet_amount']],
  ])('%s is 400 with its place in details.issues', (_, sent, path) => {
    const b = new ParlayBench()
    const { status, body: { error } } = b.call('POST', create, { as: 'bettor', body: sent })
    expect([status, error.code, error.details.issues.map((issue: { path: unknown }) => issue.path)]).toEqual([400, 'VALIDATION_ERROR', [path]])
  })

  it('PQ-356 PQ-358 PQ-466 tells every leg that names no market, and where it was looked for, and every pair that excludes each other', () => {
    const b = new ParlayBench()
    const call = (legs: readonly unknown[]) => b.call('POST', create, { as: 'bettor', body: { legs, bet_amount: 25 } }).body.error.details.leg_errors
    const leg = (market_ticker: string, more = {}) => ({ market_ticker, side: 'yes', ...more })
    expect(call([leg('M0'), leg('NONE'), leg('M8', { venue: 'venue_b' })])).toEqual([
      { reason: 'market_not_found', legs: [1], venue: 'venue_a' }, { reason: 'market_not_found', legs: [2], venue: 'venue_b' },
    ])
    // M0 and M1 are of one event, M0 and M7 of one group.
    expect(call([leg('M0'), leg('M8'), leg('M1'), leg('M7')])).toEqual([{ reason: 'exclusion_conflict', legs: [0, 2] }, { reason: 'exclusion_conflict', legs: [0, 3] }, { reason: 'exclusion_conflict', legs: [1, 2] }])
  })

  it('PQ-178 PQ-273 needs trading:write', () => {
    const b = new ParlayBench()
    const { key } = b.call('POST', '/v1/api-keys', { jwt: 'good-bettor', body: { scopes: ['positions:read', 'mm:quote'] } }).body.data
    const { status, body: { error } } = b.call('POST', create, { key, body })
    expect([status, error.code, error.details.reason]).toEqual([403, 'FORBIDDEN', 'insufficient_scope'])
  })
})

describe('a quote request by its id', () => {
  it('PQ-253 PQ-289 is read by its owner, forbidden to others, and not found by an id of nothing', () => {
    const b = new ParlayBench()
    const { id } = b.request()
    const read = (as: Who, which = id) => b.call('GET', `/v1/quote-requests/${which}`, { as })
    expect(read('bettor').body.data.quote_request).toMatchObject({ id, status: 'active', version: 1 })
    expect([read('bettor', id.toUpperCase()).status, read('rich').status, read('bettor', NO_ID).status, read('bettor', 'nothing').status]).toEqual([200, 403, 404, 400])
    expect([read('rich').body.error.code, read('bettor', NO_ID).body.error.code]).toEqual(['FORBIDDEN', 'NOT_FOUND'])
  })

  it('PQ-167 PQ-168 PQ-035 is updated whole: a new version, another hash, the legs as they were sent now', () => {
    const b = new ParlayBench()
    const made = b.request()
    const legs = [{ market_ticker: 'M16', side: 'no' }, LEGS[0]]
    const { status, body: { data: { quote_request } } } = b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body: { legs, bet_amount: 5 } })
    expect([status, quote_request.version, quote_request.bet_amount, quote_request.input_legs]).toEqual([200, 2, 5, legs])
    expect(quote_request.request_hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(quote_request.request_hash).not.toBe(made.request_hash)
    expect(b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body: { bet_amount: 5 } }).status).toBe(400)
    expect(b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body: { legs } }).status).toBe(400)
    expect(b.call('GET', `/v1/quote-requests/${made.id}`, { as: 'bettor' }).body.data.quote_request).toEqual(quote_request)
  })

  it('PQ-371 PQ-372 PQ-373 is updated by nobody else', () => {
    const b = new ParlayBench()
    const { id } = b.request()
    const update = (asked: object, which = id) => b.call('PATCH', `/v1/quote-requests/${which}`, { body, ...asked }).status
    expect([update({}), update({ as: 'rich' }), update({ as: 'bettor' }, NO_ID)]).toEqual([401, 403, 404])
  })

  it('PQ-254 PQ-118 PQ-041 is cancelled, and then neither updated nor committed', () => {
    const b = new ParlayBench()
    const made = b.request()
    const cancel = (as: Who) => b.call('POST', `/v1/quote-requests/${made.id}/cancel`, { as })
    expect(cancel('rich').status).toBe(403)
    expect(cancel('bettor').body.data.quote_request).toMatchObject({ id: made.id, status: 'cancelled' })
    expect([cancel('bettor').body.error.code, b.commit('bettor', made).answer!.status, b.call('PATCH', `/v1/quote-requests/${made.id}`, { as: 'bettor', body }).status])
      .toEqual(['CONFLICT', 409, 409])
  })

  it('PQ-414 PQ-346 expires after 90 s, and is forgotten a minute later', () => {
    const b = new ParlayBench()
    const { id } = b.request()
    const read = () => b.call('GET', `/v1/quote-requests/${id}`, { as: 'bettor' })
    b.pass(89 * SECOND)
    expect(read().body.data.quote_request.status).toBe('active')
    b.pass(SECOND)
    expect(read().body.data.quote_request.status).toBe('expired')
    b.pass(60 * SECOND)
    expect(read().status).toBe(404)
  })
})

describe('POST /v1/quote-requests/{id}/commit', () => {
  it('PQ-169 PQ-184 PQ-174 is held until its maker confirms, and answers 201', () => {
    const b = new ParlayBench()
    const made = b.request()
    const { id: quote_id } = b.quote('ours', made, 4).body.data
    const commit = b.commit('bettor', made)
    b.pass(4 * SECOND)
    expect(commit.answer).toBe(null)
    expect(b.call('POST', `/v1/mm/quote-requests/${made.id}/quote/confirm`, { as: 'ours', body: { quote_id } }).status).toBe(200)
    expect([commit.answer!.status, commit.answer!.body.data]).toEqual([201, {
      // Selected at 1.003 s of the session, and 5 s to confirm.
      status: 'committed', quote_request_id: made.id, rfq_id: expect.stringMatching(UUID), quote_id, selected_payout_odds: 4, confirmation_deadline: '2025-06-15T15:06:46.003000Z',
    }])
  })

  it('PQ-175 PQ-176 PQ-094 names the request, the quote that it took, the parlay that it made and the deadline', () => {
    const b = new ParlayBench()
    const made = b.request()
    const [, best] = [b.quote('rival', made, 3), b.quote('ours', made, 4)]
    const commit = b.commit('bettor', made)
    b.call('POST', `/v1/mm/quote-requests/${made.id}/quote/confirm`, { as: 'ours', body: { quote_id: best.body.data.id } })
    const { quote_request_id, quote_id, rfq_id, confirmation_deadline } = commit.answer!.body.data
    expect([quote_request_id, quote_id, confirmation_deadline]).toEqual([made.id, best.body.data.id, '2025-06-15T15:06:46.004000Z'])
    expect(b.call('GET', `/v1/parlays/${rfq_id}`, { as: 'bettor' }).body.data.parlay).toMatchObject({ rfq_id, quote_request_id, accepted_quote_id: quote_id })
  })

  it('PQ-445 PQ-446 shows the limit of its own call, however long it was held', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made)
    const commit = b.commit('bettor', made)
    for (let i = 0; i < 5; i++) b.call('GET', `/v1/quote-requests/${made.id}`, { as: 'bettor' })
    b.pass(5 * SECOND)
    // The request was the first call from its source, the commit the second.
    expect([commit.answer!.status, commit.answer!.headers['X-RateLimit-Limit'], commit.answer!.headers['X-RateLimit-Remaining']]).toEqual([409, '300', '298'])
  })

  it('PQ-364 PQ-365 names the maker that did not confirm, and another commit may leave it out', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made, 5)
    b.quote('rival', made, 4)
    const commit = b.commit('bettor', made)
    b.pass(5 * SECOND)
    expect([commit.answer!.status, commit.answer!.body.error]).toMatchObject([409, { code: 'CONFLICT', details: { reason: 'mm_confirmation_timeout', failed_mm_id: b.idOf('ours') } }])
    expect(b.commit('bettor', made, { exclude_mm_ids: [b.idOf('ours'), b.idOf('rival')] }).answer!.body.error.details.reason).toBe('COMMIT_FAILED')
    const again = b.commit('bettor', made, { exclude_mm_ids: [b.idOf('ours')] })
    expect(again.answer).toBe(null)
  })

  it('PQ-363 tells a second commit meanwhile to try again', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made)
    b.commit('bettor', made)
    const { status, body: { error } } = b.commit('bettor', made).answer!
    expect([status, error.code, error.details.reason]).toEqual([503, 'SERVICE_UNAVAILABLE', 'COMMIT_FAILED_RETRYABLE'])
  })

  it('PQ-359 PQ-361 refuses an older version, and a price that no quote meets', () => {
    const b = new ParlayBench()
    const made = b.request()
    b.quote('ours', made, 4)
    expect(b.commit('bettor', { ...made, version: 2 }).answer!.body.error.details.reason).toBe('QUOTE_CHANGED')
    expect(b.commit('bettor', made, { min_payout_odds_seen: 4.00001 }).answer!.body.error.details.reason).toBe('QUOTE_EXPIRED')
    expect(b.commit('bettor', made, { min_payout_odds_seen: 4 }).answer).toBe(null)
  })

  it.each([
    ['PQ-170 PQ-366', 'expected_version', '1'], ['PQ-171 PQ-366', 'displayed_quote_id', 7], ['PQ-172 PQ-366', 'displayed_quote_book_seq', 0.5],
    ['PQ-173', 'min_payout_odds_seen', 1],
  ])('%s refuses a commit without or with a wrong %s', (_, name, wrong) => {
    const b = new ParlayBench()
    const made = b.request()
    for (const value of [undefined, wrong]) {
      const { status, body: { error } } = b.commit('bettor', made, { [name]: value }).answer!
      expect([status, error.details.issues[0].path]).toEqual([400, [name]])
    }
  })

  it('PQ-367 PQ-368 PQ-369 refuses nobody, who does not own the request, and an id of nothing', () => {
    const b = new ParlayBench()
    const made = b.request()
    expect([b.commit('nobody', made).answer!.status, b.commit('rich', made).answer!.status, b.commit('bettor', { ...made, id: NO_ID }).answer!.status]).toEqual([401, 403, 404])
  })
})

it('a session that is over answers a commit that waits: 503', () => {
  const b = new ParlayBench()
  const made = b.request()
  b.quote('ours', made)
  const commit = b.commit('bettor', made)
  b.handler.drain()
  expect([commit.answer!.status, commit.answer!.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  // Its own answer comes too late, and is not given again.
  b.pass(6 * SECOND)
})

it('an answer that has a way is given when it has come down to its client, as it was when the service gave it', () => {
  const b = new ParlayBench()
  const { id } = b.request()
  b.onTheirWay = []
  const read = b.send('GET', `/v1/quote-requests/${id}`, { as: 'bettor' })
  b.send('POST', `/v1/quote-requests/${id}/cancel`, { as: 'bettor' })
  expect(read.answer).toBe(null)
  for (const answer of b.onTheirWay) answer()
  expect(read.answer!.body.data.quote_request.status).toBe('active')
})
