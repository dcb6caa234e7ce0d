import type { Excess } from '../scenario/callWatch.ts'
import type { SessionAnswer, SessionOrder } from './session.ts'

/** What came of giving a task to a worker. */
export type Attempt =
  | SessionAnswer
  /** `who` is the participant whose strategy was being called, null where none was. */
  | { readonly kind: 'endless'; readonly who: string | null }
  /** One call of a strategy took more time, or a strategy more memory, than it may. */
  | { readonly kind: 'excess'; readonly excess: Excess }
  /** `isBegun` says whether the worker was playing this task. */
  | { readonly kind: 'died'; readonly who: string | null; readonly message: string; readonly isBegun: boolean }
  | { readonly kind: 'aborted' }

/** What the results of a session can be about. */
export interface ScoredTerms {
  readonly services: readonly string[]
  readonly makers: readonly string[]
  /** Settlement clusters are no more. */
  readonly clustersMax: number
}

/** What a session is about, for who knows nothing else of it. */
export interface SessionInput {
  /** The files and folders that it reads. */
  readonly reads: readonly string[]
  readonly terms: ScoredTerms
}

/** What plays the tasks of a pool. */
export interface TaskPlayers {
  /** Plays a task. Precondition: no other order has the same name. */
  attempt(order: SessionOrder, input: SessionInput): Promise<Attempt>
  /** Ends all that runs. */
  endAll(): void
  close(): Promise<void>
}
