import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import { verify } from '../../src/actions/verify.ts'
import { whatIf } from '../../src/actions/whatif.ts'
import { hashAlong } from '../proof/provedRun.ts'
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

describe('a what-if of a run of an older version', () => {
  it('is refused before anything is played, also where its settings are not known', async () => {
    const a = await ran(SMALL)
    const quotes = join(a, 'tables/quotes.arrow')
    writeFileSync(quotes, readFileSync(quotes, 'latin1').replaceAll('reference_product', 'reference_produkt'), 'latin1')
    hashAlong(a, 'tables/quotes.arrow')
    put(join(a, '..'), 'small.yaml', SMALL.replace('n: 20', 'n: 21'))
    await expect(whatIf(a, { out: join(a, '../changed') })).rejects.toThrow('an older version made the run: its table has no column reference_product')
    expect(readdirSync(join(a, '..'))).not.toContain('changed')
  })
})

/** It adopts what the one before it remembered, and says so by its price. */
const ADOPTS = REMEMBERS.replace('    onOpened()', '    adopt(before) { state.fills = before.fills },\n    onOpened()')

describe('a what-if from an instant on', () => {
  it('is the run where it begins at the end, and the plain what-if where it begins at the begin', async () => {
    const a = await ran(SMALL)
    const { digest, counts } = JSON.parse(readFileSync(join(a, 'manifest.json'), 'utf8')) as { digest: string; counts: { startUs: number; endUs: number } }
    const set = ['makers.0.params.margin=1%']
    const plain = await changed(a, set)
    expect((await changed(a, set, new Date(counts.endUs / 1000).toISOString().replace(/Z$/, `${String(counts.endUs % 1000).padStart(3, '0')}Z`))).digest).toBe(digest)
    expect((await changed(a, set, new Date(counts.startUs / 1000).toISOString())).digest).toBe(plain.digest)
    const middle = await changed(a, set, '5m')
    expect(new Set([digest, plain.digest, middle.digest]).size).toBe(3)
    expect((await verify(middle.path)).checks.filter(({ ok }) => !ok)).toEqual([])
    // The strategy has no state, and one microsecond after the begin nobody has asked.
    expect((await changed(a, set, '1us')).digest).toBe(plain.digest)
  })

  it('hands the state over to a strategy that adopts it, and to no other', async () => {
    const a = await ran(WITH_FILE, { 'remembers.ts': REMEMBERS, 'adopts.ts': ADOPTS })
    const { digest } = JSON.parse(readFileSync(join(a, 'manifest.json'), 'utf8')) as { digest: string }
    // With the same state the same prices follow.
    expect((await changed(a, ['makers.0.use=./adopts.ts'], '5m')).digest).toBe(digest)
    writeFileSync(join(a, '..', 'adopts.ts'), `${REMEMBERS}// begins empty\n`)
    expect((await changed(a, ['makers.0.use=./adopts.ts'], '5m')).digest).not.toBe(digest)
  })

  it('changes strategies of makers alone', async () => {
    const a = await ran(SMALL)
    await expect(changed(a, ['bettors.0.n=7'], '5m')).rejects.toThrow('--from changes what is no maker\'s strategy: bettors[0].bettors: 7, expected 100')
    await expect(changed(a, ['makers.0.params.margin=1%'], '9h')).rejects.toThrow('the session lasts from')
    await expect(changed(a, ['makers.0.params.margin=1%'], 'noon')).rejects.toThrow('is neither an instant nor a span since the begin')
  })
})
