import { NONE } from '../unit/none.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../venue/parlay/protocol/commands.ts'
import {
  AuctionCancelled, AuctionCommitted, AuctionEnd, AuctionOpened, AuctionRow, BestQuoteChanged, BidFailed, BidOffer, BidRow,
  MarketResolved, ParlayEvent, type ParlayKind, PositionBoughtBack, QuoteSelected, QuoteSubmitted, Refusal, Reply, RequestEnded,
  SettlementDelayed,
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
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.reply: return this.replied(events, rowOfKind(row, kind))
      case ParlayEvent.bestQuoteChanged: {
        const best = rowOfKind(row, kind)
        return requests.bestChanged(requests.open.openSlotOf(events.read(best, BestQuoteChanged.request)), events.read(best, BestQuoteChanged.oddsE4))
      }
      case ParlayEvent.requestCreated: return requests.created(events, rowOfKind(row, kind))
      case ParlayEvent.requestUpdated: return requests.updated(events, rowOfKind(row, kind))
      case ParlayEvent.requestCancelled: return this.requestEnded(events, rowOfKind(row, kind), RequestEnd.cancelled)
      case ParlayEvent.requestExpired: return this.requestEnded(events, rowOfKind(row, kind), RequestEnd.expired)
      case ParlayEvent.requestCommitted: return this.requestEnded(events, rowOfKind(row, kind), RequestEnd.committed)
      case ParlayEvent.quoteSubmitted: return this.quoteSubmitted(events, rowOfKind(row, kind))
      case ParlayEvent.quoteReplaced: return quotes.ended(events, rowOfKind(row, kind), QuoteEnd.replaced)
      case ParlayEvent.quoteWithdrawn: return quotes.ended(events, rowOfKind(row, kind), QuoteEnd.withdrawn)
      case ParlayEvent.quoteExpired: return quotes.ended(events, rowOfKind(row, kind), QuoteEnd.expired)
      case ParlayEvent.quoteInvalidated: return quotes.invalidated(events, rowOfKind(row, kind))
      case ParlayEvent.quoteSelected: {
        const selected = rowOfKind(row, kind)
        return quotes.selected(events, selected, NONE, events.read(selected, QuoteSelected.confirmBeforeUs))
      }
      case ParlayEvent.quoteFilled: return quotes.filled(events, rowOfKind(row, kind))
      case ParlayEvent.quoteFailed: return quotes.failed(events, rowOfKind(row, kind))
      case ParlayEvent.positionOpened: return positions.opened(events, rowOfKind(row, kind))
      case ParlayEvent.positionSettled: return positions.settled(events, rowOfKind(row, kind))
      case ParlayEvent.marketResolved: return this.resolved(events, rowOfKind(row, kind))
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
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.auctionOpened: return this.auctionOpened(events, rowOfKind(row, kind))
      case ParlayEvent.auctionCancelled: return this.auctionCancelled(events, rowOfKind(row, kind))
      case ParlayEvent.auctionExpired:
        return auctions.ended(events.read(rowOfKind(row, kind), AuctionRow.auction), AuctionRowEnd.expired, momentOf(events, row))
      case ParlayEvent.auctionCommitted: return this.auctionCommitted(events, rowOfKind(row, kind))
      case ParlayEvent.bestBidChanged: {
        const best = rowOfKind(row, kind)
        return auctions.bestChanged(events.read(best, BidRow.auction), events.read(best, BidRow.priceMicros))
      }
      case ParlayEvent.bidSubmitted: return this.bidSubmitted(events, rowOfKind(row, kind))
      case ParlayEvent.bidReplaced: return auctions.bidEnded(bidMomentOf(events, rowOfKind(row, kind)), BidEnd.replaced)
      case ParlayEvent.bidExpired: return auctions.bidEnded(bidMomentOf(events, rowOfKind(row, kind)), BidEnd.expired)
      case ParlayEvent.bidInvalidated: return auctions.bidInvalidated(bidMomentOf(events, rowOfKind(row, kind)))
      case ParlayEvent.bidWon: return auctions.bidWon(bidMomentOf(events, rowOfKind(row, kind)))
      case ParlayEvent.bidFailed: {
        const failed = rowOfKind(row, kind)
        return auctions.bidFailed(bidMomentOf(events, failed), PARLAY_CODES[events.read(failed, BidFailed.failure)]!.name)
      }
      case ParlayEvent.positionBoughtBack: {
        const bought = rowOfKind(row, kind)
        return positions.boughtBack(events, bought, events.read(bought, PositionBoughtBack.auction))
      }
      case ParlayEvent.positionTransferred: return positions.transferred(events, rowOfKind(row, kind))
      case ParlayEvent.positionFailed: return positions.failed(events, rowOfKind(row, kind))
      case ParlayEvent.settlementDelayed:
        return positions.delayed(events.read(rowOfKind(row, kind), SettlementDelayed.position), events.read(row, EventCell.atUs))
      case ParlayEvent.vaultTransactionStarted: return this.vaults.started(events, rowOfKind(row, kind))
      case ParlayEvent.vaultTransactionChanged: return this.vaults.changed(events, rowOfKind(row, kind))
      case ParlayEvent.deliveryQueued: return this.webhooks.queued(events, rowOfKind(row, kind))
      case ParlayEvent.deliveryAttempted: return this.webhooks.attempted(events, rowOfKind(row, kind))
      case ParlayEvent.deliveryChanged: return this.webhooks.changed(events, rowOfKind(row, kind))
      case ParlayEvent.deliveryRequeued: return this.webhooks.requeued(events, rowOfKind(row, kind))
    }
  }

  private requestEnded(events: EventRows, row: Row<KindOf<typeof RequestEnded>>, end: number): void {
    this.rows.requests.ended(events.read(row, RequestEnded.request), end, events, row)
  }

  private quoteSubmitted(events: EventRows, row: Row<'parlay.quoteSubmitted'>): void {
    const cause = events.read(row, EventCell.cause)
    const fair = { value: this.journal.parlayFairOf(cause), product: this.journal.parlayProductOf(cause) }
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
    }, momentOf(events, row))
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

  private bidSubmitted(events: EventRows, row: Row<KindOf<typeof BidOffer>>): void {
    this.rows.auctions.submitted({
      auction: events.read(row, BidOffer.auction), bid: events.read(row, BidOffer.bid), maker: events.read(row, BidOffer.maker),
      priceMicros: events.read(row, BidOffer.priceMicros), expiresAtUs: events.read(row, BidOffer.expiresAtUs),
      fair: this.journal.parlayFairOf(events.read(row, EventCell.cause)), fairProduct: this.journal.parlayProductOf(events.read(row, EventCell.cause)),
    }, momentOf(events, row))
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
