import { NEVER_US, SECOND_US } from '../../../unit/time.ts'
import type { ExternalSeat } from '../../serviceHandler.ts'
import type { Line, ToHttp, ToSession } from '../../threadMessages.ts'
import type { ServedSession } from '../servedSession.ts'
import type { ControlFrame } from './controlFrames.ts'
import { Intake } from './intake.ts'
import { type OpenTurn, Party } from './party.ts'
import type { CallNumber } from './turnHeaders.ts'

const TURNS_PER_INSTANT_MAX = 10_000
/** Stands for the status of an endpoint that has not answered. */
const NO_ANSWER = 0

/** POSTs a webhook, until the signal. Resolves to the status of the answer, or 0 for none. */
export type SendPost = (signal: AbortSignal) => Promise<number>

interface Post {
  readonly url: string
  /** Of its answer; null before there is one. */
  status: number | null
  readonly answered: (status: number) => void
  /** Nobody waits for it any more. */
  readonly given: AbortController
}

export interface LockstepTerms {
  /** How long a client may take to end its turn, and to come once another one is ready, ms of the wall. */
  readonly patienceMs: number
  readonly shiftUs: number
  /** Secrets of the clients, by account. */
  readonly tokenOf: (account: number) => string
  /** A client that is given more turns at one instant does not let time pass. */
  readonly turnsPerInstantMax?: number
  /** Says that a client left, or is back. */
  readonly say?: (text: string) => void
  /** Hears, before time begins, whose clients it waits for, each time that they are others. */
  readonly waitsFor?: (names: readonly string[]) => void
  /** Calls `run` when patience is over, unless what it returns is called before. Absent: after `patienceMs` of the wall. */
  readonly startPatience?: (run: () => void) => () => void
}

/**
 * Plays a session in virtual time that waits for its clients (docs/decisions/0019-lockstep.md). A client that is told something has its turn:
 * the loop stands until the client has said how many things it does, and all of them are here. They come in by their numbers, so that the
 * order in which the network brought them cannot matter.
 */
export class LockstepDriver {
  readonly parties: readonly Party[]
  /** The call that is coming in. */
  entering: CallNumber | null = null
  private readonly served: ServedSession
  private readonly terms: LockstepTerms
  private readonly intake: Intake
  private readonly turnsPerInstantMax: number
  private turns = 0
  private calls = 0
  /** The party whose turn the loop waits for. */
  private open: Party | null = null
  /** Webhooks that have been posted and not been heard, in their order. */
  private readonly posts: Post[] = []
  /** Endpoints that once let patience end, by their URLs: they are not called any more. */
  private readonly silent = new Set<string>()
  /** Parties that come back, in the order in which they said so. */
  private readonly back: Party[] = []
  private isOver = false
  private stopped: AbortSignal | null = null
  private wake = (): void => {}

  constructor(served: ServedSession, line: Line<ToSession, ToHttp>, terms: LockstepTerms) {
    this.served = served
    this.terms = terms
    this.turnsPerInstantMax = terms.turnsPerInstantMax ?? TURNS_PER_INSTANT_MAX
    const parties = new Map<string, ExternalSeat[]>()
    for (const seat of served.seats) {
      const key = `${seat.service} ${seat.account}`
      parties.set(key, [...(parties.get(key) ?? []), seat])
    }
    this.parties = [...parties.values()].map((seats) => new Party(seats, terms.tokenOf(seats[0]!.account)))
    this.intake = new Intake(served, line, this, terms.shiftUs)
    line.hear((message) => {
      this.intake.hear(message)
      this.wake()
    })
  }

  get counts(): { readonly turns: number; readonly calls: number } {
    return { turns: this.turns, calls: this.calls }
  }

  /** Nobody has a turn any more: what comes now is late, and no fault of a client. */
  get isEnding(): boolean {
    return this.isOver || (this.stopped?.aborted === true && this.open === null)
  }

  /** A message has reached a seat: its client has its turn. */
  told({ service, account }: ExternalSeat, why: string): void {
    this.begin(this.parties.find((party) => party.service === service && party.account === account)!, why)
  }

  /** Posts a webhook. The answer comes in at the next whole second of the session, for which the loop waits. */
  post(url: string, send: SendPost, answered: (status: number) => void): void {
    const post: Post = { url, status: this.silent.has(url) ? NO_ANSWER : null, answered, given: new AbortController() }
    this.posts.push(post)
    if (post.status !== null) return
    void send(post.given.signal).then((status) => {
      post.status = status
      this.wake()
    })
  }

