import { describe, expect, it } from 'vitest'
import { ParlayEvent } from '../../../../src/venue/parlay/protocol/events.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import { QuoteSelected } from '../../../../src/venue/parlay/protocol/events.ts'
import { AUTH_ERRORS, authErrorFrame, authOkFrame, makerQuoteAcceptedFrame, quoteAcceptedFrame } from '../../../../src/venue/parlay/wire/socketFrames.ts'
import { bestQuoteData, STREAM_EVENTS, STREAM_HEARTBEAT, streamText } from '../../../../src/venue/parlay/wire/streamEvents.ts'
import { asSent, nameOf } from './names.ts'
import { AT_US, identity, row } from './rows.ts'

const AT = '2025-06-20T00:23:00.000007Z'

describe('the event stream', () => {
  const best = row(ParlayEvent.bestQuoteChanged, { request: 6, version: 2, quote: 8, maker: 21, owner: 3, oddsE4: 39_999, bookSeq: 5, expiresAtUs: AT_US })

  it('PQ-331 PQ-333 tells of a best quote, with the book_seq that a commit echoes', () => {
    expect(bestQuoteData(identity, best)).toEqual({
      quote_request_id: identity.request(6), request_version: 2, book_seq: 5, quote_id: identity.quote(8), mm_id: identity.account(21),
      payout_odds: 3.9999, expires_at: AT,
    })
  })

  it('PQ-331 tells that no quote is left', () => {
    expect(bestQuoteData(identity, row(ParlayEvent.bestQuoteChanged, { request: 6, version: 2, bookSeq: 6 }))).toEqual({
      quote_request_id: identity.request(6), request_version: 2, book_seq: 6, quote_id: null, mm_id: null, payout_odds: null, expires_at: null,
    })
  })

  it('PQ-336 is text: id, event and data in a line each, then an empty line', () => {
    expect(streamText('best_quote', best, { text: 'two\nlines', price: 1 })).toBe(
      'id: 9\nevent: best_quote\ndata: {"text":"two\\nlines","price":1}\n\n',
    )
  })

  it('is kept alive by a comment, which clients skip', () => {
    expect(STREAM_HEARTBEAT).toMatch(/^:.*\n\n$/)
  })

  it('PQ-332 has three events, of which the document names the last', () => {
    expect(STREAM_EVENTS).toEqual(['quote_request', 'best_quote', 'cashout_request'])
  })
})

describe('frames of the WebSocket', () => {
  it('PQ-269 PQ-270 an auth that fails carries one of four codes', () => {
    expect(Object.values(AUTH_ERRORS)).toEqual(['auth_timeout', 'invalid_message', 'wrong_api_key_type', 'invalid_api_key'])
    expect(authErrorFrame(AUTH_ERRORS.invalid)).toEqual({ type: 'auth:error', code: 'invalid_api_key' })
  })

  it('an auth that succeeds names the account', () => {
    expect(authOkFrame(identity, 3)).toEqual({ type: 'auth:ok', user_id: identity.account(3) })
  })

  // The document's example: 25 USDC at 4.0.
  const rows = new EventRows({ next: 9 }, 1, 4)
  rows.open(AT_US, ParlayEvent.bestQuoteChanged, -1)
  rows.push(7)
  const first = rows.open(AT_US, ParlayEvent.quoteSelected, -1)
  const cells = { request: 6, version: 2, quote: 8, maker: 21, owner: 3, oddsE4: 40_000, riskMicros: 74_250_000, betMicros: 25_000_000, netStakeMicros: 24_750_000, confirmBeforeUs: AT_US }
  for (const [name, value] of Object.entries(cells)) rows.write(first, QuoteSelected[name as keyof typeof cells], value)
  for (const value of [0, 1, 1, 0]) rows.push(value)
  const selected = rows.rowCells(first)
  const data = {
    quote_request_id: identity.request(6), request_version: 2, rfq_id: identity.rfq(6), quote_id: identity.quote(8), payout_odds: 4, confirmation_deadline: AT,
  }

  it('PQ-335 PQ-337 quote:accepted tells the chosen maker what to confirm, and until when', () => {
    expect(quoteAcceptedFrame(identity, selected)).toEqual({ type: 'quote:accepted', data })
  })

  it('PQ-334 PQ-337 mm_quote:accepted states on the private channel the final economics and the exact legs', () => {
    expect(asSent(makerQuoteAcceptedFrame(identity, selected, nameOf))).toEqual({
      type: 'mm_quote:accepted', channel: `mm:quotes:${identity.account(21)}`,
      data: {
        ...data, bet_amount: 25, taker_fee: 0.25, user_stake: 24.75, total_payout: 99, mm_risk: 74.25,
        legs: [
          { market_ticker: 'NBA-LAL', event_ticker: 'NBA-LAL-BOS', venue: 'venue_a', side: 'yes' },
          { market_ticker: 'BTC-90K', event_ticker: 'BTC-JUN', venue: 'venue_b', side: 'no' },
        ],
      },
    })
  })
})
