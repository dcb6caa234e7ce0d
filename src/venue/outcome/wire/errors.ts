import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { rowAs, type RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { INVALID_FIELD_POINTERS, InvalidField, OUTCOME_CODES, OutcomeCode, type Retry } from '../protocol/codes.ts'
import { FieldRefusal, LimitRefusal, Reply } from '../protocol/events.ts'
import type { OutcomeProfile } from '../protocol/profile.ts'
import type { WireIdentity } from './identity.ts'

/** For logs; clients branch on `code` (OM-168). */
const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'The body, a path parameter or a header is invalid.',
  INVALID_QUERY: 'A query parameter is invalid or not accepted.',
  INVALID_CURSOR: 'The cursor is malformed or belongs to another query.',
  INVALID_IDEMPOTENCY_KEY: 'Exactly one Idempotency-Key, a lowercase UUIDv7, is needed; a confirm takes none.',
  SUBPROTOCOL_REQUIRED: 'No supported subprotocol was negotiated.',
  UNAUTHENTICATED: 'The credential is missing, invalid, expired or revoked.',
  ORIGIN_REQUIRED: 'Exactly one Origin header is needed.',
  FORBIDDEN: 'The credential lacks the scope, permission or role.',
  NOT_FOUND: 'There is no such resource.',
  IDENTITY_NOT_FOUND: 'The account has no venue identity; bind the embedded wallet first.',
  QUOTE_NOT_FOUND: 'There is no such quote.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with other input.',
  STATE_CONFLICT: 'The resource has changed; read it again.',
  STALE_CURSOR: 'The cursor is of an older catalogue; begin with the first page.',
  CURSOR_EXPIRED: 'The cursor has expired; begin with the first page.',
  CURSOR_RESET: 'The cursor cannot be replayed; take a snapshot.',
  RFQ_NOT_CANCELLABLE: 'The RFQ is past cancellation.',
  RFQ_NOT_OPEN: 'The RFQ is not open any more.',
  RFQ_GENERATION_STALE: 'The RFQ is in a later generation.',
  RFQ_GENERATION_IN_FLIGHT: 'The generation of the RFQ is changing; read it again.',
  QUOTE_EXPIRED: 'The quote has expired.',
  QUOTE_CANCELLED: 'The maker cancelled the quote.',
  QUOTE_REPLACED: 'A newer quote of the maker replaced this one.',
  QUOTE_SIGNER_CHANGED: 'The maker has another quote signer than when it signed.',
  QUOTE_CAPACITY_EXCEEDED: 'The maker\'s capacity does not cover the quote any more.',
  CORE_FUNDING_CONFLICT: 'Another core funding of the account is active.',
  CORE_VAULT_RESERVATION: 'The vault\'s reservation for the funding has changed.',
  CORE_MOVE_IN_FLIGHT: 'A transfer of the core wallet is under way.',
  INVALID_SIGNATURE: 'The signature does not verify for the terms.',
  WRONG_AUTHORITY: 'The signer is not the current authority.',
  RATE_LIMITED: 'Too many calls; wait as long as Retry-After says.',
  CONNECTION_LIMIT: 'The account has as many streams as it may.',
  RFQ_INTENT_LIMIT: 'The account has as many open RFQs as it may.',
  QUOTE_EXPOSURE_LIMIT: 'The maker\'s open quotes are at their limit.',
  DEPENDENCY_STALE: 'What this needs is behind or unavailable.',
  AUTHORIZATION_UNAVAILABLE: 'Credentials cannot be looked up at the moment.',
  SOURCE_UNAVAILABLE: 'The source of this read or stream is unavailable.',
  CONTRACT_UNAVAILABLE: 'This is switched off here.',
  MARKET_DATA_UNAVAILABLE: 'There is no complete catalogue of markets.',
  FINANCIAL_ACTIONS_DISABLED: 'Financial actions are switched off.',
  CORE_FUNDING_UNAVAILABLE: 'Core funding cannot be admitted at the moment.',
  SPONSORSHIP_UNAVAILABLE: 'Gas sponsorship is unavailable.',
  CONTRACT_SIGNATURE_OVERLOADED: 'Verification of contract signatures is at capacity.',
  QUOTE_EXPOSURE_STALE: 'The maker\'s exposure is not known at the moment.',
  COMBO_AUTOMATIC_DISABLED: 'Combinations are not quoted automatically at the moment.',
  EMBEDDED_WALLET_UNAVAILABLE: 'The embedded wallet is unavailable.',
  CONNECTION_DRAIN: 'This replica drains; connect again and resume.',
}

/** What a client waits when nothing says how long (chosen): every BACKOFF answer has a Retry-After (OM-171). */
export const RETRY_AFTER_S = 1
/** Longest reason of a close frame, bytes (RFC 6455, 5.5.1). */
export const CLOSE_REASON_BYTES_MAX = 123

/** What is wrong with a field: it is missing, its value cannot be, or no such field exists (OM-174). */
export interface FieldViolation {
  /** JSON pointer (RFC 6901) into the body; '' is the body itself. */
  readonly field: string
  readonly code: 'REQUIRED' | 'INVALID' | 'UNEXPECTED'
}

