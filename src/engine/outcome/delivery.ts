import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import type { LiveMarkets } from '../../market/liveMarkets.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { SECOND_US } from '../../unit/time.ts'
import { FIRST_GATE_OP } from '../../venue/contract.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import {
  AcceptReply, BestBidChanged, BestQuoteChanged, BidAccepted, CashOutRfqCreated, FeesChanged, FieldRefusal, LimitRefusal, MakerReply,
  OperationKind, OperationStatus, OperationUpdated, OutcomeChanged, OutcomeEvent, type OutcomeKind, OutcomeResolved, PositionOpened,
  PositionRow, PositionSettled, QuoteAccepted, QuoteFailed, QuoteReply, QuoteRow, ReductionStarted, Reply, RfqCancelled, RfqCreated,
  RfqReply, RfqRow,
} from '../../venue/outcome/protocol/events.ts'
import type { Cohorts } from '../cohorts.ts'
import { ComboCell, ComboWord } from '../combos.ts'
import type { ExternalCalls } from '../externalCalls.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { AckMessage, CommandMessage, PositionMessage, SelectionMessage } from '../messageCells.ts'
import { BackedEnd, MessageKind, MessageWord } from '../messages.ts'
import type { Transit } from '../transit.ts'
import type { OutcomeAccess } from './access.ts'
import { OutcomeCashOutDelivery } from './cashOutDelivery.ts'
import type { OutcomeEnricher } from './enricher.ts'
import type { Retries } from './retries.ts'
import { RfqBook } from './rfqBook.ts'
import { auctionOutcomeOf, refusalOf, tooLateUs } from './translation.ts'

type ReplyRow = Row<KindOf<typeof Reply>>

/**
 * Brings the outcome venue's rows to those who may see them: RFQs to makers, the best listed quote to the taker, acceptances and positions
 * to the maker concerned, replies to the sender of the command. Nobody gets anything else, so that makers hear neither of rivals' quotes
 * nor of a new generation.
 */
export class OutcomeDelivery implements Snapshot {
  declare readonly cashOuts: OutcomeCashOutDelivery
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly live: LiveMarkets
  private declare readonly enricher: OutcomeEnricher
  private declare readonly results: PublishedResults
  /** Null without a gate. */
  private declare readonly access: OutcomeAccess | null
  private declare readonly retries: Retries | null
  private declare readonly calls: ExternalCalls
  private readonly book = new RfqBook()
  /** Combo of an acceptance until its fill is done or fails, by its number; of an open position, by its number. */
  private readonly comboOfAcceptance = new NumberRing()
  private readonly comboOfPosition = new NumberRing()
  private routed = 0
  /** Sequence number of the command whose rows are being routed. */
  private cause = NONE

  constructor(parts: {
    rows: EventRows; transit: Transit; makers: MakerSeats; cohorts: Cohorts; live: LiveMarkets; enricher: OutcomeEnricher; results: PublishedResults
    profitOverGross: boolean; access: OutcomeAccess | null; retries: Retries | null; calls: ExternalCalls
  }) {
    this.rows = parts.rows
    this.transit = parts.transit
    this.makers = parts.makers
    this.cohorts = parts.cohorts
    this.live = parts.live
    this.enricher = parts.enricher
    this.results = parts.results
    this.access = parts.access
    this.retries = parts.retries
    this.calls = parts.calls
    this.cashOuts = new OutcomeCashOutDelivery(
      parts.rows, parts.transit, parts.makers, parts.cohorts.sellers, this.comboOfPosition, parts.profitOverGross,
      (row, quote, returnedMicros, how) => this.backedEnded(row, quote, returnedMicros, how),
    )
  }

  /** Handles the rows written since the last call; `message` is the command message that caused them, or −1, `cause` that command's number. */
  route(message: number, cause: number): void {
    const { rows } = this
    this.cause = cause
    for (; this.routed < rows.count; this.routed++) this.routeRow(rows.row(this.routed), message)
  }

