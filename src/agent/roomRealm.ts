import { type Facades, FACADES } from './facades/facades.ts'
import { faults } from './facades/guard.ts'
import * as offered from './offered.ts'

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
  /** Names that a module exports, of one that has been evaluated. Null of one that is being evaluated. */
  evaluate(url: string): string
  createMaker(values: string, name: string, capitalMicros: number, draw: () => number): unknown
  createBettor(values: string): unknown
  check(values: string): string
  horizonUs(values: string): number
}

// Taken before strategies can touch anything.
const { parse, stringify } = JSON
const { freeze, defineProperty, getOwnPropertyDescriptor, keys } = Object

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

const realm: RoomRealm = {
  facades: FACADES,
  faults,
  harden,
  printTo(to) { print = to },
  define(url, evaluate, imports) {
    defined.set(url, { evaluate, imports: parse(imports) as Record<string, string> })
  },
  evaluate(url) {
    const { default: made } = load(url)
    if (made === undefined) return stringify({ exports: 'nothing' } satisfies Declared)
    if (typeof made !== 'object' || made === null) return stringify({ exports: 'other' } satisfies Declared)
    const { role, parameters, about, create, check, horizonUs } = made as Record<string, unknown>
    strategy = { create, check, horizonUs }
    const calls = keys(strategy).filter((name) => typeof strategy[name] === 'function')
    return stringify({ exports: 'object', strategy: { role, parameters, about, calls } } satisfies Declared)
  },
  createMaker: (values, name, capitalMicros, draw) =>
    (strategy.create as (...given: unknown[]) => unknown)(valuesOf(values), freeze({ name, capitalMicros, random: ownDraw(draw) })),
  createBettor: (values) => (strategy.create as (...given: unknown[]) => unknown)(valuesOf(values)),
  check: (values) => {
    const fault = (strategy.check as (...given: unknown[]) => { parameter: unknown; message: unknown } | undefined)(valuesOf(values))
    return fault === undefined ? '' : stringify({ parameter: `${fault.parameter as string}`, message: `${fault.message as string}` })
  },
  horizonUs: (values) => (strategy.horizonUs as (...given: unknown[]) => number)(valuesOf(values)),
}

/** What depends on anything but the inputs of a run, or acts outside of the call, or can take memory away. `Promise` cannot be taken away: see `then`. */
const ABSENT = ['Intl', 'Atomics', 'SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry', 'WebAssembly', 'eval', 'escape', 'unescape', 'console']

function removeWhatIsAbsent(hasClock: boolean, hasRandom: boolean): void {
  const remove = (holder: object, name: string): void => { Reflect.deleteProperty(holder, name) }
  for (const name of ABSENT) remove(globalThis, name)
  const { prototype: times } = Date
  if (!hasClock) remove(globalThis, 'Date')
  if (!hasRandom) remove(globalThis.Math, 'random')
  for (const name of ['transfer', 'transferToFixedLength', 'resize']) remove(ArrayBuffer.prototype, name)
  for (const { prototype } of [Number, BigInt, Array, Object]) remove(prototype, 'toLocaleString')
  remove(Object.getPrototypeOf(Int8Array.prototype) as object, 'toLocaleString')
  for (const name of ['localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase']) remove(String.prototype, name)
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) remove(times, name)
  remove(Error, 'captureStackTrace')
  // V8 hands frames, which are objects of the engine's realm, to this function.
  defineProperty(Error, 'prepareStackTrace', { value: undefined })
  defineProperty(Error, 'stackTraceLimit', { value: 20 })
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
    defineProperty(prototype, name, {
      enumerable: property.enumerable ?? false, configurable: false,
      get: freeze(() => value),
      set: freeze(function set(this: object, assigned: unknown) {
        if (this === prototype) throw new TypeError(`${name} is read-only`)
        defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true })
      }),
    })
  }
}

function freezeAll(roots: readonly unknown[]): void {
  const seen = new Set<unknown>()
  const waiting = [...roots]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
    seen.add(value)
    if (!ArrayBuffer.isView(value)) freeze(value)
    waiting.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = getOwnPropertyDescriptor(value, key)!
      waiting.push(held, get, set)
    }
  }
}

function harden(hasClock: boolean, hasRandom: boolean): void {
  removeWhatIsAbsent(hasClock, hasRandom)
  defineProperty(globalThis, 'console', { value: ownConsole() })
  const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  for (const { prototype } of errors) keepAssignable(prototype, ['name', 'message', 'toString', 'constructor'])
  keepAssignable(Object.prototype, ['toString', 'valueOf', 'constructor'])
  // The library of the compiler does not know it yet.
  const iterators = (globalThis as unknown as { Iterator: { from: (of: object) => object; prototype: { map: (of: () => number) => object } } }).Iterator
  // What no name leads to: the prototypes of generators, of asynchronous functions and of iterators.
  const unnamed: unknown[] = [
    function * () {}, async function () {}, async function * () {}, [][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().entries(),
    'a'.matchAll(/a/g), iterators.from({ next: () => ({ done: true, value: undefined }) }), iterators.prototype.map.call([].values(), () => 0),
  ]
  freezeAll([globalThis, ...unnamed, PARLOR])
}

export default realm