  /** A client that left is back: it has a turn where the loop stands next. */
  comeBack(party: Party): void {
    if (!this.back.includes(party)) this.back.push(party)
  }

  /** Another client has taken a party over: what the former one had is dropped where the loop stands next, or with a turn that comes before. */
  replace(party: Party): void {
    party.gone ??= REPLACED
    if (party.turn !== null) party.turn.fault = party.gone
    this.comeBack(party)
  }

  /** Its client has closed the control channel, and is not waited for any more. A turn that it has ended still counts. */
  quit(party: Party): void {
    for (const { drop } of party.early.splice(0)) drop()
    if (this.back.includes(party)) this.back.splice(this.back.indexOf(party), 1)
    if (!this.served.hasBegun) party.state = 'coming'
    if (party.state !== 'here') return
    party.gone = LEFT
    if (party.turn !== null && party.turn.calls === null) party.turn.fault = party.gone
  }

  /** Plays until nothing is left, or until the signal. Resolves to where it was stopped, null at the end. */
  async play(signal: AbortSignal): Promise<number | null> {
    this.stopped = signal
    const wake = (): void => { this.wake() }
    signal.addEventListener('abort', wake)
    try {
      await this.gather(signal)
      this.served.beginTime()
      for (const party of this.parties) {
        if (signal.aborted) break
        const isMissing = party.state === 'coming'
        party.state = 'here'
        this.begin(party, 'begin', { isMissing })
        await this.endTurn(signal, this.served.session.nowUs)
      }
      return await this.playOn(signal)
    } finally {
      signal.removeEventListener('abort', wake)
      this.isOver = true
      this.intake.end()
      for (const { given } of this.posts) given.abort()
      for (const party of this.parties) {
        for (const { drop } of party.early.splice(0)) drop()
        party.say({ frame: 'over' })
        party.control?.close(1001, 'session over')
      }
    }
  }

  /** Waits for all clients, and while one of them is ready, no longer than patience lasts. */
  private async gather(signal: AbortSignal): Promise<void> {
    const missing = (): readonly string[] => this.parties.filter(({ state }) => state === 'coming').map(({ name }) => name)
    let told: readonly string[] = []
    const isGathered = (): boolean => {
      const names = missing()
      if (names.length > 0 && names.join() !== told.join()) this.terms.waitsFor?.(names)
      told = names
      return signal.aborted || names.length === 0
    }
    const isNobodyHere = (): boolean => told.length === this.parties.length
    let isInTime = true
    while (isInTime && !isGathered()) {
      if (isNobodyHere()) await this.until(() => isGathered() || !isNobodyHere())
      else isInTime = await this.until(() => isGathered() || isNobodyHere(), (run) => this.startPatience(run))
    }
  }

  private async playOn(signal: AbortSignal): Promise<number | null> {
    const { served } = this
    let joinUs: number = NEVER_US
    let hearUs: number = NEVER_US
    let heardUs = 0
    for (;;) {
      // One turn of the event loop, in which messages of the other thread come in.
      await new Promise((resolve) => { setImmediate(resolve) })
      if (signal.aborted) return this.stop()
      joinUs = Math.min(joinUs, this.comeAndGoUs())
      if (hearUs === NEVER_US && served.hasEndpoints && served.session.nextUs() !== NEVER_US) hearUs = nextSecondUs(Math.max(served.session.reachedUs, heardUs))
      const wishedUs = Math.min(joinUs, hearUs)
      switch (served.playSome(wishedUs)) {
        case 'turn': await this.endTurn(signal); break
        case 'over': return null
        case 'stands':
          if (wishedUs === hearUs) {
            heardUs = hearUs
            hearUs = NEVER_US
            await this.hearPosts(signal)
          }
          if (wishedUs !== joinUs || signal.aborted) break
          await this.comeAndGo(joinUs, signal)
          joinUs = NEVER_US
          break
        case 'more':
      }
    }
  }

  /** Where the session is given up. What its clients would still be told there, they are told in vain. */
  private stop(): number {
    const { served } = this
    this.isOver = true
    const stoppedUs = served.session.reachedUs + 1
    while (served.playSome(stoppedUs) === 'more') continue
    return stoppedUs
  }

