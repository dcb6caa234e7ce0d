import { availableParallelism } from 'node:os'
import type { QueueLink } from '../fleet/queue/link.ts'
import type { QueueState } from '../fleet/queue/queueState.ts'
import type { WorkedQueue } from '../fleet/queue/queueWorker.ts'
import type { LoadedScenario } from '../scenario/load.ts'
import { callLimitsOf } from '../scenario/strategyLimits.ts'
import type { PoolProgress, WorkerPool } from '../sweep/pool.ts'
import type { TaskPool } from '../sweep/task.ts'
import { InputError } from '../unit/inputError.ts'
import type { QueueOptions } from './elsewhere.ts'
import { acting, type ActionOptions, calling, sayOf, signalOf, type TrustOption } from './options.ts'
import { limitOf, openPool, type PoolOptions, sandboxOf, type SandboxOption } from './pools.ts'

/** What plays sessions, here or elsewhere. */
export interface Players extends TaskPool {
  readonly progress: PoolProgress
  readonly check: WorkerPool['check']
}

/** Opens what plays the sessions of a result. `about` and `sessionsMax` tell others of a queue what is played. Throws InputError for options that do not go together. */
export async function openPlayers(options: PoolOptions & QueueOptions, loaded: Pick<LoadedScenario, 'file'>, { about, sessionsMax }: { readonly about: string; readonly sessionsMax: number }): Promise<Players> {
  const { queue, results, workers, recheck, trusted = false } = options
  if (queue === undefined) return openPool(options, loaded)
  if (results === undefined) throw new InputError('--queue needs --results', { hint: 'expected a folder in which workers leave sessions, and which they and this command see' })
  if (workers !== undefined) throw new InputError('--queue plays nothing here: leave out --workers', { hint: 'parlor worker --threads says how many sessions a machine plays at a time' })
  if (recheck !== undefined) throw new InputError('--queue plays nothing here: leave out --recheck')
  const [{ QueueLink: Link }, { QueuePool }, { storeAt, wholePlace }, { Results }, { ownBuild }] = await Promise.all([
    import('../fleet/queue/link.ts'), import('../fleet/queue/queuePool.ts'), import('../fleet/storeAt.ts'), import('../fleet/results.ts'), import('../fleet/build.ts'),
  ])
  const [say, { limitMs = null }] = [sayOf(options), limitOf(options)]
  const store = await storeAt(results)
  const shared = await Results.open(store, ownBuild(), { plays: () => false, readsAll: true }, say)
  const reader = await openPool({ ...options, onProgress: () => {} }, loaded, shared)
  let link: QueueLink | undefined
  try {
    link = await Link.open(queue, say, signalOf(options))
    return await QueuePool.open(link, { reader, results: shared, store }, {
      about, tasksMax: sessionsMax, signal: signalOf(options), say, onProgress: calling(options.onProgress),
      terms: { results: wholePlace(results), isTrusted: trusted, limitMs, limits: callLimitsOf(loaded.file.strategies) },
    })
  } catch (error) {
    link?.close()
    await reader.close()
    await store.close()
    throw error
  }
}

export interface WorkOptions extends ActionOptions, TrustOption, SandboxOption {
  /** The queue, as `redis://localhost:6379`. */
  readonly queue: string
  /** Sessions at a time. The default is one for each core. */
  readonly threads?: number
  /** Where this machine sees the folder of results, when it is not where the commands see it. */
  readonly results?: string
  /** The folder in which this machine keeps finished sessions. The default is `runs/tasks`. */
  readonly tasks?: string
}

/** Plays the sessions of a queue until the signal, and what is begun to its end. Throws InputError where there is no queue. */
export const workQueue = (options: WorkOptions): Promise<WorkedQueue> => acting(async () => {
  const { queue, threads = availableParallelism(), results, tasks, trusted = false } = options
  if (!(Number.isSafeInteger(threads) && threads >= 1)) throw new InputError(`expected --threads, 1 or more, got ${threads}`)
  const [{ QueueLink }, { QueueWorker }] = await Promise.all([import('../fleet/queue/link.ts'), import('../fleet/queue/queueWorker.ts')])
  const [say, signal, sandbox] = [sayOf(options), signalOf(options), sandboxOf(options)]
  const link = await QueueLink.open(queue, say, signal)
  try {
    say(`waiting for sessions at ${link.address.place}, ${threads} at a time`)
    return await new QueueWorker(link, {
      threads, isTrusted: trusted, say, signal, ...(sandbox === undefined ? {} : { sandbox }), ...(results === undefined ? {} : { results }), ...(tasks === undefined ? {} : { tasksDir: tasks }),
    }).work()
  } finally {
    link.close()
  }
})

/** What waits in a queue, what is played by whom, and what failed. Throws InputError where there is no queue. */
export const readQueue = (queue: string, options: ActionOptions = {}): Promise<QueueState> => acting(async () => {
  const [{ QueueLink }, { queueState }] = await Promise.all([import('../fleet/queue/link.ts'), import('../fleet/queue/queueState.ts')])
  const link = await QueueLink.open(queue, sayOf(options), signalOf(options))
  try {
    return await queueState(link)
  } catch (error) {
    throw link.told(error)
  } finally {
    link.close()
  }
})
