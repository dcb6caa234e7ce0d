import { TimingWheel } from '../kernel/timingWheel.ts'
import { rootKey } from '../kernel/random.ts'
import { keysOf } from '../market/exclusion.ts'
import { LiveMarkets } from '../market/liveMarkets.ts'
import { PostingRows } from '../ledger/postingRows.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import { Service } from '../unit/services.ts'
import { hashImage, LaneHash } from '../unit/laneHash.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import * as timeModule from '../unit/time.ts'
import { EventRows } from '../venue/eventRows.ts'
import * as commandsModule from '../venue/parlay/protocol/commands.ts'
import { ParlayCommand } from '../venue/parlay/protocol/commands.ts'
import { parlayGate } from '../venue/parlay/gate/gate.ts'
import type { ParlayGateView } from '../venue/parlay/protocol/gate.ts'
import { ParlayJournal } from '../venue/parlay/protocol/journal.ts'
import { type ParlayVenue, parlayVenue } from '../venue/parlay/venue.ts'
import { Access } from './access.ts'
import { Boards } from './boards.ts'
import { Cohorts } from './cohorts.ts'
import * as configModule from './config.ts'
import type { OperatorInput, SessionConfig } from './config.ts'
import { Delivery } from './delivery.ts'
import { type DeskBook, MakerSeats } from './makerSeats.ts'
import * as messagesModule from './messages.ts'
import { Transit } from './transit.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NEVER_US } = timeModule
const { ParlayOp } = commandsModule
const { MARKET_CLOSES } = configModule
const { FIRST_GATE_KIND, FIRST_HOLDING_KIND, M, MessageKind } = messagesModule

const OPERATOR_ACCOUNT = -1

/** What a session has done so far. */
export interface SessionCounts {
  arrivals: number
  commands: number
  rows: number
  messages: number
  /** Auctions opened, and positions sold in them. */
  auctions: number
  sales: number
}

/**
 * One deterministic session: the venue, its participants and what is under way between them, in virtual time. `run` plays it
 * in chunks and flushes the sinks between them; chunk sizes change no byte.
 */
export class Session implements Snapshot {
  /** The gate around it, when there is one. */
  readonly venue: ParlayVenue
  /** Null without a gate. */
  readonly gateView: ParlayGateView | null = null
  private readonly config: SessionConfig
  private readonly events: EventRows
  private readonly postings: PostingRows
  private readonly sequence: RowSequence = { next: 1 }
  private readonly journal = new ParlayJournal(Service.parlay)
  private readonly command = new ParlayCommand()
  private readonly transit: Transit
  private readonly boards: Boards
  private readonly live: LiveMarkets
  private readonly makers: MakerSeats
  private readonly cohorts: Cohorts
  private readonly delivery: Delivery
  private readonly access: Access | null = null
  private commandSeq = 0
  private operatorAt = 0
  /** Of the next operator input; NEVER_US when there is none. One in the past is played now. */
  private operatorUs: number = NEVER_US
  private messageCount = 0
  private started = false

  constructor(config: SessionConfig) {
    this.config = config
    const key = rootKey(config.seed)
    this.events = new EventRows(this.sequence, Service.parlay)
    this.postings = new PostingRows(this.sequence, Service.parlay)
    this.lookAtOperator(0)
    const venue = parlayVenue(config.profile, this.events, this.postings)
    this.venue = venue
    if (config.gate !== undefined) {
      const gate = parlayGate(venue, config.gate.profile, this.events)
      this.venue = gate
      this.gateView = gate.gateView
    }
    this.transit = new Transit(new TimingWheel(), config.startUs)
    this.boards = new Boards(config.ticks, config.marketCount)
    this.live = new LiveMarkets(config.marketCount)
    this.cohorts = new Cohorts(config, key, this.transit, this.boards, this.live, config.keys)
    this.makers = new MakerSeats(config, this.cohorts.accountCount, key, this.transit, this.boards)
    if (config.gate !== undefined) {
      const port = { command: this.command, send: (message: number) => this.apply(message) }
      const { events: rows, transit, makers, cohorts } = this
      this.access = new Access(config, config.gate, key, { rows, transit, makers, cohorts, port })
    }
    this.delivery = new Delivery(
      this.events, this.transit, this.makers, this.cohorts, this.live, this.boards.results, config.profile, this.access,
    )
  }

