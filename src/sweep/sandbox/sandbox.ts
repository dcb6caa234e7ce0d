import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Role, Strategy, StrategyImport } from '../../scenario/strategies.ts'
import { type ModuleGraph, moduleGraph } from '../../scenario/moduleGraph.ts'
import { InputError } from '../../unit/inputError.ts'
import { Interrupted } from '../../unit/interrupted.ts'
import { shownWords } from '../../unit/visibleText.ts'
import type { SessionOrder } from '../session.ts'
import { strategyIn } from '../strategyReader.ts'
import type { Attempt, ScoredTerms, SessionInput, TaskPlayers } from '../taskPlayers.ts'
import { answerIn } from './answers.ts'
import { enclosed, liesIn, type SandboxLevel } from './enclosure.ts'
import { type Answered, type Asked, lineOf, Lines, type PlayerTerms } from './words.ts'

const PLAYER = fileURLToPath(new URL('./player.worker.ts', import.meta.url))
/** A process that has answered nothing for so many limits of what it does has lost its own watch. */
const LIMITS_UNHEARD = 2
const UNHEARD_MS_MIN = 60_000
const TIMER_MS_MAX = 2 ** 31 - 1
/** A process that is asked to end has this long. */
const END_MS = 2000
/** So many letters of what strategies print are shown of a process. */
const PRINTED_MAX = 2 ** 20
const FREE_MAX = 8

export interface SandboxOptions extends PlayerTerms {
  readonly level: SandboxLevel
  readonly signal: AbortSignal | undefined
  /** So many processes may wait for sessions of the same files, 8 by default. */
  readonly freeMax?: number
  /** Gets what strategies print, line by line. */
  readonly say: (line: string) => void
}

type Question = { readonly read: { readonly path: string; readonly role: Role | undefined } } | { readonly play: SessionOrder }

/** Why a process in a sandbox says nothing more: it died, it never answered, or nobody needs its answer. */
class Ended extends Error {
  readonly by: 'death' | 'silence' | 'us'

  constructor(by: Ended['by'], why: string) {
    super(why)
    this.by = by
  }
}

/** One process in a sandbox, which plays a session at a time. */
class Player {
  /** What it may read, a path a line. */
  readonly reads: string
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, { readonly terms: ScoredTerms | null; readonly answer: (answered: Answered) => void; readonly fail: (error: Error) => void }>()
  private readonly lines = new Lines()
  private readonly exited: Promise<void>
  private readonly options: SandboxOptions
  private asked = 0
  private printed = 0
  private ended: Ended | null = null

  constructor(reads: readonly string[], options: SandboxOptions) {
    const { level, limitMs, limits, isTrusted } = this.options = options
    this.reads = reads.join('\n')
    const { command, args } = enclosed(level, PLAYER, reads)
    this.child = spawn(command, args, { env: level === 'strict' ? { PATH: process.env['PATH'] } : {}, stdio: ['pipe', 'pipe', 'pipe'] })
    const { stdin, stdout, stderr } = this.child
    this.exited = new Promise((done) => {
      this.child.on('error', (error) => { this.end(new Ended('death', error.message)) })
      this.child.on('close', (code, signal) => {
        this.end(new Ended('death', `its process ended (${signal ?? `exit code ${code}`})`))
        done()
      })
    })
    // Whoever writes into a process that has ended hears of it by its end. One that could not be started has no streams.
    stdin?.on('error', () => {})
    stdout?.setEncoding('utf8').on('data', (text: string) => { this.hear(text) })
    stderr?.setEncoding('utf8').on('data', (text: string) => { this.show(text) })
    stdin?.write(lineOf({ limitMs, limits, isTrusted }))
  }

  get isFree(): boolean {
    return this.waiting.size === 0 && this.ended === null
  }

  get isEnded(): boolean {
    return this.ended !== null
  }

  /** Throws Ended. @param terms what the results can be about, null for a file that is read. */
  async ask(question: Question, terms: ScoredTerms | null): Promise<Answered> {
    if (this.ended !== null) throw this.ended
    const number = ++this.asked
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Answered>()
    this.waiting.set(number, { terms, answer, fail })
    const { limitMs, limits: { callLimitMs } } = this.options
    const unheardMs = LIMITS_UNHEARD * ('read' in question ? Math.min(callLimitMs, limitMs) : limitMs)
    const unheard = setTimeout(() => { this.kill(new Ended('silence', 'its process has not answered')) }, Math.min(Math.max(unheardMs, UNHEARD_MS_MIN), TIMER_MS_MAX))
    this.child.stdin?.write(lineOf({ number, ...question } as Asked))
    try {
      return await promise
    } finally {
      clearTimeout(unheard)
      this.waiting.delete(number)
    }
  }

  /** Everything that waits is over. */
  kill(why: Ended): void {
    this.end(why)
    this.child.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.end(new Ended('us', 'it is closed'))
    this.child.stdin?.end()
    const late = setTimeout(() => { this.child.kill('SIGKILL') }, END_MS)
    await this.exited
    clearTimeout(late)
  }

