import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { type Ended, parlor, parlorHere, start } from './parlor.ts'

/** V8 says, once for each thread, what it no longer relies on there. */
const TRACE = '--trace-protector-invalidation'
const DETACHED = /Invalidating protector cell ArrayBufferDetaching/g
const isTraced = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout.includes(TRACE)
if (!isTraced) process.stderr.write(`SKIPPED: this Node has no ${TRACE}, so nobody sees whether taking types out slows sessions down\n`)

const STRATEGY = `import { maker, pct } from 'parlor'
import { side } from './side.ts'

interface Shown {
  readonly price: number
}

export default maker({ margin: pct(4) }, (p) => ({
  onRequest(request, desk) {
    const fair: number = desk.price(request.legs, { priceType: side, maxAgeUs: 60_000_000 })
    if (!(fair > 0)) return desk.pass('no price')
    const shown = { price: fair } satisfies Shown
    desk.quote(request, { probability: shown.price * (1 + p.margin), validUs: 8_000_000 })
  },
}))
`
const SIDE = `export const side = 'ask' as 'ask' | 'mid'\n`

let folder: string
beforeEach(() => {
  folder = newFolder()
  put(folder, 'mine.ts', STRATEGY)
  put(folder, 'side.ts', SIDE)
  put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40').replace('use: fixed-margin', 'use: ./mine.ts'))
})

