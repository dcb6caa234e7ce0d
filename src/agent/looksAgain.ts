import { thousands } from '../unit/numberText.ts'
import type { Method } from './refuse.ts'

/** Taken before a room takes it away from strategies. */
const { captureStackTrace } = Error

/**
 * Most times that a participant is called again, since it asked for that, about one request, selection or position unless the scenario says
 * otherwise. Past it a session would go on for its sake alone.
 */
export const LOOKS_AGAIN_MAX = 1_000_000

/** The error of a participant that asks for it once more. Its stack begins at the caller of `method`, a method of its desk. */
export function withoutEnd(max: number, what: string, method: Method): Error {
  const error = new Error(`it asks for ever to be called again: more than ${thousands(max)} times about one ${what}`)
  captureStackTrace(error, method)
  return error
}

/** The error of a maker that commands once more in answer to the answer to a command, while the market gives rise to nothing. Its stack is as above. */
export function withoutMarket(max: number, method: Method): Error {
  const error = new Error(`it answers answers for ever: more than ${thousands(max)} commands in onAck while nothing else happened to it`)
  captureStackTrace(error, method)
  return error
}
