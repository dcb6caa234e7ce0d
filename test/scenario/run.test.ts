import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { type RunResult, runScenario } from '../../src/scenario/run.ts'
import type { RunTarget } from '../../src/scenario/runFolder.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { newFolder, prepared, put, SMALL } from './small.ts'

async function run(target: Partial<RunTarget> & { path: string }, text = SMALL, seed?: string): Promise<RunResult> {
  const { loaded, prepared: ready } = await prepared(text, seed === undefined ? {} : { seed })
  return runScenario(loaded, ready, { target: { force: false, numbered: false, ...target } })
}

describe('a run', () => {
  it('leaves tables, a manifest and where its inputs lie, and is verified', async () => {
    const path = join(newFolder(), 'small')
    const { manifest } = await run({ path })
    expect(readdirSync(path).toSorted()).toEqual(['manifest.json', 'sources.json', 'tables'])
    expect(manifest.label).toBe('interactive')
    expect(manifest.identity).toMatchObject({ seed: '1', node: process.version, strategies: {} })
    expect(manifest.counts).toMatchObject({ universe: 80, arrivals: 200 })
    expect(readTable(join(path, 'tables', 'requests.arrow')).metadata).toMatchObject({ label: 'interactive', seed: '1' })
    const verification = await verifyRun(path)
    expect(verification.checks.filter(({ ok }) => !ok)).toEqual([])
    expect(verification.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['table quotes', 'journal', 'rerun']))
  })

  it('gives the same bytes for the same seed and others for another', async () => {
    const folder = newFolder()
    const [first, second, other] = [await run({ path: join(folder, 'a') }), await run({ path: join(folder, 'b') }), await run({ path: join(folder, 'c') }, SMALL, '2')]
    expect(second.manifest).toEqual(first.manifest)
    expect(readFileSync(join(folder, 'a', 'manifest.json'))).toEqual(readFileSync(join(folder, 'b', 'manifest.json')))
    expect(other.manifest.digest).not.toBe(first.manifest.digest)
  })

  it('says in its manifest how it was recorded, which is no part of its identity', async () => {
    const folder = newFolder()
    const usual = (await run({ path: join(folder, 'usual') })).manifest
    expect(usual.record).toEqual({ tables: true, marksUs: [10_000_000, 60_000_000, 600_000_000], equityEveryUs: 60_000_000, parquet: false, name: 'small', left: [] })
    const other = (await run({ path: join(folder, 'other') }, `${SMALL}record: { marks: [2m, 5s, 5s], equityEvery: 30s, parquet: true }\n`)).manifest
    expect(other.record).toEqual({ tables: true, marksUs: [5_000_000, 120_000_000], equityEveryUs: 30_000_000, parquet: true, name: 'small', left: [] })
    expect([other.digest, other.identity]).toEqual([usual.digest, usual.identity])
  })

  it('writes no tables, or Parquet beside Arrow, when told so', async () => {
    const folder = newFolder()
    await run({ path: join(folder, 'none') }, `${SMALL}record: { tables: false }\n`)
    expect(readdirSync(join(folder, 'none')).toSorted()).toEqual(['manifest.json', 'sources.json'])
    expect((await verifyRun(join(folder, 'none'))).ok).toBe(true)
    await run({ path: join(folder, 'both') }, `${SMALL}record: { parquet: true }\n`)
    expect(readdirSync(join(folder, 'both', 'tables'))).toEqual(expect.arrayContaining(['quotes.arrow', 'quotes.parquet']))
    expect((await verifyRun(join(folder, 'both'))).ok).toBe(true)
  })

  it('takes a number beside a run of its name, and replaces it only when forced', async () => {
    const path = join(newFolder(), 'small')
    expect((await run({ path, numbered: true })).path).toBe(path)
    expect((await run({ path, numbered: true }, SMALL, '2')).path).toBe(`${path}-2`)
    await expect(run({ path })).rejects.toThrow('there is a run here already')
    const forced = await run({ path, force: true }, SMALL, '3')
    expect(forced.path).toBe(path)
    expect(JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')).identity.seed).toBe('3')
    expect(readdirSync(join(path, '..')).toSorted()).toEqual(['small', 'small-2'])
  })

  it('never replaces what is no run', async () => {
    const folder = newFolder()
    put(folder, 'notes/todo.txt', 'mine')
    await expect(run({ path: join(folder, 'notes'), force: true })).rejects.toThrow('something here that is no run')
    mkdirSync(join(folder, 'empty'))
    expect((await run({ path: join(folder, 'empty') })).path).toBe(join(folder, 'empty'))
  })

  it('clears what a process that is gone left, and nothing of one that lives', async () => {
    const folder = newFolder()
    put(folder, 'dead/.lease', '0123456789abcdef')
    put(folder, 'dead/.partial-0123456789abcdef/tables/quotes.arrow', 'half')
    put(folder, 'alive/.lease', 'fedcba9876543210')
    put(folder, 'alive/.partial-fedcba9876543210/tables/quotes.arrow', 'half')
    const longAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, 'dead', '.lease'), longAgo, longAgo)
    await run({ path: join(folder, 'small') })
    expect(readdirSync(folder).toSorted()).toEqual(['alive', 'small'])
    expect(readdirSync(join(folder, 'alive')).toSorted()).toEqual(['.lease', '.partial-fedcba9876543210'])
    expect((await run({ path: join(folder, 'alive'), numbered: true })).path).toBe(join(folder, 'alive-2'))
  })

  it('leaves nothing when it is given up', async () => {
    const folder = newFolder()
    const { loaded, prepared: ready } = await prepared(SMALL)
    const target = { path: join(folder, 'small'), force: false, numbered: false }
    const finishing = (): Promise<void> => Promise.reject(new Error('given up'))
    await expect(runScenario(loaded, ready, { target, finishing })).rejects.toThrow('given up')
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('verification', () => {
  it('finds a table that was changed', async () => {
    const path = join(newFolder(), 'small')
    await run({ path })
    const file = join(path, 'tables', 'journal.arrow')
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(file, bytes)
    const { ok, checks } = await verifyRun(path)
    expect(ok).toBe(false)
    expect(checks.filter((check) => !check.ok).map(({ name }) => name)).toEqual(['table journal'])
  })
})
