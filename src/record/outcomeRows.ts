import { NONE } from '../unit/none.ts'
import { type Kind, type KindOf, type Row, rowAs, rowOfKind } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { OutcomeCode } from '../venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../venue/outcome/protocol/commands.ts'
import {
  BestBidChanged, BestQuoteChanged, BidAccepted, BidCreated, CashOutRfqCreated, FundsWithdrawn, OperationKind, OperationStatus,
  OperationUpdated, OutcomeEvent, type OutcomeKind, OutcomeResolved, PositionClaimed, PositionClosed, PositionOpened, PositionOutcome,
  PositionSettled, PositionTransferred, QuoteAccepted, QuoteFailed, QuoteFilled, QuoteRow, Refusal, Reply, RfqCancelled, RfqEnd, RfqRow,
  SaleRow,
} from '../venue/outcome/protocol/events.ts'
import type { BidMoment } from './auctionRows.ts'
import { AuctionRowEnd, BidEnd, LAST_LOOK_FAILURES, SaleRoute } from './cashOutTables.ts'
import type { DirectoryCodes } from './directory.ts'
import type { JournalRows } from './journalRows.ts'
import { momentOf } from './moment.ts'
import type { OpenTables } from './openTables.ts'
import { OperationRows } from './operationRows.ts'
import { isOutcomeRejection, isReplayed } from './rejectionRows.ts'
import type { ServiceRows } from './serviceRows.ts'
import { QuoteEnd, RequestEnd } from './tables.ts'

/** The name of each end of a cash-out RFQ in the auctions table. */
const AUCTION_ENDS: Readonly<Record<number, number>> = {
  [RfqEnd.byOwner]: AuctionRowEnd.cancelled, [RfqEnd.decided]: AuctionRowEnd.decided, [RfqEnd.superseded]: AuctionRowEnd.superseded,
}

type AnyRfqRow = Row<KindOf<typeof RfqRow>>
type AnyQuoteRow = Row<KindOf<typeof QuoteRow>>
type RfqKind = Extract<OutcomeKind, Kind<KindOf<typeof RfqRow>>>
type QuoteKind = Extract<OutcomeKind, Kind<KindOf<typeof QuoteRow>>>

/**
 * Hands each event row of the outcome service to the builder of the table that it concerns. In the tables an RFQ is a request, its
 * generation the version, an acceptance a selection, a cash-out RFQ an auction, its quotes are bids, positionClosed is a buyback, and
 * a claim is the payment of a won position.
 */
export class OutcomeRows {
  declare readonly rows: ServiceRows
  private declare readonly journal: JournalRows
  private declare readonly operations: OperationRows

  constructor(tables: OpenTables, rows: ServiceRows, parts: { readonly codes: DirectoryCodes; readonly journal: JournalRows }) {
    this.rows = rows
    this.journal = parts.journal
    this.operations = new OperationRows(...tables.operations, parts.codes)
  }

