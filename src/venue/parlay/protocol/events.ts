/**
 * Kinds of event row of the parlay service, and what each puts into the fields of `venue/eventRows.ts`. `request` and
 * `version` are set wherever a request is concerned; only the other fields are named.
 */
export const ParlayEvent = {
  /**
   * The one reply to a command: cause = its seq, account = its account, amountA = its opcode, code, and what the
   * service answers: request, version, quote, bookSeq; commit: oddsE4 selected, untilUs confirmation deadline,
   * position, other = the chosen maker (or the one that failed); submit: amountB taker fee bps,
   * amountC required and amountD available collateral when it does not suffice; a pending deposit or withdrawal: amountC
   * its transaction. Cash-out: position, auction, and untilUs of an opened auction or a bid, quote = the bid; commit: other = the
   * winning (or failed) maker, amountB to the seller, amountC profit fee, amountD price; a price above the payout: amountC total_payout.
   * rateLimited: amountB the limit, amountC Retry-After in seconds, amountD the Bucket of the call, untilUs end of the window.
   */
  reply: 1,

  /** amountA market number; untilUs its close; list = exclusion keys. */
  marketListed: 2,
  marketHalted: 3,
  marketResumed: 4,
  marketDelisted: 5,
  /** amountA market number, amountB MarketResult. */
  marketResolved: 6,
  /** amountA taker fee bps, amountB profit fee bps. */
  feesChanged: 7,
  /** amountA fault, amountB 0 or 1. */
  faultChanged: 8,

  /** account, amountA amount, amountB gross balance after (free + locked). */
  fundsDeposited: 10,
  fundsWithdrawn: 11,
  /** account, amountA amount, amountB VaultEffect, amountC number of the transaction, code VaultStatus; untilUs the next step, NONE after the last. */
  vaultTransactionStarted: 12,
  vaultTransactionChanged: 13,
  /** account, amountA 1 on record, 0 not. */
  walletChanged: 14,

  /** account, amountA bet, amountB content tag, untilUs expiry, bookSeq, list = legs as market, side pairs. */
  requestCreated: 20,
  requestUpdated: 21,
  /** account, bookSeq. */
  requestCancelled: 22,
  requestExpired: 23,
  requestCommitted: 24,

  /** account maker, quote, oddsE4, amountA mm_risk, amountB taker fee bps, amountC user stake, untilUs, bookSeq after it. */
  quoteSubmitted: 30,
  /** account maker, quote, bookSeq after it (the value of the replacing submission for quoteReplaced). */
  quoteReplaced: 31,
  quoteWithdrawn: 32,
  quoteExpired: 33,
  quoteInvalidated: 34,
  /** account maker, quote, other bettor. `quote:accepted` to the maker: oddsE4, amountA mm_risk, amountB bet, amountC user stake, untilUs confirmation deadline, list = legs. */
  quoteSelected: 35,
  /** account maker, quote, other bettor; position, oddsE4. */
  quoteFilled: 36,
  /** account maker, quote, other bettor; amountA 0 timeout, 1 declined; bookSeq after it. */
  quoteFailed: 37,
  /** The request's best live quote is another one, or gone (quote NONE): account maker, quote, oddsE4, bookSeq, untilUs, other = owner of the request. */
  bestQuoteChanged: 38,

  /** account holder, other backing maker, position, quote, oddsE4, amountA user stake, amountB total payout, amountC taker fee, amountD profit fee bps, list = legs. */
  positionOpened: 40,
  /** account holder, other backing maker, position, code 0 lost, 1 won, 2 void; amountA to the holder, amountB to the maker, amountC profit fee, amountD taker fee kept by the house. */
  positionSettled: 41,
  /** `position.cancelled` (readings A20): account owner, code CancelReason. */
  positionCancelled: 42,
  /** `parlay.status_changed`: account owner, amountA a ParlayStatus, quote = accepted quote or NONE. */
  statusChanged: 43,
  /** account holder, other backing maker, position, auction; amountA |price − user_stake|, code 1 mm_pays_user, 0 not; amountB to the holder, amountC profit fee out of the price, amountD to the maker. */
  positionBoughtBack: 44,
  /** account seller, other buyer, position, auction; amountA price, amountB to the seller, amountC profit fee out of the price. */
  positionTransferred: 45,
  /** The chain failed to fund it: account holder, other backing maker, position; amountA back to the holder, amountB back to the maker. */
  positionFailed: 46,
  /** The chain is at fault, or the position is not funded yet, so the decided position is paid later: account holder, other backing maker, position, code PositionOutcome, untilUs next try. */
  settlementDelayed: 47,

  /** An auction's rows: position, auction, and request of the position. account seller, other counterparty (backing maker); amountA total_payout, amountB user_stake, amountC the seller's basis, amountD buyback bound; untilUs its end; list = legs. */
  auctionOpened: 50,
  /** account seller, code 0 by the seller, 1 as the position was decided. */
  auctionCancelled: 51,
  /** account seller. */
  auctionExpired: 52,
  /** account seller, other winning maker (`market_maker_id`), quote = its bid; amountA price, amountB profit fee, code 0 closes the position, 1 transfers it. */
  auctionCommitted: 53,
  /** A bid's rows: quote = the bid, account its maker, other the seller. amountA price, untilUs. */
  bidSubmitted: 54,
  bidReplaced: 55,
  bidExpired: 56,
  /** The auction ended. */
  bidInvalidated: 57,
  bidWon: 58,
  /** code = why the seller's commit of it was refused; the bidder is not told (PQ-407). */
  bidFailed: 59,
  /** quote = best live bid or NONE, account its maker, amountA price, untilUs; other = seller. */
  bestBidChanged: 60,

  /** Of the gate. account, amountA key, amountB scopes, untilUs expiry or NONE. */
  keyCreated: 70,
  keyRevoked: 71,
  keyExpired: 72,
  /** account, code OwnerKind, amountA event mask, amountB credential that it stands on. */
  endpointSet: 73,
  /** account, code OwnerKind, amountA generation of the secret, from 1. */
  secretRotated: 74,
  /** account, code OwnerKind, amountA delivery, amountB WebhookEvent, amountC seq of the row that it tells. */
  deliveryQueued: 75,
  /** account, code OwnerKind, amountA delivery, amountB WebhookEvent, amountC attempt from 1, amountD generation of the secret; untilUs its timeout. */
  deliveryAttempted: 76,
  /** After an attempt, or instead of one: account, code DeliveryStatus, amountA delivery, amountB WebhookEvent, amountC attempts, amountD answer (HTTP status, 0 network error, −1 timeout, −2 not allowed); untilUs next attempt or NONE. */
  deliveryChanged: 77,
  deliveryRequeued: 78,
  /** account. */
  streamOpened: 79,
  streamClosed: 80,
} as const

