import { PostingRows } from '../../ledger/postingRows.ts'
import { LiveMarkets } from '../../market/liveMarkets.ts'
import type { OutcomeBatch } from '../../record/sink.ts'
import { assert } from '../../unit/assert.ts'
import type { RowSequence } from '../../unit/rowSequence.ts'
import { Service } from '../../unit/services.ts'
import type { Image } from '../../unit/snapshot.ts'
import { EventRows, NONE } from '../../venue/eventRows.ts'
import { outcomeGate } from '../../venue/outcome/gate/gate.ts'
import { AccountRole, OutcomeCommand, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import type { OutcomeGateView } from '../../venue/outcome/protocol/gate.ts'
import { OutcomeJournal } from '../../venue/outcome/protocol/journal.ts'
import { type OutcomeVenue, outcomeVenue } from '../../venue/outcome/venue.ts'
import { OriginLog } from '../../venue/outcome/wire/originLog.ts'
import { Cohorts } from '../cohorts.ts'
import { MARKET_CLOSES, type OperatorInput, type OutcomeServiceConfig, type SessionConfig, WITHDRAWS } from '../config.ts'
import { type DeskBook, MakerSeats } from '../makerSeats.ts'
import { FIRST_GATE_KIND, FIRST_HOLDING_KIND, MessageKind, MessageWord } from '../messages.ts'
import type { LayOff, LayOffPort, ServicePlay, Shared } from '../play.ts'
import type { Roster } from '../roster.ts'
import type { ServiceCounts, ServiceSession } from '../serviceSession.ts'
import { Transit } from '../transit.ts'
import { OutcomeAccess } from './access.ts'
import { OutcomeClerk } from './clerk.ts'
import { CommandWriter } from './commandWriter.ts'
import { OutcomeDelivery } from './delivery.ts'
import { Retries } from './retries.ts'
import { outcomeTexts, termsDigestOf } from './signatures.ts'

const OPERATOR_ACCOUNT = -1

/** The outcome-market RFQ service in a session. Strategies play on it as on the parlay service: what differs is the clerk's and the translation's. */
export class OutcomeSession implements ServiceSession {
  readonly name = 'outcome'
  /** The gate around it, when there is one. */
  declare readonly venue: OutcomeVenue
  /** Null without a gate. */
  readonly gateView: OutcomeGateView | null = null
  declare readonly batch: OutcomeBatch
  private declare readonly play: ServicePlay
  private declare readonly outcomeIds: OutcomeServiceConfig['outcomeIds']
  private declare readonly events: EventRows
  private declare readonly postings: PostingRows
  private declare readonly commands: RowSequence
  /** Has sinks: without any, nobody reads the journal. */
  private declare readonly isHeard: boolean
  private readonly journal = new OutcomeJournal(Service.outcome)
  private readonly command = new OutcomeCommand()
  private declare readonly transit: Transit
  private declare readonly live: LiveMarkets
  private declare readonly clerk: OutcomeClerk
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly writer: CommandWriter
  private declare readonly delivery: OutcomeDelivery
  private readonly access: OutcomeAccess | null = null
  /** What ids are made of, which EIP-712 digests name; null without them. */
  private declare readonly origins: OriginLog | null
  private originsTaken = 0
  private messageCount = 0

  constructor(terms: SessionConfig, service: OutcomeServiceConfig, roster: Roster, shared: Shared) {
    const { profile, outcomeIds, gate } = service
    for (const { name, account } of roster.cohorts) assert(account === undefined, `a maker's account asks for no prices here, but ${name} bets with one`)
    this.outcomeIds = outcomeIds
    this.commands = shared.commands
    this.isHeard = terms.sinks.length > 0
    this.events = new EventRows(shared.rows, Service.outcome)
    this.postings = new PostingRows(shared.rows, Service.outcome)
    this.batch = { events: this.events, postings: this.postings, journal: this.journal }
    this.origins = service.signatures === 'eip712' ? new OriginLog() : null
    const digest = termsDigestOf(outcomeTexts(outcomeIds), terms.seed, this.origins)
    const venue = outcomeVenue(profile, this.events, this.postings, digest)
    this.venue = venue
    if (gate !== undefined) {
      const gated = outcomeGate(venue, gate.profile, this.events, digest)
      this.venue = gated
      this.gateView = gated.gateView
    }
    this.transit = new Transit(shared.queue, Service.outcome, terms.startUs)
    this.live = new LiveMarkets(terms.marketCount)
    this.clerk = new OutcomeClerk(this.transit, profile, digest, shared.accounts.count, roster.makers.length)
    const play: ServicePlay = {
      ...terms, ...roster, isGated: gate !== undefined, basisMoves: profile.feeOnCashout === 1, feeOnMaker: false, clerk: this.clerk,
      layOffs: null,
    }
    this.play = play
    this.cohorts = new Cohorts(play, shared, this.transit, this.live, profile.takerFeeBps)
    this.makers = new MakerSeats(play, shared.accounts, shared.key, this.transit, shared.boards)
    const { messages } = this.transit
    this.writer = new CommandWriter({ messages, cohorts: this.cohorts, clerk: this.clerk, outcomeIds, isGated: play.isGated })
    const parts = { rows: this.events, transit: this.transit, makers: this.makers, cohorts: this.cohorts, clerk: this.clerk }
    if (gate !== undefined) {
      const port = { command: this.command, send: (message: number) => this.apply(message) }
      const untilUs = terms.operator.at(-1)?.atUs ?? terms.startUs
      this.access = new OutcomeAccess({ ...parts, gate, digest, port, accountCount: shared.accounts.count, untilUs })
    }
    this.delivery = new OutcomeDelivery({
      ...parts, live: this.live, results: shared.boards.results, profitOverGross: profile.profitOverGross === 1,
      access: this.access, retries: gate === undefined ? null : new Retries(gate.retries, parts),
    })
  }

  get counts(): ServiceCounts {
    return { messages: this.messageCount, auctions: this.delivery.cashouts.opened, sales: this.delivery.cashouts.sales }
  }

  desks(): DeskBook[] {
    return this.makers.desks()
  }

  layOffTo(other: LayOffPort): void {
    this.play.layOffs = other
  }

  layOff(nowUs: number, asked: LayOff): boolean {
    this.transit.nowUs = nowUs
    return this.clerk.isBet(asked.legs.legCount, asked.stakeMicros, asked.minOddsE4) && this.cohorts.layOff(asked)
  }

  deliveredRequests(): { readonly name: string; readonly requests: number }[] {
    return this.makers.deliveredRequests()
  }

  /** Accounts get their roles first, since nobody can pay in before. */
  start(): void {
    const { cohorts } = this.cohorts
    for (const { entry, firstAccount } of cohorts) {
      for (let i = 0; i < entry.bettors; i++) this.bind(firstAccount + i, AccountRole.participant)
    }
    for (const { account } of this.makers.seats) this.bind(account, AccountRole.maker)
    if (this.access !== null) {
      for (const { entry, firstAccount } of cohorts) for (let i = 0; i < entry.bettors; i++) this.access.makeKey(firstAccount + i)
      for (const { account } of this.makers.seats) this.access.makeKey(account)
    }
    for (const { entry, firstAccount } of cohorts) {
      for (let i = 0; i < entry.bettors; i++) this.deposit(firstAccount + i, entry.bankrollMicros)
    }
    for (const { account, entry } of this.makers.seats) this.deposit(account, entry.capitalMicros)
    this.access?.open()
    this.cohorts.start()
  }

  private bind(account: number, role: number): void {
    this.command.reset(OutcomeOp.bindAccount, OPERATOR_ACCOUNT)
    this.command.value = account
    this.command.value2 = role
    this.apply(NONE)
  }

  private deposit(account: number, amountMicros: number): void {
    this.command.reset(OutcomeOp.deposit, account)
    this.command.amountMicros = amountMicros
    this.apply(NONE)
  }

  /** Of a maker's account: lowers its collateral. */
  private withdraw(account: number, amountMicros: number): void {
    const isMaker = this.makers.seatOf(account) >= 0
    this.command.reset(isMaker ? OutcomeOp.reduceCollateral : OutcomeOp.withdraw, account)
    this.command.amountMicros = amountMicros
    this.clerk.payOut(this.command)
    this.apply(NONE)
  }

  nextDeadlineUs(): number {
    return this.venue.nextDeadlineUs()
  }

  get nowUs(): number {
    return this.transit.nowUs
  }

  /** Keys stay taken for days, long after the last row. */
  pulse(nowUs: number): boolean {
    const { count } = this.events
    this.transit.nowUs = nowUs
    this.venue.pulse(nowUs)
    this.route(NONE, NONE)
    return this.events.count > count
  }

  operate(nowUs: number, input: OperatorInput): void {
    this.transit.nowUs = nowUs
    if (input.op === MARKET_CLOSES) return this.live.remove(input.market)
    if (input.op === WITHDRAWS) return this.withdraw(input.value!, input.value2!)
    const { command } = this
    command.reset(input.op, OPERATOR_ACCOUNT)
    command.outcome = input.market
    command.closeUs = input.closeUs ?? NONE
    command.value = input.value ?? NONE
    command.value2 = input.value2 ?? NONE
    if (input.op === OutcomeOp.listOutcome) for (const limb of this.outcomeIds[input.market]!) command.item(limb)
    this.apply(NONE)
  }

  receive(nowUs: number, slot: number): void {
    const { messages } = this.transit
    this.transit.nowUs = nowUs
    this.messageCount++
    const kind = messages.words[slot + MessageWord.kind]!
    switch (kind) {
      case MessageKind.command: this.bring(slot); break
      case MessageKind.arrival: this.cohorts.arrive(slot); break
      case MessageKind.decision: this.cohorts.decide(slot); break
      case MessageKind.bestToBettor: this.cohorts.bestArrived(slot); break
      case MessageKind.refused: this.cohorts.refused(slot); break
      case MessageKind.decideLater: this.makers.deliver(slot, kind); break
      case MessageKind.requestAgain: this.cohorts.requestAgain(slot); break
      default:
        if (kind < FIRST_HOLDING_KIND || kind === MessageKind.bidTaken) this.makers.deliver(slot, kind)
        else if (kind >= FIRST_GATE_KIND) this.access!.receive(slot, kind)
        else this.cohorts.sellers.receive(slot, kind)
    }
    messages.give(slot)
  }

  /** A participant's command reaches the venue. */
  private bring(slot: number): void {
    this.writer.fill(slot, this.command)
    this.apply(slot)
  }

  private apply(message: number): void {
    this.access?.authorize(this.command)
    const seq = this.commands.next++
    this.command.seq = seq
    if (this.isHeard) this.journal.append(this.transit.nowUs, this.command)
    this.venue.apply(this.transit.nowUs, this.command)
    this.route(message, seq)
  }

  private route(message: number, cause: number): void {
    const { events, origins } = this
    if (origins !== null) {
      for (; this.originsTaken < events.count; this.originsTaken++) {
        origins.take(events.rowCells(events.row(this.originsTaken)), this.venue.view)
      }
    }
    this.delivery.route(message, cause)
  }

  clear(): void {
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
    this.delivery.rewind()
    this.originsTaken = 0
  }

  snapshot(): Image {
    return {
      messageCount: this.messageCount, venue: this.venue.snapshot(), transit: this.transit.snapshot(), live: this.live.snapshot(),
      clerk: this.clerk.snapshot(), makers: this.makers.snapshot(), cohorts: this.cohorts.snapshot(), delivery: this.delivery.snapshot(),
      origins: this.origins === null ? null : this.origins.snapshot(), access: this.access === null ? null : this.access.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { [name: string]: Image }
    this.messageCount = from.messageCount as number
    this.venue.restore(from.venue!)
    this.transit.restore(from.transit!)
    this.live.restore(from.live!)
    this.clerk.restore(from.clerk!)
    this.makers.restore(from.makers!)
    this.cohorts.restore(from.cohorts!)
    this.delivery.restore(from.delivery!)
    this.origins?.restore(from.origins!)
    this.access?.restore(from.access!)
  }
}
