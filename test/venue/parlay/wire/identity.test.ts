import { describe, expect, it } from 'vitest'
import { Credential } from '../../../../src/venue/parlay/protocol/access.ts'
import type { KeyView } from '../../../../src/venue/parlay/protocol/gate.ts'
import { OwnerKind } from '../../../../src/venue/parlay/protocol/webhooks.ts'
import { apiKeyBody, createdApiKeyBody, credentialOf, isApiKey } from '../../../../src/venue/parlay/wire/apiKey.ts'
import { endpointBody, rotatedSecretBody } from '../../../../src/venue/parlay/wire/endpointBody.ts'
import { base58, WireIdentity } from '../../../../src/venue/parlay/wire/identity.ts'
import { identity } from './rows.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Literals were computed from SHA-256 of `session 7` by `openssl dgst -mac HMAC`, laid out by hand. */
describe('ids of the wire', () => {
  it('are HMAC-SHA256 of kind and numbers under the session key', () => {
    expect(identity.request(1)).toBe('6545eaca-7743-85d9-9694-41d2b5d7e872')
    expect(identity.webhookSecret(3, OwnerKind.maker, 2)).toBe('whsec_PRiYcGr_c7F67orvcSHHC96SMhHJTgp5dd3aXmRB5m4')
    expect(identity.apiKey(5)).toBe('api_test_HrpITfz5ynYtAEKIaWwangzZc8QowBDL')
    expect(identity.txSignature(9)).toBe('3rXWhWH8qeCt1U28tdfgcL1Bn8uBnsjF73rg4LzZKYt333C4CS3QVsKfxnA921zBAPp7BcmHwmLco1Cu1fZtzQGR')
  })

  it('writes a position as 64 lowercase hex digits', () => {
    expect(identity.position(12)).toBe('da25c109c66f23a8c24c086b60d31160d0b4d977e7c8dc5006260044768510c7')
  })

  it('are UUIDs, others for every kind, number and session, and the same in every process', () => {
    const ids = (wire: WireIdentity): string[] => [1, 2, 12].flatMap((n) =>
      [wire.account(n), wire.request(n), wire.rfq(n), wire.quote(n), wire.auction(n), wire.event(n), wire.leg(n, 1, 0), wire.leg(1, n, 1)])
    const all = [...ids(identity), ...ids(new WireIdentity('session 8'))]
    expect(all.every((id) => UUID.test(id))).toBe(true)
    expect(new Set(all).size).toBe(48)
    expect(ids(new WireIdentity(new TextEncoder().encode('session 7')))).toEqual(ids(identity))
  })

  /** The vectors of draft-msporny-base58. */
  it.each([
    ['48656c6c6f20576f726c6421', '2NEpo7TZRRrLZSi2U'],
    ['54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e',
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z'],
    ['0000287fb4cd', '11233QC4'],
    ['', ''],
  ])('writes the bytes %s in base 58 as %s', (hex, text) => {
    expect(base58(Buffer.from(hex, 'hex'))).toBe(text)
  })
})

describe('signing secrets', () => {
  it('PQ-318 begin with whsec_, and are told by the rotation only', () => {
    const { secret } = rotatedSecretBody(identity, 1, OwnerKind.maker, 2)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    const body = endpointBody({ account: 1, owner: OwnerKind.maker, events: 5, secret: 2 }, 'https://example.org/hook')
    expect(body).toEqual({
      owner_kind: 'mm', url: 'https://example.org/hook', events: ['position.settled', 'position.bought_back'], has_secret: true,
    })
    expect(endpointBody({ account: 1, owner: OwnerKind.user, events: 0, secret: 0 }, '')).toEqual({
      owner_kind: 'user', url: '', events: [], has_secret: false,
    })
  })

  it('are others for every account, owner kind and generation', () => {
    const secrets = [1, 2].flatMap((a) => [0, 1].flatMap((owner) => [1, 2].map((g) => identity.webhookSecret(a, owner as 0 | 1, g))))
    expect(new Set(secrets).size).toBe(8)
  })
})

describe('API keys', () => {
  it.each([
    [27, false], [28, true], [36, true], [37, false],
  ])('PQ-265 with %i characters behind the prefix: %s', (length, valid) => {
    expect(isApiKey(`api_live_${'aZ9_-'.repeat(8).slice(0, length)}`)).toBe(valid)
    expect(isApiKey(`api_test_${'x'.repeat(length)}`)).toBe(valid)
  })

  it.each([
    `api_prod_${'x'.repeat(30)}`, `api_test-${'x'.repeat(30)}`, `api_test_${'x'.repeat(29)}+`, ` api_test_${'x'.repeat(30)}`,
    `api_test_${'x'.repeat(30)}\n`, '',
  ])('PQ-265 refuses %j', (text) => {
    expect(isApiKey(text)).toBe(false)
  })

  it('PQ-265 have that form as they are made', () => {
    expect([1, 2, 1000].map((n) => isApiKey(identity.apiKey(n)))).toEqual([true, true, true])
  })

  const numberOf = (key: string): number | undefined => (key === identity.apiKey(3) ? 3 : undefined)
  it.each([
    ['key_live_0123456789012345678901234567', Credential.wrongType],
    ['API_test_0123456789012345678901234567', Credential.wrongType],
    ['x', Credential.wrongType],
  ])('PQ-271 takes %s for another type of key', (header, credential) => {
    expect(credentialOf(header, numberOf)).toBe(credential)
  })

  it.each<[string | undefined, number]>([
    [identity.apiKey(3), 3], [identity.apiKey(4), Credential.none], ['api_', Credential.none], ['api_test_short', Credential.none],
    ['', Credential.none], [undefined, Credential.none],
  ])('PQ-344 reads the credential %s as %i', (header, credential) => {
    expect(credentialOf(header, numberOf)).toBe(credential)
  })

  it('PQ-266 are told in full at their creation only', () => {
    const key: KeyView = { number: 3, account: 1, scopes: 4 | 1024, expiresAtUs: -1, state: 'active' }
    const prefix = identity.apiKey(3).slice(0, 17)
    expect(createdApiKeyBody(identity, key)).toEqual({
      key: identity.apiKey(3), prefix, scopes: ['positions:read', 'mm:quote'], status: 'active', expires_at: null,
    })
    expect(JSON.stringify(apiKeyBody(identity, key))).not.toContain(identity.apiKey(3))
    expect(apiKeyBody(identity, { ...key, expiresAtUs: 1_000_001, state: 'expired' })).toEqual({
      prefix, scopes: ['positions:read', 'mm:quote'], status: 'expired', expires_at: '1970-01-01T00:00:01.000001Z',
    })
  })
})
