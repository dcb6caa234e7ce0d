import type { WorkerOptions } from 'node:worker_threads'

/**
 * Options of every worker thread. Node's compile cache stays off there, also where the environment asks for it: it would get a file for each
 * module that a session imports anew, and never lose one.
 */
export const WORKER_THREAD = { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } }

/** Options of a worker thread that runs strategies. More memory ends it with ERR_WORKER_OUT_OF_MEMORY. Arrays lie outside of it: see CallWatch. */
export const strategyThread = (memoryLimitMiB: number): Pick<WorkerOptions, 'resourceLimits'> & typeof WORKER_THREAD =>
  ({ ...WORKER_THREAD, resourceLimits: { maxOldGenerationSizeMb: memoryLimitMiB } })

export const isOutOfMemory = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
