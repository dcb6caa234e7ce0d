import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { TEST_USDC } from '../../../src/chain/evm/abi.ts'
import { type Anvil, startAnvil } from '../../../src/chain/evm/anvil.ts'
import type { EvmChain } from '../../../src/chain/evm/evmChain.ts'
import { EvmRpc } from '../../../src/chain/evm/rpc.ts'
import { EvmKeys } from '../../../src/chain/evm/signer.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { lyingNode } from '../lyingNode.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import {
  buyback, DAY_S, deposit, fill, funded, land, MAKER, open, reduce, release, RIVAL, roundFill, SEED, sent, settle, START_S, TAKER, transfer, USDC, withdraw,
} from './vaultSession.ts'

/** Several times what one request to the chain takes (250). */
const ACCOUNTS = 1_000
/** Long enough for the next time to be set meanwhile, unless the adapter waits for the block. */
const LATE_MS = 20

const closing: { close(): Promise<void> }[] = []

/** A chain that somebody else runs, which makes a block of every transaction as it comes, of the size that networks have. */
async function foreign(genesisS = START_S): Promise<Anvil & { readonly rpcUrl: string }> {
  const anvil = await startAnvil({ genesisS, http: true, automine: true, limitsBlocks: true })
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
    expect([chain.faults, chain.landsInOrder]).toEqual([null, false])
    await chain.advance(START_S + 7)
    await land(chain, [
      roundFill(1, { coreMicros: 30 * USDC }), roundFill(2), roundFill(3), buyback(2, 102, 120 * USDC), transfer(3, 103, 140 * USDC),
      settle(1, 'lost'), settle(3, 'won'), withdraw(TAKER, 50 * USDC, 1),
    ])
    // In order: 1,000 − 70 − 2 × 100 + 120 + 140 − 50, 5,000 − 3 × 150.2 + 130 + 250, and 2,000 − 140 + 248.498.
    expect(await chain.balances([TAKER, MAKER, RIVAL])).toEqual([940_000_000n, 4_929_400_000n, 2_108_498_000n])
    expect(await chain.house()).toBe(2_102_000n)
    expect((await chain.tokens()).owedMicros).toBe(7_980_000_000n)
    expect(await chain.wallets([TAKER, MAKER, RIVAL])).toEqual([9_020_000_000n, 5_000_000_000n, 8_000_000_000n])

    const rpc = new EvmRpc(rpcUrl)
    for (const account of [TAKER, MAKER, RIVAL]) {
      const { address } = new EvmKeys(SEED).signer(account)
      expect(await rpc.hex('eth_getBalance', [address, 'latest'])).toBe('0x0')
      expect(await rpc.hex('eth_getTransactionCount', [address, 'latest'])).toBe('0x0')
    }
    await rpc.close()
  })

  it('has the time of the session, over hours and a day', async () => {
    const chain = await started({ rpcUrl: (await foreign()).rpcUrl })
    await chain.advance(START_S + 7200)
    await land(chain, [roundFill(1, { acceptedAtS: START_S + 7150 }), reduce(8, MAKER, 500 * USDC)])
    expect(await sent(chain, [roundFill(2, { acceptedAtS: START_S + 7201 })]))
      .toMatchObject([{ state: 'refused', reason: expect.stringContaining('AcceptedAtWrong') }])
    await chain.advance(START_S + 7200 + DAY_S - 1)
    expect(await sent(chain, [release(8, MAKER, 500 * USDC)])).toMatchObject([{ state: 'refused', reason: expect.stringContaining('ReductionNotDue') }])
    await chain.advance(START_S + 7200 + DAY_S)
    await land(chain, [settle(1, 'lost'), release(8, MAKER, 500 * USDC)])
    // 5,000 − 150.2 + 250 − 500.
    expect(await chain.balances([TAKER, MAKER])).toEqual([900_000_000n, 4_599_800_000n])
  })

  it('is refused when its clock is past the begin of the session, and ends the session when it goes past it later', async () => {
    const late = await foreign(START_S + 1)
    await expect(open({ rpcUrl: late.rpcUrl })).rejects.toThrow(`stands at ${START_S + 1}, and the session is at ${START_S}`)
    const { rpcUrl } = await foreign()
    const chain = await started({ rpcUrl })
    const rpc = new EvmRpc(rpcUrl)
    await rpc.call('evm_setNextBlockTimestamp', [START_S + 500])
    await rpc.call('evm_mine')
    await rpc.close()
    await chain.advance(START_S + 499)
    await expect(land(chain, [deposit(TAKER, 5)])).rejects.toThrow(`stands at ${START_S + 500}, and the session is at ${START_S + 499}`)
  })

  it('admits and funds more accounts than one request takes', async () => {
    const { rpcUrl } = await foreign()
    const chain = await open({ rpcUrl })
    closing.push(chain)
    const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({ account: i + 1, fundsMicros: (i + 1) * USDC, quoteSigner: i + 1 }))
    await chain.admit(accounts)
    expect(await chain.wallets(accounts.map(({ account }) => account))).toEqual(accounts.map(({ fundsMicros }) => BigInt(fundsMicros)))
    const rpc = new EvmRpc(rpcUrl)
    const { number, timestamp } = await rpc.call('eth_getBlockByNumber', ['latest', false]) as { number: string; timestamp: string }
    await rpc.close()
    expect(Number(number)).toBeGreaterThan(ACCOUNTS)
    expect(Number(timestamp)).toBe(START_S)
  })

  it('gives each block the time of the session, however late a transaction gets its block', async () => {
    const { rpcUrl } = await foreign()
    const rpc = new EvmRpc(rpcUrl)
    closing.push(rpc)
    let last: Hex | null = null
    /** Receipts of the transactions that were the last when a time was set. */
    const receipts: unknown[] = []
    const node = await lyingNode(rpcUrl, async (request, truth) => {
      if (request.method === 'evm_setNextBlockTimestamp' && last !== null) receipts.push(await rpc.call('eth_getTransactionReceipt', [last]))
      if (request.method !== 'eth_sendRawTransaction') return truth()
      last = keccak256(request.params![0] as Hex)
      sleep(LATE_MS).then(truth).catch(() => {})
      return { id: request.id, result: last }
    })
    closing.push(node)
    const chain = await open({ rpcUrl: node.url })
    closing.push(chain)
    const accounts = Array.from({ length: 6 }, (_, i) => ({ account: i + 1, fundsMicros: (i + 1) * USDC, quoteSigner: i + 1 }))
    await chain.admit(accounts)
    expect(receipts.length).toBeGreaterThan(accounts.length)
    expect(receipts).not.toContain(null)
    expect(await chain.wallets(accounts.map(({ account }) => account))).toEqual(accounts.map(({ fundsMicros }) => BigInt(fundsMicros)))
    const { number } = await rpc.call('eth_getBlockByNumber', ['latest', false]) as { number: string }
    const blocks = Array.from({ length: Number(number) }, (_, i) => ({ method: 'eth_getBlockByNumber', params: [`0x${(i + 1).toString(16)}`, false] }))
    const times = (await rpc.batch(blocks)).map((answer) => Number((answer as { result: { timestamp: string } }).result.timestamp))
    expect(times.length).toBeGreaterThan(accounts.length)
    expect(new Set(times)).toEqual(new Set([START_S]))
  })

  it('gets transactions that its blocks take, however many quote signers have changed', async () => {
    const chain = await started({ rpcUrl: (await foreign()).rpcUrl })
    await chain.advance(START_S + 100)
    const changes = Array.from({ length: 55 }, (_, i) => ({ signer: 3000 + (i % 2), sinceS: START_S + i }))
    await land(chain, changes.map(({ sinceS }, i) => fill({
      position: i + 1, stakeMicros: USDC, takerFeeMicros: 2000, payoutMicros: 2 * USDC, acceptedAtS: sinceS, signerChanges: changes.slice(0, i + 1),
    })))
    expect((await chain.positions([1, 55])).map(({ potMicros }) => potMicros)).toEqual([2_000_000n, 2_000_000n])
  })

  it('owes what it owes, whatever strangers send it', async () => {
    const { rpcUrl } = await foreign()
    const chain = await started({ rpcUrl })
    const rpc = new EvmRpc(rpcUrl)
    const { address: from } = new EvmKeys(SEED).signer(RIVAL)
    await rpc.call('anvil_impersonateAccount', [from])
    await rpc.call('anvil_setBalance', [from, '0x3635c9adc5dea00000'])
    const data = encodeFunctionData({ abi: TEST_USDC.abi, functionName: 'transfer', args: [chain.deployment.vault, 1n] })
    await rpc.call('eth_sendTransaction', [{ from, to: chain.deployment.usdc, data }])
    await rpc.close()
    expect(await chain.wallets([RIVAL])).toEqual([7_999_999_999n])
    expect((await chain.tokens()).owedMicros).toBe(8_000_000_000n)
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

  /** A node that knows these methods alone. */
  async function nodeOf(results: Readonly<Record<string, unknown>>): Promise<string> {
    server = createServer(async (request, response) => {
      const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { id: number; method: string }[]
      response.end(JSON.stringify(asked.map(({ id, method }) => (method in results
        ? { jsonrpc: '2.0', id, result: results[method] } : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }))))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server!.once('listening', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('is a mistake of the user', async () => {
    await expect(open({ rpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow('no answer to eth_chainId')
    await expect(open({ rpcUrl: await nodeOf({ eth_chainId: '0x1' }) })).rejects.toThrow('has id 1')
  })

  it('is a public network, even of its id: its clock is its own, and keys of a seed must hold no money', async () => {
    const rpcUrl = await nodeOf({ eth_chainId: '0x3e7', eth_getBlockByNumber: { timestamp: '0x1', gasLimit: '0x1c9c380' } })
    const refused = open({ rpcUrl })
    await expect(refused).rejects.toBeInstanceOf(InputError)
    await expect(refused).rejects.toThrow('cannot be set')
  })
})
