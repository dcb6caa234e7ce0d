import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'
import { type Ended, parlor, start } from './parlor.ts'

/** A maker's file whose parameter `how` chooses one of some bodies of `onRequest`, from 1; 0 and what is beyond them do nothing. */
const badMaker = (...bodies: readonly string[]): string => `import { count, maker } from 'parlor'

const kept: unknown[] = []
const long = 'a'.repeat(40)

export default maker({ how: count(0) }, (p) => ({
  onRequest(request, desk) {
    switch (p.how) {
${bodies.map((body, i) => `      case ${i + 1}: ${body}; break`).join('\n')}
    }
  },
  onLater(request, desk) {
    desk.later(request, 0)
  },
}))
`

const ENDLESS = 'for (;;) {}'
const ENDLESS_REGEX = "/^(a+)+$/.test(long + 'b')"
const HEAP = 'for (;;) kept.push(new Array(100_000).fill(1.5))'
const ARRAYS = 'for (;;) kept.push(new Float64Array(100_000).fill(1))'
const LATER = 'desk.later(request, 0)'
const REJECTED = "Promise.reject(new Error('late'))"

const scene = (limits: string, makers = ''): string => `${SMALL.replace('max: 200', 'max: 40').replace('{ use: fixed-margin, capital', '{ name: bad, use: ./bad.ts, capital')}${makers}strategies: ${limits}\n`

/** A folder with a scenario `small.yaml` and the maker's file. */
function folderOf(limits: string, strategy: string, makers?: string): string {
  const folder = newFolder()
  put(folder, 'small.yaml', scene(limits, makers))
  put(folder, 'bad.ts', strategy)
  return folder
}

const run = (folder: string, ...options: string[]): Promise<Ended> => parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', 'out', ...options)

describe('a run ends with 1, without a result, and names who', () => {
  it.each([
    ['never returns', '{ callLimit: 3s }', ENDLESS, 'strategy of bad did not return from onRequest within 3 s\n'],
    ['never ends a search', '{ callLimit: 3s }', ENDLESS_REGEX, 'strategy of bad did not return from onRequest within 3 s\n'],
    ['fills the heap', '{ memoryLimit: 128 MiB }', HEAP, 'strategy of bad ran out of memory in onRequest: more than 128 MiB\n'],
    ['fills arrays', '{ memoryLimit: 128 MiB }', ARRAYS, 'strategy of bad ran out of memory in onRequest: more than 128 MiB\n'],
    ['lets no time pass', '{ actionsPerInstant: 10 }', LATER, /^strategy of bad threw in onLater at \d+ µs: it did not let time pass: more than 10 actions at one instant\n {2}at .*bad\.ts:13:10\n$/],
    ['leaves a promise rejected', '{}', REJECTED, /^strategy of bad left a promise that was rejected: late\n {2}at .*bad\.ts:9:30\n$/],
  ])('%s', async (_, limits, body, said) => {
    const folder = folderOf(limits, badMaker(body))
    const { code, out, err } = await run(folder, '--set', 'makers.0.params={ how: 1 }')
    const blame = err.replace('error: ', '')
    if (typeof said === 'string') expect(blame).toBe(said)
    else expect(blame).toMatch(said)
    expect([code, out, existsSync(join(folder, 'out', 'manifest.json'))]).toEqual([1, '', false])
  })

  it('when its file does not load in time, with 2', async () => {
    const { code, err } = await run(folderOf('{ callLimit: 3s }', `${ENDLESS}\n${badMaker()}`))
    expect(err).toMatch(/^\S*bad\.ts: the strategy does not load: loading did not end within 3 s\n/)
    expect(code).toBe(2)
  })
})

