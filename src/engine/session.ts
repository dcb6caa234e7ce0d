import { rootKey } from '../kernel/random.ts'
import { seedOfPart } from '../kernel/seeds.ts'
import { TimingWheel } from '../kernel/timingWheel.ts'
import { sourceOf } from '../market/tickSource.ts'
import { assert } from '../unit/assert.ts'
import { hashImage, LaneHash } from '../unit/laneHash.ts'
import { withPlainTraces } from '../unit/plainTraces.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
import { MarketOp } from '../venue/contract.ts'
import { Accounts } from './accounts.ts'
import { Boards } from './boards.ts'
import { type OperatorInput, type ServiceName, type SessionConfig, WITHDRAWS } from './config.ts'
import type { CallListener, ExternalCall } from './externalCalls.ts'
import type { ShownSale } from './heldPositions.ts'
import type { DeskBook, RequestDeliveries } from './makerSeats.ts'
import { OutcomeSession } from './outcome/outcomeSession.ts'
import { ParlaySession } from './parlay/parlaySession.ts'
import type { ArrivalTally, Shared } from './play.ts'
import { rostersOf } from './roster.ts'
import type { ServiceSession } from './serviceSession.ts'

/**
 * Steps of the loop between two flushes. They are few, so that the rows between two flushes stay in the nearest caches. With sinks there
 * are more, because a sink has a cost for each flush, however few the rows are.
 */
const CHUNK_STEPS = 128
const CHUNK_STEPS_WITH_SINKS = 512

/** What a session has done so far, all services together. */
export interface SessionCounts {
  arrivals: number
  commands: number
  rows: number
  messages: number
  /** Auctions opened, and positions sold in them. */
  auctions: number
  sales: number
  /** Present where `arrivalsMax` kept bettors away: the instant of the last arrival, µs, and how many arrivals asked for nothing. */
  arrivalsEndedUs?: number
  idleArrivals?: number
}

/**
 * One deterministic session in virtual time: the clock, the queue and the operator, and on them one service or both. `run` plays it
 * in chunks and flushes the sinks between them; chunk sizes change no byte.
 */
export class Session implements Snapshot {
  /** Null when the session does not have the service. */
  readonly parlay: ParlaySession | null = null
  readonly outcome: OutcomeSession | null = null
  private declare readonly config: SessionConfig
  private declare readonly shared: Shared
  /** In the order of their numbers. */
  private declare readonly services: readonly ServiceSession[]
  private declare readonly first: ServiceSession
  private declare readonly second: ServiceSession | null
  /** The services of a session, by number. */
  private declare readonly ofNumber: readonly (ServiceSession | null)[]
  private operatorAt = 0
  /** Instant of the next operator input, NEVER_US when there is none. An input in the past is played now. */
  private operatorUs: number = NEVER_US
  /** Whether that input stands for a participant, whose command comes after the deadlines of its instant. */
  private operatorYields = false
  /** Where the loop stands still, as if an input of a participant were due then that nobody has yet; NEVER_US: nowhere. */
  private standUs: number = NEVER_US
  /** Whether it stands still before the next operator input. */
  private stands = false
  /** When other strategies take seats, NEVER_US where none does any more. */
  private swapUs: number = NEVER_US
  private playedUs = 0
  /** The instant of the last thing that happened. Forgetting does not count. */
  private lastUs = 0
  private started = false
  /** Whether participants have been told that nothing is left. */
  private ended = false
  private turnOf: ServiceName | null = null