const run = (out: string, ...nodeArgs: string[]): Promise<Ended> => start(folder, ['run', 'small.yaml', '--quiet', '--no-report', '--out', out], nodeArgs).ended
const runHere = (out: string, ...more: string[]): Promise<Ended> => parlorHere(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', out, ...more)
const runTrusted = (out: string): Promise<Ended> => start(folder, ['run', 'small.yaml', '--quiet', '--no-report', '--trusted', '--out', out]).ended
const sweep = (name: string, replications: number, ...nodeArgs: string[]): Promise<Ended> => start(folder, [
  'sweep', 'small.yaml', '--axis', 'makers.1.params.margin=2%,4%', '--replications', String(replications), '--workers', '1', '--quiet', '--tasks', `tasks-${name}`, '--out', name,
], nodeArgs).ended
const digestOf = (out: string): string => (JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')) as { digest: string }).digest

describe.skipIf(!isTraced)('a session with a strategy in TypeScript is no slower: V8 relies on its arrays', () => {
  const detached = ({ out }: Ended): number => [...out.matchAll(DETACHED)].length

  it('which V8 would tell: Node’s own way of taking types out shows', () => {
    const { stdout } = spawnSync(process.execPath, [TRACE, '-e', `process.getBuiltinModule('module').stripTypeScriptTypes(\`const a: number = 1\n\`.repeat(20_000))`], { encoding: 'utf8' })
    expect(stdout).toMatch(DETACHED)
  })

  it.each(['{ "type": "module" }', undefined])('in a run, with package.json %s', async (packageJson) => {
    if (packageJson !== undefined) put(folder, 'package.json', packageJson)
    const traced = await run('a', TRACE)
    expect([traced.code, traced.err, detached(traced)]).toEqual([0, '', 0])
  })

  it('in the workers of a sweep', async () => {
    const traced = await sweep('a', 1, TRACE)
    expect([traced.code, traced.err, detached(traced)]).toEqual([0, '', 0])
  })
})

describe('a strategy file', () => {
  it('of bettors that see ahead plays in a sweep, which has no axis and yet a page', async () => {
    put(folder, 'seer.ts', `import { bettor } from 'parlor'
export default bettor({}, () => ({ onArrival() {}, onDecision() {} }), { horizonUs: () => 60e6 })
`)
    put(folder, 'small.yaml', readFileSync(join(folder, 'small.yaml'), 'utf8').replace('bettors:\n', 'bettors:\n  - { name: seer, use: ./seer.ts, n: 5, every: 10m }\n'))
    expect(await parlorHere(folder, 'sweep', 'small.yaml', '--replications', '2', '--workers', '1', '--quiet', '--tasks', 'tasks', '--out', 'swept')).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(folder, 'swept'))).toContain('report.html')
  })

  it('plays the same in JavaScript', async () => {
    expect(await runHere('a')).toMatchObject({ code: 0, err: '' })
    put(folder, 'mine.mjs', STRATEGY.replace(/interface [^]*?\n\}\n/, '').replace(': number =', ' =').replace(' satisfies Shown', ''))
    put(folder, 'small.yaml', readFileSync(join(folder, 'small.yaml'), 'utf8').replace('mine.ts', 'mine.mjs'))
    expect(await runHere('b')).toMatchObject({ code: 0, err: '' })
    expect(digestOf('b')).toBe(digestOf('a'))
  })

  it('that is trusted gets the modules that run by the name parlor, from anywhere', async () => {
    put(folder, 'mine.ts', `console.error(import.meta.resolve('parlor'))\n${STRATEGY}`)
    const { code, err } = await runTrusted('a')
    expect(code).toBe(0)
    expect(err).toMatch(/^file:\/\/.*\/node_modules\/\.cache\/parlor\/bundles\/\w+\/index\.js\n$/)
  })

  it('that is trusted may import a file that is no module, which is left to Node', async () => {
    put(folder, 'package.json', '{}')
    put(folder, 'side.ts', `/*\nimport nothing\n*/\nexports.side = 'ask' as string\n`)
    expect(await runHere('a', '--trusted')).toMatchObject({ code: 0, err: '' })
  })

  it('leaves nothing in the cache, however many sessions import it anew', async () => {
    const cache = newFolder()
    vi.stubEnv('NODE_COMPILE_CACHE', cache)
    try {
      const files = () => readdirSync(cache, { recursive: true }).length
      expect((await sweep('a', 1)).code).toBe(0)
      const before = files()
      expect(before).toBeGreaterThan(0)
      expect((await sweep('b', 2)).code).toBe(0)
      expect(files()).toBe(before)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('a mistake in a strategy file has the place that its author sees', () => {
  /** What `parlor run` says of a file in place of the strategy; types stand above and before each mistake. */
  async function said(text: string, by = parlorHere): Promise<string> {
    put(folder, 'mine.ts', text)
    const { code, err } = await by(folder, 'run', 'small.yaml', '--quiet', '--no-report')
    return `${code} ${err.replaceAll(folder, '')}`
  }
  const typed = 'interface Above {\n  readonly a: number\n}\n\n'

  it.each([
    ['that does not parse', `${typed}const a: Above = { a: 1 }, b = 'ü😀' as = 2\n`, '2 /mine.ts:5:41: the strategy does not load: SyntaxError: '],
    ['that throws when it is loaded', `${typed}function f<T extends Above>(a: T): number { return a.a.b.c as number }\nexport default f({ a: 1 } as Above)\n`, '2 /mine.ts:5:58: the strategy does not load: TypeError: '],
    ['that imports what is not there', `${typed}import { type Maker, makr } from 'parlor'\nexport default makr\n`, '2 /mine.ts:5:22: the strategy does not load: SyntaxError: '],
    ['that imports a file that is not there', `${typed}import { a } from './a.ts'\nexport default a\n`, '2 /mine.ts:5:19: the strategy does not load: Error: Cannot find module '],
  ])('%s', async (_, text, message) => {
    expect(await said(text)).toContain(message)
  })

  it('that throws while it plays', async () => {
    const text = STRATEGY.replace('desk.quote(request', '(shown as { price?: { b: number } }).price!.b.toFixed()\n    desk.quote(request')
    const line = text.split('\n').findIndex((one) => one.includes('toFixed')) + 1
    expect(await said(text, parlor)).toMatch(new RegExp(`^1 error: .*\\n  at /mine.ts:${line}:51\\n[^]*\\n> ${line} \\| .*toFixed\\(\\)\\n`))
  })
})

describe('a path that --set gives', () => {
  it('begins in the folder of the scenario, and the mistake of one from the working folder says what to write', async () => {
    put(folder, 'scenarios/plain.yaml', SMALL.replace('max: 200', 'max: 40'))
    const play = (use: string): Promise<Ended> => parlor(folder, 'run', 'scenarios/plain.yaml', '--quiet', '--no-report', '--set', `makers.0.use=${use}`, '--set', 'makers.0.name=mine', '--out', 'set')
    const wrong = await play('./mine.ts')
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('no strategy file ./mine.ts') })
    expect(wrong.err).toContain(`looked for ${join(realpathSync(folder), 'scenarios/mine.ts')}, since a path begins in the folder of the scenario, also with --set; for ${join(realpathSync(folder), 'mine.ts')} write ../mine.ts`)
    expect(await play('../mine.ts')).toMatchObject({ code: 0 })
    const absent = await play('./nowhere.ts')
    expect(absent.err).toMatch(/looked for \S+nowhere\.ts$/m)
  })
})