describe('the other sessions go on, and the guilty is named', () => {
  /** What became of the points of a sweep over bodies of the maker, after one of a maker that does nothing. */
  async function sweepOver(limits: string, ...bodies: readonly string[]): Promise<unknown> {
    const cwd = folderOf(limits, badMaker(...bodies))
    const axis = `makers.0.params.how=0,${bodies.map((_, i) => i + 1).join(',')}`
    const { code, err } = await parlor(cwd, 'sweep', 'small.yaml', '--axis', axis, '--replications', '1', '--workers', '2', '--quiet', '--out', 'out')
    expect(code).toBe(1)
    expect(err.split('\n').filter((line) => !line.startsWith('point '))).toEqual([''])
    const { points } = JSON.parse(readFileSync(join(cwd, 'out', 'sweep.json'), 'utf8')) as { points: { failures: { kind: string; who: string | null; message: string }[] }[] }
    return points.map(({ failures }) => failures.map(({ kind, who, message }) => `${kind} ${who}: ${message.replace(/at \d+ µs/, 'then')}`))
  }

  it('in a sweep, of those that never return', async () => {
    expect(await sweepOver('{ callLimit: 3s }', ENDLESS, ENDLESS_REGEX)).toEqual([
      [], ['endless bad: strategy of bad did not return from onRequest within 3 s'], ['endless bad: strategy of bad did not return from onRequest within 3 s'],
    ])
  })

  it('in a sweep, of those that take too much', async () => {
    expect(await sweepOver('{ memoryLimit: 192 MiB, actionsPerInstant: 10 }', HEAP, ARRAYS, LATER, REJECTED)).toEqual([
      [],
      ['strategy bad: strategy of bad ran out of memory in onRequest: more than 192 MiB'],
      ['strategy bad: strategy of bad ran out of memory in onRequest: more than 192 MiB'],
      ['strategy bad: strategy of bad threw in onLater then: it did not let time pass: more than 10 actions at one instant'],
      ['strategy bad: strategy of bad left a promise that was rejected: late'],
    ])
  })

  it('in a league', async () => {
    const entries = [ENDLESS, REJECTED].map((_, i) => `{ name: bad ${i + 1}, use: ./bad.ts, params: { how: ${i + 1} } }`)
    const cwd = folderOf('{ callLimit: 3s }', badMaker(ENDLESS, REJECTED))
    put(cwd, 'small.yaml', `${readFileSync(join(cwd, 'small.yaml'), 'utf8')}league: { entries: [{ name: good, use: fixed-margin }, ${entries.join(', ')}], play: [alone], replications: 1 }\n`)
    const { code, out } = await parlor(cwd, 'league', 'small.yaml', '--workers', '2', '--json', '--out', 'out')
    expect(code).toBe(1)
    const { result } = JSON.parse(out) as { result: { failures: { entries: string[]; kind: string; message: string }[] } }
    expect(result.failures.map(({ entries: [entry], kind, message }) => `${kind} ${entry}: ${message}`).toSorted()).toEqual([
      'endless bad 1: strategy of bad 1 did not return from onRequest within 3 s',
      'strategy bad 2: strategy of bad 2 left a promise that was rejected: late',
    ])
  })
})

describe('a maker whose positions end with one result', () => {
  /** So many positions on the same legs. */
  const POSITIONS = 12
  const LEGS = '[ECON-CPI-1 no, ECON-HOME-5 no]'
  const settling = (commands: number): string => `import { maker } from 'parlor'

export default maker({}, () => ({
  onRequest(request, desk) {
    desk.quote(request, { probability: 0.5, validUs: 60_000_000 })
  },
  onSettled(position, desk) {
    for (let i = 0; i < ${commands}; i++) desk.withdrawQuote(position.request)
  },
}))
`
  async function runSettling(commands: number): Promise<Ended> {
    const folder = newFolder()
    const requests = Array.from({ length: POSITIONS }, (_, i) => `{ at: ${10 + i}m, legs: ${LEGS}, bet: 5 USDC }`)
    put(folder, 'bad.ts', settling(commands))
    put(folder, 'small.yaml', `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, maxAge: 2m }
strategies: { actionsPerInstant: 1 }
bettors: [{ kind: scripted, name: alice, requests: [${requests.join(', ')}] }]
makers: [{ name: bad, use: ./bad.ts, capital: 10000 USDC }]
`)
    return run(folder)
  }

  it('commands one thing for each, however few actions an instant allows', async () => {
    expect(await runSettling(1)).toMatchObject({ code: 0, err: '' })
  })

  it('does not command more', async () => {
    const { code, err } = await runSettling(2)
    expect(err).toMatch(/^error: strategy of bad threw in onSettled at \d+ µs: it did not let time pass: more than 1 actions at one instant\n/)
    expect(code).toBe(1)
  })
})

