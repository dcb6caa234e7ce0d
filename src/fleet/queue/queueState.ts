import type { Job } from 'bullmq'
import { type Build, buildName } from '../build.ts'
import { type Batch, type BatchAnswer, errorIn } from './batch.ts'
import type { QueueLink } from './link.ts'
import { type RunSign, signsOf, type WorkerSign } from './roster.ts'

const SCAN_COUNT = 1000
/** So many batches of each kind are looked at. */
const SHOWN_MAX = 50

/** What lies in a queue, and who is there. */
export interface QueueState {
  readonly workers: readonly WorkerSign[]
  readonly runs: readonly RunSign[]
  /** One for each build that has left anything. */
  readonly queues: readonly BuildQueue[]
}

export interface BuildQueue {
  readonly name: string
  /** Null where nobody of that build is there. */
  readonly build: Build | null
  /** Numbers of batches. */
  readonly waiting: number
  readonly running: number
  readonly failed: number
  /** The first that run, and those that failed last. */
  readonly batches: readonly BatchState[]
}

export interface BatchState {
  readonly batch: string
  readonly state: 'running' | 'failed'
  readonly sessions: number
  /** Null where nobody is known. */
  readonly worker: string | null
  /** Why it failed, null where it has not. */
  readonly reason: string | null
}

export async function queueState(link: QueueLink): Promise<QueueState> {
  const [workers, runs, names] = await Promise.all([signsOf<WorkerSign>(link, 'worker'), signsOf<RunSign>(link, 'run'), queueNames(link)])
  const builds = new Map([...workers, ...runs].map(({ build }) => [buildName(build), build]))
  const queues: BuildQueue[] = []
  for (const name of names) queues.push(await stateOf(link, name, builds.get(name) ?? null))
  return { workers, runs, queues }
}

/** Builds that have a queue. */
async function queueNames({ redis, address: { prefix } }: QueueLink): Promise<string[]> {
  const found = new Set<string>()
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:tasks-*:meta`, 'COUNT', SCAN_COUNT)
    for (const key of keys) found.add(key.slice(`${prefix}:tasks-`.length, -':meta'.length))
    cursor = next
  } while (cursor !== '0')
  return [...found].toSorted()
}

async function stateOf({ bullmq, redis, address: { prefix } }: QueueLink, name: string, build: Build | null): Promise<BuildQueue> {
  const queue = new bullmq.Queue<Batch, BatchAnswer>(`tasks-${name}`, { connection: redis, prefix })
  try {
    const counts = await queue.getJobCounts('waiting', 'delayed', 'active', 'failed')
    const [active, failed] = await Promise.all([queue.getActive(0, SHOWN_MAX - 1), queue.getFailed(0, SHOWN_MAX - 1)])
    const running = active.map((job): BatchState => ({ ...shown(job), state: 'running', worker: workerOf(job), reason: null }))
    return {
      name, build, waiting: counts['waiting']! + counts['delayed']!, running: counts['active']!, failed: counts['failed']!,
      batches: [...running, ...failed.map((job): BatchState => {
        const error = errorIn(job.failedReason)
        return { ...shown(job), state: 'failed', worker: workerOf(job), reason: error?.message.split('\n', 1)[0] ?? job.failedReason }
      })],
    }
  } finally {
    await queue.close()
  }
}

/** The worker that began a batch last. */
const workerOf = ({ progress }: Job<Batch, BatchAnswer>): string | null => (typeof progress === 'string' ? progress : null)

const shown = (job: Job<Batch, BatchAnswer>): { readonly batch: string; readonly sessions: number } => ({ batch: job.id!, sessions: job.data.tasks.length })
