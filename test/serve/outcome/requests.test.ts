import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { keyChallengeRequest, KeyRequest, keyRequest } from '../../../src/serve/outcome/keyRequests.ts'
import { BODY_BYTES_MAX, readJson } from '../../../src/serve/outcome/requestBody.ts'
import {
  AcceptRequest, acceptRequest, ConfirmRequest, confirmRequest, EmptyRequest, emptyRequest, QuoteRequest, quoteRequest, ReductionRequest,
  reductionRequest, RfqRequest, rfqRequest, WithdrawRequest, withdrawRequest,
} from '../../../src/serve/outcome/tradeRequests.ts'
import type { Parsed } from '../../../src/serve/outcome/violations.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { errorAnswer } from '../../../src/venue/outcome/wire/errors.ts'
import { addressOf, privateKeyOf, sign, signaturePort } from '../../../src/venue/outcome/wire/signing.ts'
import { digestOf } from '../../../src/venue/outcome/wire/typedData.ts'
import { identity, outcomeIdOf } from '../../venue/outcome/wire/rows.ts'

const SIGNATURE: Hex = `0x${'1b'.repeat(65)}`
const LEG = { outcome_id: '7', side: 'YES' }
const RFQ = { stake: '25000000', legs: [LEG, { outcome_id: '1180591620717411303427', side: 'NO' }] }
const PROOF = { challenge_id: identity.challenge(3), signature: SIGNATURE }
const KEY = { label: 'bot', scopes: ['rfq:read', 'rfq:write'], expires_in_days: 30, proof: PROOF }

const violationsOf = (parsed: Parsed<unknown>): string[] =>
  'violations' in parsed ? parsed.violations.map(({ field, code }) => `${field} ${code}`) : []
const without = (body: object, name: string): object => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

describe('the body of an RFQ', () => {
  it('OM-036 OM-024 has a stake and legs of outcome_id and side', () => {
    expect(rfqRequest(RFQ)).toEqual({
      ok: { stakeMicros: 25_000_000, legs: [{ outcomeId: '7', side: 1 }, { outcomeId: '1180591620717411303427', side: 0 }] },
    })
    expect(rfqRequest({ stake: '1', legs: [] })).toEqual({ ok: { stakeMicros: 1, legs: [] } })
  })

  it.each<[string, unknown, string[]]>([
    ['OM-022', { ...RFQ, stake: 25_000_000 }, ['/stake INVALID']],
    ['OM-022', { ...RFQ, stake: '25.0' }, ['/stake INVALID']],
    ['OM-023', { ...RFQ, legs: [{ outcome_id: 7, side: 'YES' }] }, ['/legs/0/outcome_id INVALID']],
    ['OM-023', { ...RFQ, legs: [LEG, { outcome_id: '07', side: 'YES' }] }, ['/legs/1/outcome_id INVALID']],
    ['OM-025', { ...RFQ, legs: [LEG, { outcome_id: '8', side: 'yes' }] }, ['/legs/1/side INVALID']],
    ['OM-022', { ...RFQ, stake: 'much' }, ['/stake INVALID']],
    ['OM-036', { legs: [LEG] }, ['/stake REQUIRED']],
    ['OM-036', { stake: '1' }, ['/legs REQUIRED']],
    ['OM-036', {}, ['/stake REQUIRED', '/legs REQUIRED']],
    ['OM-036', { ...RFQ, legs: LEG }, ['/legs INVALID']],
    ['OM-024', { ...RFQ, legs: [{}, 'YES', null] }, ['/legs/0/outcome_id REQUIRED', '/legs/0/side REQUIRED', '/legs/1 INVALID', '/legs/2 INVALID']],
    ['OM-024', { ...RFQ, legs: [{ ...LEG, odds: '2' }] }, ['/legs/0/odds UNEXPECTED']],
    ['OM-174', { ...RFQ, price: '1', 'a/b~c': 2 }, ['/price UNEXPECTED', '/a~1b~0c UNEXPECTED']],
    ['OM-174', [RFQ], [' INVALID']],
    ['OM-174', null, [' INVALID']],
    ['OM-174', 'stake', [' INVALID']],
  ])('%s refuses %j with %j', (_, body, violations) => {
    expect(violationsOf(rfqRequest(body))).toEqual(violations)
  })

  it('is read up to the 64 legs that a command can carry', () => {
    const legs = (count: number): object => ({ stake: '1', legs: Array.from({ length: count }, (_, i) => ({ outcome_id: String(i), side: 'NO' })) })
    expect(violationsOf(rfqRequest(legs(64)))).toEqual([])
    expect(violationsOf(rfqRequest(legs(65)))).toEqual(['/legs INVALID'])
  })
})

