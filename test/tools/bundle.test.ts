import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutputChunk } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { runScenario } from '../../src/scenario/run.ts'
import { bundle, ENGINE, FRONT, isOfEngine, isOfPackages, packageOf } from '../../tools/bundle/bundle.ts'
import { endOf, type Ended, LAUNCHER, parlor } from '../cli/parlor.ts'
import { newFolder, prepared, put, SMALL as LONGER } from '../scenario/small.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SMALL = LONGER.replace('max: 200', 'max: 40')
const IMPORTED = /^import \{ ([^}]*) \} from "\.\//gm
const EXPORTED = /^export \{ ([^}]*) \};/gm

const node = (cwd: string, ...args: readonly string[]): Promise<Ended> => endOf(spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }))

describe('the bundle of the command line', () => {
  let folder: string
  let chunks: readonly OutputChunk[]
  let named: (name: string) => OutputChunk
  beforeAll(async () => {
    folder = newFolder()
    chunks = await bundle(folder)
    named = (name) => chunks.find((chunk) => chunk.name === name)!
  })
  const importsOf = ({ imports }: OutputChunk): OutputChunk[] => imports.flatMap((path) => chunks.filter(({ fileName }) => fileName === path))
  const ownImports = (chunk: OutputChunk): OutputChunk[] => importsOf(chunk).filter((imported) => !isOfPackages(imported))
  /** Chunks that are there when this one is. */
  const loadedWith = (chunk: OutputChunk): OutputChunk[] =>
    [chunk, ...importsOf(chunk).flatMap(loadedWith)]

  it('has all from unit to engine in one chunk, which imports none of ours but the one that the command line begins with', () => {
    const elsewhere = chunks.filter(({ name }) => name !== ENGINE).flatMap(({ moduleIds }) => moduleIds.filter(isOfEngine))
    expect(elsewhere).toEqual([])
    expect(named(ENGINE).moduleIds.filter(isOfEngine).length).toBeGreaterThan(150)
    expect(ownImports(named(ENGINE))).toEqual([named(FRONT)])
    expect(ownImports(named(FRONT))).toEqual([])
  })

  it('keeps of the engine\'s layers only what the command line needs first outside of that chunk, none of which a session reads', () => {
    const layers = ['unit', 'math', 'kernel', 'market', 'ledger', 'venue', 'agent', 'engine']
    const inFront = named(FRONT).moduleIds.map((module) => relative(join(ROOT, 'src'), module)).filter((path) => layers.includes(path.split('/')[0]!))
    expect(inFront.toSorted()).toEqual(['unit/assert.ts', 'unit/columnsText.ts', 'unit/httpUrl.ts', 'unit/inputError.ts', 'unit/numberText.ts', 'unit/visibleText.ts'])
  })

  it('binds in constants what crosses the border of a chunk', () => {
    const own = chunks.filter((chunk) => !isOfPackages(chunk))
    const uses = (code: string, name: string): number => code.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length - 1
    const crossing = own.flatMap(({ fileName, code }) => {
      const imported = [...code.matchAll(IMPORTED)].flatMap(([, list]) => list!.split(', ').map((item) => item.split(' as ').at(-1)!))
      const exported = [...code.matchAll(EXPORTED)].flatMap(([, list]) => list!.split(', ').map((item) => item.split(' as ')[0]!))
      // Once in the list, once where it is bound.
      return [...imported, ...exported].map((name) => ({ name: `${fileName}: ${name}`, isBound: /\$(?:in|out)$/.test(name) && uses(code, name) === 2 }))
    })
    expect(crossing.length).toBeGreaterThan(500)
    expect(crossing.filter(({ isBound }) => !isBound).map(({ name }) => name)).toEqual([])
    expect(own.flatMap(({ code }) => code.match(/^var .* = .*/gm) ?? [])).toEqual([])
  })

  it('folds numbers into the code', () => {
    expect(readFileSync(join(ROOT, 'src/venue/eventRows.ts'), 'utf8')).toContain('* EVENT_STRIDE')
    expect(named(ENGINE).code).not.toContain('EVENT_STRIDE')
  })

  it('has no circle of chunks, in which a constant would be bound before it is there', () => {
    const isInCircle = (chunk: OutputChunk, above: readonly OutputChunk[] = []): boolean =>
      above.includes(chunk) || importsOf(chunk).some((imported) => isInCircle(imported, [...above, chunk]))
    expect(chunks.filter((chunk) => isInCircle(chunk)).map(({ fileName }) => fileName)).toEqual([])
  })

  it('has the packages that it runs, with their licences', () => {
    const packages = chunks.flatMap(({ moduleIds }) => moduleIds).map(packageOf)
    expect(packages).toEqual(expect.arrayContaining(['apache-arrow', 'zod', 'yaml', 'viem']))
    expect(packages).not.toEqual(expect.arrayContaining(['litesvm']))
    const licences = readFileSync(join(folder, 'licences.txt'), 'utf8')
    expect(licences).toMatch(/^apache-arrow 21\.\d+\.\d+: Apache-2\.0$/m)
    expect(licences).toMatch(/^zod \d+\.\d+\.\d+: MIT$/m)
    const terms = licences.split(`\n\n${'-'.repeat(80)}\n\n`)
    expect(new Set(terms.map((text) => /^(\S+) \S+: /.exec(text)?.[1]))).toEqual(new Set(packages.filter((name) => name !== null)))
    expect(terms.filter((text) => text.trim().split('\n').length < 3 || text.includes('not named'))).toEqual([])
    // Apache-2.0, section 4d.
    expect(licences).toContain(readFileSync(join(ROOT, 'node_modules/apache-arrow/NOTICE.txt'), 'utf8').trim())
  })

  it('begins without the engine and without a package but commander', () => {
    const atStart = loadedWith(named('main'))
    expect(atStart.filter((chunk) => !isOfPackages(chunk)).map(({ name }) => name)).toEqual(['main', FRONT])
    const packages = new Set(atStart.flatMap(({ moduleIds }) => moduleIds).map(packageOf).filter((name) => name !== null))
    expect([...packages]).toEqual(['commander'])
    expect(atStart.flatMap(({ imports }) => imports.filter((path) => !path.startsWith('node:') && !path.endsWith('.js')))).toEqual([])
  })
})

