import { NONE } from '../unit/none.ts'
import { type KindOf, type Row, rowAs } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../venue/parlay/protocol/commands.ts'
import {
  AuctionCancelled, AuctionCommitted, AuctionEnd, AuctionOpened, AuctionRow, BestQuoteChanged, BidFailed, BidRow, BidSubmitted, DeliveryAttempted,
  DeliveryChanged, DeliveryQueued, MarketResolved, ParlayEvent, PositionBoughtBack, PositionFailed, PositionOpened, PositionSettled,
  PositionTransferred, QuoteEnded, QuoteFailed, QuoteFilled, QuoteSelected, QuoteSubmitted, Refusal, Reply, RequestCreated, RequestEnded,
  SettlementDelayed, VaultTransactionChanged,
} from '../venue/parlay/protocol/events.ts'
import type { BidMoment, Sale } from './auctionRows.ts'
import { AuctionRowEnd, BidEnd } from './cashOutTables.ts'
import type { DirectoryCodes } from './directory.ts'
import { orEmpty } from './cells.ts'
import type { JournalRows } from './journalRows.ts'
import { momentOf } from './moment.ts'
import type { OpenTables } from './openTables.ts'
import { isParlayRejection } from './rejectionRows.ts'
import type { ServiceRows } from './serviceRows.ts'
import { QuoteEnd, RequestEnd } from './tables.ts'
import { VaultRows } from './vaultRows.ts'
import { WebhookRows } from './webhookRows.ts'

/** Hands each event row of the parlay service to the builder of the table that it concerns. */
export class ParlayRows {
  declare readonly rows: ServiceRows
  private declare readonly journal: JournalRows
  private declare readonly vaults: VaultRows
  private declare readonly webhooks: WebhookRows

  constructor(tables: OpenTables, rows: ServiceRows, parts: { readonly codes: DirectoryCodes; readonly journal: JournalRows; readonly deliveryRetentionUs: number }) {
    this.rows = rows
    this.journal = parts.journal
    const funded = (position: number, atUs: number): void => rows.positions.funded(position, atUs)
    this.vaults = new VaultRows(...tables.vaultTransactions, parts.codes, funded)
    this.webhooks = new WebhookRows(...tables.webhooks, parts.deliveryRetentionUs)
  }

  happened(events: EventRows, row: Row): void {
    const { requests, quotes, positions } = this.rows
    switch (events.kindOf(row)) {
      case ParlayEvent.reply: return this.replied(events, rowAs(Reply, row))
      case ParlayEvent.bestQuoteChanged: {
        const best = rowAs(BestQuoteChanged, row)
        return requests.bestChanged(requests.open.openSlotOf(events.read(best, BestQuoteChanged.request)), events.read(best, BestQuoteChanged.oddsE4))
      }
      case ParlayEvent.requestCreated: return requests.created(events, rowAs(RequestCreated, row))
      case ParlayEvent.requestUpdated: return requests.updated(events, rowAs(RequestCreated, row))
      case ParlayEvent.requestCancelled: return this.requestEnded(events, rowAs(RequestEnded, row), RequestEnd.cancelled)
      case ParlayEvent.requestExpired: return this.requestEnded(events, rowAs(RequestEnded, row), RequestEnd.expired)
      case ParlayEvent.requestCommitted: return this.requestEnded(events, rowAs(RequestEnded, row), RequestEnd.committed)
      case ParlayEvent.quoteSubmitted: return this.quoteSubmitted(events, rowAs(QuoteSubmitted, row))
      case ParlayEvent.quoteReplaced: return quotes.ended(events, rowAs(QuoteEnded, row), QuoteEnd.replaced)
      case ParlayEvent.quoteWithdrawn: return quotes.ended(events, rowAs(QuoteEnded, row), QuoteEnd.withdrawn)
      case ParlayEvent.quoteExpired: return quotes.ended(events, rowAs(QuoteEnded, row), QuoteEnd.expired)
      case ParlayEvent.quoteInvalidated: return quotes.invalidated(events, rowAs(QuoteEnded, row))
      case ParlayEvent.quoteSelected: {
        const selected = rowAs(QuoteSelected, row)
        return quotes.selected(events, selected, NONE, events.read(selected, QuoteSelected.confirmBeforeUs))
      }
      case ParlayEvent.quoteFilled: return quotes.filled(events, rowAs(QuoteFilled, row))
      case ParlayEvent.quoteFailed: return quotes.failed(events, rowAs(QuoteFailed, row))
      case ParlayEvent.positionOpened: return positions.opened(events, rowAs(PositionOpened, row))
      case ParlayEvent.positionSettled: return positions.settled(events, rowAs(PositionSettled, row))
      case ParlayEvent.marketResolved: return this.resolved(events, rowAs(MarketResolved, row))
      default: return this.soldOrTold(events, row)
    }
  }