export const PARLAY_EVENT_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(ParlayEvent).map(([name, kind]) => [kind, name]),
)

/** Statuses that `parlay.status_changed` reports (PQ-123). */
export const ParlayStatus = { accepted: 1, confirmed: 2, executed: 3, cancelled: 4 } as const

export const RequestState = { active: 1, committed: 2, cancelled: 3, expired: 4 } as const
export const QuoteState = { live: 1, replaced: 2, withdrawn: 3, expired: 4, invalidated: 5, reserved: 6, filled: 7, failed: 8 } as const
/** `confirmed` until the chain has funded it. */
export const PositionState = { executed: 1, settled: 2, confirmed: 3, decided: 4 } as const
export const CancelReason = { userCancelled: 0, chainFailed: 1 } as const
/** `execution`: a fill while the chain is well, where executionMs is above 0; it fences nobody. */
export const VaultEffect = { deposit: 1, withdrawal: 2, fill: 3, execution: 4 } as const
export const VaultStatus = { completed: 0, chainPending: 1, balancePending: 2, failed: 3 } as const
export const AuctionState = { active: 1, committed: 2, cancelled: 3, expired: 4 } as const
export const AuctionEnd = { bySeller: 0, positionDecided: 1 } as const
export const AuctionRoute = { closes: 0, transfers: 1 } as const
export const BidState = { live: 1, replaced: 2, expired: 3, invalidated: 4, won: 5, failed: 6 } as const
export const PositionOutcome = { lost: 0, won: 1, void: 2 } as const
