import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { WorkerPool } from '../../src/sweep/pool.ts'
import { seedOf, type TaskOutcome, type TaskSpec } from '../../src/sweep/task.ts'
import type { Finding } from './world.ts'

const REPLICATIONS = 2
/** Another horizon of marks than the grammar draws. */
const OTHER_MARKS = 'record.marks=[7s]'

/**
 * Plays the scenario as tasks of a sweep, with one worker and with two: both must have the same results. Then a setting of the recording
 * changes: tasks that were kept before it must not be taken for those after it.
 */
export async function checkSweeps(scenario: string, room: string): Promise<Finding[]> {
  const tasks = (...set: string[]): TaskSpec[] => Array.from({ length: REPLICATIONS }, (_, i) => ({ scenario, set, seed: seedOf('vopr', i + 1) }))
  const dirs = ['one', 'two', 'fresh'].map((name) => join(room, 'tasks', name)) as [string, string, string]
  try {
    const one = await played(dirs[0], 1, tasks())
    const failure = one.find((outcome) => 'failure' in outcome)
    if (failure !== undefined) return [{ check: 'sweep', about: `a session that plays alone fails in a worker: ${failure.failure.message}` }]
    const findings: Finding[] = []
    if (!isDeepStrictEqual(await played(dirs[1], 2, tasks()), one)) findings.push({ check: 'sweep', about: 'two workers have other results than one' })
    if (!isDeepStrictEqual(await played(dirs[0], 1, tasks()), one)) findings.push({ check: 'sweep', about: 'kept tasks are read as something else' })
    if (!isDeepStrictEqual(await played(dirs[0], 1, tasks(OTHER_MARKS)), await played(dirs[2], 1, tasks(OTHER_MARKS)))) {
      findings.push({ check: 'sweep', about: `a task that was kept before ${OTHER_MARKS} is taken after it` })
    }
    return findings
  } finally {
    rmSync(join(room, 'tasks'), { recursive: true, force: true })
  }
}

async function played(tasksDir: string, workers: number, specs: readonly TaskSpec[]): Promise<TaskOutcome[]> {
  const pool = new WorkerPool({ tasksDir, workers })
  try {
    const outcomes: TaskOutcome[] = []
    for await (const outcome of pool.play(specs)) outcomes.push(outcome)
    return outcomes
  } finally {
    await pool.close()
  }
}
