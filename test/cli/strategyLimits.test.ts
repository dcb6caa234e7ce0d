import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CommandFailure, failureOf } from '../../src/cli/failure.ts'
import { RunThread } from '../../src/actions/watch/runThread.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { callLimitsOf, DEFAULT_CALL_LIMITS } from '../../src/scenario/strategyLimits.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { planLeague } from '../../src/sweep/leaguePlan.ts'
import { Points } from '../../src/sweep/points.ts'
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
/** What it is rejected with never comes to an end of being read. */
const REJECTED_ENDLESS = 'Promise.reject({ get message() { for (;;) {} } })'
/** Promises that do not show of which room they are. */
const REJECTED_BARE = "const late = async () => { throw new Error('late') }; Object.setPrototypeOf(late(), null)"
const REJECTED_FOREIGN = "const late = async () => { throw new Error('late') }; Object.setPrototypeOf(late(), { then: 1 })"

const scene = (limits: string, makers = ''): string => `${SMALL.replace('max: 200', 'max: 40').replace('{ use: fixed-margin, capital', '{ name: bad, use: ./bad.ts, capital')}${makers}strategies: ${limits}\n`

/** A folder with a scenario `small.yaml` and the maker's file. */
function folderOf(limits: string, strategy: string, makers?: string): string {
  const folder = newFolder()
  put(folder, 'small.yaml', scene(limits, makers))
  put(folder, 'bad.ts', strategy)
  return folder
}

const run = (folder: string, ...options: string[]): Promise<Ended> => parlor(folder, 'run', 'small.yaml', '--quiet', '--no-report', '--out', 'out', ...options)

/** Plays the scenario in the thread in which `parlor run` plays, which this thread watches. What ended it, null for nothing. */
async function errorInThread(folder: string, { set = ['makers.0.params={ how: 1 }'], isTrusted = false, signal = new AbortController().signal, silentMs = 10_000 } = {}): Promise<unknown> {
  const path = join(folder, 'small.yaml')
  const overrides = { set }
  const limits = callLimitsOf(loadScenario(path, overrides).file.strategies)
  const thread = new RunThread({ data: { origin: path, overrides, isTrusted }, signal, limits, silentMs, say: () => {}, onProgress: () => {}, onSettling: () => {} })
  try {
    await thread.prepared
    mkdirSync(join(folder, 'out'))
    await thread.play(join(folder, 'out'))
    return null
  } catch (error) {
    return error
  } finally {
    await thread.close()
  }
}

const failureInThread = async (folder: string): Promise<CommandFailure> => failureOf(await errorInThread(folder))

/** Plays the scenario of a folder in this thread, as `parlor run` does in its own. */
async function playHere(folder: string, isTrusted = false): Promise<string> {
  const loaded = loadScenario(join(folder, 'small.yaml'))
  const prepared = await prepareScenario(loaded, undefined, { importFile: importOf(isTrusted, loaded.file.strategies.allow) })
  return (await runScenario(loaded, prepared, { target: { path: join(folder, 'out'), force: false, numbered: false } })).path
}

