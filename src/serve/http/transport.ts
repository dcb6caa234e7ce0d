import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Answer, BODY_BYTES_MAX, type Exchange, type HeaderPairs } from '../exchange.ts'
import { wallMs } from '../session/wallClock.ts'
import type { Line, ToHttp, ToSession } from '../threadMessages.ts'
import { BrokenConnections } from './brokenConnections.ts'
import { type HeldChannel, heldEvents, heldSocket } from './heldChannels.ts'
import { bearerOf, type IdentityProvider } from './identityProvider.ts'
import { Outbox } from './outbox.ts'

type ServiceName = Exchange['service']

/** Limits of what a client may do to its connection. Times are the wall's. */
const HEADER_BYTES_MAX = 16_384
const HEADERS_MS = 10_000
const REQUEST_MS = 30_000
const KEEP_ALIVE_MS = 65_000
const CONNECTIONS_MAX = 12_000
/** Calls that wait for their answers. Another one is cut off: the session does not keep up with them. */
const WAITING_MAX = 20_000
const FRAME_BYTES_MAX = 1 << 20
const PING_MS = 20_000
/** How long clients have to take their last answers once the services end. */
const DRAIN_MS = 2000
/** How long a client has to read an answer. What it does not read is kept in memory. */
const UNREAD_MS = 15_000
/** How often it is looked whose time for that is over. */
const SWEEP_MS = 1000
/** How long the client of a refused upgrade has to close its side. */
const REFUSED_MS = 1000

/** Where HTTP has a status of its own for what a client did to its connection. No service has an error for these. */
const STATUS_OF_CLIENT_ERROR: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** What waits for a word of the session: an answer, or whether a channel is opened. */
interface Waiting {
  answer(answer: Answer): void
  accept(subprotocol: string | undefined, headers: HeaderPairs): void
}

/** A page that a port answers by itself, whatever the session does. No service knows it, and no limit counts it. */
export interface Page {
  /** Default: 200. */
  readonly status?: number
  readonly type: string
  readonly text: string
  readonly headers?: HeaderPairs
}

/** Where a port has the stream of the session's page. */
export const LIVE_PATH = '/live'

export interface TransportTerms {
  /** What a service answers to bytes that are no HTTP; null: no body. */
  readonly brokenFraming?: (service: ServiceName) => Answer | null
  /** How long a client has to read an answer. */
  readonly unreadMs?: number
  /** How often clients of channels are looked for. */
  readonly pingMs?: number
  /** How long a client has for the head of a call, and for all of the call. */
  readonly headersMs?: number
  readonly requestMs?: number
}

/** One port of one service: what it hands on, and where. */
export interface Opened {
  readonly service: ServiceName
  readonly url: string
}

/**
 * HTTP, server-sent events and WebSockets for the services of a session, one port each. It knows no rule of a service: it reads what arrives
 * whole, within limits, and hands it on with the time at which it had been read.
 */
export class Transport {
  private readonly line: Line<ToHttp, ToSession>
  private readonly identity: Pick<IdentityProvider, 'tokenOf'>
  private readonly brokenFraming: (service: ServiceName) => Answer | null
  private readonly unreadMs: number
  private readonly headersMs: number
  private readonly requestMs: number
  private readonly apps: FastifyInstance[] = []
  private readonly waiting = new Map<number, Waiting>()
  private readonly channels = new Map<number, HeldChannel>()
  private readonly pages = new Map<ServiceName, Readonly<Record<string, Page>>>()
  private readonly lives = new Map<ServiceName, (request: IncomingMessage, response: ServerResponse) => void>()
  private readonly sockets = new Set<WebSocket>()
  /** Connections of sockets and of upgrades that wait. The HTTP server no longer knows them, and waits for each at its end. */
  private readonly upgraded = new Set<Duplex>()
  private readonly broken = new BrokenConnections()
  private readonly outbox = new Outbox()
  /** Answers that are on their way, and until when their clients have to read them, ms: the one that is due first stands first. */
  private readonly unread = new Map<ServerResponse, number>()
  private readonly sweeping: NodeJS.Timeout
  private readonly pinging: NodeJS.Timeout
  /** Listens to the end of every response. */
  private readonly answered: (this: ServerResponse) => void
  private readonly sessionEnded = Promise.withResolvers<void>()
  private ids = 0
  private isEnding = false

