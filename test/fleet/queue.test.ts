import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, parlor, parlorHere, start } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { odd, ODD_STRATEGY, Oddity, oddScenario } from '../sweep/odd.ts'
import { RedisServer, redisVersion } from './redis.ts'

const FILES = ['manifest.json', 'sweep.json', 'sweep.arrow', 'report.html']
const AXIS = ['--axis', 'makers.0.params.margin=2%,6%']

const bytesOf = (folder: string, out: string): string[] => FILES.map((name) => readFileSync(join(folder, out, name), 'latin1'))
const resultsIn = (folder: string): number =>
  (existsSync(join(folder, 'results')) ? readdirSync(join(folder, 'results'), { recursive: true }) : []).filter((name) => String(name).endsWith('.arrow')).length
const told = ({ out }: Ended): { played: number; kept: number; failed: number } => JSON.parse(out) as ReturnType<typeof told>

interface StartedWorker {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<Ended>
}

/** Starts a worker as on a machine of its own, which has kept nothing. It ends with the running test. */
function startWorker(folder: string, url: string, name: string, ...more: string[]): StartedWorker {
  const { child, ended } = start(folder, ['worker', '--queue', url, '--threads', '1', '--tasks', `tasks-${name}`, '--json', ...more])
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { kill: (signal) => { child.kill(signal) }, ended }
}

/** A worker that is started again whenever it dies, as those of a cluster are. */
function keepWorker(folder: string, url: string, name: string, ...more: string[]): { readonly deaths: () => number } {
  let [isOver, deaths] = [false, 0]
  const begun = (): StartedWorker => {
    const { child, ended } = start(folder, ['worker', '--queue', url, '--threads', '1', '--tasks', `tasks-${name}`, '--json', ...more])
    void ended.then(() => {
      if (isOver) return
      deaths++
      worker = begun()
    })
    return { kill: (signal) => { child.kill(signal) }, ended }
  }
  let worker = begun()
  onTestFinished(async () => {
    isOver = true
    worker.kill('SIGKILL')
    await worker.ended
  })
  return { deaths: () => deaths }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!await isSo()) await sleep(20)
}

