import { NONE } from '../../../unit/none.ts'
import { MS_US } from '../../../unit/time.ts'
import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import {
  BestQuoteChanged, ParlayEvent, type ParlayKind, QuoteEnded, QuoteSelected, RequestCreated, RequestEnded, RequestState,
} from '../../../venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../../venue/parlay/protocol/profile.ts'
import { AuctionRecords } from './auctions.ts'
import { MarketRecords } from './markets.ts'
import { QuoteRecords } from './quotes.ts'
import { newRequest, renew, type RequestRecord } from './requests.ts'
import { Retention } from '../../retention.ts'
import { TradeRecords } from './trades.ts'

const STATE_OF_END: Readonly<Record<number, number>> = {
  [ParlayEvent.requestCancelled]: RequestState.cancelled, [ParlayEvent.requestExpired]: RequestState.expired,
  [ParlayEvent.requestCommitted]: RequestState.committed,
}

/** What is told of names: entities that clients may name from now on, and those that nobody can name any more. */
export interface Told {
  requestKnown(request: number): void
  /** The parlay of a request that may be forgotten can be named by its holder. */
  parlayKnown(request: number): void
  quoteKnown(quote: number): void
  auctionKnown(auction: number): void
  /** `isHeld`: its parlay can still be read. */
  requestForgotten(request: RequestRecord, isHeld: boolean): void
  auctionForgotten(auction: number): void
}

/**
 * What clients of the parlay service read, built from the venue's rows and from nothing else, above the venue and beside the digest. Rows are
 * taken in their order. After the reply to a read, what stands here is what was at that instant. Requests and auctions are known as long as
 * the venue knows them. What accounts of `kept` held and quoted is known to the end of the session, since a venue forgets what has ended.
 */
export class ParlayRecords {
  declare readonly markets: MarketRecords
  declare readonly quotes: QuoteRecords
  declare readonly trades: TradeRecords
  declare readonly auctions: AuctionRecords
  private readonly requests = new Map<number, RequestRecord>()
  private declare readonly retention: Retention
  private declare readonly told: Told | null

  /** @param kept accounts whose clients read here. */
  constructor(kept: ReadonlySet<number>, profile: ParlayProfile, told: Told | null = null) {
    this.markets = new MarketRecords()
    this.quotes = new QuoteRecords(kept)
    this.trades = new TradeRecords(kept)
    this.auctions = new AuctionRecords(profile.auctionRetentionMs * MS_US)
    this.retention = new Retention(profile.requestRetentionMs * MS_US)
    this.told = told
  }

  request(number: number): RequestRecord | null {
    return this.requests.get(number) ?? null
  }

  /** Takes every row of a chunk. */
  takeAll(events: EventRows): void {
    for (let i = 0; i < events.count; i++) this.take(events, events.row(i))
  }

  take(events: EventRows, row: Row): void {
    const nowUs = events.read(row, EventCell.atUs)
    this.forget(nowUs)
    this.markets.take(events, row)
    const quote = this.quotes.take(events, row)
    if (quote !== null) {
      const request = this.requests.get(quote.request)
      request?.quotes.push(quote.number)
      if (request !== undefined) request.bookSeq = quote.bookSeq
      this.told?.quoteKnown(quote.number)
    }
    this.takeRequest(events, row, nowUs)
    const taken = this.trades.take(events, row, (number) => this.requests.get(number))
    if (taken !== NONE) this.told?.parlayKnown(taken)
    const auction = this.auctions.take(events, row)
    if (auction !== NONE) this.told?.auctionKnown(auction)
  }

  private takeRequest(events: EventRows, row: Row, nowUs: number): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.requestCreated: {
        const request = newRequest(events, rowOfKind(row, kind), nowUs)
        this.requests.set(request.number, request)
        this.trades.begin(request)
        this.told?.requestKnown(request.number)
        break
      }
      case ParlayEvent.requestUpdated:
        this.change(events.read(rowOfKind(row, kind), RequestCreated.request), nowUs, (request) => renew(request, events, rowOfKind(row, kind), nowUs))
        break
      case ParlayEvent.requestCancelled: case ParlayEvent.requestExpired: case ParlayEvent.requestCommitted: {
        const ended = rowOfKind(row, kind)
        const number = events.read(ended, RequestEnded.request)
        this.change(number, nowUs, (request) => {
          request.state = STATE_OF_END[kind]!
          request.bookSeq = events.read(ended, RequestEnded.bookSeq)
          request.pendingQuote = NONE
        })
        this.retention.add(number, nowUs)
        break
      }
      case ParlayEvent.quoteSelected: {
        const selected = rowOfKind(row, kind)
        this.change(events.read(selected, QuoteSelected.request), nowUs, (request) => {
          request.pendingQuote = events.read(selected, QuoteSelected.quote)
        })
        break
      }
      case ParlayEvent.quoteFailed: case ParlayEvent.quoteReplaced: case ParlayEvent.quoteWithdrawn: case ParlayEvent.quoteExpired:
      case ParlayEvent.quoteInvalidated: {
        const ended = rowOfKind(row, kind)
        this.change(events.read(ended, QuoteEnded.request), nowUs, (request) => {
          request.bookSeq = events.read(ended, QuoteEnded.bookSeq)
          if (kind === ParlayEvent.quoteFailed) request.pendingQuote = NONE
        })
        break
      }
      case ParlayEvent.bestQuoteChanged: {
        const best = rowOfKind(row, kind)
        this.change(events.read(best, BestQuoteChanged.request), nowUs, (request) => {
          request.bestQuote = events.read(best, BestQuoteChanged.quote)
        })
        break
      }
      default:
    }
  }

  /** Changes a request and its owner's parlay with it. */
  private change(number: number, nowUs: number, change: (request: RequestRecord) => void): void {
    const request = this.requests.get(number)
    if (request === undefined) return
    change(request)
    request.updatedAtUs = nowUs
    // A parlay that was traded goes its own way from then on.
    if (request.state !== RequestState.committed) this.trades.follow(request, statusOf(request), nowUs)
  }

  private forget(nowUs: number): void {
    for (const number of this.retention.due(nowUs)) {
      const request = this.requests.get(number)!
      this.requests.delete(number)
      this.told?.requestForgotten(request, this.trades.isHeld(number))
      this.quotes.forget(request.quotes)
    }
    for (const auction of this.auctions.forget(nowUs)) this.told?.auctionForgotten(auction)
  }
}

function statusOf(request: RequestRecord) {
  switch (request.state) {
    case RequestState.cancelled: return 'cancelled'
    case RequestState.expired: return 'expired'
    default: return request.pendingQuote !== NONE ? 'accepted' : request.bestQuote !== NONE ? 'quoted' : 'open'
  }
}
