import { describe, expect, it } from 'vitest'
import { keccak256, numberToHex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { EvmKeys, EvmSigner } from '../../../src/chain/evm/signer.ts'
import { addressOf, privateKeyOf, sign } from '../../../src/venue/outcome/wire/signing.ts'

const SEED = 'signers of the chain'
const DIGESTS = Array.from({ length: 60 }, (_, i) => keccak256(numberToHex(i)))

/** First key of the development accounts that anvil, hardhat and ganache share, and its address. */
const KNOWN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const KNOWN_ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

describe('native signing', () => {
  it('finds the address of a key', () => {
    expect(new EvmSigner(KNOWN_KEY).address).toBe(KNOWN_ADDRESS)
    for (const number of [0, 1, 77, 4_000_000]) {
      expect(new EvmKeys(SEED).signer(number).address).toBe(addressOf(privateKeyOf(SEED, number)))
    }
  })

  it('signs digests as the wire and viem do, to the byte', async () => {
    const account = privateKeyToAccount(KNOWN_KEY)
    const signer = new EvmSigner(KNOWN_KEY)
    const signatures = DIGESTS.map((digest) => signer.sign(digest))
    expect(signatures).toEqual(DIGESTS.map((digest) => sign(digest, KNOWN_KEY)))
    expect(signatures).toEqual(await Promise.all(DIGESTS.map((hash) => account.sign({ hash }))))
    // Both values of v occur, so that neither is a constant.
    expect(new Set(signatures.map((signature) => signature.slice(-2)))).toEqual(new Set(['1b', '1c']))
  })

  it.each<[string, (nonce: number) => TransactionSerializable]>([
    ['legacy', (nonce) => ({ type: 'legacy', chainId: 999, nonce, gas: 90_000n, gasPrice: 7n, to: KNOWN_ADDRESS, data: '0xabcdef' })],
    ['EIP-1559', (nonce) => ({
      type: 'eip1559', chainId: 999, nonce, gas: 90_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, to: KNOWN_ADDRESS, data: '0xabcdef',
    })],
    ['a deployment', (nonce) => ({ type: 'eip1559', chainId: 999, nonce, gas: 90_000n, maxFeePerGas: 9n, data: '0x6000' })],
  ])('signs transactions as viem does: %s', async (_, transaction) => {
    const account = privateKeyToAccount(KNOWN_KEY)
    const signer = new EvmSigner(KNOWN_KEY)
    for (let nonce = 0; nonce < 40; nonce++) {
      expect(signer.signTransaction(transaction(nonce))).toBe(await account.signTransaction(transaction(nonce)))
    }
  })

  it('gives parties and signers different keys that follow from the seed', () => {
    const addresses = (seed: string): string[] => {
      const keys = new EvmKeys(seed)
      return [keys.party('operator').address, keys.party('deployer').address, keys.signer(0).address, keys.signer(1).address]
    }
    expect(new Set([...addresses(SEED), ...addresses('another')]).size).toBe(8)
    expect(addresses(SEED)).toEqual(addresses(SEED))
  })
})
