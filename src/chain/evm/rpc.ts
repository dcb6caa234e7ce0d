import { type Client, createClient, type Hex, http, RpcRequestError } from 'viem'
import { ipc } from 'viem/node'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'

/** Requests that are under way at once, and in one HTTP body: more of them only make each wait longer (measured at 250). */
const BATCH = 250
/** Characters of their parameters: nodes take bodies of up to 1 or 2 MB. */
const BATCH_CHARS = 500_000
const TIMEOUT_MS = 120_000

export interface RpcCall {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** What the node said no with: its text, and what the contract reverted with. */
export interface RpcRefusal {
  readonly message: string
  readonly data: Hex | null
}

/** What became of one request of several. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal }

const isHex = (value: unknown): value is Hex => typeof value === 'string' && value.startsWith('0x')

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
    return { message: cause.details, data: isHex(data) ? data : null }
  }
  return null
}

/**
 * JSON-RPC to an EVM node through viem: over the socket of a chain of our own (ten times as fast as HTTP), or any URL. Requests of
 * a batch go out together, over HTTP as JSON-RPC batches.
 */
export class EvmRpc {
  readonly place: string
  private readonly client: Client

  /** @param place path of a socket, or a URL. */
  constructor(place: string) {
    this.place = place
    const overHttp = /^https?:/.test(place)
    this.client = createClient({
      transport: overHttp
        ? http(place, { batch: { batchSize: BATCH }, timeout: TIMEOUT_MS })
        : ipc(place, { retryCount: 0, timeout: TIMEOUT_MS }),
    })
  }

  /** Answer to a request. Throws Error when the node refuses it, InputError when there is no node. */
  async call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = await this.answer({ method, params })
    if ('refusal' in answer) throw new Error(`${method}: ${answer.refusal.message}`)
    return answer.result
  }

  /** Answer to a request whose result is a hex text. */
  async hex(method: string, params: readonly unknown[] = []): Promise<Hex> {
    const result = await this.call(method, params)
    assert(isHex(result), `${method} answers with hex digits`)
    return result
  }

  /** Answers to requests in their order. Throws InputError when there is no node. */
  async batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    const answers: RpcAnswer[] = []
    for (let from = 0; from < calls.length;) {
      const to = endOfBatch(calls, from)
      answers.push(...await Promise.all(calls.slice(from, to).map((call) => this.answer(call))))
      from = to
    }
    return answers
  }

  async close(): Promise<void> {
    const transport = this.client.transport as { getRpcClient?: () => Promise<{ close(): void }> }
    const socket = await transport.getRpcClient?.().catch(() => null)
    socket?.close()
  }

  private async answer(call: RpcCall): Promise<RpcAnswer> {
    try {
      return { result: await this.client.request(call as never) }
    } catch (error) {
      const refusal = refusalIn(error)
      if (refusal !== null) return { refusal }
      throw new InputError(`no answer to ${call.method} from ${this.place}`, { hint: 'is a chain with id 999 running there?', cause: error })
    }
  }
}