/** The one error body (OM-167). */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly retry: Retry
    readonly request_id: string
    readonly field_violations?: readonly FieldViolation[]
  }
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

export interface ErrorDetails {
  readonly violations?: readonly FieldViolation[]
  /** Whole seconds; of a BACKOFF answer only. */
  readonly retryAfterS?: number
  /** What else there is to say to people. */
  readonly remark?: string
}

/**
 * The HTTP answer with a code of the service. Throws Bug for a success, and for a code that only closes streams.
 * @param requestId the same text in the body and in X-Request-ID (OM-173).
 */
export function errorAnswer(code: number, requestId: string, details: ErrorDetails = {}): ErrorAnswer {
  const meaning = OUTCOME_CODES[code]
  if (meaning === undefined || meaning.retry === null || meaning.status === 0) throw new Bug(`code ${code} is no HTTP error`)
  const { violations, retryAfterS = RETRY_AFTER_S, remark } = details
  return {
    status: meaning.status,
    headers: { 'X-Request-ID': requestId, ...(meaning.retry === 'BACKOFF' && { 'Retry-After': String(retryAfterS) }) },
    body: {
      error: {
        code: meaning.code, message: remark === undefined ? MESSAGES[meaning.code]! : `${MESSAGES[meaning.code]!} ${remark}`, retry: meaning.retry, request_id: requestId,
        ...(violations !== undefined && violations.length > 0 && { field_violations: violations }),
      },
    },
  }
}

/** The violation that an `invalidRequest` reply names, or none when it names no field. */
function violationsOf(field: number, place: number): readonly FieldViolation[] {
  const pointer = INVALID_FIELD_POINTERS[field]
  return pointer === undefined ? [] : [{ field: pointer.replace('{i}', String(place)), code: 'INVALID' }]
}

/** Is the reply row one that repeats a remembered answer (OM-110)? */
export const isReplayed = (reply: RowCells): boolean => readCell(reply, EventCell.listLength) === 1

/** Headers of every answer to a command, and of a replayed one (OM-110, OM-173). */
export const answerHeaders = (requestId: string, replayed: boolean): Readonly<Record<string, string>> =>
  ({ 'X-Request-ID': requestId, ...(replayed && { 'Idempotency-Replayed': 'true' }) })

/** How far ahead quotes may expire. */
export type ExpiryBounds = Pick<OutcomeProfile, 'entryExpiryMaxMs' | 'cashoutExpiryMinMs' | 'cashoutExpiryMaxMs'>

/** A violation has no place for a range (OM-174). The reply does not say which kind of quote it was. */
const rangesOfExpiry = ({ entryExpiryMaxMs, cashoutExpiryMinMs, cashoutExpiryMaxMs }: ExpiryBounds): string =>
  `The expiry of an entry quote is at most ${entryExpiryMaxMs / 1000} s ahead of the service's clock, that of a cash-out quote ${cashoutExpiryMinMs / 1000} to ${cashoutExpiryMaxMs / 1000} s.`

/** The HTTP answer to a rejected command, from its reply row. Throws Bug for a reply that is a success. */
export function errorOfReply(identity: WireIdentity, reply: RowCells<'outcome.reply'>, bounds: ExpiryBounds): ErrorAnswer {
  const code = readCell(reply, Reply.code)
  const requestId = identity.request(readCell(reply, EventCell.cause))
  const answer = errorAnswer(code, requestId, detailsOf(reply, code, bounds))
  return { ...answer, headers: { ...answer.headers, ...answerHeaders(requestId, isReplayed(reply)) } }
}

function detailsOf(reply: RowCells<'outcome.reply'>, code: number, bounds: ExpiryBounds): ErrorDetails {
  if (code === OutcomeCode.invalidRequest) {
    const refusal = rowAs(FieldRefusal, reply)
    const field = readCell(refusal, FieldRefusal.invalidField)
    const violations = violationsOf(field, readCell(refusal, FieldRefusal.legIndex))
    return field === InvalidField.expiry ? { violations, remark: rangesOfExpiry(bounds) } : { violations }
  }
  if (code !== OutcomeCode.rateLimited) return {}
  const retryAfterS = readCell(rowAs(LimitRefusal, reply), LimitRefusal.retryAfterS)
  return retryAfterS === NONE ? {} : { retryAfterS }
}

/** How a stream is closed: a close code, with the error code as its reason (OM-175). */
export interface StreamClose {
  readonly code: number
  readonly reason: string
}

/** An ordinary end by the client itself (RFC 6455). */
const NORMAL_CLOSE = 1000

/** The close of a stream. Throws Bug for a code that closes none. */
export function closeOf(code: number): StreamClose {
  if (code === OutcomeCode.ok) return { code: NORMAL_CLOSE, reason: '' }
  const meaning = OUTCOME_CODES[code]
  if (meaning === undefined || meaning.close === 0) throw new Bug(`code ${code} closes no stream`)
  return { code: meaning.close, reason: meaning.code }
}