  constructor(config: SessionConfig) {
    const rosters = rostersOf(config)
    assert(rosters.length > 0, 'a session has a service')
    this.config = config
    this.playedUs = this.lastUs = config.startUs
    this.shared = {
      keys: { session: rootKey(config.seed), bettors: rootKey(seedOfPart(config, 'bettors')), makers: rootKey(seedOfPart(config, 'makers')) },
      queue: new TimingWheel(), boards: new Boards(sourceOf(config.ticks), config.marketCount, config.depth),
      accounts: new Accounts(rosters), rows: { next: 1 }, commands: { next: 1 }, arrivals: { count: 0, idle: 0, lastUs: 0, isCut: false },
    }
    for (const { op, service } of config.operator) {
      assert(service !== undefined || rosters.length === 1 || op <= MarketOp.resolve, `opcode ${op} needs a service, it is another one on each`)
    }
    this.swapUs = config.swap?.atUs ?? NEVER_US
    this.lookAtOperator(0)
    const rosterOf = (name: ServiceName) => rosters.find(({ service }) => service === name)!
    if (config.parlay !== undefined) this.parlay = new ParlaySession(config, config.parlay, rosterOf('parlay'), this.shared)
    if (config.outcome !== undefined) this.outcome = new OutcomeSession(config, config.outcome, rosterOf('outcome'), this.shared)
    this.ofNumber = [this.parlay, this.outcome]
    if (this.parlay !== null && this.outcome !== null) {
      this.parlay.layOffTo(this.outcome)
      this.outcome.layOffTo(this.parlay)
    }
    this.services = this.ofNumber.filter((service) => service !== null)
    this.first = this.services[0]!
    this.second = this.services[1] ?? null
  }

  /** Steps to `run` at a time for the best speed. */
  get chunkSteps(): number {
    return this.config.sinks.length > 0 ? CHUNK_STEPS_WITH_SINKS : CHUNK_STEPS
  }

  /** The instant of the last thing that happened, µs. */
  get nowUs(): number {
    return this.lastUs
  }

  /** How far the loop has played, forgetting too, µs. */
  get reachedUs(): number {
    return this.playedUs
  }

  get counts(): SessionCounts {
    const { arrivals, commands, rows } = this.shared
    const counts = { arrivals: arrivals.count, commands: commands.next - 1, rows: rows.next - 1, messages: 0, auctions: 0, sales: 0 }
    for (const service of this.services) {
      const { messages, auctions, sales } = service.counts
      counts.messages += messages
      counts.auctions += auctions
      counts.sales += sales
    }
    return arrivals.isCut ? { ...counts, arrivalsEndedUs: arrivals.lastUs, idleArrivals: arrivals.idle } : counts
  }

  /** How many requests and new versions reached each maker so far, service by service. */
  deliveredRequests(): (RequestDeliveries & { readonly service: ServiceName })[] {
    return this.services.flatMap((service) => service.deliveredRequests().map((delivered) => ({ service: service.name, ...delivered })))
  }

  /** Requests that each cohort asked for so far, service by service. */
  askedRequests(): { readonly service: ServiceName; readonly name: string; readonly requests: number }[] {
    return this.services.flatMap((service) => service.askedRequests().map((asked) => ({ service: service.name, ...asked })))
  }

  /** The makers' books, service by service, as far as what was delivered tells them. */
  desks(): (DeskBook & { readonly service: ServiceName })[] {
    return this.services.flatMap((service) => service.desks().map((book) => ({ service: service.name, ...book })))
  }

  /**
   * Plays up to `steps` things (operator inputs, deadlines, messages) and flushes the sinks. Deadlines without any effect count with the one
   * before them. False when nothing is left. Whoever calls it again and again does so within `withPlainTraces`, without which each call of a
   * strategy in a room enters it.
   * @param flushRows with fewer event rows than these, the sinks get them later: whoever says so flushes at the end with 0.
   */
  run(steps: number, flushRows = 0): boolean {
    if (!this.started) {
      this.started = true
      for (const service of this.services) service.start()
    }
    const more = this.play(steps)
    if (!more && !this.ended && this.standUs === NEVER_US) this.end()
    if (this.rowsWaiting() >= flushRows) this.flush()
    return more
  }

  /** Nothing is left: participants are told so, and send nothing any more. */
  private end(): void {
    this.ended = true
    for (const service of this.services) service.end(this.lastUs)
  }

  /** The loop alone: if anything followed it in the same function, V8 would throw its optimised code away at the end of each chunk. */
  private play(steps: number): boolean {
    for (let i = 0; i < steps; i++) {
      if (!this.step()) return false
    }
    return true
  }

  /** Plays the session to its end and finishes the sinks; calls `between` after each chunk. */
  runToEnd(chunk = this.chunkSteps, between?: () => void): void {
    try {
      withPlainTraces(() => {
        while (this.run(chunk)) between?.()
      })
    } catch (error) {
      for (const sink of this.config.sinks) sink.abort()
      throw error
    }
    for (const sink of this.config.sinks) sink.finish(this.nowUs)
  }

