import { fileURLToPath } from 'node:url'
import { isAsyncFunction, isGeneratorFunction, isPromise, isProxy } from 'node:util/types'
import { constants, createContext, Script } from 'node:vm'
import type { BettorHandlers, BettorStrategy } from '../agent/bettor.ts'
import type { MakerHandlers, MakerSeat, MakerStrategy } from '../agent/maker.ts'
import type { Declared, RoomRealm } from '../agent/roomRealm.ts'
import { Bug } from '../unit/assert.ts'
import type { RoomModule } from './roomModules.ts'
import { roomScript } from './roomScript.ts'
import type { Permission } from './strategySchema.ts'

type Values = Readonly<Record<string, number>>
type Handler = (...given: unknown[]) => unknown

/** What a strategy declares. Its functions run in the room, and throw errors of the engine's realm. */
export type RoomStrategy = Partial<MakerStrategy | BettorStrategy> & { readonly role?: unknown }

/** Longest text that is taken over from a strategy's error. */
const TEXT_MAX = 2000

const HANDLERS: readonly (keyof MakerHandlers | keyof BettorHandlers)[] = [
  'onRequest', 'onLater', 'onBest', 'onSelected', 'onDecision', 'onAck', 'onOpened', 'onSettled', 'onCashOut', 'onBestBid', 'onBidTaken', 'onBought',
  'onCheck', 'onBid', 'onAuctionEnded', 'onCashOutRefused', 'onArrival', 'onRefused', 'onListened',
]

/** What a name that a room does not have is for, and what a strategy has in its place. */
const ABSENT: Readonly<Record<string, string>> = {
  Date: 'time is desk.nowUs', 'Math.random': 'a maker draws by seat.random(), a bettor by desk.uniform', process: 'a strategy reads nothing of its host',
  performance: 'time is desk.nowUs', setTimeout: 'desk.later and desk.checkIn ask for another call', setInterval: 'desk.later and desk.checkIn ask for another call',
  setImmediate: 'desk.later and desk.checkIn ask for another call', queueMicrotask: 'a handler answers at once', fetch: 'a strategy has no network',
  require: 'a strategy imports parlor and files beside it', crypto: 'a maker draws by seat.random(), a bettor by desk.uniform',
  Buffer: 'a strategy has the language alone', Intl: 'a strategy has the language alone', Atomics: 'a strategy has the language alone',
  SharedArrayBuffer: 'a strategy has the language alone', WebAssembly: 'a strategy has the language alone', WeakRef: 'a strategy has the language alone',
  FinalizationRegistry: 'a strategy has the language alone', structuredClone: 'a strategy has the language alone',
}

/** What a scenario can allow of it. */
const PERMISSION_OF: Readonly<Record<string, Permission>> = { Date: 'clock', 'Math.random': 'random' }

let realmScript: Script | undefined
/** Compiled modules by URL and text: a sweep evaluates the same file in a new room for each session. */
const compiled = new Map<string, Script>()
const COMPILED_MAX = 200

/** Strategy files by the prototype of the promises of their room. */
const filesOfPromises = new WeakMap<object, string>()

/** The strategy file whose room a promise is of, null for one of no room. */
export function fileOfPromise(promise: object): string | null {
  for (let holder: object | null = promise; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    const file = filesOfPromises.get(holder)
    if (file !== undefined) return file
  }
  return null
}

/**
 * A JavaScript context in which a strategy file runs with the files that it imports (docs/decisions/0017-rooms.md). Nothing of the engine's
 * realm is reachable in it: what strategies are given is made there (src/agent/roomRealm.ts), and this class passes text and numbers alone.
 */
export class Room {
  private readonly realm: RoomRealm

  /** Throws what the strategy throws while it is evaluated, as an error of this realm. */
  static async evaluating(entry: string, modules: readonly RoomModule[], allowed: readonly Permission[]): Promise<RoomStrategy | undefined> {
    realmScript ??= new Script(await roomScript(), { filename: 'parlor:room' })
    return new Room(realmScript, entry, modules, allowed).strategyOf(entry)
  }

  private constructor(script: Script, entry: string, modules: readonly RoomModule[], allowed: readonly Permission[]) {
    const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate', codeGeneration: { strings: false, wasm: false }, name: 'strategy' })
    this.realm = script.runInContext(context) as RoomRealm
    this.realm.harden(allowed.includes('clock'), allowed.includes('random'))
    filesOfPromises.set(new Script('Promise.prototype').runInContext(context) as object, fileURLToPath(entry))
    this.realm.printTo((text) => { process.stderr.write(`${text}\n`) })
    for (const { url, code, imports } of modules) {
      const evaluate = compiledOnce(url, code).runInContext(context) as never
      this.realm.define(url, evaluate, JSON.stringify(imports))
    }
  }

