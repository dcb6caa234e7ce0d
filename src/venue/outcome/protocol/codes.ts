/** Reply codes of the service: its error table, and three successes. */
export const OutcomeCode = {
  ok: 0,
  /** The accept's answers when nothing was filled: 200 with the acceptance in its final state (readings B07). */
  declined: 1,
  timedOut: 2,

  invalidRequest: 10,
  invalidQuery: 11,
  invalidCursor: 12,
  invalidIdempotencyKey: 13,
  subprotocolRequired: 14,
  unauthenticated: 15,
  originRequired: 16,
  forbidden: 17,
  notFound: 18,
  identityNotFound: 19,
  quoteNotFound: 20,

  idempotencyKeyReused: 30,
  stateConflict: 31,
  staleCursor: 32,
  cursorExpired: 33,
  cursorReset: 34,
  rfqNotCancellable: 35,
  rfqNotOpen: 36,
  rfqGenerationStale: 37,
  rfqGenerationInFlight: 38,
  quoteExpired: 39,
  quoteCancelled: 40,
  quoteReplaced: 41,
  quoteSignerChanged: 42,
  quoteCapacityExceeded: 43,
  coreFundingConflict: 44,
  coreVaultReservation: 45,
  coreMoveInFlight: 46,

  invalidSignature: 50,
  wrongAuthority: 51,

  rateLimited: 60,
  connectionLimit: 61,
  rfqIntentLimit: 62,
  quoteExposureLimit: 63,

  dependencyStale: 70,
  authorizationUnavailable: 71,
  sourceUnavailable: 72,
  contractUnavailable: 73,
  marketDataUnavailable: 74,
  financialActionsDisabled: 75,
  coreFundingUnavailable: 76,
  sponsorshipUnavailable: 77,
  contractSignatureOverloaded: 78,
  quoteExposureStale: 79,
  comboAutomaticDisabled: 80,
  embeddedWalletUnavailable: 81,
  connectionDrain: 82,

  invalidSubscription: 90,
  subscriptionDenied: 91,
  authorizationRevoked: 92,
  slowConsumer: 93,
  resnapshotRequired: 94,
  snapshotTooLarge: 95,
} as const

/** What a client does after an error (OM-169). */
export type Retry = 'NEVER' | 'BACKOFF' | 'REFRESH'

export interface OutcomeCodeMeaning {
  readonly name: string
  /** `error.code`; empty for a success. */
  readonly code: string
  /** HTTP status, or 0 for a code that only closes a stream. */
  readonly status: number
  /** WebSocket close code, or 0. */
  readonly close: number
  /** Null for a success. */
  readonly retry: Retry | null
}

const meaning = (name: string, code: string, status: number, close: number, retry: Retry | null): OutcomeCodeMeaning =>
  ({ name, code, status, close, retry })

