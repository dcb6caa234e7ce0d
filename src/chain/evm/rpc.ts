import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, type Hex, http, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { assert } from '../../unit/assert.ts'
import { shownUrl } from '../../unit/httpUrl.ts'
import { InputError } from '../../unit/inputError.ts'
import { shownWords } from '../../unit/visibleText.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { boundedFetch } from '../boundedFetch.ts'
import { hedgedFetch } from '../hedgedFetch.ts'
import { type NodeReply, NodeSocket, type RpcCall } from './nodeSocket.ts'

/** Requests that are under way at once, and in one HTTP body: more of them only make each wait longer (measured at 250). */
const BATCH = 250
/** Characters of their parameters: nodes take bodies of up to 1 or 2 MB. */
const BATCH_CHARS = 500_000
/** After so long without an answer a chain by URL is given up, unless told. Until then a line that fails is tried again. */
const URL_PATIENCE_MS = 10_000
const TRIES_MAX = 4
/** After this share of the patience without an answer a request is sent again, beside the one that waits, which may still be answered. */
const AGAIN_SHARE = 0.32
/** The same where the patience is less than some seconds. */
const AGAIN_MIN_MS = 1_000
/** So often a request is sent that has no answer. */
const SILENT_TRIES = 3
/** How long a process may take to end that has let go of its socket. */
const ENDING_MS = 5_000
const FIRST_PAUSE_MS = 150

/** What the node said no with: its text, and what the contract reverted with. */
export interface RpcRefusal {
  readonly message: string
  readonly data: Hex | null
}

/** What became of one request of several. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal }

export const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[\da-f]*$/i.test(value)

/** What a chain told, as messages show it. */
const shownTold = (told: unknown): string => shownWords(typeof told === 'string' ? told : JSON.stringify(told) ?? 'nothing')

/** Where the batch that begins at `from` ends: it has one call at least. */
function endOfBatch(calls: readonly RpcCall[], from: number): number {
  let chars = 0
  let to = from
  for (; to < calls.length && to < from + BATCH; to++) {
    for (const parameter of calls[to]!.params ?? []) if (typeof parameter === 'string') chars += parameter.length
    if (chars > BATCH_CHARS && to > from) break
  }
  return to
}

/** The node's answer in an error of viem's, or null when none came: the connection failed. */
function refusalIn(error: unknown): RpcRefusal | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof RpcRequestError)) continue
    const data: unknown = cause.data
    return { message: shownTold(cause.details), data: isHex(data) ? data : null }
  }
  return null
}

/** What a line sent in the place of JSON, such as a gateway's page; null where it sent nothing. */
function pageIn(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof HttpRequestError && cause.status !== undefined) return `status ${cause.status}: ${shownWords(cause.details)}`
    if (cause instanceof SyntaxError) return `what is no JSON: ${shownWords(cause.message)}`
  }
  return null
}

/** Each answer may take all of the patience. */
const patientFetch = (patienceMs: number): typeof fetch =>
  hedgedFetch(boundedFetch(patienceMs), Math.max(Math.floor(AGAIN_SHARE * patienceMs), Math.min(patienceMs, AGAIN_MIN_MS)), SILENT_TRIES)

const answerOf = (reply: NodeReply): RpcAnswer =>
  ('error' in reply ? { refusal: { message: shownTold(reply.error.message), data: isHex(reply.error.data) ? reply.error.data : null } } : { result: reply.result })

/**
 * JSON-RPC to an EVM node: over the socket of a chain of our own (ten times as fast as HTTP), or through viem to any URL. Requests of
 * a batch go out together, over HTTP as JSON-RPC batches.
 */
export class EvmRpc {
  /** The chain's place as messages show it. */
  readonly place: string
  /** How long a URL may be silent. */
  readonly patienceMs: number
  private readonly isUrl: boolean
  /** To a chain by URL, else null. */
  private readonly client: Client | null
  /** To a chain of our own, else null. */
  private readonly socket: NodeSocket | null
  private readonly ended: Promise<void> | null
  private hasEnded = false

  /**
   * @param place path of a socket, or a URL.
   * @param ended resolves when the chain's process ends. A socket alone does not tell that.
   * @param patienceMs how long a URL may be silent; 10 s unless told.
   */
  constructor(place: string, ended?: Promise<void>, patienceMs = URL_PATIENCE_MS) {
    this.patienceMs = patienceMs
    this.isUrl = /^https?:/.test(place)
    this.place = this.isUrl ? shownUrl(place) : place
    this.client = this.isUrl ? createClient({ transport: http(place, { batch: { batchSize: BATCH }, retryCount: 0, timeout: patienceMs, fetchFn: patientFetch(patienceMs) }) }) : null
    this.socket = this.isUrl ? null : new NodeSocket(place)
    this.ended = ended?.then(() => {
      this.hasEnded = true
      this.socket?.fail(new Error('ended'))
    }) ?? null
  }

