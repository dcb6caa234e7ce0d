import { WorkerPool } from '../../sweep/pool.ts'
import type { SandboxLevel } from '../../sweep/sandbox/enclosure.ts'
import type { TaskOutcome } from '../../sweep/task.ts'
import { InputError } from '../../unit/inputError.ts'
import type { Build } from '../build.ts'
import type { ObjectStore } from '../objectStore.ts'
import { Results } from '../results.ts'
import { storeAt, wholePlace } from '../storeAt.ts'
import type { PlayTerms, QueuedTask } from './batch.ts'

export interface StageOptions {
  readonly build: Build
  readonly threads: number
  /** The folder in which this machine keeps finished tasks. */
  readonly tasksDir?: string
  /** Where this machine sees the folder of results, when elsewhere than the command does. */
  readonly results?: string
  /** How far strategies are shut in, absent for not at all. */
  readonly sandbox?: SandboxLevel
  readonly say: (line: string) => void
}

interface Opened {
  readonly pool: WorkerPool
  readonly store: ObjectStore
  /** Tasks that it plays. */
  busy: number
  /** It is closed when it plays nothing more. */
  isLeft: boolean
}

/**
 * Where a worker plays the sessions of one command. Files are read when they are first needed, and may be others by the time that a task is asked
 * for, as on a shared disk that shows them late. So everything is read anew once, and what then still differs from what the command read, or cannot
 * be read, is this worker's to say.
 */
export class Stage {
  private readonly terms: PlayTerms
  private readonly options: StageOptions
  private opened: Promise<Opened>
  private isRenewed = false

  constructor(terms: PlayTerms, options: StageOptions) {
    this.terms = terms
    this.options = options
    this.opened = this.open()
    this.opened.catch(() => {})
  }

  /** Throws InputError for what this worker has not, or not as the command has it. Throws Interrupted when the stage is closed meanwhile. */
  async play(task: QueuedTask): Promise<TaskOutcome> {
    for (;;) {
      const opened = await this.opened
      const isLast = this.isRenewed
      opened.busy++
      try {
        return await played(opened.pool, task)
      } catch (error) {
        if (!(error instanceof InputError) || isLast) throw error
        if (!this.isRenewed) this.renew(opened)
      } finally {
        opened.busy--
        if (opened.isLeft && opened.busy === 0) await close(opened)
      }
    }
  }

  /** Breaks off what is played. */
  async close(): Promise<void> {
    const opened = await this.opened.catch(() => null)
    if (opened !== null) await close(opened)
  }

  private renew(opened: Opened): void {
    this.isRenewed = true
    opened.isLeft = true
    this.opened = this.open()
    this.opened.catch(() => {})
  }

  private async open(): Promise<Opened> {
    const { terms: { results: place, isTrusted, limitMs, limits }, options: { build, threads, tasksDir, results, sandbox, say } } = this
    const store = await storeAt(wholePlace(results ?? place))
    const shared = await Results.open(store, build, { plays: () => true, readsAll: false }, say)
    await shared.announce(build)
    const pool = new WorkerPool({ workers: threads, isTrusted, limits, shared, say, ...(sandbox === undefined ? {} : { sandbox }), ...(limitMs === null ? {} : { limitMs }), ...(tasksDir === undefined ? {} : { tasksDir }) })
    return { pool, store, busy: 0, isLeft: false }
  }
}

async function played(pool: WorkerPool, { id, spec }: QueuedTask): Promise<TaskOutcome> {
  if (await pool.identify(spec) !== id) throw new InputError('the scenario, a strategy or the history is another here than where the command is')
  return pool.playOne(spec)
}

async function close({ pool, store }: Opened): Promise<void> {
  await pool.close()
  await store.close()
}
