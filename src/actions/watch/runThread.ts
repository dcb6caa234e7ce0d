import type { SettlingProgress } from '../../scenario/chain.ts'
import type { Progress } from '../../scenario/play.ts'
import type { PlayedScenario } from '../../scenario/run.ts'
import { type BegunGeneration, Generation } from '../../result/generation.ts'
import type { Verification } from '../../proof/verify.ts'
import type { Course, Serving } from '../../serve/session/serveThread.ts'
import type { PlayOrder, RunNotice, RunThreadData, VerifyThreadData, WhatIfThreadData } from './run.worker.ts'
import type { Prepared, ScenarioPlayer } from './scenarioPlayer.ts'
import { WatchedThread, type WatchOptions } from './watchedThread.ts'

const WORKER_URL = new URL('./run.worker.ts', import.meta.url)

export interface RunThreadOptions extends WatchOptions {
  readonly data: RunThreadData | VerifyThreadData | WhatIfThreadData
  readonly onProgress: (progress: Progress) => void
  readonly onSettling: (progress: SettlingProgress) => void
  /** Told in a session with clients: they may come, and how it went. */
  readonly onServing?: (serving: Serving) => void
  readonly onServed?: (course: Course) => void
}

/** The thread in which `parlor run`, `parlor whatif` and `parlor verify` play, seen from the thread that watches it. */
export class RunThread implements ScenarioPlayer {
  private readonly thread: WatchedThread<RunNotice>
  private readonly options: RunThreadOptions
  private readonly preparing = Promise.withResolvers<Prepared>()
  private readonly playing = Promise.withResolvers<PlayedScenario>()
  private readonly verifying = Promise.withResolvers<Verification>()
  private importing: BegunGeneration | null = null

  constructor(options: RunThreadOptions) {
    const { data } = options
    this.options = options
    this.thread = new WatchedThread({
      ...options, url: WORKER_URL, isTrusted: data.isTrusted, plays: 'session',
      worker: { workerData: data, transferList: 'origin' in data && data.serve !== undefined ? [data.serve.port, data.serve.livePort] : [] },
      last: ['played', 'verified'], hear: (notice) => { this.hear(notice) }, fail: (error) => { this.fail(error) },
    })
    // Whoever asks first is told. Nobody asks for what comes after a failure.
    this.preparing.promise.catch(() => {})
    this.playing.promise.catch(() => {})
    this.verifying.promise.catch(() => {})
  }

  /** The scenario is read and its strategies are loaded. Throws what its reading throws. */
  get prepared(): Promise<Prepared> {
    return this.preparing.promise
  }

  /** Plays into a folder that is there. Throws a RunFailure or an InputError for what happened in the thread, Interrupted by the signal. */
  play(folder: string): Promise<PlayedScenario> {
    this.thread.post({ folder } satisfies PlayOrder)
    return this.playing.promise
  }

  /** What a thread that verifies has found. Throws as `play`. */
  get verified(): Promise<Verification> {
    return this.verifying.promise
  }

  /** Ends the thread. Of a store that it was writing nothing is left. */
  async close(): Promise<void> {
    const isEnded = await this.thread.close()
    if (isEnded && this.importing !== null) Generation.clear(this.importing)
  }

  private hear(notice: RunNotice): void {
    const { onProgress, onSettling, onServing, onServed } = this.options
    switch (notice.kind) {
      case 'importing':
        this.importing = notice.store
        return
      case 'prepared': return this.preparing.resolve(notice)
      case 'progress': return this.thread.call(() => { onProgress(notice.progress) })
      case 'settling': return this.thread.call(() => { onSettling(notice.progress) })
      case 'serving': return this.thread.call(() => { onServing?.(notice.serving) })
      case 'served': return this.thread.call(() => { onServed?.(notice.course) })
      case 'played': return this.playing.resolve(notice.played)
      case 'verified': this.verifying.resolve(notice.verification)
    }
  }

  private fail(error: Error): void {
    this.preparing.reject(error)
    this.playing.reject(error)
    this.verifying.reject(error)
  }
}
