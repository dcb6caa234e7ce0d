import type { Hex } from 'viem'
import { hexToBytes } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import type { Bundle } from '../settlementChain.ts'
import type { SettleCall, VaultCall } from '../vaultCall.ts'
import type { SignedTransaction } from './sender.ts'
import { callData } from './vaultCalldata.ts'

/**
 * Gas that a call may take, above what it takes (test/chain/evm/gas.test.ts), and what a transaction offers at most: less than a block
 * of 30 million.
 */
export const GAS = { transaction: 40_000n, fill: 450_000n, other: 200_000n, settle: 45_000n, limit: 25_000_000n } as const

/** A part of a transaction: one call of the vault's, for several calls of the session's when they are settlements. */
export interface BundlePart {
  readonly data: Hex
  readonly gas: bigint
  /** Places of its calls in the bundle; none when it only prepares the next part. */
  readonly calls: readonly number[]
}

/** A transaction to the vault. */
export interface EvmBundle extends Bundle {
  readonly transaction: SignedTransaction
  readonly parts: readonly BundlePart[]
}

export function evmBundle(transaction: SignedTransaction, calls: readonly VaultCall[], parts: readonly BundlePart[]): EvmBundle {
  return { id: transaction.hash, calls, bytes: hexToBytes(transaction.raw), transaction, parts }
}

export function asEvm(bundle: Bundle): EvmBundle {
  assert('transaction' in bundle, 'a bundle goes to the chain that made it')
  return bundle as EvmBundle
}

/** Data and gas of a transaction of these parts. */
export function instructionOf(parts: readonly BundlePart[]): { readonly data: Hex; readonly gas: bigint } {
  const data = parts.length === 1 ? parts[0]!.data : callData('batch', [parts.map((part) => part.data)])
  return { data, gas: parts.reduce((gas, part) => gas + part.gas, GAS.transaction as bigint) }
}

export const gasOf = (call: VaultCall): bigint => (call.kind === 'open' ? GAS.fill : call.kind === 'settle' ? GAS.settle : GAS.other)

/** A part for each call, save that settlements which follow each other make one. */
export function partsOf(
  calls: readonly VaultCall[], before: (call: VaultCall) => readonly Hex[],
  dataOf: (call: Exclude<VaultCall, SettleCall>) => Hex, settlements: (calls: readonly SettleCall[]) => Hex,
): BundlePart[] {
  const parts: BundlePart[] = []
  for (let at = 0; at < calls.length;) {
    const run: SettleCall[] = []
    for (let call = calls[at]; call?.kind === 'settle'; call = calls[at + run.length]) run.push(call)
    if (run.length > 0) {
      parts.push({ data: settlements(run), gas: GAS.settle * BigInt(run.length), calls: run.map((_, i) => at + i) })
      at += run.length
      continue
    }
    const call = calls[at] as Exclude<VaultCall, SettleCall>
    parts.push(...before(call).map((data) => ({ data, gas: GAS.other, calls: [] })))
    parts.push({ data: dataOf(call), gas: gasOf(call), calls: [at] })
    at++
  }
  return parts
}

/** Calls in their order, so many that a transaction takes them at once. */
export function bundled(calls: readonly VaultCall[], callsPerBundle: number): VaultCall[][] {
  const bundles: VaultCall[][] = []
  let gas: bigint = GAS.limit
  for (const call of calls) {
    gas += gasOf(call)
    const last = bundles.at(-1)
    if (last !== undefined && last.length < callsPerBundle && gas <= GAS.limit) last.push(call)
    else {
      bundles.push([call])
      gas = gasOf(call)
    }
  }
  return bundles
}
