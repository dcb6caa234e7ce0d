import type { ObjectStore } from '../fleet/objectStore.ts'
import type { LoadedScenario } from '../scenario/load.ts'
import type { WorkerPool } from '../sweep/pool.ts'
import type { TaskPool, TaskSpec } from '../sweep/task.ts'
import { InputError } from '../unit/inputError.ts'
import type { QueueOptions } from './elsewhere.ts'
import { sayOf } from './options.ts'
import { openPool, type PoolOptions } from './pools.ts'

/** So many missing tasks are named. */
const NAMED_MAX = 12

/** A pool of what lies in a folder of results, which plays nothing. */
export class Merge {
  readonly pool: WorkerPool
  private readonly store: ObjectStore
  private readonly shards: number | undefined

  private constructor(pool: WorkerPool, store: ObjectStore, shards: number | undefined) {
    this.pool = pool
    this.store = store
    this.shards = shards
  }

  /** Null where nothing is to be merged. Throws InputError for options that do not go together. */
  static async open({ results, shards, queue, ...options }: PoolOptions & QueueOptions, loaded: Pick<LoadedScenario, 'file'>): Promise<Merge | null> {
    if (results === undefined || queue !== undefined) return null
    if (options.recheck !== undefined) throw new InputError('a merge plays nothing: leave out --recheck')
    const [{ storeAt }, { Results }, { ownBuild }, { checkedShare }] = await Promise.all([
      import('../fleet/storeAt.ts'), import('../fleet/results.ts'), import('../fleet/build.ts'), import('../fleet/share.ts'),
    ])
    if (shards !== undefined) checkedShare({ shard: 1, of: shards }, `--shards ${shards}`)
    const store = await storeAt(results)
    const shared = await Results.open(store, ownBuild(), { plays: () => false, readsAll: true }, sayOf(options))
    return new Merge(await openPool(options, loaded, shared), store, shards)
  }

  /** Goes through all tasks once. Throws InputError that names those that are missing. */
  async survey(hasRounds: boolean, play: (pool: TaskPool) => Promise<unknown>): Promise<void> {
    const { RoundOver, RoundPool } = await import('../fleet/rounds.ts')
    const rounds = new RoundPool(this.pool, hasRounds)
    try {
      await play(rounds)
    } catch (error) {
      if (!(error instanceof RoundOver)) throw error
    }
    if (rounds.missing.size > 0) throw await this.incomplete(rounds.missing)
  }

  private async incomplete(missing: ReadonlyMap<string, TaskSpec>): Promise<InputError> {
    const [{ otherBuilds }, { buildDifference, ownBuild }, { shardOf }, { taskText }] = await Promise.all([
      import('../fleet/results.ts'), import('../fleet/build.ts'), import('../fleet/share.ts'), import('../sweep/pool.ts'),
    ])
    const { shards } = this
    const named = [...missing].slice(0, NAMED_MAX).map(([id, spec]) => `\n  ${shards === undefined ? '' : `shard ${shardOf(id, shards)}/${shards}: `}${taskText(id, spec)}`)
    const more = missing.size > NAMED_MAX ? `\n  and ${missing.size - NAMED_MAX} more` : ''
    const own = ownBuild()
    const others = (await otherBuilds(this.store, own)).map(({ build, results }) => `${results} of ${buildDifference(build, own)}`)
    const refused = others.length === 0 ? '' : `\n  results that are here and do not count: ${others.join('; ')}`
    return new InputError(`${missing.size === 1 ? '1 session has' : `${missing.size} sessions have`} no result here:${named.join('')}${more}${refused}`, {
      position: { file: this.store.place },
      hint: others.length === 0 ? 'give the commands with --shard again: each plays what is missing of its share. An edited scenario, strategy or history makes other sessions'
        : 'merge with the source tree and the Node that played them, on the same platform, or play the shards with those of this machine',
    })
  }
}
