import { type CallName, calledStrategy } from '../agent/calledStrategy.ts'
import { HandlerMistakes } from '../scenario/knownHandlers.ts'

/** The seat whose strategy is called. */
export interface Callee {
  readonly role: 'maker' | 'bettor'
  readonly name: string
}

/** A strategy threw outside of a session. It is the author's mistake, as the error of the same name inside is. */
export class StrategyFailure extends Error {
  override name = 'StrategyFailure'
}

/**
 * Calls a strategy, shows a watching thread whom and for what, and names both in what it throws. A bug of parlor stays what it is, and so do
 * handlers that there are not.
 */
export function callStrategy<T>({ role, name }: Callee, handler: CallName, call: () => T): T {
  try {
    return calledStrategy.calling(name, handler, call)
  } catch (error) {
    if (error instanceof HandlerMistakes || (error instanceof Error && error.name === 'Bug')) throw error
    throw new StrategyFailure(`the ${role} ${name} fails in ${handler}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
