import { refusals } from '../refuse.ts'

type Call = (this: unknown, ...given: unknown[]) => unknown

/** Set in the script of a room (src/agent/roomRealm.ts), which is bundled apart. */
declare const IN_ROOM: boolean | undefined
const isRoom = typeof IN_ROOM === 'boolean'

/**
 * The first error in a call of this realm's strategies into the engine that was no refusal. The call may have been left half-way, so the
 * session cannot go on, whatever the strategy makes of the error.
 */
export const faults: { first: { readonly error: unknown } | null } = { first: null }

/** A method of a facade. In a room it throws errors of the room alone, because an error of the engine would lead to the engine's realm. */
export function guarded<C extends Call>(method: C): C {
  if (!isRoom) return method
  return function guard(this: unknown, a: unknown, b: unknown, c: unknown, d: unknown, e: unknown): unknown {
    try {
      return method.call(this, a, b, c, d, e)
    } catch (error) {
      if (error === refusals.last) throw error
      faults.first ??= { error }
      // oxlint-disable-next-line preserve-caught-error -- the cause is of the engine's realm
      throw new Error('a call of the desk failed')
    }
  } as unknown as C
}
