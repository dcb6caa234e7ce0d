import type { Address, Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import type { EvmNode, Receipt } from './evmNode.ts'
import type { EvmSigner } from './signer.ts'

/** What a chain by URL has lost is sent so often at least. */
const ROUNDS_MIN = 2
/** The share of the patience in which nothing may land. The last round takes its time too. */
const FRUITLESS_SHARE = 0.8

/** What a transaction says, besides who sends it. */
export interface Instruction {
  /** The contract that is called, or null to deploy the data. */
  readonly to: Address | null
  readonly data: Hex
  readonly gas: bigint
}

export interface SignedTransaction {
  readonly hash: Hex
  readonly raw: Hex
  readonly nonce: number
}

/**
 * Sends the transactions of one address. They land only in the order of their nonces, so that a missing one holds up all later ones.
 * Transactions that a reorganisation has undone, and that nobody else sends again because their calls are done already, go out with the
 * next transactions.
 */
export class Sender {
  readonly address: Address
  private readonly node: EvmNode
  private readonly signer: EvmSigner
  private nextNonce: number
  /** The first nonce that was signed for and not handed over. */
  private nextToHandOver: number
  /** Transactions sent after a checkpoint, by nonce, until they are sure to stay on the chain. */
  private readonly sent = new Map<number, Hex>()
  private keeps = false

  private constructor(node: EvmNode, signer: EvmSigner, nextNonce: number) {
    this.node = node
    this.signer = signer
    this.address = signer.address
    this.nextNonce = nextNonce
    this.nextToHandOver = nextNonce
  }

  static async open(node: EvmNode, signer: EvmSigner): Promise<Sender> {
    return new Sender(node, signer, await node.nonceOf(signer.address))
  }

  sign({ to, data, gas }: Instruction): SignedTransaction {
    const nonce = this.nextNonce++
    const raw = this.signer.signTransaction({ type: 'eip1559', chainId: CHAIN_ID, nonce, to, data, gas, ...this.node.gasPrice })
    return { hash: keccak256(raw), raw, nonce }
  }

  /** Transactions are about to be sent, or lost on purpose. An earlier one that was signed and never sent would hold them up for ever. */
  handOver(transactions: readonly SignedTransaction[]): void {
    for (const { nonce, hash } of transactions) {
      assert(nonce <= this.nextToHandOver, `transaction ${hash} has nonce ${nonce}, and nobody has sent the one of nonce ${this.nextToHandOver}`)
      if (nonce === this.nextToHandOver) this.nextToHandOver++
    }
  }

  /** Sends transactions in the order of their nonces. */
  async send(transactions: readonly SignedTransaction[]): Promise<void> {
    this.handOver(transactions)
    await this.node.send([...await this.undone(transactions), ...transactions.map(({ raw }) => raw)])
    if (this.keeps) for (const { nonce, raw } of transactions) this.sent.set(nonce, raw)
  }

  /**
   * Receipts of transactions that have to land, in order. What a chain by URL has lost is sent again. Null for a transaction that stays
   * in no block while the patience lasts.
   */
  async land(transactions: readonly SignedTransaction[]): Promise<readonly (Receipt | null)[]> {
    const { node } = this
    const hashes = transactions.map(({ hash }) => hash)
    let [missing, landedMs] = [transactions.length, performance.now()]
    await this.send(transactions)
    for (let round = 1; ; round++) {
      const receipts = await node.receipts(hashes)
      const absent = transactions.filter((_, i) => receipts[i] === null)
      if (absent.length === 0 || node.isOurs) return receipts
      if (absent.length < missing) [missing, landedMs] = [absent.length, performance.now()]
      else if (round >= ROUNDS_MIN && performance.now() - landedMs >= FRUITLESS_SHARE * node.patienceMs) return receipts
      await node.send(absent.map(({ raw }) => raw))
    }
  }

  /** From now on transactions are kept, because the chain may go back to this state. */
  checkpoint(): void {
    this.sent.clear()
    this.keeps = true
  }

  /** The chain has gone back. */
  restored(): void {
    this.keeps = false
  }

  /** Earlier transactions that were sent and are now missing. */
  private async undone(transactions: readonly SignedTransaction[]): Promise<readonly Hex[]> {
    if (this.keeps || this.sent.size === 0 || transactions.length === 0) return []
    const landed = await this.node.nonceOf(this.address)
    const missing: Hex[] = []
    for (const [nonce, raw] of this.sent) {
      if (nonce < landed) this.sent.delete(nonce)
      else if (nonce < transactions[0]!.nonce) missing.push(raw)
    }
    return missing
  }
}
