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
 * Freezes a facade's methods and getters and takes its constructor away, so that the holder of an instance can neither change nor make one. Each is
 * guarded: what seems only to read a row may call an accessor of the engine, in which the stack may end.
 */
export function seal({ prototype }: { readonly prototype: object }): void {
  Reflect.deleteProperty(prototype, 'constructor')
  for (const key of Reflect.ownKeys(prototype) as string[]) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key)!
    if (typeof value === 'function') Object.defineProperty(prototype, key, { value: Object.freeze(guarded(value)) })
    else if (get !== undefined) Object.defineProperty(prototype, key, { get: Object.freeze(guarded(get)) })
  }
  Object.freeze(prototype)
}
