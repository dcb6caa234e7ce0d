import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { cpuMs, type WorkReadings } from './workClock.ts'

/** Node has it from 24.6 on. Before, a thread has its share. */
type Asked = Partial<Pick<Worker, 'cpuUsage'>>

/**
 * How long one thread has worked, for a {@link WorkClock}: on a machine with fewer cores than threads, what the others work is no work of this
 * one. A thread answers between two steps of its own code. Within a built-in function it answers nothing, and has its share of what the whole
 * process works until it answers again.
 */
export class ThreadWork implements WorkReadings {
  private readonly thread: Asked
  private readonly threads: () => number
  private readonly processMs: () => number
  private readonly cores: number
  private processWasMs: number
  /** What the thread has worked since it was first asked, as far as is known. */
  private knownMs = 0
  private beganMs: number | null = null
  private isAsking = false
  /** Whether the thread has answered since the last reading. */
  private hasAnswered = false

  /**
   * @param threads how many threads of this process play now, this one among them.
   * @param processMs how long all threads of this process have worked, ms.
   * @param cores how many threads work at once.
   */
  constructor(thread: Asked, threads: () => number = () => 1, processMs = cpuMs, cores = availableParallelism()) {
    this.cores = cores
    this.thread = thread
    this.threads = threads
    this.processMs = processMs
    this.processWasMs = processMs()
    this.ask()
  }

  wallMs(): number {
    return performance.now()
  }

  /** Where the thread answers, what it had worked by the reading before this one. */
  cpuMs(): number {
    const processMs = this.processMs()
    if (!this.hasAnswered) this.knownMs += (processMs - this.processWasMs) / Math.max(1, this.threads())
    this.processWasMs = processMs
    this.hasAnswered = false
    this.ask()
    return this.knownMs
  }

  /** A thread that waits is over its limit later where it could be one that the others let no core. */
  coreShare(): number {
    return Math.min(1, this.cores / Math.max(1, this.threads()))
  }

  private ask(): void {
    if (this.isAsking || this.thread.cpuUsage === undefined) return
    this.isAsking = true
    this.thread.cpuUsage().then(({ user, system }) => {
      const workedMs = (user + system) / 1000
      this.beganMs ??= workedMs - this.knownMs
      // What it was given as its share may be more than it worked: the clock does not go back.
      this.knownMs = Math.max(this.knownMs, workedMs - this.beganMs)
      this.hasAnswered = true
    }, () => {}).finally(() => { this.isAsking = false })
  }
}