describe.concurrent('a run ends with 1, and names who', () => {
  it('without a result, when it never returns', async ({ expect }) => {
    const folder = folderOf('{ callLimit: 1s }', badMaker(ENDLESS))
    const { code, out, err } = await run(folder, '--set', 'makers.0.params={ how: 1 }')
    expect([err, code, out, existsSync(join(folder, 'out', 'manifest.json'))]).toEqual(['error: strategy of bad did not return from onRequest within 1 s\n', 1, '', false])
  })

  it.each([
    ['fills the heap', '{ memoryLimit: 128 MiB }', HEAP, 'error: strategy of bad ran out of memory in onRequest: more than 128 MiB'],
    ['fills arrays', '{ memoryLimit: 128 MiB }', ARRAYS, 'error: strategy of bad ran out of memory in onRequest: more than 128 MiB'],
    ['lets no time pass', '{ actionsPerInstant: 10 }', LATER, /^error: strategy of bad threw in onLater(?: \(\w+ \d+\))? at \S+Z: it did not let time pass: more than 10 actions at one instant\n {2}at .*bad\.ts:13:10\n[^]*\n> 13 \|     desk\.later\(request, 0\)\n/],
    ['asks for ever to be called again', '{ looksAgain: 10, actionsPerInstant: 1e6 }', LATER, /^error: strategy of bad threw in onLater(?: \(\w+ \d+\))? at \S+Z: it asks for ever to be called again: more than 10 times about one request\n {2}at .*bad\.ts:13:10\n[^]*\n> 13 \|     desk\.later\(request, 0\)\n/],
    ['leaves a promise rejected', '{}', REJECTED, /^error: strategy of bad left a promise that was rejected: late\n {2}at .*bad\.ts:9:30\n/],
    ['leaves a promise rejected with what is never read', '{ callLimit: 1s }', REJECTED_ENDLESS, 'error: strategy of bad did not return from a rejected promise within 1 s'],
    ['leaves a rejected promise without a prototype', '{}', REJECTED_BARE, 'error: strategy of bad left a promise that was rejected: something that is no error'],
    ['leaves a rejected promise with a prototype that none has', '{}', REJECTED_FOREIGN, 'error: strategy of bad left a promise that was rejected: something that is no error'],
  ])('when it %s', async (_, limits, body, said) => {
    const failure = await failureInThread(folderOf(limits, badMaker(body)))
    if (typeof said === 'string') expect(failure.text).toBe(said)
    else expect(failure.text).toMatch(said)
    expect(failure.exitCode).toBe(1)
  })

  it('when its check of its parameters never returns', async ({ expect }) => {
    const folder = folderOf('{ callLimit: 1s }', `${badMaker().replace('export default', 'const made =')}\nexport default { ...made, check() { for (;;) {} } }\n`)
    expect(await failureInThread(folder)).toMatchObject({ exitCode: 1, text: 'error: strategy of bad did not return from check within 1 s' })
  })

  it('when it rejects a promise that its file made, and that shows nothing of whose it is', async ({ expect }) => {
    const made = 'let reject\nconst promise = new Promise((_, settle) => { reject = settle })\nObject.setPrototypeOf(promise, null)\n'
    const failure = await failureInThread(folderOf('{}', `${made}${badMaker("reject('late')")}`))
    expect(failure).toMatchObject({ exitCode: 1, text: 'error: strategy of bad left a promise that was rejected: late' })
  })

  it.each([
    ['loops', ENDLESS],
    ['leaves a promise rejected with what is never read', REJECTED_ENDLESS],
  ])('with 2, when its file %s while it loads', async (_, text) => {
    const failure = await failureInThread(folderOf('{ callLimit: 500ms }', `${text}\n${badMaker()}`))
    expect(failure.text).toMatch(/^\S*bad\.ts: the strategy does not load: loading did not end within 0.5 s\n/)
    expect(failure.exitCode).toBe(2)
  })
})

describe('a command ends, and names who, while a built-in function goes on that V8 cannot stop', () => {
  const UNSTOPPABLE = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  const LOADING = /bad\.ts: the strategy does not load: loading did not end within 2 s\n/
  const cases: readonly (readonly [string, string, number, RegExp, readonly string[]])[] = [
    ['run', badMaker(UNSTOPPABLE), 1, /^error: strategy of bad did not return from onRequest within 2 s\n$/, ['run', 'small.yaml', '--quiet', '--set', 'makers.0.params={ how: 1 }', '--out', 'out']],
    ['run, of a file that is loaded', `${UNSTOPPABLE}\n${badMaker()}`, 2, LOADING, ['run', 'small.yaml', '--quiet', '--out', 'out']],
    ['sweep', badMaker(UNSTOPPABLE), 1, /^point 1, seed 1\/1: endless: strategy of bad did not return from onRequest within 2 s\n/, ['sweep', 'small.yaml', '--quiet', '--set', 'makers.0.params={ how: 1 }', '--replications', '1', '--workers', '1', '--out', 'out']],
    ['sweep, of a file that is loaded', `${UNSTOPPABLE}\n${badMaker()}`, 2, LOADING, ['sweep', 'small.yaml', '--quiet', '--replications', '1', '--workers', '1', '--out', 'out']],
  ]

  it.each(cases)('%s', async (_, strategy, code, said, args) => {
    const { child, ended } = start(folderOf('{ callLimit: 2s }', strategy), args)
    onTestFinished(() => { child.kill('SIGKILL') })
    const end = await ended
    expect(end.err).toMatch(said)
    expect([end.code, end.signal]).toEqual([code, null])
  })
})

