import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

export interface RpcResponse {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** What a lie may do with a request besides telling an answer: never answer, break the connection, or show a page, of an error or of a welcome. */
export const Silence = { hangs: 'hangs', breaks: 'breaks', garbles: 'garbles', greets: 'greets' } as const

export type Told = RpcResponse | typeof Silence[keyof typeof Silence]

/** What is told of a request. `truth` asks the node, as often as one likes. `before` counts the requests of the method that came earlier. */
export type Lie = (request: RpcRequest, truth: () => Promise<RpcResponse>, before: number) => Promise<Told>

export interface LyingNode {
  readonly url: string
  /** Requests that were not simply handed on. */
  readonly lies: number
  close(): Promise<void>
}

/** A proxy before a JSON-RPC node at a URL that tells what `lie` makes of its answers, in the order that `inOrder` gives a batch. */
export async function lyingNode(url: string, lie: Lie, inOrder: (answers: RpcResponse[]) => RpcResponse[] = (answers) => answers): Promise<LyingNode> {
  const asked = new Map<string, number>()
  let lies = 0

  async function tell(request: RpcRequest): Promise<Told> {
    const before = asked.get(request.method) ?? 0
    asked.set(request.method, before + 1)
    const truths: RpcResponse[] = []
    const truth = async (): Promise<RpcResponse> => {
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', ...request }) })
      truths.push(await response.json() as RpcResponse)
      return truths.at(-1)!
    }
    const told = await lie(request, truth, before)
    if (truths.length !== 1 || told !== truths[0]) lies++
    return told
  }

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const parsed = JSON.parse(body) as RpcRequest | RpcRequest[]
    const told: Told[] = []
    for (const request of [parsed].flat()) told.push(await tell(request))
    if (told.includes(Silence.hangs)) return
    if (told.includes(Silence.breaks)) {
      response.destroy()
      return
    }
    if (told.includes(Silence.garbles)) {
      response.statusCode = 502
      response.end('<html><h1>Bad Gateway</h1></html>')
      return
    }
    if (told.includes(Silence.greets)) {
      response.setHeader('Content-Type', 'text/html')
      response.end('<html><h1>Please sign in</h1></html>')
      return
    }
    const answers = (told as RpcResponse[]).map((one) => ({ jsonrpc: '2.0', ...one }))
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(Array.isArray(parsed) ? inOrder(answers) : answers[0]))
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    await answer(body, response).catch(() => { response.destroy() })
  })
  await new Promise<void>((listening) => { server.listen(0, '127.0.0.1', listening) })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lies() { return lies },
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => { server.close(() => { done() }) })
    },
  }
}

export const honest: Lie = (_, truth) => truth()

/** Does something to some requests of a method, by how many of that method came before, and tells the truth of the others. */
export const to = (method: string, which: (before: number) => boolean, lie: Lie): Lie => (request, truth, before) =>
  (request.method === method && which(before) ? lie(request, truth, before) : truth())

/** Does something to some requests of any method, by how many of it came before. */
export const toAny = (which: (before: number) => boolean, lie: Lie): Lie => (request, truth, before) =>
  (which(before) ? lie(request, truth, before) : truth())

export const every = (n: number) => (before: number): boolean => before % n === n - 1
export const from = (n: number) => (before: number): boolean => before >= n
export const only = (n: number) => (before: number): boolean => before === n

/** Tells another result. */
export const changed = (change: (result: unknown) => unknown): Lie => async (_, truth) => {
  const response = await truth()
  return 'result' in response ? { ...response, result: change(response.result) } : response
}

export const silent = (how: Told): Lie => async () => how

/** Takes a transaction, and hands nothing on. `told` is the hash or signature of no transaction. */
export const swallowed = (told: string): Lie => async ({ id }) => ({ id, result: told })

const soon = (ms: number, task: () => unknown): void => { setTimeout(() => { Promise.resolve(task()).catch(() => {}) }, ms) }

/** Takes a transaction, and hands it on after some milliseconds. */
export const late = (ms: number, told: string): Lie => async (request, truth, before) => {
  soon(ms, truth)
  return swallowed(told)(request, truth, before)
}

/** Takes every third transaction of a method, and hands it on when the next one has come, or after `ms` milliseconds. */
export function overtaken(method: string, ms: number, told: string): Lie {
  let held: (() => Promise<RpcResponse>) | null = null
  return async (request, truth, before) => {
    if (request.method !== method) return truth()
    const earlier = held
    held = null
    if (before % 3 !== 0) {
      const answer = await truth()
      await earlier?.()
      return answer
    }
    held = truth
    // None may come.
    soon(ms, async () => {
      if (held === truth) await truth()
      if (held === truth) held = null
    })
    return swallowed(told)(request, truth, before)
  }
}

/** So patient a busy machine needs settling to be: there even a chain that tells the truth answers late. */
const BUSY_MS = 90_000
/** What settling says when it has waited in vain. */
const WAITED = /no answer to |has not taken|has refused a request|do not become |no Solana validator answers|cannot be made ready|the chain did not deploy/

const hasWaited = (came: unknown): boolean => came instanceof Error && WAITED.test(came.message)

/**
 * What comes of settling with so much patience. Where it has waited in vain, and was not `expected` to, it is tried once more with much more patience:
 * what hangs is waited for in full, which must take no longer than a quiet machine needs. Errors are given, not thrown.
 */
export async function patiently<Came>(patienceMs: number, settling: (patienceMs: number) => Promise<Came>, isExpected: (came: Came | Error) => boolean = () => false): Promise<Came | Error> {
  const tried = (ms: number): Promise<Came | Error> => settling(ms).catch((error: unknown) => error as Error)
  const came = await tried(patienceMs)
  return hasWaited(came) && !isExpected(came) ? tried(BUSY_MS) : came
}

/** The patience that a message tells of, in place of its seconds. */
export const withoutSeconds = (text: string): string => text.replaceAll(/\b(within|for) \d+(\.\d+)? s\b/g, '$1 its patience')

/** The URL of whatever chain, in messages. */
export const withoutPort = (text: string): string => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
