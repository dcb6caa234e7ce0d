import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { endOf, type Ended, LAUNCHER, parlor, start } from './parlor.ts'

// Processes with workers are started, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 })

/** V8 says, once for each thread, what it no longer relies on there. */
const TRACE = '--trace-protector-invalidation'
const DETACHED = /Invalidating protector cell ArrayBufferDetaching/g
const isTraced = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout.includes(TRACE)
if (!isTraced) process.stderr.write(`SKIPPED: this Node has no ${TRACE}, so nobody sees whether types are stripped where sessions are played\n`)

const strategy = (margin: number): string => `import { maker, pct } from 'parlor'
import { side } from './side.ts'

export default maker({ margin: pct(${margin}) }, (p) => ({
  onRequest(request, desk) {
    const fair: number | undefined = desk.price(request.legs, { side, maxAgeUs: 60_000_000 })
    if (!(fair > 0)) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8_000_000 })
  },
}))
`

let folder: string
let cache: string

beforeEach(() => {
  folder = newFolder()
  cache = newFolder()
  vi.stubEnv('NODE_COMPILE_CACHE', cache)
  put(folder, 'package.json', '{ "type": "module" }')
  put(folder, 'mine.ts', strategy(4))
  put(folder, 'side.ts', `export const side = 'ask' as 'ask' | 'mid'\n`)
  put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40').replace('use: fixed-margin', 'use: ./mine.ts'))
})

afterEach(() => { vi.unstubAllEnvs() })

const traced = (...args: readonly string[]): Promise<Ended> => start(folder, args, [TRACE]).ended
const plainRun = (out: string): Promise<Ended> => parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', out)
const plainSweep = (name: string, replications = 1): Promise<Ended> => parlor(
  folder, 'sweep', 'small.yaml', '--axis', 'makers.1.params.margin=2%', '--replications', String(replications), '--workers', '1', '--quiet', '--tasks', `tasks-${name}`, '--out', name,
)
const run = (out: string): Promise<Ended> => traced('run', 'small.yaml', '--quiet', '--no-report', '--out', out)
const sweep = (name: string): Promise<Ended> =>
  traced('sweep', 'small.yaml', '--axis', 'makers.1.params.margin=2%,4%', '--replications', '2', '--workers', '1', '--quiet', '--tasks', `tasks-${name}`, '--out', name)
/** Threads in which an array buffer was detached: each that strips types is one. */
const detached = ({ out }: Ended): number => [...out.matchAll(DETACHED)].length
const digestOf = (out: string): string => (JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')) as { digest: string }).digest
const tableOf = (name: string): string => readFileSync(join(folder, name, 'sweep.arrow'), 'latin1')
/** Folders of stripped texts. */
const kept = (): string[] => readdirSync(cache).map((version) => join(cache, version, 'stripped')).filter((path) => existsSync(path))
/** Where the stripped text of a source is kept. */
const keptOf = (source: string): string => join(kept()[0]!, createHash('sha256').update(source).digest('hex'))

describe.skipIf(!isTraced)('types are stripped in a thread that plays no session', () => {
  it('which V8 would tell: the trace shows a buffer that is detached', () => {
    const { stdout } = spawnSync(process.execPath, [TRACE, '-e', 'const b = new ArrayBuffer(8); structuredClone(b, { transfer: [b] })'], { encoding: 'utf8' })
    expect(stdout).toMatch(DETACHED)
  })

  it('in the first run, which is not slowed down, and in none from the second on; an edited strategy is stripped again', async () => {
    const probe = put(folder, 'probe.mjs', `process.on('exit', () => console.error(process.moduleLoadList.some((name) => name.includes('amaro'))))\n`)
    const first = await start(folder, ['run', 'small.yaml', '--quiet', '--no-report', '--out', 'a'], [TRACE, '--import', probe]).ended
    expect(first).toMatchObject({ code: 0, err: 'false\n' })
    expect(detached(first)).toBe(1)
    const second = await run('b')
    expect([second.code, detached(second)]).toEqual([0, 0])
    expect(digestOf('b')).toBe(digestOf('a'))
    put(folder, 'mine.ts', strategy(9))
    const edited = await run('c')
    expect([edited.code, detached(edited)]).toEqual([0, 1])
    expect(digestOf('c')).not.toBe(digestOf('a'))
  })

  it('in the workers of a sweep as well, whose answers detach nothing either', async () => {
    const first = await sweep('a')
    expect(first).toMatchObject({ code: 0, err: '' })
    const second = await sweep('b')
    expect([second.code, detached(second)]).toEqual([0, 0])
    expect(tableOf('b')).toBe(tableOf('a'))
    put(folder, 'mine.ts', strategy(9))
    const edited = await sweep('c')
    // Once, by the thread that reads strategies before any is played.
    expect([edited.code, detached(edited)]).toEqual([0, 1])
  })
})

describe('stripped texts', () => {
  it('are needed by nobody: without a cache, or with none that can be written, the rows are the same', async () => {
    expect((await plainRun('a')).code).toBe(0)
    expect(kept()).toHaveLength(1)
    vi.stubEnv('NODE_COMPILE_CACHE', put(folder, 'file', ''))
    expect(await plainRun('b')).toMatchObject({ code: 0, err: '' })
    vi.stubEnv('NODE_COMPILE_CACHE', join(cache, 'none'))
    vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
    expect(await plainRun('c')).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(cache, 'none'))).toBe(false)
    expect(['b', 'c'].map(digestOf)).toEqual(['b', 'c'].map(() => digestOf('a')))
  })

  it.each<[how: string, spoil: (path: string) => void]>([
    ['cut off', (path) => { truncateSync(path, 100) }],
    ['emptied', (path) => { truncateSync(path, 0) }],
    ['filled with zeros', (path) => { writeFileSync(path, Buffer.alloc(statSync(path).size)) }],
    ['altered', (path) => { writeFileSync(path, readFileSync(path, 'utf8').replace(/.$/s, ' ')) }],
    ['another file’s', (path) => { copyFileSync(keptOf(`export const side = 'ask' as 'ask' | 'mid'\n`), path) }],
  ])('that are %s are stripped again and kept anew', async (_, spoil) => {
    expect((await plainRun('a')).code).toBe(0)
    const texts = () => readdirSync(kept()[0]!).toSorted().map((name) => readFileSync(join(kept()[0]!, name), 'utf8'))
    const before = texts()
    for (const name of readdirSync(kept()[0]!)) spoil(join(kept()[0]!, name))
    expect(await plainRun('b')).toMatchObject({ code: 0, err: '' })
    expect(digestOf('b')).toBe(digestOf('a'))
    expect(texts()).toEqual(before)
  })

  it('are run where they are kept, those of a file with a byte order mark too', async () => {
    put(folder, 'mine.ts', `\uFEFF${strategy(4)}`)
    expect((await plainRun('a')).code).toBe(0)
    const path = keptOf(`\uFEFF${strategy(4)}`)
    const inode = statSync(path).ino
    expect((await plainRun('b')).code).toBe(0)
    // What is written anew is another file.
    expect(statSync(path).ino).toBe(inode)
  })

  it('that cannot be kept are asked for while a session is played, which is none of what a strategy leaves running', async () => {
    expect(await plainSweep('a')).toMatchObject({ code: 0, err: '' })
    put(folder, 'mine.ts', strategy(9))
    // A folder is where the file would be.
    mkdirSync(join(keptOf(strategy(9)), 'taken'), { recursive: true })
    const before = readdirSync(kept()[0]!)
    expect(await plainSweep('b')).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(kept()[0]!)).toEqual(before)
  })

  it('and code are kept once, however many sessions import their modules anew', async () => {
    const files = () => readdirSync(cache, { recursive: true }).length
    expect((await plainSweep('a')).code).toBe(0)
    const before = files()
    expect((await plainSweep('b', 4)).code).toBe(0)
    expect(files()).toBe(before)
  })
})

