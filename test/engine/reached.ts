/** All objects that hang on these built-ins. */
const BUILT_INS = new Set<object>()
for (const first of [Object, Function, Array, Error, TypeError, RangeError, Number, String, Boolean, Symbol, Promise]) {
  const queue: unknown[] = [first]
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at]
    if (!isReference(value) || BUILT_INS.has(value)) continue
    BUILT_INS.add(value)
    queue.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key)!
      queue.push(held, get, set)
    }
  }
}

// V8 gives a captured stack to the error itself, by accessors that all errors share.
const captured = {}
Error.captureStackTrace(captured)
const { get: getStack, set: setStack } = Object.getOwnPropertyDescriptor(captured, 'stack')!
for (const accessor of [getStack, setStack]) if (accessor !== undefined) BUILT_INS.add(accessor)

export const isBuiltIn = (value: object): boolean => BUILT_INS.has(value)

export function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

export interface Reached {
  readonly value: object
  /** How it was reached: `onRequest 0.legs`. */
  readonly path: string
}

/**
 * All that a strategy can reach from what it was given, but for built-ins: own properties and those of prototypes, symbols among them,
 * what getters give, the getters themselves, and what methods give or throw when they are called without a value.
 */
export function reachedFrom(given: readonly Reached[]): Reached[] {
  const found: Reached[] = []
  const seen = new Set<object>()
  const queue: { value: unknown; path: string }[] = [...given]
  const attempt = (path: string, call: () => unknown): void => {
    try {
      queue.push({ value: call(), path })
    } catch (error) {
      queue.push({ value: error, path: `${path} thrown` })
    }
  }
  for (let at = 0; at < queue.length; at++) {
    const { value, path } = queue[at]!
    if (!isReference(value) || BUILT_INS.has(value) || seen.has(value)) continue
    seen.add(value)
    found.push({ value, path })
    for (let holder: object | null = value; holder !== null && !BUILT_INS.has(holder); holder = Object.getPrototypeOf(holder) as object | null) {
      queue.push({ value: holder, path: `${path} prototype` })
      for (const key of Reflect.ownKeys(holder)) {
        const { value: held, get, set } = Object.getOwnPropertyDescriptor(holder, key)!
        const at = `${path}.${String(key)}`
        queue.push({ value: held, path: at }, { value: get, path: `${at} getter` }, { value: set, path: `${at} setter` })
        if (get !== undefined) attempt(at, () => Reflect.get(value, key))
        if (typeof held === 'function' && !(value instanceof Error)) attempt(`${at}()`, () => Reflect.apply(held, value, []) as unknown)
      }
    }
  }
  return found
}
