import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { hexToBigInt, hexToNumber, isAddress, keccak256, numberToHex } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { startAnvil } from './anvil.ts'
import { EvmRpc, isHex, type RpcAnswer } from './rpc.ts'

const RECEIPT = 'eth_getTransactionReceipt'
const TRANSACTION = 'eth_getTransactionByHash'
const TRACE = 'debug_traceTransaction'
const SET_CLOCK = 'evm_setNextBlockTimestamp'
/** Answers of a node to a transaction that it has already, that came too late, or that cannot be paid now. The status tells which. */
const TOLERATED = /nonce too low|already (known|imported)|insufficient funds/i
/** The share of the patience that a chain that makes blocks by itself may take until one more of our transactions is in a block. */
const PENDING_SHARE = 0.3
const PENDING_POLL_MS = 250
/** The share of the patience that a chain that makes a block of each transaction may take for one. */
const BLOCK_SHARE = 0.2
/** Offers to a chain by URL are this many times its gas price, which may rise. */
const PRICE_MARGIN = 4n
/** Far above the base fee of a chain that begins at 1 gwei and has its blocks to itself. */
const OWN_GAS_PRICE: GasPrice = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 0n }

/** Our own chain is started without a limit. */
const OWN_BLOCK_GAS = 2n ** 63n

/** What is offered for gas, in wei. */
export interface GasPrice {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What became of a transaction that is in a block. */
export interface Receipt {
  readonly hash: Hex
  readonly block: number
  /** Whether the transaction did not revert. */
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

function receiptOf({ transactionHash, blockNumber, status, contractAddress, gasUsed }: RawReceipt): Receipt {
  const created = contractAddress ?? null
  assert(created === null || isAddress(created, { strict: false }), 'a contract has an address')
  return { hash: transactionHash, block: hexToNumber(blockNumber), ok: status === '0x1', created, gasUsed: hexToNumber(gasUsed) }
}

/** A receipt that was asked for, null while there is none yet. Throws for a receipt of another transaction. */
function receiptFor(hash: Hex, raw: RawReceipt | null): Receipt | null {
  if (raw === null) return null
  const receipt = receiptOf(raw)
  assert(receipt.hash === hash, 'a receipt is that of the transaction')
  return receipt
}

/** Throws for what is no hex text. */
function hexOf(data: unknown): Hex {
  assert(isHex(data), 'data are hex digits')
  return data
}

const HEAD = 'eth_getBlockByNumber'
const headOf = ({ timestamp, gasLimit }: { timestamp: Hex; gasLimit: Hex }): { atS: number; gasLimit: bigint } => ({ atS: hexToNumber(timestamp), gasLimit: hexToBigInt(gasLimit) })

/**
 * A chain with id 999: our own, which makes a block when told to, or another by URL, which makes blocks by itself. Both take their time
 * from us, because the vault compares the terms of a session with its clock. A public network is therefore impossible, and keys with a
 * guessable seed do not belong there anyway.
 */
export class EvmNode {
  readonly rpc: EvmRpc
  /** Started by us: its blocks, clock and gas are ours. */
  readonly isOurs: boolean
  /** How long a chain by URL may be silent or stand still. */
  readonly patienceMs: number
  readonly gasPrice: GasPrice
  /** Gas that a block takes. */
  readonly blockGas: bigint
  private readonly end: () => Promise<void>
  private nowS: number
  /** The receipts of the last block that was made here. */
  private latest = new Map<Hex, Receipt>()

  private constructor(rpc: EvmRpc, end: (() => Promise<void>) | null, nowS: number, gasPrice: GasPrice, blockGas: bigint) {
    this.rpc = rpc
    this.isOurs = end !== null
    this.patienceMs = rpc.patienceMs
    this.end = end ?? (async () => {})
    this.nowS = nowS
    this.gasPrice = gasPrice
    this.blockGas = blockGas
  }

  /** Starts a chain whose clock stands at `genesisS`, whole seconds of Unix time. Throws InputError where there is none to start. */
  static async start(genesisS: number): Promise<EvmNode> {
    const anvil = await startAnvil({ genesisS })
    return new EvmNode(new EvmRpc(anvil.ipcPath, anvil.ended), anvil.close, genesisS, OWN_GAS_PRICE, OWN_BLOCK_GAS)
  }

