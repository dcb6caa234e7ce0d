import type { Hex } from 'viem'
import { hexToBytes } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import type { Bundle } from '../settlementChain.ts'
import type { SettleCall, VaultCall } from '../vaultCall.ts'
import type { SignedTransaction } from './sender.ts'
import { callData } from './vaultCalldata.ts'

/**
 * Gas offered for a call, which is above what the call takes (test/chain/evm/gas.test.ts), and the most that a transaction offers: less
 * than a block of 30 million.
 */
export const GAS = { transaction: 40_000n, fill: 450_000n, other: 200_000n, settle: 45_000n, limit: 25_000_000n } as const

/** A part of a transaction: one call of the vault. It stands for several calls of the session when they are settlements. */
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

const gasOf = (call: VaultCall): bigint => (call.kind === 'open' ? GAS.fill : call.kind === 'settle' ? GAS.settle : GAS.other)

/** A call, and the calls that have to come before it. */
export interface Step {
  readonly call: VaultCall
  readonly before: readonly Hex[]
}

/** A part for each call and for each call before it. Settlements that follow each other make one part. */
export function partsOf(
  steps: readonly Step[], dataOf: (call: Exclude<VaultCall, SettleCall>) => Hex, settlements: (calls: readonly SettleCall[]) => Hex,
): BundlePart[] {
  const parts: BundlePart[] = []
  for (let at = 0; at < steps.length;) {
    const run: SettleCall[] = []
    for (let call = steps[at]?.call; call?.kind === 'settle'; call = steps[at + run.length]?.call) run.push(call)
    if (run.length > 0) {
      parts.push({ data: settlements(run), gas: GAS.settle * BigInt(run.length), calls: run.map((_, i) => at + i) })
      at += run.length
      continue
    }
    const { call, before } = steps[at]!
    parts.push(...before.map((data) => ({ data, gas: GAS.other, calls: [] })))
    parts.push({ data: dataOf(call as Exclude<VaultCall, SettleCall>), gas: gasOf(call), calls: [at] })
    at++
  }
  return parts
}

/** Groups steps, in order, into transactions. A transaction offers at most `gasLimit`, unless one step alone needs more. */
export function bundled(steps: readonly Step[], callsPerBundle: number, gasLimit: bigint): Step[][] {
  const bundles: Step[][] = []
  let gas = 0n
  for (const step of steps) {
    const own = gasOf(step.call) + GAS.other * BigInt(step.before.length)
    gas += own
    const last = bundles.at(-1)
    if (last !== undefined && last.length < callsPerBundle && gas <= gasLimit) last.push(step)
    else {
      bundles.push([step])
      gas = GAS.transaction + own
    }
  }
  return bundles
}
