import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { fromBase58, toBase58 } from '../../../src/chain/svm/base58.ts'
import { SvmKey, SvmKeys } from '../../../src/chain/svm/keys.ts'
import { base58 } from '../../../src/venue/parlay/wire/identity.ts'

describe('keys', () => {
  it('sign the test vectors of RFC 8032', () => {
    // RFC 8032, 7.1, test 2: one byte, 72.
    const key = new SvmKey(Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex'))
    expect(Buffer.from(key.address.toBytes()).toString('hex')).toBe('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')
    expect(key.sign(Buffer.of(0x72)).toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00')
  })

  it('have the addresses of web3.js', () => {
    const keys = new SvmKeys('a session')
    for (const account of [0, 1, 77]) {
      expect(keys.wallet(account).address.equals(Keypair.fromSeed(keys.seed(`wallet:${account}`)).publicKey)).toBe(true)
    }
  })

  it('are functions of seed and name, and all different', () => {
    const addresses = ['1', '2'].flatMap((seed) => {
      const keys = new SvmKeys(seed)
      return [keys.operator, keys.sponsor, keys.wallet(0), keys.wallet(1)].map((key) => key.address.toBase58())
    })
    expect(new Set(addresses).size).toBe(8)
    expect(new SvmKeys('2').wallet(1).address.toBase58()).toBe(addresses[7])
  })
})

describe('base 58', () => {
  const cases = ['00', '0000ff', '61', '000000287fb4cd', 'ff'.repeat(64), `00${'9a'.repeat(31)}`, `${'00'.repeat(32)}`]

  it.each(cases)('of %s is the wire’s, and comes back', (hex) => {
    const bytes = Buffer.from(hex, 'hex')
    expect(toBase58(bytes)).toBe(base58(bytes))
    expect(fromBase58(toBase58(bytes), bytes.length)?.toString('hex')).toBe(hex)
  })

  it('knows the published example', () => {
    expect(toBase58(Buffer.from('000000287fb4cd', 'hex'))).toBe('111233QC4')
  })

  it.each(['0', 'l', 'I1', '2'.repeat(60)])('refuses %s as 32 bytes', (text) => {
    expect(fromBase58(text, 32)).toBeNull()
  })

  it('refuses texts of other lengths than were asked for', () => {
    expect(fromBase58(toBase58(Buffer.alloc(31, 7)), 32)).toBeNull()
    expect(fromBase58(`1${toBase58(Buffer.alloc(32, 7))}`, 32)).toBeNull()
  })
})
