/** A signal gave up from outside what was being done. Nothing is left of it but what a command says that it keeps. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}