  /** Takes in what endpoints have answered, in the order in which they were posted to. One that lets patience end has not answered, and is not called again. */
  private async hearPosts(signal: AbortSignal): Promise<void> {
    const posts = this.posts.splice(0)
    if (posts.length === 0) return
    await this.until(() => signal.aborted || posts.every(({ status }) => status !== null), (run) => this.startPatience(run))
    for (const { url, status, given } of posts) {
      if (status !== null) continue
      given.abort()
      if (!signal.aborted) this.silence(url)
    }
    if (!signal.aborted) this.served.enterBetween(() => { for (const { status, answered } of posts) answered(status ?? NO_ANSWER) })
  }

  private silence(url: string): void {
    if (this.silent.has(url)) return
    this.silent.add(url)
    // Its path may hold a secret.
    this.terms.say?.(`the webhook endpoint at ${new URL(url).origin} did not answer in ${this.terms.patienceMs / 1000} s, and is not called any more`)
  }

  /** Where the loop is to stand next for clients that are gone or back, µs. */
  private comeAndGoUs(): number {
    const soonUs = this.served.session.reachedUs + 1
    if (this.parties.some(({ gone }) => gone !== null)) return soonUs
    return Math.max(soonUs, Math.min(NEVER_US, ...this.back.map(({ joinFromUs }) => joinFromUs + 1)))
  }

  /** Where the loop stands, clients that are gone are dropped, and those that are back have their turns. */
  private async comeAndGo(atUs: number, signal: AbortSignal): Promise<void> {
    const { back, served } = this
    for (const party of this.parties) this.dropGone(party)
    while (!signal.aborted) {
      const party = back.find(({ joinFromUs }) => joinFromUs < atUs)
      if (party === undefined) return
      back.splice(back.indexOf(party), 1)
      this.dropGone(party)
      this.join(party)
      await this.endTurn(signal, served.session.nowUs)
    }
  }

  private dropGone(party: Party): void {
    const { gone } = party
    if (gone !== null) this.drop(party, gone, null)
  }

  private join(party: Party): void {
    const { service, account } = party
    party.state = 'here'
    this.served.note({ kind: 'joined', service, account, turn: this.turns + 1 })
    this.served.followClient(party, true)
    this.terms.say?.(`the client of ${party.name} is back`)
    this.begin(party, 'joined', { isHere: true })
  }

  /** Begins a turn of a party. Returns its number, or 0 where there is none. */
  begin(party: Party, why: string, { of, isHere = false, isMissing = false }: { readonly of?: CallNumber; readonly isHere?: boolean; readonly isMissing?: boolean } = {}): number {
    const { served, served: { session } } = this
    if (party.state !== 'here' || this.isOver || session.nowUs >= served.turnsEndUs) return 0
    const { service, account, hold } = party
    // What happened before the turn is told before it.
    served.catchUp()
    const n = ++this.turns
    served.note({ kind: 'turn', service, account, turn: n, why })
    const isTooMany = party.countAt(session.nowUs) > this.turnsPerInstantMax
    // A client that waits for an answer does nothing before it.
    if (hold !== null && !isTooMany && !(why === 'answer' && of !== undefined && of.turn === hold.turn && of.call === hold.call)) return n
    party.hold = null
    if (why === 'begin' || isHere) session.beginTurnHere(service)
    else session.beginTurn(service)
    const counts = new Map([...party.channels].filter(([, { isOpen }]) => isOpen).map(([id, { sent }]) => [id, sent]))
    const frame: ControlFrame = {
      frame: 'turn', n, at_us: session.nowUs + this.terms.shiftUs, why, ...(of === undefined ? {} : { of }), counts: Object.fromEntries(counts),
      ...(session.nowUs >= served.inputEndUs ? { is_ending: true } : {}),
    }
    const fault = isMissing ? this.missing : party.gone ?? (isTooMany ? this.tooMany : null)
    // The turn of a client that is gone is none of whoever has come since.
    const isTold = isMissing || party.gone === null
    party.turn = { n, frame, counts, entries: new Map(), calls: null, holds: false, fault, isTold }
    party.seen = { nowUs: session.nowUs, count: served.deskCount(party) }
    this.open = party
    if (isTold) party.say(frame)
    const { turn } = party
    for (const { enter } of party.early.splice(0)) enter(turn)
    return n
  }

