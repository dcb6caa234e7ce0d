import { fileURLToPath, pathToFileURL } from 'node:url'
import { isProxy } from 'node:util/types'
import { constants, createContext, Script } from 'node:vm'
import type { BettorStrategy } from '../agent/bettor.ts'
import { HANDLERS_OF, type StrategyRole, UnknownHandlers } from '../agent/handlerNames.ts'
import type { MakerSeat, MakerStrategy, ParameterFault } from '../agent/maker.ts'
import type { Declared, RoomRealm, ThrownTexts, Told, Trampoline } from '../agent/roomRealm.ts'
import { Bug } from '../unit/assert.ts'
import { hasPlainTraces, withPlainTraces } from '../unit/plainTraces.ts'
import { thousands } from '../unit/numberText.ts'
import { visibleText, withShortLines } from '../unit/visibleText.ts'
import { compiledOnce } from './roomCode.ts'
import type { RoomModule } from './roomModules.ts'
import { roomScript } from './roomScript.ts'
import { namedPlacesIn, withPlaces } from './sourcePlaces.ts'
import type { Permission } from './strategySchema.ts'

type Values = Readonly<Record<string, number>>
type Handler = (...given: unknown[]) => unknown

/** What a strategy declares. Its functions run in the room, and throw errors of the engine's realm. */
export type RoomStrategy = Partial<MakerStrategy | BettorStrategy> & { readonly role?: unknown }

const HANDLERS_TEXTS: Readonly<Record<StrategyRole, string>> = { maker: JSON.stringify(HANDLERS_OF.maker), bettor: JSON.stringify(HANDLERS_OF.bettor) }

/** What a name that a room does not have is for, and what a strategy has in its place. */
const ABSENT: Readonly<Record<string, string>> = {
  Date: 'time is desk.nowUs', 'Math.random': 'a maker draws by seat.random(), a bettor by desk.uniform', process: 'a strategy reads nothing of its host',
  performance: 'time is desk.nowUs', setTimeout: 'desk.later and desk.checkIn ask for another call', setInterval: 'desk.later and desk.checkIn ask for another call',
  setImmediate: 'desk.later and desk.checkIn ask for another call', queueMicrotask: 'a handler answers at once', fetch: 'a strategy has no network',
  require: 'a strategy imports parlor and files beside it', crypto: 'a maker draws by seat.random(), a bettor by desk.uniform',
  Buffer: 'a strategy has the language alone', Intl: 'a strategy has the language alone', Atomics: 'a strategy has the language alone',
  ArrayBuffer: 'typed arrays hold numbers, and nothing reads their bits', DataView: 'typed arrays hold numbers, and nothing reads their bits',
  SharedArrayBuffer: 'a strategy has the language alone', WebAssembly: 'a strategy has the language alone', WeakRef: 'a strategy has the language alone', Temporal: 'time is desk.nowUs',
  FinalizationRegistry: 'a strategy has the language alone', Proxy: 'a strategy works on plain objects', structuredClone: 'a strategy has the language alone',
}

/** What a scenario can allow of it. */
const PERMISSION_OF: Readonly<Record<string, Permission>> = { Date: 'clock', 'Math.random': 'random' }

/** What a room prints waits in memory while a call goes on: so many letters in all, where each line counts for some more. */
const PRINTED_MAX = 50_000_000
const LINE_LETTERS = 100

let realmScript: Script | undefined
/** Rooms by the prototype of their promises. */
const roomsOfPromises = new WeakMap<object, Room>()

/** The room that a promise is of, null for one of no room, or of which that cannot be seen. */
export function roomOfPromise(promise: object): Room | null {
  for (let holder: object | null = promise; holder !== null && !isProxy(holder); holder = Object.getPrototypeOf(holder) as object | null) {
    const room = roomsOfPromises.get(holder)
    if (room !== undefined) return room
  }
  return null
}

