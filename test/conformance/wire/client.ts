import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { WebSocket } from 'ws'

/** What a service says is JSON, of which a client knows no more than the document tells. */
// oxlint-disable-next-line no-explicit-any
export type Json = any

/** One call and its answer, one event of a stream, or one frame of a socket: what stands behind a rule. */
export interface Seen {
  readonly method: string
  readonly path: string
  /** HTTP status, or the close code of a socket. 0: an event or a frame. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON, null where there is none. */
  readonly body: Json
}

export type Headers = Readonly<Record<string, string | readonly string[]>>
/** Sent as JSON. A text and bytes are sent as they are. */
export type Sent = object | string | Uint8Array | undefined

let patienceMs = 60_000
/** How long anything that is waited for may take, ms. */
export function bePatient(ms: number): void {
  patienceMs = ms
}

/** A connection that nobody uses is ended here, long before the service ends it: no call meets one that is being ended. */
const IDLE_MS = 20_000
const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: IDLE_MS })

/** The promise's value, or an error that says what did not come. */
export async function inTime<T>(promise: Promise<T>, what: string, ms = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => { reject(new Error(`${what} did not come in ${ms / 1000} s`)) }, ms).unref() })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** An answer that is awaited later: whoever awaits it hears that it does not come, and a row that is refuted before that does not. */
export function awaitedLater<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {})
  return answer
}

/** Answers whose status nobody has read. */
const unread = new WeakSet<Seen>()
export const isUnread = (seen: Seen): boolean => unread.has(seen)

/** An answer that knows whether somebody has read its status. */
function answerOf(seen: Seen): Seen {
  const { status } = seen
  const answer = Object.defineProperty({ ...seen }, 'status', {
    enumerable: true,
    get: () => {
      unread.delete(answer)
      return status
    },
  })
  unread.add(answer)
  return answer
}

/** A plain client of a service: HTTP, server-sent events and WebSockets from Node and `ws`. What it sees is noted. */
export class Client {
  private declare readonly url: string
  private declare readonly headers: Headers
  private declare readonly noted: Seen[]

  constructor(url: string, headers: Headers, noted: Seen[]) {
    this.url = url
    this.headers = headers
    this.noted = noted
  }

  with(headers: Headers): Client {
    return new Client(this.url, { ...this.headers, ...headers }, this.noted)
  }

  get(path: string, headers: Headers = {}): Promise<Seen> {
    return this.call('GET', path, undefined, headers)
  }

  post(path: string, body?: Sent, headers: Headers = {}): Promise<Seen> {
    return this.call('POST', path, body, headers)
  }

  put(path: string, body?: Sent): Promise<Seen> {
    return this.call('PUT', path, body)
  }

  patch(path: string, body?: Sent): Promise<Seen> {
    return this.call('PATCH', path, body)
  }

  delete(path: string, body?: Sent): Promise<Seen> {
    return this.call('DELETE', path, body)
  }

  async call(method: string, path: string, body?: Sent, headers: Headers = {}): Promise<Seen> {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
    const answer = await inTime(this.send(method, path, bytes, { 'content-type': 'application/json', ...headers }), `an answer to ${method} ${path}`)
    return this.note(method, path, answer.statusCode!, headersOf(answer), await inTime(textOf(answer), `the body of ${method} ${path}`))
  }

  /** Opens a stream of server-sent events. Throws what it is refused with. */
  async events(path: string): Promise<EventStream> {
    const answer = await inTime(this.send('GET', path, undefined, { accept: 'text/event-stream' }), `the stream ${path}`)
    const { status } = this.note('GET', path, answer.statusCode!, headersOf(answer), '')
    if (status !== 200) throw new Error(`GET ${path}: ${answer.statusCode} in place of a stream`)
    return new EventStream(answer, (event, data) => this.note(`event ${event}`, path, 0, {}, data))
  }

