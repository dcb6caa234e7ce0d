import { NONE } from '../../../unit/none.ts'
import { type Kind, type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { type EventRows, EventCell } from '../../../venue/eventRows.ts'
import { AuctionCommitted, AuctionOpened, AuctionRow, AuctionState, BidOffer, BidRow, BidState, ParlayEvent, type ParlayKind } from '../../../venue/parlay/protocol/events.ts'
import type { AuctionRecord, BidRecord } from '../../../venue/parlay/wire/cashOutBody.ts'
import { Retention } from '../../retention.ts'

type Known<T> = { -readonly [K in keyof T]: T[K] }

const STATE_OF_END: Readonly<Record<number, number>> = {
  [ParlayEvent.auctionCancelled]: AuctionState.cancelled, [ParlayEvent.auctionExpired]: AuctionState.expired,
  [ParlayEvent.auctionCommitted]: AuctionState.committed,
}
const STATE_OF_BID: Readonly<Record<number, number>> = {
  [ParlayEvent.bidReplaced]: BidState.replaced, [ParlayEvent.bidExpired]: BidState.expired, [ParlayEvent.bidInvalidated]: BidState.invalidated,
  [ParlayEvent.bidWon]: BidState.won, [ParlayEvent.bidFailed]: BidState.failed,
}

/** Cash-out auctions with their bids as their rows tell them, until the venue has forgotten them too. */
export class AuctionRecords {
  private readonly auctions = new Map<number, Known<AuctionRecord>>()
  private readonly bids = new Map<number, Known<BidRecord>>()
  private readonly bidsOf = new Map<number, number[]>()
  private declare readonly retention: Retention

  constructor(retentionUs: number) {
    this.retention = new Retention(retentionUs)
  }

  auction(number: number): AuctionRecord | null {
    return this.auctions.get(number) ?? null
  }

  bid(number: number): BidRecord | null {
    return this.bids.get(number) ?? null
  }

  /** Takes a row about a cash-out and passes over others. Returns the auction that it opened, or −1. */
  take(events: EventRows, row: Row): number {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.auctionOpened: return this.open(events, rowOfKind(row, kind))
      case ParlayEvent.auctionCancelled: case ParlayEvent.auctionExpired: case ParlayEvent.auctionCommitted:
        this.end(events, rowOfKind(row, kind), kind)
        break
      case ParlayEvent.bidSubmitted:
        this.submit(events, rowOfKind(row, kind))
        break
      case ParlayEvent.bidReplaced: case ParlayEvent.bidExpired: case ParlayEvent.bidInvalidated: case ParlayEvent.bidWon: case ParlayEvent.bidFailed: {
        const bid = this.bids.get(events.read(rowOfKind(row, kind), BidRow.bid))
        if (bid !== undefined) bid.state = STATE_OF_BID[kind]!
        break
      }
      case ParlayEvent.bestBidChanged: {
        const best = rowOfKind(row, kind)
        const auction = this.auctions.get(events.read(best, BidRow.auction))
        if (auction !== undefined) auction.bestPriceMicros = events.read(best, BidRow.priceMicros)
        break
      }
      default:
    }
    return NONE
  }

  /** Forgets what the venue has forgotten by `nowUs`. Returns the auctions. */
  forget(nowUs: number): readonly number[] {
    const due = this.retention.due(nowUs)
    for (const number of due) {
      this.auctions.delete(number)
      for (const bid of this.bidsOf.get(number) ?? []) this.bids.delete(bid)
      this.bidsOf.delete(number)
    }
    return due
  }

  private open(events: EventRows, opened: Row<'parlay.auctionOpened'>): number {
    const number = events.read(opened, AuctionOpened.auction)
    this.auctions.set(number, {
      number, position: events.read(opened, AuctionOpened.position), request: events.read(opened, AuctionOpened.request),
      seller: events.read(opened, AuctionOpened.seller), backer: events.read(opened, AuctionOpened.backer), state: AuctionState.active,
      stakeMicros: events.read(opened, AuctionOpened.netStakeMicros), payoutMicros: events.read(opened, AuctionOpened.payoutMicros),
      openedAtUs: events.read(opened, EventCell.atUs), endsAtUs: events.read(opened, AuctionOpened.endsAtUs), bestPriceMicros: NONE, winner: NONE,
      profitFeeMicros: NONE,
    })
    this.bidsOf.set(number, [])
    return number
  }

  private end(events: EventRows, row: Row<KindOf<typeof AuctionRow>>, kind: Extract<ParlayKind, Kind<KindOf<typeof AuctionRow>>>): void {
    const number = events.read(row, AuctionRow.auction)
    const auction = this.auctions.get(number)
    if (auction === undefined) return
    auction.state = STATE_OF_END[kind]!
    this.retention.add(number, events.read(row, EventCell.atUs))
    if (kind !== ParlayEvent.auctionCommitted) return
    const committed = rowOfKind(row, kind)
    auction.winner = events.read(committed, AuctionCommitted.winner)
    auction.bestPriceMicros = events.read(committed, AuctionCommitted.priceMicros)
    auction.profitFeeMicros = events.read(committed, AuctionCommitted.profitFeeMicros)
  }

  private submit(events: EventRows, submitted: Row<'parlay.bidSubmitted'>): void {
    const number = events.read(submitted, BidOffer.bid)
    const auction = events.read(submitted, BidOffer.auction)
    this.bids.set(number, {
      number, auction, maker: events.read(submitted, BidOffer.maker), state: BidState.live,
      priceMicros: events.read(submitted, BidOffer.priceMicros), validUntilUs: events.read(submitted, BidOffer.expiresAtUs),
    })
    this.bidsOf.get(auction)?.push(number)
  }
}
