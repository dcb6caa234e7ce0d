import { resolve } from 'node:path'
import type { ScenarioOrigin } from '../../scenario/load.ts'
import type { CallLimits } from '../../scenario/strategyLimits.ts'
import type { TaskFailure, TaskSpec } from '../../sweep/task.ts'
import { isCount, isNumber, isRecord, isText, jsonIn } from '../../unit/shapes.ts'

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

/** Tasks that a worker plays one after the other, as they lie in the queue of a command: what tasks share stands there once. */
export interface Batch {
  readonly version: 1
  readonly terms: PlayTerms
  /** Nothing else is played by the process meanwhile: somebody died over one of these, or beside it. */
  readonly isAlone: boolean
  readonly points: readonly Pick<TaskSpec, 'scenario' | 'set'>[]
  /** Index of the point, seed, identity. */
  readonly tasks: readonly (readonly [number, string, string])[]
}

/** What a worker says of a batch. Errors are data, because their classes do not survive the message. */
export type BatchAnswer = { readonly version: 1; readonly batch: string; readonly worker: string } & (
  /** The first `played` tasks were played, in `ms` of real time. The others are somebody else's. */
  | { readonly kind: 'played'; readonly played: number; readonly ms: number; readonly failures: readonly TaskFailure[] }
  /** This worker plays nothing of this command, and another one may. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'bug'; readonly message: string }
)

export function batchOf(tasks: readonly QueuedTask[], terms: PlayTerms, isAlone: boolean): Batch {
  const places = new Map<string, number>()
  const points: Pick<TaskSpec, 'scenario' | 'set'>[] = []
  const rows = tasks.map(({ id, spec: { scenario, set, seed } }) => {
    const key = JSON.stringify([scenario, set])
    const at = places.get(key) ?? points.push({ scenario: fromAnywhere(scenario), set }) - 1
    places.set(key, at)
    return [at, seed, id] as const
  })
  return { version: 1, terms, isAlone, points, tasks: rows }
}

/** A scenario as a worker finds it, wherever it was started. */
const fromAnywhere = (scenario: ScenarioOrigin): ScenarioOrigin => (typeof scenario === 'string' ? resolve(scenario) : { ...scenario, folder: resolve(scenario.folder) })

export const tasksOf = ({ points, tasks }: Batch): QueuedTask[] => tasks.map(([at, seed, id]) => ({ id, spec: { ...points[at]!, seed } }))

/** How a worker marks that it begins a task of a batch, by the task's index: BullMQ has 0 where nothing was marked. */
export const markOf = (begun: number): number => begun + 1

/** Index of the task that was marked as begun last, null for none. */
export const begunOf = (mark: unknown): number | null => (isCount(mark) && mark > 0 ? mark - 1 : null)

const TASK_ID = /^[0-9a-f]{64}$/

/** Null for what is no batch of this version: anybody may have put it there. */
export function batchIn(value: unknown): Batch | null {
  if (!isRecord(value) || value['version'] !== 1 || typeof value['isAlone'] !== 'boolean' || !areTerms(value['terms'])) return null
  const { points, tasks } = value
  if (!Array.isArray(points) || !points.every(isPoint) || !Array.isArray(tasks)) return null
  const isTask = (task: unknown): boolean => Array.isArray(task) && task.length === 3 && isCount(task[0]) && task[0] < points.length && isText(task[1]) && isText(task[2]) && TASK_ID.test(task[2])
  return tasks.every(isTask) ? value as unknown as Batch : null
}

function areTerms(value: unknown): value is PlayTerms {
  if (!isRecord(value) || !isText(value['results']) || typeof value['isTrusted'] !== 'boolean' || !isRecord(value['limits'])) return false
  const { limitMs, limits } = value
  return (limitMs === null || isPositive(limitMs)) && isPositive(limits['callLimitMs']) && isPositive(limits['memoryLimitMiB'])
}

const isPositive = (value: unknown): boolean => isNumber(value) && value > 0

function isPoint(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value['set']) || !value['set'].every(isText)) return false
  const { scenario } = value
  return isText(scenario) || (isRecord(scenario) && isText(scenario['name']) && isText(scenario['folder']) && isText(scenario['text']) && typeof scenario['isObject'] === 'boolean')
}

export const answerText = (answer: BatchAnswer): string => JSON.stringify(answer)

/** Null for the words of somebody else. */
export function answerIn(text: string): BatchAnswer | null {
  const value = jsonIn(text)
  if (!isRecord(value) || value['version'] !== 1 || !isText(value['batch']) || !isText(value['worker'])) return null
  switch (value['kind']) {
    case 'refused':
    case 'bug': return isText(value['message']) ? value as unknown as BatchAnswer : null
    case 'played': {
      const { played, ms, failures } = value
      return isCount(played) && isNumber(ms) && Array.isArray(failures) && failures.every(isFailure) ? value as unknown as BatchAnswer : null
    }
    default: return null
  }
}

const FAILURES: readonly unknown[] = ['strategy', 'endless', 'worker', 'bug'] satisfies TaskFailure['kind'][]

const isFailure = (value: unknown): boolean =>
  isRecord(value) && isText(value['id']) && FAILURES.includes(value['kind']) && (value['who'] === null || isText(value['who'])) && isText(value['message'])
