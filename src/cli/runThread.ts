import { Worker } from 'node:worker_threads'
import type { SettlingProgress } from '../scenario/chain.ts'
import { Interrupted, type Progress } from '../scenario/play.ts'
import type { PlayedScenario } from '../scenario/run.ts'
import { type BegunGeneration, Generation } from '../result/generation.ts'
import { CallWatch, type Excess } from '../scenario/callWatch.ts'
import type { CallLimits } from '../scenario/strategyLimits.ts'
import type { Verification } from '../scenario/verify.ts'
import { ThreadWork } from '../scenario/threadWork.ts'
import { LOOK_MS, WorkClock } from '../scenario/workClock.ts'
import { endThread, isOutOfMemory, strategyThread } from '../scenario/workerThread.ts'
import { InputError } from '../unit/inputError.ts'
import type { Course, Serving } from '../serve/session/serveThread.ts'
import { type Failure, ToldFailure } from './failure.ts'
import type { RunNotice, RunOrder, RunThreadData, VerifyThreadData } from './run.worker.ts'

/** After Ctrl-C the thread ends by itself, unless one call goes on for this long. */
const STOP_MS = 1000
/** It is also ended when nobody is being called there and it is silent for this long. */
const SILENT_MS = 10_000

const WORKER_URL = new URL('./run.worker.ts', import.meta.url)

export interface RunThreadOptions {
  readonly data: RunThreadData | VerifyThreadData
  readonly signal: AbortSignal
  readonly limits: CallLimits
  readonly say: (line: string) => void
  readonly onProgress: (progress: Progress) => void
  readonly onSettling: (progress: SettlingProgress) => void
  /** Told in a session with clients: they may come, and how it went. */
  readonly onServing?: (serving: Serving) => void
  readonly onServed?: (course: Course) => void
  /** How long after the signal the thread may take to end by itself, ms. The default is ten seconds. */
  readonly silentMs?: number
}

interface Prepared {
  readonly hasTables: boolean
  readonly store: string
}

/** The thread in which `parlor run` and `parlor verify` play, seen from the thread that watches it. */
export class RunThread {
  private readonly worker: Worker
  private readonly options: RunThreadOptions
  private readonly watch: CallWatch
  private readonly preparing = Promise.withResolvers<Prepared>()
  private readonly playing = Promise.withResolvers<PlayedScenario>()
  private readonly verifying = Promise.withResolvers<Verification>()
  private readonly timer: NodeJS.Timeout
  private readonly onAbort = (): void => {
    this.abortedMs = performance.now()
    this.post('stop')
    // Reading cannot be stopped in good order. Of a store that it was writing, `close` leaves nothing.
    if (!this.hasBegun) this.fail(new Interrupted('interrupted'))
  }
  private hasBegun = false
  private loading: string | null = null
  private readonly clock: WorkClock
  private loadingSinceMs = 0
  private abortedMs = Infinity
  private importing: BegunGeneration | null = null

  constructor(options: RunThreadOptions) {
    const { data, signal, limits } = options
    this.options = options
    this.watch = new CallWatch(limits)
    this.worker = new Worker(WORKER_URL, {
      ...strategyThread(limits.memoryLimitMiB, data.isTrusted), workerData: data, transferList: 'path' in data && data.serve !== undefined ? [data.serve.port, data.serve.livePort] : [],
    })
    this.clock = new WorkClock(new ThreadWork(this.worker))
    this.worker.on('message', (notice: RunNotice) => { this.hear(notice) })
    this.worker.on('error', (error: NodeJS.ErrnoException) => { this.fail(this.diedOf(error)) })
    this.worker.on('exit', () => { this.fail(this.ended()) })
    // Whoever asks first is told. Nobody asks for what comes after a failure.
    this.preparing.promise.catch(() => {})
    this.playing.promise.catch(() => {})
    this.verifying.promise.catch(() => {})
    signal.addEventListener('abort', this.onAbort, { once: true })
    this.timer = setInterval(() => { this.look() }, LOOK_MS)
  }

  /** The scenario is read and its strategies are loaded. Throws what its reading throws. */
  get prepared(): Promise<Prepared> {
    return this.preparing.promise
  }

