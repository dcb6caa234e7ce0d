import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BODY_BYTES_MAX, type HeaderPairs } from '../../../../src/serve/exchange.ts'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { routes } from '../profile.ts'
import { type Asked, LEGS, NO_ID, ParlayBench } from './bench.ts'

/** Calls that are tried, with `npm run soak -- --wire N` so many; of frames a fifth. */
const CALLS = Number(process.env['PARLOR_SOAK'] ?? 1500)
const SEED = process.env['PARLOR_SOAK_SEED'] === undefined ? {} : { seed: Number(process.env['PARLOR_SOAK_SEED']) }

const bench = new ParlayBench({ seconds: 600 + Math.ceil(CALLS / 500), gate: { authenticatedLimit: 1e9, unauthenticatedLimit: 1e9, publicLimit: 1e9, quoteServiceLimit: 1e9, walletWithdrawLimit: 1e9, depositLimit: 1e9, withdrawLimit: 1e9, submitTransactionLimit: 1e9 } })
const made = bench.request()
const { rfq_id } = bench.fill('rich')
const auction = bench.call('POST', '/v1/cashout-requests', { as: 'rich', body: { rfq_id } }).body.data.cashout_request.id as string
const IDS = [made.id, rfq_id, auction, NO_ID]

/** A body that each route takes. */
const BODIES: Readonly<Record<string, object>> = {
  createQuoteRequest: { legs: LEGS, bet_amount: 25 }, updateQuoteRequest: { legs: LEGS, bet_amount: 25 },
  commitQuoteRequest: { expected_version: 1, displayed_quote_id: 'x', displayed_quote_book_seq: 1, min_payout_odds_seen: 2 },
  submitQuote: { request_version: 1, request_hash: made.request_hash, payout_odds: 2 }, confirmQuote: { quote_id: NO_ID }, declineQuote: { quote_id: NO_ID },
  openCashOut: { rfq_id }, submitBid: { price_micro: 1 }, deposit: { amount: 1 }, withdraw: { amount: 1 }, withdrawFromWallet: { amount: 1, address: '1'.repeat(32) },
  submitTransaction: { transaction: '' }, createKey: { scopes: ['mm:quote'] }, setWebhook: { url: 'https://example.com', events: [] },
}

const junk = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '%', '%00', '%ff', '..', '{id}', '__proto__', 'constructor', 'a'.repeat(5000)))
const wrong = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 0, 1e308, 1.5, 1e-7, 2 ** 53, '', '1', null, [], {}, [[[[]]]]))

/** A body with one field that is gone or wrong, or bytes that are no JSON. */
const bodyOf = (body: object): fc.Arbitrary<unknown> => fc.oneof(
  fc.constantFrom(...Object.keys(body)).map((name) => ({ ...body, [name]: undefined })),
  fc.tuple(fc.constantFrom(...Object.keys(body)), wrong).map(([name, value]) => ({ ...body, [name]: value })),
  fc.nat(JSON.stringify(body).length - 1).map((length) => JSON.stringify(body).slice(0, length)),
  fc.constantFrom(...Object.keys(body)).map((name) => `{"${name}":1,${JSON.stringify(body).slice(1)}`),
  fc.uint8Array({ maxLength: 200 }), fc.json(), wrong, fc.constant(new Uint8Array(BODY_BYTES_MAX + 1).fill(0x20)),
  fc.constantFrom('['.repeat(20_000), `{"legs":${'['.repeat(20_000)}`, '{"__proto__":{}}', '{"bet_amount":1e999}', '\u0000'),
)

const credential: fc.Arbitrary<Asked> = fc.oneof(
  fc.constantFrom<Asked>({}, { as: 'bettor' }, { as: 'ours' }, { as: 'rich' }, { jwt: 'good-rich' }, { jwt: 'bad' }),
  junk.map((key) => ({ key })), junk.map((value): Asked => ({ headers: [['authorization', value]] })),
)
const headers: fc.Arbitrary<HeaderPairs> = fc.array(fc.tuple(fc.constantFrom('x-api-key', 'authorization', 'content-type', 'accept', 'x', '__proto__'), junk), { maxLength: 3 })
const query = fc.oneof(fc.constant(''), junk, fc.array(fc.tuple(fc.constantFrom('limit', 'cursor', 'category', 'owner_kind', 'status', 'search', '__proto__', 'markets_per_event', 'venue'), junk), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')))
/** An id of something else, or of nothing at all. */
const path = (template: string): fc.Arbitrary<string> => fc.oneof(fc.constantFrom(...IDS), junk).map((text) => template.replace(/\{\w+\}/, text.replaceAll('?', '')))

const onRoute = fc.constantFrom(...routes).chain(({ name, method, path: template }) =>
  fc.tuple(fc.constant(method as string), path(template), query, credential, BODIES[name] === undefined ? fc.uint8Array({ maxLength: 20 }) : bodyOf(BODIES[name]), headers))
const anywhere = fc.tuple(fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', ''), junk), fc.oneof(junk, junk.map((text) => `/v1/${text}`)), query, credential, fc.uint8Array({ maxLength: 50 }), headers)

describe('malformed exchanges', () => {
  it('PQ-343 PQ-351 are answered with an error of the document, never 500, and leave no row but the reply that counts them', () => {
    let refused = 0
    fc.assert(fc.property(fc.oneof({ weight: 4, arbitrary: onRoute }, { weight: 1, arbitrary: anywhere }), ([method, where, asks, asked, body, more]) => {
      // Time passes first, so that rows of deadlines do not count as the exchange's.
      bench.pass(1000)
      const before = bench.kinds.length
      const { answer } = bench.sendNow(method, `${where}?${asks}`, { ...asked, headers: [...asked.headers ?? [], ...more], body })
      // A commit with a quote to take could wait; there is none.
      expect(answer).not.toBe(null)
      expect(answer!.status).not.toBe(500)
      const rows = bench.kinds.slice(before)
      expect(rows.filter((kind) => kind === ParlayEvent.reply).length).toBe(1)
      if (answer!.status < 400) return
      refused++
      expect(rows).toEqual([ParlayEvent.reply])
    }), { numRuns: CALLS, ...SEED })
    expect(refused).toBeGreaterThan(CALLS * 2 / 3)
  })

  it('PQ-269 PQ-270 frames are answered with auth:error, and leave no row', () => {
    fc.assert(fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), bodyOf({ type: 'auth', api_key: 'api_test_x' }).map((body) => (body instanceof Uint8Array ? body : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))))), fc.boolean(), (frame, isBinary) => {
      const socket = bench.open('socket', '/v1/ws')
      const opened = bench.kinds.length
      socket.onFrame(frame, isBinary)
      expect([socket.frames.length, socket.frames[0].type, socket.closedWith![0], bench.kinds.length]).toEqual([1, 'auth:error', 1008, opened])
    }), { numRuns: CALLS / 5, ...SEED })
  })
})
