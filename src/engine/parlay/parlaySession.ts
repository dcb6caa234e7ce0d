import { Action } from '../../agent/vocabulary.ts'
import { keysIntersect, keysOf } from '../../market/exclusion.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { Service } from '../../unit/services.ts'
import { parlayGate } from '../../venue/parlay/gate/gate.ts'
import { type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { ParlayCommand, ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { AuctionReply, ParlayEvent, type ParlayKind, Reply } from '../../venue/parlay/protocol/events.ts'
import type { ParlayGateView } from '../../venue/parlay/protocol/gate.ts'
import { ParlayJournal } from '../../venue/parlay/protocol/journal.ts'
import { type ParlayVenue, parlayVenue } from '../../venue/parlay/venue.ts'
import { Cohorts } from '../cohorts.ts'
import type { OperatorInput, ParlayServiceConfig, SessionConfig } from '../config.ts'
import type { ExternalCall } from '../externalCalls.ts'
import { type CallWish, MakerSeats } from '../makerSeats.ts'
import { CashOutMessage, CommandMessage } from '../messageCells.ts'
import { MessageWord } from '../messages.ts'
import type { LayOff, ServicePlay, Shared } from '../play.ts'
import type { Roster } from '../roster.ts'
import { ServiceFrame } from '../serviceFrame.ts'
import { ParlayAccess } from './access.ts'
import { ParlayDelivery } from './delivery.ts'
import { actionOf, opOf } from './translation.ts'

/** The parlay quote service in a session. */
export class ParlaySession extends ServiceFrame<ParlayCommand, ParlayJournal> {
  readonly name = 'parlay'
  declare readonly venue: ParlayVenue
  /** Null without a gate. */
  readonly gateView: ParlayGateView | null = null
  protected declare readonly play: ServicePlay
  protected declare readonly makers: MakerSeats
  protected declare readonly cohorts: Cohorts
  protected declare readonly delivery: ParlayDelivery
  protected override readonly access: ParlayAccess | null = null
  private declare readonly profile: ParlayServiceConfig['profile']

  constructor(terms: SessionConfig, service: ParlayServiceConfig, roster: Roster, shared: Shared) {
    super(Service.parlay, terms, shared, new ParlayCommand(), new ParlayJournal(Service.parlay))
    const { profile, gate } = service
    const play: ServicePlay = {
      ...terms, ...roster, isGated: gate !== undefined, basisMoves: profile.profitFeeOnTransfer === 1, feeOnMaker: profile.profitFeeOnMaker === 1,
      enricher: null, layOffs: null,
    }
    this.play = play
    this.profile = profile
    const venue = parlayVenue(profile, this.events, this.postings)
    this.venue = venue
    if (gate !== undefined) {
      const gated = parlayGate(venue, gate.profile, this.events)
      this.venue = gated
      this.gateView = gated.gateView
    }
    this.cohorts = new Cohorts(play, shared, this.transit, this.live, profile.takerFeeBps)
    this.makers = new MakerSeats(play, shared.accounts, shared.keys.makers, this.transit, shared.boards, this.turns)
    if (gate !== undefined) {
      const port = { command: this.command, send: (message: number) => this.apply(message) }
      const { events: rows, transit, makers, cohorts } = this
      this.access = new ParlayAccess(play, gate, shared.keys.session, shared.accounts.count, { rows, transit, makers, cohorts, port })
    }
    this.delivery = new ParlayDelivery(
      this.events, this.transit, this.makers, this.cohorts, this.live, shared.boards.results, profile, this.access, this.calls,
    )
  }

  /** Whether it keeps within the limits that are public (PQ-042, PQ-166, PQ-205): no two legs of a parlay exclude each other. */
  protected override isBet({ legs: { count, markets }, betMicros, minOddsE4 }: LayOff): boolean {
    const { profile, play: { keys } } = this
    if (count < profile.legsMin || count > profile.legsMax || minOddsE4 > profile.oddsE4Max) return false
    if (betMicros < profile.betMinMicros || betMicros > profile.betMaxMicros) return false
    for (let i = 1; i < count; i++) {
      for (let j = 0; j < i; j++) if (keysIntersect(keys, markets[i]!, markets[j]!)) return false
    }
    return true
  }

  protected override admit(): void {
    this.access?.makeKeys()
  }

  protected override deposit(account: number, amountMicros: number): void {
    this.command.reset(ParlayOp.deposit, account)
    this.command.amountMicros = amountMicros
    this.apply(NONE)
  }

  protected override withdraw(account: number, amountMicros: number): void {
    this.command.reset(ParlayOp.withdraw, account)
    this.command.amountMicros = amountMicros
    this.apply(NONE)
  }

  /** A minute's forgetting counts: a session ends with it. */
  override pulse(nowUs: number, beforeUs: number): boolean {
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
    this.delivery.route(NONE)
    return true
  }

  override followClient(nowUs: number, account: number, isHere: boolean): void {
    if (this.makers.seatOf(account) < 0) return
    this.bringCall(nowUs, account, { op: isHere ? ParlayOp.openStream : ParlayOp.closeStream, fields: {} }, { answered: () => {}, told: () => {} })
  }

  protected override nameMarket({ op, market }: OperatorInput): void {
    this.command.market = market
    if (op !== ParlayOp.listMarket) return
    const keys = keysOf(this.play.keys, market)
    for (let i = 0; i < keys.length; i++) this.command.item(keys[i]!)
  }

  protected override wishOf({ op, fields }: ExternalCall): CallWish {
    const auction = fields['auction'] ?? NONE
    const isEnd = op === ParlayOp.commitCashout || op === ParlayOp.cancelCashout
    const position = fields['position'] ?? (isEnd ? this.venue.view.auction(auction)?.position : undefined) ?? NONE
    return { action: actionOf(op), request: fields['request'] ?? NONE, auction, position }
  }

  protected override auctionIn(row: Row): number {
    const { events } = this
    const kind = events.kindOf(row) as ParlayKind
    assert(kind === ParlayEvent.reply, 'a reply answers')
    const reply = rowOfKind(row, kind)
    const code = events.read(reply, Reply.code)
    return code === ParlayCode.ok ? events.read(rowAs(AuctionReply, reply), AuctionReply.auction) : NONE
  }

  protected override bring(slot: number): void {
    const { words, cells } = this.transit.messages
    const { command } = this
    const action = words[slot + MessageWord.action]!
    command.reset(opOf(action), words[slot + MessageWord.account]!)
    if (action === Action.submitBid || (action >= Action.openCashOut && action <= Action.takeBid)) return this.bringCashOut(slot)
    command.request = cells[slot + CommandMessage.request]!
    command.version = cells[slot + CommandMessage.version]!
    command.oddsE4 = cells[slot + CommandMessage.oddsE4]!
    if (action === Action.submitQuote) {
      command.contentTag = cells[slot + CommandMessage.contentTag]!
      command.validMs = cells[slot + CommandMessage.validMs]!
      command.memoE9 = cells[slot + CommandMessage.memoE9]!
      command.productE9 = cells[slot + CommandMessage.productE9]!
      return this.apply(slot)
    }
    command.quote = cells[slot + CommandMessage.quote]!
    command.bookSeq = cells[slot + CommandMessage.bookChanges]!
    if (action === Action.requestQuote) {
      command.betMicros = cells[slot + CommandMessage.betMicros]!
      this.cohorts.commands.putLegs(words[slot + MessageWord.intent]!, command)
    } else if (action === Action.commit) this.cohorts.commands.putExcluded(slot, command)
    this.apply(slot)
  }

  /** The rest of `bring` for a command about an auction. */
  private bringCashOut(slot: number): void {
    const { cells } = this.transit.messages
    const { command } = this
    command.position = cells[slot + CashOutMessage.position]!
    command.auction = cells[slot + CashOutMessage.auction]!
    command.amountMicros = cells[slot + CashOutMessage.priceMicros]!
    command.validMs = cells[slot + CashOutMessage.validMs]!
    command.memoE9 = cells[slot + CashOutMessage.memoE9]!
    command.productE9 = cells[slot + CashOutMessage.productE9]!
    this.apply(slot)
  }

  protected override route(message: number): void {
    this.delivery.route(message)
  }
}
