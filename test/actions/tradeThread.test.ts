import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trade } from '../../src/actions/trade.ts'
import { tradeInThread } from '../../src/actions/watch/tradeThread.ts'
import { DEFAULT_CALL_LIMITS } from '../../src/scenario/strategyLimits.ts'
import { newFolder, put } from '../scenario/small.ts'
import { fakeService } from '../cli/fakeService.ts'
import { type Ended, parlorHere, start } from '../cli/parlor.ts'

/** A maker's file with a body of `onRequest`. */
const badMaker = (body: string): string => `import { maker } from 'parlor'

const kept: unknown[] = []

export default maker({}, () => ({
  onRequest() {
    ${body}
  },
}))
`

const ENDLESS = 'for (;;) {}'
const LOOPS = "console.log('loops'); for (;;) {}"
const HEAP = 'for (;;) kept.push(new Array(100_000).fill(1.5))'
const ARRAYS = 'for (;;) kept.push(new Float64Array(100_000).fill(1))'
const REJECTED = "Promise.reject(new Error('late'))"
const declaring = (more: string): string => `${badMaker('').replace('export default', 'const made =')}\nexport default { ...made, ${more} }\n`

/** A folder with a strategy and the credentials of a seat. */
async function folderOf(strategy: string): Promise<string> {
  const folder = newFolder()
  put(folder, 'bad.ts', strategy)
  put(folder, 'keys.json', await fakeService())
  return folder
}

const ARGS = ['trade', './bad.ts', '--credentials', 'keys.json', '--seed', 'x']

/** What `parlor trade` says of a strategy, without the line that says who plays. */
async function traded(strategy: string, ...options: string[]): Promise<Ended> {
  const ended = await parlorHere(await folderOf(strategy), ...ARGS, ...options)
  return { ...ended, err: ended.err.split('\n').filter((line) => !line.includes(' plays ')).join('\n') }
}

describe('a client ends with 1, and names the seat and the handler, when its strategy', () => {
  it.each([
    ['never returns', badMaker(ENDLESS), ['--call-limit', '500ms'], 'error: strategy of ours did not return from onRequest within 0.5 s\n'],
    ['fills the heap', badMaker(HEAP), ['--memory-limit', '128 MiB'], 'error: strategy of ours ran out of memory in onRequest: more than 128 MiB\n'],
    ['fills arrays', badMaker(ARRAYS), ['--memory-limit', '128 MiB'], 'error: strategy of ours ran out of memory in onRequest: more than 128 MiB\n'],
    ['leaves a promise rejected', badMaker(REJECTED), [], /^error: strategy of ours left a promise that was rejected: late\n {2}at .*bad\.ts:7:20\n[^]*> 7 \| /],
    ['throws', badMaker("throw new Error('no')"), [], /^error: the maker ours fails in onRequest: no\n {2}at .*bad\.ts:7:11\n[^]*> 7 \| /],
    ['ends its thread', badMaker('process.exit(0)'), ['--trusted'], 'error: strategy of ours ended its thread in onRequest\n'],
    ['never makes its handlers', badMaker('').replace('() => ({', `() => { ${ENDLESS} return {`).replace('}))', '}})'), ['--call-limit', '500ms'], 'error: strategy of ours did not return from create within 0.5 s\n'],
    ['never has checked its parameters', declaring('check() { for (;;) {} }'), ['--call-limit', '500ms'], 'error: strategy of ours did not return from check within 0.5 s\n'],
  ])('%s', async (_, strategy, options, said) => {
    const { code, out, err } = await traded(strategy, ...options)
    if (typeof said === 'string') expect(err).toBe(said)
    else expect(err).toMatch(said)
    expect([code, out]).toEqual([1, ''])
  })

  it('is a bettor’s and never makes its handlers', async () => {
    const strategy = `import { bettor } from 'parlor'\nexport default bettor({}, () => { ${ENDLESS} })\n`
    expect(await traded(strategy, '--call-limit', '500ms')).toMatchObject({ code: 1, err: 'error: strategy of me did not return from create within 0.5 s\n' })
  })

  it('never returns, for machines', async () => {
    const { code, out } = await traded(badMaker(ENDLESS), '--call-limit', '500ms', '--json')
    expect([code, JSON.parse(out)]).toEqual([1, { error: { kind: 'strategy', message: 'strategy of ours did not return from onRequest within 0.5 s', who: 'ours' } }])
  })
})

