import { setTimeout as wait } from 'node:timers/promises'
import { Connection, type Finality } from '@solana/web3.js'
import { shownUrl } from '../../unit/httpUrl.ts'
import { InputError } from '../../unit/inputError.ts'
import { shownWords } from '../../unit/visibleText.ts'
import { boundedFetch } from '../boundedFetch.ts'
import type { ChainProcess } from '../chainProcess.ts'

/** How a chain is reached: the VM inside the process or a validator by URL, through the same `Connection`. */
export interface SvmNetwork {
  readonly connection: Connection
  /** What counts as final. */
  readonly commitment: Finality
  /** How long the chain may refuse, be silent or stand still before it is given up. 0 in the process, where transactions land when they are sent. */
  readonly patienceMs: number
  /** How long one answer may take. */
  readonly answerMs: number
  /** How long a transaction may be unseen before it is sent again. */
  readonly unseenMs: number
  /** Wait between two looks at what became of transactions. */
  readonly pollMs: number
  /** Whether this is a validator by URL, which may refuse a request now and take it later. */
  readonly isRemote: boolean
  /** The process of a validator that we started, else null. */
  readonly process: ChainProcess | null
}

/** There are at least this many tries of a request that is refused. */
const TRIES_MIN = 4
/** A request without an answer is tried this often. Each try gets a share of the patience, so that all tries fit into it. */
const SILENT_TRIES = 3
const ANSWER_SHARE = 0.32
/** How long an answer may take where there is no patience at all. */
const ANSWER_MIN_MS = 1_000
/** Wait between tries, which doubles. */
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 2_000
/** How long a process may take to end that has let go of its port. */
const ENDING_MS = 5_000
const UNSEEN_MS = 2_000
const UNSEEN_SHARE = 5

export interface RemoteOptions {
  readonly rpcUrl: string
  readonly commitment: Finality
  readonly patienceMs: number
  readonly pollMs: number
  readonly process: ChainProcess | null
}

/** A validator at a URL. Throws an InputError when the URL is none. */
export function remoteNetwork({ rpcUrl, commitment, patienceMs, pollMs, process }: RemoteOptions): SvmNetwork {
  if (!/^https?:\/\//.test(rpcUrl)) {
    throw new InputError(`${rpcUrl} is no address of a Solana validator`, { hint: 'it begins with http:// or https://' })
  }
  // Refused requests are made again by `ask`, which says so when it gives up.
  const answerMs = Math.max(Math.floor(ANSWER_SHARE * patienceMs), ANSWER_MIN_MS)
  const connection = new Connection(rpcUrl, { commitment, disableRetryOnRateLimit: true, fetch: fetchWithin(answerMs) })
  return { connection, commitment, patienceMs, answerMs, unseenMs: Math.min(patienceMs / UNSEEN_SHARE, UNSEEN_MS), pollMs, isRemote: true, process }
}

/** Nothing came back from a validator in time. */
class NoAnswer extends Error {
  readonly method: string

  constructor(method: string) {
    super(`no answer to ${method}`)
    this.method = method
  }
}

/** Without a limit a request waits for five minutes for a validator that hangs. */
function fetchWithin(limitMs: number): typeof fetch {
  const whole = boundedFetch(limitMs)
  return (url, init) => whole(url, init).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'TimeoutError' ? new NoAnswer(methodOf(init?.body)) : error
  })
}

function methodOf(body: unknown): string {
  const { method } = JSON.parse(String(body)) as { method: string }
  return method
}

/**
 * Asks a validator, and asks again while it refuses (too many requests, behind the others) or does not answer. Throws an InputError
 * with its last answer when the patience is over, and when the validator's process has ended.
 */
export async function ask<T>(network: SvmNetwork, request: (connection: Connection) => Promise<T>): Promise<T> {
  const { connection, patienceMs, isRemote } = network
  if (!isRemote) return request(connection)
  const sinceMs = performance.now()
  let silent = 0
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await request(connection)
    } catch (cause) {
      if (await isGone(network.process, cause)) throw processEnded(network.process!, cause)
      if (cause instanceof NoAnswer && ++silent === SILENT_TRIES) throw silence(network, cause)
      if (tries >= TRIES_MIN && performance.now() - sinceMs + pauseMs >= patienceMs) throw refusal(network, tries, cause)
    }
    await wait(pauseMs)
  }
}

/** A connection that breaks is often the first sign of a process that ends. A node that refuses lives. */
async function isGone(process: ChainProcess | null, cause: unknown): Promise<boolean> {
  if (process === null) return false
  if (!process.hasEnded && cause instanceof TypeError) await Promise.race([process.ended, wait(ENDING_MS, undefined, { ref: false })])
  return process.hasEnded
}

const processEnded = ({ name, lastWords }: ChainProcess, cause: unknown): InputError =>
  new InputError(`the ${name} of this run has ended: its process is gone`, { cause, hint: `the last that it wrote: ${lastWords}` })

const silence = ({ connection, answerMs }: SvmNetwork, { message }: NoAnswer): InputError =>
  new InputError(`${message} from ${shownUrl(connection.rpcEndpoint)} within ${Math.round((SILENT_TRIES * answerMs) / 1000)} s`, { hint: 'is a Solana validator running there?' })

const refusal = ({ connection }: SvmNetwork, tries: number, cause: unknown): InputError =>
  new InputError(`the validator at ${shownUrl(connection.rpcEndpoint)} has refused a request ${tries} times: ${shownWords(messageOf(cause))}`, {
    cause, hint: 'this was its last answer; a session that has begun there is not resumed: reset the validator or take another seed',
  })

/** The error's words, and those of what it comes from: a connection that fails says why in its cause only. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