  /** Plays into a folder that is there. Throws a ToldFailure for what happened in the thread, Interrupted by the signal. */
  play(folder: string): Promise<PlayedScenario> {
    this.post({ folder })
    return this.playing.promise
  }

  /** What a thread that verifies has found. Throws as `play`. */
  get verified(): Promise<Verification> {
    return this.verifying.promise
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    this.options.signal.removeEventListener('abort', this.onAbort)
    this.worker.removeAllListeners('exit')
    // What cannot be stopped must not keep this thread from saying who called it.
    const isEnded = await endThread(this.worker)
    this.worker.unref()
    if (isEnded && this.importing !== null) Generation.clear(this.importing)
  }

  private hear(notice: RunNotice): void {
    const { say, onProgress, onSettling, onServing, onServed } = this.options
    switch (notice.kind) {
      case 'say': return say(notice.line)
      case 'loading':
        this.loading = notice.path
        this.loadingSinceMs = this.clock.nowMs()
        return
      case 'importing':
        this.importing = notice.store
        return
      case 'begins':
        this.hasBegun = true
        return this.watch.begin(notice.calls)
      case 'prepared': return this.preparing.resolve(notice)
      case 'progress': return onProgress(notice.progress)
      case 'settling': return onSettling(notice.progress)
      case 'serving': return onServing?.(notice.serving)
      case 'served': return onServed?.(notice.course)
      case 'played': return this.playing.resolve(notice.played)
      case 'verified': return this.verifying.resolve(notice.verification)
      case 'interrupted': return this.fail(new Interrupted('interrupted'))
      case 'failed': this.fail(new ToldFailure(notice.failure))
    }
  }

  private fail(error: Error): void {
    this.preparing.reject(error)
    this.playing.reject(error)
    this.verifying.reject(error)
  }

  /** Looks whether a strategy takes more time or memory than it may. */
  private look(): void {
    const { watch, loading, abortedMs, options: { signal, silentMs = SILENT_MS, limits: { callLimitMs } } } = this
    const nowMs = this.clock.nowMs()
    const excess = watch.look(nowMs, this.worker)
    const stillMs = loading === null ? watch.stillMs : nowMs - this.loadingSinceMs
    if (signal.aborted && (stillMs >= STOP_MS || performance.now() - abortedMs >= silentMs)) this.fail(new Interrupted('interrupted'))
    else if (excess !== null) this.fail(strategyTold(excess.who, excess.message))
    else if (loading !== null && stillMs >= callLimitMs) {
      this.fail(new InputError(`the strategy does not load: loading did not end within ${callLimitMs / 1000} s`, {
        position: { file: loading }, hint: 'look outside of `create` for a loop or an await that never ends',
      }))
    }
  }

  private diedOf(error: Error): Error {
    const { watch, loading } = this
    if (isOutOfMemory(error)) {
      const excess: Excess | null = watch.endedForMemory()
      if (excess !== null) return strategyTold(excess.who, excess.message)
    } else if (watch.called !== null) return strategyTold(watch.called.who, `strategy of ${watch.called.who} ended its thread (${error.message}) in ${watch.called.handler}`)
    const what = isOutOfMemory(error) ? 'ran out of memory' : `ended (${error.message})`
    if (loading !== null) return new InputError(`the strategy does not load: its thread ${what}`, { position: { file: loading } })
    return strategyTold(null, `the thread of the session ${what}`)
  }

  private ended(): Error {
    const { loading, watch: { called } } = this
    if (loading !== null) return new InputError('the strategy does not load: it ended its thread', { position: { file: loading } })
    if (called !== null) return strategyTold(called.who, `strategy of ${called.who} ended its thread in ${called.handler}`)
    return strategyTold(null, 'the thread of the session ended before the session')
  }

  private post(order: RunOrder): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.worker.postMessage(order)
  }
}

function strategyTold(who: string | null, message: string): ToldFailure {
  const failure: Failure = { exitCode: 1, text: `error: ${message}`, json: { error: { kind: 'strategy', message, ...(who === null ? {} : { who }) } } }
  return new ToldFailure(failure)
}
