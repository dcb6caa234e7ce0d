import { NEVER_US } from '../unit/time.ts'

/**
 * Stops the run for a strategy's mistake: an ordinary Error, which the engine turns into a StrategyFailure (exit code 1),
 * never a Bug. Its stack begins at the caller of `method`, the strategy's own line.
 */
export function refuse(message: string, method: (...values: never[]) => unknown): never {
  const error = new Error(message)
  Error.captureStackTrace(error, method)
  throw error
}

/** Refuses a delay that is no whole number of µs from 0 on, or that outlasts time. */
export function checkDelay(delayUs: number, nowUs: number, method: (...values: never[]) => unknown): void {
  if (!(Number.isSafeInteger(delayUs) && delayUs >= 0 && nowUs + delayUs < NEVER_US)) {
    refuse(`a delay is a whole number of µs from 0 on, not ${delayUs}`, method)
  }
}

export const HIDDEN = 'a view holds during its handler only'

/** Refuses the number of a request that no request has: that of a view after its call, for one. */
export function checkNumber(request: number, method: (...values: never[]) => unknown): void {
  if (!(Number.isSafeInteger(request) && request > 0)) refuse(HIDDEN, method)
}
