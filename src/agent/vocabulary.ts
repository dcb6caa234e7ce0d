/**
 * The words in which strategies say what they wish, and in which they hear how a wish was refused and how an auction ended. Each service
 * translates them to and from its own protocol (engine/parlay/translation.ts, engine/outcome/translation.ts).
 */

export { Side } from '../market/sides.ts'

/** What a bettor or a maker can wish. */
export const Action = {
  requestQuote: 1,
  cancelRequest: 2,
  /** Take the best quote. */
  commit: 3,
  openCashOut: 4,
  cancelCashOut: 5,
  /** Sell to the best bid of a cash-out auction. */
  takeBid: 6,
  submitQuote: 7,
  withdrawQuote: 8,
  /** Confirm a quote or bid that was chosen, or decline it. */
  confirm: 9,
  decline: 10,
  submitBid: 11,
} as const
export type Action = (typeof Action)[keyof typeof Action]
export type ActionName = keyof typeof Action

/** Why a wish was refused. */
export const Refusal = {
  /** Accepted. */
  none: 0,
  /** The wish is malformed or outside of the service's limits. */
  invalid: 1,
  /** By its credential, scope, role or wallet the account may not do that, or it is about its own auction. */
  notAllowed: 2,
  notFound: 3,
  /** The version of the request or the fee rates that the wish was made for are not in force. */
  termsStale: 4,
  /** The price is above what the service takes. */
  priceOutOfBounds: 5,

  /** A leg is not traded any more, or is within the cutoff before its close. */
  marketClosed: 10,
  /** The request or the auction takes nothing now. */
  notOpen: 11,
  /** The request or the auction waits for the last look of a maker. */
  selectionPending: 12,
  /** The position is not funded yet, is being sold, has its results, or has an auction. */
  notSellable: 13,

  /** Nothing was on offer at the limit, or the wish named no offer. */
  noQuote: 20,
  /** The quote or bid that was named, or the maker's own, is not live any more. */
  quoteGone: 21,
  /** The maker declined, or did not answer in time. */
  notConfirmed: 22,
  /** The maker's own answer came too late, or there is nothing that it could confirm or decline. */
  noSelection: 23,

  insufficientFunds: 30,
  exposureExceeded: 31,
  /** The other side cannot bring the money, or may not take the position. */
  counterpartyUnable: 32,
  /** There is no trade now. The service does not say why. */
  unfillable: 33,

  /** `retryAfterUs` says when another command can pass. */
  rateLimited: 40,
  /** The account has as many open requests and auctions as it may have. */
  tooManyOpen: 41,
  /** The service, or what it depends on, does not work now. */
  unavailable: 42,
} as const
export type Refusal = (typeof Refusal)[keyof typeof Refusal]
export type RefusalName = keyof typeof Refusal

/** After these refusals of `takeBid` the auction goes on, and its next bid may be taken. */
export const NEXT_OFFER: readonly Refusal[] = [Refusal.quoteGone, Refusal.notConfirmed, Refusal.counterpartyUnable]

/** How an auction ended. */
export const AuctionOutcome = {
  sold: 1,
  /** Its seller cancelled it. */
  cancelled: 2,
  /** The results decided the position. */
  graded: 3,
  expired: 4,
  /** A bid was taken, but the sale failed: the position is its seller's as before. */
  saleFailed: 5,
} as const
export type AuctionOutcome = (typeof AuctionOutcome)[keyof typeof AuctionOutcome]

/** How a leg is priced: what buying it costs, what selling it brings, or the middle of the two. */
export type PriceType = 'ask' | 'bid' | 'mid'

/** Desks and views show NaN for a number that they do not know or that does not exist. */
export const isKnown = (value: number): boolean => !Number.isNaN(value)
