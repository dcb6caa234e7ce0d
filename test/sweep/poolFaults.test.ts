import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { seedOf, type TaskOutcome, type TaskSpec } from '../../src/sweep/task.ts'
import { newFolder, put } from '../scenario/small.ts'
import { overLimit, stoppedFor } from './limits.ts'
import { isEndless, ODD_STRATEGY, odd, Oddity, oddScenario } from './odd.ts'
import { keptIn, newPool, outcomesOf, resultOf, tasksOf } from './pools.ts'

/** The odd strategy with a counter of sessions beside `create`, which what it quotes depends on where `counts` says so. */
const counting = (counter: string, counts: string): string => ODD_STRATEGY.replace('const parameters', `${counter}\n\nconst parameters`)
  .replace('fair * (1 + p.margin)', 'fair * (1 + p.margin * Math.min(9, counted.sessions))').replace('create: (p) => ({', `create: (p) => (${counts} && counted.sessions++, {`)

describe('a pool of workers, of strategies that misbehave,', () => {
  it('names a strategy that throws, ends one that never returns, replaces workers that die, and goes on with the others', async () => {
    const scenario = oddScenario()
    const tasksDir = newFolder()
    const said: string[] = []
    const specs = [Oddity.throws, Oddity.exits, Oddity.exitsOnce, Oddity.none, Oddity.endless, Oddity.none]
      .map((oddity, i): TaskSpec => ({ scenario, set: [odd(oddity)], seed: seedOf('7', i + 1) }))
    const pool = newPool({ workers: 2, tasksDir, limitMs: 20_000, say: (line) => { said.push(line) } })
    const isDue = (): boolean => isEndless(scenario) && pool.progress.played + pool.progress.failed === specs.length - 1
    const outcomes = await overLimit(20_000, isDue, () => outcomesOf(pool, specs))
    const failures = outcomes.map((outcome) => ('failure' in outcome ? { kind: outcome.failure.kind, who: outcome.failure.who } : null))
    expect(failures).toEqual([{ kind: 'strategy', who: 'odd' }, { kind: 'worker', who: 'odd' }, null, null, { kind: 'endless', who: 'odd' }, null])
    expect(outcomes[0]).toMatchObject({ failure: { message: expect.stringContaining('threw in onRequest') } })
    expect(outcomes[1]).toMatchObject({ failure: { message: expect.stringContaining('died 3 times') } })
    expect(outcomes[4]).toMatchObject({ failure: { message: 'did not end within 20 s' } })
    expect(said.filter((line) => line.startsWith('a worker died'))).toHaveLength(3)
    expect(existsSync(join(scenario, '..', 'died'))).toBe(true)
    expect(pool.progress).toMatchObject({ played: 3, failed: 3 })
    // A failure is no result: only results are kept, and nothing of what was cut off stays.
    expect(keptIn(tasksDir)).toEqual([2, 3, 5].map((i) => `${resultOf(outcomes[i]).id}.arrow`).toSorted())
    await pool.close()
    expect(readdirSync(tasksDir).toSorted()).toEqual(keptIn(tasksDir))
  })

  it('does not hold against a session how long this process was stopped', async () => {
    // Beyond the limit also where time in which nobody works counts a quarter.
    const [limitMs, stopMs] = [20_000, 120_000]
    const waits = "writeFileSync(new URL('./begun', import.meta.url), '')\n    while (!existsSync(new URL('./go', import.meta.url))) {}"
    const scenario = oddScenario({ strategy: ODD_STRATEGY.replace("throw new Error('boom')", `{\n    ${waits}\n    }`) })
    const folder = join(scenario, '..')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    })
    const playing = outcomesOf(newPool({ tasksDir: newFolder(), limitMs }), [{ scenario, set: [odd(Oddity.throws)], seed: '7' }])
    while (!existsSync(join(folder, 'begun'))) await setTimeout(10)
    await stoppedFor(stopMs, playing)
    put(folder, 'go', '')
    expect(resultOf((await playing)[0])).toMatchObject({ digest: expect.any(String) })
  })

  it.each([1, 2])('finds a strategy that carries something between sessions in a global, after another that does not, with %i workers', async (workers) => {
    const tasksDir = newFolder()
    const pool = newPool({ tasksDir, workers })
    const stateful = oddScenario({ strategy: counting('const counted = (globalThis.counted ??= { sessions: 0 })', 'true') })
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

  it('gives each session modules of its own: what a file keeps beside `create`, or in a file that it imports, reaches no other', async () => {
    // The first session that is played, the witness, touches nothing of it.
    const strategy = counting("import { counted } from './counted.ts'", 'p.margin < 0.5')
    const scenario = oddScenario({ strategy })
    put(join(scenario, '..'), 'counted.ts', 'export const counted = { sessions: 0 }\n')
    const margin = (percent: number, seed: string): TaskSpec => ({ scenario, set: [`makers.0.params.margin=${percent}%`], seed })
    const specs = [margin(60, '1'), ...['1', '2', '3'].map((seed) => margin(4, seed))]
    const forth = await outcomesOf(newPool({ tasksDir: newFolder(), workers: 2 }), specs)
    const back = await outcomesOf(newPool({ tasksDir: newFolder() }), [specs[0]!, ...specs.slice(1).toReversed()])
    const digests = (outcomes: readonly TaskOutcome[]) => outcomes.map((outcome) => resultOf(outcome).digest)
    expect(digests(forth.slice(1))).toEqual(digests(back.slice(1).toReversed()))
  })

  it('blames the session that left a timer, an immediate or a rejected promise, and no other', async () => {
    const leaving = [
      ["setTimeout(() => { throw new Error('late') }, 1)", 'strategy of odd left a timer running when its session had ended'],
      ['setInterval(() => {}, 1000).unref()', 'strategy of odd left a timer running when its session had ended'],
      ['const next = () => setImmediate(next)\n      next()', 'strategy of odd left an immediate running when its session had ended'],
      ["Promise.reject(new Error('late'))", 'strategy of odd left a promise that was rejected: late'],
    ] as const
    const innocent = oddScenario()
    const said: string[] = []
    const pool = newPool({ tasksDir: newFolder(), say: (line) => { said.push(line) } })
    // After each guilty session the same worker, or the one in its place, plays an innocent one.
    const outcomes = await outcomesOf(pool, leaving.flatMap(([leaves], i): TaskSpec[] => {
      const guilty = oddScenario({ strategy: ODD_STRATEGY.replace("throw new Error('boom')", `{\n      ${leaves}\n    }`) })
      return [{ scenario: guilty, set: [odd(Oddity.throws)], seed: `guilty/${i}` }, { scenario: innocent, set: [odd(Oddity.none)], seed: seedOf('7', i + 1) }]
    }))
    expect(outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : 'a result'))).toEqual(leaving.flatMap(([, message]) => [
      expect.objectContaining({ kind: 'strategy', who: 'odd', message }), 'a result',
    ]))
    expect(said.filter((line) => !line.includes('--seed guilty/'))).toEqual([])
  })
})
