import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Worker, WorkerOptions } from 'node:worker_threads'

/** A thread that is being ended has this long. */
const END_MS = 2000
/** Threads that were told to end and have not. */
const ending = new Set<Worker>()

/**
 * Options of every worker thread. Node's compile cache stays off there, also where the environment asks for it: it would get a file for each
 * module that a session imports anew, and never lose one.
 */
export const WORKER_THREAD = { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } }

/**
 * Options of a worker thread that runs strategies, for threads that begin before the next call of this function. More memory ends it with
 * ERR_WORKER_OUT_OF_MEMORY. Arrays lie outside of it: see CallWatch. In the realm of the thread itself no text becomes code unless all
 * strategies are trusted: a strategy that left its room would find no way to Node by `Function`.
 */
export function strategyThread(memoryLimitMiB: number, isTrusted: boolean): Pick<WorkerOptions, 'resourceLimits'> & typeof WORKER_THREAD {
  // V8 reads it when a realm is made. The realm of this thread stays as it is.
  setFlagsFromString(`--${isTrusted ? 'no-' : ''}disallow-code-generation-from-strings`)
  return { ...WORKER_THREAD, resourceLimits: { maxOldGenerationSizeMb: memoryLimitMiB } }
}

/**
 * Ends a thread. Returns whether it has ended in time: V8 stops no built-in function before that one returns, and some of them go over as many
 * elements as an array may have.
 */
export function endThread(thread: Worker): Promise<boolean> {
  ending.add(thread)
  const isEnded = thread.terminate().then(() => {
    ending.delete(thread)
    return true
  })
  return Promise.race([isEnded, setTimeout(END_MS, false, { ref: false })])
}

/** Whether a thread was told to end and still runs. */
export const isThreadLeft = (): boolean => ending.size > 0

export const isOutOfMemory = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
