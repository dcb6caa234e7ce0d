// Sessions of the quickstart per second of wall time through the pool of sweeps, on one worker and on two, and, on Linux, the CPU of a
// session on one in the worker and in V8's threads, ms: `node tools/bundle/run.mjs bench/sweep.ts TASKS [FIRST]`, FIRST (1 or 2, default 1) workers first.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enlargeWorkerHeaps } from '../src/cli/v8.ts'
import { WorkerPool } from '../src/sweep/pool.ts'
import { seedOf } from '../src/sweep/task.ts'
import { assert } from '../src/unit/assert.ts'

const SCENARIO = fileURLToPath(new URL('../scenarios/quickstart.yaml', import.meta.url))
/** Sessions of each worker before the clock runs: V8 compiles most code in the first twenty sessions, on the core of the second worker. */
const WARM_TASKS_MAX = 24

const tasks = Number(process.argv[2] ?? 40)
const warmTasks = Math.min(WARM_TASKS_MAX, tasks)
const order = process.argv[3] === '2' ? [2, 1] as const : [1, 2] as const
const room = mkdtempSync(join(tmpdir(), 'parlor-bench-sweep-'))

const newPool = (workers: number): WorkerPool => new WorkerPool({ workers, tasksDir: join(room, String(workers)) })

/** A pool keeps the results of played tasks, so that each task has a seed of its own. */
async function play(pool: WorkerPool, from: number, count: number): Promise<void> {
  const specs = Array.from({ length: count }, (_, i) => ({ scenario: SCENARIO, set: [], seed: seedOf('bench', from + i + 1) }))
  for await (const outcome of pool.play(specs)) assert('result' in outcome, 'a session of the bench has a result')
}

const THREADS = '/proc/self/task'
const MS_OF_TICK = 10

/** CPU of the process's threads of a name so far, ms. */
function threadsMs(name: string): number {
  let ticks = 0
  for (const thread of readdirSync(THREADS)) {
    // "ID (NAME) STATE …": user and system time are the 12th and the 13th after the name.
    const [head, tail] = readFileSync(join(THREADS, thread, 'stat'), 'utf8').split(') ') as [string, string]
    const [user, system] = tail.split(' ').slice(11, 13)
    if (head.endsWith(`(${name}`)) ticks += Number(user) + Number(system)
  }
  return ticks * MS_OF_TICK
}

/** The CPU time of a session in workers and in V8's threads, over the sessions that are played meanwhile. */
async function costOf<T>(playing: () => Promise<T>): Promise<{ readonly played: T; readonly cost: object }> {
  if (!existsSync(THREADS)) return { played: await playing(), cost: {} }
  const before = [threadsMs('WorkerThread'), threadsMs('V8Worker')]
  const played = await playing()
  const [inWorkerMs, inV8Ms] = [threadsMs('WorkerThread'), threadsMs('V8Worker')].map((ms, i) => (ms - before[i]!) / tasks)
  return { played, cost: { inWorkerMs, inV8Ms } }
}

async function sessionsPerSecond(pool: WorkerPool): Promise<number> {
  const startedMs = performance.now()
  // The same on one worker as on two: sessions of other seeds cost more or less.
  await play(pool, warmTasks * 2, tasks)
  return tasks / ((performance.now() - startedMs) / 1000)
}

enlargeWorkerHeaps()
const pools = { 1: newPool(1), 2: newPool(2) }
try {
  // Both before either is measured: what plays first in a process plays slower.
  for (const workers of order) await play(pools[workers], 0, warmTasks * workers)
  const rates = { 1: 0, 2: 0 }
  let onOne = {}
  for (const workers of order) {
    const { played, cost } = await costOf(() => sessionsPerSecond(pools[workers]))
    rates[workers] = played
    if (workers === 1) onOne = cost
  }
  console.log(JSON.stringify({ onOne: rates[1], onTwo: rates[2], ratio: rates[2] / rates[1], ...onOne }))
} finally {
  await Promise.allSettled(order.map((workers) => pools[workers].close()))
  rmSync(room, { recursive: true, force: true })
}