  private strategyOf(entry: string): RoomStrategy | undefined {
    const declared = JSON.parse(this.call(() => this.realm.evaluate(entry))) as Declared
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
    this.handlersOf(this.call(() => this.realm.createMaker(JSON.stringify(values), name, capitalMicros, random)))

  private readonly createBettor = (values: Values): object => this.handlersOf(this.call(() => this.realm.createBettor(JSON.stringify(values))))

  private readonly check = (values: Values): unknown => {
    const fault = this.call(() => this.realm.check(JSON.stringify(values)))
    return fault === '' ? undefined : JSON.parse(fault) as unknown
  }

  private readonly horizonUs = (values: Values): number => {
    const horizonUs: unknown = this.call(() => this.realm.horizonUs(JSON.stringify(values)))
    if (typeof horizonUs !== 'number') throw withoutFrames('horizonUs gives no number')
    return horizonUs
  }

  /** Handlers are read once, as plain data, so that what is called later is what was checked. */
  private handlersOf(made: unknown): object {
    if (typeof made !== 'object' || made === null) throw withoutFrames('it returned no handlers')
    if (isPromise(made)) throw withoutFrames('create is async: it returns its handlers at once')
    const handlers: Record<string, unknown> = {}
    for (const name of HANDLERS) {
      const handler = dataOf(made, name)
      if (isAsyncFunction(handler) || isGeneratorFunction(handler)) throw withoutFrames(notPlain(name))
      if (typeof handler === 'function') handlers[name] = this.handlerOf(made, name, handler as Handler)
      else if (handler !== undefined) throw withoutFrames(`${name} is no function`)
    }
    const state = dataOf(made, 'state')
    if (state !== undefined) handlers.state = state
    return handlers
  }

  private handlerOf(handlers: object, name: string, handler: Handler): Handler {
    const { realm: { faults } } = this
    return (a, b, c) => {
      let answer: unknown
      try {
        answer = Reflect.apply(handler, handlers, [a, b, c])
      } catch (thrown) {
        throw faults.first === null ? this.errorOf(thrown) : this.faultOf(faults.first.error)
      }
      if (faults.first !== null) throw this.faultOf(faults.first.error)
      if (typeof answer === 'object' && answer !== null && isPromise(answer)) {
        throw withoutFrames(notPlain(name))
      }
    }
  }

  private call<T>(act: () => T): T {
    const { faults } = this.realm
    try {
      const result = act()
      if (faults.first === null) return result
    } catch (thrown) {
      throw faults.first === null ? this.errorOf(thrown) : this.faultOf(faults.first.error)
    }
    throw this.faultOf(faults.first.error)
  }

  /** A bug of the engine stays one. All else is the strategy's. */
  private faultOf(error: unknown): Error {
    return error instanceof Bug ? error : this.errorOf(error)
  }

  /** What a strategy threw, as an error of this realm. Only texts are taken over. */
  private errorOf(thrown: unknown): Error {
    const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
    if (!isObject) return withoutFrames(String(thrown).slice(0, TEXT_MAX))
    if (isProxy(thrown)) return withoutFrames('it threw a proxy')
    const name = textOf(thrown, 'name') ?? 'Error'
    const error = new Error(withHint(textOf(thrown, 'message') ?? 'it threw an object that is no error'))
    error.stack = textOf(thrown, 'stack') ?? `${name}: ${error.message}`
    Object.defineProperty(error, 'name', { value: name === 'Bug' ? 'Error' : name })
    return error
  }
}

/** An error of which nobody knows the line. */
function withoutFrames(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}`
  return error
}

const notPlain = (name: string): string => `${name} is no plain function: handlers answer at once, they cannot be async`

function compiledOnce(url: string, code: string): Script {
  const key = `${url}\n${code}`
  let script = compiled.get(key)
  if (script === undefined) {
    const head = '(function (__vite_ssr_import__, __vite_ssr_exportAll__, __vite_ssr_exports__, __vite_ssr_import_meta__, __vite_ssr_dynamic_import__) {"use strict";'
    script = new Script(`${head}${code}\n})`, { filename: url, columnOffset: -head.length })
    if (compiled.size === COMPILED_MAX) compiled.delete(compiled.keys().next().value!)
    compiled.set(key, script)
  }
  return script
}

/** A property of an object or of what it inherits from, of any realm, without calling any code of the object's. */
function dataOf(object: object, name: string): unknown {
  for (let holder: object | null = object; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    if (isProxy(holder)) throw withoutFrames('handlers stand in a plain object, which is no proxy')
    const property = Object.getOwnPropertyDescriptor(holder, name)
    if (property === undefined) continue
    if (!('value' in property)) throw withoutFrames(`${name} is no plain property`)
    return property.value
  }
  return undefined
}

function textOf(object: object, name: string): string | undefined {
  try {
    const text: unknown = Reflect.get(object, name)
    return typeof text === 'string' ? text.slice(0, TEXT_MAX) : undefined
  } catch {
    return undefined
  }
}

function withHint(message: string): string {
  const name = /^(\w+) is not defined$/.exec(message)?.[1] ?? /^(Math\.random) is not a function$/.exec(message)?.[1]
  const hint = name !== undefined && Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined
  if (hint === undefined) return message
  const permission = PERMISSION_OF[name!]
  return `${message}: ${hint} (docs/strategies.md; ${permission === undefined ? '' : `strategies.allow: [${permission}] or `}--trusted lifts it)`
}
