// Sessions of the quickstart per second of wall time through the pool of sweeps, on one worker and on two:
// `node bench/sweep.ts TASKS [FIRST]`, FIRST (1 or 2, default 1) workers first.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enlargeWorkerHeaps } from '../src/cli/v8.ts'
import { WorkerPool } from '../src/sweep/pool.ts'
import { seedOf } from '../src/sweep/task.ts'
import { assert } from '../src/unit/assert.ts'

const SCENARIO = fileURLToPath(new URL('../scenarios/quickstart.yaml', import.meta.url))
/** Played by each worker before the clock runs. */
const WARM_TASKS = 8

const tasks = Number(process.argv[2] ?? 24)
const order = process.argv[3] === '2' ? [2, 1] as const : [1, 2] as const
const room = mkdtempSync(join(tmpdir(), 'parlor-bench-sweep-'))

/** A pool keeps what it has played: each task has a seed of its own. */
async function play(pool: WorkerPool, from: number, count: number): Promise<void> {
  const specs = Array.from({ length: count }, (_, i) => ({ scenario: SCENARIO, set: [], seed: seedOf('bench', from + i + 1) }))
  for await (const outcome of pool.play(specs)) assert('result' in outcome, 'a session of the bench has a result')
}

async function sessionsPerSecond(workers: number): Promise<number> {
  const pool = new WorkerPool({ workers, tasksDir: join(room, String(workers)) })
  try {
    const warm = WARM_TASKS * workers
    await play(pool, 0, warm)
    const startedMs = performance.now()
    await play(pool, warm, tasks)
    return tasks / ((performance.now() - startedMs) / 1000)
  } finally {
    await pool.close()
  }
}

enlargeWorkerHeaps()
try {
  const rates = { 1: 0, 2: 0 }
  for (const workers of order) rates[workers] = await sessionsPerSecond(workers)
  console.log(JSON.stringify({ onOne: rates[1], onTwo: rates[2], ratio: rates[2] / rates[1] }))
} finally {
  rmSync(room, { recursive: true, force: true })
}
