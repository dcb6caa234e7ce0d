import { type Facades, FACADES } from './facades/facades.ts'
import { faults } from './facades/guard.ts'
import * as offered from './offered.ts'
import { unknownHandlers } from './handlerNames.ts'
import { KEPT_NAMES } from './roomNames.ts'

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
const { isView } = ArrayBuffer
const OwnPromise = Promise
const OwnString = String
/** Functions that do not answer at once. */
const PENDING = [async function () {}, function * () {}, async function * () {}].map((one) => getPrototypeOf(one) as object)

/** Longest text that is taken over from what a strategy threw. */
const TEXT_MAX = 2000

type Call = <A>(act: (a: A, b?: unknown, c?: unknown, d?: unknown) => string | undefined, a: A, b?: unknown, c?: unknown, d?: unknown) => string | undefined

/** Most frames that V8 writes into a trace. */
const TRACE_FRAMES = 10

/**
 * Whatever may run code of a strategy is called through this chain of `TRACE_FRAMES` functions. So each trace that a strategy can read ends with
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
  harden,
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

/** Built-in objects that no name leads to, by their names in `KEPT_NAMES`. */
function unnamedObjects(): Readonly<Record<string, object>> {
  const typeOf = (value: object): object => getPrototypeOf(value) as object
  // The library of the compiler does not know it yet.
  const iterators = (globalThis as unknown as { Iterator: { from: (of: object) => object; prototype: { map: (of: () => number) => object } } }).Iterator
  const [AsyncFunction, GeneratorFunction, AsyncGeneratorFunction] = PENDING.map(({ constructor }) => constructor)
  return {
    'Object.getPrototypeOf(globalThis)': typeOf(globalThis), TypedArray: typeOf(Int8Array),
    ArrayIterator: typeOf([][Symbol.iterator]()), StringIterator: typeOf(''[Symbol.iterator]()), MapIterator: typeOf(new Map().entries()), SetIterator: typeOf(new Set().entries()),
    RegExpStringIterator: typeOf('a'.matchAll(/a/g)), WrappedIterator: typeOf(iterators.from({ next: () => ({ done: true, value: undefined }) })),
    IteratorHelper: typeOf(iterators.prototype.map.call([].values(), () => 0)),
    AsyncFunction: AsyncFunction!, GeneratorFunction: GeneratorFunction!, AsyncGeneratorFunction: AsyncGeneratorFunction!,
    AsyncIterator: typeOf((AsyncGeneratorFunction!.prototype as { prototype: object }).prototype),
  }
}

const KEPT_ALWAYS = ['constructor', '@@toStringTag']
const KEPT_OF_FUNCTIONS = ['length', 'name', 'prototype']
const TIMES_AND_CHANCE = { clock: { globalThis: 'Date' }, random: { Math: 'random' } } as const

const nameOf = (key: string | symbol): string => (typeof key === 'string' ? key : `@@${(key.description ?? '').replace(/^Symbol\./, '')}`)

/** The object that a path leads to, undefined where this V8 has none. */
function objectAt(path: string, unnamed: Readonly<Record<string, object>>): object | undefined {
  let at: unknown = globalThis
  const [first, ...others] = path in unnamed ? [path] : path.split('.')
  if (first !== 'globalThis') at = unnamed[first!] ?? (globalThis as Record<string, unknown>)[first!]
  for (const name of others) {
    if (at === undefined) return undefined
    const key = Reflect.ownKeys(at as object).find((own) => nameOf(own) === name)
    at = key === undefined ? undefined : (at as Record<string | symbol, unknown>)[key]
  }
  return at as object | undefined
}

/** Takes every own name of a built-in object away that is not listed. */
function keepNames(unnamed: Readonly<Record<string, object>>, more: readonly Readonly<Record<string, string>>[]): void {
  const kept = keys(KEPT_NAMES).map((path) => ({ path, object: objectAt(path, unnamed) }))
  for (const { path, object } of kept) {
    if (object === undefined) continue
    const names = new Set([...KEPT_NAMES[path]!.split(/\s+/), ...more.map((added) => added[path]), ...KEPT_ALWAYS, ...(typeof object === 'function' ? KEPT_OF_FUNCTIONS : [])])
    for (const key of Reflect.ownKeys(object)) if (!names.has(nameOf(key))) remove(object, key)
  }
}

function remove(object: object, key: string | symbol): void {
  if (Reflect.deleteProperty(object, key)) return
  // `gc` of --expose-gc stays, and can be written. A constant harms nobody.
  if (typeof getOwnPropertyDescriptor(object, key)!.value === 'function') defineProperty(object, key, { value: undefined })
}

type View = Float64Array & { constructor: { prototype: object } }

