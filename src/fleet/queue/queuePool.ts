import { setTimeout as sleep } from 'node:timers/promises'
import { inOrder, type Pace } from '../../sweep/inOrder.ts'
import { type PoolProgress, taskText, type WorkerPool } from '../../sweep/pool.ts'
import type { TaskFailure, TaskOutcome, TaskPool, TaskResult, TaskSpec } from '../../sweep/task.ts'
import { Bug } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { Interrupted, throwIfAborted } from '../../unit/interrupted.ts'
import { ownBuild } from '../build.ts'
import type { ObjectStore } from '../objectStore.ts'
import type { Results } from '../results.ts'
import type { PlayTerms } from './batch.ts'
import { Deliveries } from './deliveries.ts'
import type { QueueLink } from './link.ts'
import { LifeSign, processName, type Told } from './roster.ts'

/** Tasks begun beyond the awaited outcome: so many rounds of all threads, and no more than what memory bears. */
const ROUNDS_AHEAD = 4
const AHEAD_MIN = 64
const AHEAD_MAX = 20_000
/** Results beyond so many are read a second time when their turn comes, instead of kept in memory. */
const HELD_MAX = 2000
/** A worker that says that it played a task leaves its result. Disks over a network may show it as late as this. */
export const ARRIVAL_MS = 90_000
/** Pauses between two looks for a result, the first and the longest. */
const LOOK_MS = 100
const LOOK_MS_MAX = 5000
/** The rate is that of so many of the last tasks. */
const RECENT_ENDS = 256
const TOLD_MAX = 10

type End = { readonly result: TaskResult | null } | { readonly failure: TaskFailure }

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

/** What a command has to read what workers leave, and to leave word itself. */
export interface Reading {
  /** A pool that plays nothing. */
  readonly reader: WorkerPool
  readonly results: Results
  readonly store: ObjectStore
}

/** Has tasks played by the workers of a queue. Results cross by the store, and are reduced in the order of the tasks. */
export class QueuePool implements TaskPool {
  private readonly link: QueueLink
  private readonly reading: Reading
  private readonly deliveries: Deliveries
  private readonly options: QueuePoolOptions
  private readonly sign: LifeSign<'runs'>
  private readonly counts = { played: 0, kept: 0, failed: 0 }
  /** Tasks that were counted: what is written at the end is asked for again. */
  private readonly counted = new Set<string>()
  private readonly ends: number[] = []
  private readonly failures: Told[] = []
  /** What an earlier play still has in work is nobody's. */
  private plays = 0
  /** Results that wait for their turn in memory. */
  private held = 0
  private readonly onAbort = (): void => { this.deliveries.giveUp(new Interrupted('interrupted')) }

  private constructor(link: QueueLink, reading: Reading, options: QueuePoolOptions) {
    this.link = link
    this.reading = reading
    this.options = options
    const { about, tasksMax, terms, say, signal } = options
    const [build, name] = [ownBuild(), processName()]
    const deliveries = this.deliveries = new Deliveries(link, { build, run: name, terms, say })
    this.sign = new LifeSign(link, {
      kind: 'runs', name, fault: (error) => { if (!link.isAway(error)) deliveries.giveUp(error) },
      sign: () => ({ build, about, done: this.counted.size, failed: this.counts.failed, of: tasksMax, refusals: deliveries.refused, failures: this.failures }),
    })
    signal.addEventListener('abort', this.onAbort)
  }