describe('what runs from a bundle', () => {
  it('plays the rows of the sources, and names the sources in the manifest', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL)
    expect(await parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', 'bundled')).toMatchObject({ code: 0, err: '' })
    const bundled = JSON.parse(readFileSync(join(folder, 'bundled/manifest.json'), 'utf8')) as object
    const parts = await prepared(SMALL)
    const { manifest } = await runScenario(parts.loaded, parts.prepared, { target: { path: join(folder, 'sources'), force: false, numbered: false } })
    // The list of files is the command's, which leaves a summary too and seals the folder.
    expect({ ...bundled, files: undefined }).toEqual({ ...manifest, files: undefined, record: { ...manifest.record, left: ['summary.json'] } })
  })

  it('names the sources in a stack trace, of a worker too', async () => {
    const folder = newFolder()
    const src = relative(folder, join(ROOT, 'src'))
    const script = put(folder, 'throws.ts', `import { Worker } from 'node:worker_threads'
import { mulDivFloor, type Micros } from '${src}/unit/micros.ts'

interface Wrong { readonly amount: number }
const wrong: Wrong = { amount: -1 }
try {
  mulDivFloor(wrong.amount, 1, 1)
} catch (error) {
  console.log((error as Error).stack)
}
const worker = new Worker(new URL('${src}/validation/item.worker.ts', import.meta.url), { workerData: { id: 'none' } })
worker.on('error', ({ stack }: Error) => { console.log(stack) })
`)
    const { out, err } = await node(folder, join(ROOT, 'tools/bundle/run.mjs'), script)
    expect(err).toBe('')
    const lineOf = (path: string, text: string): number => readFileSync(path, 'utf8').split('\n').findIndex((line) => line.includes(text)) + 1
    const at = (path: string, text: string): string => `file://${path}:${lineOf(path, text)}:`
    expect(out).toContain(at(join(ROOT, 'src/unit/micros.ts'), "'mulDivFloor out of bounds'"))
    expect(out).toContain(at(script, 'mulDivFloor(wrong'))
    expect(out).toContain(at(join(ROOT, 'src/validation/item.worker.ts'), 'await item.measure'))
  })
})

/** A copy of what a checkout runs, with packages of its own beside it and nothing kept. */
function checkout(): string {
  const root = join(mkdtempSync(join(tmpdir(), 'parlor-checkout-')), 'checkout')
  for (const part of ['bin', 'src', 'tools/bundle', 'package.json']) cpSync(join(ROOT, part), join(root, part), { recursive: true })
  linkPackages(join(root, 'node_modules'))
  return root
}

function linkPackages(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const packages = join(ROOT, 'node_modules')
  for (const name of readdirSync(packages)) if (name !== '.cache' && name !== 'parlor') symlinkSync(join(packages, name), join(folder, name))
}

