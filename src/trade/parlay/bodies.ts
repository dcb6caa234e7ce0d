import type { ListedParlay } from './lostCalls.ts'

// What the service says to a bettor, as far as one reads it.

export interface RequestBody { readonly data: { readonly quote_request: { readonly id: string; readonly version: number; readonly expires_at: string } } }
export interface BestBody { readonly quote_request_id: string; readonly book_seq: number; readonly quote_id: string | null; readonly payout_odds: number | null }
export interface CommitBody { readonly data: { readonly rfq_id: string } }
export interface ParlayBody {
  readonly data: {
    readonly parlay: {
      readonly rfq_id: string; readonly status: string; readonly bet_amount: number; readonly position_id: string | null; readonly user_stake: number
      readonly taker_fee: number; readonly total_payout: number; readonly outcome: string | null; readonly received: number | null
    }
  }
}
export interface ParlaysBody { readonly data: { readonly parlays: readonly ListedParlay[] }; readonly meta: { readonly cursor: string; readonly has_more: boolean } }
export interface AuctionBody {
  readonly data: {
    readonly cashout_request: { readonly id: string; readonly status: 'active' | 'committed' | 'cancelled' | 'expired'; readonly best_price_micro: number | null; readonly proceeds: number | null }
  }
}
