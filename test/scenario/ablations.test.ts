import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import type { Axis } from '../../src/scenario/sweepSchema.ts'
import { licenceOf } from '../../src/score/licence.ts'
import { readExpectation } from '../../src/sweep/expectation.ts'
import { WorkerPool } from '../../src/sweep/pool.ts'
import { Sweep } from '../../src/sweep/sweep.ts'

const folder = fileURLToPath(new URL('../../scenarios/ablations', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'ablations-'))
const names = readdirSync(folder).map((name) => name.replace('.yaml', ''))

/** Enough for the interval of a difference to leave out 0. Drift needs 20, since prices come near the results before the close, and what tied outcomes cost varies most. */
const LEAST_REPLICATIONS = 5
const REPLICATIONS: Readonly<Record<string, number>> = { correlation: 8, informed: 20 }

/** All ablations share the pool, so that its workers stay warm. */
const pool = new WorkerPool({ workers: 2, tasksDir: join(root, 'tasks') })

afterAll(async () => {
  await pool.close()
  rmSync(root, { recursive: true, force: true })
})

/** The ends of an axis, which are what an expectation is about. */
function endsOf({ path, span }: Axis, isReversed: boolean): Axis {
  if (!('values' in span)) throw new Error('an ablation lists its values')
  const ends = [span.values[0]!, span.values.at(-1)!]
  return { path, span: { values: isReversed ? ends.toReversed() : ends } }
}

async function play(name: string, isReversed = false) {
  const scenario = join(folder, `${name}.yaml`)
  const { file: { seed, mode, sweep } } = loadScenario(scenario)
  const axes = sweep!.axes.map((axis) => endsOf(axis, isReversed))
  const task = new Sweep({
    name, label: mode, scenario, set: [], seed, design: { kind: 'list', axes, seed }, replications: REPLICATIONS[name] ?? LEAST_REPLICATIONS, until: null, maximise: null, licence: licenceOf([]),
    expect: sweep!.expect.map((text) => readExpectation(text, { file: scenario })),
  })
  await task.play(pool)
  return (await task.write(pool, join(root, `${name}${isReversed ? '-reversed' : ''}`))).expectations
}

describe('ablations move a figure of the maker as theory says', () => {
  it('are of latency, last look, the informed, rivals, correlation and fees', () => {
    expect(names).toEqual(['correlation', 'fees', 'informed', 'last-look', 'latency', 'rivals'])
  })

  it.each(names)('%s', async (name) => {
    const met = await play(name)
    expect(met.length).toBeGreaterThan(0)
    expect(met.filter(({ holds }) => !holds)).toEqual([])
  })

  // The same sessions, which are kept, in the other order.
  it.each(names)('%s, and not the other way round', async (name) => {
    expect((await play(name, true)).filter(({ holds }) => holds)).toEqual([])
  })
})
