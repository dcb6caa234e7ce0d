import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import { PARLAY_CODES, ParlayCode } from '../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../venue/parlay/protocol/commands.ts'
import { AuctionEnd, ParlayEvent } from '../venue/parlay/protocol/events.ts'
import { AuctionRowEnd, BidEnd } from './cashOutTables.ts'
import type { CastCodes } from './cast.ts'
import type { JournalRows } from './journalRows.ts'
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

  constructor(tables: OpenTables, rows: ServiceRows, parts: { readonly codes: CastCodes; readonly journal: JournalRows; readonly deliveryRetentionUs: number }) {
    this.rows = rows
    this.journal = parts.journal
    const funded = (position: number, atUs: number): void => rows.positions.funded(position, atUs)
    this.vaults = new VaultRows(...tables.vaultTransactions, parts.codes, funded)
    this.webhooks = new WebhookRows(...tables.webhooks, parts.deliveryRetentionUs)
  }

  happened(events: EventRows, row: number): void {
    const { requests, quotes, positions } = this.rows
    // As an integer: a switch on a double is a chain of comparisons of doubles.
    switch (events.get(row, Field.kind) | 0) {
      case ParlayEvent.reply: return this.replied(events, row)
      case ParlayEvent.bestQuoteChanged:
        return requests.bestChanged(requests.open.openSlotOf(events.get(row, Field.request)), events.get(row, Field.oddsE4))
      case ParlayEvent.requestCreated: return requests.created(events, row)
      case ParlayEvent.requestUpdated: return requests.updated(events, row)
      case ParlayEvent.requestCancelled: return requests.ended(events, row, RequestEnd.cancelled)
      case ParlayEvent.requestExpired: return requests.ended(events, row, RequestEnd.expired)
      case ParlayEvent.requestCommitted: return requests.ended(events, row, RequestEnd.committed)
      case ParlayEvent.quoteSubmitted: return quotes.submitted(events, row, this.journal.parlayFairOf(events.get(row, Field.cause)))
      case ParlayEvent.quoteReplaced: return quotes.ended(events, row, QuoteEnd.replaced)
      case ParlayEvent.quoteWithdrawn: return quotes.ended(events, row, QuoteEnd.withdrawn)
      case ParlayEvent.quoteExpired: return quotes.ended(events, row, QuoteEnd.expired)
      case ParlayEvent.quoteInvalidated: return quotes.invalidated(events, row)
      case ParlayEvent.quoteSelected: return quotes.selected(events, row, NONE, events.get(row, Field.untilUs))
      case ParlayEvent.quoteFilled: return quotes.filled(events, row)
      case ParlayEvent.quoteFailed: return quotes.failed(events, row)
      case ParlayEvent.positionOpened: return positions.opened(events, row)
      case ParlayEvent.positionSettled: return positions.settled(events, row)
      case ParlayEvent.marketResolved:
        return this.rows.reference.resolve(events.get(row, Field.amountA), events.get(row, Field.amountB), events.get(row, Field.atUs))
      default: return this.soldOrTold(events, row)
    }
  }

  /** The session is over: what is pending leaves its rows. */
  finish(): void {
    this.vaults.finish()
    this.webhooks.finish()
  }

  /** Cash-outs, what the chain does late, and deliveries. */
  private soldOrTold(events: EventRows, row: number): void {
    const { auctions, positions } = this.rows
    switch (events.get(row, Field.kind) | 0) {
      case ParlayEvent.auctionOpened: return auctions.opened(events, row)
      case ParlayEvent.auctionCancelled: return auctions.ended(events, row, cancelOf(events, row))
      case ParlayEvent.auctionExpired: return auctions.ended(events, row, AuctionRowEnd.expired)
      case ParlayEvent.auctionCommitted: return auctions.ended(events, row, AuctionRowEnd.committed)
      case ParlayEvent.bestBidChanged: return auctions.bestChanged(events, row)
      case ParlayEvent.bidSubmitted: return auctions.submitted(events, row, this.journal.parlayFairOf(events.get(row, Field.cause)))
      case ParlayEvent.bidReplaced: return auctions.bidEnded(events, row, BidEnd.replaced)
      case ParlayEvent.bidExpired: return auctions.bidEnded(events, row, BidEnd.expired)
      case ParlayEvent.bidInvalidated: return auctions.bidInvalidated(events, row)
      case ParlayEvent.bidWon: return auctions.bidWon(events, row)
      case ParlayEvent.bidFailed: return auctions.bidFailed(events, row, PARLAY_CODES[events.get(row, Field.code)]!.name)
      case ParlayEvent.positionBoughtBack: return positions.boughtBack(events, row, events.get(row, Field.auction))
      case ParlayEvent.positionTransferred: return positions.transferred(events, row)
      case ParlayEvent.positionFailed: return positions.failed(events, row)
      case ParlayEvent.settlementDelayed: return positions.delayed(events, row)
      case ParlayEvent.vaultTransactionStarted: return this.vaults.started(events, row)
      case ParlayEvent.vaultTransactionChanged: return this.vaults.changed(events, row)
      case ParlayEvent.deliveryQueued: return this.webhooks.queued(events, row)
      case ParlayEvent.deliveryAttempted: return this.webhooks.attempted(events, row)
      case ParlayEvent.deliveryChanged: return this.webhooks.changed(events, row)
      case ParlayEvent.deliveryRequeued: return this.webhooks.requeued(events, row)
    }
  }

  private replied(events: EventRows, row: number): void {
    const code = events.get(row, Field.code)
    if (!isParlayRejection(code)) return
    this.rows.rejections.parlayRefused(events, row)
    // A selection counts where it is made, so its late refusal is no second attempt.
    const attempt = events.get(row, Field.amountA) === ParlayOp.commitRequest && code !== ParlayCode.mmConfirmationTimeout
    if (attempt) this.rows.requests.attempted(events.get(row, Field.request))
  }
}

const cancelOf = (events: EventRows, row: number): number =>
  events.get(row, Field.code) === AuctionEnd.positionDecided ? AuctionRowEnd.decided : AuctionRowEnd.cancelled
