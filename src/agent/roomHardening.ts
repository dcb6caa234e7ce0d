import { faults } from './facades/guard.ts'
import { KEPT_NAMES } from './roomNames.ts'

/** What depends on more than the inputs of a run, and a scenario may allow. */
interface Allowed {
  readonly hasClock: boolean
  readonly hasRandom: boolean
}

// Taken before strategies can touch anything.
const { stringify } = JSON
const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object
const { apply } = Reflect
const { isView } = ArrayBuffer

/** Prototypes of functions that do not answer at once. */
export const PENDING = [async function () {}, function * () {}, async function * () {}].map((one) => getPrototypeOf(one) as object)

/** Most frames that V8 writes into a trace. The calls of a room are as deep (roomRealm.ts). */
const TRACE_FRAMES = 10

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

function removeWhatIsAbsent(unnamed: Readonly<Record<string, object>>, { hasClock, hasRandom }: Allowed): void {
  hideBits((unnamed.TypedArray as { prototype: object }).prototype)
  keepNames(unnamed, [...(hasClock ? [TIMES_AND_CHANCE.clock] : []), ...(hasRandom ? [TIMES_AND_CHANCE.random] : [])])
  // V8 hands frames, which are objects of the engine's realm, to this function.
  defineProperty(Error, 'prepareStackTrace', { value: undefined })
  defineProperty(Error, 'stackTraceLimit', { value: TRACE_FRAMES })
}

/** `console.log` and its likes, for those who look for a mistake. */
function ownConsole(print: (text: string) => void): object {
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

/**
 * Makes the realm that it runs in one in which a strategy plays: takes away what depends on anything but the inputs of a run, but for what is
 * allowed, and freezes the rest, with `given`. `print` is where `console` writes. Before anything of a strategy is evaluated.
 */
export function hardenRealm(allowed: Allowed, print: (text: string) => void, given: object): void {
  const unnamed = unnamedObjects()
  removeWhatIsAbsent(unnamed, allowed)
  defineProperty(globalThis, 'console', { value: ownConsole(print) })
  const errors = [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  for (const { prototype } of errors) keepAssignable(prototype, ['name', 'message', 'toString', 'constructor'])
  keepAssignable(Object.prototype, ['toString', 'valueOf', 'constructor'])
  freezeAll([globalThis, ...Object.values(unnamed), given])
}
