import type { Hex } from 'viem'
import { decodeFunctionResult } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import type { SignerChange } from '../vaultCall.ts'
import { VAULT } from './abi.ts'
import type { EvmNode } from './evmNode.ts'
import { callData, type VaultCalldata } from './vaultCalldata.ts'
import type { Deployment, VaultIds } from './vaultIds.ts'

/**
 * How often each account's quote signer will have changed on the chain when everything that was prepared has landed. Changes are part of
 * transactions of the vault. Whenever a transaction may not have landed, they are counted again.
 */
export class QuoteSigners {
  private readonly node: EvmNode
  private readonly ids: VaultIds
  private readonly vault: Hex
  private readonly calldata: VaultCalldata
  private readonly changes = new Map<number, number>()

  constructor(node: EvmNode, ids: VaultIds, deployment: Deployment, calldata: VaultCalldata) {
    this.node = node
    this.ids = ids
    this.vault = deployment.vault
    this.calldata = calldata
  }

  /** Some of what was prepared has not landed, or not yet. */
  forget(): void {
    this.changes.clear()
  }

  /** Reads the counts of accounts that are not known yet. Accounts that are not registered have none. */
  async read(accounts: readonly number[]): Promise<void> {
    const unknown = [...new Set(accounts)].filter((account) => !this.changes.has(account))
    const calls = unknown.map((account) => callData('signersOf', [this.ids.account(account)]))
    const counts = await this.node.read(this.vault, calls, (data) => (decodeFunctionResult({ abi: VAULT.abi, functionName: 'signersOf', data }) as readonly unknown[]).length)
    unknown.forEach((account, i) => {
      if (counts[i]! > 0) this.changes.set(account, counts[i]! - 1)
    })
  }

  isRegistered(account: number): boolean {
    return this.changes.has(account)
  }

  registered(account: number): void {
    this.changes.set(account, 0)
  }

  /** Calls that tell the vault of these changes, which must be all changes up to some second. Precondition: `read`. */
  missing(account: number, changes: readonly SignerChange[]): readonly Hex[] {
    const known = this.changes.get(account)
    assert(known !== undefined, `account ${account} trades and was never admitted to the chain`)
    if (changes.length <= known) return []
    this.changes.set(account, changes.length)
    return changes.slice(known).map(({ signer, sinceS }, i) => this.calldata.quoteSignerChange(account, signer, sinceS, known + i))
  }
}
