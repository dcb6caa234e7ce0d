import { describe, expect, it } from 'vitest'
import { ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { QuoteState, RequestState } from '../../../../src/venue/parlay/protocol/events.ts'
import { commitBody } from '../../../../src/venue/parlay/wire/commitBody.ts'
import { quoteBody, type QuoteRecord } from '../../../../src/venue/parlay/wire/quoteBody.ts'
import { quoteRequestBody, type RequestParts } from '../../../../src/venue/parlay/wire/quoteRequestBody.ts'
import { requestHash } from '../../../../src/venue/parlay/wire/requestHash.ts'
import { rowAs } from '../../../../src/venue/eventCells.ts'
import { CommitReply } from '../../../../src/venue/parlay/protocol/events.ts'
import { asSent, nameOf } from './names.ts'
import { AT_US, identity, replyRow } from './rows.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** SHA-256 of the text that the docstring of `requestHash` describes, computed by another program. */
const HASH = 'sha256:40b24691a5223fc015820869b1aabab4fa2c64e1aa943b1a4ae0565615a2497a'

const REQUEST: RequestParts = {
  number: 6, owner: 3, state: RequestState.active, version: 2, bookSeq: 5, betMicros: 25_500_000, expiresAtUs: AT_US,
  legs: [{ market: 0, side: 1 }, { market: 1, side: 0 }],
}
const LEGS = [
  { market_ticker: 'NBA-LAL', event_ticker: 'NBA-LAL-BOS', venue: 'venue_a', side: 'yes' },
  { market_ticker: 'BTC-90K', event_ticker: 'BTC-JUN', venue: 'venue_b', side: 'no' },
] as const
const read = (changed: Partial<RequestParts> = {}, inputLegs?: readonly unknown[]) => asSent(quoteRequestBody(identity, { ...REQUEST, ...changed }, nameOf, inputLegs))

describe('request_hash', () => {
  it('PQ-035 is the SHA-256 of bet and legs, written sha256:<hex>', () => {
    expect(requestHash(LEGS, 25_500_000)).toBe(HASH)
  })

  it.each<[string, string]>([
    ['another bet', requestHash(LEGS, 25_500_001)],
    ['another order', requestHash([LEGS[1], LEGS[0]], 25_500_000)],
    ['another side', requestHash([{ ...LEGS[0], side: 'no' }, LEGS[1]], 25_500_000)],
    ['another market', requestHash([{ ...LEGS[0], market_ticker: 'NBA-BOS' }, LEGS[1]], 25_500_000)],
    ['another venue', requestHash([{ ...LEGS[0], venue: 'venue_b' }, LEGS[1]], 25_500_000)],
    ['a leg less', requestHash([LEGS[0]], 25_500_000)],
  ])('PQ-035 is another one for %s', (_, hash) => {
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(hash).not.toBe(HASH)
  })
})

describe('the body of a quote request', () => {
  it('PQ-031 PQ-032 PQ-044 has the fields of the document, with the legs as they were validated', () => {
    expect(read()).toEqual({
      id: identity.request(6), user_id: identity.account(3), version: 2, request_hash: HASH, book_seq: 5, status: 'active', bet_amount: 25.5,
      expires_at: '2025-06-20T00:23:00.000007Z',
      legs: [{ id: identity.leg(6, 2, 0), ...LEGS[0] }, { id: identity.leg(6, 2, 1), ...LEGS[1] }],
      input_legs: [
        { market_ticker: 'NBA-LAL', side: 'yes', venue: 'venue_a' }, { market_ticker: 'BTC-90K', side: 'no', venue: 'venue_b' },
      ],
    })
  })

  it('PQ-052 PQ-031 has UUIDs for the request and each leg, new ones for the legs of each version', () => {
    const ids = [1, 2].flatMap((version) => [read({ version })['id'], ...(read({ version })['legs'] as { id: string }[]).map(({ id }) => id)]) as string[]
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(5)
  })

  it('PQ-053 PQ-054 has legs with the event of their market, and with market, side and venue as they were submitted', () => {
    expect(read()['legs']).toMatchObject([
      { event_ticker: 'NBA-LAL-BOS', market_ticker: 'NBA-LAL', side: 'yes', venue: 'venue_a' },
      { event_ticker: 'BTC-JUN', market_ticker: 'BTC-90K', side: 'no', venue: 'venue_b' },
    ])
  })

  it('PQ-045 repeats the legs as the client sent them, unchanged', () => {
    const sent = [{ side: 'yes', market_ticker: 'NBA-LAL' }, { market_ticker: 'BTC-90K', side: 'no', venue: 'venue_b', note: { of: ['mine'] } }]
    expect(read({}, sent)['input_legs']).toEqual(sent)
  })

  it.each(['active', 'committed', 'cancelled', 'expired'] as const)('PQ-041 has the status %s', (status) => {
    expect(read({ state: RequestState[status] })['status']).toBe(status)
  })

  it('PQ-046 PQ-047 never has implied_probability', () => {
    expect(JSON.stringify(read())).not.toContain('implied_probability')
  })
})

it('PQ-174 PQ-176 PQ-094 the answer to a commit has its status, its ids, the odds and the deadline', () => {
  const reply = rowAs(CommitReply, replyRow(ParlayOp.commitRequest, 0, { request: 6, quote: 8, maker: 21, oddsE4: 39_999, position: 1, confirmBeforeUs: AT_US }))
  expect(commitBody(identity, reply)).toEqual({
    status: 'committed', quote_request_id: identity.request(6), rfq_id: identity.rfq(6), quote_id: identity.quote(8), selected_payout_odds: 3.9999,
    confirmation_deadline: '2025-06-20T00:23:00.000007Z',
  })
})

describe('the body of a quote', () => {
  // The document's example: 25 USDC at 4.0 is a stake of 24.75 and a risk of 74.25.
  const QUOTE: QuoteRecord = {
    number: 8, request: 6, maker: 21, state: QuoteState.live, version: 2, oddsE4: 40_000, riskMicros: 74_250_000, stakeMicros: 24_750_000,
    takerFeeBps: 100, validUntilUs: AT_US + 15_000_000, submittedAtUs: AT_US, endedAtUs: -1, bookSeq: 5,
  }

  it('PQ-055 PQ-089 has its id, maker, request, version, odds, fee rate, amounts and times', () => {
    expect(asSent(quoteBody(identity, QUOTE))).toEqual({
      id: identity.quote(8), quote_request_id: identity.request(6), mm_id: identity.account(21), request_version: 2, status: 'live', payout_odds: 4,
      taker_fee_bps: 100, user_stake: 24.75, mm_risk: 74.25, book_seq: 5, created_at: '2025-06-20T00:23:00.000007Z',
      expires_at: '2025-06-20T00:23:15.000007Z', ended_at: null,
    })
  })

  it.each<[keyof typeof QuoteState]>([['live'], ['replaced'], ['withdrawn'], ['expired'], ['invalidated'], ['reserved'], ['filled'], ['failed']])(
    'PQ-203 says that it is %s', (status) => {
      expect(quoteBody(identity, { ...QUOTE, state: QuoteState[status] }).status).toBe(status)
    },
  )

  it('says when it ended', () => {
    expect(quoteBody(identity, { ...QUOTE, endedAtUs: AT_US + 1_000_000 }).ended_at).toBe('2025-06-20T00:23:01.000007Z')
  })

  it.each([[10_001, 1.0001], [10_000_000, 1000], [27_183, 2.7183], [100_100, 10.01]])('writes odds of %i ten-thousandths as %d', (oddsE4, odds) => {
    expect(JSON.stringify(quoteBody(identity, { ...QUOTE, oddsE4 }).payout_odds)).toBe(String(odds))
  })
})
