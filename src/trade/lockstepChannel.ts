import { WebSocket } from 'ws'
import { EventText } from './eventText.ts'
import { ChannelRefused, type HttpCalls, type Site } from './httpCalls.ts'
import type { ChannelTerms, Frame } from './link.ts'

/** Between the loss of a connection and the try to open it again, ms. */
const AGAIN_MS = 100
/** Code of a WebSocket whose connection ended without a close of its own. */
const BROKEN = 1006
/** A connection that cannot be opened again is a fault, unless the session ends meanwhile, ms. */
const GRACE_MS = 2000

/** What a channel has of whoever opened it. */
export interface ChannelEars {
  /** It cannot be opened again. */
  readonly failed: (error: unknown) => void
  /** The session has closed it, by its number, and says so much about why. */
  readonly closed: (number: string, why: string) => void
}

/** A channel of a client for whom virtual time waits: its frames are counted, and a connection that is lost is opened again where it was. */
export class LockstepChannel {
  private readonly terms: ChannelTerms
  private readonly site: Site
  private readonly calls: HttpCalls
  private readonly ears: ChannelEars
  /** Frames that have not been taken. */
  private readonly frames: Frame[] = []
  private received = 0
  private taken = 0
  private number = ''
  private isClosed = false
  private heard = (): void => {}
  private end = (): void => {}

  constructor(terms: ChannelTerms, site: Site, calls: HttpCalls, ears: ChannelEars) {
    this.terms = terms
    this.site = site
    this.calls = calls
    this.ears = ears
  }

  get path(): string {
    return this.terms.path
  }

  /**
   * Resolves to the number that the session gives it.
   * @param place headers that say which call of a turn it is; none before time begins.
   */
  async open(place: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.connect(place)
    return this.number
  }

  /** Waits until so many frames have come, counted from the first, or until it is closed, and returns those that have not been taken. */
  async take(count: number): Promise<readonly Frame[]> {
    while (this.received < count && !this.isClosed) await new Promise<void>((resolve) => { this.heard = resolve })
    const fresh = this.frames.splice(0, count - this.taken)
    this.taken = count
    return fresh
  }

  close(): void {
    this.isClosed = true
    this.end()
    this.heard()
  }

  private connect(headers: Readonly<Record<string, string>>): Promise<void> {
    return this.terms.kind === 'events' ? this.stream(headers) : this.socket(headers)
  }

  private async stream(headers: Readonly<Record<string, string>>): Promise<void> {
    const { path } = this.terms
    const response = await this.calls.stream(path, headers)
    if (response.statusCode !== 200) throw new ChannelRefused(path, response)
    this.number = response.headers['parlor-channel'] as string
    this.end = () => { response.destroy() }
    const events = new EventText((text) => { this.got(text) })
    response.setEncoding('utf8').on('data', (part: string) => { events.take(part) }).on('error', () => {}).once('close', () => {
      if (response.complete) this.ears.closed(this.number, '')
      else this.lost()
    })
  }

  private async socket(headers: Readonly<Record<string, string>>): Promise<void> {
    const { path, subprotocol, firstFrame } = this.terms
    const first = firstFrame === undefined ? {} : { 'parlor-frame': firstFrame }
    const socket = new WebSocket(`${this.site.url.replace(/^http/, 'ws')}${path}`, subprotocol === undefined ? [] : [subprotocol], {
      headers: { ...this.site.headers, ...(headers['parlor-channel'] === undefined ? first : {}), ...headers },
    })
    this.end = () => { socket.terminate() }
    socket.on('upgrade', ({ headers: got }) => { this.number = got['parlor-channel'] as string })
    socket.on('message', (data: Buffer) => { this.got(data.toString()) })
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve).once('error', reject)
      socket.once('unexpected-response', (_, response) => { reject(new ChannelRefused(path, response)) })
    })
    socket.on('error', () => {}).once('close', (code: number, reason: Buffer) => {
      if (code === BROKEN) this.lost()
      else this.ears.closed(this.number, `${code} ${reason.toString()}`.trimEnd())
    })
  }

  private got(text: string): void {
    this.frames.push({ path: this.terms.path, text })
    this.received++
    this.heard()
  }

  /** The connection broke. One that the session has closed is at its end, and is not opened again. */
  private lost(): void {
    setTimeout(() => {
      if (this.isClosed) return
      this.connect({ 'parlor-channel': this.number, 'parlor-frames': String(this.received) }).catch((error: unknown) => {
        setTimeout(() => { if (!this.isClosed) this.ears.failed(error) }, GRACE_MS).unref()
      })
    }, AGAIN_MS).unref()
  }
}