/** Hides buffers, by which numbers are read as bits. V8's own `subarray` gives the buffer to a constructor of the strategy's choice (`Symbol.species`). */
function hideBits(views: object): void {
  const kinds = [Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, BigUint64Array, BigInt64Array, Uint8ClampedArray, Float32Array, Float64Array]
  const half = (globalThis as Record<string, unknown>).Float16Array as typeof Float64Array | undefined
  const kindsByName = new Map<string, typeof Float64Array>([...kinds, ...(half === undefined ? [] : [half])].map((kind) => [kind.name, kind as typeof Float64Array]))
  const getter = (name: string | symbol): (view: View) => unknown => {
    const get = getOwnPropertyDescriptor(views, name)!.get!
    return (view) => apply(get, view, [])
  }
  const [kindOf, bufferOf, offsetOf, lengthOf] = [getter(Symbol.toStringTag), getter('buffer'), getter('byteOffset'), getter('length')]
  const { get: kindNamed } = Map.prototype
  const { subarray } = {
    subarray(this: View, begin?: number, end?: number): unknown {
      const Kind = apply(kindNamed, kindsByName, [kindOf(this)]) as typeof Float64Array | undefined
      if (Kind === undefined) throw new TypeError('this is not a typed array.')
      const length = lengthOf(this) as number
      const indexOf = (given: number | undefined, missing: number): number => {
        const index = given === undefined ? missing : Math.trunc(+given) || 0
        return index < 0 ? Math.max(0, length + index) : Math.min(index, length)
      }
      const from = indexOf(begin, 0)
      const to = indexOf(end, length)
      return new Kind(bufferOf(this) as ArrayBuffer, (offsetOf(this) as number) + from * Kind.BYTES_PER_ELEMENT, Math.max(0, to - from))
    },
  }
  defineProperty(views, 'subarray', { value: subarray })
  // A buffer that is merely absent would make an empty array of `new Uint32Array(numbers.buffer)`, without a word.
  defineProperty(views, 'buffer', { get() { throw new TypeError('buffer is not there: typed arrays hold numbers, and nothing reads their bits (docs/strategies.md)') } })
}

function removeWhatIsAbsent(unnamed: Readonly<Record<string, object>>, hasClock: boolean, hasRandom: boolean): void {
  hideBits((unnamed.TypedArray as { prototype: object }).prototype)
  keepNames(unnamed, [...(hasClock ? [TIMES_AND_CHANCE.clock] : []), ...(hasRandom ? [TIMES_AND_CHANCE.random] : [])])
  // V8 hands frames, which are objects of the engine's realm, to this function.
  defineProperty(Error, 'prepareStackTrace', { value: undefined })
  defineProperty(Error, 'stackTraceLimit', { value: TRACE_FRAMES })
}

/** `console.log` and its likes, for those who look for a mistake. */
function ownConsole(): object {
  const textOf = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return String(value)
    try {
      return value instanceof Error ? `${value.stack}` : stringify(value)
    } catch {
      return 'an object'
    }
  }
  const log = (...values: unknown[]): void => {
    try {
      print(values.map(textOf).join(' '))
    } catch (error) {
      faults.first ??= { error }
    }
  }
  return { log, info: log, warn: log, error: log, debug: log }
}

/** Properties of shared prototypes that programs assign on what inherits from them: assigning goes on where the prototype is frozen. */
function keepAssignable(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const property = getOwnPropertyDescriptor(prototype, name)
    if (property === undefined || !('value' in property)) continue
    const value: unknown = property.value
    const { assign } = {
      assign(this: object, assigned: unknown) {
        if (this === prototype) throw new TypeError(`${name} is read-only`)
        defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true })
      },
    }
    defineProperty(prototype, name, { enumerable: property.enumerable ?? false, configurable: false, get: freeze(() => value), set: freeze(assign) })
  }
}

function freezeAll(roots: readonly unknown[]): void {
  const seen = new Set<unknown>()
  const waiting = [...roots]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    if (!isView(value)) freeze(value)
    waiting.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = getOwnPropertyDescriptor(value, key)!
      waiting.push(held, get, set)
    }
  }
}

function harden(hasClock: boolean, hasRandom: boolean): void {
  const unnamed = unnamedObjects()
  removeWhatIsAbsent(unnamed, hasClock, hasRandom)
  defineProperty(globalThis, 'console', { value: ownConsole() })
  const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  for (const { prototype } of errors) keepAssignable(prototype, ['name', 'message', 'toString', 'constructor'])
  keepAssignable(Object.prototype, ['toString', 'valueOf', 'constructor'])
  freezeAll([globalThis, ...Object.values(unnamed), PARLOR])
}

export default realm
