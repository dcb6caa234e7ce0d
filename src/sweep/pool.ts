import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { Interrupted } from '../unit/interrupted.ts'
import { loadScenario, pathOf } from '../scenario/load.ts'
import { ownFilesOf } from '../scenario/ownFiles.ts'
import { ownSourceTree, type PreparedScenario } from '../scenario/run.ts'
import { type CallLimits, DEFAULT_CALL_LIMITS } from '../scenario/strategyLimits.ts'
import { systemErrorOf } from '../result/failures.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { assert, Bug } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { inOrder } from './inOrder.ts'
import { Points } from './points.ts'
import type { SandboxLevel } from './sandbox/enclosure.ts'
import { filesOf, Sandbox } from './sandbox/sandbox.ts'
import type { SessionAnswer } from './session.ts'
import type { SharedTasks } from './sharedTasks.ts'
import { StrategyReader } from './strategyReader.ts'
import type { TaskEnding, TaskFailure, TaskOutcome, TaskPool, TaskResult, TaskSpec } from './task.ts'
import { taskIdOf, withSeed } from './taskIdentity.ts'
import type { ScoredTerms, SessionInput, TaskPlayers } from './taskPlayers.ts'
import { TaskStore } from './taskStore.ts'
import { Workers } from './workers.ts'

/** The folder in which finished tasks are kept unless another folder is named. */
export const TASKS_FOLDER = join('runs', 'tasks')
export const LIMIT_MS = 600_000
const LIMIT_MS_MAX = 2_147_483_647
/** A task whose worker dies is played again, up to this many plays in all. */
const ATTEMPTS_MAX = 3
/** The number of workers that may die before they begin a waiting task, because of an earlier task or because no worker can start. */
const LOST_MAX = 9
/** Tasks per worker that may be begun beyond the awaited outcome. Finished ones keep their scores in memory until their turn. */
const AHEAD_PER_WORKER = 32
/** The number of last plays over which the mean length is taken. */
const RECENT_PLAYS = 32

/** Digest of the code that this process loads. It is part of the identity of tasks. */
const SOURCE_TREE = ownSourceTree()

export interface WorkerPoolOptions {
  /** Sessions at a time. The default is what the machine can run in parallel. */
  readonly workers?: number
  /** The folder in which finished tasks are kept. The default is {@link TASKS_FOLDER}. */
  readonly tasksDir?: string
  readonly signal?: AbortSignal
  /** Whether strategy files run as any module of Node does, and in no room. */
  readonly isTrusted?: boolean
  /** Strategies run in processes that are shut in so far. Without it they run in threads of this process. */
  readonly sandbox?: SandboxLevel
  /** A session that takes longer in its worker, ms of a WorkClock, counts as endless. The default is ten minutes. */
  readonly limitMs?: number
  /** How long one call of a strategy may take, and how much memory a worker, by default as in a scenario. */
  readonly limits?: CallLimits
  /** The number of kept tasks, from the first asked for, that are played again and compared. */
  readonly recheck?: number
  /** What this pool shares with others that play the same tasks. Without it the pool plays all that it is asked for. */
  readonly shared?: SharedTasks
  readonly onProgress?: (progress: PoolProgress) => void
  /** Gets a line of text when a history is imported, a kept file is damaged, or a worker is replaced. */
  readonly say?: (line: string) => void
}

/** What a pool has done. Results must not contain any of it. */
export interface PoolProgress {
  readonly workers: number
  /** Sessions played to their end. */
  readonly played: number
  /** Tasks that were kept already. */
  readonly kept: number
  readonly failed: number
  /** Kept tasks that were played again and agreed. */
  readonly rechecked: number
  /** Mean length of the last plays, ms of real time, null before the first. */
  readonly recentMs: number | null
}

type Ending = { readonly result: TaskResult; readonly differs?: boolean } | { readonly failure: TaskFailure }
/** What is kept of a task, null for nothing. */
type Kept = TaskResult | null
/** The verdict on a strategy file: the error if it carries something from one session to the next, open when its witness had no result. */
type Verdict = 'stateless' | 'open' | InputError

