import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { scoresOf } from '../../src/score/scores.ts'
import { seedOf, type TaskOutcome, type TaskSpec } from '../../src/sweep/task.ts'
import { TaskStore } from '../../src/sweep/taskStore.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { newFolder, put } from '../scenario/small.ts'
import { overLimit } from './limits.ts'
import { isEndless, ODD_STRATEGY, odd, Oddity, oddScenario } from './odd.ts'
import { keptIn, newPool, outcomesOf, resultOf, tasksOf } from './pools.ts'

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
    const run = await runScenario(loaded, await prepareScenario(loaded, undefined, { importFile: importOf(true) }), { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
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

  it('refuses a strategy that is edited while it is in use, in its own point and in another', async () => {
    const scenario = oddScenario()
    const pool = newPool({ tasksDir: newFolder() })
    const [first, second] = tasksOf(scenario, 2) as [TaskSpec, TaskSpec]
    await outcomesOf(pool, [first])
    put(join(scenario, '..'), 'odd.ts', `${ODD_STRATEGY}// edited\n`)
    await expect(outcomesOf(pool, [second])).rejects.toThrow('was edited while sessions were played')
    await expect(outcomesOf(pool, [{ ...second, set: [odd(Oddity.slow)] }])).rejects.toThrow('was edited while its sessions were played')
  })

  it('names a trusted strategy that changes a built-in function, where its task would seem to be edited', async () => {
    // The name of a strategy is one of the words that a task's identity is made of.
    const patch = "const { stringify } = JSON\nJSON.stringify = (value, ...more) => stringify(value === 'shade' ? 'shadow' : value, ...more)\n"
    const scenario = oddScenario({ strategy: patch + ODD_STRATEGY })
    const error = await outcomesOf(newPool({ tasksDir: newFolder() }), tasksOf(scenario, 1)).catch((caught: unknown) => caught) as InputError
    expect(error.message).toBe('the strategy changed JSON.stringify, which parlor uses too: its task cannot be told from another')
    expect(error.position).toEqual({ file: join(dirname(scenario), 'odd.ts') })
    expect(error.hint).toContain('under --trusted a strategy shares the built-in objects with parlor')
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
    const [, foreign] = await outcomesOf(agreed, [spec, other])
    expect(agreed.progress).toMatchObject({ rechecked: 1, kept: 0, played: 1 })
    // A whole file of another result, under this task's name, as code that depends on the machine would leave it.
    const store = new TaskStore(tasksDir, newFolder())
    store.drop(resultOf(kept).id)
    store.keep({ ...resultOf(foreign), id: resultOf(kept).id })
    await expect(outcomesOf(newPool({ tasksDir, recheck: 1 }), [spec])).rejects.toThrow(/task [0-9a-f]{12} \(.*odd\.yaml --seed 7\/2\) gave other bytes than are kept/)
  })

  it('stops when a kept task throws in a new play of it, and keeps one whose new play is cut off', async () => {
    const scenario = oddScenario()
    const tasksDir = newFolder()
    const [throws, endless] = [Oddity.throwsWhenMarked, Oddity.endlessWhenMarked].map((oddity): TaskSpec => ({ scenario, set: [odd(oddity)], seed: '7/1' })) as [TaskSpec, TaskSpec]
    const kept = await outcomesOf(newPool({ tasksDir }), [endless, throws])
    put(join(scenario, '..'), 'marked', '')
    const said: string[] = []
    const again = newPool({ tasksDir, recheck: 2, limitMs: 20_000, say: (line) => { said.push(line) } })
    expect(await overLimit(20_000, () => isEndless(scenario), () => outcomesOf(again, [endless]))).toEqual(kept.slice(0, 1))
    expect(again.progress).toMatchObject({ kept: 1, rechecked: 0, failed: 0 })
    expect(said).toEqual([expect.stringMatching(/task [0-9a-f]{12} .* is kept and could not be played again to compare: did not end within 20 s/)])
    await expect(outcomesOf(again, [throws])).rejects.toThrow(expect.objectContaining({
      name: 'Bug', message: expect.stringMatching(/is kept in .*\.arrow, and failed when it was played again: strategy of odd threw in onRequest(?: \(\w+ \d+\))? at \S+Z: marked/),
    }))
    expect(keptIn(tasksDir)).toHaveLength(2)
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
