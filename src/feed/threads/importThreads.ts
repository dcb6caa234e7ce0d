import { Worker } from 'node:worker_threads'
import { listOf, roomOf, type RunColumns } from '../store/runColumns.ts'
import { errorOf, type ImportTask, type ImportTasks, type TaskAnswer, TaskDoer, type TaskName } from './importTask.ts'

const WORKER_URL = new URL('./import.worker.ts', import.meta.url)

/** Rows of a piece are young objects, and few of them outlive it: more room for them is more memory, and no less work. */
const YOUNG_MB = 48

interface Waiting {
  readonly task: ImportTask
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** One of several threads, and the task that it does. */
interface Thread {
  readonly worker: Worker
  now: Waiting | null
}

/**
 * Does the tasks of an import: in so many worker threads, which begin when they are needed, or in this one where there is only one. What comes of a
 * task does not depend on that.
 */
export class ImportThreads {
  declare readonly count: number
  private readonly doer = new TaskDoer()
  private readonly threads: Thread[] = []
  private readonly waiting: Waiting[] = []
  /** Memory for the ticks of pieces. */
  private readonly rooms: RunColumns[] = []
  private isClosed = false

  constructor(count: number) {
    this.count = count
  }

  /** Rejects with InputError for a mistake in a file. Tasks begin in the order in which they are given. */
  async run<Name extends TaskName>(name: Name, order: ImportTasks[Name]['order']): Promise<ImportTasks[Name]['result']> {
    if (this.count === 1) return this.doer.do(name, order, this.roomFor(name))
    const { promise, resolve, reject } = Promise.withResolvers<ImportTasks[Name]['result']>()
    this.waiting.push({ task: { name, order }, resolve, reject })
    this.give()
    return promise
  }

  /** Takes memory back in which the ticks of a piece were. */
  giveRoom(ticks: RunColumns): void {
    this.rooms.push(roomOf(ticks))
  }

  /** Ends the threads. Tasks that go on are lost. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  private give(): void {
    while (this.waiting.length > 0 && !this.isClosed) {
      const thread = this.threads.find(({ now }) => now === null) ?? (this.threads.length < this.count ? this.begin() : undefined)
      if (thread === undefined) return
      thread.now = this.waiting.shift()!
      thread.worker.ref()
      const { task } = thread.now
      const room = this.roomFor(task.name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      thread.worker.postMessage({ ...task, room }, room === undefined ? [] : listOf(room).map(({ buffer }) => buffer as ArrayBuffer))
    }
  }

  private roomFor(name: TaskName): RunColumns | undefined {
    if (name === 'piece') return this.rooms.pop()
    this.rooms.length = 0
    return undefined
  }

  private begin(): Thread {
    const thread: Thread = { worker: new Worker(WORKER_URL, { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } }), now: null }
    const over = (settle: (waiting: Waiting) => void): void => {
      const { now } = thread
      thread.now = null
      // Only those who wait keep the process.
      thread.worker.unref()
      if (now !== null) settle(now)
      this.give()
    }
    const died = (error: unknown): void => {
      this.threads.splice(this.threads.indexOf(thread), 1)
      over(({ reject }) => { reject(error) })
    }
    thread.worker.on('message', (answer: TaskAnswer) => {
      over(({ resolve, reject }) => { if ('mistake' in answer) reject(errorOf(answer.mistake)); else resolve(answer.result as never) })
    })
    thread.worker.once('error', died)
    this.threads.push(thread)
    return thread
  }
}
