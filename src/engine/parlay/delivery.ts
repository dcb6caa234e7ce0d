import { orUnknown } from '../../agent/rows.ts'
import type { LiveMarkets } from '../../market/liveMarkets.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { assert } from '../../unit/assert.ts'
import { feeFloor, type Micros } from '../../unit/micros.ts'
import { NONE } from '../../unit/none.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { SECOND_US } from '../../unit/time.ts'
import { FIRST_GATE_OP } from '../../venue/contract.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { type EventRows } from '../../venue/eventRows.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import {
  AuctionReply, BestQuoteChanged, CommitReply, FeesChanged, FundsMoved, LimitRefusal, MakerReply, MarketChanged, MarketResolved, ParlayEvent, type ParlayKind, PositionOpened,
  PositionRow, PositionSettled, QuoteSelected, Reply, RequestCreated, RequestEnded, RequestReply,
} from '../../venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../venue/parlay/protocol/profile.ts'
import type { ParlayAccess } from './access.ts'
import { ParlayCashOutDelivery } from './cashOutDelivery.ts'
import type { Cohorts } from '../cohorts.ts'
import type { ExternalCalls } from '../externalCalls.ts'
import { ComboCell, ComboWord } from '../combos.ts'
import { AckMessage, CommandMessage, PositionMessage, SelectionMessage } from '../messageCells.ts'
import { BackedEnd, MessageKind, MessageWord } from '../messages.ts'
import type { MakerSeats } from '../makerSeats.ts'
import type { Transit } from '../transit.ts'
import { actionOf, refusalOf } from './translation.ts'

type ReplyRow = Row<KindOf<typeof Reply>>

/** 1 for the kinds of row that nobody is told about, which are more than a quarter of all rows. */
const UNTOLD = new Uint8Array(128)
for (const kind of [
  ParlayEvent.quoteSubmitted, ParlayEvent.quoteReplaced, ParlayEvent.quoteWithdrawn, ParlayEvent.quoteExpired, ParlayEvent.quoteInvalidated,
  ParlayEvent.quoteFilled, ParlayEvent.quoteFailed, ParlayEvent.statusChanged,
]) UNTOLD[kind] = 1

/**
 * Brings the venue's rows to those who may see them: requests to makers, best quotes to the owner and to makers that
 * watch, selections and positions to the maker concerned, replies to whoever commanded. Nobody gets anything else.
 */
