import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { IdentityProvider } from '../../../src/serve/http/identityProvider.ts'

const USER = '4cad8e8b-4f83-8f25-959a-810541c43836'
const FROM_US = 1_750_370_000_999_999
const UNTIL_US = 1_750_380_000_000_000
const CLAIMS = { iss: 'parlor', aud: 'parlor', sub: USER, nbf: 1_750_370_000, exp: 1_750_380_000 }

let provider: IdentityProvider
beforeAll(async () => { provider = await IdentityProvider.create() })

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const stranger = generateKeyPairSync('ed25519')
const tokenOf = (...headers: [string, string][]) => provider.tokenOf(headers)
const bearing = (token: string) => tokenOf(['authorization', `Bearer ${token}`])

describe('a JWT of the identity provider', () => {
  it('PQ-261 names its user, and is good from a whole second until another', async () => {
    const token = await provider.issue(USER, FROM_US, UNTIL_US)
    expect(await bearing(token)).toEqual({ subject: USER, notBeforeUs: 1_750_370_000_000_000, expiresAtUs: 1_750_380_000_000_000 })
    expect(await tokenOf(['authorization', `bEARER  ${token}`])).toMatchObject({ subject: USER })
  })

  it('PQ-261 is signed with the key that is told', async () => {
    const [header, payload, signature] = (await provider.issue(USER, FROM_US, UNTIL_US)).split('.') as [string, string, string]
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'EdDSA', kid: 'session', typ: 'JWT' })
    const [key] = provider.keys.keys
    expect(key).not.toHaveProperty('d')
    const { verify } = await import('node:crypto')
    expect(verify(null, Buffer.from(`${header}.${payload}`), createPublicKey({ key: key as JsonWebKey, format: 'jwk' }), Buffer.from(signature, 'base64url'))).toBe(true)
  })

  it('PQ-261 of another session is nobody\'s', async () => {
    const other = await IdentityProvider.create()
    expect(await bearing(await other.issue(USER, FROM_US, UNTIL_US))).toBeUndefined()
  })

  it.each<[string, (token: string) => string]>([
    ['without a signature', (token) => `${token.split('.').slice(0, 2).join('.')}.`],
    ['that says it needs no signature', (token) => `${base64({ alg: 'none' })}.${token.split('.')[1]}.`],
    ['with claims of another', (token) => [token.split('.')[0], base64({ ...CLAIMS, sub: 'other' }), token.split('.')[2]].join('.')],
    ['that a stranger signed', () => {
      const text = `${base64({ alg: 'EdDSA', kid: 'session' })}.${base64(CLAIMS)}`
      return `${text}.${sign(null, Buffer.from(text), stranger.privateKey).toString('base64url')}`
    }],
    ['that brings its own key', () => {
      const text = `${base64({ alg: 'EdDSA', kid: 'session', jwk: stranger.publicKey.export({ format: 'jwk' }) })}.${base64(CLAIMS)}`
      return `${text}.${sign(null, Buffer.from(text), stranger.privateKey).toString('base64url')}`
    }],
    ['that is too long', (token) => `${token}${'A'.repeat(5000)}`],
    ['that is no JWT', () => 'a.b.c'],
    ['of one part', () => 'token'],
  ])('PQ-261 %s is nobody\'s', async (_, changed) => {
    expect(await bearing(changed(await provider.issue(USER, FROM_US, UNTIL_US)))).toBeUndefined()
  })

  it('PQ-261 is read from Authorization alone, and from no other scheme', async () => {
    const token = await provider.issue(USER, FROM_US, UNTIL_US)
    expect([await tokenOf(['x-api-key', token]), await tokenOf(['authorization', token]), await tokenOf(['authorization', `Basic ${token}`]), await tokenOf()])
      .toEqual([undefined, undefined, undefined, undefined])
  })
})
