import type { Address, Hex } from 'viem'
import { decodeFunctionResult } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import type { WireIdentity } from '../../venue/outcome/wire/identity.ts'
import type { OutcomeIdOf } from '../../venue/outcome/wire/typedData.ts'
import type { AdmittedAccount, Bundle, BundleStatus, ChainFaultPort, ChainPosition, SettlementChain, VaultTokens } from '../settlementChain.ts'
import type { SignedTrade, VaultCall } from '../vaultCall.ts'
import { VAULT, type VaultSettings } from './abi.ts'
import { asEvm, bundled, type BundlePart, evmBundle, type EvmBundle, GAS, instructionOf, partsOf, type Step } from './bundles.ts'
import { deploy, fundGas, GAS_FUNDS, type Standing } from './deployment.ts'
import { EvmNode, type Receipt } from './evmNode.ts'
import { QuoteSigners } from './quoteSigners.ts'
import { refusalOf } from './refusal.ts'
import { Sender, type SignedTransaction } from './sender.ts'
import { EvmKeys } from './signer.ts'
import { callData, VaultCalldata } from './vaultCalldata.ts'
import { type Deployment, VaultIds } from './vaultIds.ts'
import { EvmWallets } from './wallets.ts'

const CALLS_PER_BUNDLE = 100
/** Ids of one read of the vault. */
const READ_CHUNK = 500
/**
 * The share of the patience in which nothing may land. A chain by URL makes a block of each transaction as it comes, and the last round
 * of sending takes its time too.
 */
const FRUITLESS_SHARE = 0.5

/** The holder of a position is none of the session's accounts. */
const STRANGER = -2

export interface EvmChainOptions extends Standing {
  /** Seed of the session, from which all keys follow. */
  readonly seed: string
  /** Ids of the session: what stands on the chain and is signed. */
  readonly identity: WireIdentity
  readonly outcomeIdOf: OutcomeIdOf
  readonly settings: VaultSettings
  /** Where the clock of our own chain begins, whole seconds of Unix time. */
  readonly genesisS: number
  /** Another chain of id 999; null or left out: our own is started. */
  readonly rpcUrl?: string | null
  /** How long that chain may be silent or stand still; 10 s unless told. */
  readonly patienceMs?: number | undefined
  /** How many calls one transaction takes at most, 100 unless told. */
  readonly callsPerBundle?: number
}

/**
 * The outcome service's vault on a chain with id 999. Throws InputError when there is no chain, or when we cannot use it (no gas, another
 * operator's vault).
 */
export async function openEvmChain(options: EvmChainOptions): Promise<EvmChain> {
  const { rpcUrl = null } = options
  const node = rpcUrl === null ? await EvmNode.start(options.genesisS) : await EvmNode.connect(rpcUrl, options.genesisS, options.patienceMs)
  try {
    return await EvmChain.open(node, options)
  } catch (error) {
    await node.close()
    throw error
  }
}

/** What a chain is made of. */
interface Parts {
  readonly node: EvmNode
  readonly operator: Sender
  readonly deployment: Deployment
  readonly ids: VaultIds
  readonly calldata: VaultCalldata
  readonly quoteSigners: QuoteSigners
  readonly wallets: EvmWallets
}

export class EvmChain implements SettlementChain {
  readonly name = 'evm'
  readonly callsPerBundle: number
  /** True on our own node. Nonces keep the order on other nodes too, but an earlier process may have left bundles there. */
  readonly landsInOrder: boolean
  readonly patienceMs: number
  readonly faults: ChainFaultPort | null
  readonly deployment: Deployment
  private readonly parts: Parts
  /** What a transaction offers at most. */
  private readonly gasLimit: bigint
  private isDropping = false

  private constructor(parts: Parts, callsPerBundle: number) {
    assert(Number.isSafeInteger(callsPerBundle) && callsPerBundle >= 1, 'a bundle has a call or more')
    this.parts = parts
    this.deployment = parts.deployment
    this.callsPerBundle = callsPerBundle
    this.gasLimit = parts.node.blockGas < GAS.limit ? parts.node.blockGas : GAS.limit
    this.landsInOrder = parts.node.isOurs
    this.patienceMs = FRUITLESS_SHARE * parts.node.patienceMs
    this.faults = parts.node.isOurs ? this.faultPort() : null
  }

