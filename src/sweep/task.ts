import type { ScenarioOrigin } from '../scenario/load.ts'
import type { Scores } from '../score/scores.ts'

/**
 * One session of a sweep or a league, as anybody can play it again: `parlor run SCENARIO --set … --seed …` gives the same digest.
 * Plain data, so that it crosses to a worker.
 */
export interface TaskSpec {
  readonly scenario: ScenarioOrigin
  /** Settings that change the file, in order, in the form of `--set`. */
  readonly set: readonly string[]
  /** Seed of this replication: see `seedOf`. */
  readonly seed: string
}

/** Replications count from 1. All points of a design have the seeds of the same replications: common random numbers. */
export const seedOf = (seed: string, replication: number): string => `${seed}/${replication}`

/** The result of a session that was played to its end. It is a function of the task alone, not of time or worker. */
export interface TaskResult {
  /** Identity of the task: SHA-256 of all that its rows are a function of (design.md, decisions 13 and 15); 64 hex digits. */
  readonly id: string
  readonly digest: string
  /** One for each service of the session. */
  readonly scores: readonly Scores[]
}

/** Why a task has no result. A failure is not kept, and the next call tries the task again. */
export interface TaskFailure {
  readonly id: string
  readonly kind: 'strategy' | 'endless' | 'worker' | 'bug'
  /** The participant whose strategy threw, or was being called when the session was cut off or its worker died. Null where it is not known. */
  readonly who: string | null
  readonly message: string
}

export type TaskOutcome = { readonly spec: TaskSpec } & TaskEnding

export type TaskEnding =
  | { readonly result: TaskResult }
  | { readonly failure: TaskFailure }
  /** The identity of a task that others play (`SharedTasks`), and whose result is not there. */
  | { readonly missing: string }

/** Plays tasks, in workers or not. */
export interface TaskPool {
  /**
   * Outcomes in the order of the specs, whatever finished first (design.md, decision 15). A task whose result is kept is not played.
   * Leaving the loop early ends what runs. Throws Interrupted by the signal, and everything that finished is kept. Throws InputError
   * when a spec's input is wrong, and Bug when a kept task and a new play of it differ in a byte.
   */
  play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome>
  /** Says of a missing task that nobody needs its result. */
  forgo?(id: string): void
  close(): Promise<void>
}
