import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveAsk, LiveFrame, LiveTold } from '../live/liveFrames.ts'
import type { Line } from '../threadMessages.ts'
import { type HeldChannel, heldEvents } from './heldChannels.ts'

type ServiceName = LiveAsk['service']

/**
 * Looks follow each other after `lookMs`, and the end of a session waits so long for a last one. Who opens another book comes again, so that
 * nobody is gone for good before `lingerMs`. All are ms of the wall.
 */
const TIMES = { lookMs: 500, lastLookMs: 1000, lingerMs: 5000 }
/** A look rests the session's thread for so many times as long as it took. */
const REST_PER_LOOK = 20
const VIEWERS_MAX = 8
const KEY = /^[ar]\d{1,15}$/
const BEARER = /^bearer +(\S+)$/i

interface Viewer {
  readonly channel: HeldChannel
  /** The request whose book it has opened, or null. */
  readonly key: string | null
  /** Texts that it was told last. */
  state: string
  book: string
}

/** Those who look at one service, and how the looks go. */
interface Looks {
  readonly viewers: Set<Viewer>
  isAsked: boolean
  timer: NodeJS.Timeout | null
}

/**
 * Streams of the page of a session, which shows what no client may see: they are for who has the token. While somebody looks, the session's
 * thread is asked for one look after the other, however many look.
 */
export class LiveViews {
  private declare readonly line: Line<LiveTold, LiveAsk>
  private declare readonly token: Buffer
  private readonly services = new Map<ServiceName, Looks>()
  private isOver = false
  private declare readonly times: typeof TIMES

  constructor(line: Line<LiveTold, LiveAsk>, token: string, times = TIMES) {
    this.line = line
    this.times = times
    this.token = hashOf(token)
    line.hear(({ service, frame }) => { this.told(service, frame) })
  }

  /** Answers a call for the stream of a service; `?request=KEY` opens the book of a request. */
  answer(service: ServiceName, request: IncomingMessage, response: ServerResponse): void {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(hashOf(token), this.token)) return refuse(response, 401, 'the page is opened by the link that parlor serve told')
    const key = new URLSearchParams(request.url!.split('?')[1]).get('request')
    if (key !== null && !KEY.test(key)) return refuse(response, 400, 'expected a request by its key')
    const looks = this.looksOf(service)
    if (this.isOver || looks.viewers.size >= VIEWERS_MAX) return refuse(response, 503, this.isOver ? 'the session is over' : `${VIEWERS_MAX} pages are open already`)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    response.flushHeaders()
    const viewer: Viewer = { channel: heldEvents(response, () => { this.left(service, viewer) }), key, state: '', book: '' }
    looks.viewers.add(viewer)
    this.rest(looks)
    // It is shown something at once.
    if (!looks.isAsked) this.ask(service, looks)
  }

  /** The session is over: everybody has a last look. */
  async close(): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    const watched = [...this.services].filter(([, { viewers }]) => viewers.size > 0)
    for (const [service, looks] of watched) this.ask(service, looks)
    await this.until(() => watched.every(([, { isAsked }]) => !isAsked))
    for (const [, looks] of this.services) {
      for (const { channel } of looks.viewers) {
        channel.send(eventText('over', '{}'))
        channel.close(1000, 'over')
      }
      this.rest(looks)
    }
    // The ports are closed next, and what has not gone out by then is lost.
    await this.until(() => watched.every(([, { viewers }]) => viewers.size === 0))
  }

  /** Waits for something, as long as the end of a session may take. */
  private async until(isSo: () => boolean): Promise<void> {
    for (let ms = 0; ms < this.times.lastLookMs && !isSo(); ms += 10) await sleep(10)
  }

  private looksOf(service: ServiceName): Looks {
    const known = this.services.get(service)
    if (known !== undefined) return known
    const looks: Looks = { viewers: new Set(), isAsked: false, timer: null }
    this.services.set(service, looks)
    return looks
  }

  private ask(service: ServiceName, looks: Looks): void {
    this.rest(looks)
    looks.isAsked = true
    const keys = new Set([...looks.viewers].flatMap(({ key }) => key ?? []))
    this.line.say({ kind: 'look', service, keys: [...keys] })
  }

  private left(service: ServiceName, viewer: Viewer): void {
    const looks = this.looksOf(service)
    if (!looks.viewers.delete(viewer) || looks.viewers.size > 0 || this.isOver) return
    this.rest(looks, () => { this.line.say({ kind: 'leave', service }) }, this.times.lingerMs)
  }

  /** Waits for nothing else than `next`, if there is one. */
  private rest(looks: Looks, next?: () => void, ms = 0): void {
    if (looks.timer !== null) clearTimeout(looks.timer)
    looks.timer = next === undefined ? null : setTimeout(next, ms).unref()
  }

  private told(service: ServiceName, { clock, state, books, tookMs }: LiveFrame): void {
    const looks = this.looksOf(service)
    looks.isAsked = false
    if (looks.viewers.size === 0) return
    const stateText = eventText('state', JSON.stringify(state))
    const clockText = eventText('clock', JSON.stringify(clock))
    const bookTexts = new Map(Object.entries(books).map(([key, book]) => [key, eventText('book', JSON.stringify(book))]))
    for (const viewer of looks.viewers) {
      const bookText = viewer.key === null ? '' : bookTexts.get(viewer.key) ?? eventText('book', 'null')
      viewer.channel.send(clockText + (stateText === viewer.state ? '' : stateText) + (bookText === viewer.book ? '' : bookText))
      viewer.state = stateText
      viewer.book = bookText
    }
    if (this.isOver) return
    this.rest(looks, () => { this.ask(service, looks) }, Math.max(this.times.lookMs, REST_PER_LOOK * tookMs))
  }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const eventText = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ error: message })
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  response.end(body)
}
