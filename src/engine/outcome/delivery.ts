import type { LiveMarkets } from '../../market/liveMarkets.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { assert } from '../../unit/assert.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { SECOND_US } from '../../unit/time.ts'
import { EVENT_STRIDE, type EventRows, NONE } from '../../venue/eventRows.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { FIRST_GATE_OP, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import { OperationKind, OperationStatus, OutcomeEvent, OutcomeField as Field } from '../../venue/outcome/protocol/events.ts'
import { ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import type { Cohorts } from '../cohorts.ts'
import { ContentCell, ContentWord } from '../contents.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { BackedEnd, MessageCell, MessageKind, MessageWord } from '../messages.ts'
import type { Transit } from '../transit.ts'
import type { OutcomeAccess } from './access.ts'
import { CashoutDelivery } from './cashoutDelivery.ts'
import type { OutcomeClerk } from './clerk.ts'
import { toldCode, toldSellerCode } from './codes.ts'
import type { Retries } from './retries.ts'
import { RfqBook } from './rfqBook.ts'

/**
 * Brings the outcome venue's rows to those who may see them: RFQs to makers, the best listed quote to the taker that lists them,
 * acceptances and positions to the maker concerned, replies to whoever commanded. Nobody gets anything else, so makers hear neither
 * of rivals' quotes nor of a new generation.
 */
export class OutcomeDelivery implements Snapshot {
  declare readonly cashouts: CashoutDelivery
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly live: LiveMarkets
  private declare readonly clerk: OutcomeClerk
  private declare readonly results: PublishedResults
  /** Null without a gate. */
  private declare readonly access: OutcomeAccess | null
  private declare readonly retries: Retries | null
  private readonly book = new RfqBook()
  /** Content of an acceptance until its fill is done or fails, by its number; of an open position, by its number. */
  private readonly contentOfAcceptance = new NumberRing()
  private readonly contentOfPosition = new NumberRing()
  private routed = 0
  /** Sequence number of the command whose rows are being routed. */
  private cause = NONE

  constructor(parts: {
    rows: EventRows; transit: Transit; makers: MakerSeats; cohorts: Cohorts; live: LiveMarkets; clerk: OutcomeClerk; results: PublishedResults
    profitOverGross: boolean; access: OutcomeAccess | null; retries: Retries | null
  }) {
    this.rows = parts.rows
    this.transit = parts.transit
    this.makers = parts.makers
    this.cohorts = parts.cohorts
    this.live = parts.live
    this.clerk = parts.clerk
    this.results = parts.results
    this.access = parts.access
    this.retries = parts.retries
    this.cashouts = new CashoutDelivery(
      parts.rows, parts.transit, parts.makers, parts.cohorts.sellers, this.contentOfPosition, parts.profitOverGross,
      (row, returnedMicros, how) => this.backedEnded(row, returnedMicros, how),
    )
  }

  /** Handles the rows written since the last call; `message` is the command message that caused them, or −1, `cause` that command's number. */
  route(message: number, cause: number): void {
    const { rows } = this
    this.cause = cause
    for (; this.routed < rows.count; this.routed++) this.routeRow(this.routed * EVENT_STRIDE, message)
  }

  /** The rows have been flushed. */
  rewind(): void {
    this.routed = 0
  }

  /** `row` is the index of the row's first cell, here and below. */
  private routeRow(row: number, message: number): void {
    const { cells } = this.rows
    const rfq = cells[row + Field.rfq]!
    // An integer, since a switch on a double compares it with case after case.
    const kind = cells[row + Field.kind]! | 0
    switch (kind) {
      case OutcomeEvent.reply: return this.reply(row, message)
      case OutcomeEvent.rfqCreated: return this.rfqCreated(row, message)
      case OutcomeEvent.rfqFilled: case OutcomeEvent.rfqCancelled: return this.rfqEnded(row)
      case OutcomeEvent.rfqClosed: if (this.book.closed(rfq)) this.rfqEnded(row); return
      case OutcomeEvent.quoteCreated: return this.book.quoted(rfq)
      case OutcomeEvent.quoteFailed: this.dropAcceptance(row); if (this.book.unquoted(rfq)) this.rfqEnded(row); return
      case OutcomeEvent.quoteReplaced: case OutcomeEvent.quoteCancelled: case OutcomeEvent.quoteExpired: case OutcomeEvent.quoteDead:
        if (this.book.unquoted(rfq)) this.rfqEnded(row)
        return
      case OutcomeEvent.bestQuoteChanged: return this.bestChanged(row)
      case OutcomeEvent.quoteAccepted: return this.accepted(row)
      case OutcomeEvent.reductionStarted: return this.makers.withdrew(cells[row + Field.account]!, cells[row + Field.amountA]!)
      case OutcomeEvent.feesChanged:
        this.clerk.feesChanged(cells[row + Field.amountA]!, cells[row + Field.amountB]!)
        return this.cohorts.feesChanged(cells[row + Field.amountA]!)
      case OutcomeEvent.operationUpdated: return this.operationUpdated(row)
      case OutcomeEvent.positionOpened: return this.opened(row)
      case OutcomeEvent.positionSettled:
        this.backedEnded(row, cells[row + Field.amountB]!, BackedEnd.settled)
        return this.cashouts.positionEnded(row)
      case OutcomeEvent.positionClosed: return this.cashouts.closed(row)
      case OutcomeEvent.positionTransferred: return this.cashouts.transferred(row)
      case OutcomeEvent.outcomeListed: case OutcomeEvent.outcomeResumed: return this.live.add(cells[row + Field.amountA]!)
      case OutcomeEvent.outcomeHalted: case OutcomeEvent.outcomeDelisted: return this.live.remove(cells[row + Field.amountA]!)
      case OutcomeEvent.outcomeResolved:
        this.results.publish(cells[row + Field.amountA]!, cells[row + Field.amountB]!, this.transit.nowUs)
        return this.live.remove(cells[row + Field.amountA]!)
      default: if (kind >= OutcomeEvent.sessionStarted) this.access?.route(row, kind)
    }
  }

  private reply(row: number, message: number): void {
    const { cells } = this.rows
    const op = cells[row + Field.amountA]!
    if (op === OutcomeOp.acceptQuote && cells[row + Field.cause] !== this.cause) return this.acceptResolved(row)
    const code = cells[row + Field.code]!
    if (op >= FIRST_GATE_OP) return this.access?.replied(row, op, code)
    if (message < 0 || this.retries?.repeats(row, message, code)) return
    const retryAfterUs = code === OutcomeCode.rateLimited ? cells[row + Field.amountC]! * SECOND_US : NONE
    const { words: messageWords, cells: messageCells } = this.transit.messages
    switch (messageWords[message + MessageWord.op]!) {
      case ParlayOp.createRequest:
        return this.cohorts.created(message, toldCode(code), cells[row + Field.rfq]!, cells[row + Field.generation]!, retryAfterUs)
      case ParlayOp.commitRequest:
        return this.cohorts.sendRefusal(messageCells[message + MessageCell.request]!, toldCode(code), NONE, retryAfterUs, messageCells[message + MessageCell.quote]!)
      case ParlayOp.openCashout: case ParlayOp.cancelCashout: case ParlayOp.commitCashout: {
        const asked = messageWords[message + MessageWord.intent]! < 0 ? this.makers.held : this.cohorts.sellers
        return asked.replied(message, messageWords[message + MessageWord.op]!, toldSellerCode(code), cells[row + Field.rfq]!, retryAfterUs)
      }
      case ParlayOp.submitQuote:
        this.quoteAnswered(row, message, code)
        return this.acknowledge(row, message, toldCode(code), retryAfterUs)
      case ParlayOp.submitBid: case ParlayOp.withdrawQuote: case ParlayOp.confirmSelection: case ParlayOp.declineSelection:
        return this.acknowledge(row, message, toldCode(code), retryAfterUs)
    }
  }

  /** An accept that the venue took is answered when the maker has confirmed, declined or missed its time. */
  private acceptResolved(row: number): void {
    const { cells } = this.rows
    const code = cells[row + Field.code]!
    if (code === OutcomeCode.ok) return
    const rfq = cells[row + Field.rfq]!
    const quote = cells[row + Field.quote]!
    const position = cells[row + Field.position]!
    if (position < 0) return this.cohorts.sendRefusal(rfq, toldCode(code), cells[row + Field.other]!, NONE, quote)
    this.cohorts.sellers.takingFailed(position, rfq, quote, toldSellerCode(code))
    this.makers.held.takingFailed(position, rfq, quote, toldSellerCode(code))
  }

  private quoteAnswered(row: number, message: number, code: number): void {
    const { words, cells } = this.transit.messages
    const seat = words[message + MessageWord.target]!
    const quote = code === OutcomeCode.ok ? this.rows.cells[row + Field.quote]! : NONE
    this.clerk.answered(cells[message + MessageCell.request]!, seat, quote, this.makers.toldUs(seat, cells[message + MessageCell.index]!))
  }

  private acknowledge(row: number, message: number, code: number, retryAfterUs: number): void {
    const { messages } = this.transit
    const seat = messages.words[message + MessageWord.target]!
    if (!this.makers.wantsAcks(seat)) return
    const slot = messages.take(MessageKind.ack, seat)
    const { words, cells } = messages
    const op = words[message + MessageWord.op]!
    words[slot + MessageWord.op] = op
    words[slot + MessageWord.code] = code
    cells[slot + MessageCell.request] = op === ParlayOp.submitBid ? NONE : cells[message + MessageCell.request]!
    cells[slot + MessageCell.quote] = this.rows.cells[row + Field.quote]!
    cells[slot + MessageCell.auction] = op === ParlayOp.submitBid ? cells[message + MessageCell.request]! : NONE
    cells[slot + MessageCell.untilUs] = retryAfterUs
    this.makers.sendTo(slot, cells[message + MessageCell.index]!)
  }

  private rfqCreated(row: number, message: number): void {
    const { rows, transit } = this
    const rfq = rows.cells[row + Field.rfq]!
    this.book.open(rfq)
    if (rows.cells[row + Field.position]! >= 0) return this.cashouts.auctionOpened(row)
    const { contents } = transit
    const content = contents.ofRow(rows, row, transit.messages.cells[message + MessageCell.index]!)
    contents.cells[content + ContentCell.betMicros] = rows.cells[row + Field.amountA]!
    contents.cells[content + ContentCell.stakeMicros] = rows.cells[row + Field.amountB]!
    contents.words[content + ContentWord.takerFeeBps] = rows.cells[row + Field.amountC]!
    contents.words[content + ContentWord.profitFeeBps] = rows.cells[row + Field.amountD]!
    contents.cells[content + ContentCell.expiresAtUs] = rows.cells[row + Field.untilUs]!
    contents.cells[content + ContentCell.contentTag] = 0
    transit.contentOfRequest.set(rfq, content)
    this.makers.broadcastRequest(rfq, rows.cells[row + Field.generation]!, content, NONE, 0)
  }

  /** The RFQ was filled or cancelled, or is over with this row. */
  private rfqEnded(row: number): void {
    const { cells } = this.rows
    const rfq = cells[row + Field.rfq]!
    if (!this.book.end(rfq)) return
    this.clerk.forget(rfq)
    if (cells[row + Field.position]! >= 0) return this.cashouts.auctionEnded(row)
    const { contents, contentOfRequest } = this.transit
    const content = contentOfRequest.get(rfq)
    if (content >= 0) {
      contents.drop(content)
      contentOfRequest.delete(rfq)
    }
    this.cohorts.ended(rfq)
  }

  private bestChanged(row: number): void {
    const { cells } = this.rows
    if (cells[row + Field.position]! >= 0) return this.cashouts.bestChanged(row)
    this.cohorts.sendBest(
      cells[row + Field.rfq]!, cells[row + Field.quote]!, cells[row + Field.oddsE4]!, 0, cells[row + Field.amountD]!, cells[row + Field.account]!,
    )
  }

  /** A quote was accepted: its maker has its last look. */
  private accepted(row: number): void {
    const { rows, transit } = this
    if (rows.cells[row + Field.position]! >= 0) return this.cashouts.bidTaken(row)
    const { contents, messages } = transit
    const offered = transit.contentOfRequest.get(rows.cells[row + Field.rfq]!)
    assert(offered >= 0, 'only a quote on an RFQ that is not over is accepted')
    const key = contents.cells[offered + ContentCell.drawKey]!
    const content = contents.ofRow(rows, row, key)
    contents.words[content + ContentWord.selections] = ++contents.words[offered + ContentWord.selections]!
    contents.cells[content + ContentCell.riskMicros] = rows.cells[row + Field.amountA]!
    contents.cells[content + ContentCell.betMicros] = rows.cells[row + Field.amountB]!
    contents.cells[content + ContentCell.stakeMicros] = rows.cells[row + Field.amountC]!
    contents.words[content + ContentWord.takerFeeBps] = contents.words[offered + ContentWord.takerFeeBps]!
    contents.words[content + ContentWord.profitFeeBps] = contents.words[offered + ContentWord.profitFeeBps]!
    contents.hold(content)
    this.contentOfAcceptance.set(rows.cells[row + Field.acceptance]!, content)
    const slot = messages.take(MessageKind.selected, this.makers.seatOf(rows.cells[row + Field.account]!))
    messages.cells[slot + MessageCell.request] = rows.cells[row + Field.rfq]!
    messages.cells[slot + MessageCell.version] = rows.cells[row + Field.generation]!
    messages.cells[slot + MessageCell.quote] = rows.cells[row + Field.quote]!
    messages.cells[slot + MessageCell.auction] = rows.cells[row + Field.acceptance]!
    messages.cells[slot + MessageCell.oddsE4] = rows.cells[row + Field.oddsE4]!
    messages.cells[slot + MessageCell.untilUs] = rows.cells[row + Field.untilUs]!
    messages.words[slot + MessageWord.content] = content
    this.makers.sendTo(slot, key)
  }

  private dropAcceptance(row: number): void {
    const acceptance = this.rows.cells[row + Field.acceptance]!
    const content = this.contentOfAcceptance.get(acceptance)
    if (content < 0) return
    this.transit.contents.drop(content)
    this.contentOfAcceptance.delete(acceptance)
  }

  private operationUpdated(row: number): void {
    const { cells } = this.rows
    if (cells[row + Field.amountB] !== OperationStatus.failed) return
    const kind = cells[row + Field.code]
    if (kind === OperationKind.fill) this.dropAcceptance(row)
    else if (kind === OperationKind.cashout) this.cashouts.operationFailed(row)
  }

  private opened(row: number): void {
    const { rows, transit: { contents } } = this
    const accepted = this.contentOfAcceptance.get(rows.cells[row + Field.acceptance]!)
    assert(accepted >= 0, 'a position comes of an acceptance')
    const key = contents.cells[accepted + ContentCell.drawKey]!
    this.dropAcceptance(row)
    const content = contents.ofRow(rows, row, key)
    contents.cells[content + ContentCell.stakeMicros] = rows.cells[row + Field.amountA]!
    contents.cells[content + ContentCell.riskMicros] = rows.cells[row + Field.amountB]! - rows.cells[row + Field.amountA]!
    contents.hold(content)
    this.contentOfPosition.set(rows.cells[row + Field.position]!, content)
    this.sendPosition(MessageKind.opened, row, content, 0, BackedEnd.settled)
    this.cashouts.positionOpened(row, key, content)
  }

  /** The backing maker of the row's position gets `returnedMicros` back, and is told. */
  private backedEnded(row: number, returnedMicros: number, how: number): void {
    const position = this.rows.cells[row + Field.position]!
    const content = this.contentOfPosition.get(position)
    assert(content >= 0, 'a position ends once')
    this.contentOfPosition.delete(position)
    this.sendPosition(MessageKind.settled, row, content, returnedMicros, how)
  }

  private sendPosition(kind: number, row: number, content: number, returnedMicros: number, how: number): void {
    const { rows, transit: { messages, contents } } = this
    const slot = messages.take(kind, this.makers.seatOf(rows.cells[row + Field.other]!))
    messages.cells[slot + MessageCell.request] = rows.cells[row + Field.rfq]!
    messages.cells[slot + MessageCell.position] = rows.cells[row + Field.position]!
    messages.cells[slot + MessageCell.quote] = rows.cells[row + Field.quote]!
    messages.cells[slot + MessageCell.oddsE4] = rows.cells[row + Field.oddsE4]!
    messages.cells[slot + MessageCell.amount] = returnedMicros
    messages.words[slot + MessageWord.code] = how
    messages.words[slot + MessageWord.content] = content
    this.makers.sendTo(slot, contents.cells[content + ContentCell.drawKey]!)
  }

  snapshot(): Image {
    return {
      book: this.book.snapshot(), contentOfAcceptance: this.contentOfAcceptance.snapshot(), contentOfPosition: this.contentOfPosition.snapshot(),
      cashouts: this.cashouts.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { book: Image; contentOfAcceptance: Image; contentOfPosition: Image; cashouts: Image }
    this.book.restore(from.book)
    this.contentOfAcceptance.restore(from.contentOfAcceptance)
    this.contentOfPosition.restore(from.contentOfPosition)
    this.cashouts.restore(from.cashouts)
  }
}
