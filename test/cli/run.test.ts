import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { filesNamed, parlor, parlorHere, start } from './parlor.ts'

const MINE = `import { maker, pct, usd } from 'parlor'
import { side } from './lib/side.ts'

export default maker({ margin: pct(4), cap: usd(200) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: side, maxAgeUs: 60_000_000 })
    if (!fair || desk.exposure(request.legs).worst > p.cap) return desk.pass('risk')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8_000_000 })
  },
}))
`

const FEW = SMALL.replace('max: 200', 'max: 40')

/** A scenario that plays for minutes. */
const LONG = SMALL.replace(', max: 200', '').replaceAll('every: 10m', 'every: 500ms').replace('parlay@2.1 }', 'parlay@2.1, set: { requestExpiry: 1s } }')

function withScenario(text = SMALL): string {
  const folder = newFolder()
  put(folder, 'small.yaml', text)
  return folder
}

describe('parlor run', () => {
  it('gives the same digest in two processes, another for another seed, and a summary', async () => {
    const folder = withScenario(FEW)
    const [first, second] = await Promise.all([parlor(folder, 'run', 'small.yaml', '--out', 'a'), parlor(folder, 'run', 'small.yaml', '--out', 'b', '--json', '--no-report')])
    const other = await parlorHere(folder, 'run', 'small.yaml', '--out', 'c', '--seed', '2', '--quiet', '--no-report')
    const full = await parlorHere(folder, 'run', 'small.yaml', '--out', 'd', '--full', '--no-report')
    expect([first.code, second.code, other.code]).toEqual([0, 0, 0])
    expect(first.err).toBe('')
    const digestOf = (run: string): string => JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8')).digest
    expect(digestOf('b')).toBe(digestOf('a'))
    expect(digestOf('c')).not.toBe(digestOf('a'))
    expect(JSON.parse(second.out)).toMatchObject({ digest: digestOf('a'), label: 'interactive', summary: { seed: '1' } })
    expect(first.out).toMatch(/^parlay, 2025-06-19 22:30 to .*\n\nmaker +profit USDC +without luck +fills +hit ratio +hold\n/)
    expect(full.out).toContain('1 settlement cluster,')
    expect(full.out).not.toContain('without luck')
    expect(other.out.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(join(folder, 'a')).toSorted()).toEqual(['manifest.json', 'report.html', 'sources.json', 'summary.json', 'tables'])
  })

  it('runs a strategy file from outside the repository, and is verified until a file of it changes', async () => {
    const folder = withScenario(FEW.replace('use: fixed-margin', 'use: ./mine.ts, params: { margin: 5% }'))
    put(folder, 'mine.ts', MINE)
    put(folder, 'lib/side.ts', "export const side = 'ask' as const\n")
    expect(await parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report')).toMatchObject({ code: 0, err: '' })
    const { identity } = JSON.parse(readFileSync(join(folder, 'runs', 'small', 'manifest.json'), 'utf8'))
    expect(identity.strategies).toEqual({ './mine.ts': expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(identity.scenario.makers[0]).toMatchObject({ name: 'mine', parameters: { margin: 0.05, cap: 200_000_000 } })
    expect(await parlor(folder, 'verify', 'runs/small')).toMatchObject({ code: 0, out: expect.stringContaining('verified') })
    put(folder, 'lib/side.ts', "export const side = 'mid' as const\n")
    const changed = await parlorHere(folder, 'verify', 'runs/small', '--json')
    expect(changed.code).toBe(3)
    expect(JSON.parse(changed.out)).toMatchObject({ ok: false, verdict: 'unproven' })
    expect(JSON.parse(changed.out).checks.at(-1)).toMatchObject({ name: 'strategy ./mine.ts', ok: false, state: 'unproven' })
  })

  it.each([
    ['in a handler', 'onRequest() {\n    throw new Error("boom")\n  }', 'threw in onRequest', ':4:11'],
    ['by being async', 'async onRequest() {}', 'threw in create at', undefined],
    ['when it is made', '...(() => { throw new Error("boom") })()', 'threw in create', ':3:21'],
  ])('ends with 1 when a strategy throws %s', async (_, handlers, said, place) => {
    const folder = withScenario(FEW.replace('use: fixed-margin', 'use: ./bad.ts'))
    put(folder, 'bad.ts', `import { maker } from 'parlor'\nexport default maker({}, () => ({\n  ${handlers},\n}))\n`)
    const { code, err } = await parlorHere(folder, 'run', 'small.yaml')
    expect(code).toBe(1)
    expect(err).toContain(`strategy of bad ${said}`)
    if (place !== undefined) expect(err).toContain(`bad.ts${place}`)
    if (place !== undefined) expect(err).toMatch(/^> \d \| .*throw new Error\("boom"\)/m)
    expect(err).not.toContain('session.ts')
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })
})

describe('a run that is cut off', () => {
  async function cut(signal: NodeJS.Signals, nodeArgs: readonly string[] = []): Promise<{ folder: string; ended: Awaited<ReturnType<typeof parlor>> }> {
    const folder = withScenario(LONG)
    const { child, ended } = start(folder, ['run', 'small.yaml'], nodeArgs)
    const growing = (): boolean => existsSync(join(folder, 'runs')) && filesNamed(join(folder, 'runs'), '.tmp').length > 0
    while (!growing() && child.exitCode === null && child.signalCode === null) await sleep(25)
    await sleep(200)
    expect(growing()).toBe(true)
    child.kill(signal)
    return { folder, ended: await ended }
  }

  it('by SIGKILL leaves no manifest, and the next run clears what is left', async () => {
    const { folder, ended } = await cut('SIGKILL')
    expect(ended.signal).toBe('SIGKILL')
    expect(filesNamed(folder, 'manifest.json', '.arrow')).toEqual([])
    expect(readdirSync(join(folder, 'runs', 'small')).toSorted()).toEqual(['.lease', expect.stringMatching(/^\.partial-[0-9a-f]{16}$/)])
    // By the clock of the disk, its holder has not been seen for an hour.
    const longAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, 'runs', 'small', '.lease'), longAgo, longAgo)
    put(folder, 'small.yaml', FEW)
    expect(await parlorHere(folder, 'run', 'small.yaml', '--quiet')).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'runs'))).toEqual(['small'])
    expect(readdirSync(join(folder, 'runs', 'small')).toSorted()).toEqual(['manifest.json', 'report.html', 'sources.json', 'summary.json', 'tables'])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves nothing', async (signal) => {
    const { folder, ended } = await cut(signal)
    expect(ended.signal).toBe(signal)
    expect(ended.err).toBe('interrupted: nothing was left\n')
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })

  it('while it imports its history leaves nothing of the store', async () => {
    const folder = withScenario(SMALL.replace(/store: [^,]*/, 'store: ./games, import: { format: kalshi-mlb-close, files: [./games.csv] }'))
    const games = Array.from({ length: 40_000 }, (_, i) => `d,G${i}-A,G${i},A,A,40,42,41,1,1,yes,1750388400`)
    put(folder, 'games.csv', ['date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts', ...games, ''].join('\n'))
    const { child, ended } = start(folder, ['run', 'small.yaml'])
    const store = join(folder, 'games')
    while (!existsSync(store) && child.exitCode === null) await sleep(2)
    while (filesNamed(store, '.tmp').length === 0 && child.exitCode === null) await sleep(2)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ signal: 'SIGTERM', err: expect.stringMatching(/\ninterrupted: nothing was left\n$/) })
    // On a machine that gives this process no time, the store was complete before the signal came.
    const left = existsSync(store) ? readdirSync(store).toSorted() : []
    expect([[], ['imports', 'markets', 'parts', 'store.json']]).toContainEqual(left)
  })

  it('through the launcher, by SIGINT or by the death of the launcher, leaves nothing', async () => {
    const old = ['--import', 'data:text/javascript,Object.defineProperty(process, "version", { value: "v20.1.0" })']
    const interrupted = await cut('SIGINT', old)
    expect(interrupted.ended.signal).toBe('SIGINT')
    expect(existsSync(join(interrupted.folder, 'runs'))).toBe(false)
    // npm run sets it, for all that its commands start too.
    vi.stubEnv('npm_lifecycle_event', 'test')
    onTestFinished(() => void vi.unstubAllEnvs())
    const orphaned = await cut('SIGKILL', old)
    // The output ends when the real process does.
    expect(orphaned.ended.err).toBe('interrupted: nothing was left\n')
    expect(existsSync(join(orphaned.folder, 'runs'))).toBe(false)
  })
})
