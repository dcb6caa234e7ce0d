import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../../src/chain/evm/anvil.ts'
import type { EvmChain } from '../../../src/chain/evm/evmChain.ts'
import { EvmRpc } from '../../../src/chain/evm/rpc.ts'
import { EvmKeys } from '../../../src/chain/evm/signer.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import {
  buyback, deposit, funded, land, MAKER, open, RIVAL, roundFill, SEED, sent, settle, START_S, TAKER, transfer, USDC, withdraw,
} from './vaultSession.ts'

const closing: { close(): Promise<void> }[] = []

/** A chain that somebody else runs, which makes a block of every transaction as it comes. */
async function foreign(): Promise<Anvil & { readonly rpcUrl: string }> {
  const anvil = await startAnvil({ genesisS: START_S, http: true, automine: true })
  closing.push(anvil)
  return { ...anvil, rpcUrl: anvil.httpUrl! }
}

async function started(options: Parameters<typeof funded>[0]): Promise<EvmChain> {
  const chain = await funded(options)
  closing.push(chain)
  return chain
}

afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})

describe.skipIf(noAnvil)(`a chain by URL${skipped}`, () => {
  it('comes to the same sums, and its wallets never have gas nor send', async () => {
    const { rpcUrl } = await foreign()
    const chain = await started({ rpcUrl, callsPerBundle: 2 })
    expect(chain.faults).toBeNull()
    await chain.advance(START_S + 7)
    await land(chain, [
      roundFill(1, { coreMicros: 30 * USDC }), roundFill(2), roundFill(3), buyback(2, 102, 120 * USDC), transfer(3, 103, 140 * USDC),
      settle(1, 'lost'), settle(3, 'won'), withdraw(TAKER, 50 * USDC, 1),
    ])
    // 1,000 − 70 − 2 × 100 + 120 + 140 − 50; 5,000 − 3 × 150.2 + 130 + 250; 2,000 − 140 + 248.498.
    expect(await chain.balances([TAKER, MAKER, RIVAL])).toEqual([940_000_000n, 4_929_400_000n, 2_108_498_000n])
    expect(await chain.house()).toBe(2_102_000n)
    expect(await chain.tokens()).toBe(7_980_000_000n)
    expect(await chain.wallets([TAKER, MAKER, RIVAL])).toEqual([9_020_000_000n, 5_000_000_000n, 8_000_000_000n])

    const rpc = new EvmRpc(rpcUrl)
    for (const account of [TAKER, MAKER, RIVAL]) {
      const { address } = new EvmKeys(SEED).signer(account)
      expect(await rpc.hex('eth_getBalance', [address, 'latest'])).toBe('0x0')
      expect(await rpc.hex('eth_getTransactionCount', [address, 'latest'])).toBe('0x0')
    }
    await rpc.close()
  })

  it('is found again by its vault, whose calls are done', async () => {
    const { rpcUrl } = await foreign()
    const first = await started({ rpcUrl })
    const calls = [deposit(TAKER, 5)]
    await land(first, calls)
    const second = await open({ rpcUrl, vaultAddress: first.deployment.vault })
    closing.push(second)
    await second.admit([{ account: TAKER, fundsMicros: 1, quoteSigner: TAKER }])
    expect(await second.balances([TAKER])).toEqual([1_000_000_005n])
    expect(await sent(second, calls)).toMatchObject([{ state: 'refused', call: 0, done: true }])
  })

  it('says of a bundle whose nonce somebody else has spent that it can never land', async () => {
    const { rpcUrl } = await foreign()
    const first = await started({ rpcUrl })
    const second = await open({ rpcUrl, vaultAddress: first.deployment.vault })
    closing.push(second)
    const bundles = await second.prepare([deposit(TAKER, 5)])
    await land(first, [deposit(TAKER, 6)])
    await second.broadcast(bundles)
    expect(await second.statuses(bundles)).toEqual([{ state: 'expired' }])
  })

  it('is refused when the vault is driven by another session, or is no vault', async () => {
    const { rpcUrl } = await foreign()
    const { vault, usdc } = (await started({ rpcUrl })).deployment
    await expect(open({ rpcUrl, vaultAddress: vault, seed: 'another' })).rejects.toThrow(`the vault ${vault} is driven by`)
    await expect(open({ rpcUrl, vaultAddress: usdc })).rejects.toThrow('does not answer')
  })

  it('of a token that is not ours to mint needs wallets that have it', async () => {
    const { rpcUrl } = await foreign()
    const { usdc } = (await started({ rpcUrl })).deployment
    const chain = await open({ rpcUrl, usdcAddress: usdc, seed: 'another' })
    closing.push(chain)
    await expect(chain.admit([{ account: TAKER, fundsMicros: 5, quoteSigner: TAKER }])).rejects.toThrow('has 0 microUSDC in its wallet and needs 5')
  })
})

describe('what is no chain of the service', () => {
  let server: Server | undefined
  afterEach(() => { server?.close() })

  it('is a mistake of the user', async () => {
    await expect(open({ rpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow('no answer to eth_chainId')
    server = createServer((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify([{ jsonrpc: '2.0', id: 0, result: '0x1' }])))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server!.once('listening', resolve))
    await expect(open({ rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })).rejects.toThrow('has id 1')
  })
})