describe.concurrent('the other sessions go on, and the guilty is named', () => {
  it('in a sweep over bodies of a maker, of which the first does nothing', async ({ expect }) => {
    const bodies = [HEAP, ARRAYS, LATER]
    const cwd = folderOf('{ memoryLimit: 192 MiB, actionsPerInstant: 10 }', badMaker(...bodies))
    const axis = `makers.0.params.how=0,${bodies.map((_, i) => i + 1).join(',')}`
    const { code, err } = await parlor(cwd, 'sweep', 'small.yaml', '--axis', axis, '--replications', '1', '--workers', '2', '--quiet', '--out', 'out')
    expect(code).toBe(1)
    expect(err.split('\n').filter((line) => !line.startsWith('point '))).toEqual([''])
    const { points } = JSON.parse(readFileSync(join(cwd, 'out', 'sweep.json'), 'utf8')) as { points: { failures: { kind: string; who: string | null; message: string }[] }[] }
    expect(points.map(({ failures }) => failures.map(({ kind, who, message }) => `${kind} ${who}: ${message.replace(/(?: \(\w+ \d+\))? at \S+Z/, ' then')}`))).toEqual([
      [],
      ['strategy bad: strategy of bad ran out of memory in onRequest: more than 192 MiB'],
      ['strategy bad: strategy of bad ran out of memory in onRequest: more than 192 MiB'],
      ['strategy bad: strategy of bad threw in onLater then: it did not let time pass: more than 10 actions at one instant'],
    ])
  })

  it('in a league', async ({ expect }) => {
    const bodies = [ENDLESS_REGEX, REJECTED, 'break']
    const entries = bodies.map((_, i) => `{ name: bad ${i + 1}, use: ./bad.ts, params: { how: ${i + 1} } }`)
    const checked = 'export default { ...made, check({ how }) { if (how === 3) for (;;) {} } }'
    const cwd = folderOf('{ callLimit: 1s }', `${badMaker(...bodies).replace('export default', 'const made =')}\n${checked}\n`)
    put(cwd, 'small.yaml', `${readFileSync(join(cwd, 'small.yaml'), 'utf8')}league: { entries: [{ name: good, use: fixed-margin }, ${entries.join(', ')}], play: [alone], replications: 1 }\n`)
    const { code, out } = await parlor(cwd, 'league', 'small.yaml', '--workers', '2', '--json', '--out', 'out')
    expect(code).toBe(1)
    const { result } = JSON.parse(out) as { result: { failures: { entries: string[]; kind: string; message: string }[] } }
    expect(result.failures.map(({ entries: [entry], kind, message }) => `${kind} ${entry}: ${message}`).toSorted()).toEqual([
      'endless bad 1: strategy of bad 1 did not return from onRequest within 1 s',
      'endless bad 3: strategy of bad 3 did not return from check within 1 s',
      'strategy bad 2: strategy of bad 2 left a promise that was rejected: late',
    ])
  })
})

it('an entry that leaves a nameless promise rejected in a meeting is named, although the other entry is of the same file', async () => {
  const cwd = folderOf('{}', badMaker('return', REJECTED_BARE))
  const entries = [1, 2].map((how) => `{ name: bad ${how}, use: ./bad.ts, params: { how: ${how} } }`)
  put(cwd, 'small.yaml', `${readFileSync(join(cwd, 'small.yaml'), 'utf8')}league: { entries: [${entries.join(', ')}], play: [pairs], replications: 1 }\n`)
  const { code, out } = await parlor(cwd, 'league', 'small.yaml', '--workers', '1', '--json', '--out', 'out')
  expect(code).toBe(1)
  const { result } = JSON.parse(out) as { result: { failures: { entries: string[]; who: string | null }[] } }
  expect(result.failures.map(({ entries, who }) => [entries, who])).toEqual([[['bad 2'], 'bad 2']])
})

