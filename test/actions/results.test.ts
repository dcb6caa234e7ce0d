import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { explain } from '../../src/actions/explain.ts'
import { figureTexts } from '../../src/actions/figureTexts.ts'
import { importData } from '../../src/actions/importData.ts'
import { league } from '../../src/actions/league.ts'
import { leagueText } from '../../src/actions/leagueText.ts'
import { describeStrategies, listStrategies, parameterText } from '../../src/actions/listStrategies.ts'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import type { PoolOptions } from '../../src/actions/pools.ts'
import { readTables } from '../../src/actions/readTables.ts'
import { report } from '../../src/actions/report.ts'
import { run } from '../../src/actions/run.ts'
import { describeStore, listFormats } from '../../src/actions/stores.ts'
import { summarise, summaryText } from '../../src/actions/summarise.ts'
import { sweep } from '../../src/actions/sweep.ts'
import { validate } from '../../src/actions/validate.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { OBJECT } from './small.ts'

const SHORT = { ...OBJECT, arrivals: { until: '10m', max: 40 } }

describe('a finished run', () => {
  let folder: string
  beforeAll(async () => { folder = (await run(loadScenario(SHORT), { out: join(newFolder(), 'out') })).path })

  it('has its summary again from its tables, and as text', async () => {
    const summary = await summarise(folder)
    expect(JSON.parse(JSON.stringify(summary))).toEqual(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')))
    expect(summaryText(summary)).toContain('fixed-margin')
  })

  it('has those of its tables that are asked for', async () => {
    const tables = await readTables(folder, { tables: ['quotes', 'ledger'] })
    expect(tables.names).toEqual(['quotes', 'ledger'])
    expect(tables.get('ledger').bytes).toEqual(new Uint8Array(readFileSync(join(folder, 'tables', 'ledger.arrow'))))
    expect(() => tables.get('positions')).toThrow('no table positions')
    await expect(readTables(folder, { tables: ['quote'] })).rejects.toMatchObject({ name: 'InputError', message: 'no table quote; did you mean quotes?' })
  })

  it('has a page, in it or elsewhere', async () => {
    const out = join(newFolder(), 'page.html')
    expect(await report(folder, { out, requests: [1] })).toEqual({ kind: 'run', path: out })
    expect(existsSync(join(folder, 'report.html'))).toBe(false)
    expect(await report(folder)).toEqual({ kind: 'run', path: join(folder, 'report.html') })
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<!doctype html>')
  })

  it('has the story of each request', async () => {
    expect(await explain(folder, 1)).toMatchObject({ service: 'parlay', request: 1 })
    expect(await explain(folder, 'parlay:1')).toEqual(await explain(folder, 1))
    await expect(explain(folder, 'first')).rejects.toMatchObject({ name: 'InputError', message: 'expected the number of a request, a whole number, got first' })
  })

  it('whose files were changed is read by nobody', async () => {
    const { path } = await run(loadScenario(SHORT), { out: join(newFolder(), 'out') })
    writeFileSync(join(path, 'tables', 'quotes.arrow'), 'changed')
    for (const read of [readTables, summarise, report]) {
      await expect(read(path)).rejects.toMatchObject({ name: 'RunFailure', kind: 'damaged', participant: null, failure: { json: { error: { files: ['tables/quotes.arrow'] } } } })
    }
  })

  it('that is none is a mistake', async () => {
    const none = newFolder()
    for (const read of [readTables, summarise, report]) await expect(read(none)).rejects.toMatchObject({ name: 'InputError', position: { file: expect.stringContaining(none) as string } })
  })
})

describe('a sweep', () => {
  const axes = { 'makers.0.params.margin': '2%,9%' }

  it('of an object in memory has the result that the command has of a file, and goes on from what is kept', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40'))
    const args = ['--axis', 'makers.0.params.margin=2%,9%', '--replications', '2', '--workers', '1', '--json']
    const { out } = await parlorHere(folder, 'sweep', 'small.yaml', ...args)
    const command = JSON.parse(out) as { readonly result: unknown; readonly played: number }
    expect(command.played).toBe(4)
    const planned: unknown[] = []
    const options = { axes, replications: 2, workers: 1, onPlanned: (plan: unknown) => { planned.push(plan) } }
    const mine = await sweep(loadScenario(SHORT), { ...options, tasks: join(folder, 'mine') })
    expect({ ...mine, result: JSON.parse(JSON.stringify(mine.result)) as unknown }).toMatchObject({ path: null, played: 4, kept: 0, result: command.result })
    expect(planned).toEqual([{ sessionsMax: 4, isAtMost: false }])
    expect(await sweep(loadScenario(SHORT), { ...options, tasks: join(folder, 'runs', 'tasks') })).toMatchObject({ played: 0, kept: 4, result: mine.result })
  })

  it('that is given up keeps what was played, and says so', async () => {
    const tasks = join(newFolder(), 'tasks')
    const abort = new AbortController()
    const options: PoolOptions = { tasks, workers: 1, signal: abort.signal, onProgress: ({ played }) => { if (played > 0) abort.abort() } }
    await expect(sweep(loadScenario(SHORT), { axes, replications: 50, ...options })).rejects.toMatchObject({ name: 'Interrupted', message: expect.stringMatching(/^interrupted: \d+ sessions were played and are kept; the same command goes on from there$/) as string })
    const { kept } = await sweep(loadScenario(SHORT), { axes, replications: 1, tasks, workers: 1 })
    expect(kept).toBeGreaterThan(0)
  })

  it.each<[string, Parameters<typeof sweep>[1], string]>([
    ['an axis', { axes: ['margin'] }, 'is no axis: expected path=values'], ['a number', { replications: 0 }, 'expected --replications, 1 or more, got 0'],
    ['workers', { workers: 1.5, axes }, 'expected --workers, 1 or more, got 1.5'], ['a limit', { limit: '10' }, '--limit: expected a duration such as 120ms, 5s or 10m, got "10"'],
    ['a rule', { until: 'profit of nobody within 5 USDC', axes }, 'no maker nobody'],
  ])('is refused %s that cannot be', async (_, options, message) => {
    await expect(sweep(loadScenario(SHORT), options)).rejects.toMatchObject({ name: 'InputError', message: expect.stringContaining(message) as string })
  })
})