  /**
   * Throws InputError when nothing answers at the URL, or a chain with another id, or one whose clock cannot be set to `genesisS`, whole
   * seconds of Unix time.
   */
  static async connect(url: string, genesisS: number, patienceMs?: number): Promise<EvmNode> {
    const rpc = new EvmRpc(url, undefined, patienceMs)
    const chainId = rpc.read(await rpc.hex('eth_chainId'), 'eth_chainId', hexToNumber)
    if (chainId !== CHAIN_ID) {
      throw new InputError(`the chain at ${rpc.place} has id ${chainId}`, { hint: `the outcome service settles on chain ${CHAIN_ID}` })
    }
    const { atS, gasLimit } = rpc.read(await rpc.call(HEAD, ['latest', false]), HEAD, headOf)
    const [clock] = await rpc.batch([{ method: SET_CLOCK, params: [genesisS] }])
    if ('refusal' in clock!) throw clockRefused(rpc.place, genesisS, atS, clock.refusal.message)
    const maxFeePerGas = PRICE_MARGIN * rpc.read(await rpc.hex('eth_gasPrice'), 'eth_gasPrice', (wei: Hex) => hexToBigInt(wei))
    const [tip] = await rpc.batch([{ method: 'eth_maxPriorityFeePerGas' }])
    const wanted = 'result' in tip! ? rpc.read(tip.result, 'eth_maxPriorityFeePerGas', (wei: Hex) => hexToBigInt(wei)) : 0n
    const gasPrice = { maxFeePerGas, maxPriorityFeePerGas: wanted < maxFeePerGas ? wanted : maxFeePerGas }
    return new EvmNode(rpc, null, genesisS, gasPrice, gasLimit)
  }

  /** Sets the clock to whole seconds, never back. */
  advance(atS: number): void {
    assert(Number.isSafeInteger(atS) && atS >= this.nowS, `the clock of a chain goes from ${this.nowS} not to ${atS}`)
    this.nowS = atS
  }

  /**
   * Hands transactions over in order. On our own chain they are then in a block. Throws Error when the node refuses one for good,
   * InputError when the clock of a chain by URL has gone on by itself.
   */
  async send(transactions: readonly Hex[]): Promise<void> {
    if (transactions.length === 0) return
    if (this.isOurs) {
      await this.take(transactions)
      await this.mine()
      return
    }
    // The time that is set is that of the next block alone: set before the block of the transaction before is made, it would be that block's.
    let isTaken = true
    for (const raw of transactions) {
      await this.setClock()
      await this.take([raw])
      // Behind one that is in no block those with later nonces are in none either.
      isTaken &&= await this.isInBlock(keccak256(raw))
    }
  }

  /** Receipts in order, null for a transaction in no block. A chain that makes blocks by itself gets time for that. */
  async receipts(hashes: readonly Hex[]): Promise<readonly (Receipt | null)[]> {
    const found = new Map<Hex, Receipt>()
    for (let waitedMs = 0; ; waitedMs += PENDING_POLL_MS) {
      const missing = hashes.filter((hash) => !this.latest.has(hash) && !found.has(hash))
      const raws = await this.results(RECEIPT, missing)
      const receipts = raws.map((raw, i) => this.rpc.read(raw, RECEIPT, (told: RawReceipt | null) => receiptFor(missing[i]!, told))).filter((receipt) => receipt !== null)
      for (const receipt of receipts) found.set(receipt.hash, receipt)
      if (receipts.length > 0) waitedMs = 0
      const absent = missing.filter((hash) => !found.has(hash))
      if (this.isOurs || absent.length === 0 || waitedMs >= PENDING_SHARE * this.patienceMs) break
      const known = await this.results(TRANSACTION, absent)
      if (known.every((transaction) => transaction === null)) break
      await sleep(PENDING_POLL_MS)
    }
    return hashes.map((hash) => this.latest.get(hash) ?? found.get(hash) ?? null)
  }

  /** How many transactions of the address are in blocks. */
  async nonceOf(address: Address): Promise<number> {
    const count = await this.rpc.hex('eth_getTransactionCount', [address, 'latest'])
    return this.rpc.read(count, 'eth_getTransactionCount', hexToNumber)
  }

  async gasOf(address: Address): Promise<bigint> {
    return this.rpc.read(await this.rpc.hex('eth_getBalance', [address, 'latest']), 'eth_getBalance', (wei: Hex) => hexToBigInt(wei))
  }

