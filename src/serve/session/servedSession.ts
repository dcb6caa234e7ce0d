import type { CallListener, ExternalCall } from '../../engine/externalCalls.ts'
import { Session } from '../../engine/session.ts'
import type { ExternalJournal, ExternalRow } from '../../record/externalTable.ts'
import type { Batch, Sink } from '../../record/sink.ts'
import { buildSession, type BuiltSession } from '../../scenario/build.ts'
import type { SeatMessage } from '../../scenario/externalSeats.ts'
import type { PreparedScenario } from '../../scenario/run.ts'
import { inputEndUs, overUs, playOn, SERVED_FLUSH_ROWS, turnsEndUs } from '../../scenario/served.ts'
import { noFacts } from '../../market/marketFacts.ts'
import { assert } from '../../unit/assert.ts'
import { SERVICE_NAMES } from '../../unit/services.ts'
import { withPlainTraces } from '../../unit/plainTraces.ts'
import { NEVER_US } from '../../unit/time.ts'
import type { DeliveredRows } from '../../unit/deliveredRows.ts'
import type { ToldRows } from '../../unit/toldRows.ts'
import type { Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import type { Channel, Exchange } from '../exchange.ts'
import type { Answer } from '../exchange.ts'
import type { LiveVenue } from '../live/liveVenue.ts'
import type { ExternalSeat, HandlerSite, MakeHandler, ServiceHandler } from '../serviceHandler.ts'
import { answerWith } from '../jsonAnswer.ts'
import { DESK_PATH, DeskFeed, type DeskSeat, type DeskSight } from './deskFeed.ts'
import { PriceFeed } from './priceFeed.ts'
import { resolvedIn } from './resolvedRows.ts'
import { feedsOf, keyOfSeat, SeatPrices } from './seatPrices.ts'
import { Timers } from './timers.ts'

export type ServedService = (typeof SERVICE_NAMES)[number]
export type MakeHandlers = Readonly<Partial<Record<ServedService, MakeHandler>>>

export interface ServedOptions {
  readonly handlers: MakeHandlers
  readonly journal: Pick<ExternalJournal, 'append'>
  readonly shiftUs: number
  /** What the rows go to, given the session that was built. */
  readonly sinksOf: (built: BuiltSession) => readonly Sink[]
  /** With virtual time that waits for clients: hears what has reached a seat, once the seat's handler has been told. Absent: time follows the wall's. */
  readonly told?: (seat: ExternalSeat, why: string) => void
  /** Gets what strategies of built-in seats say of themselves. Whoever gives it clears it at each flush. */
  readonly strategiesTold?: ToldRows
  /** Gets what makers are told. Whoever gives it clears it at each flush. */
  readonly deliveries?: DeliveredRows
}

/** A handler, and how many rows of its service it has been given since they were last flushed. */
interface Serving {
  readonly service: ServedService
  readonly handler: ServiceHandler
  readonly events: EventRows
  /** Others that hear its rows, after the handler. */
  readonly ears: RowEar[]
  taken: number
}

/** Hears every row of a service, in order. */
export type RowEar = (events: EventRows, row: Row) => void

/**
 * A session with clients, in virtual time: it plays on to an instant, and there exchanges come in. It knows no clock. All that reaches the
 * venue from outside goes through `send`, which journals it.
 */
export class ServedSession {
  readonly session: Session
  readonly built: BuiltSession
  readonly seats: readonly ExternalSeat[]
  /** Added to every instant on the wire, µs. */
  readonly shiftUs: number
  readonly sinks: readonly Sink[]
  private readonly serving: Serving[] = []
  /** Seats of makers by their names, with what hears of them. */
  private readonly makers: Readonly<Record<ServedService, Map<string, { readonly to: ExternalSeat; readonly key: string; readonly handler: ServiceHandler }>>> = { parlay: new Map(), outcome: new Map() }
  private readonly timers = new Timers()
  private readonly journal: Pick<ExternalJournal, 'append'>
  /** Commands that come in one behind the other, the one that is coming in first. */
  private readonly waiting: (() => void)[] = []
  private declare readonly told: ServedOptions['told']
  /** The call of a client that is coming in, with virtual time that waits. */
  private entering: Pick<ExternalRow, 'turn' | 'call'> = {}
  /** Whether virtual time has begun. Until then clients open their channels. */
  hasBegun = false
  /** What comes in is of no client's turn. */
  private isBetween = false
  /** Commands of a handler's own that came up between turns: they come in with the next turn. */
  private readonly late: { readonly key: string; readonly run: () => void }[] = []
  private readonly seatPrices: SeatPrices
  private readonly desks: DeskFeed
  private readonly overUs: number
  /** From then on streams close because every market is over. */
  readonly inputEndUs: number
  /** With virtual time that waits: from then on nobody has a turn. */
  readonly turnsEndUs: number
  /** Where the loop stands and exchanges may come in; −1 while it plays. */
  private standUs = -1

  constructor(prepared: PreparedScenario, { handlers, journal, shiftUs, sinksOf, told, strategiesTold, deliveries }: ServedOptions) {
    this.journal = journal
    this.shiftUs = shiftUs
    this.told = told
    this.built = buildSession(prepared.resolved, prepared.strategies, prepared.store, { clock: told === undefined ? 'wall' : 'lockstep', hear: (seat, message) => { this.hear(seat, message) } })
    // It comes first: handlers have the rows before anything else may stop on them.
    this.sinks = [{ flush: (batch) => { this.flushed(batch) }, finish: () => {}, abort: () => {} }, ...sinksOf(this.built)]
    this.turnsEndUs = turnsEndUs(this.built.config)
    this.overUs = overUs(this.built.config)
    this.inputEndUs = inputEndUs(this.built.config)
    this.session = new Session({ ...this.built.config, sinks: this.sinks, ...(strategiesTold && { told: strategiesTold }), ...(deliveries && { deliveries }) })
    this.seats = seatsOf(prepared, this.built)
    const feeds = feedsOf(prepared.resolved, this.seats)
    this.seatPrices = new SeatPrices(new PriceFeed(this.built.config.ticks, this.built.config.marketCount, shiftUs), feeds)
    this.desks = new DeskFeed(this.built.config.facts ?? noFacts(this.built.config.marketCount), this.built.config.marketCount, shiftUs)
    for (const service of SERVICE_NAMES) {
      const played = this.session[service]
      const make = handlers[service]
      if (played === null || make === undefined) continue
      const site = this.siteOf(prepared, service, shiftUs)
      const handler = make(site)
      const hearResult: RowEar = (events, row) => {
        const result = resolvedIn(service, events, row)
        if (result !== null) this.desks.resolved(service, result)
      }
      this.serving.push({ service, handler, events: played.batch.events, ears: [hearResult], taken: 0 })
      this.keepDesks(prepared, service, handler, feeds)
      for (const to of this.seats) if (to.service === service && to.role === 'maker') this.makers[service].set(to.name, { to, key: keyOfSeat(to), handler })
    }
    if (told !== undefined && Number.isFinite(this.overUs)) this.timers.add(this.overUs, () => { this.rest() })
  }

  private siteOf({ resolved, store }: PreparedScenario, service: ServedService, shiftUs: number): HandlerSite {
    const nowUs = (): number => this.nowUs
    const isOpening = (): boolean => this.told !== undefined && !this.hasBegun
    return {
      resolved, catalogue: store.catalogue, shiftUs, session: this.session, seats: this.seats.filter((seat) => seat.service === service),
      get nowUs() { return nowUs() },
      get isOpening() { return isOpening() },
      isInTurns: this.told !== undefined,
      send: (account, call, listener) => { this.send(service, account, call, listener) },
      later: (atUs, run) => { this.timers.add(Math.max(atUs, this.nowUs), run) },
    }
  }

  /** Where the loop stands, else the instant of what it is playing, µs. */
  get nowUs(): number {
    return this.standUs >= 0 ? this.standUs : this.session.nowUs
  }

  /**
   * When something is next to happen by itself, NEVER_US when nothing does that anybody waits for. What handlers wait for keeps no session
   * going, and neither does what a gate does when every market is over: it forgets keys and answers after days, and its open streams beat on.
   */
  get nextUs(): number {
    const nextUs = this.session.nextUs()
    return nextUs > this.overUs ? NEVER_US : Math.min(nextUs, this.timers.nextUs)
  }

  /** Makes accounts, money and keys, and returns each seat's credentials. Nothing else of the session is played. */
  begin(): { readonly seat: ExternalSeat; readonly credentials: Readonly<Record<string, string>> }[] {
    this.standAt(this.session.nowUs)
    return this.serving.flatMap(({ service, handler }) =>
      this.seats.filter((seat) => seat.service === service).map((seat) => ({ seat, credentials: handler.credentialsOf(seat) })))
  }

  /** Plays all before `atUs` and the deadlines of that instant, with what handlers have waited for until then, and stands there. */
  playTo(atUs: number): void {
    while (this.timers.nextUs <= atUs) {
      const dueUs = Math.max(this.timers.nextUs, this.session.reachedUs)
      this.standAt(dueUs)
      for (const run of this.timers.take(dueUs)) {
        run()
        this.catchUp()
      }
    }
    this.standAt(atUs)
  }

  private standAt(atUs: number): void {
    this.standUs = -1
    this.session.standAt(atUs)
    playOn(this.session, SERVED_FLUSH_ROWS)
    this.standUs = atUs
    this.catchUp()
  }

  /** With virtual time that waits: time begins. */
  beginTime(): void {
    this.hasBegun = true
    this.standUs = -1
  }

  /**
   * With virtual time that waits: plays a part of what there is, up to `wishedUs` or to the end of turns. `turn`: a client has its turn. `stands`:
   * all before that has been played. `over`: there is nothing left. Precondition: no turn is open.
   */
  playSome(wishedUs: number): 'more' | 'turn' | 'stands' | 'over' {
    const { session, timers } = this
    const untilUs = Math.min(wishedUs, this.turnsEndUs)
    this.standUs = -1
    const atUs = Math.max(session.reachedUs, Math.min(timers.nextUs, untilUs))
    session.standAt(atUs)
    const isMore = withPlainTraces(() => session.run(session.chunkSteps, SERVED_FLUSH_ROWS))
    this.catchUp()
    if (session.turn !== null) return 'turn'
    if (isMore) return 'more'
    this.standUs = atUs
    if (atUs >= this.turnsEndUs || (wishedUs === NEVER_US && session.nextUs() === NEVER_US)) return 'over'
    for (const run of timers.take(atUs)) {
      run()
      this.catchUp()
    }
    if (atUs >= untilUs) return 'stands'
    this.standUs = -1
    return 'more'
  }

  /** A client has left, or is back: its maker's stream is closed or opened at once, without a way. */
  followClient({ service, account }: { readonly service: ServedService; readonly account: number }, isHere: boolean): void {
    this.session.followClient(service, account, isHere)
    this.catchUp()
  }

  /** Journals what is no command. */
  note(row: Pick<ExternalRow, 'kind' | 'service' | 'account' | 'turn'> & Partial<ExternalRow>): void {
    this.journal.append({ atUs: this.nowUs, op: -1, credential: undefined, fields: {}, legs: [], list: [], ...row })
  }

  /** Takes a client's call of a turn in. */
  enter(call: Pick<ExternalRow, 'turn' | 'call'>, run: () => void): void {
    this.entering = call
    try {
      this.hearing(run)
    } finally {
      this.entering = {}
    }
  }

  /** What clients have begun is ended that would go on for ever. */
  private rest(): void {
    this.enterBetween(() => { for (const { handler } of this.serving) handler.rest?.() })
  }

  /** With virtual time that waits: takes in what is of no client's turn. The journal has its commands without a turn. Precondition: the session stands. */
  enterBetween(run: () => void): void {
    this.isBetween = true
    try {
      this.hearing(run)
    } finally {
      this.isBetween = false
    }
  }

  get hasEndpoints(): boolean {
    return this.serving.some(({ handler }) => handler.hasEndpoints?.() === true)
  }

  /** Takes in what handlers have wished since the last turn. Precondition: the turn is open. */
  takeLate(turn: number): void {
    // What came before time began has no order of its own: it must not be that of the network.
    const late = this.late.splice(0).sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
    for (const { run } of late) this.enter({ turn }, run)
  }

  /** Whose account an exchange is of; −1: nobody's. */
  accountOf(exchange: Exchange): number {
    return exchange.service === 'control' ? -1 : this.handlerOf(exchange.service).accountOf?.(exchange) ?? -1
  }

  /** Prices that the seat of a call may see at an instant, or null where a call asks for something else. Asking is no event of the session. */
  prices(exchange: Exchange, atUs = this.nowUs): Answer | null {
    return exchange.service === 'control' ? null : this.seatPrices.answer(exchange, this.handlerOf(exchange.service), atUs)
  }

  private keepDesks({ resolved }: PreparedScenario, service: ServedService, { deskNames: names }: ServiceHandler, feeds: ReturnType<typeof feedsOf>): void {
    if (names === undefined) return
    for (const [key, seats] of Map.groupBy(this.seats.filter((seat) => seat.service === service), keyOfSeat)) {
      this.desks.keep(key, { seats: seats.map((seat) => this.deskSeat(resolved, seat)), feedUs: feeds.get(key)!, names })
    }
  }

  private deskSeat({ makers, bettors }: PreparedScenario['resolved'], seat: ExternalSeat): DeskSeat {
    const isSeat = ({ name }: { readonly name: string }): boolean => name === seat.name
    const maker = seat.role === 'maker' ? makers.find(isSeat) : undefined
    const { latency: { submit } } = (maker ?? bettors.find(isSeat))!
    return { seat, capitalMicros: maker?.capitalMicros ?? null, wayUs: this.told === undefined ? null : submit.baseUs + submit.jitterUs }
  }

  /** How much a desk has been told. */
  deskCount(seat: Pick<ExternalSeat, 'service' | 'account'>): number {
    return this.desks.countAt(keyOfSeat(seat), this.nowUs)
  }

  /** What has reached the desk of a call's seat, or null where a call asks for something else. Asking is no event of the session. */
  desk(exchange: Exchange, seen: DeskSight | null = null): Answer | null {
    return this.deskFor(exchange, seen?.nowUs ?? this.nowUs, (seat) => seen ?? { nowUs: this.nowUs, count: this.deskCount(seat) })
  }

  /** @param readUs when the credential of the call has to be good, µs. */
  private deskFor(exchange: Exchange, readUs: number, sightOf: (seat: Pick<ExternalSeat, 'service' | 'account'>) => DeskSight): Answer | null {
    const { service } = exchange
    if (exchange.path !== DESK_PATH || service === 'control') return null
    const handler = this.handlerOf(service)
    if (handler.deskNames === undefined || handler.readerOf === undefined) return null
    const seat = { service, account: handler.readerOf(exchange, readUs) }
    const roles = this.seats.filter((own) => keyOfSeat(own) === keyOfSeat(seat)).map(({ role }) => role)
    const lacking = roles.length === 0 ? [] : handler.deskScopesLacking?.(exchange, roles) ?? []
    if (lacking.length > 0) return answerWith(403, { error: `this desk is for credentials with ${lacking.join(', ')}` }, [])
    return this.desks.answer(keyOfSeat(seat), exchange, sightOf(seat))
      ?? answerWith(401, { error: 'a desk is for the seats of the session, by credentials that have not ended' }, [])
  }

  /** What is told beside a service: prices or a desk, or null where a call asks for something else. */
  beside(exchange: Exchange): Answer | null {
    return this.prices(exchange) ?? this.desk(exchange)
  }

  /** Precondition: the session stands. */
  call(exchange: Exchange, answer: (answer: Answer) => void): void {
    this.handlerOf(exchange.service).call(exchange, answer)
    this.catchUp()
  }

  /** Precondition: the session stands. */
  open(exchange: Exchange, channel: Channel): void {
    this.handlerOf(exchange.service).open(exchange, channel)
    this.catchUp()
  }

  /** Lets something of a channel in. Precondition: the session stands. */
  hearing(run: () => void): void {
    run()
    this.catchUp()
  }

  /** What is told beside a service when the session has been played to its end: the whole of a desk, and prices. */
  besideAtEnd(exchange: Exchange): Answer | null {
    const { nowUs } = this.session
    return this.prices(exchange) ?? this.deskFor(exchange, this.nowUs, (seat) => ({ nowUs, count: this.desks.countAt(keyOfSeat(seat), nowUs), isOver: true }))
  }

  /** Whether whoever reads a desk has read it to its end, since the session was. */
  get areDesksReadOut(): boolean {
    return this.desks.isReadOut
  }

  /**
   * Ends it: channels are closed, answers that wait are given, and what is left is played, of which desks are told.
   * @param stoppedUs where it was stopped; null: it has come to its end.
   */
  playOut(stoppedUs: number | null): void {
    const endUs = this.nowUs
    this.drain()
    this.standUs = -1
    this.session.standAt(stoppedUs ?? NEVER_US)
    playOn(this.session)
    this.catchUp()
    // What a gate still did days later is nowhere to be seen.
    this.standUs = endUs
  }

  /** Channels are closed, and answers that wait are given. */
  drain(): void {
    // With virtual time that waits no turn comes any more, with which commands could come in.
    this.isBetween = this.told !== undefined
    for (const { handler } of this.serving) handler.drain()
  }

  /** The services that a page can show, before anything of them is played: what each is, and a way to hear its rows. */
  live(): { readonly service: ServedService; readonly venue: LiveVenue; readonly hear: (ear: RowEar) => void }[] {
    return this.serving.flatMap(({ service, handler, ears }) => {
      const venue = handler.live?.()
      return venue === undefined ? [] : [{ service, venue, hear: (ear: RowEar) => { ears.push(ear) } }]
    })
  }

  has(service: ServedService): boolean {
    return this.serving.some((one) => one.service === service)
  }

  private handlerOf(service: Exchange['service']): ServiceHandler {
    const serving = this.serving.find((one) => one.service === service)
    assert(serving !== undefined, `the session serves ${service}`)
    return serving.handler
  }

  private send(service: ServedService, account: number, call: ExternalCall, listener: CallListener): void {
    if (this.told !== undefined) return this.sendUp(service, account, call, listener)
    // While the loop plays, commands wait until it stands again: they come in there.
    if (this.standUs < 0) return this.timers.add(this.session.nowUs, () => { this.send(service, account, call, listener) })
    this.bringNext(service, account, call, listener)
  }

  /** Brings a command, or where one is coming in, the next behind it: what its answer gives rise to comes in behind the command that it answers. */
  private bringNext(service: ServedService, account: number, call: ExternalCall, listener: CallListener): void {
    const { entering } = this
    this.waiting.push(() => {
      const before = this.entering
      this.entering = entering
      this.bring(service, account, call, listener)
      this.entering = before
    })
    if (this.waiting.length > 1) return
    for (; this.waiting.length > 0; this.waiting.shift()) this.waiting[0]!()
  }

  /** With virtual time that waits, a command has a way of its own to the service, and its answer one back. */
  private sendUp(service: ServedService, account: number, call: ExternalCall, listener: CallListener): void {
    if (this.isBetween) return this.bringNext(service, account, call, listener)
    // Such as the end of a stream that was opened for a client that has left, or the subscription of a socket that has just been let in.
    if (this.session.turn === null || this.entering.turn === undefined) return void this.late.push({ key: this.hasBegun ? '' : keyOf(service, account, call), run: () => { this.bringNext(service, account, call, listener) } })
    // What no call of a client stands behind, such as the end of its channels when it leaves, has no way.
    if (this.entering.call === undefined) return this.bringNext(service, account, call, listener)
    this.record(service, account, call, this.session.nowUs)
    this.session.sendCall(service, account, call, this.heardBy(listener))
  }

  private record(service: ServedService, account: number, { op, fields, legs = [], list = [], credential }: ExternalCall, atUs: number): void {
    this.journal.append({ atUs, service, account, op, fields, legs, list, credential, ...this.entering })
  }

  /** A listener that hears nothing before handlers have the rows up to it. */
  private heardBy(listener: CallListener): CallListener {
    return {
      taken: () => { listener.taken?.() },
      answered: (rows, row) => {
        this.catchUp()
        listener.answered(rows, row)
      },
      told: () => { listener.told() },
    }
  }

  private bring(service: ServedService, account: number, call: ExternalCall, listener: CallListener): void {
    this.record(service, account, call, this.nowUs)
    this.session.bringCall(service, account, call, this.heardBy(listener))
    this.catchUp()
  }

  private hear(seat: { readonly name: string; readonly service: ServedService }, message: SeatMessage): void {
    const hearing = this.makers[seat.service].get(seat.name)
    if (hearing === undefined) return
    this.catchUp()
    const { to, key, handler } = hearing
    handler.told(to, message)
    this.desks.told(key, to, message, this.nowUs, this.session.shownSale(seat.service))
    this.told?.(to, message.kind)
  }

  /** Gives handlers the rows that they have not seen. */
  catchUp(): void {
    for (const one of this.serving) {
      const { events, handler } = one
      while (one.taken < events.count) {
        const row = events.row(one.taken++)
        handler.take(events, row)
        for (const hear of one.ears) hear(events, row)
      }
    }
  }

  private flushed(_batch: Batch): void {
    this.catchUp()
    for (const one of this.serving) one.taken = 0
  }
}

/** What a command is, as text. Commands that are alike are the same in either order. */
const keyOf = (service: ServedService, account: number, { op, fields, legs = [], list = [], credential }: ExternalCall): string =>
  JSON.stringify([service, account, op, credential ?? null, fields, legs, list])

/** The seats of a scenario that clients hold, each with its account. */
function seatsOf({ resolved: { makers, bettors } }: PreparedScenario, { directory }: BuiltSession): ExternalSeat[] {
  const accountOf = (name: string): number => directory.accounts.findIndex((account) => account.name === name)
  return [
    ...makers.filter(({ external }) => external === true).map(({ name, service }): ExternalSeat => ({ service, role: 'maker', name, account: accountOf(name) })),
    ...bettors.filter(({ external }) => external === true)
      .map(({ name, service, account }): ExternalSeat => ({ service, role: 'bettor', name, account: accountOf(account ?? `${name}-1`) })),
  ]
}
