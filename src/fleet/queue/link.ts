import type { Redis } from 'ioredis'
import { checkParts } from '../../parts/parts.ts'
import { InputError } from '../../unit/inputError.ts'

/** Packages of the queue, which a user adds. */
export const QUEUE_PARTS = ['bullmq', 'ioredis']

/** Keys of parlor in a Redis that others use too begin with it. */
const PREFIX = 'parlor'
const PREFIX_FORM = /^[\w.:-]{1,64}$/
const CONNECT_MS = 5000
/** The longest pause between two attempts to connect again, ms. */
const RETRY_MS_MAX = 2000

/** Where a queue is. */
export interface QueueAddress {
  /** For the client: the URL without what is ours. It may hold a password. */
  readonly url: string
  /** For people: protocol, host, port and database alone. */
  readonly place: string
  readonly prefix: string
}

/** Reads `redis://USER:PASSWORD@HOST:PORT/DATABASE?prefix=NAME`, or `rediss:` for TLS. Throws InputError. */
export function readAddress(text: string): QueueAddress {
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file: '--queue' }, hint: 'expected redis://HOST:6379, or rediss:// for TLS, with user:password@ before the host, /1 for a database and ?prefix=NAME for keys' })
  }
  const url = URL.canParse(text) ? new URL(text) : fail('is no URL')
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') fail(`is a URL of ${url.protocol.slice(0, -1)}`)
  if (url.hostname === '') fail('names no host')
  if (!/^\/?\d*$/.test(url.pathname)) fail('names a database that is no number')
  const { prefix = PREFIX, ...others } = Object.fromEntries(url.searchParams)
  if (Object.keys(others).length > 0) fail(`has ${Object.keys(others).join(', ')}, which nobody reads`)
  if (!PREFIX_FORM.test(prefix)) fail('has a prefix that is no name')
  url.search = ''
  return { url: url.href, place: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`, prefix }
}

/** A connection to the server of a queue, which comes back by itself when it was lost. */
export class QueueLink {
  readonly address: QueueAddress
  readonly redis: Redis
  readonly bullmq: typeof import('bullmq')

  private constructor(address: QueueAddress, redis: Redis, bullmq: typeof import('bullmq')) {
    this.address = address
    this.redis = redis
    this.bullmq = bullmq
  }

  /** Throws InputError where the packages are missing, or nobody answers. @param say is told when the connection is lost, and when it is back. */
  static async open(text: string, say: (line: string) => void): Promise<QueueLink> {
    const address = readAddress(text)
    checkParts('--queue', QUEUE_PARTS)
    const [{ Redis: Client }, bullmq] = await Promise.all([import('ioredis'), import('bullmq')])
    const redis = new Client(address.url, { maxRetriesPerRequest: null, lazyConnect: true, connectTimeout: CONNECT_MS, retryStrategy: (times) => Math.min(times * 100, RETRY_MS_MAX) })
    let fault: Error | undefined
    redis.on('error', (error: Error) => { fault = error })
    try {
      await answered(redis)
    } catch (cause) {
      redis.disconnect()
      const why = fault ?? cause as Error
      throw new InputError(`nobody answers: ${why.message === '' ? String((why as NodeJS.ErrnoException).code) : why.message}`, {
        position: { file: address.place }, hint: 'expected a Redis that runs (apt-get install redis-server), and its user and password', cause: why,
      })
    }
    tellLosses(redis, address.place, say)
    return new QueueLink(address, redis, bullmq)
  }

  /** Key of something of ours that is no queue. */
  key(...parts: readonly string[]): string {
    return [this.address.prefix, ...parts].join(':')
  }

  close(): void {
    this.redis.disconnect()
  }
}

async function answered(redis: Redis): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => { late = setTimeout(() => { reject(new Error(`no answer within ${CONNECT_MS / 1000} s`)) }, CONNECT_MS) })
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), limit])
  } finally {
    clearTimeout(late)
  }
}

function tellLosses(redis: Redis, place: string, say: (line: string) => void): void {
  let isLost = false
  redis.on('close', () => {
    if (isLost || redis.status === 'end') return
    isLost = true
    say(`${place} does not answer: waiting for it`)
  })
  redis.on('ready', () => {
    if (isLost) say(`${place} answers again`)
    isLost = false
  })
}