  /** Gives an address gas, in wei. False where the chain does not allow it. */
  async setGas(address: Address, wei: bigint): Promise<boolean> {
    const [answer] = await this.rpc.batch([{ method: 'anvil_setBalance', params: [address, numberToHex(wei)] }])
    return 'result' in answer!
  }

  /** What `valueOf` makes of the answers to calls that change nothing, on the state as it is now. Throws Error when one reverts, InputError when one cannot be read. */
  async read<Value>(to: Address, calls: readonly Hex[], valueOf: (data: Hex) => Value): Promise<readonly Value[]> {
    const answers = await this.rpc.batch(calls.map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })))
    return answers.map((answer) => this.rpc.read(this.resultOf(answer, `eth_call of ${to}`), `eth_call of ${to}`, (data) => valueOf(hexOf(data))))
  }

  /** The data with which a transaction reverted, from its trace or, where the node has none, from a call on the state after its block. */
  async revertOf(receipt: Receipt): Promise<Hex> {
    const [trace] = await this.rpc.batch([{
      method: TRACE, params: [receipt.hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }],
    }])
    if ('result' in trace!) return this.rpc.read(trace.result, TRACE, ({ output }: { output?: Hex }) => hexOf(output ?? '0x'))
    const { from, to, input, gas } = this.rpc.read(await this.rpc.call(TRANSACTION, [receipt.hash]), TRANSACTION, (told: Record<string, Hex>) => ({ ...told, gas: hexOf(told['gas']) })) as Record<string, Hex>
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

  private async take(transactions: readonly Hex[]): Promise<void> {
    const answers = await this.rpc.batch(transactions.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
    for (const answer of answers) {
      if (!('refusal' in answer) || TOLERATED.test(answer.refusal.message)) continue
      throw this.rpc.refused('a transaction', answer.refusal)
    }
  }

  /** Waits for the block of a transaction, which a chain makes as it comes. */
  private async isInBlock(hash: Hex): Promise<boolean> {
    for (let pauseMs = 1, waitedMs = 0; waitedMs < BLOCK_SHARE * this.patienceMs; waitedMs += pauseMs, pauseMs = Math.min(2 * pauseMs, PENDING_POLL_MS)) {
      const [receipt] = await this.results(RECEIPT, [hash])
      if (receipt !== null) return true
      await sleep(pauseMs)
    }
    return false
  }

  private async setClock(): Promise<void> {
    const [clock] = await this.rpc.batch([{ method: SET_CLOCK, params: [this.nowS] }])
    if ('refusal' in clock!) throw await this.clockRan(clock.refusal.message)
  }

  private async clockRan(words: string): Promise<InputError> {
    const { atS } = this.rpc.read(await this.rpc.call(HEAD, ['latest', false]), HEAD, headOf)
    return clockRefused(this.rpc.place, this.nowS, atS, words)
  }

  /** Makes a block with the time of the session. Without it the block would have the machine's time. */
  private async mine(): Promise<void> {
    await this.rpc.call('evm_mine', [{ timestamp: this.nowS }])
    const raws = await this.rpc.call('eth_getBlockReceipts', ['latest']) as readonly RawReceipt[]
    this.latest = new Map(raws.map((raw) => [raw.transactionHash, receiptOf(raw)]))
  }

  private async results(method: string, hashes: readonly Hex[]): Promise<readonly unknown[]> {
    const answers = await this.rpc.batch(hashes.map((hash) => ({ method, params: [hash] })))
    return answers.map((answer) => this.resultOf(answer, method))
  }

  private resultOf(answer: RpcAnswer, what: string): unknown {
    if ('refusal' in answer) throw this.rpc.refused(what, answer.refusal)
    return answer.result
  }
}

/** Why the chain at a URL cannot have the time of the session, and what to do. */
function clockRefused(url: string, wantedS: number, standsAtS: number, words: string): InputError {
  const hint = `start one for the session: anvil --chain-id ${CHAIN_ID} --timestamp ${wantedS}`
  if (standsAtS > wantedS) return new InputError(`the clock of the chain at ${url} stands at ${standsAtS}, and the session is at ${wantedS}`, { hint })
  return new InputError(`the clock of the chain at ${url} cannot be set: ${words}`, {
    hint: `${hint}; a session cannot use a public network, where its terms would have expired and anybody could guess its keys from its seed`,
  })
}
