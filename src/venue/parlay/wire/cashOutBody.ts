import { AuctionState, BidState } from '../protocol/events.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'

export type CashOutStatus = keyof typeof AuctionState
export type BidStatus = keyof typeof BidState

/** A cash-out auction. Numbers are −1 where there is nothing yet. */
export interface AuctionRecord {
  readonly number: number
  readonly position: number
  readonly request: number
  readonly seller: number
  readonly backer: number
  /** An `AuctionState`. */
  readonly state: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly openedAtUs: number
  readonly endsAtUs: number
  /** Price of the best live bid, or of the bid that won. */
  readonly bestPriceMicros: number
  /** The maker whose bid won. */
  readonly winner: number
  readonly profitFeeMicros: number
}

/**
 * A cash-out request as its seller reads it (PQ-092, PQ-093; the other fields are chosen, PQ-099). It uses both conventions of money, and
 * `_micro` marks the integers (PQ-024).
 */
export interface CashOutBody {
  readonly id: string
  readonly rfq_id: string
  readonly position_id: string
  readonly status: CashOutStatus
  readonly counterparty_mm_id: string
  readonly market_maker_id: string | null
  readonly user_stake: JsonNumber
  readonly total_payout: JsonNumber
  readonly best_price_micro: number | null
  readonly profit_fee: JsonNumber | null
  readonly proceeds: JsonNumber | null
  readonly created_at: string
  readonly expires_at: string
}

const nameOf = <T extends string>(states: Readonly<Record<T, number>>, state: number): T =>
  (Object.keys(states) as T[]).find((name) => states[name] === state)!

export function cashOutBody(identity: WireIdentity, auction: AuctionRecord): CashOutBody {
  const { bestPriceMicros, profitFeeMicros } = auction
  const isSold = auction.state === AuctionState.committed
  return {
    id: identity.auction(auction.number),
    rfq_id: identity.rfq(auction.request),
    position_id: identity.position(auction.position),
    status: nameOf(AuctionState, auction.state),
    counterparty_mm_id: identity.account(auction.backer),
    market_maker_id: auction.winner < 0 ? null : identity.account(auction.winner),
    user_stake: usdcJson(auction.stakeMicros),
    total_payout: usdcJson(auction.payoutMicros),
    best_price_micro: bestPriceMicros < 0 ? null : bestPriceMicros,
    profit_fee: isSold ? usdcJson(profitFeeMicros) : null,
    proceeds: isSold ? usdcJson(bestPriceMicros - profitFeeMicros) : null,
    created_at: identity.instant(auction.openedAtUs),
    expires_at: identity.instant(auction.endsAtUs),
  }
}

/** A maker's bid. */
export interface BidRecord {
  readonly number: number
  readonly auction: number
  readonly maker: number
  /** A `BidState`. */
  readonly state: number
  readonly priceMicros: number
  readonly validUntilUs: number
}

/** A bid as its maker reads it (fields chosen: the document says "bid accepted"). */
export interface BidBody {
  readonly id: string
  readonly cashout_request_id: string
  readonly mm_id: string
  readonly status: BidStatus
  readonly price_micro: number
  readonly expires_at: string
}

/** A bidder is not told that its bid failed at the seller's commit (PQ-407): such a bid reads as one that the auction's end voided. */
export const bidBody = (identity: WireIdentity, bid: BidRecord): BidBody => ({
  id: identity.bid(bid.number),
  cashout_request_id: identity.auction(bid.auction),
  mm_id: identity.account(bid.maker),
  status: bid.state === BidState.failed ? 'invalidated' : nameOf(BidState, bid.state),
  price_micro: bid.priceMicros,
  expires_at: identity.instant(bid.validUntilUs),
})
