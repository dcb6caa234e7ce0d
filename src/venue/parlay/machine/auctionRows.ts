import { EntityRows } from '../../../unit/countedColumns.ts'

/** Small integers of an auction, by their offsets in a row of `AuctionRows.words`. */
export const AuctionWord = {
  /** Holder of the position when the auction opened. */
  seller: 0,
  /** `counterparty_mm_id` (PQ-092). */
  backer: 1,
  /** An `AuctionState`. */
  state: 2,
  version: 3,
  /** Bids by ascending number, linked through `BidWord.next` and `BidWord.before`, −1 when empty. */
  firstBid: 4,
  lastBid: 5,
  /** The best live bid, or −1. */
  bestBid: 6,
  /** Account of the maker whose bid won (PQ-093), or −1. */
  winner: 7,
} as const

/** All else, by its offset in a row of `AuctionRows.cells`. */
export const AuctionCell = {
  number: 0,
  /** Numbers of the position and of its request. */
  position: 1,
  request: 2,
  payoutMicros: 3,
  /** Highest price that the backing maker may pay (readings A28). */
  boundMicros: 4,
  endsAtUs: 5,
  /** When the ended auction is forgotten. It has no meaning while the auction is active. */
  evictAtUs: 6,
} as const

const STRIDE = 8

/**
 * Cash-out auctions, until they are evicted. They outlive positions that are bought back or settled. An auction is named by the index of
 * its row's first word, like a quote (quoteRows.ts).
 */
export class AuctionRows extends EntityRows {
  constructor(capacity: number) {
    super(capacity, STRIDE)
  }
}