/** Plays tasks in worker threads that stay warm, and keeps their results. */
export class WorkerPool implements TaskPool {
  private readonly atOnce: number
  private readonly limitMs: number
  private readonly isTrusted: boolean
  private readonly shared: SharedTasks | undefined
  private readonly onProgress: (progress: PoolProgress) => void
  private readonly say: (line: string) => void
  private readonly signal: AbortSignal | undefined
  private readonly points: Points
  private readonly store: TaskStore
  private readonly scratch: LeasedFolder
  private readonly reader: Pick<StrategyReader, 'read' | 'close'>
  private readonly workers: TaskPlayers
  private readonly isShutIn: boolean
  /** By identity: tasks that are being played, so that equal tasks wait for one play. */
  private readonly playing = new Map<string, Promise<TaskEnding>>()
  private recheckLeft: number
  /** Tasks that this pool played: there is nothing to compare them with. */
  private readonly own = new Set<string>()
  /** Tasks of others that were counted. */
  private readonly told = new Set<string>()
  /** By digest of a strategy file's module graph: what becomes of its witness, the first of its tasks that ends. */
  private readonly witnesses = new Map<string, Promise<Verdict>>()
  /** The last spec that was begun has found its place among the tasks. */
  private placed: Promise<unknown> = Promise.resolve()
  private isLeft = false
  private readonly counts = { played: 0, kept: 0, failed: 0, rechecked: 0 }
  private readonly recentMs: number[] = []
  private readonly onAbort = (): void => { this.workers.endAll() }

  constructor(options: WorkerPoolOptions = {}) {
    this.atOnce = options.workers ?? availableParallelism()
    this.limitMs = Math.min(options.limitMs ?? LIMIT_MS, LIMIT_MS_MAX)
    assert(this.atOnce >= 1 && this.limitMs > 0, 'a pool has a worker and a limit')
    this.recheckLeft = options.recheck ?? 0
    this.isTrusted = options.isTrusted === true
    this.shared = options.shared
    this.onProgress = options.onProgress ?? (() => {})
    this.say = options.say ?? (() => {})
    this.signal = options.signal
    this.signal?.addEventListener('abort', this.onAbort)
    const { limits = DEFAULT_CALL_LIMITS } = options
    const { limitMs, isTrusted, signal, say } = this
    this.isShutIn = options.sandbox !== undefined
    if (options.sandbox === undefined) {
      this.workers = new Workers(this.atOnce, limitMs, limits, isTrusted)
      this.reader = new StrategyReader({ limits, limitMs, signal, isTrusted })
    } else this.workers = this.reader = new Sandbox({ level: options.sandbox, limitMs, limits, isTrusted, signal, say })
    this.points = new Points(this.reader.read, this.say)
    const dir = resolve(options.tasksDir ?? TASKS_FOLDER)
    this.scratch = new LeasedFolder(dir, '.playing-')
    this.store = new TaskStore(dir, this.scratch.path)
  }

  get progress(): PoolProgress {
    const { recentMs, atOnce: workers, counts } = this
    const mean = recentMs.length === 0 ? null : recentMs.reduce((sum, ms) => sum + ms, 0) / recentMs.length
    return { workers, ...counts, recentMs: mean }
  }