describe('a field that is omitted and one that is null', () => {
  it.each<[string, (body: unknown) => Parsed<unknown>, object, string]>([
    ['generation of a quote', quoteRequest, { payout: '1', expiry: 1, signature: SIGNATURE }, 'generation'],
    ['generation of an accept', acceptRequest, { signature: SIGNATURE }, 'generation'],
    ['funding of an accept', acceptRequest, { signature: SIGNATURE }, 'funding'],
    ['valid_after of an accept', acceptRequest, { signature: SIGNATURE }, 'valid_after'],
    ['valid_before of an accept', acceptRequest, { signature: SIGNATURE }, 'valid_before'],
    ['exit of a withdrawal', withdrawRequest, { amount: '1', valid_after: 1, valid_before: 2, signature: SIGNATURE }, 'exit'],
  ])('OM-035 are different inputs: %s', (_, read, body, name) => {
    expect(violationsOf(read(body))).toEqual([])
    expect(violationsOf(read({ ...body, [name]: null }))).toEqual([`/${name} INVALID`])
  })

  it('OM-035 OM-132 are different in expires_in_days too, whose null is a key that never expires', () => {
    expect(violationsOf(keyRequest(without(KEY, 'expires_in_days')))).toEqual(['/expires_in_days REQUIRED'])
    expect(keyRequest({ ...KEY, expires_in_days: null })).toMatchObject({ ok: { expiresInDays: -1 } })
  })

  it('OM-035 is no reading of an inherited name', () => {
    expect(violationsOf(emptyRequest(JSON.parse('{"__proto__": {"stake": "1"}}')))).toEqual(['/__proto__ UNEXPECTED'])
  })

  it('OM-035 are no fields that every object inherits, which zod would read', () => {
    const schemas = [RfqRequest, QuoteRequest, AcceptRequest, ConfirmRequest, EmptyRequest, WithdrawRequest, ReductionRequest, KeyRequest]
    const named = schemas.flatMap((schema) => JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).match(/"\w+":/g) ?? []).map((name) => name.slice(1, -2))
    expect(named).toContain('valid_after')
    expect(named.filter((name) => name in Object.prototype)).toEqual([])
  })
})

