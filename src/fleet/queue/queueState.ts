import type { QueueLink } from './link.ts'
import { living, type RunSign, type WorkerSign } from './roster.ts'
import { openQueue } from './runQueue.ts'

/** So many batches of a command are told. */
const SHOWN_MAX = 50

/** What lies in a queue, and who is there. */
export interface QueueState {
  readonly workers: readonly ({ readonly name: string } & WorkerSign)[]
  readonly runs: readonly RunState[]
}

/** A command whose sessions are played. */
export interface RunState extends RunSign {
  readonly name: string
  /** Numbers of batches. */
  readonly waiting: number
  readonly playing: number
  /** The first that are played. */
  readonly batches: readonly BatchState[]
}

export interface BatchState {
  readonly batch: string
  readonly sessions: number
  /** Null where nobody is known. */
  readonly worker: string | null
}

export async function queueState(link: QueueLink): Promise<QueueState> {
  const [workers, runs] = await Promise.all([living(link, 'workers'), living(link, 'runs')])
  const states: RunState[] = []
  for (const { name, sign } of runs) states.push({ name, ...sign, ...await batchesOf(link, name) })
  return { workers: workers.map(({ name, sign }) => ({ name, ...sign })), runs: states }
}

async function batchesOf(link: QueueLink, run: string): Promise<Pick<RunState, 'waiting' | 'playing' | 'batches'>> {
  const queue = openQueue(link, run)
  try {
    const counts = await queue.getJobCounts('wait', 'active')
    const active = await queue.getActive(0, SHOWN_MAX - 1)
    // One that has just ended is nothing.
    const batches = active.filter((job) => job?.id !== undefined).map(({ id, data, processedBy }): BatchState => {
      const { tasks } = (data ?? {}) as { readonly tasks?: unknown }
      return { batch: id!, sessions: Array.isArray(tasks) ? tasks.length : 0, worker: processedBy ?? null }
    })
    return { waiting: counts['wait'] ?? 0, playing: counts['active'] ?? 0, batches }
  } finally {
    await queue.close()
  }
}
