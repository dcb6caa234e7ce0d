// Answers batches of a queue as played, and plays nothing: `node tools/bundle/run.mjs bench/fleet/emptyWorker.ts URL`.
import type { Job, Worker } from 'bullmq'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownBuild } from '../../src/fleet/build.ts'
import { answerText, batchIn } from '../../src/fleet/queue/batch.ts'
import { QueueLink } from '../../src/fleet/queue/link.ts'
import { LifeSign, living, processName } from '../../src/fleet/queue/roster.ts'
import { answersKey, queueName } from '../../src/fleet/queue/runQueue.ts'

const link = await QueueLink.open(process.argv[2]!, () => {}, new AbortController().signal)
const name = processName()
const fail = (error: unknown): never => { throw error }
await new LifeSign(link, { kind: 'workers', name, fault: fail, sign: () => ({ build: ownBuild(), threads: 1, played: 0, batches: [] }) }).tell()
const queues = new Map<string, Worker>()
for (;;) {
  for (const { name: run } of await living(link, 'runs')) {
    if (!queues.has(run)) queues.set(run, new link.bullmq.Worker(queueName(run), null, { connection: link.redis, prefix: link.address.prefix, name, autorun: false, skipStalledCheck: true, skipVersionCheck: true }))
    for (let job = await taken(run); job !== undefined; job = await taken(run)) {
      const batch = batchIn(job.data)!
      await link.redis.rpush(answersKey(link, run), answerText({ version: 1, batch: job.id!, worker: name, kind: 'played', played: batch.tasks.length, ms: 0.01 * batch.tasks.length, failures: [] }))
      await job.moveToCompleted(null, name, false)
    }
  }
  await sleep(1)
}

function taken(run: string): Promise<Job | undefined> {
  return queues.get(run)!.getNextJob(name, { block: false })
}