  /** Opens a WebSocket, or tells what its upgrade is refused with. */
  async upgrade(path: string, protocols: readonly string[] = []): Promise<Socket | Seen> {
    const socket = new WebSocket(this.url.replace('http', 'ws') + path, [...protocols], { headers: this.headers as Record<string, string> })
    const opened = new Socket(socket, (kind, status, text) => this.note(kind, path, status, {}, text))
    const refused = new Promise<Seen>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('unexpected-response', (_, answer: IncomingMessage) => {
        textOf(answer).then((text) => { resolve(this.note('GET', path, answer.statusCode!, headersOf(answer), text)) }, reject)
      })
    })
    refused.catch(() => {})
    return inTime(Promise.race([refused, once(socket, 'open').then(() => {
      this.note('GET', path, 101, {}, '')
      return opened
    })]), `the socket ${path}`)
  }

  async socket(path: string, protocols: readonly string[] = []): Promise<Socket> {
    const opened = await this.upgrade(path, protocols)
    if (!(opened instanceof Socket)) throw new Error(`GET ${path}: ${opened.status} ${opened.text} in place of a socket`)
    return opened
  }

  private send(method: string, path: string, body: Buffer | undefined, headers: Headers): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(this.url, { method, path, agent, headers: { ...this.headers, ...headers, ...(body !== undefined && { 'content-length': String(body.length) }) } as Record<string, string | string[]> }, resolve)
      sent.on('error', reject)
      sent.end(body)
    })
  }

  private note(method: string, path: string, status: number, headers: Readonly<Record<string, string>>, text: string): Seen {
    const seen = { method, path, status, headers, text, body: bodyOf(text) }
    const noted = status >= 200 && status < 600 ? answerOf(seen) : seen
    this.noted.push(noted)
    return noted
  }
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function bodyOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Things that come one after another, of which some are waited for. */
class Coming<T> {
  readonly all: T[] = []
  private taken = 0
  private heard = (): void => {}

  push(one: T): void {
    this.all.push(one)
    this.heard()
  }

  /** The next one that is wanted, among those that came since the last. */
  async next(is: (one: T) => boolean, what: string): Promise<T> {
    const found = async (): Promise<T> => {
      for (;;) {
        while (this.taken < this.all.length) {
          const one = this.all[this.taken++]!
          if (is(one)) return one
        }
        await new Promise<void>((resolve) => { this.heard = resolve })
      }
    }
    return inTime(found(), what)
  }
}

export interface ServedEvent {
  readonly id: string
  readonly event: string
  readonly data: Json
}

/** A stream of server-sent events. */
export class EventStream {
  private readonly coming = new Coming<ServedEvent>()
  readonly headers: Readonly<Record<string, string>>
  readonly ended: Promise<unknown>
  private declare readonly answer: IncomingMessage
  private rest = ''

  constructor(answer: IncomingMessage, note: (event: string, data: string) => void) {
    this.answer = answer
    this.headers = headersOf(answer)
    this.ended = new Promise((resolve) => { answer.on('close', resolve) })
    answer.setEncoding('utf8')
    answer.on('error', () => {})
    answer.on('data', (part: string) => {
      const blocks = (this.rest + part).split('\n\n')
      this.rest = blocks.pop()!
      for (const block of blocks) {
        const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        if (field('data') === '') continue
        note(field('event'), field('data'))
        this.coming.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) })
      }
    })
  }

  get all(): readonly ServedEvent[] {
    return this.coming.all
  }

  next(event: string, is: (data: Json) => boolean = () => true): Promise<ServedEvent> {
    return this.coming.next((one) => one.event === event && is(one.data), `event ${event}`)
  }

  close(): void {
    this.answer.destroy()
  }
}

/** A WebSocket, whose frames are JSON. */
export class Socket {
  private readonly coming = new Coming<Json>()
  readonly closed: Promise<readonly [code: number, reason: string]>
  private declare readonly socket: WebSocket

  constructor(socket: WebSocket, note: (kind: string, status: number, text: string) => void) {
    this.socket = socket
    socket.on('message', (data) => {
      const text = String(data as Buffer)
      note('frame', 0, text)
      this.coming.push({ ...bodyOf(text), bytes: (data as Buffer).length })
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        note('close', code, String(reason))
        resolve([code, String(reason)])
      })
    })
  }

  get protocol(): string {
    return this.socket.protocol
  }

  get all(): readonly Json[] {
    return this.coming.all
  }

  say(frame: Sent): void {
    this.socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame))
  }

  next(is: (frame: Json) => boolean, what = 'a frame'): Promise<Json> {
    return this.coming.next(is, what)
  }

  /** Reads nothing from now on. */
  stall(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  async end(): Promise<readonly [number, string]> {
    return inTime(this.closed, 'the close')
  }

  close(): void {
    this.socket.terminate()
  }
}
