import type { LiveMarkets } from '../../market/liveMarkets.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { assert } from '../../unit/assert.ts'
import { feeFloor, type Micros } from '../../unit/micros.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { SECOND_US } from '../../unit/time.ts'
import { EVENT_STRIDE, type EventRows, Field, NONE } from '../../venue/eventRows.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { FIRST_GATE_OP, ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../venue/parlay/protocol/profile.ts'
import type { Access } from './access.ts'
import { CashoutDelivery } from './cashoutDelivery.ts'
import type { Cohorts } from '../cohorts.ts'
import { ContentCell, ContentWord } from '../contents.ts'
import { BackedEnd, MessageCell, MessageKind, MessageWord } from '../messages.ts'
import type { MakerSeats } from '../makerSeats.ts'
import type { Transit } from '../transit.ts'

/** 1 for the kinds of row that nobody is told of: a quarter of all rows and more. */
const UNTOLD = new Uint8Array(128)
for (const kind of [
  ParlayEvent.quoteSubmitted, ParlayEvent.quoteReplaced, ParlayEvent.quoteWithdrawn, ParlayEvent.quoteExpired, ParlayEvent.quoteInvalidated,
  ParlayEvent.quoteFilled, ParlayEvent.quoteFailed, ParlayEvent.statusChanged,
]) UNTOLD[kind] = 1

/**
 * Brings the venue's rows to those who may see them: requests to makers, best quotes to the owner and to makers that
 * watch, selections and positions to the maker concerned, replies to whoever commanded. Nobody gets anything else.
 */
