import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownBuild } from '../../src/fleet/build.ts'
import type { QueuedTask } from '../../src/fleet/queue/batch.ts'
import { Stage } from '../../src/fleet/queue/stage.ts'
import { DEFAULT_CALL_LIMITS } from '../../src/scenario/strategyLimits.ts'
import { WorkerPool } from '../../src/sweep/pool.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { quoting } from './quoting.ts'

/** A task as a command sees it that begins now. */
async function taskNow(scenario: string, seed: string): Promise<QueuedTask> {
  const spec = { scenario, set: [], seed }
  const pool = new WorkerPool({ tasksDir: newFolder(), isTrusted: true })
  try {
    return { id: await pool.identify(spec), spec }
  } finally {
    await pool.close()
  }
}

it('a stage reads files anew once when a task is of others, and says so when they differ again', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', quoting(0.03))
  const scenario = put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 20').replace('use: fixed-margin', 'use: ./mine.ts'))
  const stage = new Stage({ results: join(folder, 'results'), isTrusted: true, limitMs: null, limits: DEFAULT_CALL_LIMITS }, { build: ownBuild(), threads: 1, tasksDir: join(folder, 'tasks'), say: () => {} })
  onTestFinished(() => stage.close())
  const first = await taskNow(scenario, '1')
  expect(await stage.play(first)).toMatchObject({ result: { id: first.id } })
  put(folder, 'mine.ts', quoting(0.08))
  const second = await taskNow(scenario, '2')
  expect(await stage.play(second)).toMatchObject({ result: { id: second.id } })
  put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 19').replace('use: fixed-margin', 'use: ./mine.ts'))
  await expect(taskNow(scenario, '3').then((third) => stage.play(third))).rejects.toThrow('is another here than where the command is')
  // What it has read it plays still.
  expect(await stage.play(second)).toMatchObject({ result: { id: second.id } })
})
