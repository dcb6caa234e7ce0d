import type { Queue } from 'bullmq'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bug } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import { type Build, buildDifference } from '../build.ts'
import { answerIn, type BatchAnswer, batchOf, begunOf, type PlayTerms, type QueuedTask } from './batch.ts'
import { type Ending, type Given, Handout } from './handout.ts'
import { type QueueLink, within } from './link.ts'
import { LIFE_MS, living, type Seen, type Told, type WorkerSign } from './roster.ts'
import { answersKey, clearRun, openQueue } from './runQueue.ts'

/** So often it is looked who lives, and what has become of batches of which nothing is heard. */
const LOOK_MS = 2000
/** A look that took so long, or came so late, says nothing of who died: the server or this process stood still. */
const STILL_MS = 3 * LOOK_MS
/** So many batches are looked for at a time. */
const LOOKED_MAX = 200
/** A batch that nobody plays is looked for when nothing was heard of it for so long. */
const SILENT_MS = 3000
/** A worker whose batch is played alone is believed to be dead after so long without a sign: its death counts against a session. */
const ALONE_SILENT_MS = 20_000
/** A worker that lives and took a batch that it does not name for so long has forgotten it. */
const FORGOTTEN_MS = 12_000
/** A batch that is in the queue no more has been answered, and its answer is here within this time. */
const ANSWERING_MS = 2000
/** All workers have refused for so long before it is believed: another may just be starting. */
const REFUSED_MS = 5000
/** Seconds that the server waits for an answer of a worker, before it is asked again. */
const ANSWER_S = 5
/** Tasks that are wanted at about one time lie in one batch. */
const GATHER_MS = 5
const CLOSE_MS = 2000
/** So many lines are kept for those who ask how the command does. */
const TOLD_MAX = 20

export interface DeliveryTerms {
  readonly build: Build
  /** Name of the command. */
  readonly run: string
  readonly terms: PlayTerms
  readonly say: (line: string) => void
}

/** What is known of a batch beside its tasks. */
interface Watch {
  /** When something was last heard of it, ms of this process. */
  heardMs: number
  /** Since when it is nowhere: not in the queue, or with a worker that lives and does not name it. Null where it is somewhere. */
  lostMs: number | null
}

/**
 * Puts tasks into the queue of a command and hears how they ended. Who lives is told by signs alone, by the server's clock, and this process alone
 * decides what follows. What the queue forgets, with its server or between two looks, is put into it again.
 */
export class Deliveries {
  readonly handout: Handout
  /** Workers that play nothing of this command, and why. */
  readonly refusals = new Map<string, string>()
  private readonly link: QueueLink
  private readonly queue: Queue
  private readonly about: DeliveryTerms
  private readonly watches = new Map<string, Watch>()
  private gathering: NodeJS.Timeout | undefined
  private giving: Promise<void> = Promise.resolve()
  private readonly looks: NodeJS.Timeout
  private isLooking = false
  private lookedMs = performance.now()
  /** Since when signs are seen without a break. */
  private steadyMs = performance.now()
  private refusedMs: number | null = null
  /** What was last said of those who are not there. */
  private said = ''
  private isClosed = false

  constructor(link: QueueLink, about: DeliveryTerms) {
    this.link = link
    this.about = about
    this.handout = new Handout(about.run)
    this.queue = openQueue(link, about.run)
    link.redis.on('ready', () => { this.steadyMs = performance.now() })
    void this.listen()
    void this.look()
    this.looks = setInterval(() => { void this.look() }, LOOK_MS)
  }

  get refused(): Told[] {
    return [...this.refusals].slice(-TOLD_MAX).map(([worker, message]) => ({ worker, message }))
  }

  /** Has a task played. Rejects with an InputError that all workers gave, with a Bug, and when nobody waits any more. */
  want(task: QueuedTask): Promise<Ending> {
    const ending = this.handout.want(task)
    this.give()
    return ending
  }

  /** Nobody waits any more. */
  giveUp(error: unknown): void {
    this.handout.stop(this.link.told(error) as Error)
  }

