import { once } from 'node:events'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { InputError } from '../unit/inputError.ts'
import { ClosedChannels } from './closedChannels.ts'
import { ChannelRefused, type Site, HttpCalls, isUnconnected, lost, unreachable } from './httpCalls.ts'
import { type Act, type Answer, type ChannelTerms, type Frame, isWake, type Link, type Turn, type Why } from './link.ts'
import { LockstepChannel } from './lockstepChannel.ts'

/** How long a client that leaves waits for a turn, and for the answers to what it withdraws, ms. */
const LEAVE_MS = 5000

/** How long a session that refuses something may take to say that it is over, ms. */
const REFUSED_MS = 500

/** Frames of the control channel that a client acts on (docs/lockstep.md). */
const controlFrame = z.discriminatedUnion('frame', [
  z.object({ frame: z.literal('welcome'), has_begun: z.boolean() }),
  z.object({
    frame: z.literal('turn'), n: z.int(), at_us: z.int(), why: z.string(), of: z.object({ turn: z.int(), call: z.int() }).optional(), counts: z.record(z.string(), z.int()),
    is_ending: z.boolean().optional(),
  }),
  z.object({ frame: z.literal('refused'), reason: z.string() }),
  z.object({ frame: z.literal('left'), n: z.int(), why: z.string() }),
  z.object({ frame: z.literal('over') }),
])
type ControlTurn = Extract<z.output<typeof controlFrame>, { frame: 'turn' }>

export interface LockstepTerms extends Site {
  /** Of the control port: `ws:` or `http:`. */
  readonly controlUrl: string
  readonly token: string
  readonly channels: readonly ChannelTerms[]
  /** Tells whoever runs the client what became of it. */
  readonly say?: (text: string) => void
}

/** A call, a wake, or a channel that was opened in a turn. */
interface Sent {
  readonly tag?: unknown
  readonly answer?: Promise<Answer>
  readonly opened?: Promise<void>
}

/** A client's connection to a session whose virtual time waits for it (docs/lockstep.md). */
export class LockstepLink implements Link {
  private readonly terms: LockstepTerms
  private readonly calls: HttpCalls
  private readonly channels = new Map<string, LockstepChannel>()
  private readonly closed: ClosedChannels
  /** By turn and call. */
  private readonly sent = new Map<string, Sent>()
  /** Calls whose answers have had no turn yet. */
  private openCalls = 0
  /** It has had a turn. */
  private hasBegun = false
  /** Of its last turn. */
  private atUs = 0
  /** It waits for its turn `joined`: turns before that are of a client that was there before, or were dropped. */
  private isJoining = false
  /** What was on its way when it was dropped may still be refused. */
  private isSettling = false
  /** Its channels are open, or are being opened. */
  private hasChannels = false
  /** Rises when it is dropped: what it was about then is over. */
  private stay = 0
  /** Turns come one after the other, also where one was dropped that goes on for long. */
  private last: Promise<void> = Promise.resolve()
  private isLeaving = false
  private isOver = false
  private control: WebSocket | null = null
  private fail: (error: unknown) => void = () => {}
  private welcomed: (hasBegun: boolean) => void = () => {}

  constructor(terms: LockstepTerms) {
    this.terms = terms
    this.calls = new HttpCalls(terms)
    this.closed = new ClosedChannels((text) => { if (!this.isLeaving) terms.say?.(text) })
  }

  read(path: string): Promise<Answer> {
    return this.calls.read(path)
  }

