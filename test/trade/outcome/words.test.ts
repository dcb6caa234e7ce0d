import { describe, expect, it } from 'vitest'
import { Action, Refusal } from '../../../src/agent/vocabulary.ts'
import { refusalOf } from '../../../src/engine/outcome/translation.ts'
import { errorOf } from '../../../src/trade/outcome/errors.ts'
import { idempotencyKey } from '../../../src/trade/outcome/idempotencyKey.ts'
import { OwnQuotes } from '../../../src/trade/outcome/ownQuotes.ts'
import { signedTerms } from '../../../src/trade/outcome/typedTerms.ts'
import { INVALID_FIELD_POINTERS, InvalidField, OUTCOME_CODES, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { signTyped } from '../../serve/outcome/exchanges/bench.ts'

const WISHES = [Action.submitQuote, Action.submitBid, Action.withdrawQuote, Action.confirm, Action.decline, Action.openCashOut, Action.cancelCashOut, Action.takeBid] as const

/** The refusal of a wish inside of a session, null for what the service never answers it. */
function insideOf(action: Action, code: number, field?: number): Refusal | null {
  try {
    return refusalOf(action, code, true, field)
  } catch {
    return null
  }
}

const answerOf = (status: number, error: object, headers: Readonly<Record<string, string>> = {}) => ({ status, headers, body: JSON.stringify({ error }) })

describe('what a client of the outcome service makes of answers', () => {
  it('is what a strategy inside is told, for each code and wish', () => {
    let compared = 0
    for (const [number, { code, status }] of Object.entries(OUTCOME_CODES)) {
      for (const action of WISHES) {
        const inside = status === 0 ? null : insideOf(action, Number(number))
        if (inside === null) continue
        if (status >= 400) expect([code, action, errorOf(action, answerOf(status, { code })).refusal]).toEqual([code, action, inside])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(200)
  })

  it('names a payout that the service does not take, waits as long as it says, and does not know what is no error of the service', () => {
    const field_violations = [{ field: INVALID_FIELD_POINTERS[InvalidField.payout], code: 'INVALID' }]
    expect(errorOf(Action.submitQuote, answerOf(400, { code: 'INVALID_REQUEST', field_violations })).refusal).toBe(insideOf(Action.submitQuote, OutcomeCode.invalidRequest, InvalidField.payout))
    expect(errorOf(Action.submitQuote, answerOf(400, { code: 'INVALID_REQUEST', field_violations: [{ field: '/expiry' }] })).refusal).toBe(Refusal.invalid)
    expect(errorOf(Action.submitQuote, answerOf(429, { code: 'RATE_LIMITED' }, { 'retry-after': '7' }))).toEqual({ code: 'RATE_LIMITED', refusal: Refusal.rateLimited, retryAfterUs: 7_000_000 })
    expect(errorOf(Action.submitQuote, answerOf(404, { code: 'NOT_FOUND' })).retryAfterUs).toBeNaN()
    for (const body of ['', 'null', '7', '<html>']) expect(errorOf(Action.confirm, { status: 502, headers: {}, body })).toMatchObject({ code: 'HTTP 502', refusal: Refusal.unavailable })
  })
})

describe('what a client of the outcome service sends', () => {
  it('has an Idempotency-Key that is a lowercase UUIDv7 of its instant, and another one each time', () => {
    const keys = Array.from({ length: 200 }, () => idempotencyKey(1_750_379_010_123_456))
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(keys).size).toBe(200)
    // RFC 9562, 5.7: the first 48 bits are the ms since the epoch.
    expect(new Set(keys.map((key) => parseInt(key.slice(0, 8) + key.slice(9, 13), 16)))).toEqual(new Set([1_750_379_010_123]))
    expect(idempotencyKey(0).slice(0, 15)).toBe('00000000-0000-7')
  })

  it('is signed as EIP-712 typed data of the deployment', () => {
    const privateKey = `0x${'4'.repeat(64)}`
    const vault = `0x${'ab'.repeat(20)}`
    const legs = [{ outcomeId: '7', side: 'YES' }, { outcomeId: '123456789012345678901234567890', side: 'NO' }]
    const messages = {
      Quote: { maker: 'm', rfqId: 'r', generation: 2, netStake: '99', payout: '100', takerFeeBps: 20, feeBps: 100, expiry: 1_750_379_010, legs },
      CashoutQuote: { maker: 'm', rfqId: 'r', generation: 1, positionId: `0x${'1'.repeat(64)}`, price: '5', feeBps: 100, expiry: 1_750_379_010, legs },
      Confirmation: { maker: 'm', rfqId: 'r', quoteId: `0x${'2'.repeat(64)}`, acceptanceId: 'a', payout: '100', takerFeeBps: 20, feeBps: 100 },
      CashoutConfirmation: { maker: 'm', rfqId: 'r', quoteId: `0x${'2'.repeat(64)}`, acceptanceId: 'a', price: '5', feeBps: 100, positionId: `0x${'1'.repeat(64)}` },
    } as const
    for (const [type, message] of Object.entries(messages) as [keyof typeof messages, object][]) {
      const domain = { name: 'Outcome-Market RFQ', version: '1', chainId: 999, verifyingContract: vault }
      expect(signedTerms({ chainId: 999, vault, privateKey }, type, { ...message })).toBe(signTyped(privateKey, domain, type, { ...message }))
    }
  })

  it('withdraws a quote by its name, once all that were under way are answered', () => {
    const own = new OwnQuotes()
    expect([own.withdraw(1), own.answered(1, null)]).toEqual([[null], []])
    own.sent(1)
    own.sent(1)
    expect(own.withdraw(1)).toEqual([])
    expect(own.answered(1, { id: 'a', expiresUs: 10 })).toEqual([])
    expect(own.answered(1, { id: 'b', expiresUs: 20 })).toEqual(['b'])
    own.sent(1)
    // It was withdrawn once.
    expect(own.answered(1, null)).toEqual([])
    expect(own.withdraw(1)).toEqual(['b'])
    own.sent(2)
    own.withdraw(2)
    // The service refused it, and the withdrawal names nothing.
    expect(own.answered(2, null)).toEqual([null])
    expect([own.live(19), own.live(20)]).toEqual([['b'], []])
  })

  it('waits with each withdrawal for the quotes before it, and for none that follows', () => {
    const own = new OwnQuotes()
    own.sent(1)
    own.withdraw(1)
    own.withdraw(1)
    own.sent(1)
    own.withdraw(1)
    expect(own.answered(1, { id: 'a', expiresUs: 10 })).toEqual(['a', 'a'])
    expect(own.answered(1, { id: 'b', expiresUs: 20 })).toEqual(['b'])
    own.sent(1)
    own.withdraw(1)
    own.cameBack()
    expect(own.withdraw(1)).toEqual(['b'])
    own.sent(1)
    expect(own.answered(1, null)).toEqual([])
  })

  it('keeps of an RFQ that is over what is still under way, and nothing else', () => {
    const own = new OwnQuotes()
    own.sent(1)
    own.forget(1)
    own.answered(1, { id: 'a', expiresUs: 10 })
    expect(own.live(0)).toEqual(['a'])
    own.forget(1)
    expect([own.live(0), own.withdraw(1)]).toEqual([[], [null]])
  })
})
