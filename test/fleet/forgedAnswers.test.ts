import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from 'bullmq'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownBuild } from '../../src/fleet/build.ts'
import { QueueLink } from '../../src/fleet/queue/link.ts'
import { LifeSign, living } from '../../src/fleet/queue/roster.ts'
import { answersKey, queueName } from '../../src/fleet/queue/runQueue.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put } from '../scenario/small.ts'
import { begin, told, until } from './queueProcesses.ts'
import { RedisServer, redisVersion } from './redis.ts'
import { SHORT } from './scenes.ts'

describe.skipIf(redisVersion() === null)('a command', () => {
  it('believes results before what it is told, and looks for them where it is told nothing', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SHORT)
    const sweep = ['sweep', 'small.yaml', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '1']
    expect(await parlorHere(folder, ...sweep, '--shard', '1/1', '--results', 'sound', '--tasks', 'own')).toMatchObject({ code: 0 })
    const { url } = await RedisServer.start()
    const link = await QueueLink.open(url, () => {}, new AbortController().signal)
    const sign = new LifeSign(link, { kind: 'workers', name: 'forger', sign: () => ({ build: ownBuild(), threads: 1, played: 0, batches: [] }), fault: () => {} })
    await sign.tell()
    onTestFinished(async () => {
      await sign.end()
      link.close()
    })
    const command = begin(folder, ...sweep, '--queue', url, '--results', 'results', '--tasks', 'reading', '--json')
    await until(async () => (await living(link, 'runs')).length === 1)
    const run = (await living(link, 'runs'))[0]!.name
    const worker = new link.bullmq.Worker(queueName(run), null, { connection: link.redis, prefix: 'parlor', name: 'forger', autorun: false, skipStalledCheck: true })
    worker.on('error', () => {})
    const jobs: Job[] = []
    await until(async () => {
      const job = await worker.getNextJob('forger', { block: false }) as Job | undefined
      if (job !== undefined) jobs.push(job)
      return jobs.length === 2
    })
    cpSync(join(folder, 'sound'), join(folder, 'results'), { recursive: true })
    const [failed, silent] = jobs as [Job, Job]
    const { tasks: [[, , id]] } = failed.data as { tasks: [[number, string, string]] }
    const failures = [{ id, kind: 'worker', who: null, message: 'it died' }]
    for (const answer of ['no JSON', '{"version":1}', JSON.stringify({ version: 1, batch: failed.id, worker: 'forger', kind: 'played', played: 1, ms: 1, failures })]) await link.redis.rpush(answersKey(link, run), answer)
    await silent.moveToCompleted(null, 'forger', false)
    const ended = await command.ended
    expect(ended.code).toBe(0)
    expect(told(ended)).toMatchObject({ played: 2, failed: 0 })
    // All that the command had is gone with it.
    expect((await link.redis.keys('*')).toSorted()).toEqual(['parlor:workers', 'parlor:workers:seen'])
    await worker.close(true)
  })
})
