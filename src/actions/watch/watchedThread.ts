import { Worker, type WorkerOptions } from 'node:worker_threads'
import { CallWatch, type Excess, type WatchedCalls } from '../../scenario/callWatch.ts'
import { type Mistake, ScenarioMistakes } from '../../scenario/mistakes.ts'
import type { CallLimits } from '../../scenario/strategyLimits.ts'
import { ThreadWork } from '../../scenario/threadWork.ts'
import { LOOK_MS, WorkClock } from '../../scenario/workClock.ts'
import { endThread, isOutOfMemory, strategyThread } from '../../scenario/workerThread.ts'
import { Interrupted } from '../../unit/interrupted.ts'
import { InputError, type InputPosition } from '../../unit/inputError.ts'
import { type Failure, RunFailure, toldAs } from '../failure.ts'

/** After Ctrl-C the thread ends by itself, unless one call goes on for this long. */
const STOP_MS = 1000
/** It is also ended when nobody is being called there and it is silent for this long. */
const SILENT_MS = 10_000

/** What every such thread is told when the command is to end. */
export type StopOrder = 'stop'

/** What every such thread tells. */
export type WatchedNotice =
  | { readonly kind: 'say'; readonly line: string }
  /** The strategy file that is being loaded, null for none. */
  | { readonly kind: 'loading'; readonly path: string | null }
  /** Strategies are called from now on. */
  | { readonly kind: 'begins'; readonly calls: WatchedCalls }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** A call that goes on, as `CallWatch` sees it. */
export type PresentCall = CallWatch['called']

/** Who watches, and how long they wait. */
export interface WatchOptions {
  readonly signal: AbortSignal
  readonly limits: CallLimits
  readonly say: (line: string) => void
  /** How long after the signal the thread may take to end by itself, ms. The default is ten seconds. */
  readonly silentMs?: number
}

export interface WatchedThreadTerms<Notice extends { readonly kind: string }> extends WatchOptions {
  readonly url: URL
  readonly worker: Pick<WorkerOptions, 'workerData' | 'transferList'>
  readonly isTrusted: boolean
  /** What is played there. */
  readonly plays: 'session' | 'client'
  readonly hear: (notice: Notice) => void
  /** The kinds of notices with which the thread has done what it was to do. */
  readonly last: readonly Notice['kind'][]
  /** Told each thing that ends the thread. What comes after the first is of no interest. */
  readonly fail: (error: Error) => void
  /** What is said of a thread that did not end by itself after the signal. The default says that nothing was left. */
  readonly unstopped?: (called: PresentCall) => string | undefined
}

/** A thread in which strategies run, seen from the thread that watches it (watchedWork.ts is its other side). */
export class WatchedThread<Notice extends { readonly kind: string }> {
  private readonly worker: Worker
  private readonly terms: WatchedThreadTerms<Notice>
  private readonly watch: CallWatch
  private readonly clock: WorkClock
  private readonly timer: NodeJS.Timeout
  private hasBegun = false
  private loading: string | null = null
  private loadingSinceMs = 0
  private abortedMs = Infinity
  /** What was thrown by whoever is told of the thread. The thread then ends as by the signal, and that is why. */
  private thrown: { readonly error: Error } | null = null
  private readonly onAbort = (): void => {
    if (this.abortedMs < Infinity) return
    this.abortedMs = performance.now()
    this.post('stop' satisfies StopOrder)
    // Reading cannot be stopped in good order.
    if (!this.hasBegun) this.fail(new Interrupted('interrupted'))
  }

  constructor(terms: WatchedThreadTerms<Notice>) {
    const { url, worker, isTrusted, signal, limits } = terms
    this.terms = terms
    this.watch = new CallWatch(limits)
    this.worker = new Worker(url, { ...strategyThread(limits.memoryLimitMiB, isTrusted), ...worker })
    this.clock = new WorkClock(new ThreadWork(this.worker))
    this.worker.on('message', (notice: Notice | WatchedNotice) => { this.hear(notice) })
    this.worker.on('error', (error: Error) => { this.fail(this.diedOf(error)) })
    this.worker.on('exit', () => { this.fail(this.ended()) })
    signal.addEventListener('abort', this.onAbort, { once: true })
    this.timer = setInterval(() => { this.look() }, LOOK_MS)
  }