  get nowUs(): number {
    return this.transit.nowUs
  }

  get counts(): SessionCounts {
    return {
      arrivals: this.cohorts.arrivals, commands: this.commandSeq, rows: this.sequence.next - 1, messages: this.messageCount,
      auctions: this.delivery.cashouts.opened, sales: this.delivery.cashouts.sales,
    }
  }

  /** Requests and new versions that reached each maker so far. */
  deliveredRequests(): { readonly name: string; readonly requests: number }[] {
    return this.makers.deliveredRequests()
  }

  /** The makers' books, as far as what was delivered tells them. */
  desks(): DeskBook[] {
    return this.makers.desks()
  }

  /** Plays up to `steps` things (operator inputs, deadlines, messages) and flushes the sinks. False when nothing is left. */
  run(steps: number): boolean {
    if (!this.started) this.start()
    const more = this.play(steps)
    this.flush()
    return more
  }

  /** The loop alone: with anything after it in the same function, V8 throws its optimised code away at each chunk's end. */
  private play(steps: number): boolean {
    for (let i = 0; i < steps; i++) {
      if (!this.step()) return false
    }
    return true
  }

  /** Plays the session to its end and finishes the sinks; calls `between` after each chunk. */
  runToEnd(chunk = 512, between?: () => void): void {
    try {
      while (this.run(chunk)) between?.()
    } catch (error) {
      for (const sink of this.config.sinks) sink.abort()
      throw error
    }
    for (const sink of this.config.sinks) sink.finish(this.nowUs)
  }

  /** Every account gets its capital paid in, and before a gate its key; bettors' first arrivals are scheduled. */
  private start(): void {
    this.started = true
    this.access?.makeKeys()
    for (const cohort of this.cohorts.cohorts) {
      if (cohort.entry.account !== undefined) continue
      for (let i = 0; i < cohort.entry.bettors; i++) this.deposit(cohort.firstAccount + i, cohort.entry.bankrollMicros)
    }
    for (const seat of this.makers.seats) this.deposit(seat.account, seat.entry.capitalMicros)
    this.access?.open()
    this.cohorts.start()
  }

  private deposit(account: number, amountMicros: number): void {
    this.command.reset(ParlayOp.deposit, account)
    this.command.amountMicros = amountMicros
    this.apply(-1)
  }

  private step(): boolean {
    const { transit, operatorUs } = this
    const deadlineUs = this.venue.nextDeadlineUs()
    const queueUs = transit.queue.nextUs()
    if (queueUs < deadlineUs && queueUs < operatorUs) {
      transit.nowUs = queueUs
      this.receive(transit.queue.pop())
    } else if (deadlineUs < operatorUs) {
      transit.nowUs = deadlineUs
      this.venue.pulse(deadlineUs)
      this.delivery.route(-1)
    } else if (operatorUs < NEVER_US) {
      transit.nowUs = Math.max(operatorUs, transit.nowUs)
      const input = this.config.operator[this.operatorAt]!
      this.lookAtOperator(this.operatorAt + 1)
      this.operate(input)
    } else return false
    return true
  }

  /** Makes operator input `index` the next. */
  private lookAtOperator(index: number): void {
    this.operatorAt = index
    this.operatorUs = this.config.operator[index]?.atUs ?? NEVER_US
  }

  private operate(input: OperatorInput): void {
    if (input.op === MARKET_CLOSES) return this.live.remove(input.market)
    const { command } = this
    command.reset(input.op, OPERATOR_ACCOUNT)
    command.market = input.market
    command.closeUs = input.closeUs ?? -1
    command.value = input.value ?? -1
    command.value2 = input.value2 ?? -1
    if (input.op === ParlayOp.listMarket) {
      const keys = keysOf(this.config.keys, input.market)
      for (let i = 0; i < keys.length; i++) command.item(keys[i]!)
    }
    this.apply(-1)
  }

