// Settlements per second on a local EVM chain: `node tools/bundle/run.mjs bench/chain/evm.ts`.
import { createPublicClient, createWalletClient, defineChain, type Hex, http, WaitForTransactionReceiptTimeoutError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { VAULT, VaultOutcome } from '../../src/chain/evm/abi.ts'
import { startAnvil } from '../../src/chain/evm/anvil.ts'
import type { EvmChain } from '../../src/chain/evm/evmChain.ts'
import { partyKeyOf } from '../../src/chain/evm/signer.ts'
import { CHAIN_ID } from '../../src/venue/outcome/protocol/terms.ts'
import { deposit, fill, identity, land, MAKER, open, SEED, settle, START_S, TAKER } from '../../test/chain/evm/vaultSession.ts'
import { type ChainBenchRow, outcomeOf, rowOf } from './row.ts'

const ROUNDS = 5
/** Settlements of a round; singles go in JSON-RPC batches of `PER_BLOCK`, a block each. */
const SINGLES = 500
const PER_BLOCK = 250
const BATCHED = 1000
const PER_TRANSACTION = 500
const NAIVE = 40
/** A node that mines on arrival sometimes has no receipt yet. A wait for the next block would then never end. */
const RECEIPT_LIMIT_MS = 50

/** A vault with `count` open positions from number 1 on. */
async function withPositions(count: number, rpcUrl: string | null, callsPerBundle: number): Promise<EvmChain> {
  const chain = await open({ rpcUrl, callsPerBundle })
  await chain.admit([TAKER, MAKER].map((account) => ({ account, fundsMicros: 1e12, quoteSigner: account })))
  const fills = Array.from({ length: count }, (_, i) =>
    fill({ position: i + 1, stakeMicros: 1_000_000, takerFeeMicros: 2_000, payoutMicros: 2_500_000 }))
  await land(chain, [deposit(TAKER, 1e12), deposit(MAKER, 1e12), ...fills])
  return chain
}

/** Rates of the same settlements by two clocks: one that starts when all is encoded and signed, one that starts before. */
interface Timed {
  readonly signedBefore: number[]
  readonly signing: number[]
}

/** Settles positions `first`… through the adapter, in blocks of `perBlock` transactions. */
async function settled(chain: EvmChain, first: number, count: number, perBlock: number, rates: Timed): Promise<void> {
  const beginMs = performance.now()
  const bundles = await chain.prepare(Array.from({ length: count }, (_, i) => settle(first + i, outcomeOf(first + i))))
  const startMs = performance.now()
  for (let from = 0; from < bundles.length; from += perBlock) {
    const block = bundles.slice(from, from + perBlock)
    await chain.broadcast(block)
    for (const status of await chain.statuses(block)) if (status.state !== 'final') throw new Error(`a settlement is ${status.state}`)
  }
  const endMs = performance.now()
  rates.signedBefore.push(count * 1000 / (endMs - startMs))
  rates.signing.push(count * 1000 / (endMs - beginMs))
}

type Reader = ReturnType<typeof createPublicClient>

/** Settles as in viem's documentation: a call and then its receipt, over HTTP to a node that makes a block of each. */
async function settledNaively(chain: EvmChain, url: string, first: number, count: number): Promise<number> {
  const transport = http(url)
  const network = defineChain({
    id: CHAIN_ID, name: 'local', nativeCurrency: { name: 'gas', symbol: 'GAS', decimals: 18 }, rpcUrls: { default: { http: [url] } },
  })
  const wallet = createWalletClient({ account: privateKeyToAccount(partyKeyOf(SEED, 'operator')), chain: network, transport })
  const reader = createPublicClient({ chain: network, transport, pollingInterval: 1 })
  const startMs = performance.now()
  for (let position = first; position < first + count; position++) {
    const hash = await wallet.writeContract({
      address: chain.deployment.vault, abi: VAULT.abi, functionName: 'settleMany',
      args: [[identity.position(position)], [VaultOutcome[outcomeOf(position)]]],
    })
    if (await statusOf(reader, hash) !== 'success') throw new Error('a settlement reverted')
  }
  return count * 1000 / (performance.now() - startMs)
}

async function statusOf(reader: Reader, hash: Hex): Promise<string> {
  for (;;) {
    try {
      return (await reader.waitForTransactionReceipt({ hash, timeout: RECEIPT_LIMIT_MS })).status
    } catch (error) {
      if (!(error instanceof WaitForTransactionReceiptTimeoutError)) throw error
    }
  }
}

/** Measures in turns, so that other load of the machine affects all alike. */
export async function benchEvm(): Promise<readonly ChainBenchRow[]> {
  const anvil = await startAnvil({ genesisS: START_S, http: true, automine: true })
  const url = anvil.httpUrl!
  const chains: EvmChain[] = []
  const singleRates: Timed = { signedBefore: [], signing: [] }
  const batchedRates: Timed = { signedBefore: [], signing: [] }
  const naiveRates: number[] = []
  try {
    const singles = await withPositions(SINGLES * (ROUNDS + 1), null, 1)
    const batched = await withPositions(BATCHED * (ROUNDS + 1), null, PER_TRANSACTION)
    const naive = await withPositions(NAIVE * (ROUNDS + 1), url, 1)
    chains.push(singles, batched, naive)
    // The first round warms up and is left out.
    for (let round = 0; round <= ROUNDS; round++) {
      await settled(singles, 1 + round * SINGLES, SINGLES, PER_BLOCK, singleRates)
      await settled(batched, 1 + round * BATCHED, BATCHED, 1, batchedRates)
      naiveRates.push(await settledNaively(naive, url, 1 + round * NAIVE, NAIVE))
    }
  } finally {
    await Promise.all(chains.map((chain) => chain.close()))
    await anvil.close()
  }
  return [
    rowOf('evm', 'settlements, one in a transaction, signed before', singleRates.signedBefore),
    rowOf('evm', 'settlements, one in a transaction, signing included', singleRates.signing),
    rowOf('evm', `settlements, ${PER_TRANSACTION} in a transaction, signed before`, batchedRates.signedBefore),
    rowOf('evm', `settlements, ${PER_TRANSACTION} in a transaction, signing included`, batchedRates.signing),
    rowOf('evm', 'the naive viem loop: writeContract, waitForTransactionReceipt, signing included', naiveRates),
  ]
}

if (import.meta.main) console.table(await benchEvm())
