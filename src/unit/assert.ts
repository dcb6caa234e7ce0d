/** A broken internal rule: a bug of parlor, never of its user. It stops the run (exit code 1). */
export class Bug extends Error {
  override name = 'Bug'
}

/** Stops the run when an internal rule does not hold, in production too. Throw Bug instead where building the message would cost time. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(message)
}

/** Stands in the branch that no value reaches. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable value ${String(value)}`)
}
