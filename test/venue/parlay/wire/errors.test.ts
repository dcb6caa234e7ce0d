import { describe, expect, it } from 'vitest'
import { Bucket } from '../../../../src/venue/parlay/protocol/access.ts'
import { PARLAY_CODES, ParlayCode } from '../../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { ERROR_STATUS, errorAnswer, type ErrorCode, errorOfReply } from '../../../../src/venue/parlay/wire/errors.ts'
import { limitHeaders } from '../../../../src/venue/parlay/wire/limitHeaders.ts'
import { type Fields, identity, replyRow } from './rows.ts'

const answer = (code: number, fields: Fields = {}, op: number = ParlayOp.commitRequest) => errorOfReply(identity, replyRow(op, code, fields))
const told = (code: number, fields: Fields = {}, op?: number): Record<string, unknown> =>
  (JSON.parse(JSON.stringify(answer(code, fields, op).body)) as { error: Record<string, unknown> }).error
/** What replies with some codes show besides. */
const SHOWN: Readonly<Record<number, Fields>> = {
  [ParlayCode.insufficientCollateral]: { requiredMicros: 1, availableMicros: 1 }, [ParlayCode.mmConfirmationTimeout]: { maker: 1 },
  [ParlayCode.priceAboveMaxPayout]: { maxPriceMicros: 1 }, [ParlayCode.rateLimited]: { retryAfterS: 1, bucket: Bucket.quoteService },
  [ParlayCode.partialVaultOnly]: { amountMicros: 1 },
}
const REJECTIONS = Object.entries(PARLAY_CODES).filter(([, { code }]) => code !== '')

describe('the error envelope', () => {
  it('PQ-338 PQ-020 is { error: { code, message, details? } } for every rejection', () => {
    expect(REJECTIONS.length).toBeGreaterThan(40)
    for (const [code, { code: top, status }] of REJECTIONS) {
      const { status: sent, body } = answer(Number(code), SHOWN[Number(code)])
      expect(Object.keys(body)).toEqual(['error'])
      expect(Object.keys(body.error).filter((name) => !['code', 'message', 'details'].includes(name))).toEqual([])
      expect([body.error.code, sent, body.error.message === '']).toEqual([top, status, false])
    }
  })

  it('PQ-354 has one of eleven codes, each with its status', () => {
    expect(ERROR_STATUS).toEqual({
      VALIDATION_ERROR: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409, GONE: 410, PAYLOAD_TOO_LARGE: 413,
      RATE_LIMITED: 429, INTERNAL_ERROR: 500, PARTIAL_VAULT_ONLY: 502, SERVICE_UNAVAILABLE: 503,
    })
    for (const [, { code, status }] of REJECTIONS) expect(ERROR_STATUS[code as ErrorCode]).toBe(status)
  })

  it.each<[string, ErrorCode, number]>([
    ['PQ-349', 'PAYLOAD_TOO_LARGE', 413], ['PQ-351', 'INTERNAL_ERROR', 500], ['PQ-352', 'PARTIAL_VAULT_ONLY', 502],
  ])('%s answers %s with status %i', (_, code, status) => {
    expect(errorAnswer(code)).toMatchObject({ status, headers: {}, body: { error: { code } } })
    expect(errorAnswer(code, { reason: 'why' }).body.error.details).toEqual({ reason: 'why' })
  })

  it('PQ-340 holds the reason where the service gives one, and no details where it gives none', () => {
    expect(told(ParlayCode.quoteChanged)).toEqual({ code: 'CONFLICT', message: expect.any(String), details: { reason: 'QUOTE_CHANGED' } })
    expect(told(ParlayCode.notFound)).toEqual({ code: 'NOT_FOUND', message: expect.any(String) })
    expect(told(ParlayCode.conflict)).not.toHaveProperty('details')
  })

  it('PQ-271 names wrong_api_key_type with status 403', () => {
    expect(answer(ParlayCode.wrongApiKeyType)).toMatchObject({
      status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'wrong_api_key_type' } } },
    })
  })

  it('PQ-374 carries required and available collateral in decimal USDC', () => {
    expect(told(ParlayCode.insufficientCollateral, { requiredMicros: 74_250_000, availableMicros: 100_001 })['details']).toEqual({
      reason: 'insufficient_collateral', required: 74.25, available: 0.100001,
    })
  })

  it('PQ-364 PQ-095 names the maker that missed its confirmation', () => {
    expect(told(ParlayCode.mmConfirmationTimeout, { maker: 20 })['details']).toEqual({
      reason: 'mm_confirmation_timeout', failed_mm_id: identity.account(20),
    })
  })

  it('PQ-097 tells the highest bid allowed in microUSDC', () => {
    expect(told(ParlayCode.priceAboveMaxPayout, { maxPriceMicros: 99_000_000 })['details']).toEqual({
      reason: 'price_above_max_payout', max_price_micro: 99_000_000,
    })
  })

  it('PQ-352 tells how much left the vault, and by which transaction', () => {
    expect(told(ParlayCode.partialVaultOnly, { amountMicros: 1_500_000 }, ParlayOp.walletWithdraw)).toEqual({
      code: 'PARTIAL_VAULT_ONLY', message: expect.any(String), details: { reason: 'wallet_transfer_failed', tx_signature: identity.txSignature(9), amount: 1.5 },
    })
  })

  it('PQ-355 puts a malformed body into issues, better told where the edge knows more', () => {
    expect(told(ParlayCode.invalid)['details']).toEqual({ issues: [{ path: [], message: expect.any(String) }] })
    const known = { issues: [{ path: ['legs', 0, 'side'], message: 'yes or no is expected' }] }
    expect(errorOfReply(identity, replyRow(ParlayOp.createRequest, ParlayCode.invalid), known).body.error.details).toEqual(known)
  })

  it.each([
    ['PQ-356', ParlayCode.legMarketNotFound, 'market_not_found'], ['PQ-357', ParlayCode.legMarketExpired, 'market_expired'],
    ['PQ-358', ParlayCode.legsExcluded, 'exclusion_conflict'],
  ])('%s puts code %i into leg_errors as %s', (_, code, reason) => {
    expect(told(code)['details']).toEqual({ leg_errors: [{ reason }] })
  })

  it('does not take a success for an error', () => {
    expect(() => answer(ParlayCode.ok)).toThrow('reply code 0 is no error')
  })
})

