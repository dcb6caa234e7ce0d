import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import {
  AuctionOpened, BestQuoteChanged, ParlayEvent, type ParlayKind, QuoteSelected, RequestCreated,
} from '../../../venue/parlay/protocol/events.ts'
import type { KeptRow } from '../../keptRow.ts'

type Request = KeptRow<KindOf<typeof RequestCreated>>
type Best = KeptRow<'parlay.bestQuoteChanged'>
type Selected = KeptRow<'parlay.quoteSelected'>
type Auction = KeptRow<'parlay.auctionOpened'>

/** What the streams tell of a row. */
export type StreamTiding =
  | { readonly kind: 'request'; readonly row: Request }
  | { readonly kind: 'best'; readonly row: Best }
  | { readonly kind: 'auction'; readonly row: Auction }

/** A selection, which its maker is told on the socket. */
export interface SelectedTiding {
  readonly kind: 'selected'
  readonly row: Selected
  readonly maker: number
}

interface OfRequest {
  readonly versions: Map<number, StreamTiding>
  /** By `book_seq`. */
  readonly bests: Map<number, StreamTiding>
  /** By quote. */
  readonly selections: Map<number, SelectedTiding>
}

/**
 * Rows that channels tell, from when they are written until nobody can be told them any more: makers are told when a message has come down
 * the way to them, which is later than the row.
 */
export class Tidings {
  private readonly ofRequest = new Map<number, OfRequest>()
  private readonly auctions = new Map<number, StreamTiding>()

  /** Takes a row, and returns what it tells, or null. */
  take(events: EventRows, row: Row): StreamTiding | SelectedTiding | null {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.requestCreated: case ParlayEvent.requestUpdated: {
        const made = rowOfKind(row, kind)
        const tiding: StreamTiding = { kind: 'request', row: events.keptRow(made) }
        this.of(events.read(made, RequestCreated.request)).versions.set(events.read(made, RequestCreated.version), tiding)
        return tiding
      }
      case ParlayEvent.bestQuoteChanged: {
        const best = rowOfKind(row, kind)
        const tiding: StreamTiding = { kind: 'best', row: events.keptRow(best) }
        this.of(events.read(best, BestQuoteChanged.request)).bests.set(events.read(best, BestQuoteChanged.bookSeq), tiding)
        return tiding
      }
      case ParlayEvent.quoteSelected: {
        const selected = rowOfKind(row, kind)
        const tiding: SelectedTiding = { kind: 'selected', row: events.keptRow(selected), maker: events.read(selected, QuoteSelected.maker) }
        this.of(events.read(selected, QuoteSelected.request)).selections.set(events.read(selected, QuoteSelected.quote), tiding)
        return tiding
      }
      case ParlayEvent.auctionOpened: {
        const opened = rowOfKind(row, kind)
        const tiding: StreamTiding = { kind: 'auction', row: events.keptRow(opened) }
        this.auctions.set(events.read(opened, AuctionOpened.auction), tiding)
        return tiding
      }
      default: return null
    }
  }

  version(request: number, version: number): StreamTiding | undefined {
    return this.ofRequest.get(request)?.versions.get(version)
  }

  best(request: number, bookSeq: number): StreamTiding | undefined {
    return this.ofRequest.get(request)?.bests.get(bookSeq)
  }

  selection(request: number, quote: number): SelectedTiding | undefined {
    return this.ofRequest.get(request)?.selections.get(quote)
  }

  auction(auction: number): StreamTiding | undefined {
    return this.auctions.get(auction)
  }

  requestForgotten(request: number): void {
    this.ofRequest.delete(request)
  }

  auctionForgotten(auction: number): void {
    this.auctions.delete(auction)
  }

  private of(request: number): OfRequest {
    const known = this.ofRequest.get(request)
    if (known !== undefined) return known
    const made: OfRequest = { versions: new Map(), bests: new Map(), selections: new Map() }
    this.ofRequest.set(request, made)
    return made
  }
}