/**
 * A JavaScript context in which a strategy file runs with the files that it imports (docs/decisions/0017-rooms.md). Nothing of the engine's
 * realm is reachable in it: what strategies are given is made there (src/agent/roomRealm.ts), which calls them and reads what they make and throw.
 * This class passes texts and numbers alone, and touches no object of a strategy.
 */
export class Room {
  /** The strategy file. */
  readonly file: string
  private readonly realm: RoomRealm
  /** By the names of their scripts. */
  private readonly urls: ReadonlyMap<string, string>
  /** Makes a room of the same file, null in one that was made so. */
  private readonly another: (() => Room) | null
  private printed = 0

  /** Throws what the strategy throws while it is evaluated, as an error of this realm. */
  static async evaluating(entry: string, modules: readonly RoomModule[], allowed: readonly Permission[]): Promise<RoomStrategy | undefined> {
    realmScript ??= new Script(await roomScript(), { filename: 'parlor:room' })
    const script = realmScript
    return new Room(script, entry, modules, allowed, () => new Room(script, entry, modules, allowed, null)).strategyOf(entry)
  }

  private constructor(script: Script, entry: string, modules: readonly RoomModule[], allowed: readonly Permission[], another: (() => Room) | null) {
    this.another = another
    const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate', codeGeneration: { strings: false, wasm: false }, name: 'strategy' })
    this.file = fileURLToPath(entry)
    this.urls = new Map(modules.map(({ name, url }) => [name, url]))
    this.realm = script.runInContext(context) as RoomRealm
    this.realm.harden(allowed.includes('clock'), allowed.includes('random'))
    roomsOfPromises.set(new Script('Promise.prototype').runInContext(context) as object, this)
    this.realm.printTo((text) => { this.print(text) })
    for (const { url, name, code, imports } of modules) {
      const evaluate = this.compiled(name, code).runInContext(context) as never
      this.realm.define(url, evaluate, JSON.stringify(imports))
    }
  }

  /** The message of something that a promise of this room was rejected with, and where it came from: a call of the strategy. */
  errorOf(thrown: unknown): Error {
    return this.errorIn(withPlainTraces(() => JSON.parse(this.realm.textsOf(thrown)) as ThrownTexts))
  }

  private print(text: string): void {
    if (this.printed > PRINTED_MAX) return
    this.printed += text.length + LINE_LETTERS
    const shown = this.printed > PRINTED_MAX ? `${this.file}: it printed ${thousands(PRINTED_MAX)} letters, and what it prints from now on is left out` : withPlaces(text, this.urls)
    process.stderr.write(`${withShortLines(visibleText(shown))}\n`)
  }

  /** Throws V8's own error, with the place in the file. */
  private compiled(name: string, code: string): Script {
    try {
      return compiledOnce(name, code)
    } catch (error) {
      if (error instanceof Error && error.stack !== undefined) error.stack = error.stack.replace(name, () => this.urls.get(name)!)
      throw error
    }
  }

  private strategyOf(entry: string): RoomStrategy | undefined {
    const declared = this.call(() => this.realm.evaluate(entry)) as Declared
    if (declared.exports === 'nothing') return undefined
    if (declared.strategy === undefined) return {} as RoomStrategy
    const { role, parameters, about, calls } = declared.strategy
    const has = (name: string): boolean => calls.includes(name)
    return {
      role, parameters, facades: this.realm.facades, ...(typeof about === 'string' ? { about } : {}),
      ...(has('create') ? { create: role === 'bettor' ? this.createBettor : this.createMaker } : {}),
      ...(has('check') ? { check: this.check } : {}),
      ...(has('horizonUs') ? { horizonUs: this.horizonUs } : {}),
    } as RoomStrategy
  }

  private readonly createMaker = (values: Values, { name, capitalMicros, random }: MakerSeat): object =>
    this.handlersOf('maker', () => this.realm.createMaker(JSON.stringify(values), HANDLERS_TEXTS.maker, name, capitalMicros, random))

