import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { OwnerKind } from '../../../../src/venue/parlay/protocol/webhooks.ts'
import { signatureOf, verifySignature, webhookRequest } from '../../../../src/venue/parlay/wire/signature.ts'
import { identity } from './rows.ts'

// A module of Node is told what its object has become.
beforeAll(() => {
  vi.spyOn(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
})

afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** HMAC as RFC 2104 writes it, from the hash alone. */
function hmac(key: Uint8Array, text: Uint8Array): string {
  const block = Buffer.alloc(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const pad = (byte: number): Buffer => Buffer.from(block.map((b) => b ^ byte))
  return sha256(Buffer.concat([pad(0x5c), sha256(Buffer.concat([pad(0x36), text]))])).toString('hex')
}

const SECRET = 'whsec_test'
const T = 1_750_378_980
const BODY = '{"id":"1","type":"position.settled","data":{"outcome":"won"}}'
/** `printf %s "$T.$BODY" | openssl dgst -sha256 -hmac whsec_test`. */
const MAC = '430ed628e69b56bf454ed61404466b7a9b82adc4e10b7e2333c3c81dd896b04a'
const HEADER = `t=${T},v1=${MAC}`
const nowUs = T * 1_000_000

describe('the signature of a webhook', () => {
  /** RFC 4231, test cases 1, 2, 3 and 6. */
  it.each([
    ['0b'.repeat(20), Buffer.from('Hi There').toString('hex'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [Buffer.from('Jefe').toString('hex'), Buffer.from('what do ya want for nothing?').toString('hex'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
    ['aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
    ['aa'.repeat(131), Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First').toString('hex'),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54'],
  ])('is judged by an HMAC that gives the published vector of key %s', (key, text, mac) => {
    expect(hmac(Buffer.from(key, 'hex'), Buffer.from(text, 'hex'))).toBe(mac)
  })

  it('PQ-313 PQ-317 is t=<unix-seconds>,v1=<HMAC-SHA256 of t.body in hex>', () => {
    expect(signatureOf(SECRET, T, BODY)).toBe(HEADER)
    expect(signatureOf('whsec_é', 0, '')).toBe('t=0,v1=13ef45f958f274ee43d5bb256092ebf3ad8816135312d27b18e709f75d32e257')
  })

  it('PQ-317 is the HMAC of any text under any secret', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.string({ unit: 'grapheme' }), fc.nat(), (secret, body, t) => {
      expect(signatureOf(secret, t, body)).toBe(`t=${t},v1=${hmac(Buffer.from(secret), Buffer.from(`${t}.${body}`))}`)
    }))
  })

  it('PQ-314 PQ-315 PQ-316 goes with the event\'s id and name and the type of the content', () => {
    const event = { id: identity.event(4), type: 'position.settled' }
    expect(webhookRequest(SECRET, nowUs + 999_999, event, BODY)).toEqual({
      headers: {
        'X-Service-Signature': HEADER,
        'X-Service-Event-Id': identity.event(4),
        'X-Service-Event-Type': 'position.settled',
        'Content-Type': 'application/json',
      },
      body: BODY,
    })
  })

  it('PQ-134 is new for each attempt, the event id is not', () => {
    const attempt = (seconds: number) =>
      webhookRequest(SECRET, (T + seconds) * 1_000_000, { id: identity.event(4), type: 'x' }, BODY).headers
    expect(attempt(0)['X-Service-Event-Id']).toBe(attempt(30)['X-Service-Event-Id'])
    expect(attempt(0)['X-Service-Signature']).not.toBe(attempt(30)['X-Service-Signature'])
    expect(identity.event(4)).not.toBe(identity.event(5))
  })

  it('PQ-326 verifies with one generation of the secret only', () => {
    const secrets = [1, 2].map((generation) => identity.webhookSecret(1, OwnerKind.user, generation))
    const verdicts = secrets.map((signed) => secrets.map((held) => verifySignature(held, signatureOf(signed, T, BODY), BODY, nowUs)))
    expect(verdicts).toEqual([['ok', 'mismatch'], ['mismatch', 'ok']])
  })
})

describe('a receiver', () => {
  it.each([
    [HEADER, 'ok'], [`v1=${MAC},t=${T}`, 'ok'], [`t=${T}, v1=${MAC}`, 'ok'], [`t=${T},v0=x,v1=${MAC}`, 'ok'],
    [`t=${T},v0=a=b,v1=${MAC}`, 'ok'], [`t=${T},v2,v1=${MAC},`, 'ok'], [`t=${T},v0=x,v0=y,v1=${MAC}`, 'ok'], [`=,t=${T},v1=${MAC}`, 'ok'],
    [`t=${T}`, 'malformed'], [`v1=${MAC}`, 'malformed'], [`t=,v1=${MAC}`, 'malformed'], [`t=${T}.0,v1=${MAC}`, 'malformed'],
    [`t=-${T},v1=${MAC}`, 'malformed'], [`t=${T},v1=${MAC.slice(2)}`, 'malformed'], [`t=${T},v1=${MAC}00`, 'malformed'],
    [`t=${T},t=${T},v1=${MAC}`, 'malformed'], ['', 'malformed'], ['t', 'malformed'], [`t=${T},v1=${MAC},v1=${MAC}`, 'malformed'],
    [`t,v1=${MAC}`, 'malformed'], [`t=${T}=,v1=${MAC}`, 'malformed'], [`t=${T},v1=${MAC}=`, 'malformed'],
    [`t=${T + 1},v1=${MAC}`, 'mismatch'], [`t=0${T},v1=${MAC}`, 'mismatch'],
  ])('PQ-319 reads t and v1 of %s: %s', (header, verdict) => {
    expect(verifySignature(SECRET, header, BODY, nowUs)).toBe(verdict)
  })

  it.each([
    [-300_000_001, 'stale'], [-300_000_000, 'ok'], [0, 'ok'], [300_000_000, 'ok'], [300_000_001, 'stale'],
  ])('PQ-320 whose clock is %i µs off answers %s', (offUs, verdict) => {
    expect(verifySignature(SECRET, HEADER, BODY, nowUs + offUs)).toBe(verdict)
  })

  it.each([NaN, Infinity, -Infinity])('PQ-320 whose clock says %d finds all stale', (clock) => {
    expect(verifySignature(SECRET, HEADER, BODY, clock)).toBe('stale')
  })

  it('PQ-321 computes over the exact bytes', () => {
    const again = JSON.stringify(JSON.parse(BODY), null, 1)
    expect(verifySignature(SECRET, HEADER, again, nowUs)).toBe('mismatch')
    expect(verifySignature(SECRET, HEADER, `${BODY}\n`, nowUs)).toBe('mismatch')
    expect(verifySignature(SECRET, HEADER, Buffer.from(BODY), nowUs)).toBe('ok')
    const invalidUtf8 = Uint8Array.of(0xff, 0x80)
    expect(verifySignature(SECRET, signatureOf(SECRET, T, invalidUtf8), invalidUtf8, nowUs)).toBe('ok')
    expect(verifySignature(SECRET, signatureOf(SECRET, T, invalidUtf8), Buffer.from(invalidUtf8).toString(), nowUs)).toBe('mismatch')
  })

  it('PQ-322 compares all of the MAC in constant time, wherever the difference is', () => {
    const compare = vi.mocked(crypto.timingSafeEqual)
    for (let digit = 0; digit < MAC.length; digit++) {
      compare.mockClear()
      const other = MAC[digit] === '0' ? '1' : '0'
      const header = `t=${T},v1=${MAC.slice(0, digit)}${other}${MAC.slice(digit + 1)}`
      expect(verifySignature(SECRET, header, BODY, nowUs)).toBe('mismatch')
      expect(compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual([[32, 32]])
    }
  })
})
