import { WebSocket } from 'ws'
import type { DeskAnswer } from './deskFeed.ts'
import { EventText } from './eventText.ts'
import { ChannelRefused, HttpCalls, isUnconnected, lost, type Site, unreachable } from './httpCalls.ts'
import { type Act, type Answer, type ChannelTerms, type Frame, isWake, type Link, type Turn } from './link.ts'

const MS_US = 1000
/** How often a client looks for what comes without a frame, ms. */
const LOOK_MS = 200
/** Between two tries to open a stream again, ms. */
const AGAIN_MS = 500
/** How long a service that cannot be reached has to close its channels, which tells that the session is over, ms. */
const GRACE_MS = 2000
/** How long a client waits for answers once the session says that it is over, ms. */
const OVER_MS = 500
/** How long a client that leaves waits for the answers to what it withdraws, ms. */
const LEAVE_MS = 2000
/** Status of a service that opens no more channels for now. */
const TOO_MANY = 429
/** Code of a WebSocket whose connection ended without a close of its own. */
const BROKEN = 1006
/** Longest a timer sleeps before it looks at the session's clock again, ms. */
const SLEEP_MS = 1000
/** How much faster than the wall's clock a session goes at most. */
const SPEED_MAX = 20
/** The number of no note: an answer about the instant alone. */
const NO_NOTES = '/desk?from=999999999&limit=1'

export interface WallTerms extends Site {
  readonly channels: readonly ChannelTerms[]
}

/** A client's connection to a session that goes as fast as the wall's clock, or so many times as fast. */
export class WallLink implements Link {
  private readonly terms: WallTerms
  private readonly calls: HttpCalls
  private readonly frames: Frame[] = []
  private readonly closers = new Set<() => void>()
  private readonly pending = new Set<Promise<void>>()
  private act: (turn: Turn) => Promise<readonly Act[]> = () => Promise.resolve([])
  /** Turns come one after the other. */
  private last: Promise<void> = Promise.resolve()
  private isOver = false
  private hasBegun = false
  /** The session has said that it is over. */
  private isEnding = false
  /** A turn that tells what has come waits for those before it. */
  private isTellingDue = false
  /** Channels that are closed: whether the service has closed them in good order. */
  private readonly closed = new Map<ChannelTerms, boolean>()
  /** The first connection that failed. */
  private failure: unknown = null
  private finish: (error?: unknown) => void = () => {}

  constructor(terms: WallTerms) {
    this.terms = terms
    this.calls = new HttpCalls(terms)
  }

  read(path: string): Promise<Answer> {
    return this.calls.read(path)
  }

  async play(act: (turn: Turn) => Promise<readonly Act[]>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    this.act = act
    const over = new Promise<void>((resolve, reject) => {
      this.finish = (error) => {
        this.isOver = true
        if (error === undefined) resolve()
        else reject(error as Error)
      }
    })
    const leave = (): void => { void this.leave() }
    signal.addEventListener('abort', leave, { once: true })
    try {
      await Promise.race([this.begin(), over])
      await over
    } finally {
      this.isOver = true
      for (const close of this.closers) close()
      this.calls.close()
    }
  }

  private async begin(): Promise<void> {
    await this.now().catch((error: unknown) => { throw isUnconnected(error) ? unreachable(this.terms.url, error) : error })
    for (const channel of this.terms.channels) await this.open(channel)
    if (this.isOver) return
    this.hasBegun = true
    this.turn('begin')
    const looks = setInterval(() => { this.tell() }, LOOK_MS)
    this.closers.add(() => { clearInterval(looks) })
  }

  /** Where the session is, and whether it is over. */
  private async now(): Promise<Pick<DeskAnswer, 'now_us' | 'is_over'>> {
    return JSON.parse((await this.read(NO_NOTES)).body) as DeskAnswer
  }

  private turn(why: Turn['why'], more: Pick<Turn, 'answer' | 'tag'> = {}): void {
    this.last = this.last.then(() => this.give(why, more)).catch((error: unknown) => { this.ended(error) })
  }

  /** One turn tells all that has come until it begins. */
  private tell(): void {
    if (this.isTellingDue) return
    this.isTellingDue = true
    this.turn('told')
  }

  private async give(why: Turn['why'], more: Pick<Turn, 'answer' | 'tag'>): Promise<void> {
    if (why === 'told') this.isTellingDue = false
    if (this.isOver || this.failure !== null) return
    const { now_us: atUs, is_over } = await this.now()
    const acts = await this.act({ atUs, why, frames: this.frames.splice(0), ...more })
    if (is_over) return this.end(atUs)
    for (const act of acts) {
      if (isWake(act)) this.sleep(act.wakeUs, act.tag, atUs)
      else this.send(act)
    }
  }

  /** The session is over. It has answered what it answers, and of that the client hears first. */
  private end(atUs: number): void {
    if (this.isEnding) return
    this.isEnding = true
    void this.answersIn(OVER_MS).then(() => {
      this.last = this.last.then(() => this.act({ atUs, why: 'over', frames: [] })).then(() => { this.finish() }, (error: unknown) => { this.finish(isUnconnected(error) ? undefined : error) })
    })
  }