  post(order: unknown): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.worker.postMessage(order)
  }

  /** Tells somebody of the thread. What is thrown then ends the thread, and nobody is told of it any more. */
  call(tells: () => void): void {
    if (this.thrown !== null) return
    try {
      tells()
    } catch (error) {
      this.thrown = { error: error as Error }
      this.onAbort()
    }
  }

  /** Ends the thread. Returns whether it has ended in time: some built-in functions cannot be stopped. */
  async close(): Promise<boolean> {
    clearInterval(this.timer)
    this.terms.signal.removeEventListener('abort', this.onAbort)
    this.worker.removeAllListeners('exit')
    // What cannot be stopped must not keep this thread from saying who called it.
    const isEnded = await endThread(this.worker)
    this.worker.unref()
    return isEnded
  }

  private hear(notice: Notice | WatchedNotice): void {
    const { say, hear, last } = this.terms
    const told = notice as WatchedNotice
    switch (told.kind) {
      case 'say': return this.call(() => { say(told.line) })
      case 'loading':
        this.loading = told.path
        this.loadingSinceMs = this.clock.nowMs()
        return
      case 'begins':
        this.hasBegun = true
        return this.watch.begin(told.calls)
      case 'interrupted': return this.fail(new Interrupted('interrupted'))
      case 'failed': return this.fail(errorOf(told.failure))
      default:
        if (this.thrown !== null && last.includes(notice.kind)) this.fail(this.thrown.error)
        else hear(notice as Notice)
    }
  }

  private fail(error: Error): void {
    this.terms.fail(this.thrown?.error ?? error)
  }

  /** Looks whether a strategy takes more time or memory than it may. */
  private look(): void {
    const { watch, loading, abortedMs, terms: { unstopped, silentMs = SILENT_MS, limits: { callLimitMs } } } = this
    const nowMs = this.clock.nowMs()
    const excess = watch.look(nowMs, this.worker)
    const stillMs = loading === null ? watch.stillMs : nowMs - this.loadingSinceMs
    if (abortedMs < Infinity && (stillMs >= STOP_MS || performance.now() - abortedMs >= silentMs)) this.fail(new Interrupted(unstopped?.(watch.called) ?? watch.interruption(loading)))
    else if (excess !== null) this.fail(this.exceeded(excess))
    else if (loading !== null && stillMs >= callLimitMs) {
      this.fail(new InputError(`the strategy does not load: loading did not end within ${callLimitMs / 1000} s`, {
        position: { file: loading }, hint: 'look outside of `create` for a loop or an await that never ends',
      }))
    }
  }

  private exceeded({ who, message }: Excess): RunFailure {
    const { called } = this.watch
    return strategyTold(who, message, called?.who === who ? called.handler : undefined)
  }

  private diedOf(error: Error): Error {
    const { watch, loading, terms: { plays } } = this
    if (isOutOfMemory(error)) {
      const excess: Excess | null = watch.endedForMemory()
      if (excess !== null) return this.exceeded(excess)
    } else if (watch.called !== null) return strategyTold(watch.called.who, `strategy of ${watch.called.who} ended its thread (${error.message}) in ${watch.called.handler}`, watch.called.handler)
    const what = isOutOfMemory(error) ? 'ran out of memory' : `ended (${error.message})`
    if (loading !== null) return new InputError(`the strategy does not load: its thread ${what}`, { position: { file: loading } })
    return strategyTold(null, `the thread of the ${plays} ${what}`)
  }

  private ended(): Error {
    const { loading, watch: { called }, terms: { plays } } = this
    if (loading !== null) return new InputError('the strategy does not load: it ended its thread', { position: { file: loading } })
    if (called !== null) return strategyTold(called.who, `strategy of ${called.who} ended its thread in ${called.handler}`, called.handler)
    return strategyTold(null, `the thread of the ${plays} ended before the ${plays}`)
  }
}

function strategyTold(who: string | null, message: string, handler?: string): RunFailure {
  return new RunFailure({
    kind: 'strategy', ...(who === null ? {} : { participant: who }), ...(handler === undefined ? {} : { handler }), text: `error: ${message}`,
    json: { error: { kind: 'strategy', message, ...(who === null ? {} : { who }) } },
  })
}

/** The error that another thread told of: mistakes of the user as those, and all else as a failure. */
function errorOf(failure: Failure): Error {
  if (failure.kind !== 'input') return new RunFailure(failure)
  const { message, mistakes, ...options } = failure.json.error as { readonly message: string; readonly position?: InputPosition; readonly hint?: string; readonly mistakes?: readonly Mistake[] }
  return toldAs(mistakes === undefined ? new InputError(message, options) : new ScenarioMistakes(mistakes), failure)
}
