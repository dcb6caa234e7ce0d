/** A signal gave up from outside what was being done. Nothing is left of it but what a command says that it keeps. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Interrupted('interrupted')
}
