/** A strategy threw outside of a session. It is the author's mistake, as the error of the same name inside is. */
export class StrategyFailure extends Error {
  override name = 'StrategyFailure'
}

/** Calls a strategy, and names seat and handler in what it throws; a bug of parlor stays what it is. */
export function callStrategy<T>(who: string, handler: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (error instanceof Error && error.name === 'Bug') throw error
    throw new StrategyFailure(`${who} fails in ${handler}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
