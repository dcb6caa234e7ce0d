/**
 * Reply codes: the reasons of the service's rejections, and `ok` kinds. The top-level code and the HTTP status of
 * each are in PARLAY_CODES; a code is a state, so it reads as one.
 */
export const ParlayCode = {
  ok: 0,
  /** 200 of a withdrawal whose quote had lapsed (readings A15). */
  alreadyExpired: 1,
  /** `details.issues`: malformed legs, side or bet; odds, validity or amount out of range (PQ-355). */
  invalid: 10,
  /** `details.leg_errors` (PQ-356…358). */
  legMarketNotFound: 11,
  legMarketExpired: 12,
  legsExcluded: 13,
  notFound: 20,
  forbidden: 21,
  /** 409 CONFLICT without a reason: the request is no longer active (PQ-117, PQ-118), or a selection is pending (readings A12). */
  conflict: 22,
  quoteChanged: 30,
  marketNotLive: 31,
  quoteExpired: 32,
  commitFailed: 33,
  commitFailedRetryable: 34,
  mmConfirmationTimeout: 35,
  insufficientCollateral: 40,
  collateralCheckUnavailable: 41,
  feeUnavailable: 42,
  versionMismatch: 43,
  noActiveQuote: 44,
  requestNotActive: 45,
  /** The confirmation or decline names no pending selection of this maker: late, foreign or unknown (readings A11). */
  noPendingSelection: 46,
  /** Withdrawal above the free balance (readings A36). */
  insufficientFunds: 50,
  /** Withdrawal by an account that never had a vault (PQ-222). */
  noVault: 51,
} as const

export interface CodeMeaning {
  readonly name: string
  readonly status: number
  /** Top-level `error.code`; empty for a success. */
  readonly code: string
  /** `error.details.reason`; empty where the service gives none. */
  readonly reason: string
}

const meaning = (name: string, status: number, code: string, reason = ''): CodeMeaning => ({ name, status, code, reason })

/** Name, HTTP status, top-level code and `details.reason` of every reply code. */
export const PARLAY_CODES: Readonly<Record<number, CodeMeaning>> = {
  [ParlayCode.ok]: meaning('ok', 200, ''),
  [ParlayCode.alreadyExpired]: meaning('alreadyExpired', 200, ''),
  [ParlayCode.invalid]: meaning('invalid', 400, 'VALIDATION_ERROR'),
  [ParlayCode.legMarketNotFound]: meaning('legMarketNotFound', 400, 'VALIDATION_ERROR', 'market_not_found'),
  [ParlayCode.legMarketExpired]: meaning('legMarketExpired', 400, 'VALIDATION_ERROR', 'market_expired'),
  [ParlayCode.legsExcluded]: meaning('legsExcluded', 400, 'VALIDATION_ERROR', 'exclusion_conflict'),
  [ParlayCode.notFound]: meaning('notFound', 404, 'NOT_FOUND'),
  [ParlayCode.forbidden]: meaning('forbidden', 403, 'FORBIDDEN'),
  [ParlayCode.conflict]: meaning('conflict', 409, 'CONFLICT'),
  [ParlayCode.quoteChanged]: meaning('quoteChanged', 409, 'CONFLICT', 'QUOTE_CHANGED'),
  [ParlayCode.marketNotLive]: meaning('marketNotLive', 409, 'CONFLICT', 'MARKET_NOT_LIVE'),
  [ParlayCode.quoteExpired]: meaning('quoteExpired', 409, 'CONFLICT', 'QUOTE_EXPIRED'),
  [ParlayCode.commitFailed]: meaning('commitFailed', 409, 'CONFLICT', 'COMMIT_FAILED'),
  [ParlayCode.commitFailedRetryable]: meaning('commitFailedRetryable', 503, 'SERVICE_UNAVAILABLE', 'COMMIT_FAILED_RETRYABLE'),
  [ParlayCode.mmConfirmationTimeout]: meaning('mmConfirmationTimeout', 409, 'CONFLICT', 'mm_confirmation_timeout'),
  [ParlayCode.insufficientCollateral]: meaning('insufficientCollateral', 400, 'VALIDATION_ERROR', 'insufficient_collateral'),
  [ParlayCode.collateralCheckUnavailable]: meaning('collateralCheckUnavailable', 503, 'SERVICE_UNAVAILABLE', 'collateral_check_unavailable'),
  [ParlayCode.feeUnavailable]: meaning('feeUnavailable', 503, 'SERVICE_UNAVAILABLE', 'fee_unavailable'),
  [ParlayCode.versionMismatch]: meaning('versionMismatch', 409, 'CONFLICT', 'version_mismatch'),
  [ParlayCode.noActiveQuote]: meaning('noActiveQuote', 409, 'CONFLICT', 'no_active_quote'),
  [ParlayCode.requestNotActive]: meaning('requestNotActive', 409, 'CONFLICT', 'request_not_active'),
  [ParlayCode.noPendingSelection]: meaning('noPendingSelection', 409, 'CONFLICT', 'no_pending_selection'),
  [ParlayCode.insufficientFunds]: meaning('insufficientFunds', 400, 'VALIDATION_ERROR', 'insufficient_funds'),
  [ParlayCode.noVault]: meaning('noVault', 404, 'NOT_FOUND'),
}