export class Delivery implements Snapshot {
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly live: LiveMarkets
  private declare readonly watchesBest: boolean
  private declare readonly watchesAcks: boolean
  private declare readonly contentOfRequest: NumberRing
  /** Content of an open position, by position number. */
  private readonly contentOfPosition = new NumberRing()
  declare readonly cashouts: CashoutDelivery
  private declare readonly results: PublishedResults
  private declare readonly access: Access | null
  private declare takerFeeBps: number
  private routed = 0

  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, cohorts: Cohorts, live: LiveMarkets, results: PublishedResults,
    profile: ParlayProfile, access: Access | null,
  ) {
    this.rows = rows
    this.access = access
    this.transit = transit
    this.contentOfRequest = transit.contentOfRequest
    this.makers = makers
    this.cohorts = cohorts
    this.live = live
    this.watchesBest = makers.watchesBest
    this.watchesAcks = makers.watchesAcks
    this.results = results
    this.cashouts = new CashoutDelivery(
      rows, transit, makers, cohorts.sellers, this.contentOfPosition,
      (row, returnedMicros, how) => this.backedEnded(row, returnedMicros, how),
    )
    this.takerFeeBps = profile.takerFeeBps
  }

  /** Handles the rows written since the last call; `message` is the command message that caused them, or −1. */
  route(message: number): void {
    const { rows } = this
    for (; this.routed < rows.count; this.routed++) {
      const row = this.routed * EVENT_STRIDE
      // Cut to an integer, once: a switch on a double compares doubles.
      const kind = rows.cells[row + Field.kind]! | 0
      if (UNTOLD[kind] !== 1) this.routeRow(row, kind, message)
    }
  }

  /** The rows have been flushed. */
  rewind(): void {
    this.routed = 0
  }

  /** `row` is the index of the row's first cell, here and below. */
  private routeRow(row: number, kind: number, message: number): void {
    const { rows } = this
    switch (kind) {
      case ParlayEvent.reply: return this.reply(row, message)
      case ParlayEvent.bestQuoteChanged: return this.bestChanged(row)
      case ParlayEvent.requestCreated: case ParlayEvent.requestUpdated: return this.requestMade(row, message)
      case ParlayEvent.requestCancelled: case ParlayEvent.requestExpired: case ParlayEvent.requestCommitted: return this.requestEnded(row)
      case ParlayEvent.quoteSelected: return this.selected(row)
      case ParlayEvent.positionOpened: return this.opened(row, message)
      case ParlayEvent.positionSettled: return this.settled(row)
      case ParlayEvent.fundsWithdrawn: return this.makers.withdrew(rows.cells[row + Field.account]!, rows.cells[row + Field.amountA]!)
      case ParlayEvent.feesChanged: return this.feesChanged(rows.cells[row + Field.amountA]!)
      case ParlayEvent.marketListed: case ParlayEvent.marketResumed: return this.live.add(rows.cells[row + Field.amountA]!)
      case ParlayEvent.marketResolved: return this.resolved(row)
      case ParlayEvent.marketHalted: case ParlayEvent.marketDelisted: return this.live.remove(rows.cells[row + Field.amountA]!)
      default:
        if (kind >= ParlayEvent.keyCreated) this.access?.route(row, kind)
        else if (kind >= ParlayEvent.positionBoughtBack) this.cashouts.route(row, kind)
    }
  }

  private feesChanged(takerFeeBps: number): void {
    this.takerFeeBps = takerFeeBps
    this.cohorts.feesChanged(takerFeeBps)
  }

  private reply(row: number, message: number): void {
    const { cells } = this.rows
    const op = cells[row + Field.amountA]! | 0
    // Most replies answer quotes, of makers that do not ask for answers.
    if (op >= ParlayOp.submitQuote && op < FIRST_GATE_OP) {
      if (this.watchesAcks && message >= 0) this.acknowledge(row, op, message)
      return
    }
    const code = cells[row + Field.code]! | 0
    if (op === ParlayOp.createRequest) {
      this.cohorts.created(message, code, this.requestOf(row, message), cells[row + Field.version]!, this.retryAfterUs(row, code))
    } else if (op === ParlayOp.commitRequest) {
      if (code === ParlayCode.ok) return
      this.cohorts.sendRefusal(this.requestOf(row, message), code, cells[row + Field.other]!, this.retryAfterUs(row, code))
    } else if (op >= FIRST_GATE_OP) this.access?.replied(row, op, code)
    else if (message >= 0 && op >= ParlayOp.openCashout && op <= ParlayOp.commitCashout) {
      const byMaker = this.transit.messages.words[message + MessageWord.intent]! < 0
      const asked = byMaker ? this.makers.held : this.cohorts.sellers
      asked.replied(message, op, code, cells[row + Field.auction]!, this.retryAfterUs(row, code))
    }
  }

  private retryAfterUs(row: number, code: number): number {
    return code === ParlayCode.rateLimited ? this.rows.cells[row + Field.amountC]! * SECOND_US : NONE
  }

  /** Request of a reply; the gate's refusals name none, and whoever commanded knows. */
  private requestOf(row: number, message: number): number {
    const request = this.rows.cells[row + Field.request]!
    return request < 0 && message >= 0 && this.access !== null ? this.transit.messages.cells[message + MessageCell.request]! : request
  }

  private acknowledge(row: number, op: number, message: number): void {
    const { cells } = this.rows
    const seat = this.makers.seatOf(cells[row + Field.account]!)
    if (seat < 0 || !this.makers.wantsAcks(seat)) return
    const code = cells[row + Field.code]!
    const { messages } = this.transit
    const slot = messages.take(MessageKind.ack, seat)
    messages.words[slot + MessageWord.op] = op
    messages.words[slot + MessageWord.code] = code
    messages.cells[slot + MessageCell.request] = this.requestOf(row, message)
    messages.cells[slot + MessageCell.quote] = cells[row + Field.quote]!
    messages.cells[slot + MessageCell.auction] = cells[row + Field.auction]!
    messages.cells[slot + MessageCell.untilUs] = this.retryAfterUs(row, code)
    this.makers.sendTo(slot, messages.cells[message + MessageCell.index]!)
  }

  private requestMade(row: number, message: number): void {
    const { rows, transit } = this
    const { cells } = rows
    const request = cells[row + Field.request]!
    const { contents } = transit
    const former = this.contentOfRequest.get(request)
    const content = contents.ofRow(rows, row, former >= 0 ? contents.cells[former + ContentCell.drawKey]! : transit.messages.cells[message + MessageCell.index]!)
    const betMicros = cells[row + Field.amountA]!
    contents.cells[content + ContentCell.betMicros] = betMicros
    contents.cells[content + ContentCell.stakeMicros] = betMicros - feeFloor(betMicros as Micros, this.takerFeeBps)
    contents.cells[content + ContentCell.contentTag] = cells[row + Field.amountB]!
    contents.cells[content + ContentCell.expiresAtUs] = cells[row + Field.untilUs]!
    if (former >= 0) {
      contents.words[content + ContentWord.selections] = contents.words[former + ContentWord.selections]!
      contents.drop(former)
    }
    this.contentOfRequest.set(request, content)
    this.makers.broadcastRequest(request, cells[row + Field.version]!, content, -1, cells[row + Field.bookSeq]!)
  }

  private requestEnded(row: number): void {
    const request = this.rows.cells[row + Field.request]!
    const content = this.contentOfRequest.get(request)
    if (content >= 0) {
      this.transit.contents.drop(content)
      this.contentOfRequest.delete(request)
    }
    this.cohorts.ended(request)
  }

  private bestChanged(row: number): void {
    const { cells } = this.rows
    const request = cells[row + Field.request]!
    const oddsE4 = cells[row + Field.oddsE4]!
    const bookSeq = cells[row + Field.bookSeq]!
    this.cohorts.sendBest(request, cells[row + Field.quote]!, oddsE4, bookSeq)
    if (!this.watchesBest) return
    const content = this.contentOfRequest.get(request)
    if (content >= 0) this.makers.broadcastBest(request, cells[row + Field.version]!, content, oddsE4, bookSeq)
  }

  private selected(row: number): void {
    const { rows, transit } = this
    const { cells } = rows
    const seat = this.makers.seatOf(cells[row + Field.account]!)
    if (seat < 0) return
    const { contents, messages } = transit
    const offered = this.contentOfRequest.get(cells[row + Field.request]!)
    assert(offered >= 0, 'only an active request is selected')
    const key = contents.cells[offered + ContentCell.drawKey]!
    const content = contents.ofRow(rows, row, key)
    contents.words[content + ContentWord.selections] = ++contents.words[offered + ContentWord.selections]!
    contents.cells[content + ContentCell.riskMicros] = cells[row + Field.amountA]!
    contents.cells[content + ContentCell.betMicros] = cells[row + Field.amountB]!
    contents.cells[content + ContentCell.stakeMicros] = cells[row + Field.amountC]!
    const slot = messages.take(MessageKind.selected, seat)
    messages.cells[slot + MessageCell.request] = cells[row + Field.request]!
    messages.cells[slot + MessageCell.version] = cells[row + Field.version]!
    messages.cells[slot + MessageCell.quote] = cells[row + Field.quote]!
    messages.cells[slot + MessageCell.oddsE4] = cells[row + Field.oddsE4]!
    messages.cells[slot + MessageCell.untilUs] = cells[row + Field.untilUs]!
    messages.words[slot + MessageWord.content] = content
    this.makers.sendTo(slot, key)
  }

  private opened(row: number, message: number): void {
    const { rows, transit } = this
    const { cells } = rows
    const seat = this.makers.seatOf(cells[row + Field.other]!)
    if (seat < 0) return
    const { contents } = transit
    // The request ended a row before: its key comes with the confirmation.
    const key = transit.messages.cells[message + MessageCell.index]!
    const content = contents.ofRow(rows, row, key)
    contents.cells[content + ContentCell.stakeMicros] = cells[row + Field.amountA]!
    contents.cells[content + ContentCell.riskMicros] = cells[row + Field.amountB]! - cells[row + Field.amountA]!
    contents.hold(content)
    this.contentOfPosition.set(cells[row + Field.position]!, content)
    this.sendPosition(MessageKind.opened, row, seat, content, 0, BackedEnd.settled)
    this.cashouts.positionOpened(row, key, content)
  }

  private resolved(row: number): void {
    const { rows } = this
    const market = rows.cells[row + Field.amountA]!
    this.results.publish(market, rows.cells[row + Field.amountB]!, this.transit.nowUs)
    this.live.remove(market)
  }

  private settled(row: number): void {
    this.backedEnded(row, this.rows.cells[row + Field.amountB]!, BackedEnd.settled)
    this.cashouts.positionEnded(row)
  }

  private backedEnded(row: number, returnedMicros: number, how: number): void {
    const { rows } = this
    const seat = this.makers.seatOf(rows.cells[row + Field.other]!)
    const position = rows.cells[row + Field.position]!
    const content = this.contentOfPosition.get(position)
    if (seat < 0 || content < 0) return
    this.contentOfPosition.delete(position)
    this.sendPosition(MessageKind.settled, row, seat, content, returnedMicros, how)
  }

  private sendPosition(kind: number, row: number, seat: number, content: number, returnedMicros: number, how: number): void {
    const { cells } = this.rows
    const { messages } = this.transit
    const slot = messages.take(kind, seat)
    messages.cells[slot + MessageCell.request] = cells[row + Field.request]!
    messages.cells[slot + MessageCell.position] = cells[row + Field.position]!
    messages.cells[slot + MessageCell.quote] = cells[row + Field.quote]!
    messages.cells[slot + MessageCell.oddsE4] = cells[row + Field.oddsE4]!
    messages.cells[slot + MessageCell.amount] = returnedMicros
    messages.words[slot + MessageWord.code] = how
    messages.words[slot + MessageWord.content] = content
    this.makers.sendTo(slot, this.transit.contents.cells[content + ContentCell.drawKey]!)
  }

  snapshot(): Image {
    return {
      contentOfPosition: this.contentOfPosition.snapshot(), takerFeeBps: this.takerFeeBps, cashouts: this.cashouts.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { contentOfPosition: Image; takerFeeBps: number; cashouts: Image }
    this.cashouts.restore(from.cashouts)
    this.contentOfPosition.restore(from.contentOfPosition)
    this.takerFeeBps = from.takerFeeBps
  }
}