  /** @param link is closed with the pool, and so are the reading's. Throws InputError for what the server refuses, and Interrupted. */
  static async open(link: QueueLink, reading: Reading, options: QueuePoolOptions): Promise<QueuePool> {
    const { signal } = options
    const pool = new QueuePool(link, reading, options)
    const left = Promise.withResolvers<never>()
    const onAbort = (): void => { left.reject(new Interrupted('interrupted')) }
    signal.addEventListener('abort', onAbort)
    try {
      throwIfAborted(signal)
      // The server may have gone meanwhile.
      await Promise.race([pool.sign.tell(), left.promise])
    } catch (error) {
      await pool.close()
      throw link.told(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    return pool
  }

  get progress(): PoolProgress {
    const workers = Math.max(1, this.deliveries.handout.fleet.threads)
    const [first] = this.ends
    // What the whole fleet gave in the last while, as the time that each thread takes.
    return { ...this.counts, workers, rechecked: 0, recentMs: this.ends.length < 2 ? null : workers * (performance.now() - first!) / (this.ends.length - 1) }
  }

  check(specs: readonly Pick<TaskSpec, 'scenario' | 'set'>[]): Promise<void> {
    return this.reading.reader.check(specs)
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    const { deliveries: { handout }, reading: { reader } } = this
    const play = ++this.plays
    let begun = 0
    const pace: Pace = {
      get atOnce() { return Math.min(AHEAD_MAX, Math.max(AHEAD_MIN, ROUNDS_AHEAD * handout.fleet.threads * handout.size)) },
      get ahead() { return this.atOnce },
    }
    const ends = inOrder(specs, async (spec) => {
      this.throwIfLeft(play)
      const id = await reader.identify(spec)
      if (++begun === specs.length) handout.isEnd = true
      return { spec, id, ...await this.ended(id, spec, play) }
    }, pace)
    handout.isEnd = false
    try {
      for await (const { spec, id, ...end } of ends) {
        if ('failure' in end) {
          yield { spec, failure: end.failure }
          continue
        }
        if (end.result !== null) this.held--
        yield { spec, result: end.result ?? await reader.found(id) ?? gone(id) }
      }
    } finally {
      this.plays++
      this.held = 0
      await this.deliveries.dropAll(new Interrupted('interrupted'))
    }
  }

  async close(): Promise<void> {
    this.options.signal.removeEventListener('abort', this.onAbort)
    this.deliveries.giveUp(new Interrupted('interrupted'))
    await this.sign.end()
    await this.deliveries.close()
    await this.reading.reader.close()
    await this.reading.store.close()
    this.link.close()
  }

  /** What a task gave: its result, null where that is read again when its turn comes. */
  private async ended(id: string, spec: TaskSpec, play: number): Promise<End> {
    const { deliveries, reading: { reader, results } } = this
    for (let isFirst = true; ; isFirst = false) {
      const there = await reader.found(id)
      if (there !== null) return this.count(id, isFirst ? 'kept' : 'played', this.hold(there, play))
      this.throwIfLeft(play)
      const ending = await deliveries.want({ id, spec })
      if (ending.kind === 'unknown') continue
      // A result is believed before what somebody says.
      const found = ending.kind === 'played' ? await this.arrived(id) : await reader.found(id)
      if (found !== null) return this.count(id, 'played', this.hold(found, play))
      if (ending.kind === 'played') throw this.notHere()
      const { failure, worker } = ending
      this.failures.push({ worker, message: `${taskText(id, spec)}: ${failure.kind === 'strategy' ? '' : `${failure.kind}: `}${failure.message.split('\n', 1)[0]!}` })
      if (this.failures.length > TOLD_MAX) this.failures.shift()
      // Other failures are left by those who played.
      if (failure.kind === 'worker') await results.keepFailure(failure)
      return this.count(id, 'failed', { failure })
    }
  }

  private hold(result: TaskResult, play: number): End {
    if (this.held >= HELD_MAX || this.plays !== play) return { result: null }
    this.held++
    return { result }
  }

  /** The result of a task that a worker says to have left, as soon as it is seen here; null where that takes too long. */
  private arrived(id: string): Promise<TaskResult | null> {
    return soonEnough(() => this.reading.reader.found(id), (ms) => sleep(ms, undefined, { signal: this.options.signal }).catch(() => { throw new Interrupted('interrupted') }))
  }

  private notHere(): InputError {
    return new InputError(`workers say that they left a session here, and it is not seen after ${ARRIVAL_MS / 1000} s`, {
      position: { file: this.options.terms.results }, hint: 'expected a folder that the workers see too: parlor worker --results says where theirs is',
    })
  }

  private count<T>(id: string, what: keyof QueuePool['counts'], ending: T): T {
    if (this.counted.has(id)) return ending
    this.counted.add(id)
    this.counts[what]++
    if (what !== 'kept') this.ends.push(performance.now())
    if (this.ends.length > RECENT_ENDS) this.ends.shift()
    this.options.onProgress(this.progress)
    return ending
  }

  private throwIfLeft(play: number): void {
    if (this.options.signal.aborted || this.plays !== play) throw new Interrupted('interrupted')
  }
}

/** What is found at last, null where it is not found within ARRIVAL_MS. Pauses grow. */
export async function soonEnough<T>(find: () => Promise<T | null>, pause: (ms: number) => Promise<unknown>): Promise<T | null> {
  let [waitedMs, ms] = [0, LOOK_MS]
  for (;;) {
    const found = await find()
    if (found !== null || waitedMs >= ARRIVAL_MS) return found
    await pause(ms)
    waitedMs += ms
    ms = Math.min(2 * ms, LOOK_MS_MAX)
  }
}

const gone = (id: string): never => { throw new Bug(`the result of task ${id} was there and is not any more`) }
