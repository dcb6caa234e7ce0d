import type { Job, Worker } from 'bullmq'
import { resolve } from 'node:path'
import { WorkerPool } from '../../sweep/pool.ts'
import type { TaskFailure } from '../../sweep/task.ts'
import { InputError } from '../../unit/inputError.ts'
import { type Build, buildDifference, buildName, ownBuild } from '../build.ts'
import { FolderStore } from '../folderStore.ts'
import { Results } from '../results.ts'
import { type Batch, type BatchAnswer, type BatchError, errorText, type PlayTerms, tasksOf } from './batch.ts'
import type { QueueLink } from './link.ts'
import { LifeSign, processName, type RunSign, signsOf } from './roster.ts'

/**
 * A batch whose worker gives no sign for so long is another's: its lock, and how often somebody looks. Played twice it gives the same bytes. A lock is
 * renewed when half of it is over, so that signs of life (LIFE_MS) are gone before it.
 */
const LOCK_MS = 20_000
const STALLED_MS = 5000
/** A worker that cannot play what lies in the queue leaves it to others for so long. */
const REFUSAL_MS = 5000
/** How often a worker looks who else asks for sessions. */
const LOOK_MS = 5000

/** The queue of the tasks of one build. */
export const queueName = (build: Build): string => `tasks-${buildName(build)}`

export interface QueueWorkerOptions {
  readonly threads: number
  /** The folder in which this machine keeps finished tasks. */
  readonly tasksDir?: string
  /** Where this machine sees the folder of results, when elsewhere than the command does. */
  readonly results?: string
  /** Whether commands may have their strategy files run as any module of Node does. */
  readonly isTrusted: boolean
  readonly say: (line: string) => void
  /** No further batch is begun, and those that are being played are played to their end. */
  readonly signal: AbortSignal
}

export interface WorkedQueue {
  readonly worker: string
  readonly batches: number
  readonly sessions: number
  readonly failed: number
}

/** A pool for commands with the same terms. */
interface Bench {
  readonly pool: WorkerPool
  readonly store: FolderStore
  busy: number
}

/** Plays batches of a queue in threads of this process, until the signal. */
export class QueueWorker {
  private readonly link: QueueLink
  private readonly options: QueueWorkerOptions
  private readonly build = ownBuild()
  private readonly name = processName()
  private readonly benches = new Map<string, Promise<Bench>>()
  private readonly playing = new Set<string>()
  private readonly refused = new Set<string>()
  private readonly counts = { batches: 0, sessions: 0, failed: 0 }
  private worker: Worker | undefined
  private pause: NodeJS.Timeout | undefined

  constructor(link: QueueLink, options: QueueWorkerOptions) {
    this.link = link
    this.options = options
  }

  async work(): Promise<WorkedQueue> {
    const { link, options: { threads, signal } } = this
    const worker = this.worker = new link.bullmq.Worker<Batch, BatchAnswer>(queueName(this.build), (job) => this.answer(job), {
      connection: link.redis, prefix: link.address.prefix, concurrency: threads, lockDuration: LOCK_MS, stalledInterval: STALLED_MS, maxStalledCount: 0, name: this.name,
    })
    // The connection tells of its losses itself, and an answer that comes too late is another worker's to give.
    worker.on('error', () => {})
    const sign = new LifeSign(link, () => ({ kind: 'worker', name: this.name, build: this.build, threads, played: this.counts.sessions, batches: [...this.playing] }))
    const looks = setInterval(() => { void this.lookAtRuns().catch(() => {}) }, LOOK_MS)
    try {
      await sign.tell()
      await this.lookAtRuns()
      await new Promise<void>((done) => {
        if (signal.aborted) done()
        else signal.addEventListener('abort', () => { done() }, { once: true })
      })
      if (this.playing.size > 0) this.options.say(`stopping: ${this.playing.size === 1 ? 'a batch is' : `${this.playing.size} batches are`} played to the end first`)
      await worker.close()
    } finally {
      clearInterval(looks)
      clearTimeout(this.pause)
      await sign.end()
      for (const bench of this.benches.values()) await closeBench(await bench)
    }
    return { worker: this.name, ...this.counts }
  }

