import { describe, expect, it } from 'vitest'
import { isMisshapen, readCall } from '../../../src/serve/parlay/calls.ts'
import { writeCommand } from '../../../src/serve/parlay/commands.ts'
import { KnownNames } from '../../../src/serve/parlay/records/names.ts'
import { CatalogueIndex } from '../../../src/market/catalogue.ts'
import type { Market } from '../../../src/market/market.ts'
import { ParlayCommand } from '../../../src/venue/parlay/protocol/commands.ts'
import { requestHash } from '../../../src/venue/parlay/wire/requestHash.ts'
import { identity } from '../../venue/parlay/wire/rows.ts'
import { type Row, sec } from '../../venue/parlay/driver.ts'
import { routes, shapes } from './profile.ts'
import { recordedTable } from './records/recorded.ts'

const market = (number: number): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event: `E${number}`, series: '', category: '', title: '', game: '', ladder: '', exclusionKeys: ['k'],
  openUs: 0, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null, outcome: null, settlementE6: null, settledUs: null,
})
const LEGS = [{ market_ticker: 'M1', side: 'yes' }, { market_ticker: 'M2', side: 'no' }]
const HASH = requestHash([
  { market_ticker: 'M1', event_ticker: 'E1', venue: 'venue_a', side: 'yes' }, { market_ticker: 'M2', event_ticker: 'E2', venue: 'venue_a', side: 'no' },
], 25_000_000)

/** Bodies as a client sends them, played through the venue with the settings of the document. */
function service() {
  const names = new KnownNames(identity, [10, 20, 21, 22])
  const d = recordedTable({}, names)
  const numbers = names.numbers(d.records, new CatalogueIndex({ markets: [0, 1, 2, 3].map(market) }))
  const call = (account: number, name: string, body?: unknown, id = identity.request(1)): Row | undefined => {
    const route = routes.find((one) => one.name === name)!
    const sent = readCall(route, shapes, { params: route.params === null ? {} : { id }, query: {}, body: body === undefined ? null : Buffer.from(JSON.stringify(body)) })
    if (isMisshapen(sent)) throw new Error(JSON.stringify(sent.issues))
    const c = new ParlayCommand()
    writeCommand(c, name, account, sent, numbers)
    return d.apply(c)
  }
  return { d, call }
}
/** Bettor 10's request 1 with quote 1 of maker 20, as long as it may last. */
function quoted() {
  const { d, call } = service()
  call(10, 'createQuoteRequest', { legs: LEGS, bet_amount: 25 })
  call(20, 'submitQuote', { request_version: 1, request_hash: HASH, payout_odds: 4, expires_in_ms: 60_000 })
  return { d, call }
}
const commit = { expected_version: 1, displayed_quote_id: identity.quote(1), displayed_quote_book_seq: 1, min_payout_odds_seen: 4 }

