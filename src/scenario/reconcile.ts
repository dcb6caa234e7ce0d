import { existsSync } from 'node:fs'
import { Digest } from '../record/digest.ts'
import { fileSha256, manifestPath, readManifest } from '../record/manifest.ts'
import type { Sink } from '../record/sink.ts'
import { placeOf } from '../result/place.ts'
import { InputError } from '../unit/inputError.ts'
import { openMirrors, type Settlement, type SettlingProgress } from './chain.ts'
import { CHAIN_NAMES, type ChainName, NO_CHAIN, SERVICE_OF_CHAIN, type StartedValidator } from './chainSchema.ts'
import { resolvedOf, untilOf } from './finishedRun.ts'
import { freshServices } from './freshServices.ts'
import { unlessInterrupted } from './play.ts'
import { Interrupted } from '../unit/interrupted.ts'
import { replayed } from './replay.ts'
import type { ResolvedScenario } from './resolved.ts'

export interface ReconcileOptions {
  /** Null: a chain for each service of the run. */
  readonly chains: readonly ChainName[] | null
  /** The URLs of chains that run already. */
  readonly rpc: Readonly<Partial<Record<ChainName, string>>>
  /** What is started as the chain of the parlay service. */
  readonly start?: StartedValidator | null
  /** With chains by URL. */
  readonly patienceMs?: number | null
  readonly signal?: AbortSignal
  /** `share` is that of the journal. */
  readonly onProgress?: (progress: SettlingProgress & { readonly share: number }) => void
}

export interface Reconciliation {
  readonly settlement: Settlement
  readonly lines: readonly string[]
  /** Whether the journal gave the rows that the run had; by other code of parlor it may not. */
  readonly isSameRun: boolean
  readonly digest: string
}

/**
 * Settles a finished run on chains, from its journal: fresh venues are given its commands, and what they write is mirrored as that of a run
 * is. Throws InputError for a folder or chains that cannot be, SettlementFailure at the first difference, Interrupted by the signal.
 */
export async function reconcileRun(dir: string, options: ReconcileOptions): Promise<Reconciliation> {
  const manifest = readManifest(dir)
  const resolved = resolvedOf(manifest, dir)
  const journalPath = journalOf(dir, manifest.tables)
  const chains = options.chains ?? CHAIN_NAMES.filter((name) => resolved.services[SERVICE_OF_CHAIN[name]] !== undefined)
  checkServices(dir, resolved, chains)
  checkStart(options, chains)
  const { signal, onProgress, rpc, start = null, patienceMs = null } = options
  let share = 0
  const mirrors = await openMirrors(resolved, { ...NO_CHAIN, chains, rpc, start, patienceMs }, (progress) => { onProgress?.({ ...progress, share }) }, signal)
  const digest = new Digest()
  const sinks: readonly Sink[] = [digest, ...mirrors.sinks]
  const settled = async (): Promise<void> => { for (const sink of mirrors.sinks) await unlessInterrupted(sink.settled(), signal) }
  try {
    for (const { batch, share: done } of replayed(journalPath, freshServices(resolved), untilOf(manifest))) {
      share = done
      for (const sink of sinks) sink.flush(batch)
      await settled()
      if (signal?.aborted) throw new Interrupted('interrupted')
    }
    for (const sink of sinks) sink.finish(resolved.history.toUs)
    await settled()
  } catch (error) {
    await mirrors.abort()
    throw error
  }
  return { settlement: mirrors.settlement(), lines: mirrors.lines(), isSameRun: digest.hex() === manifest.digest, digest: digest.hex() }
}

function journalOf(dir: string, tables: ReturnType<typeof readManifest>['tables']): string {
  const journal = tables['journal']
  if (journal === undefined) throw new InputError('the run has no journal', { position: { file: manifestPath(dir) }, hint: 'expected a run with record.tables' })
  const path = placeOf(dir, journal.file)
  if (!existsSync(path)) throw new InputError('is missing', { position: { file: path } })
  if (fileSha256(path) !== journal.sha256) throw new InputError('was changed since the run', { position: { file: path }, hint: 'its SHA-256 is not that of the manifest' })
  return path
}

function checkStart({ start = null, rpc }: ReconcileOptions, chains: readonly ChainName[]): void {
  if (start === null) return
  if (!chains.includes('svm')) throw new InputError(`${start} makes a chain that nothing is settled on`, { hint: 'expected --chain svm, or both' })
  if (rpc.svm !== undefined) throw new InputError('a chain is started or runs already, not both', { hint: 'expected --start or --rpc svm=URL' })
}

function checkServices(dir: string, { services }: ResolvedScenario, chains: readonly ChainName[]): void {
  const missing = chains.find((name) => services[SERVICE_OF_CHAIN[name]] === undefined)
  if (missing === undefined) return
  throw new InputError(`${missing} settles the ${SERVICE_OF_CHAIN[missing]} service, which the run does not have`, {
    position: { file: dir }, hint: `expected --chain ${missing === 'svm' ? 'evm' : 'svm'}`,
  })
}
