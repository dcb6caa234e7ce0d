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

/** What a lie may do with a request besides telling an answer: never answer, or break the connection. */
export const Silence = { hangs: 'hangs', breaks: 'breaks' } as const

export type Told = RpcResponse | typeof Silence[keyof typeof Silence]

/** What is told of a request. `truth` asks the node, as often as one likes. `before` counts the requests of the method that came earlier. */
export type Lie = (request: RpcRequest, truth: () => Promise<RpcResponse>, before: number) => Promise<Told>

export interface LyingNode {
  readonly url: string
  close(): Promise<void>
}

/** A proxy before an EVM node at a URL that tells what `lie` makes of its answers, in the order that `inOrder` gives a batch. */
export async function lyingNode(url: string, lie: Lie, inOrder: (answers: RpcResponse[]) => RpcResponse[] = (answers) => answers): Promise<LyingNode> {
  const asked = new Map<string, number>()

  async function tell(request: RpcRequest): Promise<Told> {
    const before = asked.get(request.method) ?? 0
    asked.set(request.method, before + 1)
    const truth = async (): Promise<RpcResponse> => {
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', ...request }) })
      return await response.json() as RpcResponse
    }
    return lie(request, truth, before)
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
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(Array.isArray(parsed) ? inOrder(told as RpcResponse[]) : told[0]))
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    await answer(body, response).catch(() => { response.destroy() })
  })
  await new Promise<void>((listening) => { server.listen(0, '127.0.0.1', listening) })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => { server.close(() => { done() }) })
    },
  }
}
