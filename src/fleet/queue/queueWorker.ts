import type { Job, Worker } from 'bullmq'
import { isFromSystem } from '../../result/failures.ts'
import type { TaskFailure } from '../../sweep/task.ts'
import { InputError } from '../../unit/inputError.ts'
import { Interrupted } from '../../unit/interrupted.ts'
import { buildDifference, ownBuild } from '../build.ts'
import { type Batch, type BatchAnswer, answerText, batchIn, markOf, tasksOf } from './batch.ts'
import { Stage, type StageOptions } from './stage.ts'
import { BATCH_MS } from './handout.ts'
import { type QueueLink, within } from './link.ts'
import { BEAT_MS, KEPT_MS, LEFT_MS, forget, LIFE_MS, LifeSign, processName, seen } from './roster.ts'
import { answersKey, clearRun, queueName } from './runQueue.ts'

/** How long a worker waits that found nothing to play, the first time and at most. */
const IDLE_MS = 25
const IDLE_MS_MAX = 250
/** Who stops plays what is begun to its end for so long, and breaks it off then. */
const DRAIN_MS = 20_000
const CLOSE_MS = 2000
/** Threads of so many commands stay warm. */
const STAGES_MAX = 4

export interface QueueWorkerOptions extends Omit<StageOptions, 'build'> {
  /** Whether commands may have their strategy files run as any module of Node does. */
  readonly isTrusted: boolean
  /** No further session is begun, and those that are being played are played to their end. */
  readonly signal: AbortSignal
}

export interface WorkedQueue {
  readonly worker: string
  readonly batches: number
  readonly sessions: number
  readonly failed: number
  /** How long it had a batch in work, summed over its threads, s. */
  readonly seconds: number
}

/** A command that this worker plays for. */
interface Run {
  readonly name: string
  readonly queue: Worker
  /** Null before its first batch. */
  stage: Stage | null
  /** Batches of it that are played. */
  busy: number
  usedMs: number
  /** Nothing more of it is begun. */
  isLeft: boolean
}

type Answered = BatchAnswer extends infer A ? A extends unknown ? Omit<A, 'version' | 'batch' | 'worker'> : never : never

/** Plays batches of any commands in threads of this process, until the signal. */
export class QueueWorker {
  private readonly link: QueueLink
  private readonly options: QueueWorkerOptions
  private readonly build = ownBuild()
  private readonly name = processName()
  private readonly runs = new Map<string, Run>()
  /** Commands of which this worker plays nothing. */
  private readonly refused = new Set<string>()
  /** By batch: what is begun and not answered. */
  private readonly playing = new Map<string, Promise<void>>()
  /** Of what is being played. */
  private readonly answers = new Set<Promise<Answered>>()
  private readonly counts = { batches: 0, sessions: 0, failed: 0, seconds: 0 }
  private readonly stopped = Promise.withResolvers<void>()
  private isStopping = false
  private fault: unknown = null
  /** A batch is taken that is played alone. */
  private isAlone = false
  private turn = 0
  private looking: Promise<void> | null = null
  /** When the signs of dead workers were last cleared away. */
  private clearedMs = -LEFT_MS
  private wake = (): void => {}

  constructor(link: QueueLink, options: QueueWorkerOptions) {
    this.link = link
    this.options = options
  }

