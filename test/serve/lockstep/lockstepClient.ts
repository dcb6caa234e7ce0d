import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { EventText } from '../../../src/trade/eventText.ts'

/** A turn as its client is told of it. */
export interface Turn {
  readonly n: number
  readonly at_us: number
  readonly why: string
  readonly of?: { readonly turn: number; readonly call: number }
  readonly counts: Readonly<Record<string, number>>
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a client does in its turn. */
export type Act = { readonly method: string; readonly path: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> } | { readonly wakeUs: number; readonly tag: unknown }

export interface ClientTerms {
  readonly url: string
  readonly controlUrl: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  /** Streams of server-sent events that it opens before time begins. */
  readonly streams: readonly string[]
  /** WebSockets that it opens before time begins. */
  readonly sockets?: readonly string[]
  /** Subprotocol of its sockets. */
  readonly subprotocol?: string
  /** What it says first on its sockets, with the upgrade. */
  readonly firstFrame?: string
  /** False: it opens its channels, and does not say that it is ready. */
  readonly isReady?: boolean
  /** It was dropped. */
  readonly whenLeft?: () => void
  /** It loses a stream or a socket after each so many frames, and opens it again. */
  readonly cutsAfter?: number
  /** What it does in a turn, null where it says nothing and lets time stand: told the frames that came since its last one, the answer, or what it said of the wake. */
  readonly act: (turn: Turn, told: { readonly frames: readonly string[]; readonly answer: Answered | undefined; readonly tag: unknown }) => readonly Act[] | null | Promise<readonly Act[] | null>
}

/** A client of a session in lockstep: it knows HTTP, the control channel, and nothing of the session. */
export class LockstepClient {
  readonly refusals: string[] = []
  /** Streams that were opened again. */
  resumed = 0
  turns = 0
  private readonly terms: ClientTerms
  private readonly control: WebSocket
  private readonly frames = new Map<string, string[]>()
  private readonly taken = new Map<string, number>()
  private readonly answers = new Map<string, Promise<Answered>>()
  private readonly tags = new Map<string, unknown>()
  private heard = (): void => {}
  private fail: (error: unknown) => void = () => {}
  /** Settles when the session is over. */
  readonly over: Promise<void>

  constructor(terms: ClientTerms) {
    this.terms = terms
    this.control = new WebSocket(terms.controlUrl, { headers: { authorization: `Bearer ${terms.token}` } })
    this.over = new Promise((resolve, reject) => {
      this.fail = reject
      this.control.on('close', () => { resolve() })
      this.control.on('error', reject)
    })
    this.control.on('message', (data: Buffer) => { this.hear(JSON.parse(data.toString()) as { frame: string } & Turn & { reason: string }) })
  }

  static async connect(terms: ClientTerms): Promise<LockstepClient> {
    const client = new LockstepClient(terms)
    await new Promise((resolve) => { client.control.once('open', resolve) })
    for (const path of terms.streams) await client.stream(path)
    for (const path of terms.sockets ?? []) await client.socket(path)
    if (terms.isReady !== false) client.say({ frame: 'ready' })
    return client
  }

  say(frame: object): void {
    this.control.send(JSON.stringify(frame))
  }

  /** It closes its control channel, and leaves its others as they are. */
  leave(): void {
    this.control.close(1000)
  }

  private hear(frame: { frame: string } & Turn & { reason: string }): void {
    if (frame.frame === 'turn') this.turn(frame).catch(this.fail)
    else if (frame.frame === 'refused') this.refusals.push(frame.reason)
    else if (frame.frame === 'left') this.terms.whenLeft?.()
  }

