import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { type RowCells, rowAs } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { Bucket } from '../protocol/access.ts'
import { PARLAY_CODES, ParlayCode } from '../protocol/codes.ts'
import { CollateralRefusal, CommitReply, LimitRefusal, PartialReply, PriceRefusal, Reply } from '../protocol/events.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'
import type { MarketName } from './legBody.ts'

/** The eleven top-level codes with their HTTP status (PQ-343…354). */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400, UNAUTHORIZED: 401, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409, GONE: 410, PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429, INTERNAL_ERROR: 500, PARTIAL_VAULT_ONLY: 502, SERVICE_UNAVAILABLE: 503,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS

/** A text for people. Clients branch on `code` (PQ-339). */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'The request is malformed or out of range.',
  UNAUTHORIZED: 'The credential is missing, invalid, revoked or expired.',
  FORBIDDEN: 'The credential does not permit this.',
  NOT_FOUND: 'There is no such resource.',
  CONFLICT: 'The resource is in another state; read it again.',
  GONE: 'The resource has expired and was removed.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  RATE_LIMITED: 'Too many calls; wait as long as Retry-After says.',
  INTERNAL_ERROR: 'Something went wrong here.',
  PARTIAL_VAULT_ONLY: 'Only the vault\'s part was done; read the details before another try.',
  SERVICE_UNAVAILABLE: 'The service cannot do this at the moment.',
}

/** One thing that is wrong with a body or a query. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}
/** A leg that cannot be bet on, by its place, or several legs that exclude each other (PQ-356…358). */
export interface LegError {
  readonly reason: string
  readonly legs?: readonly number[]
  /** Where a market was not found. */
  readonly venue?: MarketName['venue']
}

export interface ErrorDetails {
  readonly reason?: string
  readonly issues?: readonly Issue[]
  readonly leg_errors?: readonly LegError[]
  readonly required?: JsonNumber
  readonly available?: JsonNumber
  readonly failed_mm_id?: string
  readonly max_price_micro?: number
  /** The part of a wallet withdrawal that was done: the vault's transaction, and the USDC that the caller's wallet has of it. */
  readonly tx_signature?: string
  readonly amount?: JsonNumber
}

/** The one error envelope (PQ-020, PQ-338). */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details?: ErrorDetails
    /** Whole seconds, or null when the wait is not known; only on a 429 of main API routes (PQ-341). */
    readonly retry_after?: number | null
  }
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

/** An answer of the edge itself without a reply row, such as PAYLOAD_TOO_LARGE. */
export function errorAnswer(code: ErrorCode, details?: ErrorDetails): ErrorAnswer {
  return { status: ERROR_STATUS[code], headers: {}, body: { error: { code, message: MESSAGES[code], ...(details && { details }) } } }
}

function detailsOf(identity: WireIdentity, code: number, reply: RowCells<'parlay.reply'>): ErrorDetails | undefined {
  const { reason } = PARLAY_CODES[code]!
  switch (code) {
    case ParlayCode.invalid:
      return { issues: [{ path: [], message: MESSAGES.VALIDATION_ERROR }] }
    case ParlayCode.legMarketNotFound:
    case ParlayCode.legMarketExpired:
    case ParlayCode.legsExcluded:
      return { leg_errors: [{ reason }] }
    case ParlayCode.insufficientCollateral: {
      const row = rowAs(CollateralRefusal, reply)
      return {
        reason, required: usdcJson(readCell(row, CollateralRefusal.requiredMicros)),
        available: usdcJson(readCell(row, CollateralRefusal.availableMicros)),
      }
    }
    case ParlayCode.mmConfirmationTimeout:
      return { reason, failed_mm_id: identity.account(readCell(rowAs(CommitReply, reply), CommitReply.maker)) }
    case ParlayCode.priceAboveMaxPayout:
      return { reason, max_price_micro: readCell(rowAs(PriceRefusal, reply), PriceRefusal.maxPriceMicros) }
    case ParlayCode.partialVaultOnly:
      return {
        reason, tx_signature: identity.txSignature(readCell(reply, EventCell.seq)), amount: usdcJson(readCell(rowAs(PartialReply, reply), PartialReply.amountMicros)),
      }
    default:
      return reason === '' ? undefined : { reason }
  }
}

/**
 * The HTTP answer to a rejected command, from its reply row. `known` replaces cells of the row where the edge knows more: which
 * leg or field was wrong. Throws Bug for a reply that is a success.
 */
export function errorOfReply(identity: WireIdentity, reply: RowCells<'parlay.reply'>, known?: ErrorDetails): ErrorAnswer {
  const code = readCell(reply, Reply.code)
  const meaning = PARLAY_CODES[code]
  if (meaning === undefined || meaning.code === '') throw new Bug(`reply code ${code} is no error`)
  const details = known ?? detailsOf(identity, code, reply)
  const answer = errorAnswer(meaning.code as ErrorCode, details)
  if (code !== ParlayCode.rateLimited) return answer
  const refusal = rowAs(LimitRefusal, reply)
  const wait = readCell(refusal, LimitRefusal.retryAfterS)
  const headers: Record<string, string> = wait === NONE ? {} : { 'Retry-After': String(wait) }
  // Routes of the quote service have no `retry_after` in their bodies (PQ-342).
  if (readCell(refusal, LimitRefusal.bucket) === Bucket.quoteService) return { ...answer, headers }
  return { ...answer, headers, body: { error: { ...answer.body.error, retry_after: wait === NONE ? null : wait } } }
}
