import type { Queue } from 'bullmq'
import type { QueueLink } from './link.ts'
import { forget } from './roster.ts'

/** BullMQ tells what happens to jobs in a stream, which nobody reads here. */
const EVENTS_KEPT = 10

/** The queue of the batches of a command: BullMQ's name for it. */
export const queueName = (run: string): string => `tasks-${run}`

/** The list of what workers answer a command. */
export const answersKey = (link: QueueLink, run: string): string => link.key('answers', run)

export function openQueue({ bullmq, redis, address: { prefix } }: QueueLink, run: string): Queue {
  const queue: Queue = new bullmq.Queue(queueName(run), { connection: redis, prefix, skipVersionCheck: true, streams: { events: { maxLen: EVENTS_KEPT } } })
  // The connection tells of its losses itself, and whoever asks hears what is wrong.
  queue.on('error', () => {})
  return queue
}

/** Removes all that a command has in a queue. Several may do so at a time. */
export async function clearRun(link: QueueLink, run: string): Promise<void> {
  const queue = openQueue(link, run)
  try {
    // BullMQ refuses where somebody else has been quicker, who then clears the rest away.
    await queue.obliterate({ force: true }).catch((error: unknown) => { if (link.isRefusal(error) || link.isAway(error)) throw error })
    // It has paused the queue first, which leaves these two where there was none any more.
    await link.redis.del(answersKey(link, run), queue.toKey('meta'), queue.toKey('events'))
    await forget(link, 'runs', run)
  } finally {
    await queue.close()
  }
}
