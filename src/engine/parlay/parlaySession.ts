import { Action } from '../../agent/vocabulary.ts'
import { PostingRows } from '../../ledger/postingRows.ts'
import { keysIntersect, keysOf } from '../../market/exclusion.ts'
import { LiveMarkets } from '../../market/liveMarkets.ts'
import type { ParlayBatch } from '../../record/sink.ts'
import type { RowSequence } from '../../unit/rowSequence.ts'
import { Service } from '../../unit/services.ts'
import type { Image } from '../../unit/snapshot.ts'
import { EventRows } from '../../venue/eventRows.ts'
import { parlayGate } from '../../venue/parlay/gate/gate.ts'
import { ParlayCommand, ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import type { ParlayGateView } from '../../venue/parlay/protocol/gate.ts'
import { ParlayJournal } from '../../venue/parlay/protocol/journal.ts'
import { type ParlayVenue, parlayVenue } from '../../venue/parlay/venue.ts'
import { Cohorts } from '../cohorts.ts'
import { MARKET_CLOSES, type OperatorInput, type ParlayServiceConfig, type SessionConfig, WITHDRAWS } from '../config.ts'
import { type DeskBook, MakerSeats } from '../makerSeats.ts'
import { FIRST_GATE_KIND, FIRST_HOLDING_KIND, MessageCell, MessageKind, MessageWord } from '../messages.ts'
import type { LayOff, LayOffPort, ServicePlay, Shared } from '../play.ts'
import type { Roster } from '../roster.ts'
import type { ServiceCounts, ServiceSession } from '../serviceSession.ts'
import { Transit } from '../transit.ts'
import { Access } from './access.ts'
import { Delivery } from './delivery.ts'
import { opOf } from './translation.ts'

const OPERATOR_ACCOUNT = -1

/** The parlay quote service in a session. */
export class ParlaySession implements ServiceSession {
  readonly name = 'parlay'
  /** The gate around it, when there is one. */
  declare readonly venue: ParlayVenue
  /** Null without a gate. */
  readonly gateView: ParlayGateView | null = null
  declare readonly batch: ParlayBatch
  private declare readonly play: ServicePlay
  private declare readonly profile: ParlayServiceConfig['profile']
  private declare readonly events: EventRows
  private declare readonly postings: PostingRows
  private declare readonly commands: RowSequence
  /** Has sinks: without any, nobody reads the journal. */
  private declare readonly isHeard: boolean
  private readonly journal = new ParlayJournal(Service.parlay)
  private readonly command = new ParlayCommand()
  private declare readonly transit: Transit
  private declare readonly live: LiveMarkets
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly delivery: Delivery
  private readonly access: Access | null = null
  private messageCount = 0

  constructor(terms: SessionConfig, service: ParlayServiceConfig, roster: Roster, shared: Shared) {
    const { profile, gate } = service
    const play: ServicePlay = {
      ...terms, ...roster, isGated: gate !== undefined, basisMoves: profile.profitFeeOnTransfer === 1, feeOnMaker: profile.profitFeeOnMaker === 1,
      clerk: null, layOffs: null,
    }
    this.play = play
    this.profile = profile
    this.commands = shared.commands
    this.isHeard = terms.sinks.length > 0
    this.events = new EventRows(shared.rows, Service.parlay)
    this.postings = new PostingRows(shared.rows, Service.parlay)
    this.batch = { events: this.events, postings: this.postings, journal: this.journal }
    const venue = parlayVenue(profile, this.events, this.postings)
    this.venue = venue
    if (gate !== undefined) {
      const gated = parlayGate(venue, gate.profile, this.events)
      this.venue = gated
      this.gateView = gated.gateView
    }
    this.transit = new Transit(shared.queue, Service.parlay, terms.startUs)
    this.live = new LiveMarkets(terms.marketCount)
    this.cohorts = new Cohorts(play, shared, this.transit, this.live, profile.takerFeeBps)
    this.makers = new MakerSeats(play, shared.accounts, shared.key, this.transit, shared.boards)
    if (gate !== undefined) {
      const port = { command: this.command, send: (message: number) => this.apply(message) }
      const { events: rows, transit, makers, cohorts } = this
      this.access = new Access(play, gate, shared.key, shared.accounts.count, { rows, transit, makers, cohorts, port })
    }
    this.delivery = new Delivery(
      this.events, this.transit, this.makers, this.cohorts, this.live, shared.boards.results, profile, this.access,
    )
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
    return this.isBet(asked) && this.cohorts.layOff(asked)
  }

  /** Whether it keeps within the limits that are public (PQ-042, PQ-166, PQ-205): no two legs of a parlay exclude each other. */
  private isBet({ legs: { legCount, markets }, stakeMicros, minOddsE4 }: LayOff): boolean {
    const { profile, play: { keys } } = this
    if (legCount < profile.legsMin || legCount > profile.legsMax || minOddsE4 > profile.oddsE4Max) return false
    if (stakeMicros < profile.betMinMicros || stakeMicros > profile.betMaxMicros) return false
    for (let i = 1; i < legCount; i++) {
      for (let j = 0; j < i; j++) if (keysIntersect(keys, markets[i]!, markets[j]!)) return false
    }
    return true
  }

  deliveredRequests(): { readonly name: string; readonly requests: number }[] {
    return this.makers.deliveredRequests()
  }

  start(): void {
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

  private withdraw(account: number, amountMicros: number): void {
    this.command.reset(ParlayOp.withdraw, account)
    this.command.amountMicros = amountMicros
    this.apply(-1)
  }

  nextDeadlineUs(): number {
    return this.venue.nextDeadlineUs()
  }

  get nowUs(): number {
    return this.transit.nowUs
  }

  /** A minute's forgetting counts: a session ends with it. */
  pulse(nowUs: number, beforeUs: number): boolean {
    const { venue, events, transit } = this
    const { count } = events
    let atUs = nowUs
    venue.pulse(atUs)
    // Most deadlines are of quotes that have ended: nobody has to look before the next one.
    while (events.count === count && venue.nextDeadlineUs() < beforeUs) {
      atUs = venue.nextDeadlineUs()
      venue.pulse(atUs)
    }
    transit.nowUs = atUs
    this.delivery.route(-1)
    return true
  }

  operate(nowUs: number, input: OperatorInput): void {
    this.transit.nowUs = nowUs
    if (input.op === MARKET_CLOSES) return this.live.remove(input.market)
    if (input.op === WITHDRAWS) return this.withdraw(input.value!, input.value2!)
    const { command } = this
    command.reset(input.op, OPERATOR_ACCOUNT)
    command.market = input.market
    command.closeUs = input.closeUs ?? -1
    command.value = input.value ?? -1
    command.value2 = input.value2 ?? -1
    if (input.op === ParlayOp.listMarket) {
      const keys = keysOf(this.play.keys, input.market)
      for (let i = 0; i < keys.length; i++) command.item(keys[i]!)
    }
    this.apply(-1)
  }

  receive(nowUs: number, slot: number): void {
    const { messages } = this.transit
    this.transit.nowUs = nowUs
    this.messageCount++
    const kind = messages.words[slot + MessageWord.kind]!
    switch (kind) {
      // By frequency: what makers are sent, their commands, what bettors are told.
      case MessageKind.request: this.makers.deliver(slot, kind); break
      case MessageKind.command: this.bring(slot); break
      case MessageKind.bestToBettor: this.cohorts.bestArrived(slot); break
      case MessageKind.arrival: this.cohorts.arrive(slot); break
      case MessageKind.decision: this.cohorts.decide(slot); break
      case MessageKind.refused: this.cohorts.refused(slot); break
      case MessageKind.decideLater: this.makers.deliver(slot, kind); break
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
    const { words, cells } = this.transit.messages
    const { command } = this
    const action = words[slot + MessageWord.action]!
    command.reset(opOf(action), words[slot + MessageWord.account]!)
    if (action === Action.submitBid || (action >= Action.openCashOut && action <= Action.takeBid)) return this.bringCashOut(slot)
    command.request = cells[slot + MessageCell.request]!
    command.version = cells[slot + MessageCell.version]!
    command.oddsE4 = cells[slot + MessageCell.oddsE4]!
    if (action === Action.submitQuote) {
      command.contentTag = cells[slot + MessageCell.contentTag]!
      command.validMs = cells[slot + MessageCell.validMs]!
      command.memoE9 = cells[slot + MessageCell.memo]!
      return this.apply(slot)
    }
    command.quote = cells[slot + MessageCell.quote]!
    command.bookSeq = cells[slot + MessageCell.bookSeq]!
    if (action === Action.requestQuote) {
      command.betMicros = cells[slot + MessageCell.amount]!
      this.cohorts.putLegs(words[slot + MessageWord.intent]!, command)
    } else if (action === Action.commit) this.cohorts.putExcluded(slot, command)
    this.apply(slot)
  }

  /** The rest of `bring` for a command about an auction. */
  private bringCashOut(slot: number): void {
    const { cells } = this.transit.messages
    const { command } = this
    command.position = cells[slot + MessageCell.position]!
    command.auction = cells[slot + MessageCell.auction]!
    command.amountMicros = cells[slot + MessageCell.amount]!
    command.validMs = cells[slot + MessageCell.validMs]!
    command.memoE9 = cells[slot + MessageCell.memo]!
    this.apply(slot)
  }

  private apply(message: number): void {
    if (this.access !== null) this.access.sign(this.command)
    this.command.seq = this.commands.next++
    const { transit: { nowUs }, command } = this
    if (this.isHeard) this.journal.append(nowUs, command)
    this.venue.apply(nowUs, command)
    this.delivery.route(message)
  }

  clear(): void {
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
    this.delivery.rewind()
  }

  snapshot(): Image {
    return {
      messageCount: this.messageCount, venue: this.venue.snapshot(), transit: this.transit.snapshot(), live: this.live.snapshot(),
      makers: this.makers.snapshot(), cohorts: this.cohorts.snapshot(), delivery: this.delivery.snapshot(),
      access: this.access === null ? null : this.access.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { [name: string]: Image }
    this.messageCount = from.messageCount as number
    this.venue.restore(from.venue!)
    this.transit.restore(from.transit!)
    this.live.restore(from.live!)
    this.makers.restore(from.makers!)
    this.cohorts.restore(from.cohorts!)
    this.delivery.restore(from.delivery!)
    this.access?.restore(from.access!)
  }
}