describe('a client ends with 2, and names the file, when it', () => {
  it.each([
    ['never loads', `${ENDLESS}\n${badMaker('')}`, [], /^\S*bad\.ts: the strategy does not load: loading did not end within 0.5 s\n {2}hint: look outside of `create`/],
    ['has parameters that are never read', declaring('get parameters() { for (;;) {} }'), [], /^\S*bad\.ts: the strategy does not load: loading did not end within 0.5 s\n/],
    ['ends its thread while it loads', `process.exit(0)\n${badMaker('')}`, ['--trusted'], /^\S*bad\.ts: the strategy does not load: it ended its thread\n$/],
    ['has a check that throws', declaring("check() { throw new Error('no') }"), [], /^error: the strategy's check of its parameters throws Error: no\n/],
    ['says what is wrong with its parameters', declaring("check: () => ({ parameter: 'margin', message: 'is too wide' })"), [], /^error: margin: is too wide\n {2}hint: expected other values of --set\n$/],
  ])('%s', async (_, strategy, options, said) => {
    const { code, err } = await traded(strategy, '--call-limit', '500ms', ...options)
    expect(err).toMatch(said)
    expect(code).toBe(2)
  })

  it('is given limits that are none', async () => {
    expect(await traded(badMaker(''), '--call-limit', 'soon')).toMatchObject({ code: 2, err: expect.stringMatching(/^error: --call-limit: expected /) as string })
    expect(await traded(badMaker(''), '--memory-limit', '1 MiB')).toMatchObject({ code: 2, err: expect.stringMatching(/^error: --memory-limit: /) as string })
  })
})

it('a client whose caller throws ends with that', async () => {
  const folder = await folderOf(badMaker(''))
  const own = new Error('not wanted')
  const trading = trade(join(folder, 'bad.ts'), { credentials: join(folder, 'keys.json'), onPlays: () => { throw own } })
  await expect(trading).rejects.toBe(own)
})

describe('a strategy that reads a file', () => {
  const READS = `import { copyFileSync } from 'node:fs'\n${badMaker("copyFileSync('FOLDER/keys.json', 'FOLDER/copied.json')")}`
  const placed = (folder: string): string => put(folder, 'bad.ts', READS.replaceAll('FOLDER', folder))

  it('plays with --trusted', async () => {
    const folder = await folderOf('')
    placed(folder)
    const { code, out } = await parlorHere(folder, ...ARGS, '--trusted', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { seat: 'ours', figures: { requests: 1 } }])
    expect(readFileSync(join(folder, 'copied.json'), 'utf8')).toBe(readFileSync(join(folder, 'keys.json'), 'utf8'))
  })

  it('is refused without', async () => {
    const folder = await folderOf('')
    placed(folder)
    const { code, out, err } = await parlorHere(folder, ...ARGS)
    expect(err).toMatch(/bad\.ts:1:\d+: the strategy does not load: .*node:fs/)
    expect([code, out]).toEqual([2, ''])
  })
})

it.each([
  ['', [], 'EvalError'],
  [' but with --trusted', ['--trusted'], 'made'],
])('no text becomes code in the realm of the thread%s', async (_, options, said) => {
  expect(await traded(badMaker(''), ...options)).toMatchObject({ code: 0 })
  // V8 is told for the process: a thread that begins now is as the client's was.
  const thread = new Worker("const { parentPort } = require('node:worker_threads'); try { new Function('')(); parentPort.postMessage('made') } catch (error) { parentPort.postMessage(error.name) }", { eval: true })
  expect(await once(thread, 'message')).toEqual([said])
})

describe('while a strategy loops', () => {
  it.each([
    ['in a handler', 'SIGINT', badMaker(LOOPS), 'interrupted: strategy of ours did not return from onRequest, and what it has open was left as it stands\n'],
    ['while it loads', 'SIGTERM', `console.log('loops')\n${ENDLESS}\n${badMaker('')}`, 'interrupted: nothing was left\n'],
  ] as const)('%s, a client ends by %s and says what it left', async (_, signal, strategy, said) => {
    const { child, ended } = start(await folderOf(strategy), ARGS)
    child.stderr!.on('data', (data: Buffer) => { if (data.toString().includes('loops')) child.kill(signal) })
    const { code, signal: by, err } = await ended
    expect(err.endsWith(`loops\n${said}`)).toBe(true)
    expect([code, by]).toEqual([null, signal])
  })

  it('a client ends also where no call does, but a timer of one that runs in no room', async () => {
    const folder = await folderOf('')
    put(folder, 'bad.ts', `import { writeFileSync } from 'node:fs'\n${badMaker(`setImmediate(() => { writeFileSync('${join(folder, 'begun')}', ''); ${ENDLESS} })`)}`)
    const stop = new AbortController()
    const looks = setInterval(() => { if (existsSync(join(folder, 'begun'))) stop.abort() }, 50)
    onTestFinished(() => { clearInterval(looks) })
    const trading = tradeInThread({
      data: { use: join(folder, 'bad.ts'), isTrusted: true, set: [], credentials: join(folder, 'keys.json'), seat: undefined, url: undefined, seed: 'x', ratePerHour: 60, betsMax: undefined },
      signal: stop.signal, silentMs: 500, limits: DEFAULT_CALL_LIMITS, say: () => {}, onPlays: () => {},
    })
    await expect(trading).rejects.toMatchObject({ name: 'Interrupted', message: 'interrupted: the client of ours did not leave, and what it has open was left as it stands' })
  })
})
