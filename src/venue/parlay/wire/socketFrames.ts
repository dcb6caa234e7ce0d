import { ODDS_ONE } from '../../../unit/odds.ts'
import type { RowCells } from '../../eventCells.ts'
import { readCell } from '../../eventRows.ts'
import { QuoteSelected } from '../protocol/events.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'
import { legBody, legsOfRow, type NameOf, type PositionLeg } from './legBody.ts'

/** Why the first frame of a socket let nobody in (PQ-269; the four values are chosen, PQ-270). */
export const AUTH_ERRORS = {
  /** No frame within ten seconds (PQ-268). */
  timeout: 'auth_timeout',
  /** The first frame is not `{ type: 'auth', api_key }`. */
  malformed: 'invalid_message',
  /** The key does not begin with `api_`. */
  wrongType: 'wrong_api_key_type',
  /** Malformed, unknown, revoked or expired. */
  invalid: 'invalid_api_key',
} as const
export type AuthError = (typeof AUTH_ERRORS)[keyof typeof AUTH_ERRORS]

export const authOkFrame = (identity: WireIdentity, account: number) => ({ type: 'auth:ok', user_id: identity.account(account) }) as const

export const authErrorFrame = (code: AuthError) => ({ type: 'auth:error', code }) as const

/** To the chosen maker, at the selection (PQ-335, readings A10): it must confirm before the deadline. */
export interface QuoteAcceptedFrame {
  readonly type: 'quote:accepted'
  readonly data: {
    readonly quote_request_id: string
    readonly request_version: number
    readonly rfq_id: string
    readonly quote_id: string
    readonly payout_odds: number
    readonly confirmation_deadline: string
  }
}

type Selected = RowCells<'parlay.quoteSelected'>

export const quoteAcceptedFrame = (identity: WireIdentity, row: Selected): QuoteAcceptedFrame => ({
  type: 'quote:accepted',
  data: {
    quote_request_id: identity.request(readCell(row, QuoteSelected.request)),
    request_version: readCell(row, QuoteSelected.version),
    rfq_id: identity.rfq(readCell(row, QuoteSelected.request)),
    quote_id: identity.quote(readCell(row, QuoteSelected.quote)),
    payout_odds: readCell(row, QuoteSelected.oddsE4) / ODDS_ONE,
    confirmation_deadline: identity.instant(readCell(row, QuoteSelected.confirmBeforeUs)),
  },
})

/** Private channel of a maker. */
export const makerChannel = (identity: WireIdentity, maker: number): string => `mm:quotes:${identity.account(maker)}`

/** The same on the maker's private channel, with the quote's final economics and its exact legs (PQ-334). Money is decimal USDC. */
export interface MakerQuoteAcceptedFrame {
  readonly type: 'mm_quote:accepted'
  readonly channel: string
  readonly data: QuoteAcceptedFrame['data'] & {
    readonly bet_amount: JsonNumber
    readonly taker_fee: JsonNumber
    readonly user_stake: JsonNumber
    readonly total_payout: JsonNumber
    readonly mm_risk: JsonNumber
    readonly legs: readonly PositionLeg[]
  }
}

export function makerQuoteAcceptedFrame(
  identity: WireIdentity, row: Selected & { readonly pool: ArrayLike<number> }, nameOf: NameOf,
): MakerQuoteAcceptedFrame {
  const betMicros = readCell(row, QuoteSelected.betMicros)
  const stakeMicros = readCell(row, QuoteSelected.netStakeMicros)
  const riskMicros = readCell(row, QuoteSelected.riskMicros)
  return {
    type: 'mm_quote:accepted',
    channel: makerChannel(identity, readCell(row, QuoteSelected.maker)),
    data: {
      ...quoteAcceptedFrame(identity, row).data,
      bet_amount: usdcJson(betMicros),
      taker_fee: usdcJson(betMicros - stakeMicros),
      user_stake: usdcJson(stakeMicros),
      total_payout: usdcJson(stakeMicros + riskMicros),
      mm_risk: usdcJson(riskMicros),
      legs: legsOfRow(row).map((leg) => legBody(leg, nameOf)),
    },
  }
}
