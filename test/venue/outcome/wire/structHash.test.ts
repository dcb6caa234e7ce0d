import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { Bug } from '../../../../src/unit/assert.ts'
import { type PrimaryType, type TypedMessage, TYPES } from '../../../../src/venue/outcome/wire/eip712Types.ts'
import { StructHasher } from '../../../../src/venue/outcome/wire/structHash.ts'
import { domainOf } from '../../../../src/venue/outcome/wire/typedData.ts'
import { identity } from './rows.ts'

const domain = domainOf(identity)
const viemDigest = (of: TypedMessage) => hashTypedData({ domain, types: TYPES, ...of } as Parameters<typeof hashTypedData>[0])

const PRIMARY_TYPES = (Object.keys(TYPES) as (keyof typeof TYPES)[]).filter((name): name is PrimaryType => name !== 'Leg')

/** Few texts, so that they repeat, and any others. */
const text = fc.oneof(fc.constantFrom('', 'YES', 'NO', '7', '7 YES', '7 YES 8 NO', 'é', '🎲'), fc.string({ unit: 'grapheme', maxLength: 80 }))
const values = {
  string: text,
  'string[]': fc.array(text, { maxLength: 5 }),
  bytes32: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  uint256: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  'Leg[]': fc.array(fc.record({ outcomeId: text, side: text }), { maxLength: 4 }),
}
const messageOf = (primaryType: PrimaryType): fc.Arbitrary<TypedMessage> =>
  fc.record(Object.fromEntries(TYPES[primaryType].map(({ name, type }) => [name, values[type as keyof typeof values]])))
    .map((message) => ({ primaryType, message }) as TypedMessage)
const message = fc.constantFrom(...PRIMARY_TYPES).chain(messageOf)

describe('hashes of typed data', () => {
  it.each(PRIMARY_TYPES)('OM-148 hashes a %s as viem does', (primaryType) => {
    const hasher = new StructHasher(domain)
    fc.assert(fc.property(messageOf(primaryType), (of) => {
      expect(hasher.digest(of)).toBe(viemDigest(of))
    }), { numRuns: 40 })
  })

  it('OM-148 says the same of a message whatever was hashed before it', () => {
    fc.assert(fc.property(fc.array(message, { minLength: 2, maxLength: 12 }), (messages) => {
      const hasher = new StructHasher(domain)
      const together = messages.map((of) => hasher.digest(of))
      expect(together).toEqual(messages.map((of) => new StructHasher(domain).digest(of)))
    }), { numRuns: 60 })
  })

  it('OM-148 lets old names go and hashes them again', () => {
    const hasher = new StructHasher(domain)
    const of = (label: string): TypedMessage => ({
      primaryType: 'IssueKey', message: { account: '0x1', challengeId: 'c', label, scopes: ['read'], expiresInDays: 1n },
    })
    const first = hasher.digest(of('label 0'))
    for (let i = 1; i < 9_000; i++) hasher.digest(of(`label ${i}`))
    expect([hasher.digest(of('label 0')), first]).toEqual([viemDigest(of('label 0')), viemDigest(of('label 0'))])
  })

  it('OM-148 tells legs from a name that is written like them', () => {
    const hasher = new StructHasher(domain)
    const quote = (legs: readonly { outcomeId: string; side: string }[], maker: string): TypedMessage => ({
      primaryType: 'Quote', message: {
        maker, rfqId: 'r', generation: 1n, netStake: 1n, payout: 2n, takerFeeBps: 20n, feeBps: 100n, expiry: 3n, legs,
      },
    })
    const legs = [{ outcomeId: '7', side: 'YES' }]
    for (const maker of ['0x1', '7 YES']) expect(hasher.digest(quote(legs, maker))).toBe(viemDigest(quote(legs, maker)))
  })

  const HASH = `0x${'ab'.repeat(32)}`
  const accepted: Readonly<Record<string, unknown>> = { seller: '0x1', rfqId: 'r', quoteId: HASH, acceptanceId: 'a', price: 1n, feeBps: 100n, positionId: HASH }

  it.each([
    ['a number below 0', { price: -1n }], ['one of 65 bits', { price: 2n ** 64n }], ['a text for a number', { price: '1' }], ['a number that is no bigint', { price: 1 }],
    ['a hash of 31 bytes', { quoteId: HASH.slice(0, -2) }], ['a hash that is none', { quoteId: 'hello' }], ['no text', { rfqId: undefined }], ['a number for a text', { rfqId: 7n }],
  ])('stops at %s', (_, changed) => {
    const digest = (message: object): string => new StructHasher(domain).digest({ primaryType: 'CashoutAcceptance', message: message as TypedMessage['message'] })
    expect(digest(accepted)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(() => digest({ ...accepted, ...changed })).toThrow(Bug)
  })
})
