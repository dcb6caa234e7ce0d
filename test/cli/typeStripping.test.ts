import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { type Ended, parlor, start } from './parlor.ts'

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
    const fair: number | undefined = desk.price(request.legs, { side, maxAgeMs: 60000 })
    if (fair === undefined) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validMs: 8000 })
  },
}))
`

let folder: string
let cache: string

beforeEach(() => {
  folder = newFolder()
  cache = newFolder()
  vi.stubEnv('NODE_COMPILE_CACHE', cache)
  put(folder, 'mine.ts', strategy(4))
  put(folder, 'side.ts', `export const side = 'ask' as 'ask' | 'mid'\n`)
  put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40').replace('use: fixed-margin', 'use: ./mine.ts'))
})

afterEach(() => { vi.unstubAllEnvs() })

const traced = (...args: readonly string[]): Promise<Ended> => start(folder, args, [TRACE]).ended
const run = (out: string): Promise<Ended> => traced('run', 'small.yaml', '--quiet', '--no-report', '--out', out)
const sweep = (name: string): Promise<Ended> =>
  traced('sweep', 'small.yaml', '--axis', 'makers.1.params.margin=2%,4%', '--replications', '2', '--workers', '1', '--quiet', '--tasks', `tasks-${name}`, '--out', name)
/** Threads in which an array buffer was detached: each that strips types is one. */
const detached = ({ out }: Ended): number => [...out.matchAll(DETACHED)].length
const digestOf = (out: string): string => (JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')) as { digest: string }).digest
const tableOf = (name: string): string => readFileSync(join(folder, name, 'sweep.arrow'), 'latin1')
/** Folders of stripped texts. */
const kept = (): string[] => readdirSync(cache).map((version) => join(cache, version, 'stripped')).filter((path) => existsSync(path))

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
  it('are needed by nobody: without a cache, with none that can be written, or with files cut off, the rows are the same', async () => {
    const plain = ['run', 'small.yaml', '--quiet', '--no-report', '--out']
    expect((await parlor(folder, ...plain, 'a')).code).toBe(0)
    expect(kept()).toHaveLength(1)
    for (const name of readdirSync(kept()[0]!)) truncateSync(join(kept()[0]!, name), 10)
    expect(await parlor(folder, ...plain, 'b')).toMatchObject({ code: 0, err: '' })
    vi.stubEnv('NODE_COMPILE_CACHE', put(folder, 'file', ''))
    expect(await parlor(folder, ...plain, 'c')).toMatchObject({ code: 0, err: '' })
    vi.stubEnv('NODE_COMPILE_CACHE', join(cache, 'none'))
    vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
    expect(await parlor(folder, ...plain, 'd')).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(cache, 'none'))).toBe(false)
    expect(['b', 'c', 'd'].map(digestOf)).toEqual(['b', 'c', 'd'].map(() => digestOf('a')))
  })

  it('that cannot be kept are asked for while a session is played, which is none of what a strategy leaves running', async () => {
    const args = ['sweep', 'small.yaml', '--axis', 'makers.1.params.margin=2%', '--replications', '1', '--workers', '1', '--quiet']
    expect(await parlor(folder, ...args, '--tasks', 'a', '--out', 'out-a')).toMatchObject({ code: 0, err: '' })
    put(folder, 'mine.ts', strategy(9))
    // A folder is where the file would be.
    mkdirSync(join(kept()[0]!, createHash('sha256').update(strategy(9)).digest('hex'), 'taken'), { recursive: true })
    expect(await parlor(folder, ...args, '--tasks', 'b', '--out', 'out-b')).toMatchObject({ code: 0, err: '' })
  })
})
