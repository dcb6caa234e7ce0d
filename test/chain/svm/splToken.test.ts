import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { TOKEN_PROGRAM, USDC_MINT } from '../../../src/chain/svm/layout.ts'
import { mintAccount, tokenAccount, tokenAddress, tokenAmount } from '../../../src/chain/svm/splToken.ts'

const wallet = Keypair.fromSeed(Buffer.alloc(32, 5)).publicKey

describe('SPL tokens by hand', () => {
  it('lie where the associated token program puts them', () => {
    const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
    const [address] = PublicKey.findProgramAddressSync([wallet.toBuffer(), TOKEN_PROGRAM.toBuffer(), USDC_MINT.toBuffer()], program)
    expect(tokenAddress(wallet).equals(address)).toBe(true)
  })

  it('are accounts of 165 bytes: mint, owner, amount, state', () => {
    const account = tokenAccount(wallet, 0x0102030405n, 1n)
    expect(account.data.length).toBe(165)
    expect(account.data.slice(0, 32)).toEqual(USDC_MINT.toBuffer())
    expect(account.data.slice(32, 64)).toEqual(wallet.toBuffer())
    expect([...account.data.subarray(64, 72)]).toEqual([5, 4, 3, 2, 1, 0, 0, 0])
    expect([...account.data.subarray(72)].flatMap((byte, i) => (byte === 0 ? [] : [[72 + i, byte]]))).toEqual([[108, 1]])
  })

  it('have mints of 82 bytes: supply, decimals, state', () => {
    const { data } = mintAccount(7n, 6, 1n)
    expect(data.length).toBe(82)
    expect([...data].flatMap((byte, i) => (byte === 0 ? [] : [[i, byte]]))).toEqual([[36, 7], [44, 6], [45, 1]])
  })

  it('count only in accounts of the Token program', () => {
    const data = Buffer.from(tokenAccount(wallet, 9n, 1n).data)
    expect(tokenAmount({ owner: TOKEN_PROGRAM, data })).toBe(9n)
    expect(tokenAmount({ owner: wallet, data })).toBe(0n)
    expect(tokenAmount(null)).toBe(0n)
  })
})