  /** Throws InputError for what the server refuses. */
  async work(): Promise<WorkedQueue> {
    const { link, options: { threads, signal, say } } = this
    const onAbort = (): void => { this.stop() }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) this.stop()
    const sign = new LifeSign(link, {
      kind: 'workers', name: this.name, fault: (error) => { this.fail(error) },
      sign: () => ({ build: this.build, threads, played: this.counts.sessions, batches: [...this.playing.keys()] }),
    })
    const looks = setInterval(() => { this.look() }, BEAT_MS)
    sign.tell().catch((error: unknown) => { this.fail(error) })
    this.look()
    void this.takeAll().catch((error: unknown) => { this.fail(error) })
    await this.stopped.promise
    signal.removeEventListener('abort', onAbort)
    clearInterval(looks)
    if (this.playing.size > 0 && this.fault === null) say(`stopping: what is begun is played to its end, for ${DRAIN_MS / 1000} s at most`)
    await within(this.fault === null ? DRAIN_MS : 0, this.allPlayed())
    // Sessions that are broken off are answered as not played. Nobody may be there to hear it.
    await within(CLOSE_MS, Promise.all([...this.runs.values()].map(({ stage }) => stage?.close())))
    await within(CLOSE_MS, Promise.allSettled(this.playing.values()))
    await sign.end()
    await within(CLOSE_MS, Promise.all([...this.runs.values()].map(({ queue }) => queue.close(true))))
    if (this.fault !== null) throw this.fault
    return { worker: this.name, ...this.counts }
  }

  /** Of what is begun now. */
  private allPlayed(): Promise<unknown> {
    return Promise.allSettled(this.answers)
  }

  private stop(): void {
    this.isStopping = true
    this.wake()
    this.stopped.resolve()
  }

  /** That the server does not answer, its connection tells, and everything goes on when it does. Anything else ends this worker. */
  private fail(error: unknown): void {
    if (this.isStopping || this.link.isAway(error)) return
    this.fault = this.link.told(error)
    this.stop()
  }

  private async takeAll(): Promise<void> {
    let idleMs = IDLE_MS
    while (!this.isStopping) {
      const isFull = this.isAlone || this.playing.size >= this.options.threads
      const isTaken = !isFull && await this.take()
      idleMs = isTaken ? IDLE_MS : Math.min(2 * idleMs, IDLE_MS_MAX)
      // Who has nothing to do sees soon that a command has begun.
      if (this.runs.size === 0 && idleMs === IDLE_MS_MAX) this.look()
      if (!isTaken) await this.pause(idleMs)
    }
  }

  /** Waits, or until a batch has ended. */
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Takes a batch of the command whose turn it is, or of the next that has one. Returns whether there was any. */
  private async take(): Promise<boolean> {
    const runs = [...this.runs.values()].filter(({ isLeft }) => !isLeft)
    for (let i = 0; i < runs.length; i++) {
      const run = runs[(this.turn + i) % runs.length]!
      try {
        const job = await run.queue.getNextJob(this.name, { block: false }) as Job | undefined
        if (job?.id === undefined) continue
        this.turn = (this.turn + i + 1) % runs.length
        this.begin(run, job, job.id)
        return true
      } catch (error) {
        if (this.isStopping || this.link.isAway(error)) return false
        if (this.link.isRefusal(error)) throw error
        // BullMQ cannot read what somebody put there.
        this.refuse(run, error instanceof Error ? error.message : String(error))
      }
    }
    return false
  }

  private begin(run: Run, job: Job, id: string): void {
    run.busy++
    run.usedMs = performance.now()
    const others = this.allPlayed()
    const batch = batchIn(job.data)
    if (batch?.isAlone === true) this.isAlone = true
    const answering = this.answerOf(run, batch, job, others)
    this.answers.add(answering)
    const played = answering.finally(() => { this.answers.delete(answering) }).then((answer) => this.tell(run, job, { version: 1, batch: id, worker: this.name, ...answer }))
      .catch((error: unknown) => { this.fail(error) })
      .finally(() => {
        run.busy--
        if (run.isLeft) this.leave(run)
        this.playing.delete(id)
        if (batch?.isAlone === true) this.isAlone = false
        this.wake()
      })
    this.playing.set(id, played)
  }

  /** What there is to say of a batch. Whatever is wrong is said, and by whom. */
  private async answerOf(run: Run, batch: Batch | null, job: Job, others: Promise<unknown>): Promise<Answered> {
    const refuse = (message: string): Answered => {
      this.refuse(run, message)
      return { kind: 'refused', message }
    }
    if (batch === null) return refuse('a batch has another shape than those of this version')
    if (batch.terms.isTrusted && !this.options.isTrusted) return refuse('the command asks for strategy files to run as programs (--trusted), which this worker was not started with')
    try {
      if (batch.isAlone) await others
      return await this.played(run, batch, job)
    } catch (error) {
      if (error instanceof InputError) return refuse(error.describe())
      if (isFromSystem(error)) return refuse((error as Error).message)
      return { kind: 'bug', message: error instanceof Error ? error.stack ?? error.message : String(error) }
    }
  }

  private async played(run: Run, batch: Batch, job: Job): Promise<Answered> {
    const failures: TaskFailure[] = []
    const beganMs = performance.now()
    let played = 0
    try {
      for (const task of tasksOf(batch)) {
        // What is left is somebody else's: a batch takes as long as people wait for it, and who stops plays a session to its end and no more.
        if (this.isStopping || (played > 0 && performance.now() - beganMs > BATCH_MS)) break
        // Should this process die, it is known over what. A batch that was given to another meanwhile is not this worker's any more.
        if (batch.isAlone && !await this.isStillThere(job.updateProgress(markOf(played)))) break
        const outcome = await this.stageOf(run, batch).play(task)
        if ('failure' in outcome) failures.push(outcome.failure)
        played++
      }
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
    }
    this.counts.batches++
    this.counts.sessions += played
    this.counts.failed += failures.length
    const ms = performance.now() - beganMs
    this.counts.seconds += ms / 1000
    return { kind: 'played', played, ms, failures }
  }

  /** Nothing of a command is played any more. */
  private refuse(run: Run, message: string): void {
    if (this.refused.has(run.name)) return
    this.refused.add(run.name)
    this.options.say(`refused: ${run.name} asks for what this worker cannot play: ${message}`)
    this.leave(run)
  }

  /** The answer is there before the batch is gone, so that a batch without either was never answered. */
  private async tell(run: Run, job: Job, answer: BatchAnswer): Promise<void> {
    const key = answersKey(this.link, run.name)
    await this.link.redis.rpush(key, answerText(answer))
    await this.link.redis.pexpire(key, KEPT_MS)
    await this.isStillThere(job.moveToCompleted(null, this.name, false))
  }

  /** Whether a batch was there to be changed: BullMQ throws for one that is gone. Throws what the server refuses. */
  private async isStillThere(change: Promise<unknown>): Promise<boolean> {
    try {
      await change
      return true
    } catch (error) {
      if (this.link.isRefusal(error)) throw error
      return false
    }
  }

  private stageOf(run: Run, { terms }: Batch): Stage {
    if (run.stage !== null) return run.stage
    const { options: { threads, tasksDir, results, sandbox, say }, build } = this
    const idle = [...this.runs.values()].filter(({ stage, busy }) => stage !== null && busy === 0).toSorted((a, b) => a.usedMs - b.usedMs)
    for (const other of idle.slice(0, Math.max(0, idle.length + 1 - STAGES_MAX))) closeStage(other)
    return run.stage = new Stage(terms, { build, threads, say, ...(sandbox === undefined ? {} : { sandbox }), ...(results === undefined ? {} : { results }), ...(tasksDir === undefined ? {} : { tasksDir }) })
  }

  private look(): void {
    if (!this.link.isReady) return
    this.looking ??= this.lookAtRuns().catch((error: unknown) => { this.fail(error) }).finally(() => { this.looking = null })
  }

  /** Sees which commands ask for sessions, and clears away what the dead left. */
  private async lookAtRuns(): Promise<void> {
    const alive = new Set<string>()
    for (const { name, sign: { build }, agoMs } of await seen(this.link, 'runs')) {
      if (agoMs > LEFT_MS) await clearRun(this.link, name)
      if (agoMs >= LIFE_MS) continue
      alive.add(name)
      if (this.runs.has(name) || this.refused.has(name)) continue
      const difference = buildDifference(build, this.build)
      if (difference === '') this.runs.set(name, this.joined(name))
      else {
        this.refused.add(name)
        this.options.say(`refused: ${name} asks for sessions of ${difference}; this worker plays none of them`)
      }
    }
    for (const run of this.runs.values()) if (!alive.has(run.name)) this.leave(run)
    for (const name of this.refused) if (!alive.has(name)) this.refused.delete(name)
    // There may be a thousand workers, and each looks.
    if (performance.now() - this.clearedMs < LEFT_MS) return
    this.clearedMs = performance.now()
    for (const { name, agoMs } of await seen(this.link, 'workers')) if (agoMs > LEFT_MS) await forget(this.link, 'workers', name)
  }

  private joined(name: string): Run {
    const { bullmq, redis, address: { prefix } } = this.link
    // Who lives is told by signs, and the command alone decides what becomes of a batch: the lock of a batch outlives every play.
    const queue = new bullmq.Worker(queueName(name), null, { connection: redis, prefix, name: this.name, autorun: false, lockDuration: KEPT_MS, skipStalledCheck: true, skipVersionCheck: true })
    queue.on('error', () => {})
    return { name, queue, stage: null, busy: 0, usedMs: 0, isLeft: false }
  }

  /** Begins nothing more of a command. What is begun is played to its end. */
  private leave(run: Run): void {
    run.isLeft = true
    if (run.busy > 0) return
    this.runs.delete(run.name)
    void within(CLOSE_MS, run.queue.close(true))
    closeStage(run)
  }
}

function closeStage(run: Run): void {
  const { stage } = run
  run.stage = null
  void stage?.close().catch(() => {})
}