describe.concurrent('while a strategy loops', () => {
  const LOOPS = "console.log('loops'); for (;;) {}"
  const LOADING = `console.log('loops')\n${ENDLESS}\n${badMaker()}`
  const STOPPED = /^loops\ninterrupted: nothing was left(?:; the loading of .*bad\.ts did not end)?\n$/
  const STOPPED_IN_CALL = 'loops\ninterrupted: nothing was left; strategy of bad did not return from onRequest\n'

  /** The command, ended by a signal once its strategy loops, and the files that it left. */
  async function interrupted(folder: string, signal: NodeJS.Signals, ...args: string[]): Promise<Ended & { readonly left: string[] }> {
    const before = new Set(readdirSync(folder))
    const { child, ended } = start(folder, args)
    await looping(child, ended)
    child.kill(signal)
    const end = await ended
    return { ...end, left: readdirSync(folder, { recursive: true }).map(String).filter((path) => !before.has(path.split('/')[0]!) && !['runs', join('runs', 'tasks')].includes(path)) }
  }

  /** Waits until the strategy of a command loops, or the command has ended. */
  const looping = (child: ChildProcess, ended: Promise<Ended>): Promise<unknown> =>
    Promise.race([ended, new Promise<void>((resolve) => { child.stderr!.on('data', (data: Buffer) => { if (data.toString().includes('loops')) resolve() }) })])

  it.each(['SIGINT', 'SIGTERM'] as const)('a run ends by %s and leaves nothing', async (signal) => {
    const ended = await interrupted(folderOf('{}', badMaker(LOOPS)), signal, 'run', 'small.yaml', '--set', 'makers.0.params={ how: 1 }')
    expect(ended).toMatchObject({ code: null, signal, err: STOPPED_IN_CALL, left: [] })
  })

  it('verify ends by a signal', async ({ expect }) => {
    const folder = folderOf('{}', badMaker())
    await playHere(folder)
    // What a stranger may hand over: a strategy that loops, and a manifest that says it was so.
    put(folder, 'bad.ts', badMaker().replace('switch (p.how)', `${ENDLESS}\n    switch (p.how)`))
    const path = join(folder, 'out', 'manifest.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { identity: { strategies: Record<string, string> } }
    manifest.identity.strategies['./bad.ts'] = moduleGraph(join(folder, 'bad.ts')).digest
    put(join(folder, 'out'), 'manifest.json', JSON.stringify(manifest))
    const stop = new AbortController()
    const thread = new RunThread({ data: { verify: join(folder, 'out'), isTrusted: false }, signal: stop.signal, limits: DEFAULT_CALL_LIMITS, say: () => {}, onProgress: () => { stop.abort() }, onSettling: () => {} })
    await expect(thread.verified.finally(() => thread.close())).rejects.toThrow(expect.objectContaining({ name: 'Interrupted' }))
  })

  it.each([
    ['run', 'small.yaml'],
    ['strategies', './bad.ts'],
  ])('%s of a file that never loads ends by SIGTERM and leaves nothing', async (...args) => {
    expect(await interrupted(folderOf('{}', LOADING), 'SIGTERM', ...args)).toMatchObject({ code: null, signal: 'SIGTERM', err: expect.stringMatching(STOPPED), left: [] })
  })

  it('a run ends also where no call of a strategy does, but a timer of one that runs in no room', async ({ expect }) => {
    const folder = folderOf('{}', "import { writeFileSync } from 'node:fs'\n" + badMaker("setImmediate(() => { writeFileSync('FOLDER/begun', ''); for (;;) {} })"))
    put(folder, 'bad.ts', readFileSync(join(folder, 'bad.ts'), 'utf8').replace('FOLDER', folder))
    const stop = new AbortController()
    const looks = setInterval(() => { if (existsSync(join(folder, 'begun'))) stop.abort() }, 50)
    const failure = await errorInThread(folder, { isTrusted: true, signal: stop.signal, silentMs: 500 }).finally(() => { clearInterval(looks) })
    expect(failure).toMatchObject({ name: 'Interrupted' })
  })

  it('a sweep ends by SIGTERM and leaves nothing', async ({ expect }) => {
    const { code, signal, err, left } = await interrupted(folderOf('{}', badMaker(LOOPS)), 'SIGTERM', 'sweep', 'small.yaml', '--set', 'makers.0.params={ how: 1 }', '--replications', '1', '--workers', '1')
    expect(err).toMatch(/^loops\ninterrupted: 0 sessions were played and are kept/)
    expect([code, signal, left]).toEqual([null, 'SIGTERM', []])
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
  function runSettling(commands: number): Promise<string> {
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
    return playHere(folder)
  }

  it('commands one thing for each, however few actions an instant allows, and does not command more', async () => {
    await runSettling(1)
    await expect(runSettling(2)).rejects.toThrow(/^strategy of bad threw in onSettled(?: \(\w+ \d+\))? at \S+Z: it did not let time pass: more than 1 actions at one instant$/)
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
  const MAY = 'its strategies may read the clock and draw unseeded (strategies.allow)'
  const lastLines = ({ out }: Ended): string[] => out.trimEnd().split('\n')

  it('by the run, and by verify, which finds it the same where they made no difference', async () => {
    const folder = folderOf('{ allow: [clock, random] }', jittery('Math.random() < 2 ? 0.5 : 1'))
    expect(lastLines(await run(folder)).at(-1)).toBe(`not reproducible: ${MAY}`)
    const { identity } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8')) as { identity: { scenario: { strategies?: unknown } } }
    expect(identity.scenario.strategies).toEqual({ allow: ['clock', 'random'] })
    expect(await verifyRun(join(folder, 'out'))).toMatchObject({ ok: true, unreproducible: MAY })
  })

  it('and by verify where they made one, with exit code 3', async () => {
    const folder = folderOf('{ allow: [random, clock] }', jittery('0.3 + 0.2 * Math.random()'))
    await playHere(folder)
    const verified = await parlor(folder, 'verify', 'out', '--quiet')
    expect(verified.code).toBe(3)
    expect(verified.out).toMatch(/^UNPROVEN +rerun +the scenario played again: digest \w{12}, expected \w{12}; the run is not reproducible: its strategies may read the clock/m)
    expect(lastLines(verified).at(-1)).toBe(`out: not reproducible: ${MAY}`)
  })

  it('and a sweep or a league of it is refused', async () => {
    const folder = folderOf('{ allow: [clock] }', `const atUs = Date.now()\n${jittery('0.5')}`)
    const refusal = 'sessions of a sweep or a league are kept and compared, and with clock they are not reproducible'
    await expect(new Points(importOf(false)).of({ scenario: join(folder, 'small.yaml'), set: [] })).rejects.toThrow(refusal)
    const league = put(folder, 'league.yaml', `${readFileSync(join(folder, 'small.yaml'), 'utf8')}league: { entries: [{ name: good, use: fixed-margin }], play: [alone] }\n`)
    await expect(planLeague(league)).rejects.toThrow(refusal)
  })

  it('as one whose strategies ran in no room, which verify runs so for those alone who say so', async () => {
    const folder = folderOf('{}', jittery('0.5'))
    await playHere(folder, true)
    const about = expect.stringMatching(/^\.\/bad\.ts was played with --trusted/)
    expect(await verifyRun(join(folder, 'out'))).toMatchObject({ ok: false, verdict: 'unproven', checks: expect.arrayContaining([{ name: 'inputs', ok: false, state: 'unproven', about }]) })
    expect(await verifyRun(join(folder, 'out'), { isTrusted: true })).toMatchObject({ ok: true, unreproducible: './bad.ts ran in no room (--trusted)' })
  })
})
