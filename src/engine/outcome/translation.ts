import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import { NONE } from '../../unit/none.ts'
import { InvalidField, OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import { OutcomeEvent, RfqEnd } from '../../venue/outcome/protocol/events.ts'
import { type Meaning, Refusals } from '../refusals.ts'

const OPS: Readonly<Record<Action, number>> = {
  [Action.requestQuote]: OutcomeOp.createRfq,
  [Action.cancelRequest]: OutcomeOp.cancelRfq,
  [Action.commit]: OutcomeOp.acceptQuote,
  [Action.openCashOut]: OutcomeOp.openCashout,
  [Action.cancelCashOut]: OutcomeOp.cancelRfq,
  [Action.takeBid]: OutcomeOp.acceptQuote,
  [Action.submitQuote]: OutcomeOp.submitQuote,
  [Action.withdrawQuote]: OutcomeOp.cancelQuote,
  [Action.confirm]: OutcomeOp.confirmQuote,
  [Action.decline]: OutcomeOp.declineQuote,
  [Action.submitBid]: OutcomeOp.submitQuote,
}

/** Opcode of an Action. */
export const opOf = (action: number): number => OPS[action as Action]

/** The Action of a participant's opcode, about an RFQ that is the auction of a position or is not; undefined of what strategies never wish for. */
export function actionOf(op: number, isAuction: boolean): Action | undefined {
  switch (op) {
    case OutcomeOp.submitQuote: return isAuction ? Action.submitBid : Action.submitQuote
    case OutcomeOp.cancelQuote: return Action.withdrawQuote
    case OutcomeOp.confirmQuote: return Action.confirm
    case OutcomeOp.declineQuote: return Action.decline
    case OutcomeOp.createRfq: return Action.requestQuote
    case OutcomeOp.cancelRfq: return isAuction ? Action.cancelCashOut : Action.cancelRequest
    case OutcomeOp.acceptQuote: return isAuction ? Action.takeBid : Action.commit
    case OutcomeOp.openCashout: return Action.openCashOut
  }
}

const MEANINGS = {
  ok: 'none',
  declined: 'notConfirmed', timedOut: 'notConfirmed',
  invalidRequest: 'invalid', invalidIdempotencyKey: 'invalid', idempotencyKeyReused: 'invalid',
  unauthenticated: 'notAllowed', originRequired: 'notAllowed', forbidden: 'notAllowed', identityNotFound: 'notAllowed',
  notFound: 'notFound',
  quoteNotFound: { commit: 'quoteGone', takeBid: 'quoteGone', withdrawQuote: 'quoteGone', confirm: 'noSelection', decline: 'noSelection' },
  quoteExpired: 'quoteGone', quoteCancelled: 'quoteGone', quoteReplaced: 'quoteGone', quoteSignerChanged: 'quoteGone',
  stateConflict: {
    // The maker's own quote is accepted: another cannot take its place, and it can be withdrawn no more.
    submitQuote: 'selectionPending', submitBid: 'selectionPending', withdrawQuote: 'quoteGone',
    confirm: 'noSelection', decline: 'noSelection', openCashOut: 'notSellable',
    // Rates, legs or the taker's money: the service does not say which.
    commit: 'unfillable', takeBid: 'unfillable',
  },
  rfqNotOpen: 'notOpen', rfqNotCancellable: 'notOpen',
  rfqGenerationInFlight: 'selectionPending',
  rfqGenerationStale: 'termsStale', invalidSignature: 'termsStale', wrongAuthority: 'termsStale',
  quoteCapacityExceeded: {
    submitQuote: 'insufficientFunds', submitBid: 'insufficientFunds', commit: 'counterpartyUnable', takeBid: 'counterpartyUnable',
  },
  quoteExposureLimit: 'exposureExceeded',
  rfqIntentLimit: 'tooManyOpen',
  rateLimited: 'rateLimited',
  coreVaultReservation: 'insufficientFunds',
  coreFundingConflict: 'unfillable', coreMoveInFlight: 'unfillable',
  authorizationUnavailable: 'unavailable', contractUnavailable: 'unavailable', financialActionsDisabled: 'unavailable',
  sponsorshipUnavailable: 'unavailable', contractSignatureOverloaded: 'unavailable', quoteExposureStale: 'unavailable',
  coreFundingUnavailable: 'unavailable', comboAutomaticDisabled: 'unavailable', embeddedWalletUnavailable: 'unavailable',
  // These are refusals of reads and streams, which strategies do not command.
  invalidQuery: 'never', invalidCursor: 'never', staleCursor: 'never', cursorExpired: 'never', cursorReset: 'never',
  dependencyStale: 'never', sourceUnavailable: 'never', marketDataUnavailable: 'never', subprotocolRequired: 'never',
  connectionLimit: 'never', connectionDrain: 'never', invalidSubscription: 'never', subscriptionDenied: 'never',
  authorizationRevoked: 'never', slowConsumer: 'never', resnapshotRequired: 'never', snapshotTooLarge: 'never',
} satisfies Record<keyof typeof OutcomeCode, Meaning>

const refusals = new Refusals(OutcomeCode, MEANINGS)

/**
 * The Refusal with which a reply of the code answers an Action; `namesQuote` says whether the command named a quote or bid, `field` is the
 * InvalidField of an invalid one.
 */
export function refusalOf(action: number, code: number, namesQuote: boolean, field: number = NONE): Refusal {
  if (code === OutcomeCode.invalidRequest && field === InvalidField.payout) return Refusal.priceOutOfBounds
  if (code === OutcomeCode.quoteNotFound && !namesQuote && (action === Action.commit || action === Action.takeBid)) return Refusal.noQuote
  return refusals.of(action, code)
}

/** A last look's window ends with its last good instant; strategies are told the first that is too late. */
export const tooLateUs = (lastUs: number): number => lastUs + 1

/** The AuctionOutcome of an auction that ended by an event of the kind `kind` with the reason `reason`, and without a sale. */
export function auctionOutcomeOf(kind: number, reason: number = NONE): AuctionOutcome {
  if (kind === OutcomeEvent.operationUpdated) return AuctionOutcome.saleFailed
  if (kind !== OutcomeEvent.rfqCancelled) return AuctionOutcome.expired
  switch (reason) {
    case RfqEnd.byOwner: return AuctionOutcome.cancelled
    case RfqEnd.decided: return AuctionOutcome.graded
    default: return AuctionOutcome.expired
  }
}
