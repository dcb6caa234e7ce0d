import { refuse } from '../refuse.ts'
import { guarded } from './guard.ts'

export const HIDDEN = 'a view holds during its handler only'

/** A getter of a view was called after its handler. */
export function hidden(message = HIDDEN): never {
  return refuse(message, hidden)
}

export const NO_LEGS = 'legs are those of a view that a handler was given'
export const noView = (kind: string): string => `this is no ${kind} that a handler was given`

export const OTHERS_LEGS = 'these legs are of another desk'
export const othersView = (kind: string): string => `this ${kind} is of another desk`

/** First value of a private field that the constructor sets. Such a field cannot be declared, and without a value it begins as undefined. */
export const UNSET = null as never

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Freezes a facade's methods and takes its constructor away, so that the holder of an instance can neither change nor make one. Getters
 * that call the engine, and do not only read its rows, are named in `guarding`. They are guarded as methods are.
 */
export function seal({ prototype }: { readonly prototype: object }, guarding: readonly string[] = []): void {
  Reflect.deleteProperty(prototype, 'constructor')
  for (const key of Reflect.ownKeys(prototype) as string[]) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key)!
    if (typeof value === 'function') Object.defineProperty(prototype, key, { value: Object.freeze(guarded(value)) })
    else if (get !== undefined) Object.defineProperty(prototype, key, { get: Object.freeze(guarding.includes(key) ? guarded(get) : get) })
  }
  Object.freeze(prototype)
}
