import { connect, type Socket } from 'node:net'

/** How long a chain with open requests may say nothing: it is alive as long as its process. */
const SILENT_MS = 120_000

export interface RpcCall {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** What a node says to one request. */
export type NodeReply = { readonly result: unknown } | { readonly error: { readonly message: unknown; readonly data?: unknown } }

interface Waiting {
  readonly resolve: (reply: NodeReply) => void
  readonly reject: (error: Error) => void
}

/**
 * JSON-RPC over the socket of a chain of our own, which writes each reply on a line. A general client takes as long for a request as the chain for
 * its answer, and a session makes ten requests for each second that it settles.
 */
export class NodeSocket {
  private readonly socket: Socket
  private readonly waiting = new Map<number, Waiting>()
  private readonly pieces: string[] = []
  private requests = 0
  private broken: Error | null = null

  /** Connects to the socket at a path. */
  constructor(path: string) {
    this.socket = connect(path).setEncoding('utf8').setTimeout(SILENT_MS)
    this.socket.on('data', (text: string) => { this.hear(text) })
    this.socket.on('timeout', () => { if (this.waiting.size > 0) this.fail(new Error(`it said nothing for ${SILENT_MS / 1000} s`)) })
    this.socket.on('error', (error) => { this.fail(error) })
    this.socket.on('close', () => { this.fail(new Error('the socket was closed')) })
  }

  /** Sends requests together. Their replies come in any order, and reject when the socket breaks. */
  ask(calls: readonly RpcCall[]): Promise<NodeReply>[] {
    const { broken } = this
    if (broken !== null) return calls.map(() => Promise.reject(broken))
    const first = this.requests
    this.requests += calls.length
    this.socket.write(calls.map(({ method, params = [] }, i) => JSON.stringify({ jsonrpc: '2.0', id: first + i, method, params })).join('\n'))
    return calls.map((_, i) => new Promise<NodeReply>((resolve, reject) => { this.waiting.set(first + i, { resolve, reject }) }))
  }

  /** Ends requests that are under way, and takes no more. */
  fail(error: Error): void {
    if (this.broken !== null) return
    this.broken = error
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
    this.socket.destroy()
  }

  private hear(text: string): void {
    const end = text.lastIndexOf('\n')
    if (end < 0) {
      this.pieces.push(text)
      return
    }
    const lines = this.pieces.splice(0).join('') + text.slice(0, end)
    if (end + 1 < text.length) this.pieces.push(text.slice(end + 1))
    try {
      for (const line of lines.split('\n')) if (line.trim() !== '') this.reply(JSON.parse(line) as NodeReply & { readonly id: number })
    } catch (error) {
      this.fail(error as Error)
    }
  }

  private reply({ id, ...reply }: NodeReply & { readonly id: number }): void {
    this.waiting.get(id)?.resolve(reply as NodeReply)
    this.waiting.delete(id)
  }
}
