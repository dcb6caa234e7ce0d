import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keccak256 as viemKeccak256 } from 'viem/utils'
import { keccak256 } from '../../../../src/venue/outcome/wire/keccak.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

// The hashes of nothing (the code hash of an account without code, EIP-1052) and of the ABI's example, whose first four bytes are its selector.
it.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['transfer(address,uint256)', 'a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b'],
])('Keccak-256 of “%s” is the published one', (text, hash) => {
  expect(hex(keccak256(new TextEncoder().encode(text)))).toBe(hash)
})

// A block has 136 bytes: one less leaves a byte for the padding, and a whole one is followed by a block of padding.
it.each([1, 134, 135, 136, 137, 271, 272, 273, 544])('Keccak-256 of %i bytes is viem’s', (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 251)
  expect(hex(keccak256(bytes))).toBe(hex(viemKeccak256(bytes, 'bytes')))
})

it('Keccak-256 of any bytes is viem’s, whatever was hashed before, and is the caller’s own', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(7), (bytes, offset) => {
    const part = bytes.subarray(Math.min(offset, bytes.length))
    const hash = keccak256(part)
    const before = hex(hash)
    keccak256(Uint8Array.of(1))
    expect([before, hex(hash)]).toEqual([hex(viemKeccak256(part, 'bytes')), before])
  }), { numRuns: 100 })
})