  /** At equal times the operator comes first, then deadlines by service, then the queue (design.md, decision 2). */
  private step(): boolean {
    const { operatorUs, second } = this
    const { queue } = this.shared
    let due = this.first
    let deadlineUs = due.nextDeadlineUs()
    if (second !== null && second.nextDeadlineUs() < deadlineUs) {
      due = second
      deadlineUs = second.nextDeadlineUs()
    }
    const queueUs = queue.nextUs()
    if (queueUs < deadlineUs && queueUs < operatorUs) {
      this.playedUs = this.lastUs = queueUs
      const payload = queue.pop()
      // The number of the message's service is its last bit (transit.ts).
      this.ofNumber[payload & 1]!.receive(queueUs, payload & ~1)
    } else if (deadlineUs < operatorUs || (this.operatorYields && deadlineUs === operatorUs)) {
      const counts = due.pulse(deadlineUs, Math.min(queueUs, operatorUs, second === null ? NEVER_US : this.laterDeadlineUs()))
      this.playedUs = due.nowUs
      if (counts) this.lastUs = due.nowUs
    } else if (operatorUs < NEVER_US) {
      if (this.stands) return false
      if (operatorUs === this.swapUs) {
        this.swap()
        return true
      }
      this.playedUs = this.lastUs = Math.max(operatorUs, this.playedUs)
      const input = this.config.operator[this.operatorAt]!
      this.lookAtOperator(this.operatorAt + 1)
      this.operate(input)
    } else return false
    return true
  }

  /** Precondition: the session has two services. */
  private laterDeadlineUs(): number {
    return Math.max(this.first.nextDeadlineUs(), this.second!.nextDeadlineUs())
  }

  /** Makes operator input `index` the next, unless the loop stands still before it. */
  private lookAtOperator(index: number): void {
    this.operatorAt = index
    const next = this.config.operator[index]
    const inputUs = Math.min(next?.atUs ?? NEVER_US, this.swapUs)
    this.stands = this.standUs < inputUs
    this.operatorUs = Math.min(inputUs, this.standUs)
    this.operatorYields = this.stands || (next?.op === WITHDRAWS && inputUs < this.swapUs)
  }

  /** Before everything else of its instant. Nothing that counts happens thereby, so that a session ends when it would have ended. */
  private swap(): void {
    const { swapUs } = this
    this.swapUs = NEVER_US
    this.playedUs = Math.max(swapUs, this.playedUs)
    this.lookAtOperator(this.operatorAt)
    for (const { service, ...entry } of this.config.swap!.makers) this.played(service).swap(this.playedUs, entry)
  }

  /**
   * From now on `run` plays what comes before an input from outside at `atUs`: the deadlines of that instant too, and of the queue what is due
   * before it. NEVER_US: everything.
   */
  standAt(atUs: number): void {
    this.standUs = atUs
    this.lookAtOperator(this.operatorAt)
  }

  /** When the next thing happens by itself, NEVER_US when nothing does any more. */
  nextUs(): number {
    const inputUs = this.config.operator[this.operatorAt]?.atUs ?? NEVER_US
    let earliestUs = Math.min(inputUs, this.shared.queue.nextUs())
    for (const service of this.services) earliestUs = Math.min(earliestUs, service.nextDeadlineUs())
    return earliestUs
  }

  /**
   * A call of an account's client reaches its service at the instant at which the loop stands. Precondition: `run` has played all before it.
   * Its answer is heard as soon as the service gives it.
   */
  bringCall(name: ServiceName, account: number, call: ExternalCall, listener: CallListener): void {
    this.standHere('a call comes in')
    this[name]!.bringCall(this.standUs, account, call, listener)
  }

  /** The client of an account from outside has left the session, or is back, where the loop stands. Precondition: as in `bringCall`. */
  followClient(name: ServiceName, account: number, isHere: boolean): void {
    this.standHere('a client leaves and is back')
    this.played(name).followClient(this.standUs, account, isHere)
  }

