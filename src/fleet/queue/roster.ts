import { hostname } from 'node:os'
import { randomBytes } from 'node:crypto'
import type { Build } from '../build.ts'
import { within, type QueueLink } from './link.ts'
import { areAll, isCount, isRecord, isText, jsonIn } from '../../unit/shapes.ts'

/** A sign of life is renewed so often, and whoever has given none for so long counts as dead. */
export const BEAT_MS = 2000
export const LIFE_MS = 9000
/** What the dead leave is cleared away after so long: a command that was kept from its work for a while finds its queue again. */
export const LEFT_MS = 60_000
/** Nobody waits longer to say goodbye. */
const END_MS = 1000
/** A queue that nobody uses is gone after so long. */
export const KEPT_MS = 86_400_000

/** A process that plays tasks. */
export interface WorkerSign {
  readonly build: Build
  readonly threads: number
  /** Tasks played to their end since it began. */
  readonly played: number
  /** Numbers of the batches that it plays. */
  readonly batches: readonly string[]
}

/** A command whose tasks are played. */
export interface RunSign {
  readonly build: Build
  /** What is played, for people. */
  readonly about: string
  /** Tasks that are done, those of them that failed, and the most that there can be. */
  readonly done: number
  readonly failed: number
  readonly of: number
  /** Workers that play nothing of it, and why. */
  readonly refusals: readonly Told[]
  /** The last failures, and which worker told of them. */
  readonly failures: readonly Told[]
}

/** What a worker said. */
export interface Told {
  readonly worker: string
  readonly message: string
}

export type Kind = 'workers' | 'runs'
type SignOf<K extends Kind> = K extends 'workers' ? WorkerSign : RunSign

/** Somebody who gave a sign. */
export interface Seen<S> {
  readonly name: string
  readonly sign: S
  /** How long ago, ms by the server's clock. */
  readonly agoMs: number
}

/** A name for a process: where it runs, and a token, because numbers of processes are not distinct where containers share a name. */
export const processName = (): string => `${hostname().replaceAll(/[^\w.-]/g, '-')}-${process.pid}-${randomBytes(3).toString('hex')}`

const NAME_FORM = /^[\w.-]{1,200}$/

// The server's clock alone says when a sign was given: those of other machines may be an hour apart.
const NOW = "local time = redis.call('TIME')\nlocal now = time[1] * 1000 + math.floor(time[2] / 1000)\n"
const TELL = `${NOW}
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])`
const READ = `${NOW}
local seen = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
local found = {}
for i = 1, #seen, 2 do
  found[#found + 1] = { seen[i], redis.call('HGET', KEYS[1], seen[i]) or '', now - seen[i + 1] }
end
return found`

const keysOf = (link: QueueLink, kind: Kind): [string, string] => [link.key(kind), link.key(kind, 'seen')]

/** Tells others of a queue that this process lives, as long as it does. */
export class LifeSign<K extends Kind> {
  private readonly link: QueueLink
  private readonly kind: K
  private readonly name: string
  private readonly sign: () => SignOf<K>
  private readonly timer: NodeJS.Timeout

  /** @param fault gets what is wrong with the server, other than that it does not answer. */
  constructor(link: QueueLink, { kind, name, sign, fault }: { readonly kind: K; readonly name: string; readonly sign: () => SignOf<K>; readonly fault: (error: unknown) => void }) {
    this.link = link
    this.kind = kind
    this.name = name
    this.sign = sign
    // Nothing piles up while the server is away.
    this.timer = setInterval(() => { if (link.isReady) this.tell().catch(fault) }, BEAT_MS)
  }

  /** Tells it at once. */
  async tell(): Promise<void> {
    await this.link.redis.eval(TELL, 2, ...keysOf(this.link, this.kind), this.name, JSON.stringify(this.sign()), KEPT_MS)
  }

  async end(): Promise<void> {
    clearInterval(this.timer)
    if (this.link.isReady) await within(END_MS, forget(this.link, this.kind, this.name))
  }
}

/** All who gave a sign that can be read, sorted by name. */
export async function seen<K extends Kind>(link: QueueLink, kind: K): Promise<Seen<SignOf<K>>[]> {
  const rows: unknown = await link.redis.eval(READ, 2, ...keysOf(link, kind))
  const read = (kind === 'workers' ? workerSignIn : runSignIn) as (value: unknown) => SignOf<K> | null
  return (Array.isArray(rows) ? rows : []).flatMap((row: unknown) => {
    if (!Array.isArray(row)) return []
    const [name, text, agoMs] = row as unknown[]
    const sign = isText(text) ? read(jsonIn(text)) : null
    return sign !== null && isText(name) && NAME_FORM.test(name) && typeof agoMs === 'number' ? [{ name, sign, agoMs }] : []
  }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Those who live. */
export const living = async <K extends Kind>(link: QueueLink, kind: K): Promise<Seen<SignOf<K>>[]> => (await seen(link, kind)).filter(({ agoMs }) => agoMs < LIFE_MS)

export async function forget(link: QueueLink, kind: Kind, name: string): Promise<void> {
  const [signs, times] = keysOf(link, kind)
  await link.redis.hdel(signs, name)
  await link.redis.zrem(times, name)
}

const isBuild = (value: unknown): value is Build => isRecord(value) && isText(value['sourceTree']) && isText(value['node']) && isText(value['platform'])
const isTold = (value: unknown): value is Told => isRecord(value) && isText(value['worker']) && isText(value['message'])

/** Null for a sign of another shape, as of another version. */
function workerSignIn(value: unknown): WorkerSign | null {
  if (!isRecord(value)) return null
  const { build, threads, played, batches } = value
  return isBuild(build) && isCount(threads) && isCount(played) && areAll(batches, isText) ? { build, threads, played, batches } : null
}

function runSignIn(value: unknown): RunSign | null {
  if (!isRecord(value)) return null
  const { build, about, done, failed, of, refusals, failures } = value
  if (!isBuild(build) || !isText(about) || !isCount(done) || !isCount(failed) || !isCount(of) || !areAll(refusals, isTold) || !areAll(failures, isTold)) return null
  return { build, about, done, failed, of, refusals, failures }
}
