import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { scoresOf } from '../../src/score/scores.ts'
import { WorkerPool, type WorkerPoolOptions } from '../../src/sweep/pool.ts'
import { seedOf, type TaskOutcome, type TaskResult, type TaskSpec } from '../../src/sweep/task.ts'
import { newFolder, put } from '../scenario/small.ts'
import { ODD_STRATEGY, odd, Oddity, oddScenario } from './odd.ts'

const pools: WorkerPool[] = []

function newPool(options: WorkerPoolOptions): WorkerPool {
  const pool = new WorkerPool({ workers: 1, ...options })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

async function outcomesOf(pool: WorkerPool, specs: readonly TaskSpec[]): Promise<TaskOutcome[]> {
  const outcomes: TaskOutcome[] = []
  for await (const outcome of pool.play(specs)) outcomes.push(outcome)
  return outcomes
}

const resultOf = (outcome: TaskOutcome | undefined): TaskResult => (outcome as { result: TaskResult }).result
const tasksOf = (scenario: string, count: number, ...set: string[]): TaskSpec[] =>
  Array.from({ length: count }, (_, i) => ({ scenario, set, seed: seedOf('7', i + 1) }))
const keptIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.endsWith('.arrow')).toSorted()

describe('a pool of workers', () => {
  it('plays what parlor run plays, in the order of the tasks, and keeps the same bytes for one worker and two', async () => {
    const scenario = oddScenario()
    const [one, two] = [newFolder(), newFolder()]
    // The first is slow: with two workers the others finish before it.
    const specs = [{ scenario, set: [odd(Oddity.slow)], seed: seedOf('7', 1) }, ...tasksOf(scenario, 3)]
    const outcomes = await outcomesOf(newPool({ workers: 2, tasksDir: two }), specs)
    expect(outcomes.map(({ spec }) => spec)).toEqual(specs)
    const alone = await outcomesOf(newPool({ workers: 1, tasksDir: one }), specs)
    expect(alone).toEqual(outcomes)
    expect(keptIn(one)).toEqual(outcomes.map((outcome) => `${resultOf(outcome).id}.arrow`).toSorted())
    for (const name of keptIn(one)) expect(readFileSync(join(two, name)).equals(readFileSync(join(one, name)))).toBe(true)

    const loaded = loadScenario(scenario, { set: [odd(Oddity.none)], seed: '7/2' })
    const run = await runScenario(loaded, await prepareScenario(loaded), { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
    expect(resultOf(outcomes[2])).toMatchObject({ digest: run.manifest.digest, scores: scoresOf(run.path) })
    expect(resultOf(outcomes[2]).scores[0]!.sums.some((sum) => sum !== 0)).toBe(true)
  })

  it('computes nothing twice: equal tasks, tasks of another pool and copies of a strategy share one play; an edited one is another task', async () => {
    const tasksDir = newFolder()
    const specs = tasksOf(oddScenario(), 2)
    const first = newPool({ tasksDir })
    const outcomes = await outcomesOf(first, [...specs, ...specs])
    expect(first.progress).toMatchObject({ played: 2, failed: 0 })
    expect(outcomes.slice(2)).toEqual(outcomes.slice(0, 2))
    const second = newPool({ tasksDir })
    const copies = await outcomesOf(second, tasksOf(oddScenario(), 2))
    expect(second.progress).toMatchObject({ played: 0, kept: 2 })
    expect(copies.map((outcome) => resultOf(outcome))).toEqual(outcomes.slice(0, 2).map((outcome) => resultOf(outcome)))
    const more = newPool({ tasksDir })
    await outcomesOf(more, tasksOf(oddScenario(), 2, 'inference.replications=7'))
    expect(more.progress).toMatchObject({ played: 0, kept: 2 })
    const third = newPool({ tasksDir })
    const edited = await outcomesOf(third, tasksOf(oddScenario({ strategy: `${ODD_STRATEGY}// edited\n` }), 2))
    expect(third.progress).toMatchObject({ played: 2, kept: 0 })
    expect(resultOf(edited[0]).id).not.toBe(resultOf(outcomes[0]).id)
    expect(resultOf(edited[0]).digest).toBe(resultOf(outcomes[0]).digest)
  })

  it('refuses a strategy that is edited while it is in use', async () => {
    const scenario = oddScenario()
    const tasksDir = newFolder()
    await outcomesOf(newPool({ tasksDir }), tasksOf(scenario, 1))
    put(join(scenario, '..'), 'odd.ts', `${ODD_STRATEGY}// edited\n`)
    await expect(outcomesOf(newPool({ tasksDir }), tasksOf(scenario, 1))).rejects.toThrow('was edited while its sessions were played')
  })

  it('plays a damaged task again and says so, and stops when a kept task and a new play of it differ', async () => {
    const tasksDir = newFolder()
    const [other, spec] = tasksOf(oddScenario(), 2) as [TaskSpec, TaskSpec]
    const [kept] = await outcomesOf(newPool({ tasksDir }), [spec])
    const path = join(tasksDir, `${resultOf(kept).id}.arrow`)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, 1000))
    const said: string[] = []
    const again = newPool({ tasksDir, say: (line) => { said.push(line) } })
    await outcomesOf(again, [spec])
    expect(again.progress).toMatchObject({ played: 1, kept: 0 })
    expect(said).toEqual([expect.stringContaining(`${path}: the kept task is damaged`)])
    expect(readFileSync(path).equals(bytes)).toBe(true)

    const agreed = newPool({ tasksDir, recheck: 1 })
    await outcomesOf(agreed, [spec])
    expect(agreed.progress).toMatchObject({ rechecked: 1, kept: 0 })
    // A whole file of another result, under this task's name, as code that depends on the machine would leave it.
    const { TaskStore } = await import('../../src/sweep/taskStore.ts')
    const [foreign] = await outcomesOf(newPool({ tasksDir }), [other])
    const store = new TaskStore(tasksDir, newFolder())
    store.drop(resultOf(kept).id)
    store.keep({ ...resultOf(foreign), id: resultOf(kept).id })
    await expect(outcomesOf(newPool({ tasksDir, recheck: 1 }), [spec])).rejects.toThrow(/task [0-9a-f]{12} \(.*odd\.yaml --seed 7\/2\) gave other bytes than are kept/)
  })

  it('names a strategy that throws, ends one that never returns, replaces workers that die, and goes on with the others', async () => {
    const scenario = oddScenario()
    const tasksDir = newFolder()
    const said: string[] = []
    const specs = [Oddity.throws, Oddity.exits, Oddity.exitsOnce, Oddity.none, Oddity.endless, Oddity.none]
      .map((oddity, i): TaskSpec => ({ scenario, set: [odd(oddity)], seed: seedOf('7', i + 1) }))
    const pool = newPool({ workers: 2, tasksDir, limitMs: 2_000, say: (line) => { said.push(line) } })
    const outcomes = await outcomesOf(pool, specs)
    const failures = outcomes.map((outcome) => ('failure' in outcome ? { kind: outcome.failure.kind, who: outcome.failure.who } : null))
    expect(failures).toEqual([{ kind: 'strategy', who: 'odd' }, { kind: 'worker', who: null }, null, null, { kind: 'endless', who: null }, null])
    expect(outcomes[0]).toMatchObject({ failure: { message: expect.stringContaining('threw in onRequest') } })
    expect(outcomes[1]).toMatchObject({ failure: { message: expect.stringContaining('died 3 times') } })
    expect(outcomes[4]).toMatchObject({ failure: { message: 'did not end within 2 s' } })
    expect(said.filter((line) => line.startsWith('a worker died'))).toHaveLength(3)
    expect(existsSync(join(scenario, '..', 'died'))).toBe(true)
    expect(pool.progress).toMatchObject({ played: 3, failed: 3 })
    // A failure is no result: only results are kept, and nothing of what was cut off stays.
    expect(keptIn(tasksDir)).toEqual([2, 3, 5].map((i) => `${resultOf(outcomes[i]).id}.arrow`).toSorted())
    await pool.close()
    expect(readdirSync(tasksDir).toSorted()).toEqual(keptIn(tasksDir))
  })

  it.each([1, 2])('finds a strategy file that carries something between sessions, after another that does not, with %i workers', async (workers) => {
    const strategy = ODD_STRATEGY.replace('const parameters', 'let sessions = 0\n\nconst parameters').replace('fair * (1 + p.margin)', 'fair * (1 + p.margin * Math.min(9, sessions))')
      .replace('create: (p) => ({', 'create: (p) => (sessions++, {')
    const tasksDir = newFolder()
    const pool = newPool({ tasksDir, workers })
    const stateful = oddScenario({ strategy })
    // The first of the stateful file is slow, and the one before it has no result: neither changes which of them is named.
    const specs = [
      ...tasksOf(oddScenario(), 2), { scenario: stateful, set: [odd(Oddity.throws)], seed: '9' },
      { scenario: stateful, set: [odd(Oddity.slow)], seed: '8' }, ...tasksOf(stateful, 3),
    ]
    const taken: TaskOutcome[] = []
    await expect((async () => {
      for await (const outcome of pool.play(specs)) taken.push(outcome)
    })()).rejects.toThrow(/odd\.yaml --set makers\.0\.params\.oddity=5 --seed 8\) gives other rows in a worker that has played other sessions/)
    expect(taken.map((outcome) => 'result' in outcome)).toEqual([true, true, false])
    expect(keptIn(tasksDir)).toEqual(taken.slice(0, 2).map((outcome) => `${resultOf(outcome).id}.arrow`).toSorted())
  })

  it.each([
    ['timer', "setTimeout(() => { throw new Error('late') }, 1)", { kind: 'strategy', message: 'a strategy left a timer running when its session had ended' }],
    ['rejected promise', "Promise.reject(new Error('late'))", { kind: 'worker', message: 'its worker died 3 times, at last: late' }],
  ])('blames the session that left a %s, and no other', async (_, leaves, failure) => {
    const guilty = oddScenario({ strategy: ODD_STRATEGY.replace("throw new Error('boom')", leaves) })
    const said: string[] = []
    const pool = newPool({ tasksDir: newFolder(), say: (line) => { said.push(line) } })
    const outcomes = await outcomesOf(pool, [{ scenario: guilty, set: [odd(Oddity.throws)], seed: '1' }, ...tasksOf(oddScenario(), 2)])
    expect(outcomes[0]).toMatchObject({ failure })
    expect(outcomes.slice(1).map((outcome) => 'result' in outcome)).toEqual([true, true])
    expect(said.filter((line) => !line.includes('--seed 1)'))).toEqual([])
  })

  it('ends what runs when its taker leaves, and stops at a signal, with what is finished kept', async () => {
    const scenario = oddScenario()
    const tasksDir = newFolder()
    const pool = newPool({ tasksDir })
    const endless = { scenario, set: [odd(Oddity.endless)], seed: '1' }
    for await (const outcome of pool.play([...tasksOf(scenario, 1), endless, endless])) {
      expect('result' in outcome).toBe(true)
      break
    }
    expect(keptIn(tasksDir)).toHaveLength(1)
    const stop = new AbortController()
    const stopped = newPool({ tasksDir, signal: stop.signal })
    const taken: TaskOutcome[] = []
    await expect((async () => {
      for await (const outcome of stopped.play([...tasksOf(scenario, 2), endless])) {
        if (taken.push(outcome) === 2) stop.abort()
      }
    })()).rejects.toThrow('interrupted')
    expect(taken).toHaveLength(2)
    expect(keptIn(tasksDir)).toHaveLength(2)
  })

  it('refuses a task whose input is wrong, before and in the worker', async () => {
    const scenario = oddScenario()
    const pool = newPool({ tasksDir: newFolder() })
    await expect(outcomesOf(pool, tasksOf(scenario, 1, 'makers.0.params.margin=400%'))).rejects.toThrow('margin')
    await expect(outcomesOf(pool, tasksOf(scenario, 1, 'history.from=2025-06-20T01:50:00Z', 'history.to=2025-06-20T01:59:00Z', 'arrivals.until=1m'))).rejects.toThrow('can be traded')
  })
})