  static async open(node: EvmNode, options: EvmChainOptions): Promise<EvmChain> {
    const keys = new EvmKeys(options.seed)
    const deployer = await Sender.open(node, keys.party('deployer'))
    const operator = await Sender.open(node, keys.party('operator'))
    await fundGas(node, operator.address, 'operator')
    if (options.vaultAddress === undefined) await fundGas(node, deployer.address, 'deployer')
    const deployment = await deploy(node, keys, deployer, options.settings, options)
    const ids = new VaultIds(options.identity)
    const calldata = new VaultCalldata(keys, ids, options.outcomeIdOf, deployment)
    const quoteSigners = new QuoteSigners(node, ids, deployment, calldata)
    const wallets = await EvmWallets.open(node, keys, deployment.usdc, deployer)
    return new EvmChain({ node, operator, deployment, ids, calldata, quoteSigners, wallets }, options.callsPerBundle ?? CALLS_PER_BUNDLE)
  }

  async admit(accounts: readonly AdmittedAccount[]): Promise<void> {
    const { quoteSigners, calldata, wallets, node, operator } = this.parts
    await quoteSigners.read(accounts.map(({ account }) => account))
    const parts: BundlePart[] = []
    for (const { account, quoteSigner } of accounts) {
      if (quoteSigners.isRegistered(account)) continue
      parts.push({ data: calldata.registration(account, quoteSigner), gas: GAS.other, calls: [] })
      quoteSigners.registered(account)
    }
    const transactions = inChunks(parts, Number((this.gasLimit - GAS.transaction) / GAS.other)).map((chunk) => this.sign(chunk))
    for (const receipt of await operator.land(transactions)) {
      if (receipt?.ok === true) continue
      quoteSigners.forget()
      const reason = receipt === null ? 'the transaction is in no block' : refusalOf(await node.revertOf(receipt)).reason
      throw new InputError(`the vault did not admit accounts: ${reason}`)
    }
    await wallets.fund(accounts)
  }

  async advance(atS: number): Promise<void> {
    this.parts.node.advance(atS)
  }

  async prepare(calls: readonly VaultCall[]): Promise<readonly EvmBundle[]> {
    const { quoteSigners, calldata } = this.parts
    await quoteSigners.read(calls.flatMap((call) => tradeOf(call)?.quote.account ?? []))
    const steps = calls.map((call): Step => {
      const trade = tradeOf(call)
      return { call, before: trade === null ? [] : quoteSigners.missing(trade.quote.account, trade.signerChanges) }
    })
    // Everything is encoded before anything is signed, because every nonce that is signed has to be sent.
    const groups = bundled(steps, this.callsPerBundle, this.gasLimit)
    const parts = groups.map((group) => partsOf(group, (call) => calldata.of(call), (settled) => calldata.settlements(settled)))
    return groups.map((group, i) => evmBundle(this.sign(parts[i]!), group.map(({ call }) => call), parts[i]!))
  }

  async broadcast(bundles: readonly Bundle[]): Promise<void> {
    const transactions = bundles.map((bundle) => asEvm(bundle).transaction)
    this.parts.operator.handOver(transactions)
    if (!this.isDropping) await this.parts.operator.send(transactions)
  }

  async statuses(bundles: readonly Bundle[]): Promise<readonly BundleStatus[]> {
    const { node, operator, quoteSigners } = this.parts
    const receipts = await node.receipts(bundles.map((bundle) => asEvm(bundle).transaction.hash))
    const landed = receipts.includes(null) ? await node.nonceOf(operator.address) : 0
    const statuses: BundleStatus[] = []
    for (const [i, bundle] of bundles.entries()) {
      const receipt = receipts[i]!
      if (receipt === null) statuses.push({ state: asEvm(bundle).transaction.nonce < landed ? 'expired' : 'absent' })
      else statuses.push(receipt.ok ? { state: 'final' } : await this.refused(asEvm(bundle), receipt))
    }
    if (statuses.some(({ state }) => state === 'refused' || state === 'expired')) quoteSigners.forget()
    return statuses
  }

