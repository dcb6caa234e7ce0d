/**
 * Kinds of event row of the parlay service, and what each puts into the fields of `venue/eventRows.ts`. `request` and
 * `version` are set wherever a request is concerned; only the other fields are named.
 */
export const ParlayEvent = {
  /**
   * The one reply to a command: cause = its seq, account = its account, amountA = its opcode, code, and what the
   * service answers: request, version, quote, bookSeq; commit: oddsE4 selected, untilUs confirmation deadline,
   * position, other = the chosen maker (or the one that failed); submit: amountB taker fee bps,
   * amountC required and amountD available collateral when it does not suffice.
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

  /** account, amountA amount, amountB free balance after. */
  fundsDeposited: 10,
  fundsWithdrawn: 11,

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
  /** `position.cancelled` (readings A20): account owner. */
  positionCancelled: 42,
  /** `parlay.status_changed`: account owner, amountA a ParlayStatus, quote = accepted quote or NONE. */
  statusChanged: 43,
} as const

export const PARLAY_EVENT_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(ParlayEvent).map(([name, kind]) => [kind, name]),
)

/** Statuses that `parlay.status_changed` reports (PQ-123). */
export const ParlayStatus = { accepted: 1, confirmed: 2, executed: 3, cancelled: 4 } as const

export const RequestState = { active: 1, committed: 2, cancelled: 3, expired: 4 } as const
export const QuoteState = { live: 1, replaced: 2, withdrawn: 3, expired: 4, invalidated: 5, reserved: 6, filled: 7, failed: 8 } as const
export const PositionState = { executed: 1, settled: 2 } as const
export const PositionOutcome = { lost: 0, won: 1, void: 2 } as const
