import { HANDLER_NAMES, type HandlerName } from './handlerNames.ts'

const NOBODY = 0
/** Places in the memory that another thread may read. */
const Cell = { who: 0, handler: 1, pulse: 2 } as const
const CELLS = 3

/** What strategies are called for, as `enter` is told it: a place in this list. */
export type CallName = HandlerName | 'create' | 'a rejected promise' | 'check' | 'horizonUs'
export const CALLS: readonly CallName[] = ['create', ...HANDLER_NAMES, 'a rejected promise', 'check', 'horizonUs']
const NUMBERS = Object.fromEntries(CALLS.map((name, number) => [name, number])) as Readonly<Record<CallName, number>>
export const callNumber = (name: CallName): number => NUMBERS[name]

/** What another thread sees of a thread that plays. */
export interface Called {
  /** The participant whose strategy is called, null for nobody. */
  readonly who: string | null
  readonly handler: CallName
  /** Rises with each call: equal values, seen at some distance, tell that one call goes on. */
  readonly pulse: number
}

/** @param names what `listen` was told. */
export const calledIn = (cell: Int32Array, names: readonly string[]): Called =>
  ({ who: names[cell[Cell.who]! - 1] ?? null, handler: CALLS[cell[Cell.handler]!]!, pulse: cell[Cell.pulse]! })

/**
 * The participant whose strategy this thread is calling, so that another thread can name it when a call never returns or ends this
 * thread. There is one for each thread, which plays one session at a time.
 */
class CalledStrategy {
  /**
   * What another thread may read with {@link calledIn}. It is written plainly, because an atomic store costs as much as a short strategy, and
   * who reads it looks again and again.
   */
  readonly cell = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
  private names: readonly string[] = []

  /** @param names those who may be called from now on; sessions are built after it. */
  listen(names: readonly string[]): void {
    this.names = names
    this.cell[Cell.who] = NOBODY
  }

  /** Null while nobody is called. */
  get who(): string | null {
    return this.names[this.cell[Cell.who]! - 1] ?? null
  }

  /** What the strategy that is called, or was called last, is called for. */
  get handler(): CallName {
    return CALLS[this.cell[Cell.handler]!]!
  }

  /** What `enter` and `leave` know the strategy by: its place in the names that are listened to, from 1; 0 where nobody listens to it. */
  numberOf(name: string): number {
    return this.names.indexOf(name) + 1
  }

  /** @param call a `callNumber`. */
  enter(number: number, call: number): void {
    const { cell } = this
    cell[Cell.who] = number
    cell[Cell.handler] = call
    cell[Cell.pulse]!++
  }

  /** What `act` gives, a call of the strategy of participant `name`. */
  calling<T>(name: string, call: CallName, act: () => T): T {
    this.enter(this.numberOf(name), callNumber(call))
    try {
      return act()
    } finally {
      this.leave()
    }
  }

  leave(): void {
    this.cell[Cell.who] = NOBODY
  }
}

export const calledStrategy = new CalledStrategy()
