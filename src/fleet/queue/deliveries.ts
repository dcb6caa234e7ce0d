import type { Job, Queue, QueueEvents } from 'bullmq'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskFailure } from '../../sweep/task.ts'
import { Bug } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { type Build, buildName } from '../build.ts'
import { type Batch, type BatchAnswer, batchOf, errorIn, type PlayTerms, type QueuedTask } from './batch.ts'
import type { QueueLink } from './link.ts'
import { signsOf, type WorkerSign } from './roster.ts'

/** How long a batch should take, so that the queue costs little beside it, and the last one is not waited for long. */
const BATCH_MS = 5000
const BATCH_MAX = 500
/** Batches in the queue for each thread: one that is played, and one that waits. */
const BATCHES_PER_THREAD = 2
const BATCHES_MIN = 4
/** So often it is looked at what nobody told of. */
const LOOK_MS = 2000
/** A batch is looked for when nothing was heard of it for so long. */
const SILENT_MS = 5000
/** At the end a batch is given out a second time when it takes so many times as long as expected, and at least so long. */
const SLOW_FACTOR = 3
const SLOW_MS = 10_000
/** A task whose worker process dies is given out so many times by itself. */
const TRIES_MAX = 3
/** Tasks that are wanted at about one time lie in one batch. */
const GATHER_MS = 5
/** Nobody waits longer for a server that does not answer. */
const CLOSE_MS = 2000
/** A worker that cannot play a batch leaves it to others so many times, after a pause. */
const ATTEMPTS = 3
const PAUSE_MS = 1000
const FAILED_KEPT = { age: 86_400, count: 200 }
/** The mean is over so many of the last batches. */
const RECENT_BATCHES = 16

/** A task that somebody waits for. */
interface Wanted extends QueuedTask {
  readonly ending: PromiseWithResolvers<TaskFailure | null>
  /** Its batch was lost with a worker, so that it is given out by itself. */
  isAlone: boolean
  /** Times that its worker died while it was by itself. */
  deaths: number
}

/** A batch in the queue. */
interface Given {
  readonly tasks: readonly Wanted[]
  readonly givenMs: number
  heardMs: number
  isGivenAgain: boolean
}

export interface DeliveryTerms {
  readonly build: Build
  /** Name of the command. */
  readonly run: string
  readonly terms: PlayTerms
  readonly say: (line: string) => void
}

/**
 * Puts tasks into a queue in batches and hears how they ended. No more lies in the queue than keeps all workers busy. What the queue forgets, with
 * its server or between two looks, is put into it again.
 */
export class Deliveries {
  /** Threads of all workers, as they were last seen. */
  threads = 0
  /** Mean time of a task, ms, null before the first. */
  meanMs: number | null = null
  private readonly link: QueueLink
  private readonly queue: Queue<Batch, BatchAnswer>
  private readonly events: QueueEvents
  private readonly about: DeliveryTerms
  private readonly wanted = new Map<string, Wanted>()
  private waiting: Wanted[] = []
  private readonly given = new Map<string, Given>()
  private readonly recent: { readonly ms: number; readonly tasks: number }[] = []
  private gathering: NodeJS.Timeout | undefined
  private giving: Promise<void> = Promise.resolve()
  private batches = 0
  private isEnd = false
  /** Nobody plays, and that was said. */
  private isAlone = false
  private stopped: Error | null = null
  private readonly looks: NodeJS.Timeout
  private isLooking = false

  constructor(link: QueueLink, queue: Queue<Batch, BatchAnswer>, events: QueueEvents, about: DeliveryTerms) {
    this.link = link
    this.queue = queue
    this.events = events
    this.about = about
    events.on('completed', ({ jobId, returnvalue }) => { this.completed(jobId, answerIn(returnvalue)) })
    events.on('failed', ({ jobId, failedReason }) => { this.failed(jobId, failedReason) })
    void this.look()
    this.looks = setInterval(() => { void this.look() }, LOOK_MS)
  }

  /** Tasks of a batch now. */
  get size(): number {
    const { meanMs, threads, waiting } = this
    if (meanMs === null) return 1
    // The last ones are shared out, so that no thread has many while others have none.
    const shared = this.isEnd ? Math.ceil(waiting.length / Math.max(1, threads)) : BATCH_MAX
    return Math.max(1, Math.min(BATCH_MAX, Math.round(BATCH_MS / meanMs), shared))
  }

