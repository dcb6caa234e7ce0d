import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Build, ownBuild } from '../../src/fleet/build.ts'
import { QueueLink } from '../../src/fleet/queue/link.ts'
import { QueueWorker } from '../../src/fleet/queue/queueWorker.ts'
import { LifeSign, living, type RunSign, seen, type WorkerSign } from '../../src/fleet/queue/roster.ts'
import { answersKey, openQueue } from '../../src/fleet/queue/runQueue.ts'
import { until } from './queueProcesses.ts'
import { RedisServer, redisVersion } from './redis.ts'

const OTHER: Build = { sourceTree: '0'.repeat(64), node: 'v1.2.3', platform: 'amiga-m68k' }
const WORKER: WorkerSign = { build: OTHER, threads: 2, played: 3, batches: ['r-1'] }
const RUN: RunSign = { build: OTHER, about: 'sweep', done: 1, failed: 0, of: 2, refusals: [{ worker: 'w', message: 'm' }], failures: [] }

async function opened(): Promise<{ link: QueueLink; redis: Redis; notes: string[] }> {
  const { url } = await RedisServer.start()
  const notes: string[] = []
  const link = await QueueLink.open(url, (line) => { notes.push(line) }, new AbortController().signal)
  const redis = new Redis(url)
  onTestFinished(() => {
    link.close()
    redis.disconnect()
  })
  return { link, redis, notes }
}

const nowMs = async (redis: Redis): Promise<number> => Number((await redis.time())[0]) * 1000

describe.skipIf(redisVersion() === null)('signs of life', () => {
  it('are seen as they were given, by the clock of the server, and end', async () => {
    const { link, redis } = await opened()
    const sign = new LifeSign(link, { kind: 'workers', name: 'me', sign: () => WORKER, fault: () => {} })
    await sign.tell()
    expect(await living(link, 'workers')).toEqual([{ name: 'me', sign: WORKER, agoMs: expect.any(Number) }])
    expect(await living(link, 'runs')).toEqual([])
    expect(await redis.pttl('parlor:workers')).toBeGreaterThan(0)
    expect(await redis.pttl('parlor:workers:seen')).toBeGreaterThan(0)
    await redis.zadd('parlor:workers:seen', await nowMs(redis) - 20_000, 'me')
    expect(await living(link, 'workers')).toEqual([])
    expect(await seen(link, 'workers')).toMatchObject([{ name: 'me' }])
    await sign.end()
    expect(await redis.exists('parlor:workers', 'parlor:workers:seen')).toBe(0)
  })

  const torn: [string, string][] = [
    ['none', '{}'], ['torn', '{"build"'], ['of another build', JSON.stringify({ ...RUN, build: { node: 'v1' } })], ['without numbers', JSON.stringify({ ...RUN, done: '1' })], ['with other words', JSON.stringify({ ...RUN, refusals: ['no'] })],
    ['of a worker', JSON.stringify(WORKER)],
  ]
  it('of another shape, or of nobody, are nobody\'s', async () => {
    const { link, redis } = await opened()
    const now = await nowMs(redis)
    for (const [i, [, text]] of torn.entries()) await redis.hset('parlor:runs', `run-${i}`, text)
    for (const i of torn.keys()) await redis.zadd('parlor:runs:seen', now, `run-${i}`)
    await redis.hset('parlor:runs', 'a b*', JSON.stringify(RUN), 'sound', JSON.stringify({ ...RUN, more: 1 }))
    await redis.zadd('parlor:runs:seen', now, 'a b*', now, 'sound', now, 'absent')
    expect(await living(link, 'runs')).toEqual([{ name: 'sound', sign: RUN, agoMs: expect.any(Number) }])
  })

  it('of the dead are cleared away by workers, with the queues of commands', async () => {
    const { link, redis, notes } = await opened()
    const old = await nowMs(redis) - 120_000
    await redis.hset('parlor:runs', 'dead', JSON.stringify(RUN))
    await redis.zadd('parlor:runs:seen', old, 'dead')
    await redis.hset('parlor:workers', 'gone', JSON.stringify(WORKER))
    await redis.zadd('parlor:workers:seen', old, 'gone')
    await redis.rpush(answersKey(link, 'dead'), '{}')
    const queue = openQueue(link, 'dead')
    // More than go at once, so that several clear them away side by side.
    await queue.addBulk(Array.from({ length: 2500 }, (_, i) => ({ name: 'batch', data: {}, opts: { jobId: `dead-${i}` } })))
    const stop = new AbortController()
    const worked = [1, 2, 3].map((threads) => new QueueWorker(link, { threads, isTrusted: false, say: (line) => { notes.push(line) }, signal: stop.signal }).work())
    await until(async () => (await redis.keys('*')).every((key) => key.startsWith('parlor:workers')) && (await redis.hlen('parlor:workers')) === 3)
    const alive = await seen(link, 'workers')
    expect(alive.map(({ sign: { threads } }) => threads).toSorted()).toEqual([1, 2, 3])
    for (const { sign: { build } } of alive) expect(build).toEqual(ownBuild())
    stop.abort()
    for (const ended of await Promise.all(worked)) expect(ended).toMatchObject({ batches: 0, sessions: 0, failed: 0 })
    expect(notes).toEqual([])
    expect(await redis.keys('*')).toEqual([])
  })

  it('are not asked for where the server stands still: a link is not opened, and one that is closes', async () => {
    const server = await RedisServer.start()
    const link = await QueueLink.open(server.url, () => {}, new AbortController().signal)
    const sign = new LifeSign(link, { kind: 'workers', name: 'me', sign: () => WORKER, fault: () => {} })
    await sign.tell()
    server.signal('SIGSTOP')
    const left = new AbortController()
    const opening = QueueLink.open(server.url, () => {}, left.signal)
    left.abort()
    await expect(opening).rejects.toThrow('interrupted')
    await expect(QueueLink.open(server.url, () => {}, new AbortController().signal)).rejects.toThrow('nobody answers: no answer within 5 s')
    await sign.end()
    link.close()
    server.signal('SIGCONT')
  })
})
