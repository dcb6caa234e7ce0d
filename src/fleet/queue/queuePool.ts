import type { Queue, QueueEvents } from 'bullmq'
import { inOrder, type Pace } from '../../sweep/inOrder.ts'
import type { PoolProgress, WorkerPool } from '../../sweep/pool.ts'
import type { TaskFailure, TaskOutcome, TaskPool, TaskSpec } from '../../sweep/task.ts'
import { Bug } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { Interrupted } from '../../unit/interrupted.ts'
import { ownBuild } from '../build.ts'
import type { PlayTerms } from './batch.ts'
import { Deliveries } from './deliveries.ts'
import type { QueueLink } from './link.ts'
import { queueName } from './queueWorker.ts'
import { LifeSign, processName } from './roster.ts'

/** Tasks begun beyond the awaited outcome: so many rounds of all threads, and no more than what memory bears. */
const ROUNDS_AHEAD = 4
const AHEAD_MIN = 64
const AHEAD_MAX = 20_000
/** A worker that says that it played a task leaves its result. After so many times without one, it leaves it elsewhere. */
const EMPTY_MAX = 2

export interface QueuePoolOptions {
  /** What is played, for people. */
  readonly about: string
  /** The most tasks that there can be. */
  readonly tasksMax: number
  readonly terms: PlayTerms
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly onProgress: (progress: PoolProgress) => void
}

/** Has tasks played by the workers of a queue. Results cross by the store, and are reduced in the order of the tasks. */
export class QueuePool implements TaskPool {
  private readonly link: QueueLink
  private readonly reader: WorkerPool
  private readonly deliveries: Deliveries
  private readonly options: QueuePoolOptions
  private readonly sign: LifeSign
  private readonly counts = { played: 0, kept: 0, failed: 0 }
  private readonly onAbort = (): void => { this.deliveries.giveUp(new Interrupted('interrupted')) }

  /** @param name of this process among all of the queue */
  private constructor(link: QueueLink, reader: WorkerPool, deliveries: Deliveries, { name, ...options }: QueuePoolOptions & { readonly name: string }) {
    this.link = link
    this.reader = reader
    this.deliveries = deliveries
    this.options = options
    const { about, tasksMax } = options
    this.sign = new LifeSign(link, () => ({ kind: 'run', name, build: ownBuild(), about, done: this.done, of: tasksMax }))
    options.signal.addEventListener('abort', this.onAbort)
  }

  /** @param link is closed with the pool. @param reader a pool that plays nothing, and reads what workers leave. */
  static async open(link: QueueLink, reader: WorkerPool, options: QueuePoolOptions): Promise<QueuePool> {
    const build = ownBuild()
    const name = processName()
    const { bullmq, redis, address: { prefix } } = link
    const queue: Queue = new bullmq.Queue(queueName(build), { connection: redis, prefix })
    const events: QueueEvents = new bullmq.QueueEvents(queueName(build), { connection: redis, prefix })
    // The connection tells of its losses itself.
    queue.on('error', () => {})
    events.on('error', () => {})
    await events.waitUntilReady()
    const deliveries = new Deliveries(link, queue, events, { build, run: name, terms: options.terms, say: options.say })
    const pool = new QueuePool(link, reader, deliveries, { ...options, name })
    await pool.sign.tell()
    return pool
  }

  get progress(): PoolProgress {
    return { ...this.counts, workers: Math.max(1, this.deliveries.threads), rechecked: 0, recentMs: this.deliveries.meanMs }
  }

  check(specs: readonly Pick<TaskSpec, 'scenario' | 'set'>[]): Promise<void> {
    return this.reader.check(specs)
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    const { deliveries } = this
    let begun = 0
    const pace: Pace = {
      get atOnce() { return Math.min(AHEAD_MAX, Math.max(AHEAD_MIN, ROUNDS_AHEAD * deliveries.threads * deliveries.size)) },
      get ahead() { return this.atOnce },
    }
    const ends = inOrder(specs, async (spec) => {
      this.throwIfStopped()
      const id = await this.reader.identify(spec)
      if (++begun === specs.length) deliveries.allAreGiven()
      return { spec, id, failure: await this.ended(id, spec) }
    }, pace)
    deliveries.begin()
    try {
      for await (const { spec, id, failure } of ends) {
        if (failure !== null) yield { spec, failure }
        else yield { spec, result: await this.reader.found(id) ?? gone(id) }
      }
    } finally {
      await deliveries.dropAll()
    }
  }

  async close(): Promise<void> {
    this.options.signal.removeEventListener('abort', this.onAbort)
    await this.sign.end()
    await this.deliveries.close()
    await this.reader.close()
    this.link.close()
  }

  private get done(): number {
    const { played, kept, failed } = this.counts
    return played + kept + failed
  }

  /** Why a task has no result; null when it has one. */
  private async ended(id: string, spec: TaskSpec): Promise<TaskFailure | null> {
    for (let asked = 0; ; asked++) {
      if (await this.reader.found(id) !== null) return this.count(asked === 0 ? 'kept' : 'played', null)
      if (asked === EMPTY_MAX) {
        throw new InputError('workers have played a session and left no result here', {
          position: { file: this.options.terms.results }, hint: 'expected a folder that the workers see too: parlor worker --results says where theirs is',
        })
      }
      const failure = await this.deliveries.want({ id, spec })
      if (failure !== null) return this.count('failed', failure)
    }
  }

  private count<T>(what: keyof QueuePool['counts'], ending: T): T {
    this.counts[what]++
    this.options.onProgress(this.progress)
    return ending
  }

  private throwIfStopped(): void {
    if (this.options.signal.aborted) throw new Interrupted('interrupted')
  }
}

const gone = (id: string): never => { throw new Bug(`the result of task ${id} was there and is not any more`) }
