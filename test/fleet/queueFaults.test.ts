import { cpSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parlor, parlorHere } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { quoting } from './quoting.ts'
import { odd, ODD_STRATEGY, Oddity, oddScenario } from '../sweep/odd.ts'
import { begin, beginWorker, bytesOf, filesIn, keepWorker, type Process, told, until } from './queueProcesses.ts'
import { pauseQueues, RedisServer, redisVersion } from './redis.ts'
import { SHORT } from './scenes.ts'

const AXIS = ['--axis', 'makers.0.params.margin=2%,6%']
const ONCE = [...AXIS, '--replications', '1']

describe.skipIf(redisVersion() === null)('a queue in trouble', () => {
  it.each<[string, string[]]>([
    ['all that it had', []], ['nothing', ['--appendonly', 'yes', '--appendfsync', 'always']],
  ])('goes on when a worker, the command and the server are killed, and the server loses %s', async (_, kept) => {
    const folder = dirname(oddScenario())
    const results = join(folder, 'results')
    const sweep = ['sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '6', '--set', odd(Oddity.slow)]
    const server = await RedisServer.start(...kept)
    const queued = [...sweep, '--queue', server.url, '--results', 'results', '--tasks', 'reading', '--out', 'queued', '--json']
    const [first] = ['a', 'b'].map((name) => beginWorker(folder, server.url, name, '--trusted')) as [Process, Process]
    const cut = begin(folder, ...queued)
    await until(() => filesIn(results).length >= 2)
    first.kill('SIGKILL')
    cut.kill('SIGKILL')
    await Promise.all([first.ended, cut.ended])
    const again = begin(folder, ...queued)
    // The one that was killed, and this one.
    const redis = new Redis(server.url)
    await until(async () => (await redis.zcard('parlor:runs:seen')) === 2)
    redis.disconnect()
    await until(() => filesIn(results).length >= 5)
    await server.kill()
    await again.says('does not answer: waiting for it')
    await server.begin()
    const { code, out } = await again.ended
    expect(code).toBe(0)
    const { played, kept: found } = JSON.parse(out) as ReturnType<typeof told>
    expect(played + found).toBe(12)
    expect(found).toBeGreaterThanOrEqual(2)
    expect(filesIn(results)).toHaveLength(12)
    expect(await parlor(folder, ...sweep, '--tasks', 'tasks-b', '--out', 'whole')).toMatchObject({ code: 0 })
    expect(bytesOf('sweep', folder, 'queued')).toEqual(bytesOf('sweep', folder, 'whole'))
  })

  it('has what a worker has that stands still played by others, and the worker finds it done', async () => {
    const folder = dirname(oddScenario())
    const results = join(folder, 'results')
    const { url } = await RedisServer.start()
    const still = beginWorker(folder, url, 'a', '--trusted')
    const command = begin(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '3', '--set', odd(Oddity.slow), '--queue', url, '--results', 'results', '--json')
    await until(() => filesIn(results).length >= 1)
    still.kill('SIGSTOP')
    beginWorker(folder, url, 'b', '--trusted')
    expect(told(await command.ended)).toMatchObject({ played: 6, failed: 0 })
    still.kill('SIGCONT')
    still.kill('SIGTERM')
    expect(await still.ended).toMatchObject({ code: 0 })
    expect(filesIn(results)).toHaveLength(6)
  })

  it('goes on where a worker that cleared it away, and died over it, has left it paused', async () => {
    const folder = dirname(oddScenario())
    const { url, port } = await RedisServer.start()
    beginWorker(folder, url, 'a', '--trusted')
    const command = begin(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '6', '--set', odd(Oddity.slow), '--queue', url, '--results', 'results', '--json')
    await until(() => filesIn(join(folder, 'results')).length >= 1)
    await pauseQueues(port)
    expect(told(await command.ended)).toMatchObject({ played: 12, failed: 0 })
  })

  it('gives the one session up that kills its workers, by name, and plays those that were played beside it', async () => {
    const folder = newFolder()
    put(folder, 'odd.ts', ODD_STRATEGY.replace('onRequest(request, desk) {', "onRequest(request, desk) {\n    if (p.margin === 0.06) process.kill(process.pid, 'SIGKILL')\n"))
    put(folder, 'odd.yaml', readFileSync(oddScenario(), 'utf8'))
    const { url } = await RedisServer.start()
    const { deaths } = keepWorker(folder, url, 'a', '--trusted', '--threads', '4')
    const { code, out } = await parlor(folder, 'sweep', 'odd.yaml', '--trusted', '--axis', 'makers.0.params.margin=1%..8%:8', '--replications', '1', '--set', odd(Oddity.slow), '--queue', url, '--results', 'results', '--json')
    expect(code).toBe(1)
    const { result: { points } } = JSON.parse(out) as { result: { points: { settings: Record<string, string>; failures: { kind: string; message: string }[] }[] } }
    expect(points.map(({ failures }) => failures.map(({ kind }) => kind))).toEqual([[], [], [], [], [], ['worker'], [], []])
    expect(points[5]!.failures[0]!.message).toBe('3 worker processes died over it that played nothing else')
    // Beside others, where it tells nothing, and three times alone.
    expect(deaths()).toBeGreaterThanOrEqual(4)
    expect(filesIn(join(folder, 'results'))).toHaveLength(7)
    expect(filesIn(join(folder, 'results'), 'failures')).toHaveLength(1)
  })

  it('is played by the workers that can, and refused by name when none is left that can', async () => {
    const folder = dirname(oddScenario())
    const { url } = await RedisServer.start()
    const redis = new Redis(url)
    onTestFinished(() => { redis.disconnect() })
    // Signs of another version, and of another build.
    await redis.hset('parlor:runs', 'elsewhere', JSON.stringify({ build: { sourceTree: '0'.repeat(64), node: 'v1.2.3', platform: 'amiga-m68k' }, about: 'sweep', done: 0, failed: 0, of: 1, refusals: [], failures: [] }), 'odd', '{"runs":1}', 'torn', '{"bui')
    await redis.zadd('parlor:runs:seen', Date.now() + 1e6, 'elsewhere', Date.now() + 1e6, 'odd', Date.now() + 1e6, 'torn')
    const careful = beginWorker(folder, url, 'a')
    const sweep = ['sweep', 'odd.yaml', '--trusted', ...ONCE, '--queue', url, '--results', 'results', '--json']
    const { code, err } = await parlor(folder, ...sweep)
    expect(code).toBe(2)
    expect(err).toMatch(/no worker plays sessions of this command:\n {2}worker \S+: the command asks for strategy files to run as programs \(--trusted\), which this worker was not started with/)

    // Another can, and the first one does not disturb.
    const willing = begin(folder, ...sweep)
    await willing.says('plays nothing of this: the command asks for strategy files to run as programs')
    beginWorker(folder, url, 'b', '--trusted')
    const played = await willing.ended
    expect(told(played)).toMatchObject({ played: 2, failed: 0 })
    careful.kill('SIGTERM')
    const refused = await careful.ended
    expect(refused.code).toBe(0)
    expect(refused.err).toMatch(/refused: elsewhere asks for sessions of another source tree \(000000000000, here [0-9a-f]{12}\) and another Node \(v1\.2\.3, here v[\d.]+\) and another platform \(amiga-m68k, here \S+\); this worker plays none of them/)
    // Once for each command.
    expect(refused.err.match(/which this worker was not started with/g)).toHaveLength(2)
  })

  it.each([
    ['a file lies where it keeps its sessions', 'file/tasks', /\/file: is no folder/], ['the system refuses its folder', '/proc/tasks', /ENOENT.*\/proc\/tasks/],
  ])('names the worker where %s', async (_, tasks, why) => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    put(folder, 'file', '')
    const { url } = await RedisServer.start()
    const worker = beginWorker(folder, url, 'a', '--tasks', tasks)
    const { code, err } = await parlorHere(folder, 'sweep', 'small.yaml', ...ONCE, '--queue', url, '--results', 'results')
    expect(code).toBe(2)
    expect(err).toMatch(/no worker plays sessions of this command:\n {2}worker \S+: /)
    expect(err).toMatch(why)
    worker.kill('SIGTERM')
    expect(await worker.ended).toMatchObject({ code: 0 })
  })

  it('looks again for what a worker left, because disks over a network show files late', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    const { url } = await RedisServer.start()
    beginWorker(newFolder(), url, 'b', '--results', join(folder, 'theirs'))
    const late = begin(folder, 'sweep', 'small.yaml', ...ONCE, '--queue', url, '--results', 'ours', '--out', 'late', '--json')
    await until(() => filesIn(join(folder, 'theirs')).length === 2)
    cpSync(join(folder, 'theirs', 'results'), join(folder, 'ours', 'results'), { recursive: true })
    expect(told(await late.ended)).toMatchObject({ played: 2, failed: 0 })
  })

  it('plays what is edited between two commands as it is now, with the same worker', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT.replace('use: fixed-margin', 'use: ./mine.ts'))
    const { url } = await RedisServer.start()
    beginWorker(folder, url, 'a')
    const sweep = ['sweep', 'small.yaml', '--replications', '2']
    for (const margin of [0.03, 0.08]) {
      put(folder, 'mine.ts', quoting(margin))
      expect(await parlorHere(folder, ...sweep, '--queue', url, '--results', 'results', '--tasks', 'reading', '--out', 'queued')).toMatchObject({ code: 0 })
      expect(await parlorHere(folder, ...sweep, '--tasks', 'own', '--out', 'whole')).toMatchObject({ code: 0 })
      expect(bytesOf('sweep', folder, 'queued')).toEqual(bytesOf('sweep', folder, 'whole'))
    }
  })

  it('ends where the server refuses to write, and says at which', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL)
    const { url } = await RedisServer.start()
    const worker = beginWorker(folder, url, 'a')
    await worker.says('waiting for sessions')
    const redis = new Redis(url)
    onTestFinished(() => { redis.disconnect() })
    await redis.config('SET', 'maxmemory', '1')
    const refusal = expect.stringMatching(/^(?:waiting for .*\n)?redis:\/\/127\.0\.0\.1:\d+: refuses: OOM command not allowed/)
    expect(await parlorHere(folder, 'sweep', 'small.yaml', ...ONCE, '--queue', url, '--results', 'results')).toMatchObject({ code: 2, err: refusal })
    expect(await worker.ended).toMatchObject({ code: 2, err: refusal })
  })

  it.each(['stands still', 'is gone'])('lets everybody end who is asked to while the server %s', async (how) => {
    const folder = dirname(oddScenario())
    const server = await RedisServer.start()
    const worker = beginWorker(folder, server.url, 'a', '--trusted')
    const command = begin(folder, 'sweep', 'odd.yaml', '--trusted', ...AXIS, '--replications', '20', '--set', odd(Oddity.slow), '--queue', server.url, '--results', 'results')
    await until(() => filesIn(join(folder, 'results')).length >= 1)
    if (how === 'is gone') await server.kill()
    else server.signal('SIGSTOP')
    command.kill('SIGINT')
    worker.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    const ended = await command.ended
    expect(ended.signal ?? ended.code).toBe('SIGINT')
    expect(ended.err).toContain('the same command goes on from there')
    // Who begins now hears soon that nobody answers.
    expect(await parlorHere(folder, 'queue', '--queue', server.url)).toMatchObject({ code: 2, err: expect.stringContaining('nobody answers') })
    server.signal('SIGCONT')
  })

  it('is asked for with a folder that all see, and by options that go together', async () => {
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