  private async answer(job: Job<Batch, BatchAnswer>): Promise<BatchAnswer> {
    this.playing.add(job.id!)
    try {
      // Of a batch without a sign of life the queue itself names the worker that found it so.
      await job.updateProgress(this.name)
      return await this.played(job.data)
    } finally {
      this.playing.delete(job.id!)
    }
  }

  private async played(batch: Batch): Promise<BatchAnswer> {
    const { terms } = batch
    if (batch.version !== 1 || batch.build !== buildName(this.build)) throw this.refusal('the batch is of another version of parlor')
    if (terms.isTrusted && !this.options.isTrusted) throw this.refusal('the command asks for strategy files to run as programs (--trusted), which this worker was not started with')
    const bench = await this.benchOf(terms)
    bench.busy++
    try {
      const failures: TaskFailure[] = []
      const beganMs = performance.now()
      for (const { id, spec } of tasksOf(batch)) {
        const own = await bench.pool.identify(spec).catch((error: unknown) => { throw error instanceof InputError ? this.refusal(error.describe()) : error })
        if (own !== id) throw this.refusal('the scenario, a strategy or the history is another here than where the command is')
        const outcome = await bench.pool.playOne(spec)
        if ('failure' in outcome) failures.push(outcome.failure)
      }
      this.counts.batches++
      this.counts.sessions += batch.tasks.length
      this.counts.failed += failures.length
      return { worker: this.name, ms: performance.now() - beganMs, failures }
    } catch (error) {
      throw this.told(error)
    } finally {
      bench.busy--
    }
  }

  /** Leaves what lies in the queue to others for a while. Returns the error to throw. */
  private refusal(message: string): Error {
    if (!this.refused.has(message)) this.options.say(`refused: ${message}`)
    this.refused.add(message)
    void this.worker?.pause(true).catch(() => {})
    clearTimeout(this.pause)
    this.pause = setTimeout(() => { this.worker?.resume() }, REFUSAL_MS)
    return this.errorOf({ kind: 'refused', worker: this.name, message })
  }

  /** An error as the command reads it. */
  private told(error: unknown): Error {
    if (error instanceof Refusal) return error
    if (error instanceof InputError) {
      const { message, position, hint } = error
      return this.errorOf({ kind: 'input', worker: this.name, message, ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }) })
    }
    const text = error instanceof Error ? error.stack ?? error.message : String(error)
    return this.errorOf({ kind: 'bug', worker: this.name, message: text })
  }

  private errorOf(error: BatchError): Error {
    const { UnrecoverableError } = this.link.bullmq
    return error.kind === 'refused' ? new Refusal(errorText(error)) : new UnrecoverableError(errorText(error))
  }

  private benchOf(terms: PlayTerms): Promise<Bench> {
    const key = JSON.stringify(terms)
    const known = this.benches.get(key)
    if (known !== undefined) return known
    void this.closeIdle()
    const opened = this.opened(terms)
    this.benches.set(key, opened)
    opened.catch(() => { this.benches.delete(key) })
    return opened
  }

  private async opened({ results: place, isTrusted, limitMs, limits }: PlayTerms): Promise<Bench> {
    const { threads, tasksDir, results, say } = this.options
    const store = new FolderStore(resolve(results ?? place))
    const shared = await Results.open(store, this.build, { plays: () => true, reads: 'results' }, say)
    await shared.announce(this.build)
    const pool = new WorkerPool({ workers: threads, isTrusted, limits, shared, say, ...(limitMs === null ? {} : { limitMs }), ...(tasksDir === undefined ? {} : { tasksDir }) })
    return { pool, store, busy: 0 }
  }

  /** Threads of commands that are over. */
  private async closeIdle(): Promise<void> {
    for (const [key, opening] of this.benches) {
      const bench = await opening.catch(() => null)
      if (bench === null || bench.busy > 0) continue
      this.benches.delete(key)
      await closeBench(bench)
    }
  }

  /** Says once of each other build why nothing of it is played here. */
  private async lookAtRuns(): Promise<void> {
    for (const { name, build } of await signsOf<RunSign>(this.link, 'run')) {
      const difference = buildDifference(build, this.build)
      if (difference === '' || this.refused.has(difference)) continue
      this.refused.add(difference)
      this.options.say(`refused: ${name} asks for sessions of ${difference}; this worker plays none of them`)
    }
  }
}

class Refusal extends Error {}

async function closeBench({ pool, store }: Bench): Promise<void> {
  await pool.close()
  await store.close()
}
