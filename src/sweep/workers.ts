import { Piscina } from 'piscina'
import { calledIn } from '../engine/calledStrategy.ts'
import { WORKER_THREAD } from '../scenario/workerThread.ts'
import type { SessionAnswer, SessionNotice, SessionOrder } from './session.ts'

const WORKER_URL = new URL('./task.worker.ts', import.meta.url)

/** What came of giving a task to a worker. */
export type Attempt =
  | SessionAnswer
  /** `who` is the participant whose strategy was being called, null where none was. */
  | { readonly kind: 'endless'; readonly who: string | null }
  /** `isBegun` says whether the worker was playing this task. */
  | { readonly kind: 'died'; readonly who: string | null; readonly message: string; readonly isBegun: boolean }
  | { readonly kind: 'aborted' }

/** One task in a worker, or on its way there. */
class Running {
  readonly controller = new AbortController()
  /** Rejected when an idle worker dies before this task has begun: the task may have been on its way to that worker. */
  readonly lost = Promise.withResolvers<never>()
  isBegun = false
  isEndless = false
  /** The last answer of a worker that ends itself. */
  last: SessionAnswer | undefined
  private readonly limitMs: number
  private timer: NodeJS.Timeout | undefined
  private names: readonly string[] = []
  private called: Int32Array | undefined

  constructor(limitMs: number) {
    this.limitMs = limitMs
  }

  hear(notice: SessionNotice): void {
    clearTimeout(this.timer)
    if (notice.kind === 'ends') {
      this.last = notice.answer
      return
    }
    if (notice.kind === 'rests') return
    this.isBegun = true
    this.names = notice.names
    this.called = notice.called
    this.timer = setTimeout(() => {
      this.isEndless = true
      this.controller.abort()
    }, this.limitMs)
  }

  /** The participant whose strategy is being called, or was being called when the worker ended. */
  get who(): string | null {
    return this.called === undefined ? null : calledIn(this.called, this.names).who
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}

/** Worker threads that play tasks and stay warm. A worker that exceeds the time limit is ended from outside. */
export class Workers {
  private readonly count: number
  private readonly limitMs: number
  private threads: Piscina | undefined
  /** Running tasks by the folder of their order. */
  private readonly running = new Map<string, Running>()

  /** @param limitMs time limit of one play, ms of real time from its start in the worker. */
  constructor(count: number, limitMs: number) {
    this.count = count
    this.limitMs = limitMs
  }

  /** Gives a task to a worker. Precondition: no other order has the same folder. */
  async attempt(order: SessionOrder): Promise<Attempt> {
    const running = new Running(this.limitMs)
    const { controller: { signal }, lost } = running
    this.running.set(order.folder, running)
    try {
      return await Promise.race([this.workerThreads().run(order, { signal }) as Promise<SessionAnswer>, lost.promise])
    } catch (error) {
      const { who, isBegun, isEndless, last } = running
      if (last !== undefined) return last
      if (isEndless) return { kind: 'endless', who }
      if (signal.aborted) return { kind: 'aborted' }
      running.controller.abort()
      return { kind: 'died', who, isBegun, message: error instanceof Error ? error.message : String(error) }
    } finally {
      running.stop()
      this.running.delete(order.folder)
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
  }

  /** Started when the first task is played. */
  private workerThreads(): Piscina {
    if (this.threads !== undefined) return this.threads
    this.threads = new Piscina({
      ...WORKER_THREAD, filename: WORKER_URL.href, name: 'playTask', minThreads: this.count, maxThreads: this.count, recordTiming: false,
    })
    this.threads.on('message', (notice: SessionNotice) => { this.running.get(notice.folder)?.hear(notice) })
    this.threads.on('error', (cause: Error) => {
      for (const { isBegun, lost } of this.running.values()) if (!isBegun) lost.reject(cause)
    })
    return this.threads
  }
}
