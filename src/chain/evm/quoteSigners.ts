import type { Hex } from 'viem'
import { decodeFunctionResult } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { VAULT } from './abi.ts'
import type { EvmNode } from './evmNode.ts'
import type { EvmKeys } from './signer.ts'
import { callData, type VaultCalldata } from './vaultCalldata.ts'
import type { Deployment, VaultIds } from './vaultIds.ts'

/** `Account` of the contract, as far as it is read: owner, balance, how often the quote signer has changed, quote signer. */
type AccountFields = readonly [Hex, bigint, number, Hex]

interface SignerState {
  readonly address: Hex
  changes: number
}

/**
 * Who signs each account's quotes on the chain, once everything that was prepared has landed. A change is part of a transaction of the
 * vault; whenever one may not have landed the states are read again.
 */
export class QuoteSigners {
  private readonly node: EvmNode
  private readonly keys: EvmKeys
  private readonly ids: VaultIds
  private readonly vault: Hex
  private readonly calldata: VaultCalldata
  private readonly states = new Map<number, SignerState>()

  constructor(node: EvmNode, keys: EvmKeys, ids: VaultIds, deployment: Deployment, calldata: VaultCalldata) {
    this.node = node
    this.keys = keys
    this.ids = ids
    this.vault = deployment.vault
    this.calldata = calldata
  }

  /** Some of what was prepared has not landed, or not yet. */
  forget(): void {
    this.states.clear()
  }

  /** Reads the states of accounts that are not known; of accounts that are not registered there are none. */
  async read(accounts: readonly number[]): Promise<void> {
    const unknown = [...new Set(accounts)].filter((account) => !this.states.has(account))
    const results = await this.node.read(this.vault, unknown.map((account) => callData('accounts', [this.ids.account(account)])))
    unknown.forEach((account, i) => {
      const [owner, , changes, address] = decodeFunctionResult({ abi: VAULT.abi, functionName: 'accounts', data: results[i]! }) as AccountFields
      if (BigInt(owner) !== 0n) this.states.set(account, { address: address.toLowerCase() as Hex, changes })
    })
  }

  isRegistered(account: number): boolean {
    return this.states.has(account)
  }

  registered(account: number, quoteSigner: number): void {
    this.states.set(account, { address: this.keys.signer(quoteSigner).address, changes: 0 })
  }

  /** What the vault has to be told so that `quoteSigner` signs the account's quotes: nothing, or one call. `read` comes before. */
  changeTo(account: number, quoteSigner: number): readonly Hex[] {
    const state = this.states.get(account)
    assert(state !== undefined, `account ${account} trades and was never admitted to the chain`)
    const { address } = this.keys.signer(quoteSigner)
    if (state.address === address) return []
    this.states.set(account, { address, changes: state.changes + 1 })
    return [this.calldata.quoteSignerChange(account, quoteSigner, state.changes)]
  }
}
