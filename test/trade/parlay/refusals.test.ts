import { describe, expect, it } from 'vitest'
import { Action, Refusal, type RefusalName } from '../../../src/agent/vocabulary.ts'
import { errorOf, refusalOf } from '../../../src/trade/parlay/refusals.ts'

const answer = (status: number, error: object, headers: Readonly<Record<string, string>> = {}) => ({ status, headers, body: JSON.stringify({ error }) })

describe('what a refusal of the parlay service says to a bettor', () => {
  it.each<[string, RefusalName]>([
    ['market_expired', 'marketClosed'], ['MARKET_NOT_LIVE', 'marketClosed'], ['MARKET_NEAR_CLOSE', 'marketClosed'], ['QUOTE_CHANGED', 'termsStale'], ['version_mismatch', 'termsStale'],
    ['QUOTE_EXPIRED', 'noQuote'], ['no_active_bid', 'noQuote'], ['COMMIT_FAILED', 'unfillable'], ['mm_confirmation_timeout', 'notConfirmed'], ['request_not_active', 'notOpen'],
    ['not_active', 'notOpen'], ['expired', 'notOpen'], ['already_transferred', 'notOpen'], ['amount_over_bound', 'counterpartyUnable'], ['insufficient_buyer_balance', 'counterpartyUnable'],
    ['buyer_no_vault', 'counterpartyUnable'], ['buyer_is_counterparty', 'counterpartyUnable'],
  ])('by the reason %s: %s', (reason, refusal) => {
    for (const action of [Action.commit, Action.openCashOut]) {
      expect(errorOf(action, answer(409, { code: 'CONFLICT', details: { reason } }))).toEqual({ code: reason, refusal: Refusal[refusal], retryAfterUs: NaN, failedMaker: null })
    }
  })

  it.each<[number, string, RefusalName]>([
    [400, 'VALIDATION_ERROR', 'invalid'], [413, 'PAYLOAD_TOO_LARGE', 'invalid'], [401, 'UNAUTHORIZED', 'notAllowed'], [403, 'FORBIDDEN', 'notAllowed'], [404, 'NOT_FOUND', 'notFound'],
    [409, 'CONFLICT', 'notOpen'], [410, 'GONE', 'notOpen'], [429, 'RATE_LIMITED', 'rateLimited'], [500, 'INTERNAL_ERROR', 'unavailable'], [503, 'SERVICE_UNAVAILABLE', 'unavailable'],
  ])('by the code %i %s: %s', (status, code, refusal) => {
    expect(errorOf(Action.commit, answer(status, { code }))).toMatchObject({ code, refusal: Refusal[refusal] })
    // A reason that says nothing more leaves it at the code.
    expect(errorOf(Action.takeBid, answer(status, { code, details: { reason: 'other' } }))).toMatchObject({ code: 'other', refusal: Refusal[refusal] })
  })

  it('a position that has an auction cannot be sold, where nothing else is said', () => {
    expect(errorOf(Action.openCashOut, answer(409, { code: 'CONFLICT' })).refusal).toBe(Refusal.notSellable)
    expect(errorOf(Action.openCashOut, answer(410, { code: 'GONE' })).refusal).toBe(Refusal.notOpen)
    expect(errorOf(Action.cancelCashOut, answer(409, { code: 'CONFLICT' })).refusal).toBe(Refusal.notOpen)
  })

  it.each([[200, true], [299, true], [300, false], [409, false]])('with status %i: accepted %o', (status, isAccepted) => {
    expect(refusalOf(Action.commit, answer(status, { code: 'CONFLICT' })) === null).toBe(isAccepted)
  })

  it('which leg it is about, when to come again, and who failed', () => {
    expect(errorOf(Action.requestQuote, answer(400, { code: 'VALIDATION_ERROR', details: { leg_errors: [{ reason: 'market_expired', legs: [1] }] } }))).toMatchObject({ code: 'market_expired', refusal: Refusal.marketClosed })
    expect(errorOf(Action.commit, answer(429, { code: 'RATE_LIMITED' }, { 'retry-after': '7' })).retryAfterUs).toBe(7_000_000)
    expect(errorOf(Action.commit, answer(409, { code: 'CONFLICT', details: { reason: 'mm_confirmation_timeout', failed_mm_id: 'm' } })).failedMaker).toBe('m')
  })

  it.each(['', '{', 'null', '7', '[]', '{}'])('that does not work where it says %o', (body) => {
    expect(errorOf(Action.commit, { status: 502, headers: {}, body })).toEqual({ code: 'HTTP 502', refusal: Refusal.unavailable, retryAfterUs: NaN, failedMaker: null })
  })
})