  /** One play at a time. */
  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    this.begin()
    const outcomes = inOrder(specs, (spec) => this.outcomeOf(spec), { atOnce: this.atOnce, ahead: this.atOnce * AHEAD_PER_WORKER })
    try {
      yield * outcomes
    } finally {
      await this.leave()
    }
  }

  /** The identity of a task. Throws InputError when the spec's input is wrong. */
  async identify(spec: TaskSpec): Promise<string> {
    return taskIdOf(withSeed(await this.points.of(spec), spec.seed), SOURCE_TREE)
  }

  /** The result of a task that is kept, here or by others. */
  async found(id: string): Promise<TaskResult | null> {
    this.begin()
    return this.kept(id) ?? await this.taken(id)
  }

  /** The outcome of one task. Callers ask for as many at a time as there are workers, and not beside `play`. */
  playOne(spec: TaskSpec): Promise<TaskOutcome> {
    this.begin()
    return this.outcomeOf(spec)
  }

  /** Checks that points can be played, without playing any. Throws InputError for the first that cannot be played. */
  async check(specs: readonly Pick<TaskSpec, 'scenario' | 'set'>[]): Promise<void> {
    for (const spec of specs) await this.points.of(spec)
  }

  async close(): Promise<void> {
    this.signal?.removeEventListener('abort', this.onAbort)
    await Promise.all([this.workers.close(), this.reader.close()])
    this.scratch.remove()
  }

  private begin(): void {
    this.scratch.make()
  }

  /** Ends the tasks that run for a caller that takes no more outcomes. */
  private async leave(): Promise<void> {
    this.isLeft = true
    this.workers.endAll()
    await this.placed
    await Promise.allSettled(this.playing.values())
    this.isLeft = false
  }

  private async outcomeOf(spec: TaskSpec): Promise<TaskOutcome> {
    // Tasks are placed one after the other, because witnesses are chosen in the order of the specs.
    const placed = this.placed.then(() => this.place(spec))
    this.placed = placed.catch(() => {})
    const { ending } = await placed
    return { spec, ...await ending }
  }

  /** Begins a task, or finds the play of an equal one. The ending is wrapped, because `await` would wait for a bare promise. */
  private async place(spec: TaskSpec): Promise<{ readonly ending: Promise<TaskEnding> }> {
    this.refuseWhenInterrupted()
    const prepared = withSeed(await this.points.of(spec), spec.seed)
    const id = taskIdOf(prepared, SOURCE_TREE)
    let ending = this.playing.get(id)
    if (ending === undefined) {
      ending = this.endOf(id, spec, strategyFilesOf(prepared)).finally(() => { this.playing.delete(id) })
      this.playing.set(id, ending)
    }
    return { ending }
  }

  private refuseWhenInterrupted(): void {
    if (this.isLeft || this.signal?.aborted) throw new Interrupted('interrupted')
  }

  private async endOf(id: string, spec: TaskSpec, files: readonly string[]): Promise<TaskEnding> {
    const { shared } = this
    const kept = this.kept(id) ?? await this.taken(id)
    if (shared === undefined) return this.ownEndOf(id, spec, files, kept)
    if (!shared.plays(id)) return this.leftByOthers(id, kept)
    const ending = await this.ownEndOf(id, spec, files, kept)
    if ('failure' in ending) await shared.keepFailure(ending.failure)
    else await shared.keep(id, this.store.fileOf(id))
    return ending
  }

  private async leftByOthers(id: string, kept: Kept): Promise<TaskEnding> {
    const failure = kept === null ? await this.shared!.failureOf(id) : null
    if (kept === null && failure === null) return { missing: id }
    // Whoever reduces asks twice: first whether all is there.
    if (!this.told.has(id)) this.count(kept === null ? 'failed' : 'kept')
    this.told.add(id)
    return kept === null ? { failure: failure! } : { result: kept }
  }

  private async ownEndOf(id: string, spec: TaskSpec, files: readonly string[], kept: Kept): Promise<Ending> {
    const recheck = kept !== null && this.recheckLeft > 0 && !this.own.has(id)
    if (kept !== null && !recheck) {
      this.count('kept')
      return { result: kept }
    }
    if (recheck) this.recheckLeft--
    const ending = await this.witnessed(id, spec, files)
    if ('failure' in ending) {
      if (kept !== null) return this.failedAgain(id, spec, kept, ending.failure)
      this.count('failed')
      return ending
    }
    this.own.add(id)
    if (kept === null) {
      const result = this.store.keep(ending.result)
      this.count('played')
      return { result }
    }
    if (!this.store.agrees(ending.result)) throw new Bug(`${taskText(id, spec)} gave other bytes than are kept in ${this.store.pathOf(id)}`)
    this.count('rechecked')
    return { result: kept }
  }

  /** A second play of a kept task failed. The kept result stays. A play that was cut off says nothing about it. */
  private failedAgain(id: string, spec: TaskSpec, result: TaskResult, { kind, message }: TaskFailure): Ending {
    if (kind === 'strategy' || kind === 'bug') throw new Bug(`${taskText(id, spec)} is kept in ${this.store.pathOf(id)}, and failed when it was played again: ${message}`)
    this.say(`${taskText(id, spec)} is kept and could not be played again to compare: ${message}`)
    this.count('kept')
    return { result }
  }

  /**
   * Plays a task once all of its strategy files have had a witness: the first of a file's tasks, in the order of the specs, that ends.
   * The witness is played twice in a row in one worker, while no other task of the file is played. Modules are imported anew for each
   * session, but what a file keeps in `globalThis` or in a package reaches the next session. Results would then depend on which worker
   * played what before, and the two plays of the witness show it.
   */
  private async witnessed(id: string, spec: TaskSpec, files: readonly string[]): Promise<Ending> {
    let open = files
    for (;;) {
      // A task takes all of its files at once or none: two tasks that each held one file could wait for each other forever.
      const verdicts = await Promise.all(open.map((file) => this.witnesses.get(file)))
      for (const verdict of verdicts) if (verdict instanceof InputError) throw verdict
      open = open.filter((_, i) => verdicts[i] !== 'stateless')
      if (open.every((file) => !this.witnesses.has(file))) break
    }
    if (open.length === 0) return this.played(id, spec)
    const verdict = Promise.withResolvers<Verdict>()
    for (const file of open) this.witnesses.set(file, verdict.promise)
    let found: Verdict = 'open'
    try {
      const ending = await this.played(id, spec, { twice: true })
      if ('failure' in ending) return ending
      // In a sandbox nobody ends more than its own session.
      if (ending.differs === true && this.isShutIn) return { failure: { id, kind: 'strategy', who: null, message: statefulError(id, spec).message } }
      found = ending.differs === true ? statefulError(id, spec) : 'stateless'
      if (found !== 'stateless') throw found
      return ending
    } finally {
      if (found === 'open') for (const file of open) this.witnesses.delete(file)
      verdict.resolve(found)
    }
  }

  /** The kept result of a task, null without an undamaged one. */
  private kept(id: string): Kept {
    try {
      return this.store.read(id)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.say(`${error.describe()}; the task is played again`)
      this.store.drop(id)
      return null
    }
  }

  /** The result of a task as another pool left it, which is kept from now on. Null without an undamaged one. */
  private async taken(id: string): Promise<Kept> {
    const file = await this.shared?.fileOf(id)
    if (file === undefined || file === null) return null
    try {
      return this.store.adopt(id, file.bytes, file.place)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.say(`${error.describe()}; ${this.shared!.plays(id) ? 'the task is played again' : 'it counts for nothing until its task is played again'}`)
      return null
    }
  }

  private count(what: keyof WorkerPool['counts']): void {
    this.counts[what]++
    this.onProgress(this.progress)
  }

  private async played(id: string, spec: TaskSpec, { twice = false } = {}): Promise<Ending> {
    const fail = (kind: TaskFailure['kind'], message: string, who: string | null = null): Ending => ({ failure: { id, kind, who, message } })
    let [begun, lost] = [0, 0]
    const prepared = await this.points.of(spec)
    const ticks = this.atOnce > 1 && !this.isShutIn ? prepared.store.share() : null
    const input = this.isShutIn ? { reads: readsOf(spec, prepared), terms: termsOf(prepared) } : ANY_INPUT
    for (;;) {
      this.refuseWhenInterrupted()
      const startedMs = performance.now()
      const answer = await this.workers.attempt({
        spec, id, sourceTree: SOURCE_TREE, name: `${id}-${begun + lost}`, twice, isTrusted: this.isTrusted, ticks,
      }, input)
      switch (answer.kind) {
        case 'played':
          this.took(performance.now() - startedMs)
          return { result: { id, digest: answer.digest, scores: answer.scores }, differs: answer.differs }
        case 'input': throw new InputError(answer.message, optionsOf(answer))
        case 'system': throw systemErrorOf(answer)
        case 'strategy':
        case 'bug': return fail(answer.kind, answer.message, answer.who)
        case 'endless': return fail('endless', `did not end within ${this.limitMs / 1000} s`, answer.who)
        case 'excess': return fail(answer.excess.kind === 'endless' ? 'endless' : 'strategy', answer.excess.message, answer.excess.who)
        case 'aborted': throw new Interrupted('interrupted')
        case 'died':
          if (answer.isBegun) begun++
          else lost++
          if (begun === ATTEMPTS_MAX || lost === LOST_MAX) return fail('worker', `its worker died ${begun + lost} times, at last: ${answer.message}`, answer.who)
          if (answer.isBegun) this.say(`a worker died (${answer.message}) and is replaced: ${taskText(id, spec)} is played again`)
      }
    }
  }

  private took(ms: number): void {
    this.recentMs.push(ms)
    if (this.recentMs.length > RECENT_PLAYS) this.recentMs.shift()
  }
}