  /** Takes back what no worker has begun. What is being played goes on, and leaves its results. */
  async dropAll(error: Error): Promise<void> {
    const batches = this.handout.clear(error)
    this.watches.clear()
    clearTimeout(this.gathering)
    this.gathering = undefined
    if (!this.link.isReady) return
    await within(CLOSE_MS, this.giving.then(() => Promise.all(batches.map((batch) => this.queue.remove(batch).catch(() => {})))))
  }

  /** The queue of this command goes with it. */
  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.looks)
    clearTimeout(this.gathering)
    if (this.link.isReady) await within(CLOSE_MS, clearRun(this.link, this.about.run))
    await within(CLOSE_MS, this.queue.close())
  }

  private give(): void {
    if (this.isClosed) return
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined
      this.giving = this.giving.then(() => this.giveOut()).catch((error: unknown) => { this.fault(error) })
    }, GATHER_MS)
  }

  private async giveOut(): Promise<void> {
    for (;;) {
      const given = this.handout.next(performance.now())
      if (given === null) return
      await this.put(given)
    }
  }

  private async put({ batch, tasks, isAlone }: Given): Promise<void> {
    this.watches.set(batch, { heardMs: performance.now(), lostMs: null })
    // Suspects come first: the others wait for them at the end.
    await this.queue.add('batch', batchOf(tasks, this.about.terms, isAlone), { jobId: batch, lifo: isAlone, attempts: 1, removeOnComplete: true, removeOnFail: true })
  }

  /** What is wrong with the server ends the command. That it does not answer, the connection tells, and everything goes on when it does. */
  private fault(error: unknown): void {
    if (!this.isClosed && !this.link.isAway(error)) this.giveUp(error)
  }

  private async listen(): Promise<void> {
    const redis = this.link.redis.duplicate()
    const key = answersKey(this.link, this.about.run)
    while (!this.isClosed) {
      try {
        const answer = await redis.blpop(key, ANSWER_S)
        if (answer !== null) this.hear(answerIn(answer[1]))
      } catch (error) {
        if (this.isClosed) return
        this.fault(error)
        await sleep(LOOK_MS / 4)
      }
    }
  }

  private hear(answer: BatchAnswer | null): void {
    if (answer === null) return
    this.watches.delete(answer.batch)
    switch (answer.kind) {
      case 'played': this.handout.answered(answer); break
      case 'refused': this.refusedBy(answer.worker, answer.message, answer.batch); break
      case 'bug': this.giveUp(new Bug(`worker ${answer.worker}: ${answer.message}`))
    }
    this.give()
  }

  private refusedBy(worker: string, message: string, batch: string): void {
    if (![...this.refusals.values()].includes(message)) this.about.say(`worker ${worker} plays nothing of this: ${message}`)
    this.refusals.set(worker, message)
    this.handout.returned(batch)
  }

  private async look(): Promise<void> {
    if (this.isLooking || this.isClosed) return
    this.isLooking = true
    const beganMs = performance.now()
    try {
      const workers = await living(this.link, 'workers')
      const nowMs = performance.now()
      if (nowMs - this.lookedMs > STILL_MS) this.steadyMs = nowMs
      this.lookedMs = nowMs
      this.count(workers, nowMs)
      await this.lookForBatches(workers)
      for (const given of this.handout.slow(nowMs)) await this.put(given)
      this.give()
    } catch (error) {
      this.fault(error)
    } finally {
      if (performance.now() - beganMs > STILL_MS) this.steadyMs = performance.now()
      this.isLooking = false
    }
  }

  /** Sees who plays. Ends the command when all who could have refused. */
  private count(workers: readonly Seen<WorkerSign>[], nowMs: number): void {
    const { handout, refusals, about: { build, say } } = this
    const [own, others] = [workers.filter(({ sign }) => buildDifference(sign.build, build) === ''), workers.filter(({ sign }) => buildDifference(sign.build, build) !== '')]
    const willing = own.filter(({ name }) => !refusals.has(name))
    handout.fleet = { workers: willing.length, threads: willing.reduce((sum, { sign: { threads } }) => sum + threads, 0) }
    const differences = [...new Set(others.map(({ sign }) => buildDifference(sign.build, build)))].map((difference) => `workers of ${difference} are here, and play nothing of this`)
    const absence = own.length > 0 || handout.wantedTasks === 0 ? '' : ['no worker is there that plays this: parlor worker with the same --queue does, on any machine', ...differences].join('; ')
    if (absence !== '' && absence !== this.said) say(absence)
    this.said = absence
    this.refusedMs = own.length > 0 && willing.length === 0 ? this.refusedMs ?? nowMs : null
    if (this.refusedMs === null || nowMs - this.refusedMs < REFUSED_MS) return
    const named = own.map(({ name }) => `\n  worker ${name}: ${refusals.get(name)!}`)
    this.giveUp(new InputError(`no worker plays sessions of this command:${[...named, ...differences.map((line) => `\n  ${line}`)].join('')}`, {
      position: { file: this.link.address.place }, hint: 'workers need the same files at the same places: a shared disk, or the same image',
    }))
  }

  /** Looks what has become of batches that nobody says to play: they wait, were forgotten, or their worker died. */
  private async lookForBatches(workers: readonly Seen<WorkerSign>[]): Promise<void> {
    const played = new Set(workers.flatMap(({ sign: { batches } }) => batches))
    const alive = new Set(workers.map(({ name }) => name))
    const silent: (readonly [Given, Watch])[] = []
    for (const given of this.handout.open) {
      const { batch } = given
      const watch = this.watches.get(batch)
      if (watch === undefined) continue
      if (played.has(batch)) Object.assign(watch, { heardMs: performance.now(), lostMs: null })
      else if (performance.now() - watch.heardMs > SILENT_MS) silent.push([given, watch])
    }
    let areWaiting = false
    for (const [given, watch] of silent.toSorted(([, a], [, b]) => a.heardMs - b.heardMs).slice(0, LOOKED_MAX)) {
      if (await this.lookFor(given, watch, alive) === 'waits') areWaiting = true
    }
    // A worker that cleared the queue away, and died over it, has left it paused. It is harmless elsewhere.
    if (areWaiting) await this.queue.resume()
  }

  private async lookFor({ batch, isAlone }: Given, watch: Watch, alive: ReadonlySet<string>): Promise<'waits' | undefined> {
    const job = await this.jobOf(batch)
    const nowMs = performance.now()
    const worker = job?.processedBy
    if (job !== undefined && worker === undefined) {
      Object.assign(watch, { heardMs: nowMs, lostMs: null })
      return 'waits'
    }
    if (job !== undefined && !alive.has(worker!)) {
      if (nowMs - this.steadyMs < LIFE_MS || (isAlone && nowMs - watch.heardMs < ALONE_SILENT_MS)) return
      // It may have joined since those who live were counted.
      if ((await living(this.link, 'workers')).some(({ name }) => name === worker)) return
      this.handout.died(batch, worker!, begunOf(job.progress))
    } else {
      watch.lostMs ??= nowMs
      if (nowMs - watch.lostMs < (job === undefined ? ANSWERING_MS : FORGOTTEN_MS)) return
      // It was played, and the answer is lost, or the server lost it.
      if (job === undefined) this.handout.gone(batch)
      else this.handout.returned(batch)
    }
    this.watches.delete(batch)
    if (job !== undefined) await this.discard(batch)
  }

  /** One that somebody changed into no JSON is nobody's. */
  private async jobOf(batch: string): Promise<{ readonly processedBy?: string; readonly progress: unknown } | undefined> {
    try {
      return await this.queue.getJob(batch)
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  /** A batch that is given out anew is nobody's any more. A lock of it would outlive its worker. */
  private async discard(batch: string): Promise<void> {
    await this.link.redis.del(`${this.queue.toKey(batch)}:lock`)
    await this.queue.remove(batch).catch((error: unknown) => { if (this.link.isRefusal(error)) throw error })
  }
}