  async balances(accounts: readonly number[]): Promise<readonly bigint[]> {
    const { ids } = this.parts
    return this.read('moneyOf', accounts, (account) => ids.account(account), (money: readonly bigint[]) => money)
  }

  async positions(positions: readonly number[]): Promise<readonly ChainPosition[]> {
    const { ids } = this.parts
    const holderOf = (id: Hex): number => (BigInt(id) === 0n ? -1 : ids.numberOf(id) ?? STRANGER)
    return this.read('potsOf', positions, (position) => ids.position(position), ([pots, holders]: readonly [readonly bigint[], readonly Hex[]]) =>
      pots.map((potMicros, i): ChainPosition => ({ potMicros, escrowMicros: 0n, holder: holderOf(holders[i]!) })))
  }

  async house(): Promise<bigint> {
    const { node, deployment } = this.parts
    const [money] = await node.read(deployment.vault, [callData('house', [])], BigInt)
    return money!
  }

  async tokens(): Promise<VaultTokens> {
    const { node, deployment, wallets } = this.parts
    const [owedMicros] = await node.read(deployment.vault, [callData('owed', [])], BigInt)
    return { owedMicros: owedMicros!, heldMicros: await wallets.balanceOf(deployment.vault) }
  }

  async wallets(accounts: readonly number[]): Promise<readonly bigint[]> {
    return this.parts.wallets.balances(accounts)
  }

  async close(): Promise<void> {
    await this.parts.node.close()
  }

  private sign(parts: readonly BundlePart[]): SignedTransaction {
    return this.parts.operator.sign({ to: this.deployment.vault as Address, ...instructionOf(parts) })
  }

  /** Which call of the bundle it was: the error names the part, and of several settlements the position. */
  private async refused(bundle: EvmBundle, receipt: Receipt): Promise<BundleStatus> {
    const { node, ids } = this.parts
    const { reason, done, index, position } = refusalOf(await node.revertOf(receipt))
    const told = bundle.parts.slice(index).find(({ calls }) => calls.length > 0)
    assert(told !== undefined || !node.isOurs, 'a refusal names a part of its bundle')
    const part = told ?? bundle.parts.find(({ calls }) => calls.length > 0)!
    const named = part.calls.find((at) => {
      const call = bundle.calls[at]!
      return 'position' in call && ids.position(call.position) === position
    })
    return { state: 'refused', call: named ?? part.calls[0]!, reason, done }
  }

  /** What a view of the vault answers for ids, in the order of their numbers. */
  private async read<Answer, One>(
    functionName: string, numbers: readonly number[], idOf: (number: number) => Hex, each: (answer: Answer) => readonly One[],
  ): Promise<readonly One[]> {
    const calls = inChunks(numbers, READ_CHUNK).map((chunk) => callData(functionName, [chunk.map(idOf)]))
    const answers = await this.parts.node.read(this.deployment.vault, calls, (data) => each(decodeFunctionResult({ abi: VAULT.abi, functionName, data }) as Answer))
    return answers.flat() as One[]
  }

  private faultPort(): ChainFaultPort {
    const { node, operator, quoteSigners } = this.parts
    return {
      checkpoint: async () => {
        const restore = await node.checkpoint()
        operator.checkpoint()
        return async () => {
          await restore()
          operator.restored()
          quoteSigners.forget()
        }
      },
      drop: (on) => { this.isDropping = on },
      sponsor: async (funded) => { await node.setGas(operator.address, funded ? GAS_FUNDS : 0n) },
    }
  }
}

const inChunks = <T>(all: readonly T[], size: number): readonly T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const tradeOf = (call: VaultCall): SignedTrade | null =>
  (call.kind === 'open' || call.kind === 'buyback' || call.kind === 'transfer' ? call.signed : null)