describe('a league', () => {
  it('of an object has a result with a text, in a folder too', async () => {
    const folder = newFolder()
    const scenario = loadScenario({ ...SHORT, makers: [{ use: 'shade' }], league: { entries: [{ name: 'thin', use: 'fixed-margin', params: { margin: '2%' } }, { name: 'wide', use: 'fixed-margin', params: { margin: '9%' } }], replications: 2, play: ['alone'] } })
    const { path, result, played } = await league(scenario, { out: join(folder, 'out'), tasks: join(folder, 'tasks'), workers: 1 })
    expect([path, played, result.failures]).toEqual([join(folder, 'out'), 4, []])
    expect(JSON.parse(readFileSync(join(folder, 'out', 'league.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(result)))
    expect(leagueText(result)).toMatch(/thin[^]*wide|wide[^]*thin/)
    expect(await league(scenario, { tasks: join(folder, 'tasks'), workers: 1 })).toMatchObject({ path: null, played: 0, kept: 4, result })
  })

  it('is asked for where the scenario has none', async () => {
    await expect(league(loadScenario(SHORT))).rejects.toMatchObject({ message: 'the scenario has no `league`' })
  })
})

describe('a sweep or a league whose sessions were played', () => {
  const ENTRIES = { ...SHORT, league: { entries: [{ name: 'thin', use: 'fixed-margin' }, { name: 'wide', use: 'shade' }], play: ['alone'] as const, replications: 1 } }
  const played = (kind: 'sweep' | 'league', options: PoolOptions & { readonly out: string }) =>
    (kind === 'sweep' ? sweep(loadScenario(SHORT), { axes: { 'makers.0.params.margin': '2%,6%' }, replications: 1, ...options }) : league(loadScenario(ENTRIES), options))

  it.each(['sweep', 'league'] as const)('leaves no result of a %s that is given up then, and throws what a function of the caller throws', async (kind) => {
    const [out, tasks] = [join(newFolder(), 'out'), join(newFolder(), 'tasks')]
    const controller = new AbortController()
    await expect(played(kind, { out, tasks, workers: 1, signal: controller.signal, onPlayed: () => { controller.abort() } })).rejects.toMatchObject({ name: 'Interrupted' })
    expect(existsSync(out)).toBe(false)
    const own = Object.assign(new Error('mine'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
    await expect(played(kind, { out, tasks, workers: 1, onPlayed: () => { throw own } })).rejects.toBe(own)
    expect(existsSync(out)).toBe(false)
  })
})

describe('other actions', () => {
  it('list strategies, built-in or in files, with parameters as they are written', async () => {
    const margin = (await listStrategies()).find(({ name }) => name === 'fixed-margin')!.parameters['margin']!
    expect(parameterText(margin)).toMatchObject({ default: '4%' })
    const file = put(newFolder(), 'mine.ts', "import { maker, pct } from 'parlor'\nexport default maker({ margin: pct(7) }, () => ({}))\n")
    expect(await describeStrategies([file])).toMatchObject([{ name: file, role: 'maker', parameters: { margin: { default: 0.07 } } }])
    await expect(describeStrategies([`${file}x`])).rejects.toMatchObject({ name: 'InputError' })
  })

  it('tell what is in a store, and which formats there are', async () => {
    expect(describeStore('quickstart')).toMatchObject({ name: 'quickstart', report: { format: expect.any(String) as string } })
    expect((await listFormats()).map(({ format }) => format)).toContain('polymarket-price-history')
    expect(() => describeStore('none')).toThrow('none')
  })

  it('import no format that there is not', async () => {
    await expect(importData('polymarket-mlb-bok', [], { into: join(newFolder(), 'store') })).rejects.toMatchObject({ name: 'InputError', message: 'no format polymarket-mlb-bok; did you mean polymarket-mlb-book?' })
  })

  it('measure a known result, in memory or in a folder', async () => {
    const out = join(newFolder(), 'validation')
    const result = await validate({ items: ['7'], samples: 'small', out })
    expect(result.items.map(({ id }) => id)).toEqual(['7'])
    expect(JSON.parse(readFileSync(join(out, 'validation.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(result)))
    expect(figureTexts(result.figures[0]!).measured).not.toBe('')
    await expect(validate({ items: ['none'] })).rejects.toMatchObject({ name: 'InputError' })
  })
})
