import type { TaskFailure } from '../../sweep/task.ts'
import type { BatchAnswer, QueuedTask } from './batch.ts'

/** How long a batch should take, so that the queue costs little beside it, and the last one is not waited for long. A worker cuts it there. */
export const BATCH_MS = 5000
const BATCH_MAX = 500
/** Batches in the queue for each thread: one that is played, and one that waits. */
const BATCHES_PER_THREAD = 2
const BATCHES_MIN = 4
/** At the end the tasks of a batch are given out a second time when it takes so many times as long as expected, and at least so long. */
const SLOW_FACTOR = 3
const SLOW_MS = 10_000
/** The share of workers that play suspects at a time, and nothing else meanwhile. */
const ALONE_SHARE = 1 / 8
/** A task over which so many processes died that played nothing else has failed. */
export const DEATHS_MAX = 3
/** The mean is over so many of the last batches. */
const RECENT_BATCHES = 16

/** What became of a task. */
export type Ending =
  /** A worker says that its result is there. */
  | { readonly kind: 'played' }
  | { readonly kind: 'failed'; readonly failure: TaskFailure; readonly worker: string }
  /** Nobody knows: its result may be there, or not. */
  | { readonly kind: 'unknown' }

/** A task that somebody waits for. */
interface Wanted extends QueuedTask {
  readonly ending: PromiseWithResolvers<Ending>
  /** Processes that died while they played it and nothing else. */
  deaths: number
  /** It was given out a second time. */
  isDoubled: boolean
}

/** A batch in the queue. */
export interface Given {
  readonly batch: string
  readonly tasks: readonly QueuedTask[]
  /** Nothing else is played by the process meanwhile. */
  readonly isAlone: boolean
  readonly givenMs: number
}

/** Who plays. */
export interface Fleet {
  readonly workers: number
  readonly threads: number
}

/**
 * Which tasks of a command are given out when, and what follows from what is heard of them. It knows no server: time is given to it, ms of this
 * process. A batch whose process died says nothing of its tasks, because the process played others too: they are suspects then, and are given to
 * processes that play nothing else. Who dies over a suspect dies over the one that was marked as begun.
 */
export class Handout {
  fleet: Fleet = { workers: 0, threads: 0 }
  /** No more tasks will come. */
  isEnd = false
  private readonly run: string
  private readonly wanted = new Map<string, Wanted>()
  private waiting: Wanted[] = []
  private suspects: Wanted[] = []
  private readonly given = new Map<string, Given>()
  private readonly recent: { readonly ms: number; readonly tasks: number }[] = []
  /** The most tasks of a batch, since its time is known of no larger one than half of it. */
  private sizeMax = 1
  private batches = 0
  private stopped: Error | null = null

  /** @param run name of the command, with which names of batches begin */
  constructor(run: string) {
    this.run = run
  }

  /** Tasks that somebody waits for. */
  get wantedTasks(): number {
    return this.wanted.size
  }

  /** Batches in the queue, in the order in which they were given. */
  get open(): Given[] {
    return [...this.given.values()]
  }

  /** Mean time of a task in its thread, ms, null before the first. */
  get meanMs(): number | null {
    const sum = (of: 'ms' | 'tasks'): number => this.recent.reduce((total, batch) => total + batch[of], 0)
    return this.recent.length === 0 ? null : sum('ms') / sum('tasks')
  }

  /** Tasks of a batch now. */
  get size(): number {
    const { meanMs, sizeMax, fleet: { threads }, waiting } = this
    const inTime = meanMs === null ? 1 : Math.round(BATCH_MS / Math.max(meanMs, 1e-3))
    // The last ones are shared out, so that no thread has many while others have none.
    const shared = this.isEnd ? Math.ceil(waiting.length / Math.max(1, threads)) : BATCH_MAX
    return Math.max(1, Math.min(BATCH_MAX, sizeMax, inTime, shared))
  }

  /** Has a task played. Rejects when the handout is stopped or cleared. */
  want(task: QueuedTask): Promise<Ending> {
    if (this.stopped !== null) return Promise.reject(this.stopped)
    const known = this.wanted.get(task.id)
    if (known !== undefined) return known.ending.promise
    const wanted: Wanted = { ...task, ending: Promise.withResolvers(), deaths: 0, isDoubled: false }
    // Whoever waits may have left.
    wanted.ending.promise.catch(() => {})
    this.wanted.set(task.id, wanted)
    this.waiting.push(wanted)
    return wanted.ending.promise
  }

  /** The next batch to put into the queue, null when there are enough in it or none is left. */
  next(nowMs: number): Given | null {
    const alone = this.open.filter(({ isAlone }) => isAlone).length
    const { workers, threads } = this.fleet
    if (alone < Math.max(1, Math.floor(workers * ALONE_SHARE))) {
      const suspects = this.taken('suspects', this.size)
      if (suspects.length > 0) return this.give(suspects, nowMs, true)
    }
    if (this.given.size - alone >= Math.max(BATCHES_MIN, BATCHES_PER_THREAD * threads)) return null
    const tasks = this.taken('waiting', this.size)
    return tasks.length === 0 ? null : this.give(tasks, nowMs, false)
  }

