import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { hexToBigInt, hexToNumber, numberToHex } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { startAnvil } from './anvil.ts'
import { EvmRpc, type RpcAnswer } from './rpc.ts'

/** What a node says to a transaction that it has, that came too late, or that cannot be paid now: its status tells which. */
const TOLERATED = /nonce too low|already (known|imported)|insufficient funds/i
/** How long a chain that makes blocks by itself may take to put a transaction into one. */
const PENDING_LIMIT_MS = 60_000
const PENDING_POLL_MS = 250
/** Of a chain by URL offers are this many times its gas price, which may rise. */
const PRICE_MARGIN = 4n
/** Far above the base fee of a chain that begins at 1 gwei and has its blocks to itself. */
const OWN_GAS_PRICE: GasPrice = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 0n }

/** What is offered for gas, in wei. */
export interface GasPrice {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What became of a transaction that is in a block. */
export interface Receipt {
  readonly hash: Hex
  readonly block: number
  /** It did not revert. */
  readonly ok: boolean
  readonly created: Address | null
  readonly gasUsed: number
}

interface RawReceipt {
  readonly transactionHash: Hex
  readonly blockNumber: Hex
  readonly status: Hex
  readonly contractAddress: Address | null
  readonly gasUsed: Hex
}

const receiptOf = (raw: RawReceipt): Receipt => ({
  hash: raw.transactionHash, block: hexToNumber(raw.blockNumber), ok: raw.status === '0x1', created: raw.contractAddress,
  gasUsed: hexToNumber(raw.gasUsed),
})

/** A chain of id 999: our own, which makes a block when told to and takes its time from us, or another by URL, which does neither. */
export class EvmNode {
  readonly rpc: EvmRpc
  /** Started by us: its blocks, clock and gas are ours. */
  readonly isOurs: boolean
  readonly gasPrice: GasPrice
  private readonly end: () => Promise<void>
  private nowS: number
  /** Of the last block that was made here. */
  private latest = new Map<Hex, Receipt>()

  private constructor(rpc: EvmRpc, end: (() => Promise<void>) | null, nowS: number, gasPrice: GasPrice) {
    this.rpc = rpc
    this.isOurs = end !== null
    this.end = end ?? (async () => {})
    this.nowS = nowS
    this.gasPrice = gasPrice
  }

  /** Starts a chain whose clock stands at `genesisS`, whole seconds of Unix time. Throws InputError where there is none to start. */
  static async start(genesisS: number): Promise<EvmNode> {
    const anvil = await startAnvil({ genesisS })
    return new EvmNode(new EvmRpc(anvil.ipcPath), anvil.close, genesisS, OWN_GAS_PRICE)
  }

  /** Throws InputError when nothing answers at the URL, or a chain with another id. */
  static async connect(url: string): Promise<EvmNode> {
    const rpc = new EvmRpc(url)
    const chainId = hexToNumber(await rpc.hex('eth_chainId'))
    if (chainId !== CHAIN_ID) {
      throw new InputError(`the chain at ${url} has id ${chainId}`, { hint: `the outcome service settles on chain ${CHAIN_ID}` })
    }
    const maxFeePerGas = PRICE_MARGIN * hexToBigInt(await rpc.hex('eth_gasPrice'))
    const [tip] = await rpc.batch([{ method: 'eth_maxPriorityFeePerGas' }])
    const wanted = 'result' in tip! ? hexToBigInt(tip.result as Hex) : 0n
    return new EvmNode(rpc, null, 0, { maxFeePerGas, maxPriorityFeePerGas: wanted < maxFeePerGas ? wanted : maxFeePerGas })
  }

  /** Whole seconds, never back. Another chain that lets itself be told the time is told, others keep their own. */
  async advance(atS: number): Promise<void> {
    if (!this.isOurs) {
      await this.rpc.batch([{ method: 'evm_setNextBlockTimestamp', params: [atS] }])
      return
    }
    assert(Number.isSafeInteger(atS) && atS >= this.nowS, `the clock of a chain goes from ${this.nowS} not to ${atS}`)
    this.nowS = atS
  }

