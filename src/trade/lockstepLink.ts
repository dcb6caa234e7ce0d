import { once } from 'node:events'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { InputError } from '../unit/inputError.ts'
import { type Site, HttpCalls, lost, unreachable } from './httpCalls.ts'
import { type Act, type Answer, type ChannelTerms, type Frame, isWake, type Link, type Turn, type Why } from './link.ts'
import { LockstepChannel } from './lockstepChannel.ts'

/** How long a client that leaves waits for a turn, and for the answers to what it withdraws, ms. */
const LEAVE_MS = 5000

/** How long a session that refuses something may take to say that it is over, ms. */
const REFUSED_MS = 500

/** Frames of the control channel that a client acts on (docs/lockstep.md). */
const controlFrame = z.discriminatedUnion('frame', [
  z.object({ frame: z.literal('welcome') }),
  z.object({
    frame: z.literal('turn'), n: z.int(), at_us: z.int(), why: z.string(), of: z.object({ turn: z.int(), call: z.int() }).optional(), counts: z.record(z.string(), z.int()),
  }),
  z.object({ frame: z.literal('refused'), reason: z.string() }),
  z.object({ frame: z.literal('left'), n: z.int() }),
  z.object({ frame: z.literal('over') }),
])
type ControlTurn = Extract<z.output<typeof controlFrame>, { frame: 'turn' }>

export interface LockstepTerms extends Site {
  /** Of the control port: `ws:` or `http:`. */
  readonly controlUrl: string
  readonly token: string
  readonly channels: readonly ChannelTerms[]
}

interface Sent {
  readonly tag: unknown
  readonly answer: Promise<Answer> | null
}

/** A client's connection to a session whose virtual time waits for it (docs/lockstep.md). */
export class LockstepLink implements Link {
  private readonly terms: LockstepTerms
  private readonly calls: HttpCalls
  private readonly channels = new Map<string, LockstepChannel>()
  /** By turn and call. */
  private readonly sent = new Map<string, Sent>()
  /** Calls whose answers have had no turn yet. */
  private openCalls = 0
  private hasBegun = false
  private isLeaving = false
  private isOver = false
  private control: WebSocket | null = null
  private fail: (error: unknown) => void = () => {}

  constructor(terms: LockstepTerms) {
    this.terms = terms
    this.calls = new HttpCalls(terms)
  }

  read(path: string): Promise<Answer> {
    return this.calls.read(path)
  }

  async play(act: (turn: Turn) => Promise<readonly Act[]>, signal: AbortSignal): Promise<void> {
    const { controlUrl, token } = this.terms
    const control = this.control = new WebSocket(controlUrl.replace(/^http/, 'ws'), { headers: { authorization: `Bearer ${token}` } })
    const leave = (): void => { this.leave() }
    const over = new Promise<void>((resolve, reject) => {
      this.fail = reject
      control.once('close', (code: number) => {
        if (this.isOver || this.isLeaving) resolve()
        else reject(lost(controlUrl, `closed with ${code}`))
      })
      control.once('unexpected-response', (_, { statusCode }) => { reject(new InputError(`${controlUrl} answers ${statusCode}`, { hint: 'the control_token is of no seat of this session' })) })
      control.once('error', (error) => { reject(unreachable(controlUrl, error)) })
    })
    control.on('message', (data: Buffer) => { this.hear(data.toString(), act).catch(this.fail) })
    signal.addEventListener('abort', leave)
    try {
      await Promise.race([once(control, 'open'), over])
      await Promise.race([this.openChannels(), over])
      if (signal.aborted) leave()
      else this.say({ frame: 'ready' })
      await over
    } finally {
      signal.removeEventListener('abort', leave)
      for (const channel of this.channels.values()) channel.close()
      this.calls.close()
      control.terminate()
    }
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

  private async openChannels(): Promise<void> {
    for (const terms of this.terms.channels) {
      const channel = new LockstepChannel(terms, this.terms, this.calls, (error) => { this.fail(error) })
      this.channels.set(await channel.open(), channel)
    }
  }

  private say(frame: object): void {
    this.control!.send(JSON.stringify(frame))
  }

  private async hear(text: string, act: (turn: Turn) => Promise<readonly Act[]>): Promise<void> {
    const frame = controlFrame.parse(JSON.parse(text))
    switch (frame.frame) {
      case 'turn': return this.turn(frame, act)
      case 'refused': return this.refused(frame.reason)
      case 'left': throw new InputError(`the session goes on without this client: it has dropped turn ${frame.n}`, { hint: 'parlor serve says why; a turn that takes longer than its --patience is dropped' })
      case 'over':
        this.isOver = true
        break
      default:
    }
  }

  /** A session that ends drops the turn that is open, and refuses what comes for it before it says that it is over. */
  private refused(reason: string): void {
    setTimeout(() => {
      if (this.isOver || this.isLeaving) return
      const hint = this.hasBegun ? 'parlor serve says what became of the turn' : 'in time that waits a client comes before time begins, and does not come back (docs/trade.md)'
      this.fail(new InputError(`the session refused what this client sent: ${reason}`, { hint }))
    }, REFUSED_MS).unref()
  }

  private async turn({ n, at_us, why, of, counts }: ControlTurn, act: (turn: Turn) => Promise<readonly Act[]>): Promise<void> {
    this.hasBegun = true
    const frames: Frame[] = []
    for (const [number, count] of Object.entries(counts)) frames.push(...await this.channels.get(number)?.take(count) ?? [])
    const place = of === undefined ? '' : `${of.turn} ${of.call}`
    const sent = this.sent.get(place)
    this.sent.delete(place)
    if (why === 'answer') this.openCalls--
    const isLast = this.isLeaving
    const answer = why === 'answer' ? await sent?.answer ?? undefined : undefined
    const acts = await act({ atUs: at_us, why: whyOf(why), frames, ...(answer === undefined ? {} : { answer }), tag: sent?.tag })
    acts.forEach((one, i) => { this.sent.set(`${n} ${i + 1}`, { tag: one.tag, answer: this.send(one, n, i + 1) }) })
    this.say({ frame: 'done', n, calls: acts.length })
    // What it did before it began to leave may not be all.
    if (isLast && this.openCalls === 0) this.goodbye()
  }

  private send(act: Act, n: number, call: number): Promise<Answer> | null {
    if (isWake(act)) {
      this.say({ frame: 'wake', n, call, at_us: act.wakeUs })
      return null
    }
    this.openCalls++
    const answer = this.calls.call(act.method, act.path, act.body, { ...act.headers, 'parlor-turn': String(n), 'parlor-call': String(call) })
    // Its turn reports a failure, unless the session is over by then.
    answer.catch(() => {})
    return answer
  }
}

const whyOf = (why: string): Why => (why === 'begin' || why === 'joined' || why === 'answer' || why === 'wake' ? why : 'told')