describe('windows that a call leaves to the service', () => {
  it('PQ-412 PQ-414 a request lasts 90 s, again from each update on', () => {
    const { d, call } = service()
    expect(call(10, 'createQuoteRequest', { legs: LEGS, bet_amount: 25 })).toMatchObject({ code: 'ok', expiresAtUs: sec(90) })
    d.at(sec(80))
    expect(call(10, 'updateQuoteRequest', { legs: LEGS, bet_amount: 25 })).toMatchObject({ code: 'ok', expiresAtUs: sec(170) })
  })

  it('PQ-412 PQ-413 a quote lasts 15 s, or as long as it says', () => {
    const { call } = service()
    call(10, 'createQuoteRequest', { legs: LEGS, bet_amount: 25 })
    const quote = { request_version: 1, request_hash: HASH, payout_odds: 4 }
    expect(call(20, 'submitQuote', quote)).toMatchObject({ code: 'ok', expiresAtUs: sec(15) })
    expect(call(20, 'submitQuote', { ...quote, expires_in_ms: 5000 })).toMatchObject({ code: 'ok', expiresAtUs: sec(5) })
    expect(call(20, 'submitQuote', { ...quote, expires_in_ms: 60_000 })).toMatchObject({ code: 'ok', expiresAtUs: sec(60) })
  })

  it('PQ-412 PQ-415 a maker has 5 s to confirm', () => {
    const { d, call } = quoted()
    expect(call(10, 'commitQuoteRequest', commit)).toBe(undefined)
    expect(d.of('quoteSelected')).toMatchObject([{ confirmBeforeUs: sec(5) }])
    d.at(sec(5) - 1)
    expect(call(20, 'confirmQuote', { quote_id: identity.quote(1) })).toMatchObject({ code: 'ok' })
    expect(d.records.trades.holding(10, 1)).toMatchObject({ status: 'executed' })
  })

  it('PQ-412 PQ-415 a maker that takes 5 s is late', () => {
    const { d, call } = quoted()
    call(10, 'commitQuoteRequest', commit)
    d.at(sec(5))
    expect(call(20, 'confirmQuote', { quote_id: identity.quote(1) })).toMatchObject({ code: 'noPendingSelection' })
  })

  it('PQ-412 PQ-416 PQ-199 an auction lasts 10 s and a bid 15 s', () => {
    const { call } = quoted()
    call(10, 'commitQuoteRequest', commit)
    call(20, 'confirmQuote', { quote_id: identity.quote(1) })
    expect(call(10, 'openCashOut', { rfq_id: identity.rfq(1) })).toMatchObject({ code: 'ok', untilUs: sec(10) })
    const bid = (more: object) => call(21, 'submitBid', { price_micro: 40_000_000, ...more }, identity.auction(1))
    expect([bid({})!['untilUs'], bid({ expires_in_ms: 5000 })!['untilUs'], bid({ expires_in_ms: 60_000 })!['untilUs']]).toEqual([sec(15), sec(5), sec(60)])
  })
})

describe('calls that the venue refuses', () => {
  it('PQ-377 a hash that no version had is a version mismatch', () => {
    const { call } = quoted()
    expect(call(20, 'submitQuote', { request_version: 1, request_hash: `${HASH}0`, payout_odds: 4 })).toMatchObject({ code: 'versionMismatch' })
    expect(call(20, 'withdrawQuote', { request_hash: 'sha256:0' })).toMatchObject({ code: 'versionMismatch' })
    expect(call(20, 'withdrawQuote', { request_hash: HASH, request_version: 1 })).toMatchObject({ code: 'ok' })
  })

  it('PQ-356 PQ-373 a ticker that nobody has names no market, and an id that nobody has no request', () => {
    const { call } = quoted()
    expect(call(10, 'createQuoteRequest', { legs: [LEGS[0], { market_ticker: 'X', side: 'no' }], bet_amount: 25 })).toMatchObject({ code: 'legMarketNotFound' })
    expect(call(10, 'updateQuoteRequest', { legs: LEGS, bet_amount: 25 }, identity.request(2))).toMatchObject({ code: 'notFound' })
    expect(call(10, 'cancelQuoteRequest', undefined, identity.rfq(1))).toMatchObject({ code: 'notFound' })
  })

  it('PQ-467 a floor just above the best odds is not met', () => {
    const { call } = quoted()
    expect(call(10, 'commitQuoteRequest', { ...commit, min_payout_odds_seen: 4.0000001 })).toMatchObject({ code: 'quoteExpired' })
  })

  it('PQ-188 a displayed quote that is gone does not matter', () => {
    const { d, call } = quoted()
    expect(call(10, 'commitQuoteRequest', { ...commit, displayed_quote_id: 'gone', displayed_quote_book_seq: 99 })).toBe(undefined)
    expect(d.names()).toEqual(['quoteSelected'])
  })

  it('PQ-288 an auction of a position that another holds cannot be opened', () => {
    const { call } = quoted()
    call(10, 'commitQuoteRequest', commit)
    call(20, 'confirmQuote', { quote_id: identity.quote(1) })
    expect(call(20, 'openCashOut', { rfq_id: identity.rfq(1) })).toMatchObject({ code: 'notFound' })
  })
})