describe('the thread that strips', () => {
  const BIN = dirname(LAUNCHER)
  /** Runs a TypeScript file whose types a copy of the hook has stripped by what `worker` says; how each wait ended goes to stderr. */
  async function stripBy(worker: string | null): Promise<Ended> {
    put(folder, 'bin/stripTypes.mjs', readFileSync(join(BIN, 'stripTypes.mjs'), 'utf8'))
    if (worker !== null) put(folder, 'bin/stripTypes.worker.mjs', worker)
    put(folder, 'probe.mjs', 'const { wait } = Atomics\nAtomics.wait = (...args) => {\n  const how = wait(...args)\n  console.error(how === "timed-out" ? how : "told")\n  return how\n}\n')
    // Events of the lost thread come when the loop turns.
    put(folder, 'main.ts', `import { side } from './side.ts'\nsetTimeout(() => { console.log(side satisfies string) }, 200)\n`)
    const child = spawn(process.execPath, ['--import', './probe.mjs', '--import', './bin/stripTypes.mjs', 'main.ts'], { cwd: folder })
    return endOf(child)
  }
  const strips = readFileSync(join(BIN, 'stripTypes.worker.mjs'), 'utf8')

  it('is asked for each module', async () => {
    expect(await stripBy(strips)).toEqual({ code: 0, signal: null, out: 'ask\n', err: 'told\ntold\n' })
  })

  it.each([
    ['is not there', null],
    ['throws at once', `throw new Error('broken')\n`],
    ['does not parse', 'import {\n'],
    ['ends', 'process.exit(3)\n'],
    ['throws when it is asked', strips.replace('let text = null', `throw new Error('broken')`)],
  ])('and whose file %s is waited for once at most and not until the time is over: Node strips, and nothing fails later', async (_, worker) => {
    expect(await stripBy(worker)).toEqual({ code: 0, signal: null, out: 'ask\n', err: expect.stringMatching(/^(?:told\n)?$/) })
  })

  it('that dies between two questions is not asked again', async () => {
    const dies = `${strips}port.on('message', () => { setTimeout(() => { throw new Error('broken') }) })\n`
    const { code, out, err } = await stripBy(dies)
    expect({ code, out }).toEqual({ code: 0, out: 'ask\n' })
    expect(err).not.toContain('timed-out')
  })

  it('leaves a file to Node that may be no module: what begins with import may be a comment', async () => {
    const side = `/*\nimport nothing\n*/\nexports.side = 'ask' as string\n`
    put(folder, 'package.json', '{}')
    put(folder, 'side.ts', side)
    put(folder, 'main.mts', `import { side } from './side.ts'\nconsole.log(side satisfies string)\n`)
    const child = spawn(process.execPath, ['--import', join(BIN, 'stripTypes.mjs'), 'main.mts'], { cwd: folder })
    expect(await endOf(child)).toMatchObject({ code: 0, out: 'ask\n' })
  })
})
