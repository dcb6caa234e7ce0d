import type { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { CallWatch, type Excess } from '../scenario/callWatch.ts'
import type { CallLimits } from '../scenario/strategyLimits.ts'
import { ThreadWork } from '../scenario/threadWork.ts'
import { LOOK_MS, WorkClock } from '../scenario/workClock.ts'
import { endThread, isOutOfMemory, strategyThread } from '../scenario/workerThread.ts'
import type { SessionAnswer, SessionNotice, SessionOrder } from './session.ts'
import type { Attempt, TaskPlayers } from './taskPlayers.ts'

const WORKER_URL = new URL('./task.worker.ts', import.meta.url)

/** One task in a worker, or on its way there. */
class Running {
  readonly controller = new AbortController()
  /** Rejected when an idle worker dies before this task has begun: the task may have been on its way to that worker. */
  readonly lost = Promise.withResolvers<never>()
  isBegun = false
  isEndless = false
  /** The last answer of a worker that ends itself. */
  last: SessionAnswer | undefined
  /** What a strategy did to be ended. */
  excess: Excess | null = null
  readonly watch: CallWatch
  /** Null before the task has begun. */
  thread: Worker | null = null
  private readonly limitMs: number
  private readonly threadOf: (id: number) => Worker | null
  private readonly threads: () => number
  private looks: NodeJS.Timeout | undefined

  /** @param threads how many threads play now. */
  constructor(limitMs: number, limits: CallLimits, threadOf: (id: number) => Worker | null, threads: () => number) {
    this.limitMs = limitMs
    this.watch = new CallWatch(limits)
    this.threadOf = threadOf
    this.threads = threads
  }

  hear(notice: SessionNotice): void {
    this.stop()
    if (notice.kind === 'ends') {
      this.last = notice.answer
      return
    }
    if (notice.kind === 'rests') return
    this.isBegun = true
    this.watch.begin(notice.calls)
    const thread = this.thread = this.threadOf(notice.thread)
    const clock = new WorkClock(thread === null ? undefined : new ThreadWork(thread, this.threads))
    this.looks = setInterval(() => {
      const nowMs = clock.nowMs()
      this.excess ??= this.watch.look(nowMs, thread)
      this.isEndless = nowMs >= this.limitMs
      if (this.isEndless || this.excess !== null) this.controller.abort()
    }, LOOK_MS)
  }

  stop(): void {
    clearInterval(this.looks)
  }
}

/** Worker threads that play tasks and stay warm. A worker that exceeds the time limit is ended from outside. */
export class Workers implements TaskPlayers {
  private readonly count: number
  private readonly limitMs: number
  private readonly limits: CallLimits
  private readonly isTrusted: boolean
  private threads: Piscina | undefined
  /** Running tasks by the name of their order. */
  private readonly running = new Map<string, Running>()
  /** Threads that were ended from outside, or could not be in time. */
  private readonly endings: Promise<boolean>[] = []

  /** @param limitMs time limit of one play from its start in the worker, ms of a {@link WorkClock}. */
  constructor(count: number, limitMs: number, limits: CallLimits, isTrusted: boolean) {
    this.count = count
    this.limitMs = limitMs
    this.limits = limits
    this.isTrusted = isTrusted
  }

  /** Gives a task to a worker. Precondition: no other order has the same name. */
  async attempt(order: SessionOrder): Promise<Attempt> {
    const running = new Running(this.limitMs, this.limits, (id) => this.threads?.threads.find(({ threadId }) => threadId === id) ?? null, () => this.running.size)
    const { controller: { signal }, lost } = running
    this.running.set(order.name, running)
    try {
      return await Promise.race([this.workerThreads().run(order, { signal }) as Promise<SessionAnswer>, lost.promise])
    } catch (error) {
      const { isBegun, isEndless, last, watch, thread } = running
      if (signal.aborted && thread !== null) this.endings.push(endThread(thread))
      const who = watch.called?.who ?? null
      if (last !== undefined) return last
      const excess = running.excess ?? (isOutOfMemory(error) ? watch.endedForMemory() : null)
      if (excess !== null) return { kind: 'excess', excess }
      if (isEndless) return { kind: 'endless', who }
      if (signal.aborted) return { kind: 'aborted' }
      running.controller.abort()
      return { kind: 'died', who, isBegun, message: error instanceof Error ? error.message : String(error) }
    } finally {
      running.stop()
      this.running.delete(order.name)
    }
  }

  /** Ends all that runs. */
  endAll(): void {
    for (const { controller } of this.running.values()) controller.abort()
  }

  async close(): Promise<void> {
    this.endAll()
    await this.threads?.destroy()
    this.threads = undefined
    await Promise.all(this.endings)
  }

  /** Started when the first task is played. */
  private workerThreads(): Piscina {
    if (this.threads !== undefined) return this.threads
    this.threads = new Piscina({
      ...strategyThread(this.limits.memoryLimitMiB, this.isTrusted), filename: WORKER_URL.href, name: 'playTask', minThreads: this.count, maxThreads: this.count, recordTiming: false,
    })
    this.threads.on('message', (notice: SessionNotice) => { this.running.get(notice.name)?.hear(notice) })
    this.threads.on('error', (cause: Error) => {
      for (const { isBegun, lost } of this.running.values()) if (!isBegun) lost.reject(cause)
    })
    return this.threads
  }
}
