import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { findProgramAddress } from '../../../src/chain/svm/programAddress.ts'
import { key } from './programHarness.ts'

it('finds the addresses and bumps that web3.js finds', () => {
  const bumps = new Set<number>()
  for (let i = 0; i < 400; i++) {
    const seeds = [Buffer.from('position'), createHash('sha256').update(`${i}`).digest()]
    const [address, bump] = PublicKey.findProgramAddressSync(seeds, key('program'))
    const found = findProgramAddress(seeds, key('program'))
    expect(found.address.toBase58()).toBe(address.toBase58())
    expect(found.bump).toBe(bump)
    bumps.add(bump)
  }
  expect(Math.min(...bumps)).toBeLessThan(250)
})

it('finds those of no seeds and of several', () => {
  for (const seeds of [[], [Buffer.from('user'), key('a').toBuffer(), Buffer.from('b')]]) {
    expect(findProgramAddress(seeds, key('program')).address).toEqual(PublicKey.findProgramAddressSync(seeds, key('program'))[0])
  }
})
