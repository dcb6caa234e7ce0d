import { hostname } from 'node:os'
import { randomBytes } from 'node:crypto'
import type { Build } from '../build.ts'
import type { QueueLink } from './link.ts'

/** A sign of life is renewed so often, and is gone after so long without: less than half of a lock (LOCK_MS). */
const BEAT_MS = 2000
const LIFE_MS = 9000
const SCAN_COUNT = 1000

/** A process that plays tasks. */
export interface WorkerSign {
  readonly kind: 'worker'
  readonly name: string
  readonly build: Build
  readonly threads: number
  /** Tasks played to their end since it began. */
  readonly played: number
  /** Numbers of the batches that it plays. */
  readonly batches: readonly string[]
}

/** A command whose tasks are played. */
export interface RunSign {
  readonly kind: 'run'
  readonly name: string
  readonly build: Build
  /** What is played, for people. */
  readonly about: string
  /** Tasks that are done, and the most that there can be. */
  readonly done: number
  readonly of: number
}

export type Sign = WorkerSign | RunSign

/** A name for a process: where it runs, and a token, because numbers of processes are not distinct where containers share a name. */
export const processName = (): string => `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`

/** Tells others of a queue that this process lives, as long as it does. The server's clock alone says when a sign is old. */
export class LifeSign {
  private readonly link: QueueLink
  private readonly key: string
  private readonly sign: () => Sign
  private readonly timer: NodeJS.Timeout

  constructor(link: QueueLink, sign: () => Sign) {
    this.link = link
    this.sign = sign
    const { kind, name } = sign()
    this.key = link.key(kind, name)
    this.timer = setInterval(() => { void this.tell().catch(() => {}) }, BEAT_MS)
  }

  /** Tells it at once. Waits while the server does not answer. */
  async tell(): Promise<void> {
    await this.link.redis.set(this.key, JSON.stringify(this.sign()), 'PX', LIFE_MS)
  }

  async end(): Promise<void> {
    clearInterval(this.timer)
    if (this.link.redis.status === 'ready') await this.link.redis.del(this.key).catch(() => {})
  }
}

/** Those who live, by name. */
export async function signsOf<S extends Sign>(link: QueueLink, kind: S['kind']): Promise<S[]> {
  const keys = new Set<string>()
  let cursor = '0'
  do {
    const [next, found] = await link.redis.scan(cursor, 'MATCH', link.key(kind, '*'), 'COUNT', SCAN_COUNT)
    for (const key of found) keys.add(key)
    cursor = next
  } while (cursor !== '0')
  const texts = keys.size === 0 ? [] : await link.redis.mget([...keys].toSorted())
  return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as S]))
}
