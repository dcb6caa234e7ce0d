import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RpcServer {
  readonly url: string
  /** Methods that were asked for, in order. */
  readonly methods: string[]
  close(): Promise<void>
}

/** A Solana node to the outside: JSON-RPC over HTTP on a free port of this machine, answered by `answer`. */
export async function serveRpc(answer: (request: string) => string): Promise<RpcServer> {
  const methods: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      methods.push((JSON.parse(body) as { method: string }).method)
      response.setHeader('Content-Type', 'application/json')
      response.end(answer(body))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}