/** Name, error code, HTTP status, close code and retry class of every reply code, as in the document's table. */
export const OUTCOME_CODES: Readonly<Record<number, OutcomeCodeMeaning>> = {
  [OutcomeCode.ok]: meaning('ok', '', 200, 0, null),
  [OutcomeCode.declined]: meaning('declined', '', 200, 0, null),
  [OutcomeCode.timedOut]: meaning('timedOut', '', 200, 0, null),
  [OutcomeCode.invalidRequest]: meaning('invalidRequest', 'INVALID_REQUEST', 400, 0, 'NEVER'),
  [OutcomeCode.invalidQuery]: meaning('invalidQuery', 'INVALID_QUERY', 400, 0, 'NEVER'),
  [OutcomeCode.invalidCursor]: meaning('invalidCursor', 'INVALID_CURSOR', 400, 0, 'NEVER'),
  [OutcomeCode.invalidIdempotencyKey]: meaning('invalidIdempotencyKey', 'INVALID_IDEMPOTENCY_KEY', 400, 0, 'NEVER'),
  [OutcomeCode.subprotocolRequired]: meaning('subprotocolRequired', 'SUBPROTOCOL_REQUIRED', 400, 1008, 'NEVER'),
  [OutcomeCode.unauthenticated]: meaning('unauthenticated', 'UNAUTHENTICATED', 401, 0, 'NEVER'),
  // Named in the document's text, without a row in its table (OM-149, readings B18).
  [OutcomeCode.originRequired]: meaning('originRequired', 'ORIGIN_REQUIRED', 403, 0, 'NEVER'),
  [OutcomeCode.forbidden]: meaning('forbidden', 'FORBIDDEN', 403, 0, 'NEVER'),
  [OutcomeCode.notFound]: meaning('notFound', 'NOT_FOUND', 404, 0, 'NEVER'),
  [OutcomeCode.identityNotFound]: meaning('identityNotFound', 'IDENTITY_NOT_FOUND', 404, 0, 'NEVER'),
  [OutcomeCode.quoteNotFound]: meaning('quoteNotFound', 'QUOTE_NOT_FOUND', 404, 0, 'NEVER'),
  [OutcomeCode.idempotencyKeyReused]: meaning('idempotencyKeyReused', 'IDEMPOTENCY_KEY_REUSED', 409, 0, 'NEVER'),
  [OutcomeCode.stateConflict]: meaning('stateConflict', 'STATE_CONFLICT', 409, 0, 'REFRESH'),
  [OutcomeCode.staleCursor]: meaning('staleCursor', 'STALE_CURSOR', 409, 0, 'REFRESH'),
  [OutcomeCode.cursorExpired]: meaning('cursorExpired', 'CURSOR_EXPIRED', 409, 0, 'REFRESH'),
  [OutcomeCode.cursorReset]: meaning('cursorReset', 'CURSOR_RESET', 409, 1008, 'REFRESH'),
  [OutcomeCode.rfqNotCancellable]: meaning('rfqNotCancellable', 'RFQ_NOT_CANCELLABLE', 409, 0, 'NEVER'),
  [OutcomeCode.rfqNotOpen]: meaning('rfqNotOpen', 'RFQ_NOT_OPEN', 409, 0, 'REFRESH'),
  [OutcomeCode.rfqGenerationStale]: meaning('rfqGenerationStale', 'RFQ_GENERATION_STALE', 409, 0, 'REFRESH'),
  [OutcomeCode.rfqGenerationInFlight]: meaning('rfqGenerationInFlight', 'RFQ_GENERATION_IN_FLIGHT', 409, 0, 'REFRESH'),
  [OutcomeCode.quoteExpired]: meaning('quoteExpired', 'QUOTE_EXPIRED', 409, 0, 'REFRESH'),
  [OutcomeCode.quoteCancelled]: meaning('quoteCancelled', 'QUOTE_CANCELLED', 409, 0, 'REFRESH'),
  [OutcomeCode.quoteReplaced]: meaning('quoteReplaced', 'QUOTE_REPLACED', 409, 0, 'REFRESH'),
  [OutcomeCode.quoteSignerChanged]: meaning('quoteSignerChanged', 'QUOTE_SIGNER_CHANGED', 409, 0, 'REFRESH'),
  [OutcomeCode.quoteCapacityExceeded]: meaning('quoteCapacityExceeded', 'QUOTE_CAPACITY_EXCEEDED', 409, 0, 'REFRESH'),
  [OutcomeCode.coreFundingConflict]: meaning('coreFundingConflict', 'CORE_FUNDING_CONFLICT', 409, 0, 'REFRESH'),
  [OutcomeCode.coreVaultReservation]: meaning('coreVaultReservation', 'CORE_VAULT_RESERVATION', 409, 0, 'REFRESH'),
  [OutcomeCode.coreMoveInFlight]: meaning('coreMoveInFlight', 'CORE_MOVE_IN_FLIGHT', 409, 0, 'REFRESH'),
  [OutcomeCode.invalidSignature]: meaning('invalidSignature', 'INVALID_SIGNATURE', 422, 0, 'NEVER'),
  [OutcomeCode.wrongAuthority]: meaning('wrongAuthority', 'WRONG_AUTHORITY', 422, 0, 'REFRESH'),
  [OutcomeCode.rateLimited]: meaning('rateLimited', 'RATE_LIMITED', 429, 0, 'BACKOFF'),
  [OutcomeCode.connectionLimit]: meaning('connectionLimit', 'CONNECTION_LIMIT', 429, 0, 'BACKOFF'),
  [OutcomeCode.rfqIntentLimit]: meaning('rfqIntentLimit', 'RFQ_INTENT_LIMIT', 429, 0, 'BACKOFF'),
  [OutcomeCode.quoteExposureLimit]: meaning('quoteExposureLimit', 'QUOTE_EXPOSURE_LIMIT', 429, 0, 'BACKOFF'),
  [OutcomeCode.dependencyStale]: meaning('dependencyStale', 'DEPENDENCY_STALE', 503, 1013, 'BACKOFF'),
  [OutcomeCode.authorizationUnavailable]: meaning('authorizationUnavailable', 'AUTHORIZATION_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.sourceUnavailable]: meaning('sourceUnavailable', 'SOURCE_UNAVAILABLE', 503, 1013, 'BACKOFF'),
  [OutcomeCode.contractUnavailable]: meaning('contractUnavailable', 'CONTRACT_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.marketDataUnavailable]: meaning('marketDataUnavailable', 'MARKET_DATA_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.financialActionsDisabled]: meaning('financialActionsDisabled', 'FINANCIAL_ACTIONS_DISABLED', 503, 0, 'BACKOFF'),
  [OutcomeCode.coreFundingUnavailable]: meaning('coreFundingUnavailable', 'CORE_FUNDING_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.sponsorshipUnavailable]: meaning('sponsorshipUnavailable', 'SPONSORSHIP_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.contractSignatureOverloaded]: meaning('contractSignatureOverloaded', 'CONTRACT_SIGNATURE_OVERLOADED', 503, 0, 'BACKOFF'),
  [OutcomeCode.quoteExposureStale]: meaning('quoteExposureStale', 'QUOTE_EXPOSURE_STALE', 503, 0, 'BACKOFF'),
  [OutcomeCode.comboAutomaticDisabled]: meaning('comboAutomaticDisabled', 'COMBO_AUTOMATIC_DISABLED', 503, 0, 'BACKOFF'),
  [OutcomeCode.embeddedWalletUnavailable]: meaning('embeddedWalletUnavailable', 'EMBEDDED_WALLET_UNAVAILABLE', 503, 0, 'BACKOFF'),
  [OutcomeCode.connectionDrain]: meaning('connectionDrain', 'CONNECTION_DRAIN', 503, 1012, 'BACKOFF'),
  [OutcomeCode.invalidSubscription]: meaning('invalidSubscription', 'INVALID_SUBSCRIPTION', 0, 1008, 'NEVER'),
  [OutcomeCode.subscriptionDenied]: meaning('subscriptionDenied', 'SUBSCRIPTION_DENIED', 0, 1008, 'NEVER'),
  [OutcomeCode.authorizationRevoked]: meaning('authorizationRevoked', 'AUTHORIZATION_REVOKED', 0, 1008, 'NEVER'),
  [OutcomeCode.slowConsumer]: meaning('slowConsumer', 'SLOW_CONSUMER', 0, 1008, 'BACKOFF'),
  [OutcomeCode.resnapshotRequired]: meaning('resnapshotRequired', 'RESNAPSHOT_REQUIRED', 0, 1008, 'REFRESH'),
  [OutcomeCode.snapshotTooLarge]: meaning('snapshotTooLarge', 'SNAPSHOT_TOO_LARGE', 0, 1013, 'BACKOFF'),
}

/** Which field of a command `invalidRequest` is about (`FieldRefusal`). */
export const InvalidField = {
  op: 1, account: 2, amount: 3, stake: 4, legs: 5, legOutcome: 6, legSide: 7, rfq: 8, quote: 9, position: 10, generation: 11, payout: 12,
  expiry: 13, core: 14, validAfter: 15, validBefore: 16, exitExpiry: 17, outcome: 18, close: 19, outcomeId: 20, value: 21, value2: 22,
  label: 23, scopes: 24, expiryDays: 25, proof: 26,
} as const

/** JSON pointer of a field in the request's body or path; `{i}` stands for the leg's place. */
export const INVALID_FIELD_POINTERS: Readonly<Record<number, string>> = {
  [InvalidField.op]: '', [InvalidField.account]: '/account', [InvalidField.amount]: '/amount', [InvalidField.stake]: '/stake',
  [InvalidField.legs]: '/legs', [InvalidField.legOutcome]: '/legs/{i}/outcome_id', [InvalidField.legSide]: '/legs/{i}/side',
  [InvalidField.rfq]: '/rfq_id', [InvalidField.quote]: '/quote_id', [InvalidField.position]: '/position_id',
  [InvalidField.generation]: '/generation', [InvalidField.payout]: '/payout', [InvalidField.expiry]: '/expiry', [InvalidField.core]: '/funding/core',
  [InvalidField.validAfter]: '/valid_after', [InvalidField.validBefore]: '/valid_before', [InvalidField.exitExpiry]: '/exit/expiry',
  [InvalidField.outcome]: '/outcome', [InvalidField.close]: '/close', [InvalidField.outcomeId]: '/outcome_id', [InvalidField.value]: '/value',
  [InvalidField.value2]: '/value2', [InvalidField.label]: '/label', [InvalidField.scopes]: '/scopes',
  [InvalidField.expiryDays]: '/expires_in_days', [InvalidField.proof]: '/proof',
}