  async play(act: (turn: Turn) => Promise<readonly Act[]>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { controlUrl, token } = this.terms
    const control = this.control = new WebSocket(controlUrl.replace(/^http/, 'ws'), { headers: { authorization: `Bearer ${token}` } })
    const leave = (): void => { this.leave() }
    const over = new Promise<void>((resolve, reject) => {
      this.fail = (error) => { this.judge(error, reject) }
      control.once('close', (code: number, reason: Buffer) => {
        if (this.isOver) this.last.then(resolve, reject)
        else if (this.isLeaving) resolve()
        else reject(lost(controlUrl, `closed with ${code} ${reason.toString()}`.trimEnd()))
      })
      control.once('unexpected-response', (_, { statusCode }) => { reject(new InputError(`${controlUrl} answers ${statusCode}`, { hint: 'the control_token is of no seat of this session' })) })
      control.once('error', (error) => { reject(unreachable(controlUrl, error)) })
    })
    const welcome = new Promise<boolean>((resolve) => { this.welcomed = resolve })
    control.on('message', (data: Buffer) => { this.hear(data.toString(), act).catch((error: unknown) => { if (!this.isEndOf(error)) this.fail(error) }) })
    signal.addEventListener('abort', leave)
    try {
      await Promise.race([once(control, 'open'), over])
      welcome.then((hasBegun) => this.come(hasBegun, signal)).catch(this.fail)
      await over
    } finally {
      signal.removeEventListener('abort', leave)
      this.forget()
      this.calls.close()
      control.terminate()
    }
  }

  /** A connection that fails has lost the session, unless the control channel tells within a moment that it is over. Anything else is a fault at once. */
  private judge(error: unknown, reject: (error: unknown) => void): void {
    if (!isUnconnected(error)) return reject(error)
    const { url } = this.terms
    setTimeout(() => { reject(this.hasBegun ? lost(url, error) : unreachable(url, error)) }, REFUSED_MS).unref()
  }

  /** It acts in its turns until every call is answered. Before time has begun it has no turn in which it could. */
  private leave(): void {
    this.isLeaving = true
    if (this.hasBegun) setTimeout(() => { this.goodbye() }, LEAVE_MS).unref()
    else this.goodbye()
  }

  private goodbye(): void {
    this.control!.close(1000, 'the client leaves')
  }

  /** Before time begins channels are open when it is ready. Later they are opened in its first turn. */
  private async come(hasBegun: boolean, signal: AbortSignal): Promise<void> {
    if (!hasBegun) await this.openEarly()
    if (!signal.aborted) this.say({ frame: 'ready' })
  }

  private async openEarly(): Promise<void> {
    const { stay } = this
    this.hasChannels = true
    try {
      for (const terms of this.terms.channels) await this.open(terms)
    } catch (error) {
      await this.unopened(error, stay)
    }
  }

  /** A channel was refused, perhaps because the session goes on without this client: time has begun, or another one had its place. The control channel tells that, in its own time. */
  private async unopened(error: unknown, stay: number): Promise<void> {
    if (error instanceof ChannelRefused && this.stay === stay) await new Promise((resolve) => { setTimeout(resolve, REFUSED_MS) })
    if (this.stay === stay && !this.isOver) throw error
  }

  private async open(terms: ChannelTerms, place?: Readonly<Record<string, string>>): Promise<void> {
    const { stay } = this
    const channel = new LockstepChannel(terms, this.terms, this.calls, {
      failed: (error) => { this.fail(error) },
      closed: (number, why) => { if (this.stay === stay) this.closed.add(number, { path: terms.path, why }) },
    })
    const number = await channel.open(place)
    if (this.stay === stay) this.channels.set(number, channel)
    else channel.close()
  }

  /** Does something in a moment, unless the session has ended or dropped this client by then. */
  private soon(stay: number, act: () => void): void {
    setTimeout(() => { if (!this.isOver && !this.isLeaving && this.stay === stay) act() }, REFUSED_MS).unref()
  }

  private say(frame: object): void {
    this.control!.send(JSON.stringify(frame))
  }

  private async hear(text: string, act: (turn: Turn) => Promise<readonly Act[]>): Promise<void> {
    const frame = controlFrame.parse(JSON.parse(text))
    switch (frame.frame) {
      case 'welcome':
        this.isJoining = frame.has_begun
        return this.welcomed(frame.has_begun)
      case 'turn':
        if (frame.is_ending !== true) this.closed.turn(frame.counts, [...this.channels].map(([number, { path }]) => [number, path]))
        this.last = this.last.then(() => this.turn(frame, act))
        return this.last
      case 'refused': return this.refused(frame.reason)
      case 'left': return this.left(frame.why)
      case 'over':
        this.isOver = true
        this.closed.over()
        this.last = this.last.catch((error: unknown) => { if (!this.isEndOf(error)) throw error }).then(async () => { await act({ atUs: this.atUs, why: 'over', frames: [] }) })
        return this.last
    }
  }

