import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { INVALID_FIELD_POINTERS, InvalidField, OUTCOME_CODES, OutcomeCode } from '../../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../../src/venue/outcome/protocol/events.ts'
import { successOfReply, successStatus } from '../../../../src/venue/outcome/wire/answers.ts'
import { CLOSE_REASON_BYTES_MAX, closeOf, errorAnswer, errorOfReply } from '../../../../src/venue/outcome/wire/errors.ts'
import { type Fields, identity, replyRow, row, sent } from './rows.ts'

const DOCUMENT = fileURLToPath(new URL('../../../../../shared/spec/outcome-market-rfq.md', import.meta.url))

/** Rule, code, HTTP status, close code, retry, as the document's table has them; rules of the mechanics are proven by the venue. */
const TABLE: readonly (readonly [string, string, number, number, string])[] = [
  ['OM-184', 'INVALID_REQUEST', 400, 0, 'NEVER'],
  ['OM-185', 'INVALID_QUERY', 400, 0, 'NEVER'],
  ['OM-186', 'INVALID_CURSOR', 400, 0, 'NEVER'],
  ['OM-187', 'INVALID_IDEMPOTENCY_KEY', 400, 0, 'NEVER'],
  ['OM-188', 'SUBPROTOCOL_REQUIRED', 400, 1008, 'NEVER'],
  ['OM-189', 'UNAUTHENTICATED', 401, 0, 'NEVER'],
  ['OM-190', 'FORBIDDEN', 403, 0, 'NEVER'],
  ['OM-191', 'NOT_FOUND', 404, 0, 'NEVER'],
  ['OM-192', 'IDENTITY_NOT_FOUND', 404, 0, 'NEVER'],
  ['–', 'QUOTE_NOT_FOUND', 404, 0, 'NEVER'],
  ['–', 'IDEMPOTENCY_KEY_REUSED', 409, 0, 'NEVER'],
  ['–', 'STATE_CONFLICT', 409, 0, 'REFRESH'],
  ['OM-196', 'STALE_CURSOR', 409, 0, 'REFRESH'],
  ['OM-197', 'CURSOR_EXPIRED', 409, 0, 'REFRESH'],
  ['OM-198', 'CURSOR_RESET', 409, 1008, 'REFRESH'],
  ['–', 'RFQ_NOT_CANCELLABLE', 409, 0, 'NEVER'],
  ['–', 'RFQ_NOT_OPEN', 409, 0, 'REFRESH'],
  ['–', 'RFQ_GENERATION_STALE', 409, 0, 'REFRESH'],
  ['–', 'RFQ_GENERATION_IN_FLIGHT', 409, 0, 'REFRESH'],
  ['–', 'QUOTE_EXPIRED', 409, 0, 'REFRESH'],
  ['–', 'QUOTE_CANCELLED', 409, 0, 'REFRESH'],
  ['–', 'QUOTE_REPLACED', 409, 0, 'REFRESH'],
  ['–', 'QUOTE_SIGNER_CHANGED', 409, 0, 'REFRESH'],
  ['–', 'QUOTE_CAPACITY_EXCEEDED', 409, 0, 'REFRESH'],
  ['–', 'CORE_FUNDING_CONFLICT', 409, 0, 'REFRESH'],
  ['–', 'CORE_VAULT_RESERVATION', 409, 0, 'REFRESH'],
  ['–', 'CORE_MOVE_IN_FLIGHT', 409, 0, 'REFRESH'],
  ['–', 'INVALID_SIGNATURE', 422, 0, 'NEVER'],
  ['–', 'WRONG_AUTHORITY', 422, 0, 'REFRESH'],
  ['OM-216', 'RATE_LIMITED', 429, 0, 'BACKOFF'],
  ['OM-217', 'CONNECTION_LIMIT', 429, 0, 'BACKOFF'],
  ['–', 'RFQ_INTENT_LIMIT', 429, 0, 'BACKOFF'],
  ['–', 'QUOTE_EXPOSURE_LIMIT', 429, 0, 'BACKOFF'],
  ['OM-222', 'DEPENDENCY_STALE', 503, 1013, 'BACKOFF'],
  ['OM-223', 'AUTHORIZATION_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['OM-224', 'SOURCE_UNAVAILABLE', 503, 1013, 'BACKOFF'],
  ['OM-225', 'CONTRACT_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['OM-226', 'MARKET_DATA_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['–', 'FINANCIAL_ACTIONS_DISABLED', 503, 0, 'BACKOFF'],
  ['–', 'CORE_FUNDING_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['OM-229', 'SPONSORSHIP_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['OM-230', 'CONTRACT_SIGNATURE_OVERLOADED', 503, 0, 'BACKOFF'],
  ['–', 'QUOTE_EXPOSURE_STALE', 503, 0, 'BACKOFF'],
  ['OM-232', 'COMBO_AUTOMATIC_DISABLED', 503, 0, 'BACKOFF'],
  ['OM-233', 'EMBEDDED_WALLET_UNAVAILABLE', 503, 0, 'BACKOFF'],
  ['OM-234', 'CONNECTION_DRAIN', 503, 1012, 'BACKOFF'],
  ['OM-235', 'INVALID_SUBSCRIPTION', 0, 1008, 'NEVER'],
  ['OM-236', 'SUBSCRIPTION_DENIED', 0, 1008, 'NEVER'],
  ['OM-237', 'AUTHORIZATION_REVOKED', 0, 1008, 'NEVER'],
  ['OM-238', 'SLOW_CONSUMER', 0, 1008, 'BACKOFF'],
  ['OM-239', 'RESNAPSHOT_REQUIRED', 0, 1008, 'REFRESH'],
  ['OM-240', 'SNAPSHOT_TOO_LARGE', 0, 1013, 'BACKOFF'],
]

const numberOf = (code: string): number => Number(Object.entries(OUTCOME_CODES).find(([, meaning]) => meaning.code === code)![0])
const BOUNDS = { entryExpiryMaxMs: 30_500, cashoutExpiryMinMs: 25_000, cashoutExpiryMaxMs: 60_000 }
const answer = (code: number, fields: Fields = {}, list: readonly number[] = []) => errorOfReply(identity, replyRow(OutcomeOp.createRfq, code, fields, list), BOUNDS)
const HTTP_CODES = Object.entries(OUTCOME_CODES).filter(([, { status, retry }]) => status !== 0 && retry !== null).map(([code]) => Number(code))

describe('the table of errors', () => {
  it('is the document\'s', (context) => {
    if (!existsSync(DOCUMENT)) {
      console.warn(`SKIPPED ${context.task.name}: no document at ${DOCUMENT}`)
      context.skip()
    }
    const rows = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^\| ([A-Z_]+) \| (\d{3}|-) \| (\d{4}|-) \| ([A-Z]+) \|/gm)]
    expect(rows).toHaveLength(52)
    const number = (cell: string): number => (cell === '-' ? 0 : Number(cell))
    expect(rows.map(([, code, status, close, retry]) => [code, number(status!), number(close!), retry])).toEqual(TABLE.map(([, ...cells]) => cells))
  })

  it('has a code of the protocol in every row, and ORIGIN_REQUIRED besides', () => {
    const codes = Object.values(OUTCOME_CODES).filter(({ retry }) => retry !== null).map(({ code }) => code)
    expect(codes.filter((code) => code !== 'ORIGIN_REQUIRED').sort()).toEqual(TABLE.map(([, code]) => code).sort())
    expect(Object.keys(OUTCOME_CODES).map(Number).sort((a, b) => a - b)).toEqual(Object.values(OutcomeCode).sort((a, b) => a - b))
  })

  it.each(TABLE)('%s %s is status %i, close %i, retry %s', (_, code, status, close, retry) => {
    const number = numberOf(code)
    if (status === 0) expect(() => errorAnswer(number, 'r')).toThrow('is no HTTP error')
    else expect(answer(number)).toMatchObject({ status, body: { error: { code, retry } } })
    if (close === 0) expect(() => closeOf(number)).toThrow('closes no stream')
    else expect(closeOf(number)).toEqual({ code: close, reason: code })
  })

  it('OM-149 has ORIGIN_REQUIRED as 403, retry NEVER', () => {
    expect(answer(OutcomeCode.originRequired)).toMatchObject({ status: 403, body: { error: { code: 'ORIGIN_REQUIRED', retry: 'NEVER' } } })
    expect(() => closeOf(OutcomeCode.originRequired)).toThrow('closes no stream')
  })

  it.each<[string, number, string[]]>([
    ['OM-176', 400, ['INVALID_REQUEST', 'INVALID_QUERY', 'INVALID_CURSOR', 'INVALID_IDEMPOTENCY_KEY', 'SUBPROTOCOL_REQUIRED']],
    ['OM-177', 401, ['UNAUTHENTICATED']],
    ['OM-178', 403, ['ORIGIN_REQUIRED', 'FORBIDDEN']],
    ['OM-179', 404, ['NOT_FOUND', 'IDENTITY_NOT_FOUND', 'QUOTE_NOT_FOUND']],
    ['OM-181', 422, ['INVALID_SIGNATURE', 'WRONG_AUTHORITY']],
  ])('%s gives status %i to %j', (_, status, codes) => {
    expect(HTTP_CODES.filter((code) => answer(code).status === status).map((code) => OUTCOME_CODES[code]!.code)).toEqual(codes)
  })

  it('OM-180 gives 409 to every conflict with the state: the client reads again, or stops where that cannot help', () => {
    const conflicts = HTTP_CODES.filter((code) => answer(code).status === 409)
    expect(conflicts).toHaveLength(17)
    expect(conflicts.filter((code) => OUTCOME_CODES[code]!.retry !== 'REFRESH').map((code) => OUTCOME_CODES[code]!.code)).toEqual([
      'IDEMPOTENCY_KEY_REUSED', 'RFQ_NOT_CANCELLABLE',
    ])
  })

  it.each<[string, number, number]>([['OM-182', 429, 4], ['OM-183', 503, 13]])('%s has BACKOFF for each of status %i, and says how long', (_, status, count) => {
    const answers = HTTP_CODES.map((code) => answer(code)).filter((sent) => sent.status === status)
    expect(answers).toHaveLength(count)
    for (const { headers, body } of answers) expect([body.error.retry, headers['Retry-After']]).toEqual(['BACKOFF', '1'])
  })
})

describe('the body of an error', () => {
  it('OM-167 OM-168 is { error: { code, message, retry, request_id } } for every code', () => {
    for (const code of HTTP_CODES) {
      const { body } = sent(answer(code)) as { body: { error: Record<string, unknown> } }
      expect(Object.keys(body)).toEqual(['error'])
      expect(Object.keys(body.error)).toEqual(['code', 'message', 'retry', 'request_id'])
      expect(body.error['message']).toMatch(/^[A-Z].+\.$/)
    }
  })

  it('OM-169 has a retry of NEVER, BACKOFF or REFRESH', () => {
    expect([...new Set(HTTP_CODES.map((code) => answer(code).body.error.retry))].sort()).toEqual(['BACKOFF', 'NEVER', 'REFRESH'])
  })

  it('OM-173 has the request_id that X-Request-ID has, another for each call', () => {
    const one = answer(OutcomeCode.notFound)
    expect(one.headers['X-Request-ID']).toBe(one.body.error.request_id)
    expect(one.body.error.request_id).toBe(identity.request(41))
    const next = row(OutcomeEvent.reply, { code: OutcomeCode.notFound }, [], { cause: 42 })
    expect(errorOfReply(identity, next, BOUNDS).body.error.request_id).not.toBe(one.body.error.request_id)
  })

  it.each<[keyof typeof InvalidField, number, string]>([
    ['stake', -1, '/stake'], ['legs', -1, '/legs'], ['legOutcome', 0, '/legs/0/outcome_id'], ['legOutcome', 49, '/legs/49/outcome_id'],
    ['legSide', 3, '/legs/3/side'], ['payout', -1, '/payout'], ['core', -1, '/funding/core'], ['exitExpiry', -1, '/exit/expiry'], ['op', -1, ''],
    ['label', -1, '/label'], ['scopes', -1, '/scopes'], ['expiryDays', -1, '/expires_in_days'], ['proof', -1, '/proof'],
  ])('OM-174 names the field %s (leg %i) of a refused command as %s', (field, place, pointer) => {
    expect(answer(OutcomeCode.invalidRequest, { invalidField: InvalidField[field], legIndex: place }).body.error.field_violations).toEqual([
      { field: pointer, code: 'INVALID' },
    ])
  })

  it('OM-256 OM-258 has the bounds of an expiry in its message, and of no other field', () => {
    const message = (invalidField: number) => answer(OutcomeCode.invalidRequest, { invalidField, legIndex: -1 }).body.error.message
    expect(message(InvalidField.expiry)).toBe(
      'The body, a path parameter or a header is invalid. The expiry of an entry quote is at most 30.5 s ahead of the service\'s clock, that of a cash-out quote 25 to 60 s.',
    )
    for (const field of [InvalidField.payout, InvalidField.exitExpiry]) expect(message(field)).toBe('The body, a path parameter or a header is invalid.')
  })

  it('OM-174 has a JSON pointer for every field', () => {
    expect(Object.keys(INVALID_FIELD_POINTERS).map(Number)).toEqual(Object.values(InvalidField))
    for (const pointer of Object.values(INVALID_FIELD_POINTERS)) expect(pointer).toMatch(/^(\/([a-z0-9_]+|\{i\}))*$/)
  })

  it('OM-167 has no field_violations where there are none', () => {
    expect(answer(OutcomeCode.invalidRequest).body.error).not.toHaveProperty('field_violations')
    expect(answer(OutcomeCode.quoteCapacityExceeded, { requiredMicros: InvalidField.stake }).body.error).not.toHaveProperty('field_violations')
    expect(errorAnswer(OutcomeCode.invalidRequest, 'r', { violations: [] }).body.error).not.toHaveProperty('field_violations')
  })

  it.each([OutcomeCode.ok, OutcomeCode.declined, OutcomeCode.timedOut, 999])('is none of the code %i', (code) => {
    expect(() => answer(code)).toThrow('is no HTTP error')
  })
})

describe('the headers of an answer', () => {
  it('OM-280 tell in seconds how long a call over its limit waits', () => {
    expect(answer(OutcomeCode.rateLimited, { limit: 30, retryAfterS: 17, bucket: 1 })).toEqual({
      status: 429, headers: { 'X-Request-ID': identity.request(41), 'Retry-After': '17' }, body: expect.anything(),
    })
    expect(answer(OutcomeCode.quoteExposureLimit, { requiredMicros: 17 }).headers['Retry-After']).toBe('1')
  })

  it('have no Retry-After where nothing is to be repeated', () => {
    for (const code of HTTP_CODES) expect('Retry-After' in answer(code).headers).toBe(OUTCOME_CODES[code]!.retry === 'BACKOFF')
  })

  it('OM-110 say of a replayed answer that it is one', () => {
    expect(answer(OutcomeCode.stateConflict, {}, [1]).headers).toEqual({ 'X-Request-ID': identity.request(41), 'Idempotency-Replayed': 'true' })
    expect(answer(OutcomeCode.stateConflict).headers).not.toHaveProperty('Idempotency-Replayed')
    const created = replyRow(OutcomeOp.createRfq, OutcomeCode.ok, {}, [1])
    expect(successOfReply(identity, created, {}).headers).toEqual({ 'X-Request-ID': identity.request(41), 'Idempotency-Replayed': 'true' })
  })
})

describe('the answer to a success', () => {
  const success = (op: number, resource: unknown) => successOfReply(identity, replyRow(op, OutcomeCode.ok), resource)

  it('OM-018 is the resource itself', () => {
    const resource = { rfq_id: identity.rfq(1) }
    expect(success(OutcomeOp.createRfq, resource)).toEqual({ status: 201, headers: { 'X-Request-ID': identity.request(41) }, body: resource })
    expect(success(OutcomeOp.read, resource).body).toBe(resource)
  })

  it.each(['cancelQuote', 'signOut', 'revokeKey'] as const)('OM-019 is a 204 without a body after %s', (op) => {
    expect(success(OutcomeOp[op], { quote_id: '0x' })).toMatchObject({ status: 204, body: undefined })
  })

  it('OM-131 OM-133 is 201 where something was made, 200 else', () => {
    const of = (...ops: (keyof typeof OutcomeOp)[]): number[] => [...new Set(ops.map((op) => successStatus(OutcomeOp[op])))]
    expect(of('issueKey', 'createRfq', 'openCashout', 'submitQuote', 'withdraw', 'reduceCollateral', 'signIn', 'challengeKey')).toEqual([201])
    expect(of('cancelRfq', 'acceptQuote', 'confirmQuote', 'declineQuote', 'read')).toEqual([200])
  })
})

describe('the close of a stream', () => {
  it('OM-175 has a close code, and the error code as its reason', () => {
    const closing = Object.entries(OUTCOME_CODES).filter(([, { close }]) => close !== 0)
    expect(closing).toHaveLength(11)
    for (const [code, { close, code: reason }] of closing) {
      expect(closeOf(Number(code))).toEqual({ code: close, reason })
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(CLOSE_REASON_BYTES_MAX)
    }
  })

  it('is an ordinary one when its client went away', () => {
    expect(closeOf(OutcomeCode.ok)).toEqual({ code: 1000, reason: '' })
  })
})