export class ParlayDelivery implements Snapshot {
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly live: LiveMarkets
  private declare watchesBest: boolean
  private declare watchesAcks: boolean
  private declare readonly comboOfRequest: NumberRing
  /** Combo of an open position, by position number. */
  private readonly comboOfPosition = new NumberRing()
  declare readonly cashOuts: ParlayCashOutDelivery
  private declare readonly results: PublishedResults
  private declare readonly access: ParlayAccess | null
  private declare readonly calls: ExternalCalls
  private declare takerFeeBps: number
  private routed = 0

  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, cohorts: Cohorts, live: LiveMarkets, results: PublishedResults,
    profile: ParlayProfile, access: ParlayAccess | null, calls: ExternalCalls,
  ) {
    this.calls = calls
    this.rows = rows
    this.access = access
    this.transit = transit
    this.comboOfRequest = transit.comboOfRequest
    this.makers = makers
    this.cohorts = cohorts
    this.live = live
    this.watchesBest = makers.watchesBest
    this.watchesAcks = makers.watchesAcks
    this.results = results
    this.cashOuts = new ParlayCashOutDelivery(
      rows, transit, makers, cohorts.sellers, this.comboOfPosition,
      (row, returnedMicros, how) => this.backedEnded(row, returnedMicros, how),
    )
    this.takerFeeBps = profile.takerFeeBps
  }

  /** A maker has other handlers from now on. */
  handlersChanged(): void {
    this.watchesBest = this.makers.watchesBest
    this.watchesAcks = this.makers.watchesAcks
  }

  /** Handles the rows written since the last call; `message` is the command message that caused them, or −1. */
  route(message: number): void {
    const { rows } = this
    for (; this.routed < rows.count; this.routed++) {
      const row = rows.row(this.routed)
      const kind = rows.kindOf(row) as ParlayKind
      if (UNTOLD[kind] !== 1) this.routeRow(row, kind, message)
    }
  }

  /** The rows have been flushed. */
  rewind(): void {
    this.routed = 0
  }

  private routeRow(row: Row, kind: ParlayKind, message: number): void {
    switch (kind) {
      case ParlayEvent.reply: return this.reply(rowOfKind(row, kind), message)
      case ParlayEvent.bestQuoteChanged: return this.bestChanged(rowOfKind(row, kind))
      case ParlayEvent.requestCreated: case ParlayEvent.requestUpdated: return this.requestMade(rowOfKind(row, kind), message)
      case ParlayEvent.requestCancelled: case ParlayEvent.requestExpired: case ParlayEvent.requestCommitted:
        return this.requestEnded(rowOfKind(row, kind))
      case ParlayEvent.quoteSelected: return this.selected(rowOfKind(row, kind))
      case ParlayEvent.positionOpened: return this.opened(rowOfKind(row, kind), message)
      case ParlayEvent.positionSettled: return this.settled(rowOfKind(row, kind))
      case ParlayEvent.fundsWithdrawn: return this.withdrawn(rowOfKind(row, kind))
      case ParlayEvent.feesChanged: return this.feesChanged(this.rows.read(rowOfKind(row, kind), FeesChanged.takerFeeBps))
      case ParlayEvent.marketListed: case ParlayEvent.marketResumed: return this.live.add(this.marketOf(rowOfKind(row, kind)))
      case ParlayEvent.marketResolved: return this.resolved(rowOfKind(row, kind))
      case ParlayEvent.marketHalted: case ParlayEvent.marketDelisted: return this.live.remove(this.marketOf(rowOfKind(row, kind)))
      default:
        if (kind >= ParlayEvent.keyCreated) this.access?.route(row, kind)
        else if (kind >= ParlayEvent.positionBoughtBack) this.cashOuts.route(row, kind)
    }
  }

  private marketOf(row: Row<KindOf<typeof MarketChanged>>): number {
    return this.rows.read(row, MarketChanged.market)
  }

  private withdrawn(row: Row<KindOf<typeof FundsMoved>>): void {
    const [account, amountMicros] = [this.rows.read(row, FundsMoved.account), this.rows.read(row, FundsMoved.amountMicros)]
    this.makers.withdrew(account, amountMicros)
    this.cohorts.withdrew(account, amountMicros)
  }

  private feesChanged(takerFeeBps: number): void {
    this.takerFeeBps = takerFeeBps
    this.cohorts.feesChanged(takerFeeBps)
  }

  private reply(row: ReplyRow, message: number): void {
    const { rows } = this
    if (this.calls.answer(rows, row)) return
    const op = rows.read(row, Reply.op) | 0
    // Most replies are to quotes of makers that do not ask for answers.
    if (op >= ParlayOp.submitQuote && op < FIRST_GATE_OP) {
      if (this.watchesAcks && message >= 0) this.acknowledge(row, op, message)
      return
    }
    const code = rows.read(row, Reply.code) | 0
    if (op === ParlayOp.createRequest) {
      const version = code === ParlayCode.ok ? rows.read(rowAs(RequestReply, row), RequestReply.version) : NONE
      this.cohorts.created(message, refusalOf(actionOf(op), code, true), this.requestOf(row, message), version, this.retryAfterUs(row, code))
    } else if (op === ParlayOp.commitRequest) {
      if (code === ParlayCode.ok) return
      // A last look that failed is the one refusal that names a maker.
      const maker = code === ParlayCode.mmConfirmationTimeout ? rows.read(rowAs(CommitReply, row), CommitReply.maker) : NONE
      const namesQuote = message < 0 || this.transit.messages.cells[message + CommandMessage.quote]! >= 0
      this.cohorts.sendRefusal(this.requestOf(row, message), refusalOf(actionOf(op), code, namesQuote), maker, this.retryAfterUs(row, code))
    } else if (op >= FIRST_GATE_OP) this.access?.replied(row, op, code)
    else if (message >= 0 && op >= ParlayOp.openCashout && op <= ParlayOp.commitCashout) {
      const byMaker = this.transit.messages.words[message + MessageWord.intent]! < 0
      const asked = byMaker ? this.makers.held : this.cohorts.sellers
      const opened = op === ParlayOp.openCashout && code === ParlayCode.ok ? rows.read(rowAs(AuctionReply, row), AuctionReply.auction) : NONE
      asked.replied(message, refusalOf(actionOf(op), code, true), opened, this.retryAfterUs(row, code))
    }
  }

  private retryAfterUs(row: ReplyRow, code: number): number {
    return code === ParlayCode.rateLimited ? this.rows.read(rowAs(LimitRefusal, row), LimitRefusal.retryAfterS) * SECOND_US : NONE
  }

  /** Request of a reply; the gate's refusals name none, and whoever commanded knows. */
  private requestOf(row: ReplyRow, message: number): number {
    const request = this.rows.read(row, Reply.request)
    return request < 0 && message >= 0 && this.access !== null ? this.transit.messages.cells[message + CommandMessage.request]! : request
  }

  private acknowledge(row: ReplyRow, op: number, message: number): void {
    const { rows } = this
    const seat = this.makers.seatOf(rows.read(row, Reply.account))
    if (seat < 0 || !this.makers.wantsAcks(seat)) return
    const code = rows.read(row, Reply.code)
    const reply = rowAs(MakerReply, row)
    const { messages } = this.transit
    const slot = messages.take(MessageKind.ack, seat)
    const action = actionOf(op)
    messages.words[slot + MessageWord.action] = action
    messages.words[slot + MessageWord.code] = refusalOf(action, code, true)
    messages.cells[slot + AckMessage.request] = op === ParlayOp.submitBid ? NONE : this.requestOf(row, message)
    messages.cells[slot + AckMessage.quote] = rows.read(reply, MakerReply.quote)
    messages.cells[slot + AckMessage.auction] = rows.read(reply, MakerReply.auction)
    messages.cells[slot + AckMessage.retryAfterUs] = this.retryAfterUs(row, code)
    this.makers.stream.sendTo(slot, messages.cells[message + CommandMessage.drawKey]!)
  }

  private requestMade(row: Row<KindOf<typeof RequestCreated>>, message: number): void {
    const { rows, transit } = this
    const request = rows.read(row, RequestCreated.request)
    const { combos } = transit
    const former = this.comboOfRequest.get(request)
    const combo = combos.ofRow(rows, row, former >= 0 ? combos.cells[former + ComboCell.drawKey]! : transit.messages.cells[message + CommandMessage.drawKey]!)
    const betMicros = rows.read(row, RequestCreated.betMicros)
    combos.cells[combo + ComboCell.betMicros] = betMicros
    combos.cells[combo + ComboCell.stakeMicros] = betMicros - feeFloor(betMicros as Micros, this.takerFeeBps)
    combos.cells[combo + ComboCell.contentTag] = rows.read(row, RequestCreated.contentTag)
    combos.cells[combo + ComboCell.expiresAtUs] = rows.read(row, RequestCreated.expiresAtUs)
    if (former >= 0) {
      combos.words[combo + ComboWord.selections] = combos.words[former + ComboWord.selections]!
      combos.release(former)
    }
    this.comboOfRequest.set(request, combo)
    this.makers.stream.broadcastRequest(request, rows.read(row, RequestCreated.version), combo, rows.read(row, RequestCreated.bookSeq))
  }

  private requestEnded(row: Row<KindOf<typeof RequestEnded>>): void {
    const request = this.rows.read(row, RequestEnded.request)
    const combo = this.comboOfRequest.get(request)
    if (combo >= 0) {
      this.transit.combos.release(combo)
      this.comboOfRequest.delete(request)
    }
    this.cohorts.ended(request)
  }

  private bestChanged(row: Row<'parlay.bestQuoteChanged'>): void {
    const { rows } = this
    const request = rows.read(row, BestQuoteChanged.request)
    const oddsE4 = rows.read(row, BestQuoteChanged.oddsE4)
    const bookSeq = rows.read(row, BestQuoteChanged.bookSeq)
    this.cohorts.sendBest(request, rows.read(row, BestQuoteChanged.quote), oddsE4, bookSeq)
    if (!this.watchesBest) return
    const combo = this.comboOfRequest.get(request)
    if (combo >= 0) this.makers.stream.broadcastBest(request, rows.read(row, BestQuoteChanged.version), combo, orUnknown(oddsE4), bookSeq)
  }

  private selected(row: Row<'parlay.quoteSelected'>): void {
    const { rows, transit } = this
    const seat = this.makers.seatOf(rows.read(row, QuoteSelected.maker))
    if (seat < 0) return
    const { combos, messages } = transit
    const request = rows.read(row, QuoteSelected.request)
    const offered = this.comboOfRequest.get(request)
    assert(offered >= 0, 'only an active request is selected')
    const key = combos.cells[offered + ComboCell.drawKey]!
    const combo = combos.ofRow(rows, row, key)
    combos.words[combo + ComboWord.selections] = ++combos.words[offered + ComboWord.selections]!
    combos.cells[combo + ComboCell.riskMicros] = rows.read(row, QuoteSelected.riskMicros)
    combos.cells[combo + ComboCell.betMicros] = rows.read(row, QuoteSelected.betMicros)
    combos.cells[combo + ComboCell.stakeMicros] = rows.read(row, QuoteSelected.netStakeMicros)
    const slot = messages.take(MessageKind.selected, seat)
    messages.cells[slot + SelectionMessage.request] = request
    messages.cells[slot + SelectionMessage.version] = rows.read(row, QuoteSelected.version)
    messages.cells[slot + SelectionMessage.quote] = rows.read(row, QuoteSelected.quote)
    messages.cells[slot + SelectionMessage.oddsE4] = rows.read(row, QuoteSelected.oddsE4)
    messages.cells[slot + SelectionMessage.deadlineAtUs] = rows.read(row, QuoteSelected.confirmBeforeUs)
    messages.words[slot + MessageWord.combo] = combo
    this.makers.stream.sendTo(slot, key)
  }

  private opened(row: Row<'parlay.positionOpened'>, message: number): void {
    const { rows, transit } = this
    const seat = this.makers.seatOf(rows.read(row, PositionOpened.backer))
    if (seat < 0) return
    const { combos, messages } = transit
    // The request ended a row before: its key comes with the confirmation.
    const key = messages.cells[message + CommandMessage.drawKey]!
    const combo = combos.ofRow(rows, row, key)
    const stakeMicros = rows.read(row, PositionOpened.netStakeMicros)
    combos.cells[combo + ComboCell.stakeMicros] = stakeMicros
    combos.cells[combo + ComboCell.riskMicros] = rows.read(row, PositionOpened.payoutMicros) - stakeMicros
    combos.retain(combo)
    this.comboOfPosition.set(rows.read(row, PositionOpened.position), combo)
    const slot = this.positionMessage(MessageKind.opened, row, seat, combo, 0, BackedEnd.settled)
    messages.cells[slot + PositionMessage.quote] = rows.read(row, PositionOpened.quote)
    messages.cells[slot + PositionMessage.oddsE4] = rows.read(row, PositionOpened.oddsE4)
    this.makers.stream.sendTo(slot, key)
    this.cashOuts.positionOpened(row, key, combo)
  }

  private resolved(row: Row<'parlay.marketResolved'>): void {
    const { rows } = this
    const market = rows.read(row, MarketResolved.market)
    this.results.publish(market, rows.read(row, MarketResolved.result), this.transit.nowUs)
    this.live.remove(market)
  }

  private settled(row: Row<'parlay.positionSettled'>): void {
    const { rows } = this
    this.backedEnded(row, rows.read(row, PositionSettled.toBackerMicros), BackedEnd.settled)
    this.cashOuts.positionEnded(rows.read(row, PositionSettled.position), rows.read(row, PositionSettled.toHolderMicros))
  }

  private backedEnded(row: Row<KindOf<typeof PositionRow>>, returnedMicros: number, how: number): void {
    const { rows } = this
    const seat = this.makers.seatOf(rows.read(row, PositionRow.backer))
    const position = rows.read(row, PositionRow.position)
    const combo = this.comboOfPosition.get(position)
    if (seat < 0 || combo < 0) return
    this.comboOfPosition.delete(position)
    const slot = this.positionMessage(MessageKind.settled, row, seat, combo, returnedMicros, how)
    this.makers.stream.sendTo(slot, this.transit.combos.cells[combo + ComboCell.drawKey]!)
  }

  /** A message to the backing maker about its position, without the quote that it came of. */
  private positionMessage(kind: number, row: Row<KindOf<typeof PositionRow>>, seat: number, combo: number, returnedMicros: number, how: number): number {
    const { rows } = this
    const { messages } = this.transit
    const slot = messages.take(kind, seat)
    messages.cells[slot + PositionMessage.request] = rows.read(row, PositionRow.request)
    messages.cells[slot + PositionMessage.position] = rows.read(row, PositionRow.position)
    messages.cells[slot + PositionMessage.returnedMicros] = returnedMicros
    messages.words[slot + MessageWord.code] = how
    messages.words[slot + MessageWord.combo] = combo
    return slot
  }

  snapshot(): Image {
    return {
      comboOfPosition: this.comboOfPosition.snapshot(), takerFeeBps: this.takerFeeBps, cashOuts: this.cashOuts.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { comboOfPosition: Image; takerFeeBps: number; cashOuts: Image }
    this.cashOuts.restore(from.cashOuts)
    this.comboOfPosition.restore(from.comboOfPosition)
    this.takerFeeBps = from.takerFeeBps
  }
}
