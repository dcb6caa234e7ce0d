/**
 * Whose strategy this thread is calling, so that another thread can name it when a call never returns or ends this one. One for each
 * thread, which plays one session at a time.
 */
class CalledStrategy {
  /** What another thread may read: place in the names that `listen` got, from 1; 0 while nobody is called. */
  readonly cell = new Int32Array(new SharedArrayBuffer(4))
  private names: readonly string[] = []
  private numbers: ReadonlyMap<string, number> = new Map()

  /** @param names those who may be called from now on. */
  listen(names: readonly string[]): void {
    this.names = names
    this.numbers = new Map(names.map((name, i) => [name, i + 1]))
    this.leave()
  }

  /** Null while nobody is called. */
  get who(): string | null {
    return this.names[this.cell[0]! - 1] ?? null
  }

  enter(name: string): void {
    Atomics.store(this.cell, 0, this.numbers.get(name) ?? 0)
  }

  leave(): void {
    Atomics.store(this.cell, 0, 0)
  }
}

export const calledStrategy = new CalledStrategy()
