import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../src/record/manifest.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'
import { parlor, parlorHere } from './parlor.ts'

const folder = newFolder()
const copy = (name: string): string => {
  cpSync(join(folder, 'run'), join(folder, name), { recursive: true })
  return name
}

beforeAll(async () => {
  cpSync(QUICKSTART_STORE, join(folder, 'prices'), { recursive: true })
  put(folder, 'small.yaml', SMALL.replace(/store: [^,]*/, 'store: ./prices').replace('max: 200', 'max: 40'))
  await parlorHere(folder, 'run', 'small.yaml', '--out', 'run', '--quiet')
  await parlorHere(folder, 'run', 'small.yaml', '--out', 'other', '--seed', '2', '--quiet', '--no-report')
})

describe('a run whose files are not its own', () => {
  it('has neither page nor stories, and the file is named', async () => {
    const run = copy('mixed')
    const page = readFileSync(join(folder, run, 'report.html'))
    copyFileSync(join(folder, 'other', 'tables', 'quotes.arrow'), join(folder, run, 'tables', 'quotes.arrow'))
    const refused = { code: 1, out: '', err: expect.stringMatching(/^mixed\/tables\/quotes\.arrow: SHA-256 \w{12}, expected \w{12}: the file was changed\n/) }
    expect(await parlor(folder, 'report', run)).toMatchObject(refused)
    expect(await parlorHere(folder, 'explain', run, '1')).toMatchObject(refused)
    expect(readFileSync(join(folder, run, 'report.html'))).toEqual(page)
    expect(await parlorHere(folder, 'verify', run)).toMatchObject({ code: 1, out: expect.stringMatching(/DIFFERS +table quotes +row 1, column \w+: .*; SHA-256 \w{12}, expected \w{12}: the file was changed/) })
  })

  it('and whose manifest lost its list of files is compared by its tables, and that is said', async () => {
    const run = copy('unnamed')
    const manifest = readFileSync(join(folder, run, 'manifest.json'), 'utf8')
    writeFileSync(join(folder, run, 'manifest.json'), manifest.replace('"files"', '"filez"'))
    const said = 'unnamed has no list of its files and their hashes'
    expect(await parlorHere(folder, 'report', run)).toMatchObject({ code: 0, err: expect.stringContaining(said) })
    expect(await parlorHere(folder, 'explain', run, '1')).toMatchObject({ code: 0, err: expect.stringContaining(said) })
    expect(await parlorHere(folder, 'verify', run)).toMatchObject({ code: 1, out: expect.stringMatching(/DIFFERS +files +are not named[^]*DIFFERS +manifest +filez: .* expected nothing/) })
    copyFileSync(join(folder, 'other', 'tables', 'quotes.arrow'), join(folder, run, 'tables', 'quotes.arrow'))
    for (const command of [['report', run], ['explain', run, '1']]) {
      expect(await parlorHere(folder, ...command)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('unnamed/tables/quotes.arrow: SHA-256') })
    }
    writeFileSync(join(folder, run, 'manifest.json'), '{')
    expect(await parlorHere(folder, 'report', run)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('unnamed/manifest.json: is no manifest: it was changed or cut off') })
  })

  it.each([
    ['names no files', { files: {} }, 'manifest.json: names no files'],
    ['has no list of files', { files: [] }, 'manifest.json: names no files'],
    ['has nothing for a list of files', { files: null }, 'manifest.json: names no files'],
    ['names no tables', { tables: {} }, 'tables/acceptances.arrow: manifest.json does not name it as a table'],
    ['has no list of tables', { tables: [] }, 'tables/acceptances.arrow: manifest.json does not name it as a table'],
    ['names neither', { files: {}, tables: {} }, 'manifest.json: names no files'],
    ['is of an older version and names no tables', { files: undefined, tables: {} }, 'tables/acceptances.arrow: manifest.json does not name it as a table'],
  ])('and whose manifest %s is refused alike by all who read it', async (name, changed, said) => {
    const run = copy(name.replaceAll(' ', '-'))
    const manifest = JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8')) as object
    writeFileSync(join(folder, run, 'manifest.json'), JSON.stringify({ ...manifest, ...changed }))
    for (const command of [['report', run], ['report', run, '--out', 'page.html'], ['explain', run, '1'], ['verify', run], ['reconcile', run, '--chain', 'svm']]) {
      expect(await parlorHere(folder, ...command)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`${run}/${said}: it was changed`) })
    }
    expect(existsSync(join(folder, 'page.html'))).toBe(false)
  })

  it('and that never had tables is told so, and verified', async () => {
    put(folder, 'bare.yaml', `${readFileSync(join(folder, 'small.yaml'), 'utf8')}record: { tables: false }\n`)
    expect(await parlorHere(folder, 'run', 'bare.yaml', '--out', 'bare', '--quiet')).toMatchObject({ code: 0 })
    for (const command of [['report', 'bare'], ['explain', 'bare', '1']]) expect(await parlorHere(folder, ...command)).toMatchObject({ code: 2, err: expect.stringContaining('bare: the run has no tables') })
    expect(await parlorHere(folder, 'verify', 'bare')).toMatchObject({ code: 0 })
  })

  it('has a page again by parlor report, which is a file of the run like the others', async () => {
    const run = copy('paged')
    const files = readdirSync(join(folder, run)).toSorted()
    const manifest = readFileSync(join(folder, run, 'manifest.json'), 'utf8')
    expect(await parlorHere(folder, 'report', run, '--request', '1')).toMatchObject({ code: 0, err: '' })
    expect((JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8')) as Manifest).record).toMatchObject({ parquet: false, pageRequests: [1], left: ['report.html', 'summary.json'] })
    expect(await parlorHere(folder, 'verify', run)).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'report', run)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(folder, run, 'manifest.json'), 'utf8')).toBe(manifest)
    expect(readdirSync(join(folder, run)).toSorted()).toEqual(files)
    expect(await parlorHere(folder, 'verify', run)).toMatchObject({ code: 0 })
  })

  it('and whose history was moved is told both', async () => {
    const run = copy('moved')
    writeFileSync(join(folder, run, 'summary.json'), '{}')
    rmSync(join(folder, run, 'tables', 'marks.arrow'))
    renameSync(join(folder, 'prices'), join(folder, 'elsewhere'))
    const { code, out } = await parlorHere(folder, 'verify', run)
    renameSync(join(folder, 'elsewhere'), join(folder, 'prices'))
    expect(code).toBe(1)
    for (const line of [/DIFFERS +table marks +is missing/, /DIFFERS +file summary\.json +SHA-256/, /UNPROVEN +inputs +.*prices: there is no store here/, /same +journal/]) expect(out).toMatch(line)
  })
})

describe('a folder in which a result is only about to be', () => {
  it('is no store: the history is imported again', async () => {
    mkdirSync(join(folder, 'half'))
    put(folder, 'half/.partial-0123456789abcdef/ticks.arrow', 'half')
    put(folder, 'half.yaml', readFileSync(join(folder, 'small.yaml'), 'utf8').replace('./prices', './half'))
    expect(await parlorHere(folder, 'run', 'half.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('no store at ./half') })
  })
})