  /** Hands transactions over in order; on our own chain they are in a block then. Throws Error when the node refuses one for good. */
  async send(transactions: readonly Hex[]): Promise<void> {
    if (transactions.length === 0) return
    const answers = await this.rpc.batch(transactions.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
    for (const answer of answers) {
      if (!('refusal' in answer) || TOLERATED.test(answer.refusal.message)) continue
      throw new Error(`the chain does not take a transaction: ${answer.refusal.message}`)
    }
    if (this.isOurs) await this.mine()
  }

  /** Receipts in order; null of what is in no block, for which a chain that makes blocks by itself gets time. */
  async receipts(hashes: readonly Hex[]): Promise<readonly (Receipt | null)[]> {
    const found = new Map<Hex, Receipt>()
    for (let waitedMs = 0; ; waitedMs += PENDING_POLL_MS) {
      const missing = hashes.filter((hash) => !this.latest.has(hash) && !found.has(hash))
      const raws = await this.results('eth_getTransactionReceipt', missing)
      for (const raw of raws) if (raw !== null) found.set((raw as RawReceipt).transactionHash, receiptOf(raw as RawReceipt))
      const absent = missing.filter((hash) => !found.has(hash))
      if (this.isOurs || absent.length === 0 || waitedMs >= PENDING_LIMIT_MS) break
      const known = await this.results('eth_getTransactionByHash', absent)
      if (known.every((transaction) => transaction === null)) break
      await sleep(PENDING_POLL_MS)
    }
    return hashes.map((hash) => this.latest.get(hash) ?? found.get(hash) ?? null)
  }

  /** How many transactions of the address are in blocks. */
  async nonceOf(address: Address): Promise<number> {
    return hexToNumber(await this.rpc.hex('eth_getTransactionCount', [address, 'latest']))
  }

  async gasOf(address: Address): Promise<bigint> {
    return hexToBigInt(await this.rpc.hex('eth_getBalance', [address, 'latest']))
  }

  /** Gives an address gas, in wei, where the chain lets itself be told; false where it does not. */
  async setGas(address: Address, wei: bigint): Promise<boolean> {
    const [answer] = await this.rpc.batch([{ method: 'anvil_setBalance', params: [address, numberToHex(wei)] }])
    return 'result' in answer!
  }

  /** Answers to calls that change nothing, on the state as it is now. Throws Error when one reverts. */
  async read(to: Address, calls: readonly Hex[]): Promise<readonly Hex[]> {
    const answers = await this.rpc.batch(calls.map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })))
    return answers.map((answer) => resultOf(answer, `eth_call of ${to}`) as Hex)
  }

  /** What a transaction reverted with; by its trace, or where the node has none by calling it again on the state after its block. */
  async revertOf(receipt: Receipt): Promise<Hex> {
    const [trace] = await this.rpc.batch([{
      method: 'debug_traceTransaction', params: [receipt.hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }],
    }])
    if ('result' in trace!) return (trace.result as { output?: Hex }).output ?? '0x'
    const { from, to, input, gas } = await this.rpc.call('eth_getTransactionByHash', [receipt.hash]) as Record<string, Hex>
    const [again] = await this.rpc.batch([{ method: 'eth_call', params: [{ from, to, data: input, gas }, numberToHex(receipt.block)] }])
    return 'refusal' in again! ? again.refusal.data ?? '0x' : '0x'
  }

  /** Remembers the state of our chain; the result brings it and its clock back, once. */
  async checkpoint(): Promise<() => Promise<void>> {
    const snapshot = await this.rpc.call('evm_snapshot')
    const { nowS } = this
    return async () => {
      const isBack = await this.rpc.call('evm_revert', [snapshot])
      assert(isBack === true, 'a checkpoint is gone back to once')
      this.nowS = nowS
      this.latest.clear()
    }
  }

  async close(): Promise<void> {
    await this.rpc.close()
    await this.end()
  }

  /** The next block would have the time of the machine, had it not been told one. */
  private async mine(): Promise<void> {
    await this.rpc.call('evm_setNextBlockTimestamp', [this.nowS])
    await this.rpc.call('evm_mine')
    const raws = await this.rpc.call('eth_getBlockReceipts', ['latest']) as readonly RawReceipt[]
    this.latest = new Map(raws.map((raw) => [raw.transactionHash, receiptOf(raw)]))
  }

  private async results(method: string, hashes: readonly Hex[]): Promise<readonly unknown[]> {
    const answers = await this.rpc.batch(hashes.map((hash) => ({ method, params: [hash] })))
    return answers.map((answer) => resultOf(answer, method))
  }
}

function resultOf(answer: RpcAnswer, what: string): unknown {
  if ('refusal' in answer) throw new Error(`${what}: ${answer.refusal.message}`)
  return answer.result
}
