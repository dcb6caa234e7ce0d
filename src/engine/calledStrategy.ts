const NOBODY = 0

/**
 * The participant whose strategy this thread is calling, so that another thread can name it when a call never returns or ends this
 * thread. There is one for each thread, which plays one session at a time.
 */
class CalledStrategy {
  /** What another thread may read: place in the names that `listen` got, from 1; 0 while nobody is called. */
  readonly cell = new Int32Array(new SharedArrayBuffer(4))
  private names: readonly string[] = []

  /** @param names those who may be called from now on; sessions are built after it. */
  listen(names: readonly string[]): void {
    this.names = names
    Atomics.store(this.cell, 0, NOBODY)
  }

  /** Null while nobody is called. */
  get who(): string | null {
    return this.names[this.cell[0]! - 1] ?? null
  }

  /** What `enter` and `leave` know the strategy by: its place in the names that are listened to, from 1; 0 where nobody listens to it. */
  numberOf(name: string): number {
    return this.names.indexOf(name) + 1
  }

  /** An atomic store costs as much as a short strategy, so that there is none where nobody listens. */
  enter(number: number): void {
    if (number !== NOBODY) Atomics.store(this.cell, 0, number)
  }

  leave(number: number): void {
    if (number !== NOBODY) Atomics.store(this.cell, 0, NOBODY)
  }
}

export const calledStrategy = new CalledStrategy()