  /** A session that is over answers no call, and closes its ports. */
  private isEndOf(error: unknown): boolean {
    return this.isOver && isUnconnected(error)
  }

  /** What is refused may have come for a turn that was dropped, which the control channel tells in a moment. */
  private refused(reason: string): void {
    if (this.isSettling) return
    this.soon(this.stay, () => { this.fail(new InputError(`the session refused what this client sent: ${reason}`, { hint: 'parlor serve says what became of the turn' })) })
  }

  /** It was dropped. It comes back at once, and opens its channels again in the turn that it is given then. */
  private left(why: string): void {
    // Of a client that was there before.
    if (this.isJoining) return
    this.terms.say?.(`the session has dropped this client, which ${why}; it comes back`)
    this.stay++
    this.forget()
    this.hasChannels = false
    if (this.isLeaving) return this.goodbye()
    this.isJoining = this.isSettling = true
    this.say({ frame: 'ready' })
  }

  private forget(): void {
    for (const channel of this.channels.values()) channel.close()
    this.channels.clear()
    this.closed.clear()
    this.sent.clear()
    this.openCalls = 0
  }

  private async turn({ n, at_us, why, of, counts }: ControlTurn, act: (turn: Turn) => Promise<readonly Act[]>): Promise<void> {
    if (this.isJoining && why !== 'joined') return
    const { stay } = this
    this.isSettling &&= why === 'joined'
    this.isJoining = false
    this.hasBegun = true
    this.atUs = at_us
    const sent = this.sentAt(of)
    await sent?.opened
    const frames: Frame[] = []
    for (const [number, count] of Object.entries(counts)) frames.push(...await this.channels.get(number)?.take(count) ?? [])
    if (sent?.answer !== undefined) this.openCalls--
    const isLast = this.isLeaving
    const answer = await sent?.answer
    const acts = await act({ atUs: at_us, why: sent?.opened === undefined ? whyOf(why) : 'told', frames, ...(answer === undefined ? {} : { answer }), tag: sent?.tag })
    if (this.stay !== stay) return
    const opened = this.openIn(n)
    acts.forEach((one, i) => { this.sent.set(`${n} ${opened + i + 1}`, this.send(one, n, opened + i + 1)) })
    this.say({ frame: 'done', n, calls: opened + acts.length })
    // What it did before it began to leave may not be all.
    if (isLast && this.openCalls === 0) this.goodbye()
  }

  private sentAt(of: ControlTurn['of']): Sent | undefined {
    const place = of === undefined ? '' : `${of.turn} ${of.call}`
    const sent = this.sent.get(place)
    this.sent.delete(place)
    return sent
  }

  /** Opens the channels of a client that has come late, as the first calls of a turn. Returns how many there are. */
  private openIn(n: number): number {
    if (this.hasChannels || this.isLeaving) return 0
    const { stay, terms: { channels } } = this
    this.hasChannels = true
    channels.forEach((terms, i) => {
      const opened = this.open(terms, placeOf(n, i + 1)).catch((error: unknown) => this.unopened(error, stay)).catch(this.fail)
      this.sent.set(`${n} ${i + 1}`, { opened })
    })
    return channels.length
  }

  private send(act: Act, n: number, call: number): Sent {
    const { tag } = act
    if (isWake(act)) {
      this.say({ frame: 'wake', n, call, at_us: act.wakeUs })
      return { tag }
    }
    this.openCalls++
    const answer = this.calls.call(act.method, act.path, act.body, { ...act.headers, ...placeOf(n, call) })
    // Its turn reports a failure, unless the session is over by then.
    answer.catch(() => {})
    return { tag, answer }
  }
}

const placeOf = (n: number, call: number): Readonly<Record<string, string>> => ({ 'parlor-turn': String(n), 'parlor-call': String(call) })

const whyOf = (why: string): Why => (why === 'begin' || why === 'joined' || why === 'answer' || why === 'wake' ? why : 'told')