  /** At the end single tasks of slow batches, from their ends: the batch itself goes on from its beginning. */
  slow(nowMs: number): Given[] {
    if (!this.isEnd || this.waiting.length > 0 || this.suspects.length > 0) return []
    const meanMs = this.meanMs ?? 0
    const isSlow = ({ givenMs, isAlone, tasks: own }: Given): boolean => !isAlone && nowMs - givenMs > Math.max(SLOW_MS, SLOW_FACTOR * meanMs * own.length)
    const again = this.open.filter(isSlow).flatMap((slow) => this.left(slow).filter(({ isDoubled }) => !isDoubled).toReversed())
    const idle = Math.max(0, this.fleet.threads - this.given.size)
    return again.slice(0, idle).map((task) => {
      task.isDoubled = true
      return this.give([task], nowMs, false)
    })
  }

  /** What a worker answered. A batch that is not known any more has been given out again. */
  answered(answer: Extract<BatchAnswer, { kind: 'played' }>): void {
    const given = this.closed(answer.batch)
    if (given === null) return
    const played = Math.min(answer.played, given.tasks.length)
    const failed = new Map(answer.failures.map((failure) => [failure.id, failure]))
    for (const { id } of given.tasks.slice(0, played)) {
      const failure = failed.get(id)
      this.end(id, failure === undefined ? { kind: 'played' } : { kind: 'failed', failure, worker: answer.worker })
    }
    this.back(given, played)
    if (played === 0) return
    this.recent.push({ ms: answer.ms, tasks: played })
    if (this.recent.length > RECENT_BATCHES) this.recent.shift()
    this.sizeMax = Math.min(BATCH_MAX, Math.max(this.sizeMax, 2 * played))
  }

  /** Nobody plays a batch, and nobody died over it: others will. */
  returned(batch: string): void {
    const given = this.closed(batch)
    if (given !== null) this.back(given, 0)
  }

  /** A batch is in the queue no more, and nobody said why. */
  gone(batch: string): void {
    for (const { id } of this.closed(batch)?.tasks ?? []) this.end(id, { kind: 'unknown' })
  }

  /** The process died that had a batch. `begun`: index of the task that it marked as begun, null for none; only marked where it was alone. */
  died(batch: string, worker: string, begun: number | null): void {
    const given = this.closed(batch)
    if (given === null) return
    if (!given.isAlone || begun === null) {
      for (const task of this.left(given)) this.suspect(task)
      return
    }
    for (const { id } of given.tasks.slice(0, begun)) this.end(id, { kind: 'unknown' })
    for (const task of this.left(given)) {
      if (task.id === given.tasks[begun]?.id) task.deaths++
      if (task.deaths < DEATHS_MAX) this.suspect(task)
      else this.end(task.id, { kind: 'failed', worker, failure: { id: task.id, kind: 'worker', who: null, message: `${DEATHS_MAX} worker processes died over it that played nothing else` } })
    }
  }

  /** Nobody waits any more. What is wanted now and from now on is rejected. */
  stop(error: Error): void {
    this.stopped ??= error
    this.reject(error)
  }

  /** Forgets all that is wanted, and says which batches are in the queue. */
  clear(error: Error): string[] {
    const batches = [...this.given.keys()]
    this.reject(error)
    this.waiting = []
    this.suspects = []
    this.given.clear()
    return batches
  }

  private reject(error: Error): void {
    for (const { ending } of this.wanted.values()) ending.reject(error)
    this.wanted.clear()
  }

  /** The first of those that still are wanted. */
  private taken(from: 'waiting' | 'suspects', count: number): Wanted[] {
    this[from] = this[from].filter((task) => this.isWanted(task))
    return this[from].splice(0, count)
  }

  private isWanted(task: Wanted): boolean {
    return this.wanted.get(task.id) === task
  }

  private give(tasks: readonly Wanted[], nowMs: number, isAlone: boolean): Given {
    const given: Given = { batch: `${this.run}-${++this.batches}`, tasks: tasks.map(({ id, spec }) => ({ id, spec })), isAlone, givenMs: nowMs }
    this.given.set(given.batch, given)
    return given
  }

  private closed(batch: string): Given | null {
    const given = this.given.get(batch) ?? null
    this.given.delete(batch)
    return given
  }

  /** The tasks of a batch that still are wanted. */
  private left({ tasks }: Given): Wanted[] {
    return tasks.flatMap(({ id }) => this.wanted.get(id) ?? [])
  }

  private back(given: Given, from: number): void {
    const tasks = this.left({ ...given, tasks: given.tasks.slice(from) })
    if (given.isAlone) for (const task of tasks) this.suspect(task)
    else this.waiting.unshift(...tasks.filter((task) => !this.waiting.includes(task) && !this.suspects.includes(task)))
  }

  private suspect(task: Wanted): void {
    if (!this.suspects.includes(task)) this.suspects.push(task)
  }

  private end(id: string, ending: Ending): void {
    // Of two plays the first counts.
    this.wanted.get(id)?.ending.resolve(ending)
    this.wanted.delete(id)
  }
}
