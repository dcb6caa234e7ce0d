/**
 * Stops the run for a strategy's mistake: an ordinary Error, which the engine turns into a StrategyFailure (exit code 1),
 * never a Bug. Its stack begins at the caller of `method`, the strategy's own line.
 */
export function refuse(message: string, method: (...values: never[]) => unknown): never {
  const error = new Error(message)
  Error.captureStackTrace(error, method)
  throw error
}
