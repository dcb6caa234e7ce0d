import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import { verify } from '../../src/actions/verify.ts'
import { whatIf } from '../../src/actions/whatif.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { changed, ran } from './runs.ts'

/** A maker that remembers whom it filled, in a file of the scenario's folder. */
const REMEMBERS = `import { maker, pct, SECOND_US } from 'parlor'

export default maker({ margin: pct(4) }, (p) => {
  const state = { fills: 0 }
  return {
    state,
    onRequest(request, desk) {
      const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 300 * SECOND_US })
      if (fair) desk.quote(request, { probability: fair * (1 + p.margin + state.fills / 1e4), validUs: 8 * SECOND_US })
    },
    onOpened() { state.fills++ },
  }
})
`
const WITH_FILE = SMALL.replace('use: fixed-margin,', 'use: ./remembers.ts, name: mine,')
const filesOf = (dir: string): string[] => readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)).toSorted()

describe('a what-if', () => {
  it('of nothing is the same run, byte for byte, with the run\'s settings and strategy files', async () => {
    const folder = newFolder()
    put(folder, 'remembers.ts', REMEMBERS)
    const scenario = loadScenario(put(folder, 'small.yaml', WITH_FILE), { set: ['makers.0.params.margin=3%'], seed: '7' })
    const { path } = await run(scenario, { out: join(folder, 'run'), report: true })
    const { run: again, diff } = await whatIf(path, { report: true })
    expect(again.path).toBe(join(folder, 'run-whatif'))
    expect(filesOf(again.path)).toEqual(filesOf(path))
    expect(filesOf(path).filter((file) => !readFileSync(join(again.path, file)).equals(readFileSync(join(path, file))))).toEqual([])
    expect(diff.services[0]!.makers.map(({ profit }) => profit.differenceMicros)).toEqual([0, 0, 0])
    expect((await whatIf(path, { set: ['makers.0.params.margin=2%'] })).run.path).toBe(join(folder, 'run-whatif-2'))
  })

  it('of a seed or a setting is a run that can be proven', async () => {
    const a = await ran(SMALL)
    const { path, said } = await changed(a, ['seeds.outcomes=2', 'makers.0.params.margin=3%'])
    expect(said).toEqual([])
    expect((await verify(path)).checks.filter(({ ok }) => !ok)).toEqual([])
  })

  it('says which strategy has changed since the run, and plays it', async () => {
    const a = await ran(WITH_FILE, { 'remembers.ts': REMEMBERS })
    writeFileSync(join(a, '..', 'remembers.ts'), REMEMBERS.replace('1e4', '1e3'))
    const { said, path } = await changed(a, [])
    expect(said).toEqual([expect.stringMatching(/^strategy \.\/remembers\.ts has changed since the run: \w{12}, expected \w{12}; what differs may come of that too$/)])
    expect(path).toBe(join(a, '..', 'changed'))
  })

  it('is of the scenario of the run alone', async () => {
    const a = await ran(SMALL)
    put(join(a, '..'), 'small.yaml', SMALL.replace('n: 20', 'n: 21'))
    await expect(changed(a, [])).rejects.toThrow('the scenario is another than in the run: bettors[1].bettors: 21, expected 20')
    await expect(changed(await ran(SMALL, {}, ['record.tables=false']), [])).rejects.toThrow('the run has no tables')
  })
})
