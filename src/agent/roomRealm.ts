import { type Facades, FACADES } from './facades/facades.ts'
import { faults } from './facades/guard.ts'
import * as offered from './offered.ts'
import { unknownHandlers } from './handlerNames.ts'
import { hardenRealm, PENDING } from './roomHardening.ts'

/**
 * What runs first in a room: a JavaScript context of its own in which a strategy file is evaluated (scenario/room.ts). Everything that the
 * strategy can reach is made here, in the room's own realm. The bundler makes one script of this module (scenario/roomScript.ts).
 *
 * The object that this module exports is the engine's alone. What it is called with is text, numbers and functions that were compiled in
 * the room. The two exceptions, `draw` and `print`, are kept in closures.
 */

type Module = { readonly [name: string]: unknown }
type Evaluate = (importModule: (specifier: string) => Module, exportAll: (from: Module) => void, exports: Module, meta: undefined, dynamicImport: () => never) => void
interface Defined {
  readonly evaluate: Evaluate
  /** URLs by specifier. */
  readonly imports: Readonly<Record<string, string>>
}

/** The texts of what a strategy threw. */
export interface ThrownTexts {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** What a call of a strategy came to, as a text of the room (JSON). Nothing that it threw leaves the room. */
export type Told<T> = { readonly result: T } | { readonly thrown: ThrownTexts }

/** Calls a handler. Returns the texts of what it threw (JSON), undefined where it threw nothing. */
export type Trampoline = (a?: unknown, b?: unknown, c?: unknown) => string | undefined

/** Handlers that a strategy made, as they were when it made them. */
export interface Made {
  readonly handlers: { readonly [name: string]: Trampoline }
  readonly state: unknown
}

/** What a room declares of its strategy, as data. */
export interface Declared {
  readonly exports: 'nothing' | 'object' | 'other'
  readonly strategy?: { readonly role: unknown; readonly parameters: unknown; readonly about: unknown; readonly calls: readonly string[] }
}

export interface RoomRealm {
  readonly facades: Facades
  readonly faults: typeof faults
  /** Takes away what depends on anything but the inputs of a run, but for what is allowed, and freezes the rest. Before anything else. */
  harden(hasClock: boolean, hasRandom: boolean): void
  /** Where `console` writes. */
  printTo(print: (text: string) => void): void
  define(url: string, evaluate: Evaluate, imports: string): void
  /** Evaluates a module: a Told<Declared>, as the others. */
  evaluate(url: string): string
  /** Told<string[]>: names of what looks like handlers and is none. Where there are none, what was made is in `made` then. */
  createMaker(values: string, handlers: string, name: string, capitalMicros: number, draw: () => number): string
  createBettor(values: string, handlers: string): string
  readonly made: Made
  /** Told<ParameterFault | null>. */
  check(values: string): string
  /** Told<number>. */
  horizonUs(values: string): string
  /** ThrownTexts of anything, without any errors (JSON). */
  textsOf(thrown: unknown): string
}

// Taken before strategies can touch anything.
const { parse, stringify } = JSON
const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object
const { apply } = Reflect
const OwnPromise = Promise
const OwnString = String

/** Longest text that is taken over from what a strategy threw. */
const TEXT_MAX = 2000

type Call = <A>(act: (a: A, b?: unknown, c?: unknown, d?: unknown) => string | undefined, a: A, b?: unknown, c?: unknown, d?: unknown) => string | undefined

/**
 * Whatever may run code of a strategy is called through this chain of ten functions, as many as a trace has frames (roomHardening.ts). So each trace that a strategy can read ends with
 * frames of this script, before those of the engine, which name files of this machine. V8 inlines the chain.
 */
const call1: Call = (act, a, b, c, d) => act(a, b, c, d)
const call2: Call = (act, a, b, c, d) => call1(act, a, b, c, d)
const call3: Call = (act, a, b, c, d) => call2(act, a, b, c, d)
const call4: Call = (act, a, b, c, d) => call3(act, a, b, c, d)
const call5: Call = (act, a, b, c, d) => call4(act, a, b, c, d)
const call6: Call = (act, a, b, c, d) => call5(act, a, b, c, d)
const call7: Call = (act, a, b, c, d) => call6(act, a, b, c, d)
const call8: Call = (act, a, b, c, d) => call7(act, a, b, c, d)
const call9: Call = (act, a, b, c, d) => call8(act, a, b, c, d)
const call: Call = (act, a, b, c, d) => call9(act, a, b, c, d)

const PARLOR: Module = freeze({ __proto__: null, ...offered })
const defined = new Map<string, Defined>()
const evaluated = new Map<string, Module>()
let strategy: Record<string, unknown> = {}
let print: (text: string) => void = () => {}

function load(url: string): Module {
  const known = evaluated.get(url)
  if (known !== undefined) return known
  const { evaluate, imports } = defined.get(url)!
  const exports = { __proto__: null } as unknown as Module
  evaluated.set(url, exports)
  evaluate(
    (specifier) => (specifier === 'parlor' ? PARLOR : load(imports[specifier]!)),
    (from) => {
      for (const name of keys(from)) {
        if (name !== 'default' && !(name in exports)) defineProperty(exports, name, { enumerable: true, get: () => from[name] })
      }
    },
    exports, undefined, () => { throw new Error('a strategy imports nothing while it runs') },
  )
  return exports
}

/** A draw of the engine, which throws errors of the room alone. */
const ownDraw = (draw: () => number) => freeze(() => {
  try {
    return draw()
  } catch (error) {
    faults.first ??= { error }
    // oxlint-disable-next-line preserve-caught-error -- the cause is of the engine's realm
    throw new Error('a draw failed')
  }
})

const valuesOf = (values: string): object => freeze(parse(values) as object)

function textOf(thrown: object, name: string): string | undefined {
  try {
    const text = (thrown as Record<string, unknown>)[name]
    return typeof text === 'string' ? text.slice(0, TEXT_MAX) : undefined
  } catch {
    return undefined
  }
}

/** Reads what a strategy threw here, in its room: a getter of it, or a text that it makes, is a call of the strategy. */
function textsOf(thrown: unknown): string {
  const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
  const texts: ThrownTexts = isObject
    ? { name: textOf(thrown, 'name') ?? 'Error', message: textOf(thrown, 'message') ?? 'it threw an object that is no error', stack: textOf(thrown, 'stack') ?? '' }
    : { name: 'Error', message: OwnString(thrown).slice(0, TEXT_MAX), stack: '' }
  return stringify(texts)
}

/** An error of a strategy's making, which has no line. */
class Mistake extends Error {
  constructor(message: string) {
    super(message)
    defineProperty(this, 'stack', { value: '' })
  }
}

function tell(act: () => unknown): string {
  try {
    return stringify({ result: act() })
  } catch (thrown) {
    return `{"thrown":${textsOf(thrown)}}`
  }
}

const told = (act: () => unknown): string => call(tell, act)!

const notPlain = (name: string): string => `${name} is no plain function: handlers answer at once, they cannot be async`

/** A property of an object or of what it inherits from, without calling any code of the object's. */
function dataOf(object: object, name: string): unknown {
  for (let holder: object | null = object; holder !== null; holder = getPrototypeOf(holder) as object | null) {
    const property = getOwnPropertyDescriptor(holder, name)
    if (property === undefined) continue
    if (!('value' in property)) throw new Mistake(`${name} is no plain property`)
    return property.value
  }
  return undefined
}

/** A handler of a strategy, as it was when it was made. */
interface Handling {
  readonly handlers: object
  readonly name: string
  readonly handler: (...given: unknown[]) => unknown
}

function handle({ handlers, name, handler }: Handling, a: unknown, b: unknown, c: unknown): string | undefined {
  try {
    const answer = apply(handler, handlers, [a, b, c])
    if (answer !== undefined && answer instanceof OwnPromise) throw new Mistake(notPlain(name))
    return undefined
  } catch (thrown) {
    return textsOf(thrown)
  }
}

/**
 * What the engine calls in place of a handler. The engine must not call a function of a strategy itself: what V8 makes for such a call belongs
 * to the realm of whoever calls.
 */
const trampoline = (handling: Handling): Trampoline => (a, b, c) => call(handle, handling, a, b, c)

const NOTHING_MADE: Made = freeze({ handlers: freeze({}), state: undefined })
let made = NOTHING_MADE

/** Most unknown handlers that are told of, and the longest name. */
const UNKNOWN_MAX = 10
const NAME_MAX = 100

/** Handlers are read once, as plain data, so that what is called later is what was checked. */
function madeOf(given: object, names: readonly string[]): Made {
  const handlers: { [name: string]: Trampoline } = Object.create(null) as object as never
  for (const name of names) {
    const handler = dataOf(given, name)
    if (handler === undefined) continue
    if (typeof handler !== 'function') throw new Mistake(`${name} is no function`)
    if (PENDING.includes(getPrototypeOf(handler) as object)) throw new Mistake(notPlain(name))
    handlers[name] = trampoline({ handlers: given, name, handler: handler as never })
  }
  const state = dataOf(given, 'state')
  if (state !== undefined && (typeof state !== 'object' || state === null)) throw new Mistake('state is no object')
  return { handlers, state }
}

/** Calls `create` with what has been made for it. */
function create(names: string, ...given: unknown[]): string {
  return told(() => {
    made = NOTHING_MADE
    const known = parse(names) as string[]
    const own = (strategy.create as (...all: unknown[]) => unknown)(...given)
    if (typeof own !== 'object' || own === null) throw new Mistake('it returned no handlers')
    if (own instanceof OwnPromise) throw new Mistake('create is async: it returns its handlers at once')
    const unknown = unknownHandlers(own, known)
    if (unknown.length === 0) made = madeOf(own, known)
    return unknown.slice(0, UNKNOWN_MAX).map((name) => name.slice(0, NAME_MAX))
  })
}

function declared(url: string): Declared {
  const { default: offer } = load(url)
  if (offer === undefined) return { exports: 'nothing' }
  if (typeof offer !== 'object' || offer === null) return { exports: 'other' }
  const { role, parameters, about, create: make, check, horizonUs } = offer as Record<string, unknown>
  strategy = { create: make, check, horizonUs }
  const calls = keys(strategy).filter((name) => typeof strategy[name] === 'function')
  return { exports: 'object', strategy: { role, parameters, about, calls } }
}

const realm: RoomRealm = {
  facades: FACADES,
  faults,
  get made() { return made },
  harden: (hasClock, hasRandom) => { hardenRealm({ hasClock, hasRandom }, (text) => { print(text) }, PARLOR) },
  printTo(to) { print = to },
  define(url, evaluate, imports) {
    defined.set(url, { evaluate, imports: parse(imports) as Record<string, string> })
  },
  evaluate: (url) => told(() => declared(url)),
  createMaker: (values, handlers, name, capitalMicros, draw) => create(handlers, valuesOf(values), freeze({ name, capitalMicros, random: ownDraw(draw) })),
  createBettor: (values, handlers) => create(handlers, valuesOf(values)),
  check: (values) => told(() => {
    const fault = (strategy.check as (...given: unknown[]) => { parameter: unknown; message: unknown } | undefined)(valuesOf(values))
    return fault === undefined ? null : { parameter: `${fault.parameter as string}`, message: `${fault.message as string}` }
  }),
  horizonUs: (values) => told(() => {
    const horizonUs = (strategy.horizonUs as (...given: unknown[]) => unknown)(valuesOf(values))
    if (typeof horizonUs !== 'number' || !(horizonUs > -Infinity && horizonUs < Infinity)) throw new Mistake('horizonUs gives no finite number')
    return horizonUs
  }),
  textsOf: (thrown) => call(textsOf, thrown)!,
}

export default realm