describe('the bodies of the other commands', () => {
  it('OM-133 of a quote', () => {
    const body = { payout: '99000000', expiry: 1_750_379_010, signature: SIGNATURE }
    expect(quoteRequest(body)).toEqual({ ok: { payoutMicros: 99_000_000, expiryS: 1_750_379_010, generation: -1, signature: SIGNATURE } })
    expect(quoteRequest({ ...body, generation: 2 })).toMatchObject({ ok: { generation: 2 } })
    expect(violationsOf(quoteRequest({ ...body, generation: -0.5 }))).toEqual(['/generation INVALID'])
    expect(violationsOf(quoteRequest({ payout: 1, expiry: '1', generation: 0, signature: SIGNATURE.slice(2), odds: 1 }))).toEqual([
      '/payout INVALID', '/expiry INVALID', '/generation INVALID', '/signature INVALID', '/odds UNEXPECTED',
    ])
  })

  it('OM-133 of an accept', () => {
    const body = { funding: { core: '5' }, valid_after: 1, valid_before: 2, generation: 3, signature: SIGNATURE }
    expect(acceptRequest(body)).toEqual({ ok: { generation: 3, coreMicros: 5, validAfterS: 1, validBeforeS: 2, signature: SIGNATURE } })
    expect(acceptRequest({ signature: SIGNATURE })).toEqual({
      ok: { generation: -1, coreMicros: -1, validAfterS: -1, validBeforeS: -1, signature: SIGNATURE },
    })
    expect(violationsOf(acceptRequest({ funding: { core: 5, vault: '1' } }))).toEqual([
      '/funding/core INVALID', '/funding/vault UNEXPECTED', '/signature REQUIRED',
    ])
    expect(violationsOf(acceptRequest({ funding: {}, signature: SIGNATURE }))).toEqual(['/funding/core REQUIRED'])
  })

  it('OM-133 of a confirm, which confirms or declines', () => {
    expect(confirmRequest({ decision: 'CONFIRM', signature: SIGNATURE })).toEqual({ ok: { decision: 'CONFIRM', signature: SIGNATURE } })
    expect(confirmRequest({ decision: 'DECLINE' })).toEqual({ ok: { decision: 'DECLINE' } })
    expect(violationsOf(confirmRequest({ decision: 'DECLINE', signature: SIGNATURE }))).toEqual(['/signature UNEXPECTED'])
    expect(violationsOf(confirmRequest({ decision: 'CONFIRM' }))).toEqual(['/signature REQUIRED'])
    expect(violationsOf(confirmRequest({ decision: 'confirm' }))).toEqual(['/decision INVALID', '/signature REQUIRED'])
  })

  it('OM-133 of a withdrawal and a collateral reduction', () => {
    const body = { amount: '5', valid_after: 1, valid_before: 2, signature: SIGNATURE }
    expect(withdrawRequest(body)).toEqual({ ok: { amountMicros: 5, exitUntilS: -1, validAfterS: 1, validBeforeS: 2, signature: SIGNATURE } })
    expect(withdrawRequest({ ...body, exit: { expiry: 9 } })).toMatchObject({ ok: { exitUntilS: 9 } })
    expect(violationsOf(withdrawRequest({ exit: { expiry: '9', x: 1 } }))).toEqual([
      '/amount REQUIRED', '/exit/expiry INVALID', '/exit/x UNEXPECTED', '/valid_after REQUIRED', '/valid_before REQUIRED', '/signature REQUIRED',
    ])
    expect(reductionRequest({ amount: '5', signature: SIGNATURE })).toEqual({ ok: { amountMicros: 5, signature: SIGNATURE } })
    expect(violationsOf(reductionRequest({ amount: 5 }))).toEqual(['/amount INVALID', '/signature REQUIRED'])
  })

  it('OM-133 of a cancel and a cash-out is empty', () => {
    expect(emptyRequest({})).toEqual({ ok: {} })
    expect(violationsOf(emptyRequest({ position_id: '0x' }))).toEqual(['/position_id UNEXPECTED'])
    expect(violationsOf(emptyRequest([]))).toEqual([' INVALID'])
  })

  it.each([`0x${'1B'.repeat(65)}`, `0x${'1b'.repeat(64)}`, `0x${'1b'.repeat(66)}`, '0x', 27])('OM-029 refuses the signature %j', (signature) => {
    expect(violationsOf(reductionRequest({ amount: '5', signature }))).toEqual(['/signature INVALID'])
  })
})