  /** The session is over: writes the rows of what is pending. */
  finish(): void {
    this.vaults.finish()
    this.webhooks.finish()
  }

  /** Rows about cash-outs, late work of the chain, and deliveries. */
  private soldOrTold(events: EventRows, row: Row): void {
    const { auctions, positions } = this.rows
    switch (events.kindOf(row)) {
      case ParlayEvent.auctionOpened: return this.auctionOpened(events, rowAs(AuctionOpened, row))
      case ParlayEvent.auctionCancelled: return this.auctionCancelled(events, rowAs(AuctionCancelled, row))
      case ParlayEvent.auctionExpired:
        return auctions.ended(events.read(rowAs(AuctionRow, row), AuctionRow.auction), AuctionRowEnd.expired, momentOf(events, row))
      case ParlayEvent.auctionCommitted: return this.auctionCommitted(events, rowAs(AuctionCommitted, row))
      case ParlayEvent.bestBidChanged: {
        const best = rowAs(BidRow, row)
        return auctions.bestChanged(events.read(best, BidRow.auction), events.read(best, BidRow.priceMicros))
      }
      case ParlayEvent.bidSubmitted: return this.bidSubmitted(events, rowAs(BidSubmitted, row))
      case ParlayEvent.bidReplaced: return auctions.bidEnded(bidMomentOf(events, rowAs(BidRow, row)), BidEnd.replaced)
      case ParlayEvent.bidExpired: return auctions.bidEnded(bidMomentOf(events, rowAs(BidRow, row)), BidEnd.expired)
      case ParlayEvent.bidInvalidated: return auctions.bidInvalidated(bidMomentOf(events, rowAs(BidRow, row)))
      case ParlayEvent.bidWon: return auctions.bidWon(bidMomentOf(events, rowAs(BidRow, row)))
      case ParlayEvent.bidFailed: {
        const failed = rowAs(BidFailed, row)
        return auctions.bidFailed(bidMomentOf(events, failed), PARLAY_CODES[events.read(failed, BidFailed.failure)]!.name)
      }
      case ParlayEvent.positionBoughtBack: {
        const bought = rowAs(PositionBoughtBack, row)
        return positions.boughtBack(events, bought, events.read(bought, PositionBoughtBack.auction))
      }
      case ParlayEvent.positionTransferred: return positions.transferred(events, rowAs(PositionTransferred, row))
      case ParlayEvent.positionFailed: return positions.failed(events, rowAs(PositionFailed, row))
      case ParlayEvent.settlementDelayed:
        return positions.delayed(events.read(rowAs(SettlementDelayed, row), SettlementDelayed.position), events.read(row, EventCell.atUs))
      case ParlayEvent.vaultTransactionStarted: return this.vaults.started(events, rowAs(VaultTransactionChanged, row))
      case ParlayEvent.vaultTransactionChanged: return this.vaults.changed(events, rowAs(VaultTransactionChanged, row))
      case ParlayEvent.deliveryQueued: return this.webhooks.queued(events, rowAs(DeliveryQueued, row))
      case ParlayEvent.deliveryAttempted: return this.webhooks.attempted(events, rowAs(DeliveryAttempted, row))
      case ParlayEvent.deliveryChanged: return this.webhooks.changed(events, rowAs(DeliveryChanged, row))
      case ParlayEvent.deliveryRequeued: return this.webhooks.requeued(events, rowAs(DeliveryChanged, row))
    }
  }