  /** The rows have been flushed. */
  rewind(): void {
    this.routed = 0
  }

  private routeRow(row: Row, message: number): void {
    const kind = this.rows.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.reply: return this.reply(rowOfKind(row, kind), message)
      case OutcomeEvent.rfqCreated: return this.rfqCreated(rowOfKind(row, kind), message)
      case OutcomeEvent.rfqFilled: return this.rfqEnded(rowOfKind(row, kind), AuctionOutcome.sold)
      case OutcomeEvent.rfqCancelled: return this.rfqCancelled(rowOfKind(row, kind))
      case OutcomeEvent.rfqClosed: return this.rfqClosed(rowOfKind(row, kind))
      case OutcomeEvent.quoteCreated: return this.book.quoted(this.rows.read(rowOfKind(row, kind), QuoteRow.rfq))
      case OutcomeEvent.quoteFailed:
        this.dropAcceptance(this.rows.read(rowOfKind(row, kind), QuoteFailed.acceptance))
        return this.quoteEnded(rowOfKind(row, kind))
      case OutcomeEvent.quoteReplaced: case OutcomeEvent.quoteCancelled: case OutcomeEvent.quoteExpired: case OutcomeEvent.quoteDead:
        return this.quoteEnded(rowOfKind(row, kind))
      case OutcomeEvent.bestQuoteChanged: return this.bestChanged(rowOfKind(row, kind))
      case OutcomeEvent.quoteAccepted: return this.accepted(rowOfKind(row, kind))
      case OutcomeEvent.reductionStarted: return this.reductionStarted(rowOfKind(row, kind))
      case OutcomeEvent.feesChanged: return this.feesChanged(rowOfKind(row, kind))
      case OutcomeEvent.operationUpdated: return this.operationUpdated(rowOfKind(row, kind))
      case OutcomeEvent.positionOpened: return this.opened(rowOfKind(row, kind))
      case OutcomeEvent.positionSettled: return this.settled(rowOfKind(row, kind))
      case OutcomeEvent.positionClosed: return this.cashOuts.closed(rowOfKind(row, kind))
      case OutcomeEvent.positionTransferred: return this.cashOuts.transferred(rowOfKind(row, kind))
      case OutcomeEvent.outcomeListed: case OutcomeEvent.outcomeResumed: return this.live.add(this.outcomeOf(rowOfKind(row, kind)))
      case OutcomeEvent.outcomeHalted: case OutcomeEvent.outcomeDelisted: return this.live.remove(this.outcomeOf(rowOfKind(row, kind)))
      case OutcomeEvent.outcomeResolved: return this.resolved(rowOfKind(row, kind))
      default: if (kind >= OutcomeEvent.sessionStarted) this.access?.route(row, kind)
    }
  }

  private outcomeOf(row: Row<KindOf<typeof OutcomeChanged>>): number {
    return this.rows.read(row, OutcomeChanged.outcome)
  }

  private resolved(row: Row<'outcome.outcomeResolved'>): void {
    const outcome = this.rows.read(row, OutcomeResolved.outcome)
    this.results.publish(outcome, this.rows.read(row, OutcomeResolved.result), this.transit.nowUs)
    this.live.remove(outcome)
  }

  private reductionStarted(row: Row<'outcome.reductionStarted'>): void {
    const [account, amountMicros] = [this.rows.read(row, ReductionStarted.account), this.rows.read(row, ReductionStarted.amountMicros)]
    this.makers.withdrew(account, amountMicros)
    this.cohorts.withdrew(account, amountMicros)
  }

  private feesChanged(row: Row<'outcome.feesChanged'>): void {
    const takerFeeBps = this.rows.read(row, FeesChanged.takerFeeBps)
    this.enricher.feesChanged(takerFeeBps, this.rows.read(row, FeesChanged.profitFeeBps))
    this.cohorts.feesChanged(takerFeeBps)
  }

  private reply(row: ReplyRow, message: number): void {
    const { rows } = this
    if (this.calls.answer(rows, row)) return
    const op = rows.read(row, Reply.op)
    if (op === OutcomeOp.acceptQuote && rows.read(row, EventCell.cause) !== this.cause) return this.acceptResolved(row)
    const code = rows.read(row, Reply.code)
    if (op >= FIRST_GATE_OP) return this.access?.replied(row, op, code)
    if (message < 0 || this.retries?.repeats(row, message, code)) return
    const retryAfterUs = code === OutcomeCode.rateLimited ? rows.read(rowAs(LimitRefusal, row), LimitRefusal.retryAfterS) * SECOND_US : NONE
    const { words: messageWords, cells: messageCells } = this.transit.messages
    switch (messageWords[message + MessageWord.action]!) {
      case Action.requestQuote: {
        if (code !== OutcomeCode.ok) return this.cohorts.created(message, this.refusalOf(row, message, code), NONE, NONE, retryAfterUs)
        const rfq = rowAs(RfqReply, row)
        return this.cohorts.created(message, Refusal.none, rows.read(rfq, RfqReply.rfq), rows.read(rfq, RfqReply.generation), NONE)
      }
      case Action.commit: {
        const refusal = this.refusalOf(row, message, code)
        return this.cohorts.sendRefusal(messageCells[message + CommandMessage.request]!, refusal, NONE, retryAfterUs, messageCells[message + CommandMessage.quote]!)
      }
      case Action.openCashOut: case Action.cancelCashOut: case Action.takeBid: {
        const asked = messageWords[message + MessageWord.intent]! < 0 ? this.makers.held : this.cohorts.sellers
        const opened = op === OutcomeOp.openCashout && code === OutcomeCode.ok ? rows.read(rowAs(RfqReply, row), RfqReply.rfq) : NONE
        return asked.replied(message, this.refusalOf(row, message, code), opened, retryAfterUs)
      }
      case Action.submitQuote:
        this.quoteAnswered(row, message, code)
        return this.acknowledge(row, message, code, retryAfterUs)
      case Action.submitBid: case Action.withdrawQuote: case Action.confirm: case Action.decline:
        return this.acknowledge(row, message, code, retryAfterUs)
    }
  }

  /** The Refusal with which the reply in `row` answers the command that `message` carried. */
  private refusalOf(row: ReplyRow, message: number, code: number): Refusal {
    const { words, cells } = this.transit.messages
    const action = words[message + MessageWord.action]!
    const takes = action === Action.commit || action === Action.takeBid
    const field = code === OutcomeCode.invalidRequest ? this.rows.read(rowAs(FieldRefusal, row), FieldRefusal.invalidField) : NONE
    return refusalOf(action, code, !takes || cells[message + CommandMessage.quote]! >= 0, field)
  }

  /** An accept that the venue took is answered when the maker has confirmed, declined or missed its time. */
  private acceptResolved(row: ReplyRow): void {
    const { rows } = this
    const code = rows.read(row, Reply.code)
    if (code === OutcomeCode.ok) return
    const accept = rowAs(AcceptReply, row)
    const rfq = rows.read(accept, AcceptReply.rfq)
    const quote = rows.read(accept, AcceptReply.quote)
    const position = rows.read(accept, AcceptReply.position)
    if (position < 0) return this.cohorts.sendRefusal(rfq, refusalOf(Action.commit, code, true), rows.read(accept, AcceptReply.maker), NONE, quote)
    const refusal = refusalOf(Action.takeBid, code, true)
    this.cohorts.sellers.takingFailed(position, rfq, quote, refusal)
    this.makers.held.takingFailed(position, rfq, quote, refusal)
  }

  private quoteAnswered(row: ReplyRow, message: number, code: number): void {
    const { words, cells } = this.transit.messages
    const seat = words[message + MessageWord.target]!
    const quote = code === OutcomeCode.ok ? this.rows.read(rowAs(QuoteReply, row), QuoteReply.quote) : NONE
    this.enricher.answered(cells[message + CommandMessage.request]!, seat, quote, this.makers.stream.toldUs(seat, cells[message + CommandMessage.drawKey]!))
  }

  private acknowledge(row: ReplyRow, message: number, code: number, retryAfterUs: number): void {
    const { rows, transit: { messages } } = this
    const seat = messages.words[message + MessageWord.target]!
    if (!this.makers.wantsAcks(seat)) return
    const slot = messages.take(MessageKind.ack, seat)
    const { words, cells } = messages
    const action = words[message + MessageWord.action]!
    words[slot + MessageWord.action] = action
    words[slot + MessageWord.code] = this.refusalOf(row, message, code)
    cells[slot + AckMessage.request] = action === Action.submitBid ? NONE : cells[message + CommandMessage.request]!
    cells[slot + AckMessage.quote] = rows.read(rowAs(MakerReply, row), MakerReply.quote)
    cells[slot + AckMessage.auction] = action === Action.submitBid ? cells[message + CommandMessage.request]! : NONE
    cells[slot + AckMessage.retryAfterUs] = retryAfterUs
    this.makers.stream.sendTo(slot, cells[message + CommandMessage.drawKey]!)
  }

  private rfqCreated(row: Row<'outcome.rfqCreated'>, message: number): void {
    const { rows, transit } = this
    const rfq = rows.read(row, RfqRow.rfq)
    this.book.open(rfq)
    if (rows.read(row, RfqRow.position) >= 0) return this.cashOuts.auctionOpened(rowAs(CashOutRfqCreated, row))
    const { combos } = transit
    const combo = combos.ofRow(rows, row, transit.messages.cells[message + CommandMessage.drawKey]!)
    combos.cells[combo + ComboCell.betMicros] = rows.read(row, RfqCreated.betMicros)
    combos.cells[combo + ComboCell.stakeMicros] = rows.read(row, RfqCreated.netStakeMicros)
    combos.words[combo + ComboWord.takerFeeBps] = rows.read(row, RfqCreated.takerFeeBps)
    combos.words[combo + ComboWord.profitFeeBps] = rows.read(row, RfqCreated.profitFeeBps)
    combos.cells[combo + ComboCell.expiresAtUs] = rows.read(row, RfqCreated.openUntilUs)
    combos.cells[combo + ComboCell.contentTag] = 0
    transit.comboOfRequest.set(rfq, combo)
    this.makers.stream.broadcastRequest(rfq, rows.read(row, RfqCreated.generation), combo, NaN)
  }

  private rfqClosed(row: Row<KindOf<typeof RfqRow>>): void {
    if (this.book.closed(this.rows.read(row, RfqRow.rfq))) this.rfqEnded(row, auctionOutcomeOf(OutcomeEvent.rfqClosed))
  }

  private rfqCancelled(row: Row<'outcome.rfqCancelled'>): void {
    this.rfqEnded(row, auctionOutcomeOf(OutcomeEvent.rfqCancelled, this.rows.read(row, RfqCancelled.reason)))
  }

  private rfqEnded(row: Row<KindOf<typeof RfqRow>>, outcome: AuctionOutcome): void {
    this.end(this.rows.read(row, RfqRow.rfq), this.rows.read(row, RfqRow.position), outcome)
  }

  /** A quote is no longer live. It may be the last one of an RFQ whose window is over. */
  private quoteEnded(row: Row<KindOf<typeof QuoteRow>>): void {
    const rfq = this.rows.read(row, QuoteRow.rfq)
    if (this.book.unquoted(rfq)) this.end(rfq, this.rows.read(row, QuoteRow.position), auctionOutcomeOf(OutcomeEvent.quoteExpired))
  }

  /** The RFQ was filled or cancelled, or is over with this row; of a cash-out's, `outcome` is that of its auction. */
  private end(rfq: number, position: number, outcome: AuctionOutcome): void {
    if (!this.book.end(rfq)) return
    this.enricher.forget(rfq)
    if (position >= 0) return this.cashOuts.auctionEnded(position, rfq, outcome)
    const { combos, comboOfRequest } = this.transit
    const combo = comboOfRequest.get(rfq)
    if (combo >= 0) {
      combos.release(combo)
      comboOfRequest.delete(rfq)
    }
    this.cohorts.ended(rfq)
  }

  private bestChanged(row: Row<'outcome.bestQuoteChanged'>): void {
    const { rows } = this
    if (rows.read(row, QuoteRow.position) >= 0) return this.cashOuts.bestChanged(rowAs(BestBidChanged, row))
    this.cohorts.sendBest(
      rows.read(row, BestQuoteChanged.rfq), rows.read(row, BestQuoteChanged.quote), rows.read(row, BestQuoteChanged.oddsE4), 0,
      rows.read(row, BestQuoteChanged.payoutMicros), rows.read(row, BestQuoteChanged.maker),
    )
  }

  /** A quote was accepted: its maker has its last look. */
  private accepted(row: Row<'outcome.quoteAccepted'>): void {
    const { rows, transit } = this
    if (rows.read(row, QuoteRow.position) >= 0) return this.cashOuts.bidTaken(rowAs(BidAccepted, row))
    const { combos, messages } = transit
    const rfq = rows.read(row, QuoteAccepted.rfq)
    const offered = transit.comboOfRequest.get(rfq)
    assert(offered >= 0, 'only a quote on an RFQ that is not over is accepted')
    const key = combos.cells[offered + ComboCell.drawKey]!
    const combo = combos.ofRow(rows, row, key)
    combos.words[combo + ComboWord.selections] = ++combos.words[offered + ComboWord.selections]!
    combos.cells[combo + ComboCell.riskMicros] = rows.read(row, QuoteAccepted.riskMicros)
    combos.cells[combo + ComboCell.betMicros] = rows.read(row, QuoteAccepted.betMicros)
    combos.cells[combo + ComboCell.stakeMicros] = rows.read(row, QuoteAccepted.netStakeMicros)
    combos.words[combo + ComboWord.takerFeeBps] = combos.words[offered + ComboWord.takerFeeBps]!
    combos.words[combo + ComboWord.profitFeeBps] = combos.words[offered + ComboWord.profitFeeBps]!
    combos.retain(combo)
    const acceptance = rows.read(row, QuoteAccepted.acceptance)
    this.comboOfAcceptance.set(acceptance, combo)
    const slot = messages.take(MessageKind.selected, this.makers.seatOf(rows.read(row, QuoteAccepted.maker)))
    messages.cells[slot + SelectionMessage.request] = rfq
    messages.cells[slot + SelectionMessage.version] = rows.read(row, QuoteAccepted.generation)
    messages.cells[slot + SelectionMessage.quote] = rows.read(row, QuoteAccepted.quote)
    messages.cells[slot + SelectionMessage.selection] = acceptance
    messages.cells[slot + SelectionMessage.oddsE4] = rows.read(row, QuoteAccepted.oddsE4)
    messages.cells[slot + SelectionMessage.deadlineAtUs] = tooLateUs(rows.read(row, QuoteAccepted.confirmUntilUs))
    messages.words[slot + MessageWord.combo] = combo
    this.makers.stream.sendTo(slot, key)
  }

  private dropAcceptance(acceptance: number): void {
    const combo = this.comboOfAcceptance.get(acceptance)
    if (combo < 0) return
    this.transit.combos.release(combo)
    this.comboOfAcceptance.delete(acceptance)
  }

  private operationUpdated(row: Row<'outcome.operationUpdated'>): void {
    const { rows } = this
    if (rows.read(row, OperationUpdated.status) !== OperationStatus.failed) return
    const kind = rows.read(row, OperationUpdated.operationKind)
    if (kind === OperationKind.fill) this.dropAcceptance(rows.read(row, OperationUpdated.acceptance))
    else if (kind === OperationKind.cashout) this.cashOuts.operationFailed(rows.read(row, OperationUpdated.position), rows.read(row, OperationUpdated.rfq))
  }

  private opened(row: Row<'outcome.positionOpened'>): void {
    const { rows, transit: { combos, messages } } = this
    const acceptance = rows.read(row, PositionOpened.acceptance)
    const accepted = this.comboOfAcceptance.get(acceptance)
    assert(accepted >= 0, 'a position comes of an acceptance')
    const key = combos.cells[accepted + ComboCell.drawKey]!
    this.dropAcceptance(acceptance)
    const combo = combos.ofRow(rows, row, key)
    const stakeMicros = rows.read(row, PositionOpened.netStakeMicros)
    combos.cells[combo + ComboCell.stakeMicros] = stakeMicros
    combos.cells[combo + ComboCell.riskMicros] = rows.read(row, PositionOpened.payoutMicros) - stakeMicros
    combos.retain(combo)
    this.comboOfPosition.set(rows.read(row, PositionOpened.position), combo)
    const slot = this.positionMessage(MessageKind.opened, row, rows.read(row, PositionOpened.quote), combo, 0, BackedEnd.settled)
    messages.cells[slot + PositionMessage.oddsE4] = rows.read(row, PositionOpened.oddsE4)
    this.makers.stream.sendTo(slot, key)
    this.cashOuts.positionOpened(row, key, combo)
  }

  private settled(row: Row<'outcome.positionSettled'>): void {
    const { rows } = this
    this.backedEnded(row, NONE, rows.read(row, PositionSettled.toBackerMicros), BackedEnd.settled)
    this.cashOuts.positionEnded(rows.read(row, PositionSettled.position), rows.read(row, PositionSettled.toHolderMicros))
  }

  /** The backing maker of the row's position gets `returnedMicros` back, and is told. */
  private backedEnded(row: Row<KindOf<typeof PositionRow>>, quote: number, returnedMicros: number, how: number): void {
    const position = this.rows.read(row, PositionRow.position)
    const combo = this.comboOfPosition.get(position)
    assert(combo >= 0, 'a position ends once')
    this.comboOfPosition.delete(position)
    const slot = this.positionMessage(MessageKind.settled, row, quote, combo, returnedMicros, how)
    this.makers.stream.sendTo(slot, this.transit.combos.cells[combo + ComboCell.drawKey]!)
  }

  /** A message to the backing maker about its position, without odds. */
  private positionMessage(kind: number, row: Row<KindOf<typeof PositionRow>>, quote: number, combo: number, returnedMicros: number, how: number): number {
    const { rows, transit: { messages } } = this
    const slot = messages.take(kind, this.makers.seatOf(rows.read(row, PositionRow.backer)))
    messages.cells[slot + PositionMessage.request] = rows.read(row, PositionRow.rfq)
    messages.cells[slot + PositionMessage.position] = rows.read(row, PositionRow.position)
    messages.cells[slot + PositionMessage.quote] = quote
    messages.cells[slot + PositionMessage.returnedMicros] = returnedMicros
    messages.words[slot + MessageWord.code] = how
    messages.words[slot + MessageWord.combo] = combo
    return slot
  }

  snapshot(): Image {
    return {
      book: this.book.snapshot(), comboOfAcceptance: this.comboOfAcceptance.snapshot(), comboOfPosition: this.comboOfPosition.snapshot(),
      cashOuts: this.cashOuts.snapshot(),
    }
  }

  restore(image: Image): void {
    const from = image as { book: Image; comboOfAcceptance: Image; comboOfPosition: Image; cashOuts: Image }
    this.book.restore(from.book)
    this.comboOfAcceptance.restore(from.comboOfAcceptance)
    this.comboOfPosition.restore(from.comboOfPosition)
    this.cashOuts.restore(from.cashOuts)
  }
}