describe('the request for a key', () => {
  it('OM-118 has a proof of challenge_id and signature', () => {
    expect(keyRequest(KEY)).toEqual({
      ok: { label: 'bot', scopes: 24, scopeCount: 2, expiresInDays: 30, challengeId: identity.challenge(3), signature: SIGNATURE },
    })
    expect(violationsOf(keyRequest(without(KEY, 'proof')))).toEqual(['/proof REQUIRED'])
    expect(violationsOf(keyRequest({ ...KEY, proof: SIGNATURE }))).toEqual(['/proof INVALID'])
    expect(violationsOf(keyRequest({ ...KEY, proof: {} }))).toEqual(['/proof/challenge_id REQUIRED', '/proof/signature REQUIRED'])
    expect(violationsOf(keyRequest({ ...KEY, proof: { ...PROOF, challenge_id: '3', note: '' } }))).toEqual([
      '/proof/challenge_id INVALID', '/proof/note UNEXPECTED',
    ])
    expect(violationsOf(keyRequest({ ...KEY, proof: { ...PROOF, challenge_id: PROOF.challenge_id.toUpperCase() } }))).toEqual(['/proof/challenge_id INVALID'])
  })

  it.each([
    ['OM-120', 'account:read', 1], ['OM-121', 'account:stream', 2], ['OM-122', 'quote:accept', 4], ['OM-123', 'rfq:read', 8], ['OM-124', 'rfq:write', 16],
    ['OM-147', 'funds:withdraw', 32], ['OM-147', 'quote:write', 64], ['OM-147', 'capital:read', 128], ['OM-147', 'capital:write', 256],
  ])('%s knows the scope %s', (_, scope, scopes) => {
    expect(keyRequest({ ...KEY, scopes: [scope] })).toMatchObject({ ok: { scopes, scopeCount: 1 } })
  })

  it('OM-125 has one shape, whoever asks', () => {
    const shape = (scopes: string[]): string[] => Object.keys((keyRequest({ ...KEY, scopes }) as { ok: object }).ok)
    expect(shape(['rfq:write', 'quote:accept'])).toEqual(shape(['quote:write', 'capital:write']))
  })

  it('counts scopes as they were sent', () => {
    expect(keyRequest({ ...KEY, scopes: [] })).toMatchObject({ ok: { scopes: 0, scopeCount: 0 } })
    expect(keyRequest({ ...KEY, scopes: ['rfq:read', 'rfq:read'] })).toMatchObject({ ok: { scopes: 8, scopeCount: 2 } })
    expect(keyRequest({ ...KEY, scopes: Array(33).fill('rfq:read') })).toMatchObject({ ok: { scopeCount: 33 } })
  })

  it('OM-130 that cannot be read is 400 INVALID_REQUEST with the fields', () => {
    const parsed = keyRequest({ label: 5, scopes: ['rfq:read', 'rfq:all', 3], expires_in_days: '30', proof: PROOF, ttl: 1 })
    const violations = [
      { field: '/label', code: 'INVALID' }, { field: '/scopes/1', code: 'INVALID' }, { field: '/scopes/2', code: 'INVALID' },
      { field: '/expires_in_days', code: 'INVALID' }, { field: '/ttl', code: 'UNEXPECTED' },
    ]
    expect(parsed).toEqual({ violations })
    expect(errorAnswer(OutcomeCode.invalidRequest, 'r', parsed as { violations: never[] })).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_REQUEST', retry: 'NEVER', field_violations: violations } },
    })
  })

  it('OM-119 is signed without its proof, and for precisely this request', () => {
    const owner = privateKeyOf('seed 7', 10)
    const termsOf = (body: object): { terms: SignedTerms; label: string } => {
      const { ok } = keyChallengeRequest(body) as { ok: { label: string; scopes: number; expiresInDays: number } }
      const terms = Object.assign(new SignedTerms().reset(TermsKind.keyIssue, 10), {
        challenge: 3, value: ok.scopes, payoutMicros: [...ok.label].length, expiryS: ok.expiresInDays,
      })
      return { terms, label: ok.label }
    }
    const digest = ({ terms, label }: { terms: SignedTerms; label: string }): Hex => digestOf(terms, identity, outcomeIdOf, () => label)
    const asked = without(KEY, 'proof')
    const signature = sign(digest(termsOf(asked)), owner)
    const signerOf = (body: object): number => {
      const request = termsOf(body)
      return signaturePort(() => digest(request), (address) => (address === addressOf(owner) ? 10 : undefined)).verify(request.terms, signature).signer
    }
    expect(signerOf(asked)).toBe(10)
    expect(violationsOf(keyChallengeRequest(KEY))).toEqual(['/proof UNEXPECTED'])
    expect([{ label: 'bat' }, { label: 'bots' }, { scopes: ['rfq:read'] }, { expires_in_days: 31 }, { expires_in_days: null }]
      .map((change) => signerOf({ ...asked, ...change }))).toEqual([-1, -1, -1, -1, -1])
  })
})

describe('the bytes of a body', () => {
  const padded = (bytes: number): Uint8Array => new TextEncoder().encode(`{"a":"${'x'.repeat(bytes - 8)}"}`)

  it('OM-278 OM-279 are at most 65536: one more is INVALID_REQUEST', () => {
    expect(BODY_BYTES_MAX).toBe(65_536)
    expect(padded(65_536).byteLength).toBe(65_536)
    expect(readJson(padded(65_536))).toHaveProperty('ok')
    const refused = readJson(padded(65_537))
    expect(refused).toEqual({ violations: [{ field: '', code: 'INVALID' }] })
    expect(errorAnswer(OutcomeCode.invalidRequest, 'r', refused as { violations: never[] })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } })
  })

  it('are counted, not the characters', () => {
    const wide = new TextEncoder().encode(`"${'é'.repeat(32_767)}"`)
    expect(wide.byteLength).toBe(65_536)
    expect(readJson(wide)).toEqual({ ok: 'é'.repeat(32_767) })
    expect(violationsOf(readJson(new TextEncoder().encode(`"${'é'.repeat(32_768)}"`)))).toEqual([' INVALID'])
  })

  it.each<[string, number[]]>([['nothing', []], ['half an object', [0x7b]], ['no UTF-8', [0x22, 0xff, 0x22]], ['an object with a name twice', [...new TextEncoder().encode('{"a":1,"a":1}')]]])('are refused when they are %s', (_, bytes) => {
    expect(violationsOf(readJson(Uint8Array.from(bytes)))).toEqual([' INVALID'])
  })
})
