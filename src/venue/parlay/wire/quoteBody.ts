import { ODDS_ONE } from '../../../unit/odds.ts'
import { QuoteState } from '../protocol/events.ts'
import type { QuoteView } from '../protocol/view.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'

/** Where a quote is in its life; each but `live` and `reserved` is its end. */
export type QuoteStatus = keyof typeof QuoteState

/** A quote with its times; `endedAtUs` is −1 before its end, which a confirmation is too. */
export interface QuoteRecord extends QuoteView {
  readonly submittedAtUs: number
  readonly endedAtUs: number
  /** `book_seq` of its submission. */
  readonly bookSeq: number
}

/**
 * A maker's quote (PQ-055, PQ-203). The document names `id` and `taker_fee_bps` (PQ-089), and the other fields are chosen: money is decimal
 * USDC, odds have up to four decimals.
 */
export interface QuoteBody {
  readonly id: string
  readonly quote_request_id: string
  readonly mm_id: string
  readonly request_version: number
  readonly status: QuoteStatus
  readonly payout_odds: number
  readonly taker_fee_bps: number
  readonly user_stake: JsonNumber
  readonly mm_risk: JsonNumber
  readonly book_seq: number
  readonly created_at: string
  readonly expires_at: string
  readonly ended_at: string | null
}

const STATUS = Object.fromEntries(Object.entries(QuoteState).map(([name, state]) => [state, name])) as Readonly<Record<number, QuoteStatus>>

export const quoteBody = (identity: WireIdentity, quote: QuoteRecord): QuoteBody => ({
  id: identity.quote(quote.number),
  quote_request_id: identity.request(quote.request),
  mm_id: identity.account(quote.maker),
  request_version: quote.version,
  status: STATUS[quote.state]!,
  payout_odds: quote.oddsE4 / ODDS_ONE,
  taker_fee_bps: quote.takerFeeBps,
  user_stake: usdcJson(quote.stakeMicros),
  mm_risk: usdcJson(quote.riskMicros),
  book_seq: quote.bookSeq,
  created_at: identity.instant(quote.submittedAtUs),
  expires_at: identity.instant(quote.validUntilUs),
  ended_at: quote.endedAtUs < 0 ? null : identity.instant(quote.endedAtUs),
})

/** Answer to a withdrawal whose quote had run out by time (PQ-195). */
export const ALREADY_EXPIRED = { status: 'already_expired' } as const
