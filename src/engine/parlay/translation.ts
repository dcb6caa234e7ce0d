import { Action, AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import { NONE } from '../../unit/none.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { AuctionEnd, ParlayEvent } from '../../venue/parlay/protocol/events.ts'
import { type Meaning, Refusals } from '../refusals.ts'

const OPS: Readonly<Record<Action, number>> = {
  [Action.requestQuote]: ParlayOp.createRequest,
  [Action.cancelRequest]: ParlayOp.cancelRequest,
  [Action.commit]: ParlayOp.commitRequest,
  [Action.openCashOut]: ParlayOp.openCashout,
  [Action.cancelCashOut]: ParlayOp.cancelCashout,
  [Action.takeBid]: ParlayOp.commitCashout,
  [Action.submitQuote]: ParlayOp.submitQuote,
  [Action.withdrawQuote]: ParlayOp.withdrawQuote,
  [Action.confirm]: ParlayOp.confirmSelection,
  [Action.decline]: ParlayOp.declineSelection,
  [Action.submitBid]: ParlayOp.submitBid,
}

const ACTIONS: Readonly<Record<number, Action>> = Object.fromEntries(Object.entries(OPS).map(([action, op]) => [op, Number(action) as Action]))

/** Opcode of an Action, and the Action of an opcode. */
export const opOf = (action: number): number => OPS[action as Action]
export const actionOf = (op: number): Action => ACTIONS[op]!

const MEANINGS = {
  ok: 'none',
  alreadyExpired: 'quoteGone',
  invalid: 'invalid', legMarketNotFound: 'invalid', legsExcluded: 'invalid',
  legMarketExpired: 'marketClosed', marketNotLive: 'marketClosed', marketNearClose: 'marketClosed',
  notFound: 'notFound',
  forbidden: 'notAllowed', unauthorized: 'notAllowed', wrongApiKeyType: 'notAllowed', insufficientScope: 'notAllowed',
  selfQuote: 'notAllowed', buybackWalletMissing: 'notAllowed',
  conflict: {
    cancelRequest: 'notOpen', commit: 'notOpen', openCashOut: 'notSellable',
    // The quote is selected: another cannot take its place, and it can be withdrawn no more.
    submitQuote: 'selectionPending', withdrawQuote: 'quoteGone',
  },
  quoteChanged: 'termsStale', versionMismatch: 'termsStale',
  // No quote is live at the limit of the commit.
  quoteExpired: 'noQuote', noActiveBid: 'noQuote',
  commitFailed: 'unfillable',
  mmConfirmationTimeout: 'notConfirmed',
  insufficientCollateral: 'insufficientFunds',
  commitFailedRetryable: 'unavailable', collateralCheckUnavailable: 'unavailable', feeUnavailable: 'unavailable',
  vaultFenced: 'unavailable', chainDisabled: 'unavailable',
  noActiveQuote: 'quoteGone',
  requestNotActive: 'notOpen', auctionNotActive: 'notOpen', auctionExpired: 'notOpen', gone: 'notOpen', alreadyTransferred: 'notOpen',
  noPendingSelection: 'noSelection',
  priceAboveMaxPayout: 'priceOutOfBounds', priceAboveBuybackBound: 'priceOutOfBounds',
  amountOverBound: 'counterpartyUnable', insufficientBuyerBalance: 'counterpartyUnable', buyerNoVault: 'counterpartyUnable',
  buyerIsCounterparty: 'counterpartyUnable',
  rateLimited: 'rateLimited',
  // These are refusals of vaults and deliveries, which strategies do not command.
  chainPending: 'never', balancePending: 'never', insufficientFunds: 'never', noVault: 'never', tokenNotCredited: 'never',
  recoveryPending: 'never', withdrawalFailed: 'never', partialVaultOnly: 'never', deliveryPending: 'never',
} satisfies Record<keyof typeof ParlayCode, Meaning>

const refusals = new Refusals(ParlayCode, MEANINGS)

/** The Refusal with which a reply of the code answers an Action; `namesQuote` says whether the command named a quote or bid. */
export const refusalOf = (action: number, code: number, namesQuote: boolean): Refusal =>
  (action === Action.commit && code === ParlayCode.invalid && !namesQuote ? Refusal.noQuote : refusals.of(action, code))

/** The AuctionOutcome of an auction that ended by an event of the kind `kind` with the reason `reason`, and without a sale. */
export function auctionOutcomeOf(kind: number, reason: number = NONE): AuctionOutcome {
  if (kind !== ParlayEvent.auctionCancelled) return AuctionOutcome.expired
  return reason === AuctionEnd.positionDecided ? AuctionOutcome.graded : AuctionOutcome.cancelled
}
