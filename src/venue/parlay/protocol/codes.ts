/**
 * Reply codes: the reasons of the service's rejections, and kinds of `ok`. PARLAY_CODES has the top-level code and the HTTP
 * status of each. A code is a state and is named like one.
 */
export const ParlayCode = {
  ok: 0,
  /** 200 of a withdrawal whose quote had lapsed (readings A15). */
  alreadyExpired: 1,
  /** 200 of a deposit whose broadcast is unclear (PQ-079), or whose mirror is behind (PQ-080). */
  chainPending: 2,
  balancePending: 3,
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
  /** A transfer of another token or of bridged USDC, which credits nothing (PQ-026, PQ-027). */
  tokenNotCredited: 52,
  /** A fenced vault takes no money-moving call (readings A37), the recovery of a withdrawal is pending (PQ-084), the chain is off (PQ-225). */
  vaultFenced: 53,
  recoveryPending: 54,
  chainDisabled: 55,
  /** 500 of a withdrawal of which nothing happened (PQ-224). */
  withdrawalFailed: 56,
  /** 502 of a wallet withdrawal that left the vault and stayed in the wallet (PQ-352). */
  partialVaultOnly: 57,

  /** Cash-out bids (PQ-389…398); `auctionNotActive`, `auctionExpired` and `marketNearClose` answer sellers too. */
  priceAboveMaxPayout: 60,
  priceAboveBuybackBound: 61,
  selfQuote: 62,
  auctionNotActive: 63,
  auctionExpired: 64,
  marketNearClose: 65,
  buybackWalletMissing: 66,
  /** 410: the seller's commit or cancel of an auction past its window (readings A32). */
  gone: 67,
  /** Commit of an auction without a live bid at the seller's price. */
  noActiveBid: 68,
  /** Cash-out commit rejections (PQ-402…406), never told to a bidder. */
  amountOverBound: 70,
  insufficientBuyerBalance: 71,
  buyerNoVault: 72,
  alreadyTransferred: 73,
  buyerIsCounterparty: 74,

  /** Refusals by the gate. */
  unauthorized: 80,
  wrongApiKeyType: 81,
  insufficientScope: 82,
  rateLimited: 83,
  /** A delivery that is pending or between retries (PQ-135). */
  deliveryPending: 84,
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
  [ParlayCode.chainPending]: meaning('chainPending', 200, ''),
  [ParlayCode.balancePending]: meaning('balancePending', 200, ''),
  [ParlayCode.tokenNotCredited]: meaning('tokenNotCredited', 400, 'VALIDATION_ERROR', 'token_not_credited'),
  [ParlayCode.vaultFenced]: meaning('vaultFenced', 503, 'SERVICE_UNAVAILABLE', 'vault_fenced'),
  [ParlayCode.recoveryPending]: meaning('recoveryPending', 503, 'SERVICE_UNAVAILABLE', 'recovery_pending'),
  [ParlayCode.chainDisabled]: meaning('chainDisabled', 503, 'SERVICE_UNAVAILABLE', 'chain_disabled'),
  [ParlayCode.withdrawalFailed]: meaning('withdrawalFailed', 500, 'INTERNAL_ERROR', 'withdrawal_failed'),
  [ParlayCode.partialVaultOnly]: meaning('partialVaultOnly', 502, 'PARTIAL_VAULT_ONLY', 'wallet_transfer_failed'),
  [ParlayCode.priceAboveMaxPayout]: meaning('priceAboveMaxPayout', 400, 'VALIDATION_ERROR', 'price_above_max_payout'),
  [ParlayCode.priceAboveBuybackBound]: meaning('priceAboveBuybackBound', 400, 'VALIDATION_ERROR', 'price_above_buyback_bound'),
  [ParlayCode.selfQuote]: meaning('selfQuote', 409, 'CONFLICT', 'self_quote'),
  [ParlayCode.auctionNotActive]: meaning('auctionNotActive', 409, 'CONFLICT', 'not_active'),
  [ParlayCode.auctionExpired]: meaning('auctionExpired', 409, 'CONFLICT', 'expired'),
  [ParlayCode.marketNearClose]: meaning('marketNearClose', 409, 'CONFLICT', 'MARKET_NEAR_CLOSE'),
  [ParlayCode.buybackWalletMissing]: meaning('buybackWalletMissing', 409, 'CONFLICT', 'buyback_wallet_missing'),
  [ParlayCode.gone]: meaning('gone', 410, 'GONE'),
  [ParlayCode.noActiveBid]: meaning('noActiveBid', 409, 'CONFLICT', 'no_active_bid'),
  [ParlayCode.amountOverBound]: meaning('amountOverBound', 409, 'CONFLICT', 'amount_over_bound'),
  [ParlayCode.insufficientBuyerBalance]: meaning('insufficientBuyerBalance', 409, 'CONFLICT', 'insufficient_buyer_balance'),
  [ParlayCode.buyerNoVault]: meaning('buyerNoVault', 409, 'CONFLICT', 'buyer_no_vault'),
  [ParlayCode.alreadyTransferred]: meaning('alreadyTransferred', 409, 'CONFLICT', 'already_transferred'),
  [ParlayCode.buyerIsCounterparty]: meaning('buyerIsCounterparty', 409, 'CONFLICT', 'buyer_is_counterparty'),
  [ParlayCode.unauthorized]: meaning('unauthorized', 401, 'UNAUTHORIZED'),
  [ParlayCode.wrongApiKeyType]: meaning('wrongApiKeyType', 403, 'FORBIDDEN', 'wrong_api_key_type'),
  [ParlayCode.insufficientScope]: meaning('insufficientScope', 403, 'FORBIDDEN', 'insufficient_scope'),
  [ParlayCode.rateLimited]: meaning('rateLimited', 429, 'RATE_LIMITED'),
  [ParlayCode.deliveryPending]: meaning('deliveryPending', 409, 'CONFLICT', 'delivery_pending'),
}
