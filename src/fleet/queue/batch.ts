import { resolve } from 'node:path'
import type { ScenarioOrigin } from '../../scenario/load.ts'
import type { CallLimits } from '../../scenario/strategyLimits.ts'
import type { TaskFailure, TaskSpec } from '../../sweep/task.ts'
import { assert } from '../../unit/assert.ts'
import type { InputPosition } from '../../unit/inputError.ts'

/** How the sessions of a command are played. It says nothing of what they give. */
export interface PlayTerms {
  /** The folder of results, absolute. */
  readonly results: string
  readonly isTrusted: boolean
  /** Null: as long as a worker gives by itself. */
  readonly limitMs: number | null
  readonly limits: CallLimits
}

export interface QueuedTask {
  readonly id: string
  readonly spec: TaskSpec
}

/** Tasks that a worker plays one after the other, as they lie in the queue: what tasks share stands there once. */
export interface Batch {
  readonly version: 1
  /** Name of the command's build. The queue is of that build alone. */
  readonly build: string
  /** Token of the command that asks. */
  readonly run: string
  readonly terms: PlayTerms
  readonly points: readonly Pick<TaskSpec, 'scenario' | 'set'>[]
  /** Index of the point, seed, identity. */
  readonly tasks: readonly (readonly [number, string, string])[]
}

/** What a worker answers when it has played a batch to its end. */
export interface BatchAnswer {
  readonly worker: string
  /** Time from its begin to its end, ms of real time. */
  readonly ms: number
  readonly failures: readonly TaskFailure[]
}

/** Why a worker plays no more of a batch: errors cross the queue as texts. */
export type BatchError =
  /** The input is wrong on any machine. */
  | { readonly kind: 'input'; readonly worker: string; readonly message: string; readonly position?: InputPosition; readonly hint?: string }
  /** This worker cannot play it, and another one may. */
  | { readonly kind: 'refused'; readonly worker: string; readonly message: string }
  | { readonly kind: 'bug'; readonly worker: string; readonly message: string }

export function batchOf(tasks: readonly QueuedTask[], about: Pick<Batch, 'build' | 'run' | 'terms'>): Batch {
  const places = new Map<string, number>()
  const points: Pick<TaskSpec, 'scenario' | 'set'>[] = []
  const rows = tasks.map(({ id, spec: { scenario, set, seed } }) => {
    const key = JSON.stringify([scenario, set])
    const at = places.get(key) ?? points.push({ scenario: fromAnywhere(scenario), set }) - 1
    places.set(key, at)
    return [at, seed, id] as const
  })
  return { version: 1, ...about, points, tasks: rows }
}

/** A scenario as a worker finds it, wherever it was started. */
const fromAnywhere = (scenario: ScenarioOrigin): ScenarioOrigin => (typeof scenario === 'string' ? resolve(scenario) : { ...scenario, folder: resolve(scenario.folder) })

export const tasksOf = ({ points, tasks }: Batch): QueuedTask[] => tasks.map(([at, seed, id]) => {
  const point = points[at]
  assert(point !== undefined, 'a batch has the points of its tasks')
  return { id, spec: { ...point, seed } }
})

export const errorText = (error: BatchError): string => JSON.stringify(error)

/** Null for the words of somebody else, as of the queue itself. */
export function errorIn(text: string): BatchError | null {
  try {
    const error = JSON.parse(text) as Partial<BatchError> | null
    return typeof error?.kind === 'string' && typeof error.message === 'string' ? error as BatchError : null
  } catch {
    return null
  }
}