describe('a call over its limit', () => {
  it.each<[keyof typeof ParlayOp, keyof typeof Bucket]>([
    ['deposit', 'authenticated'], ['read', 'authenticated'], ['read', 'public'], ['createKey', 'unauthenticated'],
  ])('PQ-341 PQ-350 PQ-448 of a main route (%s, %s) is told retry_after in header and body', (op, bucket) => {
    expect(answer(ParlayCode.rateLimited, { limit: 300, retryAfterS: 17, bucket: Bucket[bucket] }, ParlayOp[op])).toEqual({
      status: 429, headers: { 'Retry-After': '17' },
      body: { error: { code: 'RATE_LIMITED', message: expect.any(String), retry_after: 17 } },
    })
  })

  it('PQ-341 may have a retry_after of null', () => {
    expect(told(ParlayCode.rateLimited, {}, ParlayOp.deposit)['retry_after']).toBeNull()
  })

  it.each<keyof typeof ParlayOp>(['createRequest', 'commitCashout', 'submitQuote', 'submitBid', 'read'])(
    'PQ-342 of the quote service (%s) is told in the header only', (op) => {
      expect(answer(ParlayCode.rateLimited, { retryAfterS: 17, bucket: Bucket.quoteService }, ParlayOp[op])).toEqual({
        status: 429, headers: { 'Retry-After': '17' }, body: { error: { code: 'RATE_LIMITED', message: expect.any(String) } },
      })
    })

  it('is told the limit, what remains and when the window ends, as every call is', () => {
    expect(limitHeaders({ limit: 300, remaining: 12, resetUs: 60_000_001, retryAfterS: -1 })).toEqual({
      'X-RateLimit-Limit': '300', 'X-RateLimit-Remaining': '12', 'X-RateLimit-Reset': '61',
    })
    expect(limitHeaders({ limit: 5, remaining: 0, resetUs: 60_000_000, retryAfterS: 0 })).toEqual({
      'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '60', 'Retry-After': '0',
    })
  })
})
