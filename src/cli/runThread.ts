import { Worker } from 'node:worker_threads'
import type { SettlingProgress } from '../scenario/chain.ts'
import { Interrupted, type Progress } from '../scenario/play.ts'
import type { PlayedScenario } from '../scenario/run.ts'
import { type Called, calledIn } from '../engine/calledStrategy.ts'
import { WORKER_THREAD } from '../scenario/workerThread.ts'
import { InputError } from '../unit/inputError.ts'
import { type Failure, ToldFailure } from './failure.ts'
import type { RunNotice, RunOrder, RunThreadData } from './run.worker.ts'

/** A strategy's call, or the loading of its file, that takes longer than this counts as endless. */
export const CALL_LIMIT_MS = 60_000
/** After Ctrl-C the thread ends by itself, unless one call goes on for this long. */
const STOP_MS = 1000
const LOOK_MS = 250

const WORKER_URL = new URL('./run.worker.ts', import.meta.url)

export interface RunThreadOptions extends RunThreadData {
  readonly signal: AbortSignal
  /** The longest call of a strategy, ms of real time. */
  readonly limitMs?: number
  readonly say: (line: string) => void
  readonly onProgress: (progress: Progress) => void
  readonly onSettling: (progress: SettlingProgress) => void
}

interface Prepared {
  readonly hasTables: boolean
  readonly store: string
}

/** The thread in which `parlor run` plays, seen from the thread that watches it. */
export class RunThread {
  private readonly worker: Worker
  private readonly options: RunThreadOptions
  private readonly limitMs: number
  private readonly preparing = Promise.withResolvers<Prepared>()
  private readonly playing = Promise.withResolvers<PlayedScenario>()
  private readonly timer: NodeJS.Timeout
  private readonly onAbort = (): void => {
    this.post('stop')
    // Reading cannot be stopped in good order, and leaves nothing.
    if (this.called === undefined) this.fail(new Interrupted('interrupted'))
  }
  private loading: string | null = null
  private names: readonly string[] = []
  private called: Int32Array | undefined
  /** The pulse when it last moved, and since when it has not, ms. */
  private pulse = -1
  private stillSinceMs = performance.now()

  constructor(options: RunThreadOptions) {
    const { path, overrides, isTrusted, signal } = options
    this.options = options
    this.limitMs = options.limitMs ?? CALL_LIMIT_MS
    this.worker = new Worker(WORKER_URL, { ...WORKER_THREAD, workerData: { path, overrides, isTrusted } satisfies RunThreadData })
    this.worker.on('message', (notice: RunNotice) => { this.hear(notice) })
    this.worker.on('error', (error: NodeJS.ErrnoException) => { this.fail(this.diedOf(error)) })
    this.worker.on('exit', () => { this.fail(this.ended()) })
    // Whoever asks first is told. Nobody asks for what comes after a failure.
    this.preparing.promise.catch(() => {})
    this.playing.promise.catch(() => {})
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

  async close(): Promise<void> {
    clearInterval(this.timer)
    this.options.signal.removeEventListener('abort', this.onAbort)
    this.worker.removeAllListeners('exit')
    await this.worker.terminate()
  }

  private hear(notice: RunNotice): void {
    const { say, onProgress, onSettling } = this.options
    switch (notice.kind) {
      case 'say': return say(notice.line)
      case 'loading':
        this.loading = notice.path
        this.stillSinceMs = performance.now()
        return
      case 'prepared':
        this.names = notice.names
        this.called = notice.called
        return this.preparing.resolve(notice)
      case 'progress': return onProgress(notice.progress)
      case 'settling': return onSettling(notice.progress)
      case 'played': return this.playing.resolve(notice.played)
      case 'interrupted': return this.fail(new Interrupted('interrupted'))
      case 'failed': this.fail(new ToldFailure(notice.failure))
    }
  }

  private fail(error: Error): void {
    this.preparing.reject(error)
    this.playing.reject(error)
  }

  private get now(): Called | null {
    return this.called === undefined ? null : calledIn(this.called, this.names)
  }

  /** Looks whether one call goes on. */
  private look(): void {
    const { now, loading, limitMs, options: { signal } } = this
    const pulse = now?.who == null ? -1 : now.pulse
    if (pulse !== this.pulse || (pulse === -1 && loading === null)) {
      this.pulse = pulse
      this.stillSinceMs = performance.now()
      return
    }
    const stillMs = performance.now() - this.stillSinceMs
    if (signal.aborted && stillMs >= STOP_MS) this.fail(new Interrupted('interrupted'))
    else if (stillMs >= limitMs) this.fail(this.endless())
  }

  private endless(): Error {
    const { now, loading, limitMs } = this
    if (loading !== null) {
      return new InputError(`the strategy does not load: loading did not end within ${limitMs / 1000} s`, {
        position: { file: loading }, hint: 'look outside of `create` for a loop or an await that never ends',
      })
    }
    return strategyTold(now!.who!, `strategy of ${now!.who!} did not return from ${now!.handler} within ${limitMs / 1000} s`)
  }

  private diedOf(error: NodeJS.ErrnoException): Error {
    const { now } = this
    const what = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'ran out of memory' : `ended its thread (${error.message})`
    if (now?.who != null) return strategyTold(now.who, `strategy of ${now.who} ${what} in ${now.handler}`)
    return strategyTold(null, `the thread of the session ${what}${this.loading === null ? '' : ` while it loaded ${this.loading}`}`)
  }

  private ended(): Error {
    const { now, loading } = this
    if (loading !== null) return new InputError('the strategy does not load: it ended its thread', { position: { file: loading } })
    if (now?.who != null) return strategyTold(now.who, `strategy of ${now.who} ended its thread in ${now.handler}`)
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