  private async turn(turn: Turn): Promise<void> {
    this.turns++
    const frames: string[] = []
    for (const [channel, count] of Object.entries(turn.counts)) {
      while ((this.frames.get(channel)?.length ?? 0) < count) await new Promise<void>((resolve) => { this.heard = resolve })
      frames.push(...this.frames.get(channel)?.slice(this.taken.get(channel) ?? 0, count) ?? [])
      this.taken.set(channel, count)
    }
    const of = turn.of === undefined ? '' : `${turn.of.turn} ${turn.of.call}`
    const answer = turn.why === 'answer' ? await this.answers.get(of) : undefined
    const acts = await this.terms.act(turn, { frames, answer, tag: this.tags.get(of) })
    this.tags.delete(of)
    this.answers.delete(of)
    if (acts === null) return
    acts.forEach((act, i) => {
      const call = i + 1
      if ('wakeUs' in act) {
        this.tags.set(`${turn.n} ${call}`, act.tag)
        this.say({ frame: 'wake', n: turn.n, call, at_us: act.wakeUs })
      } else this.answers.set(`${turn.n} ${call}`, this.call(act.method, act.path, act.body, { ...act.headers, 'parlor-turn': String(turn.n), 'parlor-call': String(call) }))
    })
    this.say({ frame: 'done', n: turn.n, calls: acts.length })
  }

  /** One call, over a connection of its own. */
  call(method: string, path: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return callOnce(`${this.terms.url}${path}`, method, body, { ...this.terms.headers, ...headers })
  }

  /** Opens a socket as the one thing that it does in a turn. */
  socketIn({ n }: Turn, path: string): void {
    this.socket(path, undefined, { 'parlor-turn': String(n), 'parlor-call': '1' }).catch(this.fail)
    this.say({ frame: 'done', n, calls: 1 })
  }

  /** @param resumed the channel that it goes on with, whose frames it has until then. */
  private async socket(path: string, resumed?: string, place: Readonly<Record<string, string>> = {}): Promise<void> {
    const { url, subprotocol, firstFrame, headers } = this.terms
    const frames = this.frames.get(resumed ?? '') ?? []
    const begun = firstFrame === undefined ? {} : { 'parlor-frame': firstFrame }
    const own = { ...headers, ...place, ...(resumed === undefined ? begun : { 'parlor-channel': resumed, 'parlor-frames': String(frames.length) }) }
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, subprotocol === undefined ? [] : [subprotocol], { headers: own })
    let channel = ''
    let isLost = false
    socket.on('upgrade', ({ headers: got }) => {
      channel = got['parlor-channel'] as string
      this.frames.set(channel, frames)
    })
    socket.on('message', (data: Buffer) => {
      if (isLost) return
      frames.push(data.toString())
      this.heard()
      if (this.isCut(frames.length)) {
        isLost = true
        socket.terminate()
        this.resumed++
        this.socket(path, channel).catch((error: unknown) => { this.failUnlessOver(error) })
      }
    })
    await new Promise((resolve, reject) => { socket.once('open', resolve).once('error', reject) })
  }

  /** A connection that fails is a fault, unless the session ends just then. */
  private failUnlessOver(error: unknown): void {
    setTimeout(() => { this.fail(error) }, 2000).unref()
  }

  private isCut(frames: number): boolean {
    return this.terms.cutsAfter !== undefined && frames % this.terms.cutsAfter === 0
  }

  /** @param resumed the channel that it goes on with, whose frames it has until then. */
  private async stream(path: string, resumed?: string): Promise<void> {
    const frames = this.frames.get(resumed ?? '') ?? []
    const going = resumed === undefined ? {} : { 'parlor-channel': resumed, 'parlor-frames': String(frames.length) }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(`${this.terms.url}${path}`, { headers: { ...this.terms.headers, accept: 'text/event-stream', ...going }, agent: false }, resolve).on('error', reject).end()
    })
    if (response.statusCode !== 200) throw new Error(`stream: ${response.statusCode}`)
    const channel = response.headers['parlor-channel'] as string
    this.frames.set(channel, frames)
    const events = new EventText((event) => { frames.push(event) })
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (part: string) => {
      events.take(part)
      this.heard()
      if (!this.isCut(frames.length) || response.destroyed) return
      response.destroy()
      this.resumed++
      this.stream(path, channel).catch((error: unknown) => { this.failUnlessOver(error) })
    })
  }
}

/** Sockets are kept, so that a machine does not run out of ports. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

export const callOnce = (url: string, method: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, agent, headers: { 'content-length': Buffer.byteLength(body), ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => { text += part })
      response.on('end', () => { resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, body: text }) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
