import { Worker } from 'node:worker_threads'
import { Interrupted } from '../unit/interrupted.ts'
import type { Role, Strategy, StrategyImport } from '../scenario/strategies.ts'
import { type CallLimits, DEFAULT_CALL_LIMITS } from '../scenario/strategyLimits.ts'
import { ThreadWork } from '../scenario/threadWork.ts'
import { LOOK_MS, WorkClock } from '../scenario/workClock.ts'
import { endThread, isOutOfMemory, strategyThread } from '../scenario/workerThread.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import type { StrategyAnswer, StrategyOrder } from './strategyReader.worker.ts'

const WORKER_URL = new URL('./strategyReader.worker.ts', import.meta.url)

export interface StrategyReaderOptions {
  /** The limits of the loading of one file, by default those of a scenario. */
  readonly limits?: CallLimits
  /** The time that a session may take, ms of a WorkClock: a file does not take longer to load. */
  readonly limitMs?: number
  readonly signal?: AbortSignal | undefined
  /** Whether files run as any module of Node does, and in no room. */
  readonly isTrusted?: boolean
  /** Whether the handlers of each strategy are made too, so that those that there are not are refused. */
  readonly isCreated?: boolean
}

/**
 * Reads what strategy files declare without running any of their code in this thread. A file that never finishes loading is ended from
 * outside, and signals are handled meanwhile. The strategies that it gives have a role, parameters and what is said about them, and cannot be played.
 */
export class StrategyReader {
  private readonly limitMs: number
  private readonly memoryLimitMiB: number
  private readonly signal: AbortSignal | undefined
  private readonly isTrusted: boolean
  private readonly isCreated: boolean
  private worker: Worker | undefined
  /** One file after the other. */
  private last: Promise<unknown> = Promise.resolve()

  constructor({ limits = DEFAULT_CALL_LIMITS, limitMs = Infinity, signal, isTrusted = false, isCreated = false }: StrategyReaderOptions = {}) {
    this.limitMs = Math.min(limits.callLimitMs, limitMs)
    this.memoryLimitMiB = limits.memoryLimitMiB
    assert(this.limitMs > 0, 'a file has some time to load')
    this.signal = signal
    this.isTrusted = isTrusted
    this.isCreated = isCreated
  }

  /** Throws InputError for a file that does not load in time or at all, or has no strategy for the role. Throws Interrupted by the signal. */
  readonly read: StrategyImport = (path, role) => {
    const answer = this.last.then(() => this.answerTo(path, role))
    this.last = answer.catch(() => {})
    return answer
  }

  async close(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    if (worker !== undefined) await endThread(worker)
  }

  private async answerTo(path: string, role: Role | undefined): Promise<Strategy> {
    if (this.signal?.aborted) throw new Interrupted('interrupted')
    const worker = (this.worker ??= new Worker(WORKER_URL, strategyThread(this.memoryLimitMiB, this.isTrusted)))
    const answer = Promise.withResolvers<StrategyAnswer>()
    const fail = (error: Error): void => { answer.reject(error) }
    const unloadable = (why: string): void => { fail(new InputError(`the strategy does not load: ${why}`, { position: { file: path } })) }
    const onExit = (): void => { unloadable('it ended its thread') }
    const onError = (error: Error): void => { unloadable(isOutOfMemory(error) ? 'it ran out of memory' : error.message) }
    const onAbort = (): void => { fail(new Interrupted('interrupted')) }
    const onLimit = (): void => {
      fail(new InputError(`the strategy does not load: loading did not end within ${this.limitMs / 1000} s`, {
        position: { file: path }, hint: 'look outside of `create` for a loop or an await that never ends',
      }))
    }
    const clock = new WorkClock(new ThreadWork(worker))
    let looks: NodeJS.Timeout | undefined
    const onMessage = (message: StrategyAnswer | 'begins'): void => {
      if (message !== 'begins') return answer.resolve(message)
      const untilMs = clock.nowMs() + this.limitMs
      looks = setInterval(() => { if (clock.nowMs() >= untilMs) onLimit() }, LOOK_MS)
    }
    worker.ref()
    worker.on('message', onMessage).once('exit', onExit).once('error', onError)
    this.signal?.addEventListener('abort', onAbort)
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ path, role, isTrusted: this.isTrusted, isCreated: this.isCreated } satisfies StrategyOrder)
      return strategyIn(await answer.promise)
    } catch (error) {
      // Also after a mistake in the file: what it left running must not reach the next file.
      await this.close()
      throw error
    } finally {
      clearInterval(looks)
      worker.off('message', onMessage).off('exit', onExit).off('error', onError)
      this.signal?.removeEventListener('abort', onAbort)
      worker.unref()
    }
  }
}

/** A strategy that was read elsewhere, and cannot be played. Throws InputError for a file that has none. */
export function strategyIn(answer: StrategyAnswer): Strategy {
  if ('message' in answer) {
    const { message, position, hint } = answer
    throw new InputError(message, { ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }) })
  }
  const create = (): never => assert(false, 'a strategy that was only read is not played') as never
  const { role, parameters, about } = answer
  return { role, parameters, create, ...(about === undefined ? {} : { about }), ...(answer.isTrusted ? { isTrusted: true } : {}) } as Strategy
}
