import { EntityRows } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { MakerEntries } from '../../makerEntries.ts'
import { AuctionState } from '../protocol/events.ts'
import { type AuctionRows, AuctionWord } from './auctionRows.ts'

/** Small integers of a bid, by their offsets in a row of `BidRows.words`. */
export const BidWord = {
  /** Row of the auction. */
  auction: 0,
  maker: 1,
  /** A `BidState`. */
  state: 2,
  /** Bids of the auction after and before this one, by number, or −1. */
  next: 3,
  before: 4,
} as const

/** All else, by its offset in a row of `BidRows.cells`. */
export const BidCell = {
  number: 0,
  priceMicros: 1,
  validUntilUs: 2,
} as const

const STRIDE = 8

/**
 * Cash-out bids: the last bid of each maker in each known auction, in whatever state. A bid is named by the index of its row's first
 * word, like a quote (quoteRows.ts).
 */
export class BidRows extends EntityRows {
  constructor(capacity: number) {
    super(capacity, STRIDE)
  }
}

/** Finds each maker's bids anew in all active auctions. */
export function tabulateBids({ words }: BidRows, auctions: AuctionRows, makerBids: MakerEntries): void {
  makerBids.clear()
  auctions.forEachLive((a) => {
    if (auctions.words[a + AuctionWord.state] !== AuctionState.active) return
    for (let b = auctions.words[a + AuctionWord.firstBid]!; b !== NONE; b = words[b + BidWord.next]!) makerBids.set(a, words[b + BidWord.maker]!, b)
  })
}