  private send({ method, path, body, headers, tag }: Exclude<Act, { readonly wakeUs: number }>): void {
    const sent = this.calls.callSoon(method, path, body, headers).then((answer) => { this.turn('answer', { answer, tag }) }, (error: unknown) => { this.ended(error) })
    this.pending.add(sent)
    void sent.finally(() => { this.pending.delete(sent) })
  }

  /** A wake comes when the session's clock has got there, which is looked at again and again: nothing says how fast it goes. */
  private sleep(wakeUs: number, tag: unknown, nowUs: number): void {
    const timer = setTimeout(() => {
      this.closers.delete(close)
      if (this.isOver) return
      this.now().then(({ now_us: laterUs, is_over }) => {
        if (is_over) this.tell()
        else if (laterUs >= wakeUs) this.turn('wake', { tag })
        else this.sleep(wakeUs, tag, laterUs)
      }, (error: unknown) => { this.ended(error) })
    }, sleepMs(nowUs, wakeUs))
    const close = (): void => { clearTimeout(timer) }
    this.closers.add(close)
    timer.unref()
  }

  /** A connection that fails is the end of the session where the service has closed every channel before, and a fault otherwise. */
  private ended(error: unknown): void {
    if (this.isOver || this.failure !== null) return
    if (!isUnconnected(error)) return this.finish(error)
    if (this.isEnding) return
    this.failure = error
    setTimeout(() => { this.finish(lost(this.terms.url, error)) }, GRACE_MS).unref()
    this.judge()
  }

  private judge(): void {
    if (this.isOver || this.failure === null || this.closed.size < this.terms.channels.length) return
    this.finish([...this.closed.values()].every((inOrder) => inOrder) ? undefined : lost(this.terms.url, this.failure))
  }

  private async leave(): Promise<void> {
    if (!this.hasBegun) return this.finish()
    this.tell()
    await this.answersIn(LEAVE_MS)
    // A session that ends meanwhile has been told of.
    if (!this.isEnding) this.finish()
  }

  private async answersIn(ms: number): Promise<void> {
    await Promise.race([this.answers(), new Promise((resolve) => { setTimeout(resolve, ms).unref() })])
  }

  /** Resolves when every call has its answer, and those too that were made for an answer. */
  private async answers(): Promise<void> {
    do {
      await this.last
      await Promise.all(this.pending)
      await this.last
    } while (this.pending.size > 0)
  }

  private open(channel: ChannelTerms): Promise<void> {
    return channel.kind === 'events' ? this.stream(channel) : this.socket(channel)
  }

  private async stream(channel: ChannelTerms): Promise<void> {
    const response = await this.calls.stream(channel.path, {})
    if (response.statusCode !== 200) throw new ChannelRefused(channel.path, response)
    const events = new EventText((text) => { this.got(channel, text) })
    const close = (): void => { response.destroy() }
    this.closers.add(close)
    response.setEncoding('utf8').on('data', (part: string) => { events.take(part) }).on('error', () => {}).once('close', () => {
      this.closers.delete(close)
      this.again(channel, response.complete)
    })
  }

  private async socket(channel: ChannelTerms): Promise<void> {
    const { path, subprotocol, firstFrame } = channel
    const socket = new WebSocket(`${this.terms.url.replace(/^http/, 'ws')}${path}`, subprotocol === undefined ? [] : [subprotocol], { headers: this.terms.headers })
    const close = (): void => { socket.terminate() }
    this.closers.add(close)
    socket.once('close', () => { this.closers.delete(close) })
    socket.on('message', (data: Buffer) => { this.got(channel, data.toString()) })
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve).once('error', reject)
      socket.once('unexpected-response', (_, response) => { reject(new ChannelRefused(path, response)) })
    })
    socket.on('error', () => {}).once('close', (code: number) => { this.again(channel, code !== BROKEN) })
    if (firstFrame !== undefined) socket.send(firstFrame)
  }

  private got({ path }: ChannelTerms, text: string): void {
    this.frames.push({ path, text })
    this.tell()
  }

  /** Opens what was lost again, until the service cannot be reached any more. */
  private again(channel: ChannelTerms, inOrder: boolean): void {
    if (this.isOver) return
    this.closed.set(channel, inOrder)
    this.judge()
    // The session may be over.
    this.tell()
    setTimeout(() => {
      if (this.isOver || this.isEnding || this.failure !== null) return
      this.open(channel).then(() => { this.closed.delete(channel) }, (error: unknown) => {
        if (error instanceof ChannelRefused && error.status === TOO_MANY) this.again(channel, inOrder)
        else this.ended(error)
      })
    }, AGAIN_MS).unref()
  }
}

/** How long to sleep until an instant of the session, ms: never longer than on the wall's own clock, and often enough for one that goes twenty times as fast. */
export const sleepMs = (nowUs: number, wakeUs: number): number => Math.max(1, Math.min(SLEEP_MS, (wakeUs - nowUs) / MS_US / SPEED_MAX))
