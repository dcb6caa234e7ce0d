import { assert } from './assert.ts'

let isInside = false

/** Whether what runs now was called by {@link withPlainTraces}. */
export const hasPlainTraces = (): boolean => isInside

/**
 * Calls a function in which V8 writes all stack traces itself. Otherwise it asks Node, whose function belongs to the engine's realm: an error of
 * a room whose `stack` is read near the end of the stack would get a RangeError of that realm, and one with odd properties would be read there.
 * V8 does not ask anybody while somebody writes a trace, and so the function is called while a trace is written. What it throws comes out.
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