  private end(why: Ended): void {
    this.ended ??= why
    for (const { fail } of this.waiting.values()) fail(this.ended)
  }

  private hear(text: string): void {
    try {
      for (const line of this.lines.take(text)) {
        // One question waits at a time.
        const [[number, waiting] = [NaN, undefined]] = this.waiting
        const answered = waiting === undefined ? null : answerIn(line, waiting.terms)
        if (waiting === undefined || answered?.number !== number) return this.kill(new Ended('death', 'what its process says is no answer to what it was asked'))
        waiting.answer(answered)
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.kill(new Ended('death', 'what its process says has no end'))
    }
  }

  /** What strategies print. */
  private show(text: string): void {
    const left = PRINTED_MAX - this.printed
    this.printed += text.length
    for (const line of text.slice(0, Math.max(0, left)).split('\n')) if (line !== '') this.options.say(`a strategy prints: ${shownWords(line)}`)
  }
}

/**
 * Reads strategy files and plays sessions in processes of their own, which see no network, no environment and no files but those that their sessions read
 * (enclosure.ts). Each plays one session at a time, so that one that is brought down takes no other with it, and only sessions of the same files, so that
 * a strategy that has left its room meets no sessions but those of its own file.
 */
export class Sandbox implements TaskPlayers {
  private readonly options: SandboxOptions
  private readonly players = new Set<Player>()
  private readonly closing: Promise<void>[] = []
  private readonly onAbort = (): void => { this.endAll() }

  constructor(options: SandboxOptions) {
    this.options = options
    options.signal?.addEventListener('abort', this.onAbort)
  }

  /** As `StrategyReader.read`. */
  readonly read: StrategyImport = async (path, role): Promise<Strategy> => {
    this.refuseWhenInterrupted()
    try {
      const answered = await this.playerFor(filesOf(path, moduleGraph(path))).ask({ read: { path, role } }, null)
      if ('read' in answered) return strategyIn(answered.read)
      throw new InputError(`the strategy does not load: ${'bug' in answered ? shownWords(answered.bug) : 'its sandbox played it'}`, { position: { file: path } })
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      this.refuseWhenInterrupted()
      throw new InputError(`the strategy does not load: ${error.message}`, { position: { file: path } })
    }
  }

  /** As `Workers.attempt`. Memory that threads share does not come into another process: each reads the history for itself. */
  async attempt(order: SessionOrder, { reads, terms }: SessionInput): Promise<Attempt> {
    try {
      const answered = await this.playerFor(reads).ask({ play: { ...order, ticks: null } }, terms)
      if ('play' in answered) return answered.play
      return { kind: 'bug', who: null, message: 'bug' in answered ? answered.bug : 'its sandbox read what it should have played' }
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      return error.by === 'us' ? { kind: 'aborted' } : error.by === 'silence' ? { kind: 'endless', who: null } : { kind: 'died', who: null, isBegun: true, message: error.message }
    }
  }

  /** Ends all that runs. */
  endAll(): void {
    for (const player of this.players) if (!player.isFree) player.kill(new Ended('us', 'it is ended'))
  }

  async close(): Promise<void> {
    this.options.signal?.removeEventListener('abort', this.onAbort)
    await Promise.all([...this.closing, ...[...this.players].map((player) => player.close())])
    this.players.clear()
  }

  private refuseWhenInterrupted(): void {
    if (this.options.signal?.aborted === true) throw new Interrupted('interrupted')
  }

  /** A free process that may read this and nothing else. */
  private playerFor(reads: readonly string[]): Player {
    const wanted = [...new Set(reads.map((path) => resolve(path)))].toSorted()
    for (const player of this.players) if (player.isEnded) this.players.delete(player)
    const free = [...this.players].filter(({ isFree }) => isFree)
    const known = free.find((player) => player.reads === wanted.join('\n'))
    if (known !== undefined) return known
    const { freeMax = FREE_MAX } = this.options
    for (const player of free.slice(0, Math.max(0, free.length + 1 - freeMax))) {
      this.players.delete(player)
      this.closing.push(player.close())
    }
    const player = new Player(wanted, this.options)
    this.players.add(player)
    return player
  }
}

/**
 * A strategy file and what it imports by a path. Throws InputError for an import from outside of the file's folder: what a file names would be shown to it,
 * whatever that is.
 */
export function filesOf(path: string, { files }: Pick<ModuleGraph, 'files'>): string[] {
  const folder = dirname(resolve(path))
  return files.map((name) => {
    const file = join(folder, name)
    if (!liesIn(folder, file) || !liesIn(realpathSync(folder), realpathSync(file))) {
      throw new InputError(`in a sandbox a strategy imports nothing from outside of its folder: ${shownWords(name)}`, { position: { file: path }, hint: 'put what it imports beside it, or below' })
    }
    return file
  })
}
