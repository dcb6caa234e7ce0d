import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { InputError } from '../unit/inputError.ts'
import type { Answer } from './link.ts'

/** Most connections at a time. */
const SOCKETS_MAX = 64

/** How long a call that waits for nothing of the session may take, ms. */
const CALL_MS = 30_000
const MS_A_SECOND = 1000

/** What to do about an answer that is no success, by its status. */
const HINTS: ReadonlyMap<number, string> = new Map([
  [401, 'the credential is of no seat of this session'],
  [410, 'the client is further behind than the session keeps notes: begin it again (docs/desk-feed.md)'],
])

/** The same of an answer that opens no channel. */
const CHANNEL_HINTS: ReadonlyMap<number, string> = new Map([
  [409, 'another client may have taken the place of this one, or the credential is of no client of this session: see what parlor serve says'],
  [429, 'the seat has as many channels open as it may'],
  [503, 'the session goes on without this client, or is over: see what parlor serve says'],
])

/** A service's address, and what every call of the seat carries. */
export interface Site {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Calls of one client over connections that are kept. */
export class HttpCalls {
  private readonly site: Site
  private readonly callMs: number
  private readonly agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  private readonly streams = new Agent()

  constructor(site: Site, callMs = CALL_MS) {
    this.site = site
    this.callMs = callMs
  }

  /** Waits as long as it takes. Rejects with what the connection says when there is no answer. */
  async call(method: string, path: string, body = '', headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Answer> {
    const sent = body === '' ? {} : { 'content-type': 'application/json' }
    const options = { method, agent: this.agent, headers: { 'content-length': Buffer.byteLength(body), ...sent, ...headers }, ...(signal === undefined ? {} : { signal }) }
    const response = await this.open(path, options, body)
    response.setEncoding('utf8')
    let text = ''
    for await (const part of response) text += part as string
    return { status: response.statusCode!, headers: response.headers as Record<string, string>, body: text }
  }

  /** A call whose answer waits for nothing of the session. Rejects with an InputError when the answer does not come in time. */
  async callSoon(method: string, path: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const limit = AbortSignal.timeout(this.callMs)
    try {
      return await this.call(method, path, body, headers, limit)
    } catch (cause) {
      if (!limit.aborted) throw cause
      throw new InputError(`${this.site.url}${path} has not been answered for ${this.callMs / MS_A_SECOND} s`, { hint: 'see what parlor serve says', cause })
    }
  }

  /** What is told beside a service. Rejects with an InputError for what refuses the credential. */
  async read(path: string): Promise<Answer> {
    const answer = await this.callSoon('GET', path)
    if (answer.status === 200) return answer
    const hint = HINTS.get(answer.status) ?? 'expected the address of a service that parlor serve has opened'
    throw new InputError(`${this.site.url}${path} answers ${answer.status}: ${answer.body.slice(0, 200)}`, { hint })
  }

  /** Opens a stream of server-sent events. */
  stream(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    return this.open(path, { agent: this.streams, headers: { accept: 'text/event-stream', ...headers } }, '')
  }

  close(): void {
    this.agent.destroy()
    this.streams.destroy()
  }

  private open(path: string, options: RequestOptions, body: string): Promise<IncomingMessage> {
    const { url, headers } = this.site
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { ...options, headers: { ...headers, ...options.headers as Record<string, string> } }, resolve).on('error', (error) => {
        // The service may close a kept connection just when a call is sent on it. What only reads is asked for again.
        if (sent.reusedSocket && sent.method === 'GET' && isUnconnected(error)) this.open(path, options, body).then(resolve, reject)
        else reject(error)
      }).end(body)
    })
  }
}

/** Says that a connection has ended in the middle of a session, and not with it. */
export const lost = (url: string, cause: unknown): InputError =>
  new InputError(`lost ${url} in the middle of the session (${(cause as { code?: string }).code ?? String(cause)})`, { hint: 'see what parlor serve says; a session that goes on takes the client again', cause })

/** The connection failed, and nothing was answered. */
export const isUnconnected = (error: unknown): boolean => ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes((error as { readonly code?: string }).code ?? '')

/** A service opens no channel for this credential, or not now. */
export class ChannelRefused extends InputError {
  readonly status: number

  constructor(path: string, { statusCode }: IncomingMessage) {
    super(`${path} answers ${statusCode}`, { hint: CHANNEL_HINTS.get(statusCode!) ?? 'the credential opens no such channel' })
    this.status = statusCode!
  }
}

/** Tells what to do about a service that cannot be reached. */
export const unreachable = (url: string, cause: unknown): InputError =>
  new InputError(`cannot reach ${url} (${(cause as { code?: string }).code ?? String(cause)})`, { hint: 'start parlor serve, and give the url that it prints', cause })