describe.skipIf(redisVersion() === null)('a queue', () => {
  it('gives the bytes of one machine from two workers, tells what it holds, and its workers end when they are asked to', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40'))
    const sweep = ['sweep', 'small.yaml', ...AXIS, '--replications', '3']
    const { url } = await RedisServer.start()
    const whole = parlorHere(folder, ...sweep, '--workers', '1', '--tasks', 'own', '--out', 'whole')
    expect(await whole).toMatchObject({ code: 0, err: '' })
    // One works where the command does, and one elsewhere.
    const workers = [startWorker(folder, url, 'a'), startWorker(newFolder(), url, 'b')]
    const queued = [...sweep, '--queue', url, '--results', 'results', '--tasks', 'reading', '--out', 'queued', '--json']
    expect(told(await parlorHere(folder, ...queued))).toMatchObject({ played: 6, kept: 0 })
    expect(bytesOf(folder, 'queued')).toEqual(bytesOf(folder, 'whole'))

    const state = JSON.parse((await parlorHere(folder, 'queue', '--queue', url, '--json')).out) as { workers: { threads: number; played: number }[]; runs: unknown[]; queues: { waiting: number; running: number; failed: number }[] }
    expect(state.workers.map(({ threads }) => threads)).toEqual([1, 1])
    expect(state.runs).toEqual([])
    expect(state.queues).toMatchObject([{ waiting: 0, running: 0, failed: 0 }])
    for (const worker of workers) worker.kill('SIGTERM')
    const ended = await Promise.all(workers.map((worker) => worker.ended))
    for (const { code, err } of ended) expect({ code, err }).toEqual({ code: 0, err: `waiting for sessions at ${url}, 1 at a time\n` })
    const worked = ended.map(({ out }) => JSON.parse(out) as { sessions: number; batches: number; failed: number })
    expect(worked[0]!.sessions + worked[1]!.sessions).toBeGreaterThanOrEqual(6)
    expect((await parlorHere(folder, 'queue', '--queue', url)).out).toContain('0 workers, 0 threads; 0 commands')

    // All is there: another machine needs nobody.
    expect(told(await parlorHere(folder, ...queued, '--tasks', 'another'))).toMatchObject({ played: 0, kept: 6 })
    expect(bytesOf(folder, 'queued')).toEqual(bytesOf(folder, 'whole'))
  })

  it('goes on when a worker, the command and the server are killed, and what the server forgot is asked for again', async () => {
    const folder = dirname(oddScenario())
    const sweep = ['sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '6', '--set', odd(Oddity.slow)]
    const server = await RedisServer.start()
    const queued = [...sweep, '--queue', server.url, '--results', 'results', '--tasks', 'reading', '--out', 'queued', '--json']
    const [first] = ['a', 'b'].map((name) => startWorker(folder, server.url, name, '--trusted')) as [StartedWorker, StartedWorker]
    const cut = start(folder, queued)
    await until(() => resultsIn(folder) >= 2)
    first.kill('SIGKILL')
    cut.child.kill('SIGKILL')
    await Promise.all([first.ended, cut.ended])
    const again = start(folder, queued)
    await until(() => resultsIn(folder) >= 5)
    await server.kill()
    await sleep(1000)
    await server.begin()
    const { code, out, err } = await again.ended
    expect(code).toBe(0)
    expect(err).toContain(`${server.url} does not answer: waiting for it`)
    const { played, kept } = JSON.parse(out) as ReturnType<typeof told>
    expect(played + kept).toBe(12)
    expect(kept).toBeGreaterThanOrEqual(2)
    expect(resultsIn(folder)).toBe(12)
    expect(await parlor(folder, ...sweep, '--tasks', 'tasks-b', '--out', 'whole')).toMatchObject({ code: 0 })
    expect(bytesOf(folder, 'queued')).toEqual(bytesOf(folder, 'whole'))
  })

  it('gives a session up that kills its worker again and again, by name, and plays the rest', async () => {
    const folder = newFolder()
    put(folder, 'odd.ts', ODD_STRATEGY.replace('onRequest(request, desk) {', "onRequest(request, desk) {\n    if (p.margin > 0.05) process.kill(process.pid, 'SIGKILL')\n"))
    put(folder, 'odd.yaml', readFileSync(oddScenario(), 'utf8'))
    const { url } = await RedisServer.start()
    const { deaths } = keepWorker(folder, url, 'a', '--trusted')
    const { code, out } = await parlor(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '1', '--queue', url, '--results', 'results', '--json')
    expect(code).toBe(1)
    const { result: { points } } = JSON.parse(out) as { result: { points: { failures: { kind: string; message: string }[]; makers: unknown[] }[] } }
    expect(points[0]!.failures).toEqual([])
    expect(points[0]!.makers).toContainEqual(expect.objectContaining({ maker: 'odd' }))
    expect(points[1]!.failures).toMatchObject([{ kind: 'worker', message: expect.stringContaining('3 worker processes died over it') }])
    // Once in a batch, and three times by itself.
    expect(deaths()).toBeGreaterThanOrEqual(4)
  })

  it('is refused by workers that cannot play it, with the reason', async () => {
    const folder = dirname(oddScenario())
    const { url } = await RedisServer.start()
    const redis = new Redis(url)
    onTestFinished(() => { redis.disconnect() })
    const other = { kind: 'run', name: 'elsewhere', build: { sourceTree: '0'.repeat(64), node: 'v1.2.3', platform: 'amiga-m68k' }, about: 'sweep', done: 0, of: 1 }
    await redis.set('parlor:run:elsewhere', JSON.stringify(other))
    const worker = startWorker(folder, url, 'a')
    const { code, err } = await parlor(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '1', '--queue', url, '--results', 'results')
    expect(code).toBe(2)
    expect(err).toMatch(/worker \S+: cannot play sessions of this command: the command asks for strategy files to run as programs \(--trusted\), which this worker was not started with/)
    worker.kill('SIGTERM')
    const refused = (await worker.ended).err
    expect(refused).toMatch(/refused: elsewhere asks for sessions of another source tree \(000000000000, here [0-9a-f]{12}\) and another Node \(v1\.2\.3, here v[\d.]+\) and another platform \(amiga-m68k, here \S+\); this worker plays none of them/)
    expect(refused.match(/which this worker was not started with/g)).toHaveLength(1)
  })

  it('is named where nobody answers, and is asked for with a folder that both see', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL)
    const server = await RedisServer.start()
    await server.kill()
    const sweep = ['sweep', 'small.yaml', '--replications', '1']
    expect(await parlorHere(folder, ...sweep, '--queue', server.url, '--results', 'r')).toMatchObject({ code: 2, err: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+: nobody answers: .*ECONNREFUSED/) })
    expect(await parlorHere(folder, 'worker', '--queue', server.url)).toMatchObject({ code: 2, err: expect.stringContaining('nobody answers') })
    expect(await parlorHere(folder, ...sweep, '--queue', server.url)).toMatchObject({ code: 2, err: expect.stringContaining('--queue needs --results') })
    expect(await parlorHere(folder, ...sweep, '--queue', server.url, '--results', 'r', '--workers', '1')).toMatchObject({ code: 2, err: expect.stringContaining('leave out --workers') })
    expect(await parlorHere(folder, ...sweep, '--queue', server.url, '--results', 'r', '--recheck', '1')).toMatchObject({ code: 2, err: expect.stringContaining('leave out --recheck') })
    expect(await parlorHere(folder, ...sweep, '--queue', server.url, '--results', 'r', '--shard', '1/2')).toMatchObject({ code: 2, err: expect.stringContaining('leave out --shard') })
    rmSync(join(folder, 'r'), { recursive: true, force: true })
  })
})