  /** Answer to a request. Throws Error when our own node refuses it, InputError when there is no node, or one by URL refuses. */
  async call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const [answer] = await this.answers([{ method, params }])
    if ('refusal' in answer!) throw this.refused(method, answer.refusal)
    return answer!.result
  }

  /** Answer to a request whose result is a hex text. */
  async hex(method: string, params: readonly unknown[] = []): Promise<Hex> {
    const result = await this.call(method, params)
    if (this.isUrl && !isHex(result)) throw this.unreadable(result, method)
    assert(isHex(result), `${method} answers with hex digits`)
    return result
  }

  /** What `valueOf` makes of a result of `method`. It throws where the result is nothing of the kind: InputError, if it is that of a chain by URL. */
  read<Value>(result: unknown, method: string, valueOf: (result: never) => Value): Value {
    try {
      return valueOf(result as never)
    } catch (error) {
      throw this.isUrl ? this.unreadable(result, method, error) : error
    }
  }

  /** Answers to requests in their order. Throws InputError when there is no node. */
  async batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    const answers: RpcAnswer[] = []
    for (let from = 0; from < calls.length;) {
      const to = endOfBatch(calls, from)
      answers.push(...await this.answers(calls.slice(from, to)))
      from = to
    }
    return answers
  }

  async close(): Promise<void> {
    this.socket?.fail(new Error('closed'))
  }

  private answers(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const { socket } = this
    if (socket === null) return Promise.all(calls.map((call) => this.answer(call)))
    return Promise.all(socket.ask(calls).map((reply, i) => reply.then(answerOf, (error: unknown) => this.broken(calls[i]!, error))))
  }

  /** Throws for a socket that broke before the reply to a request. */
  private async broken({ method }: RpcCall, error: unknown): Promise<never> {
    throw await this.isGone() ? this.gone(error) : this.silence(method, error)
  }

  private async answer(call: RpcCall): Promise<RpcAnswer> {
    const lastMs = performance.now() + this.patienceMs
    for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs *= 2) {
      try {
        return { result: await this.request(call, lastMs) }
      } catch (error) {
        const refusal = refusalIn(error)
        if (refusal !== null) return { refusal }
        if (await this.isGone()) throw this.gone(error)
        if (tries === TRIES_MAX || performance.now() + pauseMs > lastMs) throw this.silence(call.method, error)
      }
      await sleep(pauseMs)
    }
  }

  /** Throws viem's TimeoutError when a chain by URL has not answered at `lastMs`, by performance.now(). */
  private async request(call: RpcCall, lastMs: number): Promise<unknown> {
    const { promise, reject } = Promise.withResolvers<never>()
    const late = (): void => { reject(new TimeoutError({ body: { method: call.method }, url: this.place })) }
    const timer = setTimeout(late, lastMs - performance.now())
    try {
      return await Promise.race([this.client!.request(call as never), promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** A socket that breaks is often the first sign of a process that ends. */
  private async isGone(): Promise<boolean> {
    if (this.ended !== null && !this.hasEnded) await Promise.race([this.ended, sleep(ENDING_MS)])
    return this.hasEnded
  }

  private gone(cause: unknown): InputError {
    return new InputError(`the chain at ${this.place} has ended: its process is gone`, { cause })
  }

  /** The error for what the node said no to: InputError for a chain by URL. */
  refused(what: string, { message }: RpcRefusal): Error {
    return this.isUrl ? new InputError(`the chain at ${this.place} refuses ${what}: ${message}`) : new Error(`${what}: ${message}`)
  }

  private unreadable(result: unknown, method: string, cause?: unknown): InputError {
    return new InputError(`the chain at ${this.place} answers ${method} with ${shownTold(result)}, which cannot be read`, { cause })
  }

  private silence(method: string, cause: unknown): InputError {
    const page = pageIn(cause)
    if (page !== null) return new InputError(`the chain at ${this.place} answers ${method} with ${page}`, { hint: `is a chain with id ${CHAIN_ID} running there?`, cause })
    const time = cause instanceof TimeoutError ? ` within ${this.patienceMs / 1000} s` : ''
    return new InputError(`no answer to ${method} from ${this.place}${this.isUrl ? time : ''}`, { hint: `is a chain with id ${CHAIN_ID} running there?`, cause })
  }
}