  /** @param identity checks the JWTs that calls bring. */
  constructor(
    line: Line<ToHttp, ToSession>, identity: Pick<IdentityProvider, 'tokenOf'>,
    { brokenFraming = () => null, unreadMs = UNREAD_MS, pingMs = PING_MS, headersMs = HEADERS_MS, requestMs = REQUEST_MS }: TransportTerms = {},
  ) {
    this.line = line
    this.identity = identity
    this.brokenFraming = brokenFraming
    this.unreadMs = unreadMs
    this.headersMs = headersMs
    this.requestMs = requestMs
    const { unread } = this
    this.answered = function answered() { unread.delete(this) }
    line.hear((message) => { this.told(message) })
    this.pinging = setInterval(() => { this.ping() }, pingMs)
    this.pinging.unref()
    this.sweeping = setInterval(() => { this.cutUnread() }, Math.min(SWEEP_MS, unreadMs))
    this.sweeping.unref()
  }

  /** Opens a service's port, where 0 is any that is free. Throws what the system says of a port that is taken. */
  async open(service: ServiceName, host: string, port: number): Promise<Opened> {
    const app = fastify({
      bodyLimit: BODY_BYTES_MAX, requestTimeout: this.requestMs, keepAliveTimeout: KEEP_ALIVE_MS, forceCloseConnections: true, exposeHeadRoutes: false,
      http: { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: this.headersMs, connectionsCheckingInterval: Math.min(1000, this.headersMs) },
      clientErrorHandler: ({ code }, socket) => {
        if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
        const status = STATUS_OF_CLIENT_ERROR[code] ?? 400
        this.broken.broken(socket, () => responseText((status === 400 ? this.brokenFraming(service) : null) ?? { status, headers: [], body: '' }))
      },
      frameworkErrors: (_error, request, reply) => { this.call(service, request, reply, request.body) },
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })
    // No service reads what type a body says that it has. fastify refuses one that is none before it has read the body.
    app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
      delete headers['content-type']
      done()
    })
    const hand = (request: FastifyRequest, reply: FastifyReply): void => { this.hand(service, request, reply) }
    app.all('/*', hand)
    app.setNotFoundHandler(hand)
    app.setErrorHandler((error: FastifyError, request, reply) => {
      // The body was longer than any that a service takes: the service says so.
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return this.call(service, request, reply, new Uint8Array(BODY_BYTES_MAX + 1))
      // It never came whole: nobody knows what it would have asked for.
      if (request.raw.destroyed && !request.raw.complete) return void reply.hijack().raw.destroy()
      return this.call(service, request, reply, null)
    })
    app.server.maxConnections = CONNECTIONS_MAX
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.broken.watch(request, response)
      response.on('close', this.answered)
    })
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => { this.upgrade(service, request, socket, head) })
    await app.listen({ host, port })
    this.apps.push(app)
    const address = app.server.address() as AddressInfo
    return { service, url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}` }
  }

  /** Pages of a service's port by their paths, and what answers calls for the stream of the session's page. */
  publish(service: ServiceName, pages: Readonly<Record<string, Page>>, live?: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.pages.set(service, pages)
    if (live !== undefined) this.lives.set(service, live)
  }

  private hand(service: ServiceName, request: FastifyRequest, reply: FastifyReply): void {
    const pages = this.pages.get(service)
    if (pages !== undefined && ['GET', 'HEAD'].includes(request.raw.method!) && Object.hasOwn(pages, request.raw.url!)) {
      const { status = 200, type, text, headers = [] } = pages[request.raw.url!]!
      reply.hijack()
      return this.write(reply.raw, { status, headers: [['content-type', type], ['x-content-type-options', 'nosniff'], ...headers], body: text })
    }
    const live = this.lives.get(service)
    if (live !== undefined && request.raw.method === 'GET' && request.raw.url!.split('?')[0] === LIVE_PATH) {
      reply.hijack()
      return live(request.raw, reply.raw)
    }
    const isStream = request.raw.method === 'GET' && /\btext\/event-stream\b/i.test(request.headers.accept ?? '')
    if (isStream) this.events(service, request, reply)
    else this.call(service, request, reply, request.body)
  }

  private call(service: ServiceName, { raw }: Pick<FastifyRequest, 'raw'>, reply: FastifyReply, body: unknown): void {
    const { raw: response } = reply
    reply.hijack()
    const id = this.wait(raw, { answer: (answer) => { this.write(response, answer) }, accept: () => {} })
    if (id === null) return
    response.on('close', () => { this.waiting.delete(id) })
    this.handOver(exchangeOf(service, raw, body), (exchange) => ({ kind: 'call', id, readMs: wallMs(), exchange }))
  }

  private events(service: ServiceName, { raw, body }: FastifyRequest, reply: FastifyReply): void {
    const { raw: response } = reply
    reply.hijack()
    let isOver = false
    const ended = (): void => {
      if (isOver) return
      isOver = true
      this.ended(id!, 1006)
    }
    const id = this.wait(raw, {
      answer: (answer) => {
        isOver = true
        this.write(response, answer)
      },
      accept: (_, headers) => {
        response.writeHead(200, [...headers, ['content-type', 'text/event-stream'], ['cache-control', 'no-cache']].flat() as string[])
        response.flushHeaders()
        this.broken.streams(raw)
        this.channels.set(id!, heldEvents(response, ended, this.outbox))
      },
    })
    if (id === null) return
    response.on('close', ended)
    this.handOver(exchangeOf(service, raw, body), (exchange) => ({ kind: 'open', id, readMs: wallMs(), exchange, channel: 'events' }))
  }

  private upgrade(service: ServiceName, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    let isAccepted = false
    this.upgraded.add(socket)
    socket.on('error', () => { socket.destroy() })
    const id = this.wait(request, {
      answer: (answer) => { refuse(socket, answer) },
      accept: (subprotocol, headers) => {
        this.accept(id!, { request, socket, head }, { subprotocol, headers, accepted: () => { isAccepted = true } })
      },
    })
    socket.on('close', () => {
      this.upgraded.delete(socket)
      if (id !== null && !isAccepted) this.ended(id, 1006)
    })
    if (id === null) return
    this.handOver(exchangeOf(service, request, null), (exchange) => ({ kind: 'open', id, readMs: wallMs(), exchange, channel: 'socket' }))
  }

  private accept(
    id: number, { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
    { subprotocol, headers, accepted }: { subprotocol: string | undefined; headers: HeaderPairs; accepted: () => void },
  ): void {
    const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, handleProtocols: () => subprotocol ?? false })
    server.on('headers', (lines) => { for (const [name, value] of headers) lines.push(`${name}: ${value}`) })
    server.on('wsClientError', (_error, failed) => { failed.destroy() })
    server.handleUpgrade(request, socket, head, (client) => {
      accepted()
      this.sockets.add(client)
      isAlive.add(client)
      client.on('pong', () => { isAlive.add(client) })
      // A frame over the limit, or no frame at all: ws closes with the code for it.
      client.on('error', () => {})
      this.channels.set(id, heldSocket(client, (code) => {
        this.sockets.delete(client)
        this.ended(id, code)
      }))
      client.on('message', (data: Buffer, isBinary) => {
        this.post({ kind: 'frame', id, readMs: wallMs(), data: new Uint8Array(data), isBinary })
      })
    })
  }

  private write(response: ServerResponse, { status, headers, body }: Answer): void {
    if (response.destroyed) return
    this.unread.set(response, wallMs() + this.unreadMs)
    const lines: string[] = []
    for (const [name, value] of headers) lines.push(name, value)
    lines.push('content-length', String(Buffer.byteLength(body)))
    response.writeHead(status, lines)
    response.end(response.req.method === 'HEAD' ? undefined : body)
  }

  private cutUnread(): void {
    const nowMs = wallMs()
    for (const [response, untilMs] of this.unread) {
      if (untilMs > nowMs) return
      this.unread.delete(response)
      response.req.socket.destroy()
    }
  }

  /** Numbers what waits for the session's word; null, and the connection is cut, when too much does. */
  private wait(request: IncomingMessage, waiting: Waiting): number | null {
    if (this.isEnding || this.waiting.size >= WAITING_MAX) {
      request.socket.destroy()
      return null
    }
    const id = ++this.ids
    this.waiting.set(id, waiting)
    return id
  }

  private ended(id: number, code: number): void {
    this.waiting.delete(id)
    this.channels.delete(id)
    this.post({ kind: 'closed', id, readMs: wallMs(), code })
  }

  /** An exchange with a JWT counts as read once the signature has been checked. One without a JWT is handed over at once. */
  private handOver(exchange: Exchange, messageOf: (exchange: Exchange) => ToSession & { readonly id: number }): void {
    if (bearerOf(exchange.headers) === undefined) return this.post(messageOf(exchange))
    void this.identity.tokenOf(exchange.headers).then((token) => {
      const message = messageOf(token === undefined ? exchange : { ...exchange, token })
      // The session knows of a client that went meanwhile: no channel is opened to that client.
      if (message.kind === 'call' || this.waiting.has(message.id)) this.post(message)
    })
  }

  private post(message: ToSession): void {
    this.line.say(message)
  }

  private told(message: ToHttp): void {
    if (message.kind === 'send') {
      for (const id of message.ids) this.channels.get(id)?.send(message.text)
      return
    }
    if (message.kind === 'ended') return this.sessionEnded.resolve()
    const { id } = message
    switch (message.kind) {
      case 'answer': case 'accept': {
        const waiting = this.waiting.get(id)
        this.waiting.delete(id)
        if (message.kind === 'answer') waiting?.answer(message.answer)
        else waiting?.accept(message.subprotocol, message.headers)
        return
      }
      case 'close': {
        this.channels.get(id)?.close(message.code, message.reason)
        this.channels.delete(id)
      }
    }
  }

  /** Finds half-open connections, and tells clients that theirs stands. That belongs to the wall's time, and is no event of a client. */
  private ping(): void {
    for (const channel of this.channels.values()) channel.beat?.()
    for (const client of this.sockets) {
      if (!isAlive.delete(client)) client.terminate()
      else client.ping()
    }
  }

  /** Waits for all that the session has said, which comes on a line of its own: what says that it is over may be here before its last answers. */
  async heardOut(): Promise<void> {
    await Promise.race([this.sessionEnded.promise, new Promise((resolve) => { setTimeout(resolve, DRAIN_MS).unref() })])
  }

  /** Takes nothing more, lets what has been said go out, and closes the ports. */
  async close(): Promise<void> {
    this.isEnding = true
    clearInterval(this.pinging)
    clearInterval(this.sweeping)
    const untilMs = wallMs() + DRAIN_MS
    while (this.sockets.size > 0 && wallMs() < untilMs) await new Promise((resolve) => { setTimeout(resolve, 20) })
    for (const socket of this.upgraded) socket.destroy()
    await Promise.all(this.apps.map((app) => app.close()))
  }
}

/** Clients that have answered since the last ping. */
const isAlive = new WeakSet<WebSocket>()

const NO_BODY = new Uint8Array()

/** Headers that are between a client and HTTP itself: no handler reads them, and nearly every call has them. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-length', 'content-type', 'host', 'keep-alive', 'sec-fetch-dest', 'sec-fetch-mode',
  'sec-fetch-site', 'sec-websocket-extensions', 'sec-websocket-key', 'sec-websocket-version', 'transfer-encoding', 'upgrade', 'user-agent',
])

function exchangeOf(service: ServiceName, request: IncomingMessage, body: unknown): Exchange {
  const { method = '', url = '', rawHeaders, socket } = request
  const cut = url.indexOf('?')
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (!OF_HTTP.has(name)) headers.push([name, rawHeaders[i + 1]!])
  }
  return {
    service, method, path: cut < 0 ? url : url.slice(0, cut), query: cut < 0 ? '' : url.slice(cut + 1), headers,
    // A copy: what lies around a small buffer would go over with it.
    body: body instanceof Uint8Array && body.length > 0 ? new Uint8Array(body) : NO_BODY, remote: socket.remoteAddress ?? '',
  }
}

/** Ends the connection of an upgrade with an answer in its place. Who does not end the other side of it is cut off. */
function refuse(socket: Duplex, answer: Answer): void {
  socket.end(responseText(answer))
  socket.resume()
  setTimeout(() => { socket.destroy() }, REFUSED_MS).unref()
}

/** An answer in place of an upgrade. */
function responseText({ status, headers, body }: Answer): string {
  const lines = [...headers, ['content-length', String(Buffer.byteLength(body))], ['connection', 'close']].map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n')
}