  /** Waits for the end of the open turn, and takes in what its client did. */
  private async endTurn(signal: AbortSignal, standAtUs: number = NEVER_US): Promise<void> {
    const { open: party, served: { session } } = this
    if (party === null) return
    const turn = party.turn!
    const isInTime = turn.fault === null && await this.until(() => signal.aborted || turn.fault !== null || isComplete(turn), (run) => this.startPatience(run))
    this.served.takeLate(turn.n)
    if (isComplete(turn) && turn.fault === null) this.take(party, turn)
    else {
      for (const { drop } of turn.entries.values()) drop()
      if (!isInTime || turn.fault !== null) this.leave(party, turn)
    }
    party.turn = null
    this.open = null
    session.endTurn(standAtUs)
  }

  private take(party: Party, turn: OpenTurn): void {
    for (let call = 1; call <= turn.calls!; call++) {
      this.entering = { turn: turn.n, call }
      this.calls++
      this.served.enter(this.entering, turn.entries.get(call)!.enter)
    }
    this.entering = null
    party.hasTaken()
    if (turn.holds) party.hold = { turn: turn.n, call: turn.calls! }
    for (const [id, count] of turn.counts) party.channels.get(id)?.wasRead(count)
  }

  /** The client did not end its turn in time, or lets no time pass, or is gone. The session goes on without it. */
  private leave(party: Party, { n, fault, isTold }: OpenTurn): void {
    const why = fault ?? `did not end turn ${n} in ${this.terms.patienceMs / 1000} s`
    if (isTold) party.say({ frame: 'left', n, why })
    party.hasFailed(this.served.session.reachedUs)
    this.drop(party, why, n)
  }

  /** @param turn in which it comes about, null where no turn is open. */
  private drop(party: Party, why: string, turn: number | null): void {
    const { service, account } = party
    party.state = 'away'
    party.gone = null
    party.stay++
    party.hold = null
    this.served.note({ kind: 'left', service, account, turn: turn ?? undefined })
    this.served.followClient(party, false)
    for (const drop of party.waiting) drop()
    party.waiting.clear()
    this.terms.say?.(`the client of ${party.name} ${why}, and is out of the session until it says that it is ready`)
    const close = (): void => {
      for (const channel of party.channels.values()) {
        if (channel.isOpen) channel.close(1001, 'left')
        channel.onClose(1001)
      }
    }
    if (turn === null) this.served.enterBetween(close)
    else this.served.enter({ turn }, close)
    party.channels.clear()
  }

  /** Calls the party again, at an instant from now on, for what its call of the open turn wants. */
  callAgain({ service, account }: Party, { turn, call }: CallNumber, { atUs, why }: { readonly atUs: number; readonly why: 'answer' | 'wake' }, woken: () => void): void {
    this.served.note({ kind: 'wake', service, account, turn, call, why, fields: { wake_us: atUs } })
    this.served.session.wake(atUs, woken)
  }

  private get tooMany(): string {
    return `let no time pass: it had more than ${this.turnsPerInstantMax} turns at one instant`
  }

  private get missing(): string {
    return `was not ready ${this.terms.patienceMs / 1000} s after the first one`
  }

  /** Waits until something is so; false when what `start` times is over first. */
  private async until(isSo: () => boolean, start: (run: () => void) => () => void = () => () => {}): Promise<boolean> {
    const wait = { isLate: false }
    const stop = start(() => {
      wait.isLate = true
      this.wake()
    })
    while (!isSo() && !wait.isLate) await new Promise<void>((resolve) => { this.wake = resolve })
    this.wake = () => {}
    stop()
    return !wait.isLate
  }

  private startPatience(run: () => void): () => void {
    if (this.terms.startPatience !== undefined) return this.terms.startPatience(run)
    const timer = setTimeout(run, this.terms.patienceMs)
    return () => { clearTimeout(timer) }
  }
}

const REPLACED = 'made way for another one'
const LEFT = 'has closed its control channel'

/** The first whole second after an instant, µs. */
const nextSecondUs = (us: number): number => (Math.floor(us / SECOND_US) + 1) * SECOND_US

const isComplete = ({ calls, entries }: OpenTurn): boolean => calls !== null && entries.size === calls
