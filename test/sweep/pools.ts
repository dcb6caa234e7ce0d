import { readdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { WorkerPool, type WorkerPoolOptions } from '../../src/sweep/pool.ts'
import { seedOf, type TaskOutcome, type TaskResult, type TaskSpec } from '../../src/sweep/task.ts'

/** A pool that is closed when the running test is over. Its strategies run in no room: those that misbehave in tests use files to say so. */
export function newPool(options: WorkerPoolOptions): WorkerPool {
  const pool = new WorkerPool({ workers: 1, isTrusted: true, ...options })
  onTestFinished(() => pool.close())
  return pool
}

export async function outcomesOf(pool: WorkerPool, specs: readonly TaskSpec[]): Promise<TaskOutcome[]> {
  const outcomes: TaskOutcome[] = []
  for await (const outcome of pool.play(specs)) outcomes.push(outcome)
  return outcomes
}

export const resultOf = (outcome: TaskOutcome | undefined): TaskResult => (outcome as { result: TaskResult }).result

export const tasksOf = (scenario: string, count: number, ...set: string[]): TaskSpec[] =>
  Array.from({ length: count }, (_, i) => ({ scenario, set, seed: seedOf('7', i + 1) }))

/** Names of the tasks in a folder. */
export const keptIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.endsWith('.arrow')).toSorted()