describe('a checkout', () => {
  const bundles = (root: string): string[] => readdirSync(join(root, 'node_modules/.cache/parlor/bundles'))
  const help = (root: string): Promise<Ended> => node(root, join(root, 'bin/parlor.mjs'), '--help')
  const listed = (root: string): Promise<Ended> => node(root, join(root, 'bin/parlor.mjs'), 'strategies')

  it('tells what it can do before it has a bundle, and makes none for it', async () => {
    const root = checkout()
    expect(await help(root)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Backtest and simulate') })
    expect(existsSync(join(root, 'node_modules/.cache/parlor/bundles'))).toBe(false)
  })

  // When a bundle is made is the claim. Its bundler makes one at once here, of the words that `--help` begins with.
  it('keeps its bundle until a source changes', async () => {
    const root = checkout()
    put(root, 'tools/bundle/bundle.ts', `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const [, , folder] = process.argv
const about = /description\\('(.*?)'\\)/.exec(readFileSync('${root}/src/cli/main.ts', 'utf8'))![1]
mkdirSync(folder!, { recursive: true })
writeFileSync(folder + '/main.js', \`export const main = async ([word]) => console.log(word === '--help' ? '\\\\n\${about}' : 'fixed-margin')\\nexport const end = () => {}\\n\`)
`)
    expect(await listed(root)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('fixed-margin') })
    const [first] = bundles(root)
    const madeMs = statSync(join(root, 'node_modules/.cache/parlor/bundles', first!, 'main.js')).mtimeMs
    await listed(root)
    expect(bundles(root)).toEqual([first])
    expect(statSync(join(root, 'node_modules/.cache/parlor/bundles', first!, 'main.js')).mtimeMs).toBe(madeMs)
    const main = join(root, 'src/cli/main.ts')
    writeFileSync(main, readFileSync(main, 'utf8').replace('Backtest and simulate', 'Simulate'))
    expect(await help(root)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('\nSimulate ') })
    expect(bundles(root)).toEqual([first])
    await listed(root)
    expect(bundles(root)).toHaveLength(2)
    expect(await help(root)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('\nSimulate ') })
  })

  it('runs from its sources where no bundle can be kept, and says so', async () => {
    const root = checkout()
    writeFileSync(join(root, 'node_modules/.cache'), '')
    expect(await listed(root)).toMatchObject({
      code: 0, out: expect.stringContaining('fixed-margin'), err: expect.stringMatching(/^parlor runs from its sources, slower: no bundle could be made: .*ENOTDIR/),
    })
  })

  it('becomes a package that needs no bundler to run, wherever it is installed', async () => {
    const root = checkout()
    expect(await node(root, 'tools/bundle/bundle.ts', 'dist')).toMatchObject({ code: 0 })
    rmSync(join(root, 'tools'), { recursive: true })
    rmSync(join(root, 'node_modules'), { recursive: true })
    const installed = join(dirname(root), 'node_modules/parlor')
    linkPackages(dirname(installed))
    renameSync(root, installed)
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL)
    put(folder, 'mine.ts', `import { maker, pct } from 'parlor'\nexport default maker({ margin: pct(4) }, (p) => ({ onRequest(request, desk) { desk.quote(request, { probability: 0.9 as number, validUs: 8_000_000 }) } }))\n`)
    put(folder, 'small.yaml', SMALL.replace('use: fixed-margin', 'use: ./mine.ts'))
    expect(await node(folder, join(installed, 'bin/parlor.mjs'), 'run', 'small.yaml', '--quiet', '--out', 'a')).toMatchObject({ code: 0, err: '' })
    expect(await parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', 'b')).toMatchObject({ code: 0, err: '' })
    const [a, b] = ['a', 'b'].map((name) => (JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8')) as { files: Record<string, unknown>; record: { left: string[] } }))
    const { 'report.html': page, ...others } = a!.files
    expect([a!.record.left, b!.record.left]).toEqual([['report.html', 'summary.json'], ['summary.json']])
    expect({ ...a, files: others, record: b!.record }).toEqual(b)
    const html = readFileSync(join(folder, 'a/report.html'))
    expect(page).toEqual({ bytes: html.byteLength, sha256: createHash('sha256').update(html).digest('hex') })
    expect(html.toString()).toMatch(/^<!doctype html>[^]*<\/html>\s*$/i)
    expect(LAUNCHER).not.toContain('node_modules')
  })
})