  private requestEnded(events: EventRows, row: Row<KindOf<typeof RequestEnded>>, end: number): void {
    this.rows.requests.ended(events.read(row, RequestEnded.request), end, events, row)
  }

  private quoteSubmitted(events: EventRows, row: Row<'parlay.quoteSubmitted'>): void {
    const fair = this.journal.parlayFairOf(events.read(row, EventCell.cause))
    this.rows.quotes.submitted(events, row, fair, orEmpty(events.read(row, QuoteSubmitted.bookSeq)))
  }

  private resolved(events: EventRows, row: Row<'parlay.marketResolved'>): void {
    const { market, result } = MarketResolved
    this.rows.reference.resolve(events.read(row, market), events.read(row, result), events.read(row, EventCell.atUs))
  }

  private auctionOpened(events: EventRows, row: Row<'parlay.auctionOpened'>): void {
    this.rows.auctions.opened({
      auction: events.read(row, AuctionOpened.auction), position: events.read(row, AuctionOpened.position),
      seller: events.read(row, AuctionOpened.seller), endsAtUs: events.read(row, AuctionOpened.endsAtUs),
      basisMicros: events.read(row, AuctionOpened.basisMicros), boundMicros: events.read(row, AuctionOpened.boundMicros),
    }, events.read(row, EventCell.atUs))
  }

  private auctionCancelled(events: EventRows, row: Row<'parlay.auctionCancelled'>): void {
    const isDecided = events.read(row, AuctionCancelled.reason) === AuctionEnd.positionDecided
    const end = isDecided ? AuctionRowEnd.decided : AuctionRowEnd.cancelled
    this.rows.auctions.ended(events.read(row, AuctionCancelled.auction), end, momentOf(events, row))
  }

  private auctionCommitted(events: EventRows, row: Row<'parlay.auctionCommitted'>): void {
    const sale: Sale = {
      buyer: events.read(row, AuctionCommitted.winner), bid: events.read(row, AuctionCommitted.bid), route: events.read(row, AuctionCommitted.route),
      priceMicros: events.read(row, AuctionCommitted.priceMicros), profitFeeMicros: events.read(row, AuctionCommitted.profitFeeMicros),
    }
    this.rows.auctions.ended(events.read(row, AuctionCommitted.auction), AuctionRowEnd.committed, momentOf(events, row), sale)
  }

  private bidSubmitted(events: EventRows, row: Row<KindOf<typeof BidSubmitted>>): void {
    this.rows.auctions.submitted({
      auction: events.read(row, BidSubmitted.auction), bid: events.read(row, BidSubmitted.bid), maker: events.read(row, BidSubmitted.maker),
      priceMicros: events.read(row, BidSubmitted.priceMicros), expiresAtUs: events.read(row, BidSubmitted.expiresAtUs),
      fair: this.journal.parlayFairOf(events.read(row, EventCell.cause)),
    }, events.read(row, EventCell.atUs))
  }

  private replied(events: EventRows, row: Row<KindOf<typeof Reply>>): void {
    const code = events.read(row, Reply.code)
    if (!isParlayRejection(code)) return
    this.rows.rejections.parlayRefused(events, row)
    // A selection is counted when it is made, so that its late refusal is no second attempt.
    const attempt = events.read(row, Reply.op) === ParlayOp.commitRequest && code !== ParlayCode.mmConfirmationTimeout
    if (attempt) this.rows.requests.attempted(events.read(rowAs(Refusal, row), Refusal.request))
  }
}

const bidMomentOf = (events: EventRows, row: Row<KindOf<typeof BidRow>>): BidMoment =>
  ({ ...momentOf(events, row), auction: events.read(row, BidRow.auction), bid: events.read(row, BidRow.bid) })
