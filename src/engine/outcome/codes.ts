import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'

/**
 * What strategies are told of the outcome service's answers: the parlay service's code that means the same to them, since one
 * strategy plays on either. Codes that are not named stand for a service that does not work now.
 */
const TOLD: Readonly<Record<number, number>> = {
  [OutcomeCode.ok]: ParlayCode.ok,
  // The maker did not stand by its quote.
  [OutcomeCode.declined]: ParlayCode.mmConfirmationTimeout,
  [OutcomeCode.timedOut]: ParlayCode.mmConfirmationTimeout,
  // The command makes no sense, or is signed for other terms.
  [OutcomeCode.invalidRequest]: ParlayCode.invalid,
  [OutcomeCode.invalidIdempotencyKey]: ParlayCode.invalid,
  [OutcomeCode.idempotencyKeyReused]: ParlayCode.invalid,
  [OutcomeCode.invalidSignature]: ParlayCode.invalid,
  [OutcomeCode.wrongAuthority]: ParlayCode.invalid,
  [OutcomeCode.unauthenticated]: ParlayCode.unauthorized,
  [OutcomeCode.originRequired]: ParlayCode.unauthorized,
  [OutcomeCode.forbidden]: ParlayCode.forbidden,
  [OutcomeCode.notFound]: ParlayCode.notFound,
  [OutcomeCode.identityNotFound]: ParlayCode.notFound,
  // The quote is not on offer any more.
  [OutcomeCode.quoteNotFound]: ParlayCode.quoteExpired,
  [OutcomeCode.quoteExpired]: ParlayCode.quoteExpired,
  [OutcomeCode.quoteCancelled]: ParlayCode.quoteExpired,
  [OutcomeCode.quoteReplaced]: ParlayCode.quoteExpired,
  [OutcomeCode.quoteSignerChanged]: ParlayCode.quoteExpired,
  // The RFQ is not what the sender took it for.
  [OutcomeCode.rfqNotOpen]: ParlayCode.requestNotActive,
  [OutcomeCode.rfqNotCancellable]: ParlayCode.conflict,
  [OutcomeCode.rfqGenerationStale]: ParlayCode.versionMismatch,
  [OutcomeCode.rfqGenerationInFlight]: ParlayCode.commitFailedRetryable,
  [OutcomeCode.stateConflict]: ParlayCode.conflict,
  // Somebody's money does not suffice.
  [OutcomeCode.quoteCapacityExceeded]: ParlayCode.insufficientCollateral,
  [OutcomeCode.quoteExposureLimit]: ParlayCode.insufficientCollateral,
  [OutcomeCode.coreFundingConflict]: ParlayCode.commitFailed,
  [OutcomeCode.coreVaultReservation]: ParlayCode.commitFailed,
  [OutcomeCode.coreMoveInFlight]: ParlayCode.commitFailed,
  [OutcomeCode.rfqIntentLimit]: ParlayCode.conflict,
  [OutcomeCode.rateLimited]: ParlayCode.rateLimited,
}

/** Of an accept of a bid a maker's missing money is the buyer's. */
const TOLD_SELLER: Readonly<Record<number, number>> = {
  ...TOLD,
  [OutcomeCode.quoteCapacityExceeded]: ParlayCode.insufficientBuyerBalance,
  [OutcomeCode.rfqNotOpen]: ParlayCode.auctionNotActive,
}

/** The ParlayCode that a strategy is told instead of an OutcomeCode. */
export const toldCode = (code: number): number => TOLD[code] ?? ParlayCode.commitFailedRetryable

/** The same of a bid that a seller took. */
export const toldSellerCode = (code: number): number => TOLD_SELLER[code] ?? ParlayCode.commitFailedRetryable