  happened(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.reply: return this.replied(events, rowOfKind(row, kind))
      case OutcomeEvent.rfqCreated: case OutcomeEvent.rfqClosed: case OutcomeEvent.rfqCancelled: case OutcomeEvent.rfqFilled:
        return this.asked(events, rowOfKind(row, kind), kind)
      case OutcomeEvent.quoteCreated: case OutcomeEvent.quoteReplaced: case OutcomeEvent.quoteCancelled: case OutcomeEvent.quoteExpired:
      case OutcomeEvent.quoteDead: case OutcomeEvent.quoteAccepted: case OutcomeEvent.quoteFilled: case OutcomeEvent.quoteFailed:
      case OutcomeEvent.bestQuoteChanged:
        return this.quoted(events, rowOfKind(row, kind), kind)
      case OutcomeEvent.outcomeResolved: return this.resolved(events, rowOfKind(row, kind))
      case OutcomeEvent.reductionStarted: return this.operations.reductionStarted(events, rowOfKind(row, kind))
      case OutcomeEvent.fundsWithdrawn: return this.withdrawn(events, rowOfKind(row, kind))
      default: if (kind >= OutcomeEvent.operationStarted) this.carriedOut(events, row)
    }
  }

  /** The session is over: writes the rows of what is pending. */
  finish(): void {
    const { positions } = this.rows
    for (const slot of positions.open.openSlots()) if (positions.open.isOpen(slot)) this.noteDecision(slot)
    this.operations.finish()
  }

  /** Rows about RFQs, of entries and of cash-outs. */
  private asked(events: EventRows, row: AnyRfqRow, kind: RfqKind): void {
    const { requests } = this.rows
    const rfq = events.read(row, RfqRow.rfq)
    if (events.read(row, RfqRow.position) !== NONE) return this.auctioned(events, row, kind, rfq)
    switch (kind) {
      case OutcomeEvent.rfqCreated: return requests.created(events, rowOfKind(row, kind))
      case OutcomeEvent.rfqClosed: return requests.windowOver(requests.open.openSlotOf(rfq), events, row)
      case OutcomeEvent.rfqCancelled: return requests.ended(rfq, RequestEnd.cancelled, events, row)
      case OutcomeEvent.rfqFilled: return requests.ended(rfq, RequestEnd.committed, events, row)
    }
  }

  private auctioned(events: EventRows, row: AnyRfqRow, kind: RfqKind, rfq: number): void {
    const { auctions } = this.rows
    switch (kind) {
      case OutcomeEvent.rfqCreated: return this.auctionOpened(events, rowAs(CashOutRfqCreated, rowOfKind(row, kind)))
      case OutcomeEvent.rfqClosed: return auctions.windowOver(rfq, momentOf(events, row))
      case OutcomeEvent.rfqCancelled: {
        // The row of a closed RFQ without live quotes has been written already.
        if (!auctions.isOpen(rfq)) return
        return auctions.ended(rfq, AUCTION_ENDS[events.read(rowOfKind(row, kind), RfqCancelled.reason)]!, momentOf(events, row))
      }
      // A sale is over when its operation is over.
    }
  }

  /** The service gives no bound, and the basis is the position's. */
  private auctionOpened(events: EventRows, row: Row<KindOf<typeof CashOutRfqCreated>>): void {
    const { open } = this.rows.positions
    const position = events.read(row, CashOutRfqCreated.position)
    this.rows.auctions.opened({
      auction: events.read(row, CashOutRfqCreated.rfq), position, seller: events.read(row, CashOutRfqCreated.seller),
      endsAtUs: events.read(row, CashOutRfqCreated.openUntilUs), basisMicros: open.basisMicros[open.openSlotOf(position)]!, boundMicros: NONE,
    }, momentOf(events, row))
  }

  /** Rows about quotes, of entries and of cash-outs. */
  private quoted(events: EventRows, row: AnyQuoteRow, kind: QuoteKind): void {
    if (events.read(row, QuoteRow.position) !== NONE) return this.bid(events, row, kind)
    const { quotes, requests } = this.rows
    switch (kind) {
      case OutcomeEvent.quoteCreated: {
        const cause = events.read(row, EventCell.cause)
        const fair = { value: this.journal.outcomeFairOf(cause), product: this.journal.outcomeProductOf(cause) }
        return quotes.submitted(events, rowOfKind(row, kind), fair, NaN)
      }
      case OutcomeEvent.quoteReplaced: return quotes.ended(events, row, QuoteEnd.replaced)
      case OutcomeEvent.quoteDead: return quotes.invalidated(events, row)
      case OutcomeEvent.quoteFilled: return quotes.filled(events, row, events.read(rowOfKind(row, kind), QuoteFilled.operation))
      case OutcomeEvent.quoteAccepted: {
        const accepted = rowOfKind(row, kind)
        requests.noteBest(requests.open.openSlotOf(events.read(row, QuoteRow.rfq)))
        const lateFromUs = events.read(accepted, QuoteAccepted.confirmUntilUs) + 1
        return quotes.selected(events, accepted, events.read(accepted, QuoteAccepted.acceptance), lateFromUs)
      }
      case OutcomeEvent.quoteCancelled: return this.quoteLapsed(events, row, QuoteEnd.withdrawn)
      case OutcomeEvent.quoteExpired: return this.quoteLapsed(events, row, QuoteEnd.expired)
      case OutcomeEvent.quoteFailed: {
        const slot = requests.open.openSlotOf(events.read(row, QuoteRow.rfq))
        quotes.failed(events, rowOfKind(row, kind))
        requests.nextGeneration(slot, events.read(row, QuoteRow.generation), events, row)
        return requests.endIfOver(slot, events, row)
      }
      case OutcomeEvent.bestQuoteChanged: {
        // The row of an RFQ without quotes after its window has been written already.
        const slot = requests.open.slotOf(events.read(row, QuoteRow.rfq))
        if (slot !== NONE) requests.bestChanged(slot, events.read(rowOfKind(row, kind), BestQuoteChanged.oddsE4))
      }
    }
  }

  private quoteLapsed(events: EventRows, row: AnyQuoteRow, end: number): void {
    const { quotes, requests } = this.rows
    quotes.ended(events, row, end)
    requests.endIfOver(requests.open.openSlotOf(events.read(row, QuoteRow.rfq)), events, row)
  }

  /** Rows about quotes of cash-outs. An auction has the number of its RFQ. */
  private bid(events: EventRows, row: AnyQuoteRow, kind: QuoteKind): void {
    const { auctions } = this.rows
    const moment: BidMoment = { ...momentOf(events, row), auction: events.read(row, QuoteRow.rfq), bid: events.read(row, QuoteRow.quote) }
    switch (kind) {
      case OutcomeEvent.quoteCreated: return this.bidCreated(events, rowAs(BidCreated, rowOfKind(row, kind)))
      case OutcomeEvent.quoteReplaced: return auctions.bidEnded(moment, BidEnd.replaced)
      case OutcomeEvent.quoteDead: return auctions.bidInvalidated(moment)
      case OutcomeEvent.quoteAccepted: {
        const accepted = rowAs(BidAccepted, rowOfKind(row, kind))
        return auctions.bidSelected(moment, events.read(accepted, BidAccepted.acceptance), events.read(accepted, BidAccepted.confirmUntilUs) + 1)
      }
      case OutcomeEvent.quoteFilled: return auctions.bidWon(moment, events.read(rowOfKind(row, kind), QuoteFilled.operation))
      case OutcomeEvent.quoteCancelled:
        auctions.bidEnded(moment, BidEnd.withdrawn)
        return auctions.endIfOver(moment.auction, moment)
      case OutcomeEvent.quoteExpired:
        auctions.bidEnded(moment, BidEnd.expired)
        return auctions.endIfOver(moment.auction, moment)
      case OutcomeEvent.quoteFailed:
        auctions.bidFailed(moment, LAST_LOOK_FAILURES[events.read(rowOfKind(row, kind), QuoteFailed.isDeclined)]!)
        return auctions.endIfOver(moment.auction, moment)
      case OutcomeEvent.bestQuoteChanged:
        if (auctions.isOpen(moment.auction)) auctions.bestChanged(moment.auction, events.read(rowAs(BestBidChanged, rowOfKind(row, kind)), BestBidChanged.priceMicros))
    }
  }

  private bidCreated(events: EventRows, row: Row<KindOf<typeof BidCreated>>): void {
    this.rows.auctions.submitted({
      auction: events.read(row, BidCreated.rfq), bid: events.read(row, BidCreated.quote), maker: events.read(row, BidCreated.maker),
      priceMicros: events.read(row, BidCreated.priceMicros), expiresAtUs: events.read(row, BidCreated.expiresAtUs),
      fair: this.journal.outcomeFairOf(events.read(row, EventCell.cause)), fairProduct: this.journal.outcomeProductOf(events.read(row, EventCell.cause)),
    }, momentOf(events, row))
  }

  /** Rows about operations, and about positions that operations or results change. */
  private carriedOut(events: EventRows, row: Row): void {
    const { positions } = this.rows
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.operationStarted: return this.operations.started(events, rowOfKind(row, kind))
      case OutcomeEvent.operationUpdated: return this.operationUpdated(events, rowOfKind(row, kind))
      case OutcomeEvent.positionOpened: {
        const opened = rowOfKind(row, kind)
        return positions.opened(events, opened, events.read(opened, PositionOpened.acceptance))
      }
      case OutcomeEvent.positionSettled: {
        const settled = rowOfKind(row, kind)
        this.noteDecision(positions.open.openSlotOf(events.read(settled, PositionSettled.position)))
        // A won position ends with its claim.
        return events.read(settled, PositionSettled.outcome) === PositionOutcome.won ? undefined : positions.settled(events, settled)
      }
      case OutcomeEvent.positionClaimed: return this.claimed(events, rowOfKind(row, kind))
      case OutcomeEvent.positionClosed: {
        const closed = rowOfKind(row, kind)
        this.sold(events, closed, events.read(closed, PositionClosed.backer), SaleRoute.boughtBack)
        return positions.boughtBack(events, closed, events.read(closed, PositionClosed.rfq))
      }
      case OutcomeEvent.positionTransferred: {
        const transferred = rowOfKind(row, kind)
        this.sold(events, transferred, events.read(transferred, PositionTransferred.buyer), SaleRoute.transferred)
        return positions.transferred(events, transferred)
      }
    }
  }

  private operationUpdated(events: EventRows, row: Row<'outcome.operationUpdated'>): void {
    this.operations.updated(events, row)
    const isSale = events.read(row, OperationUpdated.operationKind) === OperationKind.cashout
    if (!isSale || events.read(row, OperationUpdated.status) !== OperationStatus.failed) return
    this.rows.auctions.ended(events.read(row, OperationUpdated.rfq), AuctionRowEnd.failed, momentOf(events, row))
  }

  private claimed(events: EventRows, row: Row<'outcome.positionClaimed'>): void {
    this.rows.positions.claimed(events.read(row, PositionClaimed.position), momentOf(events, row), {
      holder: events.read(row, PositionClaimed.holder), maker: events.read(row, PositionClaimed.backer),
      toHolder: events.read(row, PositionClaimed.toHolderMicros), profitFee: events.read(row, PositionClaimed.profitFeeMicros),
    })
  }

  /** Ends the auction of a sale that was carried out. */
  private sold(events: EventRows, row: Row<'outcome.positionClosed' | 'outcome.positionTransferred'>, buyer: number, route: number): void {
    this.rows.auctions.ended(events.read(row, SaleRow.rfq), AuctionRowEnd.committed, momentOf(events, row), {
      buyer, route, bid: events.read(row, SaleRow.quote), priceMicros: events.read(row, SaleRow.priceMicros),
      profitFeeMicros: events.read(row, SaleRow.profitFeeMicros),
    })
  }

  private resolved(events: EventRows, row: Row<'outcome.outcomeResolved'>): void {
    const { outcome, result } = OutcomeResolved
    this.rows.reference.resolve(events.read(row, outcome), events.read(row, result), events.read(row, EventCell.atUs))
  }

  /** A withdrawal has its operation's row. For a reduction of collateral this row is the release. */
  private withdrawn(events: EventRows, row: Row<'outcome.fundsWithdrawn'>): void {
    if (events.read(row, FundsWithdrawn.operation) !== NONE) return
    this.operations.reductionReleased(events.read(row, FundsWithdrawn.reduction), momentOf(events, row))
  }

  private replied(events: EventRows, row: Row<KindOf<typeof Reply>>): void {
    const code = events.read(row, Reply.code)
    // Only the check of a socket's upgrade subscribes to nothing, and this refusal says that nothing else is wrong with it (outcome-wire.md, "Streams").
    if (!isOutcomeRejection(code) || code === OutcomeCode.invalidSubscription) return
    this.rows.rejections.outcomeRefused(events, row)
    const attempt = events.read(row, Reply.op) === OutcomeOp.acceptQuote && !isReplayed(events, row)
    if (attempt) this.rows.requests.attempted(events.read(rowAs(Refusal, row), Refusal.rfq))
  }

  /** The service says that results have decided a position only when it settles it. */
  private noteDecision(slot: number): void {
    const { positions, reference } = this.rows
    const { open } = positions
    const from = slot * open.legsMax
    positions.decidedBy(slot, reference.decidedUs(open.legCount[slot]!, open.legMarkets, open.legSides, from))
  }
}