  private readonly createBettor = (values: Values): object => this.handlersOf('bettor', () => this.realm.createBettor(JSON.stringify(values), HANDLERS_TEXTS.bettor))

  private readonly check = (values: Values): ParameterFault | undefined =>
    (this.asked((realm) => realm.check(JSON.stringify(values))) as ParameterFault | null) ?? undefined

  private readonly horizonUs = (values: Values): number => this.asked((realm) => realm.horizonUs(JSON.stringify(values))) as number

  /**
   * What the file says of parameters, in a room made for this one question: a run asks, and \`verify\` does not. A strategy that counted the
   * questions in a variable of its file would play otherwise there.
   */
  private asked(question: (realm: RoomRealm) => string): unknown {
    const room = this.another!()
    room.strategyOf(pathToFileURL(room.file).href)
    return room.call(() => question(room.realm))
  }

  /** Throws UnknownHandlers for names that no handler of the role has. */
  private handlersOf(role: StrategyRole, create: () => string): object {
    const unknown = this.call(create) as string[]
    if (unknown.length > 0) throw new UnknownHandlers(unknown)
    const { handlers, state } = this.realm.made
    // All strategies with the same handlers get objects of one shape, which V8 calls fastest.
    const called: Record<string, unknown> = {}
    for (const name of HANDLERS_OF[role]) if (handlers[name] !== undefined) called[name] = this.handlerOf(handlers[name])
    if (state !== undefined) called.state = state
    return called
  }

  private handlerOf(trampoline: Trampoline): Handler {
    const { realm: { faults } } = this
    return (a, b, c) => {
      const thrown = hasPlainTraces() ? trampoline(a, b, c) : traced(trampoline, a, b, c)
      if (faults.first !== null) throw this.faultOf(faults.first.error)
      if (thrown !== undefined) throw this.errorIn(JSON.parse(thrown) as ThrownTexts)
    }
  }

  /** The result of a call that tells it as text. Throws what the strategy threw in it. */
  private call(act: () => string): unknown {
    const { faults } = this.realm
    const told = JSON.parse(withPlainTraces(act)) as Told<unknown>
    if (faults.first !== null) throw this.faultOf(faults.first.error)
    if ('thrown' in told) throw this.errorIn(told.thrown)
    return told.result
  }

  /** What ended a call into the engine. A bug of the engine stays one. Nothing but the engine's own is read here. */
  private faultOf(error: unknown): Error {
    if (error instanceof Bug) return error
    if (!(error instanceof Error)) return this.errorOf(error)
    const { name, message, stack = '' } = error
    return this.errorIn({ name, message, stack })
  }

  /** An error of this realm with texts of one, which may be any. A place in it is one of the room's files, or none. */
  private errorIn({ name, message, stack }: ThrownTexts): Error {
    const error = new Error(withHint(message))
    const kind = /^\w{1,100}$/.test(name) && name !== 'Bug' ? name : 'Error'
    const places = namedPlacesIn(stack, this.urls).map(({ url, line, column }) => `\n    at ${withoutParentheses(url)}:${line}:${column}`)
    // A place in the message is nobody's.
    error.stack = `${kind}${places.join('')}`
    Object.defineProperty(error, 'name', { value: kind })
    return error
  }
}

const traced = (trampoline: Trampoline, a: unknown, b: unknown, c: unknown): string | undefined => withPlainTraces(() => trampoline(a, b, c))

/** Parentheses stand around places in traces. */
const withoutParentheses = (url: string): string => url.replaceAll('(', '%28').replaceAll(')', '%29')

function withHint(message: string): string {
  const name = /^(\w+) is not defined$/.exec(message)?.[1] ?? /^(Math\.random) is not a function$/.exec(message)?.[1]
  const hint = name !== undefined && Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined
  if (hint === undefined) return message
  const permission = PERMISSION_OF[name!]
  return `${message}: ${hint} (docs/strategies.md; ${permission === undefined ? '' : `strategies.allow: [${permission}] or `}--trusted lifts it)`
}
