import { EVENT_STRIDE, EventRows, NONE } from '../venue/eventRows.ts'
import { OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import { OperationKind, OperationStatus, OutcomeEvent, OutcomeField, PositionOutcome, RfqEnd } from '../venue/outcome/protocol/events.ts'
import { AuctionRowEnd, BidEnd, LAST_LOOK_FAILURES } from './cashOutTables.ts'
import type { CastCodes } from './cast.ts'
import type { JournalRows } from './journalRows.ts'
import type { OpenTables } from './openTables.ts'
import { OperationRows } from './operationRows.ts'
import { isOutcomeRejection, isReplayed } from './rejectionRows.ts'
import type { ServiceRows } from './serviceRows.ts'
import { QuoteEnd, RequestEnd } from './tables.ts'

/** How the end of a cash-out RFQ is called in the auctions table. */
const AUCTION_ENDS: Readonly<Record<number, number>> = {
  [RfqEnd.byOwner]: AuctionRowEnd.cancelled, [RfqEnd.decided]: AuctionRowEnd.decided, [RfqEnd.superseded]: AuctionRowEnd.superseded,
}

/**
 * Hands each event row of the outcome service to the builder of the table that it concerns. An RFQ is a request and its
 * generation the version, an acceptance a selection, a cash-out RFQ an auction and its quotes bids, positionClosed a buyback, a
 * claim the payment of a won position. Rows of entries are laid out as the parlay service's; those of cash-outs are
 * translated into the cells of an auction's rows by `translated`.
 */
export class OutcomeRows {
  declare readonly rows: ServiceRows
  private declare readonly journal: JournalRows
  private declare readonly operations: OperationRows
  /** One row that a builder can read in place of the service's own. */
  private readonly scratch = new EventRows({ next: 1 }, 0, 1)

  constructor(tables: OpenTables, rows: ServiceRows, parts: { readonly codes: CastCodes; readonly journal: JournalRows }) {
    this.rows = rows
    this.journal = parts.journal
    this.operations = new OperationRows(...tables.operations, parts.codes)
    this.scratch.open(0, 0, NONE)
  }

  happened(events: EventRows, row: number): void {
    const { requests } = this.rows
    // A reply too names the position of a cash-out; the other rows with one that are no quote's are told apart by their kind.
    const isCashout = events.get(row, OutcomeField.position) !== NONE
    // As an integer: a switch on a double is a chain of comparisons of doubles.
    switch (events.get(row, OutcomeField.kind) | 0) {
      case OutcomeEvent.reply: return this.replied(events, row)
      case OutcomeEvent.bestQuoteChanged: return isCashout ? this.bestBidChanged(events, row) : this.bestQuoteChanged(events, row)
      case OutcomeEvent.rfqCreated: return isCashout ? this.auctionOpened(events, row) : requests.created(events, row)
      case OutcomeEvent.rfqClosed:
        if (isCashout) return this.rows.auctions.windowOver(this.auctionRow(events, row), 0)
        return requests.windowOver(requests.open.openSlotOf(events.get(row, OutcomeField.rfq)), events, row)
      case OutcomeEvent.rfqCancelled: return isCashout ? this.auctionCancelled(events, row) : requests.ended(events, row, RequestEnd.cancelled)
      case OutcomeEvent.rfqFilled:
        // A sale is over when its operation is.
        return isCashout ? undefined : requests.ended(events, row, RequestEnd.committed)
      case OutcomeEvent.outcomeResolved:
        return this.rows.reference.resolve(
          events.get(row, OutcomeField.amountA), events.get(row, OutcomeField.amountB), events.get(row, OutcomeField.atUs),
        )
      default:
        if (events.get(row, OutcomeField.kind) >= OutcomeEvent.operationStarted) return this.carriedOut(events, row)
        if (events.get(row, OutcomeField.kind) < OutcomeEvent.quoteCreated) return this.paid(events, row)
        return isCashout ? this.bid(events, row) : this.quoted(events, row)
    }
  }

  /** The session is over: what is pending leaves its rows. */
  finish(): void {
    const { positions } = this.rows
    for (const slot of positions.open.openSlots()) if (positions.open.isOpen(slot)) this.noteDecision(slot)
    this.operations.finish()
  }

  /** Quotes of entries. */
  private quoted(events: EventRows, row: number): void {
    const { quotes, requests } = this.rows
    switch (events.get(row, OutcomeField.kind) | 0) {
      case OutcomeEvent.quoteCreated:
        // The cell of the book's count is the operation here, and empty.
        return quotes.submitted(events, row, this.journal.outcomeFairOf(events.get(row, OutcomeField.cause)))
      case OutcomeEvent.quoteReplaced: return quotes.ended(events, row, QuoteEnd.replaced)
      case OutcomeEvent.quoteDead: return quotes.invalidated(events, row)
      case OutcomeEvent.quoteFilled: return quotes.filled(events, row, events.get(row, OutcomeField.operation))
      case OutcomeEvent.quoteAccepted:
        requests.noteBest(requests.open.openSlotOf(events.get(row, OutcomeField.rfq)))
        return quotes.selected(events, row, events.get(row, OutcomeField.acceptance), lateFrom(events, row))
      case OutcomeEvent.quoteCancelled: return this.quoteLapsed(events, row, QuoteEnd.withdrawn)
      case OutcomeEvent.quoteExpired: return this.quoteLapsed(events, row, QuoteEnd.expired)
      case OutcomeEvent.quoteFailed: {
        const slot = requests.open.openSlotOf(events.get(row, OutcomeField.rfq))
        quotes.failed(events, row)
        requests.nextGeneration(slot, events, row)
        return requests.endIfOver(slot, events, row)
      }
    }
  }

  private quoteLapsed(events: EventRows, row: number, end: number): void {
    const { quotes, requests } = this.rows
    quotes.ended(events, row, end)
    requests.endIfOver(requests.open.openSlotOf(events.get(row, OutcomeField.rfq)), events, row)
  }

  /** An RFQ whose last quote is gone after its window has left its row already. */
  private bestQuoteChanged(events: EventRows, row: number): void {
    const { requests } = this.rows
    const slot = requests.open.slotOf(events.get(row, OutcomeField.rfq))
    if (slot !== NONE) requests.bestChanged(slot, events.get(row, OutcomeField.oddsE4))
  }

  /** Quotes of cash-outs. */
  private bid(events: EventRows, row: number): void {
    const { auctions } = this.rows
    const acceptance = events.get(row, OutcomeField.acceptance)
    const event = this.auctionRow(events, row)
    switch (event.get(0, OutcomeField.kind) | 0) {
      case OutcomeEvent.quoteCreated: return auctions.submitted(event, 0, this.journal.outcomeFairOf(event.get(0, OutcomeField.cause)))
      case OutcomeEvent.quoteReplaced: return auctions.bidEnded(event, 0, BidEnd.replaced)
      case OutcomeEvent.quoteDead: return auctions.bidInvalidated(event, 0)
      case OutcomeEvent.quoteAccepted: return auctions.bidSelected(event, 0, acceptance, lateFrom(event, 0))
      case OutcomeEvent.quoteFilled: return auctions.bidWon(event, 0, event.get(0, OutcomeField.operation))
      case OutcomeEvent.quoteCancelled:
        auctions.bidEnded(event, 0, BidEnd.withdrawn)
        return auctions.endIfOver(event, 0)
      case OutcomeEvent.quoteExpired:
        auctions.bidEnded(event, 0, BidEnd.expired)
        return auctions.endIfOver(event, 0)
      case OutcomeEvent.quoteFailed:
        auctions.bidFailed(event, 0, LAST_LOOK_FAILURES[event.get(0, OutcomeField.amountA)]!)
        return auctions.endIfOver(event, 0)
    }
  }

  private auctionOpened(events: EventRows, row: number): void {
    const position = this.rows.positions.open
    const event = this.auctionRow(events, row)
    // amountC and amountD are basis and bound of an auction; the service says no bound, and the basis is the position's.
    event.set(OutcomeField.amountC, position.basisMicros[position.openSlotOf(event.get(0, OutcomeField.position))]!)
    event.set(OutcomeField.amountD, NONE)
    this.rows.auctions.opened(event, 0)
  }

  private bestBidChanged(events: EventRows, row: number): void {
    if (!this.rows.auctions.isOpen(events.get(row, OutcomeField.rfq))) return
    const event = this.auctionRow(events, row)
    event.set(OutcomeField.amountA, event.get(0, OutcomeField.amountD))
    this.rows.auctions.bestChanged(event, 0)
  }

  /** A closed one without live quotes has left its row already. */
  private auctionCancelled(events: EventRows, row: number): void {
    if (!this.rows.auctions.isOpen(events.get(row, OutcomeField.rfq))) return
    this.rows.auctions.ended(this.auctionRow(events, row), 0, AUCTION_ENDS[events.get(row, OutcomeField.code)]!)
  }

  /** Operations, and what they and results make of positions. */
  private carriedOut(events: EventRows, row: number): void {
    const { positions, auctions } = this.rows
    switch (events.get(row, OutcomeField.kind) | 0) {
      case OutcomeEvent.operationStarted: return this.operations.started(events, row)
      case OutcomeEvent.operationUpdated:
        this.operations.updated(events, row)
        if (isFailedSale(events, row)) auctions.ended(this.auctionRow(events, row), 0, AuctionRowEnd.failed)
        return
      case OutcomeEvent.positionOpened: return positions.opened(events, row, events.get(row, OutcomeField.acceptance))
      case OutcomeEvent.positionSettled: {
        this.noteDecision(positions.open.openSlotOf(events.get(row, OutcomeField.position)))
        // A won one ends with its claim.
        return events.get(row, OutcomeField.code) === PositionOutcome.won ? undefined : positions.settled(events, row)
      }
      case OutcomeEvent.positionClaimed: {
        const event = this.translated(events, row)
        event.set(OutcomeField.code, PositionOutcome.won)
        event.set(OutcomeField.amountB, 0)
        event.set(OutcomeField.amountD, 0)
        return positions.settled(event, 0, event.get(0, OutcomeField.atUs))
      }
      case OutcomeEvent.positionClosed:
        this.sold(events, row, true)
        return positions.boughtBack(events, row, events.get(row, OutcomeField.rfq))
      case OutcomeEvent.positionTransferred:
        this.sold(events, row, false)
        return positions.transferred(events, row)
    }
  }

  /** The auction of a sale that was carried out ends, as `auctionCommitted` of the parlay service: amountB the fee, code the route. */
  private sold(events: EventRows, row: number, closes: boolean): void {
    const event = this.auctionRow(events, row)
    event.set(OutcomeField.amountB, event.get(0, OutcomeField.amountC))
    event.set(OutcomeField.code, closes ? 0 : 1)
    this.rows.auctions.ended(event, 0, AuctionRowEnd.committed)
  }

  /** Deposits and withdrawals: only a reduction of collateral has a row beside its postings. */
  private paid(events: EventRows, row: number): void {
    const kind = events.get(row, OutcomeField.kind)
    if (kind === OutcomeEvent.reductionStarted) this.operations.reductionStarted(events, row)
    else if (kind === OutcomeEvent.fundsWithdrawn && events.get(row, OutcomeField.operation) === NONE) this.operations.reductionReleased(events, row)
  }

  private replied(events: EventRows, row: number): void {
    if (!isOutcomeRejection(events.get(row, OutcomeField.code))) return
    this.rows.rejections.outcomeRefused(events, row)
    const attempt = events.get(row, OutcomeField.amountA) === OutcomeOp.acceptQuote && !isReplayed(events, row)
    if (attempt) this.rows.requests.attempted(events.get(row, OutcomeField.rfq))
  }

  /** The service says that results have decided a position only when it settles it. */
  private noteDecision(slot: number): void {
    const { positions, reference } = this.rows
    const { open } = positions
    const from = slot * open.legsMax
    positions.decidedBy(slot, reference.decidedUs(open.legCount[slot]!, open.legMarkets, open.legSides, from))
  }

  /** A row of a cash-out as one of an auction, whose number is the RFQ's; the cell had the acceptance. */
  private auctionRow(events: EventRows, row: number): EventRows {
    const event = this.translated(events, row)
    event.set(OutcomeField.auction, event.get(0, OutcomeField.rfq))
    return event
  }

  /** A copy of a row to change fields of. */
  private translated(events: EventRows, row: number): EventRows {
    const { scratch } = this
    const from = row * EVENT_STRIDE
    for (let i = 0; i < EVENT_STRIDE; i++) scratch.cells[i] = events.cells[from + i]!
    return scratch
  }
}

/** First instant at which a confirmation is late: the row shows the last one that is in time. */
const lateFrom = (events: EventRows, row: number): number => events.get(row, OutcomeField.untilUs) + 1

const isFailedSale = (events: EventRows, row: number): boolean =>
  events.get(row, OutcomeField.code) === OperationKind.cashout && events.get(row, OutcomeField.amountB) === OperationStatus.failed
