import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling } from './options.ts'

export interface ReconcileOptions extends Pick<ActionOptions, 'signal'> {
  /** The chains to settle on. The default is one for each service of the run: `svm` for the parlay service, `evm` for the outcome service. */
  readonly chains?: readonly ('svm' | 'evm')[]
  /** URLs of chains that run already, by chain. */
  readonly rpc?: { readonly svm?: string; readonly evm?: string }
  /** What is started as the chain of the parlay service, in place of Solana's VM inside the process. */
  readonly start?: 'solana-test-validator'
  /** Is told how far settling is: calls that are on their chains, and the share of the journal, 0…1. */
  readonly onProgress?: (progress: { readonly landed: number; readonly share: number }) => void
}

/** What the chains of a run held. */
export interface ReconciledRun {
  /** One for each chain. */
  readonly chains: readonly object[]
  /** The same for people. */
  readonly lines: readonly string[]
  /** Whether the journal gave the rows that the run had; by other code of parlor it may not. */
  readonly isSameRun: boolean
  /** That of the rows that the journal gave. */
  readonly digest: string
}

/**
 * Settles a finished run on chains from its journal, and compares every account with the ledger, to the micro-unit.
 *
 * @param folder the folder of a run
 * @returns what the chains held
 * @throws InputError for a folder or chains that cannot be
 * @throws RunFailure of the kind `settlement` at the first difference
 * @throws Interrupted by the signal
 * @example
 * const { lines } = await reconcile('runs/quickstart', { chains: ['svm'] })
 * console.log(lines.join('\n'))
 */
export const reconcile = (folder: string, { chains, rpc = {}, start, signal, onProgress }: ReconcileOptions = {}): Promise<ReconciledRun> => acting(async () => {
  throwIfAborted(signal)
  const { reconcileRun } = await import('../scenario/reconcile.ts')
  const { settlement, ...found } = await reconcileRun(folder, {
    chains: chains ?? null, rpc, start: start ?? null, ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress: calling(onProgress) }),
  })
  return { chains: settlement.chains, ...found }
})
