import { Action, Refusal, type RefusalName } from '../../agent/vocabulary.ts'
import type { Answer } from '../link.ts'

/** What the service says of a refused call. */
export interface ParlayError {
  /** The reason, or where there is none the code. */
  readonly code: string
  readonly refusal: Refusal
  /** NaN where the service does not say. */
  readonly retryAfterUs: number
  readonly failedMaker: string | null
}

const SECOND_US = 1_000_000

/** By `details.reason`. */
const REASONS: Readonly<Record<string, RefusalName>> = {
  market_expired: 'marketClosed', MARKET_NOT_LIVE: 'marketClosed', MARKET_NEAR_CLOSE: 'marketClosed',
  QUOTE_CHANGED: 'termsStale', version_mismatch: 'termsStale',
  // No quote or bid is live at the limit.
  QUOTE_EXPIRED: 'noQuote', no_active_bid: 'noQuote',
  COMMIT_FAILED: 'unfillable', COMMIT_FAILED_RETRYABLE: 'unavailable', mm_confirmation_timeout: 'notConfirmed',
  request_not_active: 'notOpen', not_active: 'notOpen', expired: 'notOpen', already_transferred: 'notOpen',
  amount_over_bound: 'counterpartyUnable', insufficient_buyer_balance: 'counterpartyUnable', buyer_no_vault: 'counterpartyUnable',
  buyer_is_counterparty: 'counterpartyUnable',
  wrong_api_key_type: 'notAllowed', insufficient_scope: 'notAllowed', self_quote: 'notAllowed', buyback_wallet_missing: 'notAllowed', insufficient_collateral: 'insufficientFunds',
  no_active_quote: 'quoteGone', no_pending_selection: 'noSelection', price_above_max_payout: 'priceOutOfBounds', price_above_buyback_bound: 'priceOutOfBounds',
}
/** By `code`, where there is no reason that says more. */
const CODES: Readonly<Record<string, RefusalName>> = {
  VALIDATION_ERROR: 'invalid', PAYLOAD_TOO_LARGE: 'invalid', UNAUTHORIZED: 'notAllowed', FORBIDDEN: 'notAllowed', NOT_FOUND: 'notFound', CONFLICT: 'notOpen',
  GONE: 'notOpen', RATE_LIMITED: 'rateLimited',
}
/** A maker's conflict that no reason explains: its quote is selected, another cannot take its place, and it can be withdrawn no more. */
const CONFLICTS: Readonly<Partial<Record<Action, RefusalName>>> = {
  [Action.submitQuote]: 'selectionPending', [Action.withdrawQuote]: 'quoteGone', [Action.confirm]: 'quoteGone', [Action.decline]: 'quoteGone', [Action.submitBid]: 'quoteGone',
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string
    readonly details?: { readonly reason?: string; readonly failed_mm_id?: string; readonly leg_errors?: readonly { readonly reason: string }[] }
  }
}

/** Reads a refusal of a wish. What it does not know is as if the service did not work. */
export function errorOf(action: Action, { status, headers, body }: Answer): ParlayError {
  const { error = {} } = objectOf<ErrorBody>(body)
  const { code = `HTTP ${status}`, details = {} } = error
  const reason = details.reason ?? details.leg_errors?.[0]?.reason
  const isUnsellable = action === Action.openCashOut && code === 'CONFLICT' && reason === undefined
  const byCode = (code === 'CONFLICT' ? CONFLICTS[action] : undefined) ?? CODES[code]
  const name = isUnsellable ? 'notSellable' : REASONS[reason ?? ''] ?? byCode ?? 'unavailable'
  const waitS = Number(headers['retry-after'] ?? NaN)
  return { code: reason ?? code, refusal: Refusal[name], retryAfterUs: waitS * SECOND_US, failedMaker: details.failed_mm_id ?? null }
}

/** What the answer to a command says, or null for one that was accepted. */
export const refusalOf = (action: Action, answer: Answer): ParlayError | null => (answer.status < 300 ? null : errorOf(action, answer))

/** What an answer's body has; nothing where it is no JSON object. */
export function objectOf<T extends object>(body: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
