import type { Redis } from 'ioredis'
import { checkParts } from '../../parts/parts.ts'
import { InputError } from '../../unit/inputError.ts'
import { Interrupted, throwIfAborted } from '../../unit/interrupted.ts'

/** Packages of the queue, which a user adds. */
export const QUEUE_PARTS = ['bullmq', 'ioredis']

/** Keys of parlor in a Redis that others use too begin with it. */
const PREFIX = 'parlor'
const PREFIX_FORM = /^[\w.:-]{1,64}$/
const CONNECT_MS = 5000
/** A server that has not answered for so long has not heard: the connection is made anew. What waits at the server waits for less. */
const SILENT_MS = 15_000
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
  if (Object.keys(others).length > 0) fail('has words behind the question mark that nobody reads')
  if (!PREFIX_FORM.test(prefix)) fail('has a prefix that is no name')
  url.search = ''
  return { url: url.href, place: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`, prefix }
}

/** What a server says when it only cannot answer now. */
const FOR_NOW = /^(?:LOADING|BUSY|MASTERDOWN|TRYAGAIN|UNBLOCKED)\b/
/** What the client says of a connection that is lost, or was given up. */
const AWAY = /Connection is closed|Socket timeout|Stream isn't writeable|connect ETIMEDOUT/

/** Connections to the server of a queue, which come back by themselves when they were lost. */
export class QueueLink {
  readonly address: QueueAddress
  readonly redis: Redis
  readonly bullmq: typeof import('bullmq')
  /** What waits for an answer has a connection of its own, also inside of BullMQ. */
  private readonly others = new Set<Redis>()

  private constructor(address: QueueAddress, redis: Redis, bullmq: typeof import('bullmq')) {
    this.address = address
    this.redis = redis
    this.bullmq = bullmq
    const duplicate = redis.duplicate.bind(redis)
    redis.duplicate = (override) => {
      const other = duplicate(override)
      // The first connection tells of losses.
      other.on('error', () => {})
      this.others.add(other)
      other.once('end', () => { this.others.delete(other) })
      return other
    }
  }

  /** Throws InputError where the packages are missing, or nobody answers, and Interrupted. @param say is told when the connection is lost, and when it is back. */
  static async open(text: string, say: (line: string) => void, signal: AbortSignal): Promise<QueueLink> {
    const address = readAddress(text)
    checkParts('--queue', QUEUE_PARTS)
    const [{ Redis: Client }, bullmq] = await Promise.all([import('ioredis'), import('bullmq')])
    const redis = new Client(address.url, {
      maxRetriesPerRequest: null, lazyConnect: true, connectTimeout: CONNECT_MS, socketTimeout: SILENT_MS, retryStrategy: (times) => Math.min(times * 100, RETRY_MS_MAX),
    })
    let fault: Error | undefined
    redis.on('error', (error: Error) => { fault = error })
    try {
      await answered(redis, signal)
    } catch (cause) {
      redis.disconnect()
      throwIfAborted(signal)
      const why = fault ?? cause as Error
      throw new InputError(`nobody answers: ${why.message === '' ? String((why as NodeJS.ErrnoException).code) : why.message}`, {
        position: { file: address.place }, hint: 'expected a Redis that runs (apt-get install redis-server), and its user and password', cause: why,
      })
    }
    tellLosses(redis, address.place, say)
    return new QueueLink(address, redis, bullmq)
  }

  /** Whether the server would be asked at once. */
  get isReady(): boolean {
    return this.redis.status === 'ready'
  }

  /** Key of something of ours that is no queue of BullMQ. */
  key(...parts: readonly string[]): string {
    return [this.address.prefix, ...parts].join(':')
  }

  /** Whether the server only does not answer for now, of which the connection tells by itself. */
  isAway(error: unknown): boolean {
    if (!(error instanceof Error)) return false
    return error.name === 'ReplyError' ? FOR_NOW.test(error.message) : AWAY.test(error.message) || typeof (error as NodeJS.ErrnoException).syscall === 'string'
  }

  /** Whether the server answered that it will not. */
  isRefusal(error: unknown): error is Error {
    return error instanceof Error && error.name === 'ReplyError' && !this.isAway(error)
  }

  /** What the server refused, as the mistake of whoever set it up. Other errors stay as they are. */
  told(error: unknown): unknown {
    if (!this.isRefusal(error)) return error
    return new InputError(`refuses: ${error.message.split('\n', 1)[0]!}`, {
      position: { file: this.address.place }, hint: 'expected a Redis that may be written to, with room in its memory and on its disk, for a user who may run scripts', cause: error,
    })
  }

  /** Ends all connections at once, whether anybody answers or not. */
  close(): void {
    for (const other of this.others) other.disconnect()
    this.redis.disconnect()
  }
}

async function answered(redis: Redis, signal: AbortSignal): Promise<void> {
  const failing = Promise.withResolvers<never>()
  const late = setTimeout(() => { failing.reject(new Error(`no answer within ${CONNECT_MS / 1000} s`)) }, CONNECT_MS)
  const onAbort = (): void => { failing.reject(new Interrupted('interrupted')) }
  signal.addEventListener('abort', onAbort)
  try {
    throwIfAborted(signal)
    await Promise.race([redis.connect().then(() => redis.ping()), failing.promise])
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Waits for something, but no longer than `ms`, and whether it succeeds or not: for what is done on the way out. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, ms) })
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
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