describe('a run whose strategies may read the clock and draw unseeded is said not to be reproducible', () => {
  const jittery = (used: string): string => `import { maker } from 'parlor'

export default maker({}, () => ({
  onRequest(request, desk) {
    const now = Date.now()
    if (!(now > 1.7e12)) throw new Error('no clock')
    desk.quote(request, { probability: ${used}, validUs: 8_000_000 })
  },
}))
`
  const WHY = 'not reproducible: its strategies may read the clock and draw unseeded (strategies.allow)'
  const lastLines = ({ out }: Ended): string[] => out.trimEnd().split('\n')

  it('by the run, and by verify, which finds it the same where they made no difference', async () => {
    const folder = folderOf('{ allow: [clock, random] }', jittery('Math.random() < 2 ? 0.5 : 1'))
    expect(lastLines(await run(folder)).at(-1)).toBe(WHY)
    const { identity } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8')) as { identity: { scenario: { strategies?: unknown } } }
    expect(identity.scenario.strategies).toEqual({ allow: ['clock', 'random'] })
    const verified = await parlor(folder, 'verify', 'out', '--quiet')
    expect([verified.code, lastLines(verified).slice(-2)]).toEqual([0, [expect.stringMatching(/^out: verified, digest \w{12}$/), `out: ${WHY}`]])
  })

  it('and by verify where they made one, with exit code 1', async () => {
    const folder = folderOf('{ allow: [random, clock] }', jittery('0.3 + 0.2 * Math.random()'))
    expect((await run(folder)).code).toBe(0)
    const verified = await parlor(folder, 'verify', 'out', '--quiet')
    expect(verified.code).toBe(1)
    expect(verified.out).toMatch(/^DIFFERS +rerun +the scenario played again: digest \w{12}, expected \w{12}; the run is not reproducible: its strategies may read the clock/m)
    expect(lastLines(verified).at(-1)).toBe(`out: ${WHY}`)
  })

  it('and a sweep or a league of it is refused', async () => {
    const folder = folderOf('{ allow: [clock] }', `const atUs = Date.now()\n${jittery('0.5')}`)
    put(folder, 'league.yaml', `${readFileSync(join(folder, 'small.yaml'), 'utf8')}league: { entries: [{ name: good, use: fixed-margin }], play: [alone] }\n`)
    for (const args of [['sweep', 'small.yaml'], ['league', 'league.yaml']]) {
      const { code, err } = await parlor(folder, ...args)
      expect([code, err]).toEqual([2, expect.stringMatching(/yaml:13:22: strategies\.allow: sessions of a sweep or a league are kept and compared, and with clock they are not reproducible\n/)])
    }
  })

  it('as one whose strategies ran in no room, which verify runs so for those alone who say so', async () => {
    const folder = folderOf('{}', jittery('0.5'))
    expect(lastLines(await run(folder, '--trusted')).at(-1)).toBe('not reproducible: ./bad.ts ran in no room (--trusted)')
    const refused = await parlor(folder, 'verify', 'out', '--quiet')
    expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/^DIFFERS +inputs +\.\/bad\.ts ran in no room/m)])
    const verified = await parlor(folder, 'verify', 'out', '--quiet', '--trusted')
    expect([verified.code, lastLines(verified).at(-1)]).toEqual([0, 'out: not reproducible: ./bad.ts ran in no room (--trusted)'])
  })
})

describe('while a strategy loops', () => {
  const LOOPS = "console.log('loops'); for (;;) {}"

  /** Until the strategy of a command loops, or the command has ended. */
  const looping = (child: ChildProcess, ended: Promise<Ended>): Promise<unknown> =>
    Promise.race([ended, new Promise<void>((resolve) => { child.stderr!.on('data', (data: Buffer) => { if (data.toString().includes('loops')) resolve() }) })])

  /** The command once its strategy loops, ended by a signal. */
  async function interrupted(signal: NodeJS.Signals, ...args: string[]): Promise<Ended & { readonly left: string[] }> {
    const folder = folderOf('{}', badMaker(LOOPS))
    const { child, ended } = start(folder, args)
    await looping(child, ended)
    child.kill(signal)
    const end = await ended
    return { ...end, left: readdirSync(folder, { recursive: true }).map(String).filter((path) => !['small.yaml', 'bad.ts', 'runs', join('runs', 'tasks')].includes(path)) }
  }

  it.each(['SIGINT', 'SIGTERM'] as const)('a run ends by %s and leaves nothing', async (signal) => {
    expect(await interrupted(signal, 'run', 'small.yaml', '--set', 'makers.0.params={ how: 1 }')).toMatchObject({ code: null, signal, err: 'loops\ninterrupted: nothing was left\n', left: [] })
  })

  it('verify ends by SIGINT', async () => {
    const folder = folderOf('{}', badMaker())
    expect((await run(folder)).code).toBe(0)
    // What a stranger may hand over: a strategy that loops, and a manifest that says it was so.
    put(folder, 'bad.ts', badMaker().replace('switch (p.how)', `${LOOPS}\n    switch (p.how)`))
    const path = join(folder, 'out', 'manifest.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { identity: { strategies: Record<string, string> } }
    manifest.identity.strategies['./bad.ts'] = moduleGraph(join(folder, 'bad.ts')).digest
    put(join(folder, 'out'), 'manifest.json', JSON.stringify(manifest))
    const { child, ended } = start(folder, ['verify', 'out', '--quiet'])
    await looping(child, ended)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGINT', err: 'loops\ninterrupted: nothing was left\n' })
  })

  it('a run whose file never loads ends by SIGINT and leaves nothing', async () => {
    const folder = folderOf('{}', `console.log('loops')\n${ENDLESS}\n${badMaker()}`)
    const { child, ended } = start(folder, ['run', 'small.yaml'])
    await looping(child, ended)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGINT', err: 'loops\ninterrupted: nothing was left\n' })
    expect(readdirSync(folder).toSorted()).toEqual(['bad.ts', 'small.yaml'])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('a sweep ends by %s and leaves nothing', async (signal) => {
    const { code, err, left } = await interrupted(signal, 'sweep', 'small.yaml', '--set', 'makers.0.params={ how: 1 }', '--replications', '1', '--workers', '1')
    expect(err).toMatch(/^loops\ninterrupted: 0 sessions were played and are kept/)
    expect([code, left]).toEqual([1, []])
  })
})