  /** More tasks will come. */
  begin(): void {
    this.isEnd = false
  }

  /** No more tasks will come: what is slow is given out a second time. */
  allAreGiven(): void {
    this.isEnd = true
  }

  /** Has a task played. Returns why it failed, null when a worker says that its result is there. Throws InputError for input that is wrong. */
  want(task: QueuedTask): Promise<TaskFailure | null> {
    if (this.stopped !== null) return Promise.reject(this.stopped)
    const known = this.wanted.get(task.id)
    if (known !== undefined) return known.ending.promise
    const wanted: Wanted = { ...task, ending: Promise.withResolvers(), isAlone: false, deaths: 0 }
    wanted.ending.promise.catch(() => {})
    this.wanted.set(task.id, wanted)
    this.waiting.push(wanted)
    this.give()
    return wanted.ending.promise
  }

  /** Nobody waits any more: all tasks end with an error, and what is asked for from now on too. */
  giveUp(error: Error): void {
    this.stopped = error
    for (const wanted of this.wanted.values()) this.end(wanted, error)
  }

  /** Takes back what no worker has begun. */
  async dropAll(): Promise<void> {
    const ids = [...this.given.keys()]
    this.waiting = []
    this.wanted.clear()
    this.given.clear()
    clearTimeout(this.gathering)
    this.gathering = undefined
    if (this.link.redis.status !== 'ready') return
    await this.giving
    // One that is being played stays, and leaves its results.
    await Promise.all(ids.map((id) => this.queue.remove(id).catch(() => {})))
  }

  async close(): Promise<void> {
    clearInterval(this.looks)
    await Promise.race([this.closed(), sleep(CLOSE_MS, undefined, { ref: false })])
  }

  private async closed(): Promise<void> {
    await this.dropAll()
    await Promise.allSettled([this.queue.close(), this.events.close()])
  }

