import { describe, expect, it } from 'vitest'
import { type Call, isMisshapen, readCall } from '../../../src/serve/parlay/calls.ts'
import { MEANINGS, UNKNOWN_QUOTE, type WireNumbers, writeCommand, writeMisshapen } from '../../../src/serve/parlay/commands.ts'
import { COMMAND_FIELDS, ParlayCommand, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { T0, GateDriver } from '../../venue/parlay/gateDriver.ts'
import { routes, shapes } from './profile.ts'

const ID = '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'
const OTHER = '1b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'

/** Each kind of name has numbers of its own, so that none is taken for another. */
const NUMBERS: WireNumbers = {
  request: (id) => (id === ID ? 6 : -1), quote: (id) => (id === ID ? 8 : -1), account: (id) => ({ [ID]: 21, [OTHER]: 22 })[id] ?? -1,
  auction: (id) => (id === ID ? 4 : -1), positionOfRfq: (account, id) => (account === 3 && id === ID ? 2 : -1),
  key: (account, prefix) => (account === 3 && prefix === 'api_test_abcdefgh' ? 5 : -1), delivery: (id) => (id === ID ? 9 : -1),
  instant: (iso) => Date.parse(iso) * 1000,
  market: (ticker, venue) => ({ 'A venue_a': 0, 'B venue_b': 1 } as Readonly<Record<string, number>>)[`${ticker} ${venue}`] ?? -1, contentTag: (request, hash) => (request === 6 && hash === 'sha256:7' ? 77 : 0),
}

/** Fields of the command that are set, of account 3's call to a route. */
function fieldsOf(name: string, body?: unknown, { id = ID, prefix = '', query = {} }: { id?: string; prefix?: string; query?: Record<string, string> } = {}) {
  const route = routes.find((one) => one.name === name)!
  const sent = readCall(route, shapes, {
    params: route.params === null ? {} : prefix === '' ? { id } : { prefix }, query, body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
  })
  if (isMisshapen(sent)) throw new Error(JSON.stringify(sent.issues))
  const c = new ParlayCommand().reset(ParlayOp.read, 99)
  writeCommand(c, name, 3, sent as Call, NUMBERS)
  const unset = new ParlayCommand().reset(c.op, 3)
  return {
    ...Object.fromEntries(COMMAND_FIELDS.filter((field) => field === 'op' || c[field] !== unset[field]).map((field) => [field, c[field]])),
    ...(c.legCount > 0 && { legs: Array.from({ length: c.legCount }, (_, i) => [c.legMarkets[i], c.legSides[i]]) }),
    ...(c.listCount > 0 && { list: [...c.list.subarray(0, c.listCount)] }),
  }
}

describe('the command of a call', () => {
  const LEGS = [{ market_ticker: 'B', side: 'no', venue: 'venue_b' }, { market_ticker: 'A', side: 'yes' }]

  it('PQ-164 PQ-023 creates a request with its legs in order, and its bet in microUSDC', () => {
    expect(fieldsOf('createQuoteRequest', { legs: LEGS, bet_amount: 25.000001 })).toEqual({ op: ParlayOp.createRequest, betMicros: 25_000_001, legs: [[1, 0], [0, 1]] })
  })

  it('PQ-051 PQ-356 takes a leg without a venue for one of venue_a, and leaves a name that nobody has to the venue', () => {
    const legs = [{ market_ticker: 'A', side: 'yes' }, { market_ticker: 'B', side: 'no' }, { market_ticker: 'A', side: 'no', venue: 'venue_b' }]
    expect(fieldsOf('createQuoteRequest', { legs, bet_amount: 1 })).toMatchObject({ legs: [[0, 1], [-1, 0], [-1, 0]] })
  })

  it('PQ-167 updates the request that the path names', () => {
    expect(fieldsOf('updateQuoteRequest', { legs: LEGS, bet_amount: 1 })).toEqual({ op: ParlayOp.updateRequest, request: 6, betMicros: 1_000_000, legs: [[1, 0], [0, 1]] })
  })

  it.each<[string, string, number, object]>([
    ['PQ-254', 'cancelQuoteRequest', ParlayOp.cancelRequest, { request: 6 }], ['PQ-258', 'cancelCashOut', ParlayOp.cancelCashout, { auction: 4 }],
  ])('%s %s names it by its path', (_, name, op, fields) => {
    expect(fieldsOf(name)).toEqual({ op, ...fields })
    // A name that nobody has leaves the field at −1, which the venue answers with 404.
    expect(fieldsOf(name, undefined, { id: OTHER })).toEqual({ op })
  })

  it('PQ-170 PQ-172 PQ-467 commits a version at a floor rounded up to four decimals, without the makers that are left out', () => {
    expect(fieldsOf('commitQuoteRequest', {
      expected_version: 2, displayed_quote_id: ID, displayed_quote_book_seq: 5, min_payout_odds_seen: 3.98001, exclude_mm_ids: [OTHER, 'nobody', ID],
    })).toEqual({ op: ParlayOp.commitRequest, request: 6, version: 2, quote: 8, bookSeq: 5, oddsE4: 39_801, list: [22, 21] })
  })

  it('PQ-188 records a displayed quote that nobody knows as one, since it pins nothing', () => {
    const body = { expected_version: 1, displayed_quote_id: 'gone', displayed_quote_book_seq: 0, min_payout_odds_seen: 4 }
    expect(fieldsOf('commitQuoteRequest', body)).toEqual({ op: ParlayOp.commitRequest, request: 6, version: 1, quote: UNKNOWN_QUOTE, bookSeq: 0, oddsE4: 40_000 })
  })

  it('PQ-193 submits a quote for a version and its hash', () => {
    const body = { request_version: 2, request_hash: 'sha256:7', payout_odds: 3.9801, expires_in_ms: 5000 }
    expect(fieldsOf('submitQuote', body)).toEqual({ op: ParlayOp.submitQuote, request: 6, version: 2, contentTag: 77, oddsE4: 39_801, validMs: 5000 })
    expect(fieldsOf('submitQuote', { ...body, request_hash: 'sha256:8', expires_in_ms: undefined })).toEqual({
      op: ParlayOp.submitQuote, request: 6, version: 2, contentTag: 0, oddsE4: 39_801,
    })
  })

  it('PQ-196 withdraws a quote of the current version unless it says another', () => {
    expect(fieldsOf('withdrawQuote')).toEqual({ op: ParlayOp.withdrawQuote, request: 6 })
    expect(fieldsOf('withdrawQuote', { request_version: 2 })).toEqual({ op: ParlayOp.withdrawQuote, request: 6, version: 2 })
    expect(fieldsOf('withdrawQuote', { request_hash: 'sha256:7' })).toEqual({ op: ParlayOp.withdrawQuote, request: 6, contentTag: 77 })
  })

  it.each([['confirmQuote', ParlayOp.confirmSelection], ['declineQuote', ParlayOp.declineSelection]])('PQ-211 %s names request and quote', (name, op) => {
    expect(fieldsOf(name, { quote_id: ID })).toEqual({ op, request: 6, quote: 8 })
  })

  it('PQ-258 PQ-259 opens an auction of the position that the account holds, and commits it at a least price', () => {
    expect(fieldsOf('openCashOut', { rfq_id: ID })).toEqual({ op: ParlayOp.openCashout, position: 2 })
    expect(fieldsOf('commitCashOut')).toEqual({ op: ParlayOp.commitCashout, auction: 4 })
    expect(fieldsOf('commitCashOut', { min_price_micro: 38_000_000 })).toEqual({ op: ParlayOp.commitCashout, auction: 4, amountMicros: 38_000_000 })
  })

  it('PQ-197 bids in microUSDC', () => {
    expect(fieldsOf('submitBid', { price_micro: 98_257_500, expires_in_ms: 60_000 })).toEqual({ op: ParlayOp.submitBid, auction: 4, amountMicros: 98_257_500, validMs: 60_000 })
    expect(fieldsOf('submitBid', { price_micro: 1 })).toEqual({ op: ParlayOp.submitBid, auction: 4, amountMicros: 1 })
  })

  it.each([['PQ-215', 'deposit', ParlayOp.deposit], ['PQ-213', 'withdraw', ParlayOp.withdraw]])('%s moves microUSDC: %s', (_, name, op) => {
    expect(fieldsOf(name, { amount: 0.1 })).toEqual({ op, amountMicros: 100_000 })
  })

  it('PQ-216 moves them out of the wallet', () => {
    expect(fieldsOf('withdrawFromWallet', { amount: 12.5, address: '1'.repeat(32) })).toEqual({ op: ParlayOp.walletWithdraw, amountMicros: 12_500_000 })
  })

  it('PQ-231 PQ-250 makes a key with a mask of scopes and its end', () => {
    // account:read is bit 0, mm:quote bit 10.
    expect(fieldsOf('createKey', { scopes: ['mm:quote', 'account:read'], expires_at: '2025-06-15T15:06:40.5Z' })).toEqual({ op: ParlayOp.createKey, value: 1025, closeUs: 1_750_000_000_500_000 })
    expect(fieldsOf('createKey', { scopes: ['keys:manage'], expires_at: null })).toEqual({ op: ParlayOp.createKey, value: 512 })
  })

  it('PQ-232 revokes the key of the caller that has the prefix', () => {
    expect(fieldsOf('revokeKey', undefined, { prefix: 'api_test_abcdefgh' })).toEqual({ op: ParlayOp.revokeKey, value: 5 })
    expect(fieldsOf('revokeKey', undefined, { prefix: 'api_test_zzzzzzzz' })).toEqual({ op: ParlayOp.revokeKey })
  })

  it.each([[{}, 0], [{ owner_kind: 'user' }, 0], [{ owner_kind: 'mm' }, 1]])('PQ-233 PQ-242 a webhook call with %j is about owner kind %i', (query: Record<string, string>, owner) => {
    // position.settled is bit 0, position.bought_back bit 2.
    const body = { url: 'https://example.com', events: ['position.bought_back', 'position.settled'] }
    expect(fieldsOf('setWebhook', body, { query })).toEqual({ op: ParlayOp.setEndpoint, value: owner, value2: 5 })
    expect(fieldsOf('rotateSecret', undefined, { query })).toEqual({ op: ParlayOp.rotateSecret, value: owner })
    expect(fieldsOf('redeliver', undefined, { query })).toEqual({ op: ParlayOp.redeliver, value: 9, value2: owner })
    expect(fieldsOf('readWebhook', undefined, { query })).toEqual({ op: ParlayOp.read, value: 7 + owner })
  })
})

describe('a call whose shape is wrong', () => {
  it.each(Object.keys(MEANINGS).filter((name) => routes.find((route) => route.name === name)!.method !== 'GET'))('changes nothing: %s', (name) => {
    const d = new GateDriver().at(0)
    d.send('deposit', 3, { amountMicros: 100_000_000 })
    d.send('setEndpoint', 3, { value: 0, value2: 1 })
    const c = new ParlayCommand()
    // What has no body can only be wrong in its query.
    writeMisshapen(c, name, 3, name === 'rotateSecret' ? { owner_kind: 'maker' } : {})
    c.seq = 1000
    d.gate.apply(T0, c)
    expect(d.events.count).toBe(1)
  })
})
