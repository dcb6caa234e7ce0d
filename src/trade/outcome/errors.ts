import { Action, Refusal, type RefusalName } from '../../agent/vocabulary.ts'
import type { Answer } from '../link.ts'

/** What the service says of a call that it refused. */
export interface OutcomeError {
  readonly code: string
  readonly refusal: Refusal
  /** NaN where the service does not say. */
  readonly retryAfterUs: number
}

const SECOND_US = 1_000_000
type Meaning = RefusalName | Partial<Record<'quote' | 'withdraw' | 'decide' | 'take' | 'sell', RefusalName>>

/** By the code of the service. What differs by what was wished has a meaning for each. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  INVALID_REQUEST: 'invalid', INVALID_IDEMPOTENCY_KEY: 'invalid', IDEMPOTENCY_KEY_REUSED: 'invalid',
  UNAUTHENTICATED: 'notAllowed', ORIGIN_REQUIRED: 'notAllowed', FORBIDDEN: 'notAllowed', IDENTITY_NOT_FOUND: 'notAllowed',
  NOT_FOUND: 'notFound',
  QUOTE_NOT_FOUND: { withdraw: 'quoteGone', take: 'quoteGone', decide: 'noSelection' },
  QUOTE_EXPIRED: 'quoteGone', QUOTE_CANCELLED: 'quoteGone', QUOTE_REPLACED: 'quoteGone', QUOTE_SIGNER_CHANGED: 'quoteGone',
  // The maker's own quote is accepted: another cannot take its place, and it can be withdrawn no more.
  STATE_CONFLICT: { quote: 'selectionPending', withdraw: 'quoteGone', decide: 'noSelection', take: 'unfillable', sell: 'notSellable' },
  RFQ_NOT_OPEN: 'notOpen', RFQ_NOT_CANCELLABLE: 'notOpen', RFQ_GENERATION_IN_FLIGHT: 'selectionPending',
  RFQ_GENERATION_STALE: 'termsStale', INVALID_SIGNATURE: 'termsStale', WRONG_AUTHORITY: 'termsStale',
  QUOTE_CAPACITY_EXCEEDED: { quote: 'insufficientFunds', take: 'counterpartyUnable' },
  QUOTE_EXPOSURE_LIMIT: 'exposureExceeded', RFQ_INTENT_LIMIT: 'tooManyOpen', RATE_LIMITED: 'rateLimited',
  CORE_VAULT_RESERVATION: 'insufficientFunds', CORE_FUNDING_CONFLICT: 'unfillable', CORE_MOVE_IN_FLIGHT: 'unfillable',
}

const WISHES: Readonly<Partial<Record<Action, 'quote' | 'withdraw' | 'decide' | 'take' | 'sell'>>> = {
  [Action.submitQuote]: 'quote', [Action.submitBid]: 'quote', [Action.withdrawQuote]: 'withdraw', [Action.confirm]: 'decide', [Action.decline]: 'decide',
  [Action.commit]: 'take', [Action.takeBid]: 'take', [Action.openCashOut]: 'sell',
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly field_violations?: readonly { readonly field: string }[] }
}

/** Reads how the service refused a wish. What it does not know is as if the service did not work. */
export function errorOf(action: Action, { status, headers, body }: Answer): OutcomeError {
  const { code = `HTTP ${status}`, field_violations: violations = [] } = (readObject(body) as ErrorBody).error ?? {}
  const retryAfterUs = Number(headers['retry-after'] ?? NaN) * SECOND_US
  return { code, refusal: Refusal[meaningOf(action, code, violations)], retryAfterUs }
}

function meaningOf(action: Action, code: string, violations: readonly { readonly field: string }[]): RefusalName {
  if (code === 'INVALID_REQUEST' && violations.some(({ field }) => field === '/payout')) return 'priceOutOfBounds'
  const meaning = MEANINGS[code]
  const wish = WISHES[action]
  return (typeof meaning === 'object' ? wish && meaning[wish] : meaning) ?? 'unavailable'
}

/** The object of a JSON text; an empty one where the text is none. */
export function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