  private give(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined
      this.giving = this.giving.then(() => this.giveOut()).catch((error: Error) => { this.giveUp(error) })
    }, GATHER_MS)
  }

  private async giveOut(): Promise<void> {
    while (this.waiting.length > 0 && this.given.size < Math.max(BATCHES_MIN, BATCHES_PER_THREAD * this.threads)) {
      const alone = this.waiting[0]!.isAlone
      const until = alone ? 1 : this.waiting.findIndex(({ isAlone }) => isAlone)
      await this.put(this.waiting.splice(0, Math.min(this.size, until < 0 ? Infinity : until)))
    }
  }

  private async put(tasks: readonly Wanted[], isGivenAgain = false): Promise<void> {
    const { build, run, terms } = this.about
    const jobId = `${run}-${++this.batches}`
    const nowMs = performance.now()
    this.given.set(jobId, { tasks, givenMs: nowMs, heardMs: nowMs, isGivenAgain })
    await this.queue.add('batch', batchOf(tasks.map(({ id, spec }) => ({ id, spec })), { build: buildName(build), run, terms }), {
      jobId, attempts: ATTEMPTS, backoff: { type: 'fixed', delay: PAUSE_MS }, removeOnComplete: true, removeOnFail: FAILED_KEPT, stackTraceLimit: 1,
    })
  }

  private completed(jobId: string, { ms, failures }: BatchAnswer): void {
    const given = this.taken(jobId)
    if (given === undefined) return
    this.took(ms, given.tasks.length)
    const failed = new Map(failures.map((failure) => [failure.id, failure]))
    for (const wanted of given.tasks) this.end(wanted, failed.get(wanted.id) ?? null)
    this.give()
  }

  private failed(jobId: string, reason: string): void {
    const given = this.taken(jobId)
    if (given === undefined) return
    const error = errorIn(reason)
    if (error === null) void this.lost(jobId, given, reason)
    else for (const wanted of given.tasks) this.end(wanted, errorOf(error))
    this.give()
  }

  /**
   * A worker gave no sign over a batch. Where it lives, as one that was kept from working for long, the batch is given out again. Where it died,
   * each task is given out by itself, and one over which workers die again has failed.
   */
  private async lost(jobId: string, { tasks }: Given, reason: string): Promise<void> {
    const isAlive = await this.isWorkerAlive(jobId).catch(() => true)
    for (const wanted of tasks.filter(({ id }) => this.wanted.has(id))) {
      if (!isAlive && wanted.isAlone) wanted.deaths++
      if (!isAlive) wanted.isAlone = true
      if (wanted.deaths < TRIES_MAX) this.waiting.push(wanted)
      else this.end(wanted, { id: wanted.id, kind: 'worker', who: null, message: `${TRIES_MAX} worker processes died over it (${reason})` })
    }
    this.give()
  }

  /** Whether the worker that began a batch last still lives. A lock outlives the signs of a dead one. */
  private async isWorkerAlive(jobId: string): Promise<boolean> {
    const job = await this.queue.getJob(jobId)
    return typeof job?.progress === 'string' && await this.link.redis.exists(this.link.key('worker', job.progress)) === 1
  }

  private taken(jobId: string): Given | undefined {
    const given = this.given.get(jobId)
    this.given.delete(jobId)
    return given
  }

  private end(wanted: Wanted, ending: TaskFailure | Error | null): void {
    // Of two plays the first counts.
    if (!this.wanted.delete(wanted.id)) return
    if (ending instanceof Error) wanted.ending.reject(ending)
    else wanted.ending.resolve(ending)
  }

  private took(ms: number, tasks: number): void {
    this.recent.push({ ms, tasks })
    if (this.recent.length > RECENT_BATCHES) this.recent.shift()
    const sum = (of: (batch: { readonly ms: number; readonly tasks: number }) => number): number => this.recent.reduce((total, batch) => total + of(batch), 0)
    this.meanMs = sum(({ ms: took }) => took) / sum(({ tasks: count }) => count)
  }

  /** Sees who plays, and looks for batches of which nothing was heard. */
  private async look(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    try {
      const name = buildName(this.about.build)
      const workers = (await signsOf<WorkerSign>(this.link, 'worker')).filter(({ build }) => buildName(build) === name)
      this.threads = workers.reduce((sum, { threads }) => sum + threads, 0)
      if (workers.length === 0 && this.wanted.size > 0 && !this.isAlone) this.about.say(`no worker plays yet: parlor worker --queue ${this.link.address.place} on any machine does`)
      this.isAlone = workers.length === 0 && (this.isAlone || this.wanted.size > 0)
      const nowMs = performance.now()
      for (const [jobId, given] of this.given) if (nowMs - given.heardMs > SILENT_MS) await this.lookFor(jobId, given)
      if (this.isEnd && this.waiting.length === 0) await this.giveSlowAgain(nowMs)
      this.give()
    } catch {
      // The server does not answer, of which the connection tells: the next look is soon.
    } finally {
      this.isLooking = false
    }
  }

  private async lookFor(jobId: string, given: Given): Promise<void> {
    given.heardMs = performance.now()
    const job: Job<Batch, BatchAnswer> | undefined = await this.queue.getJob(jobId)
    // It ended, and nobody told, or the server lost it. Whoever plays it again finds what is there.
    if (job === undefined) {
      const lost = this.taken(jobId)
      if (lost !== undefined) this.waiting.push(...lost.tasks.filter(({ id }) => this.wanted.has(id)))
    } else if (job.finishedOn !== undefined && job.failedReason) this.failed(jobId, job.failedReason)
  }

  private async giveSlowAgain(nowMs: number): Promise<void> {
    const idle = this.threads - this.given.size
    const slow = [...this.given.values()].filter(({ tasks, givenMs, isGivenAgain }) =>
      !isGivenAgain && nowMs - givenMs > Math.max(SLOW_MS, SLOW_FACTOR * (this.meanMs ?? 0) * tasks.length))
    for (const given of slow.slice(0, Math.max(0, idle))) {
      given.isGivenAgain = true
      const tasks = given.tasks.filter(({ id }) => this.wanted.has(id))
      if (tasks.length > 0) await this.put(tasks, true)
    }
  }
}

/** What a worker answered: older clients of the queue tell it as a text. */
const answerIn = (value: unknown): BatchAnswer => (typeof value === 'string' ? JSON.parse(value) : value) as BatchAnswer

function errorOf({ kind, worker, message, ...more }: NonNullable<ReturnType<typeof errorIn>>): Error {
  if (kind === 'bug') return new Bug(`worker ${worker}: ${message}`)
  const { position, hint } = more as { position?: NonNullable<InputError['position']>; hint?: string }
  if (kind === 'input') return new InputError(message, { ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }) })
  return new InputError(`cannot play sessions of this command: ${message}`, { position: { file: `worker ${worker}` }, hint: 'workers need the same files at the same places: a shared disk, or the same image' })
}
