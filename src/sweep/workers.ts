import { Piscina } from 'piscina'
import { WORKER_THREAD } from '../scenario/workerThread.ts'
import type { SessionAnswer, SessionNotice, SessionOrder } from './session.ts'

const WORKER_URL = new URL('./task.worker.ts', import.meta.url)

/** What became of handing a task to a worker. */
export type Attempt =
  | SessionAnswer
  /** `who`: whose strategy was being called, null where nobody's was. */
  | { readonly kind: 'endless'; readonly who: string | null }
  /** `isBegun`: it was this task that the worker was playing. */
  | { readonly kind: 'died'; readonly who: string | null; readonly message: string; readonly isBegun: boolean }
  | { readonly kind: 'aborted' }

/** One task in a worker, or on its way there. */
class Running {
  readonly controller = new AbortController()
  /** Rejected when a worker dies that was playing nothing, and this task was not begun: it may have been meant for that one. */
  readonly lost = Promise.withResolvers<never>()
  isBegun = false
  isEndless = false
  /** Of a worker that ends itself. */
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

  /** Whose strategy is being called, or was when the worker ended. */
  get who(): string | null {
    return this.called === undefined ? null : this.names[Atomics.load(this.called, 0) - 1] ?? null
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}

/** Worker threads that play tasks and stay warm, each with a limit that it is ended by from outside. */
export class Workers {
  private readonly count: number
  private readonly limitMs: number
  private threads: Piscina | undefined
  /** By the folder of the order. */
  private readonly running = new Map<string, Running>()

  /** @param limitMs of one play, ms of real time from its begin in the worker. */
  constructor(count: number, limitMs: number) {
    this.count = count
    this.limitMs = limitMs
  }

  /** Hands a task to a worker. Precondition: no other order has this one's folder. */
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
