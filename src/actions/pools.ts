import type { LoadedScenario } from '../scenario/load.ts'
import { callLimitsOf } from '../scenario/strategyLimits.ts'
import { readWithin } from '../scenario/units.ts'
import type { PoolProgress, WorkerPool } from '../sweep/pool.ts'
import { checkEnclosure, SANDBOX_LEVELS, type SandboxLevel } from '../sweep/sandbox/enclosure.ts'
import type { SharedTasks } from '../sweep/sharedTasks.ts'
import { InputError } from '../unit/inputError.ts'
import { Interrupted } from '../unit/interrupted.ts'
import { type ActionOptions, calling, sayOf, signalOf, type TrustOption } from './options.ts'

/** What is between strategies and the machine. */
export interface SandboxOption {
  /**
   * Strategies are read and played in processes without a network, an environment or files but those that a session reads (bubblewrap). `'weak'` is for
   * machines without bubblewrap, and holds no strategy that has left its room.
   */
  readonly sandbox?: boolean | SandboxLevel
}

/** How the sessions of a sweep or a league are played. */
export interface PoolOptions extends ActionOptions, TrustOption, SandboxOption {
  /** Sessions at a time. The default is one for each core. */
  readonly workers?: number
  /** The folder of the finished sessions, which all sweeps and leagues share, and from which the same call goes on. The default is `runs/tasks`. */
  readonly tasks?: string
  /** The time after which a session counts as endless, as `10m`, which is the default. */
  readonly limit?: string
  /** So many kept sessions are played again, and their bytes compared. */
  readonly recheck?: number
  /** Is told how many sessions there can be, before the first is played. It is waited for. */
  readonly onPlanned?: (planned: PlannedSessions) => void | Promise<void>
  /** Is told what has been played. */
  readonly onProgress?: (progress: PoolProgress) => void
  /** Is told once the sessions have been played, before the result is written. */
  readonly onPlayed?: () => void
}

export interface PlannedSessions {
  /** The most sessions that there can be. */
  readonly sessionsMax: number
  /** Whether there may be fewer, because a rule may stop sooner. */
  readonly isAtMost: boolean
}

/** What was played for a result. The result itself has none of it. */
export interface PlayedSessions {
  /** Sessions played to their end. */
  readonly played: number
  /** Those that were kept from before. */
  readonly kept: number
  /** Kept ones that were played again and agreed. */
  readonly rechecked: number
  /** How long it took, s of real time. */
  readonly seconds: number
}

/** Opens a pool. `shared`: what it shares with others. Throws InputError for options that are none. */
export async function openPool(options: PoolOptions, { file }: Pick<LoadedScenario, 'file'>, shared?: SharedTasks): Promise<WorkerPool> {
  const { workers, tasks, recheck, trusted = false, onProgress } = options
  const [limit, sandbox] = [limitOf(options), sandboxOf(options)]
  if (workers !== undefined && !(Number.isSafeInteger(workers) && workers >= 1)) throw new InputError(`expected --workers, 1 or more, got ${workers}`)
  if (recheck !== undefined && !(Number.isSafeInteger(recheck) && recheck >= 0)) throw new InputError(`expected --recheck, a whole number, got ${recheck}`)
  const { WorkerPool: Pool } = await import('../sweep/pool.ts')
  return new Pool({
    signal: signalOf(options), say: sayOf(options), limits: callLimitsOf(file.strategies), isTrusted: trusted, ...limit, ...(sandbox === undefined ? {} : { sandbox }),
    ...(onProgress === undefined ? {} : { onProgress: calling(onProgress) }), ...(workers === undefined ? {} : { workers }), ...(tasks === undefined ? {} : { tasksDir: tasks }),
    ...(recheck === undefined ? {} : { recheck }), ...(shared === undefined ? {} : { shared }),
  })
}

/** How far strategies are shut in. Throws InputError for a level that there is not, and where this machine has not what it takes. */
export function sandboxOf({ sandbox = false }: SandboxOption): SandboxLevel | undefined {
  if (sandbox === false) return undefined
  const level = sandbox === true ? 'strict' : sandbox
  if (!SANDBOX_LEVELS.includes(level)) throw new InputError(`expected --sandbox ${SANDBOX_LEVELS.join(' or ')}, got ${String(level)}`)
  checkEnclosure(level)
  return level
}

/** The time that a session, or the loading of a strategy file, may take. Throws InputError for a text that is no duration. */
export function limitOf({ limit }: PoolOptions): { readonly limitMs?: number } {
  if (limit === undefined) return {}
  const limitMs = readWithin('ms', limit, 1000, 86_400_000)
  if ('fault' in limitMs) throw new InputError(`--limit: ${limitMs.fault}`)
  return { limitMs: limitMs.value }
}

/** Says of an interruption how to go on. Returns the error to throw. */
export function toldInterrupted(error: unknown, { played, kept }: PoolProgress): unknown {
  if (!(error instanceof Interrupted)) return error
  return Object.assign(error, { message: `interrupted: ${played} sessions were played and are kept${kept > 0 ? `, as ${kept} were before` : ''}; the same command goes on from there` })
}

export const playedOf = ({ played, kept, rechecked }: PoolProgress, startedMs: number): PlayedSessions => ({ played, kept, rechecked, seconds: (performance.now() - startedMs) / 1000 })