/** Digests of the module graphs of a task's strategy files. */
const strategyFilesOf = ({ strategies: { maker, bettor } }: PreparedScenario): string[] =>
  [...new Set([...maker.values(), ...bettor.values()].flatMap(({ graph }) => (graph === undefined ? [] : [graph.digest])))]

/** Nobody in this process asks what a session is about. */
const ANY_INPUT: SessionInput = { reads: [], terms: { services: [], makers: [], clustersMax: 0 } }

const termsOf = ({ resolved: { makers, services }, store: { catalogue: { markets } } }: PreparedScenario): ScoredTerms =>
  ({ services: Object.keys(services), makers: makers.map(({ name }) => name), clustersMax: markets.length })

/** The files that a session reads, and the folder of its store. */
function readsOf({ scenario, set }: TaskSpec, { store, strategies: { maker, bettor } }: PreparedScenario): string[] {
  const files = [...maker.values(), ...bettor.values()].flatMap(({ path, graph }) => (path === undefined || graph === undefined ? [] : filesOf(path, graph)))
  return [...ownFilesOf(loadScenario(scenario, { set })), store.path, ...files]
}

const statefulError = (id: string, spec: TaskSpec): InputError =>
  new InputError(`${taskText(id, spec)} gives other rows in a worker that has played other sessions: no session of its strategies is kept`, {
    hint: 'a strategy keeps something from one session to the next, in a package, a global or a file: keep all state inside of `create`',
  })

const optionsOf = ({ position, hint }: Extract<SessionAnswer, { kind: 'input' }>): ConstructorParameters<typeof InputError>[1] =>
  ({ ...(position === undefined ? {} : { position }), ...(hint === undefined ? {} : { hint }) })

/** A task in words, as the command that plays it again. */
export const taskText = (id: string, { scenario, set, seed }: TaskSpec): string =>
  `task ${id.slice(0, 12)} (${[pathOf(scenario), ...set.map((setting) => `--set ${setting}`), `--seed ${seed}`].join(' ')})`
