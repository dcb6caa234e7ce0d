import { NEVER_US } from '../unit/time.ts'

/** Taken before a room takes it away from strategies. */
const { captureStackTrace } = Error

/** The last refusal. In a room it is told from other errors by this (facades/guard.ts). */
export const refusals: { last: unknown } = { last: null }

/** A method that strategies call. */
export type Method = (...values: never[]) => unknown

/**
 * Stops the run for a strategy's mistake with an ordinary Error, never a Bug. The engine turns it into a StrategyFailure (exit
 * code 1). Its stack begins at the caller of `method`, which is the strategy's own line.
 */
export function refuse(message: string, method: Method): never {
  const error = new Error(message)
  captureStackTrace(error, method)
  refusals.last = error
  throw error
}

/** What a handler writes where a number is expected, and a parameter's declaration may have been given. */
export const NUMBERS = 'a handler writes numbers, as 15 * SECOND_US, and seconds(15) declares a parameter'

/** A value as a refusal shows it, without calling code of the strategy's. */
export const shownValue = (value: unknown): string =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function' ? `an object: ${NUMBERS}` : String(value))

/** Refuses a delay that is no whole number of µs from 0 on, or that ends after the last possible instant. */
export function checkDelay(delayUs: number, nowUs: number, method: Method): void {
  if (!(Number.isSafeInteger(delayUs) && delayUs >= 0 && nowUs + delayUs < NEVER_US)) {
    refuse(`a delay is a whole number of µs from 0 on, not ${shownValue(delayUs)}`, method)
  }
}

/** Refuses a value that is no amount of money above 0. `what` names it. */
export function checkAmount(what: string, micros: number, method: Method): void {
  if (!(Number.isSafeInteger(micros) && micros > 0)) refuse(`${what} is a whole number of microUSDC above 0, not ${shownValue(micros)}`, method)
}