  /**
   * The client of a participant that is being told something has its turn: the loop stands behind what it is doing, until `endTurn`. Calls are
   * sent there by `sendCall`, and come in behind all that the queue holds for their instants.
   */
  beginTurn(name: ServiceName): void {
    this.played(name).beginTurn()
    this.turnOf = name
    this.standAt(this.lastUs)
  }

  /** The same where the loop stands, for a client that nothing has told. Precondition: `run` has played all before it. */
  beginTurnHere(name: ServiceName): void {
    this.standHere('a turn begins')
    this.beginTurn(name)
  }

  /** The loop goes on, and then stands at `standAtUs`; NEVER_US: nowhere. */
  endTurn(standAtUs: number): void {
    assert(this.turnOf !== null, 'a turn is open')
    this.played(this.turnOf).endTurn()
    this.turnOf = null
    this.standAt(standAtUs)
  }

  /** The service whose participant has its turn, null between turns. */
  get turn(): ServiceName | null {
    return this.turnOf
  }

  /** Auction and best bid of the held position that a maker of the service is being shown; −1 for none. */
  shownSale(name: ServiceName): ShownSale {
    return this.played(name).shownSale
  }

  /** A call of an account's client goes on its way, which is as long as that of a strategy's command. Precondition: the loop stands. */
  sendCall(name: ServiceName, account: number, call: ExternalCall, listener: CallListener): void {
    this.played(name).sendAt(this.lastUs, account, call, listener)
  }

  /** The client whose turn it is asks to be called again, at an instant from now on. */
  wake(atUs: number, woken: () => void): void {
    assert(this.turnOf !== null && atUs >= this.lastUs, 'a client asks in its turn to be called again later')
    this.played(this.turnOf).wake(atUs - this.lastUs, woken)
  }

  /** What comes in now happens at the instant at which the loop stands. */
  private standHere(what: string): void {
    assert(this.standUs < NEVER_US && this.standUs >= this.playedUs, `${what} where the loop stands`)
    this.playedUs = this.lastUs = this.standUs
  }

  private played(name: ServiceName): ParlaySession | OutcomeSession {
    const played = this[name]
    assert(played !== null, `the session has the service ${name}`)
    return played
  }

  private operate(input: OperatorInput): void {
    for (const service of this.services) {
      if (input.service === undefined || input.service === service.name) service.operate(this.playedUs, input)
    }
  }

  private rowsWaiting(): number {
    return (this.parlay?.batch.events.count ?? 0) + (this.outcome?.batch.events.count ?? 0)
  }

  private flush(): void {
    const batch = { parlay: this.parlay?.batch ?? null, outcome: this.outcome?.batch ?? null }
    for (const sink of this.config.sinks) sink.flush(batch)
    for (const service of this.services) service.clear()
  }

  /** Fingerprint of the whole session. */
  stateHash(): string {
    const hash = new LaneHash()
    hashImage(hash, this.snapshot())
    return hash.hex()
  }

  /** Precondition: between two calls of `run`, when the rows have been flushed, of a session in which nobody's seat is taken. */
  snapshot(): Image {
    assert(this.config.swap === undefined, 'no image is taken of a session in which strategies take seats')
    const { queue, boards, rows, commands, arrivals } = this.shared
    return {
      rows: rows.next, commands: commands.next, arrivals: { ...arrivals }, operatorAt: this.operatorAt, playedUs: this.playedUs, lastUs: this.lastUs,
      started: this.started, ended: this.ended, queue: queue.snapshot(), boards: boards.snapshot(),
      services: this.services.map((service) => service.snapshot()),
    }
  }

  restore(image: Image): void {
    const from = image as unknown as {
      rows: number; commands: number; arrivals: ArrivalTally; operatorAt: number; playedUs: number; lastUs: number; started: boolean; ended: boolean
      queue: Image; boards: Image; services: readonly Image[]
    }
    const { queue, boards, rows, commands, arrivals } = this.shared
    rows.next = from.rows
    commands.next = from.commands
    Object.assign(arrivals, from.arrivals)
    this.lookAtOperator(from.operatorAt)
    this.playedUs = from.playedUs
    this.lastUs = from.lastUs
    this.started = from.started
    this.ended = from.ended
    queue.restore(from.queue)
    boards.restore(from.boards)
    this.services.forEach((service, i) => service.restore(from.services[i]!))
  }
}