  private receive(slot: number): void {
    const { messages } = this.transit
    this.messageCount++
    const kind = messages.cells[slot + M.kind]!
    switch (kind) {
      case MessageKind.command: this.bring(slot); break
      case MessageKind.arrival: this.cohorts.arrive(slot); break
      case MessageKind.decision: this.cohorts.decide(slot); break
      case MessageKind.bestToBettor: this.cohorts.bestArrived(slot); break
      case MessageKind.refused: this.cohorts.refused(slot); break
      default:
        if (kind < FIRST_HOLDING_KIND) this.makers.deliver(slot, kind)
        else if (kind === MessageKind.requestAgain) this.cohorts.requestAgain(slot)
        else if (kind >= FIRST_GATE_KIND) this.access!.receive(slot, kind)
        else this.cohorts.sellers.receive(slot, kind)
    }
    messages.give(slot)
  }

  /** A participant's command reaches the venue. */
  private bring(slot: number): void {
    const { messages } = this.transit
    const { command } = this
    const op = messages.cells[slot + M.op]!
    command.reset(op, messages.cells[slot + M.account]!)
    if (op === ParlayOp.submitBid || (op >= ParlayOp.openCashout && op <= ParlayOp.commitCashout)) return this.bringCashout(slot)
    command.request = messages.cells[slot + M.request]!
    command.version = messages.cells[slot + M.version]!
    command.contentTag = messages.cells[slot + M.contentTag]!
    command.quote = messages.cells[slot + M.quote]!
    command.bookSeq = messages.cells[slot + M.bookSeq]!
    command.oddsE4 = messages.cells[slot + M.oddsE4]!
    command.validMs = messages.cells[slot + M.validMs]!
    command.memoE9 = messages.cells[slot + M.memo]!
    if (op === ParlayOp.createRequest) {
      command.betMicros = messages.cells[slot + M.amount]!
      this.cohorts.putLegs(messages.cells[slot + M.intent]!, command)
    } else if (op === ParlayOp.commitRequest) this.cohorts.putExcluded(slot, command)
    this.apply(slot)
  }

  /** The rest of `bring` for a command about an auction. */
  private bringCashout(slot: number): void {
    const { messages } = this.transit
    const { command } = this
    command.position = messages.cells[slot + M.position]!
    command.auction = messages.cells[slot + M.auction]!
    command.amountMicros = messages.cells[slot + M.amount]!
    command.validMs = messages.cells[slot + M.validMs]!
    command.memoE9 = messages.cells[slot + M.memo]!
    this.apply(slot)
  }

  private apply(message: number): void {
    if (this.access !== null) this.access.sign(this.command)
    this.command.seq = ++this.commandSeq
    this.journal.append(this.transit.nowUs, this.command)
    this.venue.apply(this.transit.nowUs, this.command)
    this.delivery.route(message)
  }

  private flush(): void {
    const batch = { parlay: { events: this.events, postings: this.postings, journal: this.journal }, outcome: null }
    for (const sink of this.config.sinks) sink.flush(batch)
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
    this.delivery.rewind()
  }

  /** Fingerprint of the whole session. */
  stateHash(): string {
    const hash = new LaneHash()
    hashImage(hash, this.snapshot())
    return hash.hex()
  }

  /** Precondition: between two calls of `run`, when the rows have been flushed. */
  snapshot(): Image {
    return {
      sequence: this.sequence.next, commandSeq: this.commandSeq, operatorAt: this.operatorAt, messageCount: this.messageCount,
      started: this.started, venue: this.venue.snapshot(), transit: this.transit.snapshot(), boards: this.boards.snapshot(),
      live: this.live.snapshot(), makers: this.makers.snapshot(), cohorts: this.cohorts.snapshot(), delivery: this.delivery.snapshot(),
      access: this.access === null ? null : this.access.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { [name: string]: Image }
    this.sequence.next = from.sequence as number
    this.commandSeq = from.commandSeq as number
    this.lookAtOperator(from.operatorAt as number)
    this.messageCount = from.messageCount as number
    this.started = from.started as boolean
    this.venue.restore(from.venue!)
    this.transit.restore(from.transit!)
    this.boards.restore(from.boards!)
    this.live.restore(from.live!)
    this.makers.restore(from.makers!)
    this.cohorts.restore(from.cohorts!)
    this.delivery.restore(from.delivery!)
    this.access?.restore(from.access!)
  }
}
