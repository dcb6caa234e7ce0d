import { assert } from './assert.ts'

let isInside = false

/** Whether what runs now was called by {@link withPlainTraces}. */
export const hasPlainTraces = (): boolean => isInside

/**
 * Calls a function during which V8 itself formats every stack trace. Normally V8 has Node format the trace of an error. Node's function belongs
 * to the engine's realm. An error of a room would then be read by code of that realm, which may run the room's getters, or may throw a
 * RangeError of that realm when the stack is nearly full. While one trace is being formatted, V8 asks nobody to format another. So this
 * function makes an error, and calls `act` while the trace of that error is formatted. What `act` throws is thrown on.
 */
export function withPlainTraces<T>(act: () => T): T {
  if (isInside) return act()
  let outcome: { readonly result: T } | { readonly thrown: unknown } | null = null
  const { prepareStackTrace, stackTraceLimit } = Error
  // Without a limit there is no trace to write.
  Error.stackTraceLimit = 1
  const carrier = new Error('a trace to write')
  Error.stackTraceLimit = stackTraceLimit
  Error.prepareStackTrace = () => {
    Error.prepareStackTrace = prepareStackTrace
    isInside = true
    try {
      outcome = { result: act() }
    } catch (thrown) {
      outcome = { thrown }
    } finally {
      isInside = false
    }
    return ''
  }
  void carrier.stack
  // TypeScript does not see that the function above is called.
  const came = outcome as { readonly result: T } | { readonly thrown: unknown } | null
  assert(came !== null, 'a trace is written when it is read')
  if ('thrown' in came) throw came.thrown
  return came.result
}
