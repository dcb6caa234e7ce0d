import { createHash } from 'node:crypto'
import { type Hex, getAddress, hexToBigInt, keccak256, recoverAddress, recoverTypedDataAddress, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { SignedTerms, TermsKind } from '../../../../src/venue/outcome/protocol/terms.ts'
import { addressOf, GROUP_ORDER, isPrivateKey, privateKeyOf, recover, sign, signaturePort } from '../../../../src/venue/outcome/wire/signing.ts'
import { TYPES } from '../../../../src/venue/outcome/wire/eip712Types.ts'
import { digestOf, digestOrNull, domainOf, tagOfDigest, typedMessageOf } from '../../../../src/venue/outcome/wire/typedData.ts'
import { identity, outcomeIdOf } from './rows.ts'

const key = privateKeyOf('seed 7', 3)
const cow = keccak256(stringToHex('cow'))
/** What `cow` signs in the example of EIP-712. */
const MAIL: Hex = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'

describe('a private key', () => {
  it('OM-148 is HMAC-SHA256 of the signer\'s number under the seed', () => {
    expect(key).toBe('0x36a1a69b811fa3766f98630d189c26e9a2c8b0252919a8688394c8f067daf4ea')
    const keys = [0, 1, 2, 30, 2_147_483_647].flatMap((signer) => ['seed 7', 'seed 8'].map((seed) => privateKeyOf(seed, signer)))
    expect(new Set(keys).size).toBe(10)
  })

  it('lies in 1…n − 1', () => {
    const hex = (value: bigint): Hex => `0x${value.toString(16)}`
    expect(GROUP_ORDER).toBe(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n)
    expect([0n, 1n, GROUP_ORDER - 1n, GROUP_ORDER].map((value) => isPrivateKey(hex(value)))).toEqual([false, true, true, false])
  })
})

describe('an address', () => {
  it.each<[Hex, string]>([
    ['0x0000000000000000000000000000000000000000000000000000000000000001', '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'],
    [cow, '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
  ])('OM-027 of the key %s is %s, in lower case', (privateKey, address) => {
    expect(addressOf(privateKey)).toBe(address)
  })
})

describe('a signature', () => {
  it('is deterministic, as RFC 6979 has it', () => {
    const satoshi: Hex = `0x${createHash('sha256').update('Satoshi Nakamoto').digest('hex')}`
    expect(sign(satoshi, `0x${'1'.padStart(64, '0')}`).slice(0, 130)).toBe(
      '0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
      '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5')
    expect(sign(MAIL, key)).toBe(sign(MAIL, key))
  })

  it('OM-029 is 65 bytes of lowercase hex that lead back to the address', () => {
    for (let n = 0; n < 20; n++) {
      const digest = keccak256(stringToHex(`message ${n}`))
      const privateKey = privateKeyOf('seed 7', n)
      const signature = sign(digest, privateKey)
      expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
      expect(hexToBigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(GROUP_ORDER / 2n)
      expect(recover(digest, signature)).toBe(addressOf(privateKey))
      expect(recover(keccak256(digest), signature)).not.toBe(addressOf(privateKey))
    }
  })

  it('is the one that viem makes and recovers', async () => {
    const terms = Object.assign(new SignedTerms().reset(TermsKind.quote, 20), {
      rfq: 2, generation: 1, stakeMicros: 24_950_000, payoutMicros: 99_000_000, takerFeeBps: 20, feeBps: 100, expiryS: 1_750_379_010,
    }).leg(3, 1).leg(5, 0)
    const data = { domain: domainOf(identity), types: TYPES, ...typedMessageOf(terms, identity, outcomeIdOf) } as never
    const digest = digestOf(terms, identity, outcomeIdOf)
    const account = privateKeyToAccount(key)
    const signature = await account.signTypedData(data)
    expect(sign(digest, key)).toBe(signature)
    expect(getAddress(addressOf(key))).toBe(account.address)
    expect(await recoverTypedDataAddress(Object.assign({ signature }, data))).toBe(account.address)
    expect(recover(digest, signature)).toBe(account.address.toLowerCase())
    expect(await recoverAddress({ hash: MAIL, signature: sign(MAIL, cow) })).toBe('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826')
  })
})

describe('what is no signature', () => {
  const good = sign(MAIL, key)
  const word = (value: bigint): string => value.toString(16).padStart(64, '0')
  const made = (r: bigint, s: bigint, v = '1b'): string => `0x${word(r)}${word(s)}${v}`
  const r = hexToBigInt(`0x${good.slice(2, 66)}`)
  const s = hexToBigInt(`0x${good.slice(66, 130)}`)
  const v = good.slice(130)

  it('has a twin with the other v and s', async () => {
    const twin = made(r, GROUP_ORDER - s, v === '1b' ? '1c' : '1b') as Hex
    expect((await recoverAddress({ hash: MAIL, signature: twin })).toLowerCase()).toBe(addressOf(key))
    expect(recover(MAIL, made(r, s, v))).toBe(addressOf(key))
    expect(recover(MAIL, twin)).toBeNull()
  })

  it.each<[string, string]>([
    ['the empty text', ''], ['no hex', `0x${'g'.repeat(130)}`], ['64 bytes', good.slice(0, 130)], ['66 bytes', `${good}00`],
    ['no 0x', good.slice(2)], ['upper case', `0x${good.slice(2).toUpperCase()}`], ['v of 26', `${good.slice(0, 130)}1a`],
    ['v of 29', `${good.slice(0, 130)}1d`], ['v of 0', `${good.slice(0, 130)}00`], ['r of 0', made(0n, s)], ['s of 0', made(r, 0n)],
    ['r of n', made(GROUP_ORDER, s)], ['s of n', made(r, GROUP_ORDER)], ['s above n/2', made(r, GROUP_ORDER / 2n + 1n)],
    // 5 is no x of a point: 5³ + 7 = 132 is no square modulo p.
    ['r of no point', made(5n, s)],
  ])('is %s', (_, signature) => {
    expect(recover(MAIL, signature)).toBeNull()
  })

  it('is not s of n/2 exactly', () => {
    expect(recover(MAIL, made(r, GROUP_ORDER / 2n))).toMatch(/^0x[0-9a-f]{40}$/)
  })
})

describe('the port of signatures', () => {
  const reduction = (amount: number): SignedTerms => Object.assign(new SignedTerms().reset(TermsKind.reduction, 20), {
    payoutMicros: amount, takerFeeBps: 20, feeBps: 100,
  })
  const digest = (terms: SignedTerms): Hex => digestOf(terms, identity, outcomeIdOf)
  const signers = new Map([3, 20].map((signer) => [addressOf(privateKeyOf('seed 7', signer)), signer]))
  const port = signaturePort((terms) => digestOrNull(terms, identity, outcomeIdOf), (address) => signers.get(address))
  const signature = sign(digest(reduction(5_000_000)), privateKeyOf('seed 7', 20))

  it('OM-148 tells who signed these terms', () => {
    expect(port.verify(reduction(5_000_000), signature)).toEqual({ signer: 20, termsTag: tagOfDigest(digest(reduction(5_000_000))) })
  })

  it.each<[string, number, string]>([
    ['other terms', 5_000_001, signature], ['a signer whom nobody knows', 5_000_000, sign(digest(reduction(5_000_000)), privateKeyOf('seed 7', 21))],
    ['a text that is no signature', 5_000_000, '0x'],
  ])('OM-212 finds no signer for %s', (_, amount, text) => {
    expect(port.verify(reduction(amount), text)).toEqual({ signer: -1, termsTag: tagOfDigest(digest(reduction(amount))) })
  })

  it.each([-1, 0.5, NaN])('OM-212 finds neither signer nor digest for terms that lack a field, which reads %s', (amount) => {
    expect(port.verify(reduction(amount), signature)).toEqual({ signer: -1, termsTag: -1 })
  })
})
