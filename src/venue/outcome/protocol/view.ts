/** Money of one account, in microUSDC. */
export interface OutcomeBalanceView {
  /** An AccountRole; null when the account was never bound. */
  role: number | null
  freeMicros: number
  /** Held: pending acceptances and fills, withdrawals, collateral reductions. */
  reservedMicros: number
  /** A core-funded acceptance is pending (CORE_FUNDING_CONFLICT), or a transfer to or from the core wallet under way (CORE_MOVE_IN_FLIGHT). */
  core: 'idle' | 'funding' | 'moving'
  /** The current quote signer. */
  signer: number
}

/** `GET /v1/makers/{maker_id}/capital` (OM-086), in microUSDC. */
export interface CapitalView {
  /** Covers further quotes. */
  freeMicros: number
  /** Held by pending acceptances and fills. */
  pendingMicros: number
  /** Its part of the pots that it backs. */
  backedMicros: number
  /** Leaves after the delay. */
  reductionsMicros: number
  /** Risk of its live quotes together. */
  quotedMicros: number
}

export interface OutcomeLegView {
  outcome: number
  /** A `Side`. */
  side: number
}

export interface RfqView {
  number: number
  owner: number
  /** An `RfqState`. */
  state: number
  generation: number
  /** The position of a cash-out RFQ, else −1. */
  position: number
  stakeMicros: number
  netStakeMicros: number
  openUntilUs: number
  legs: OutcomeLegView[]
  /** Number of the quote whose acceptance is pending, or −1. */
  acceptedQuote: number
  /** Number of the best listed quote, or −1. */
  bestQuote: number
}

export interface OutcomeQuoteView {
  number: number
  rfq: number
  maker: number
  /** A `QuoteState`. */
  state: number
  generation: number
  netStakeMicros: number
  /** For a cash-out quote this is the price. */
  payoutMicros: number
  riskMicros: number
  takerFeeBps: number
  feeBps: number
  signer: number
  expiresAtUs: number
}

export interface AcceptanceView {
  number: number
  /** Idempotency key of the accept: the acceptance_id. */
  key: number
  quote: number
  rfq: number
  taker: number
  maker: number
  /** An `AcceptanceState`. */
  state: number
  acceptedAtUs: number
  /** Last instant of a confirmation. */
  confirmUntilUs: number
  stakeMicros: number
  coreMicros: number
  /** Once confirmed, else −1. */
  operation: number
}

export interface OperationView {
  number: number
  /** An `OperationKind`. */
  kind: number
  /** An `OperationStatus`. */
  status: number
  account: number
  acceptance: number
  amountMicros: number
}

export interface OutcomePositionView {
  number: number
  rfq: number
  quote: number
  holder: number
  backer: number
  netStakeMicros: number
  payoutMicros: number
  /** What the holder paid: the stake, or the price of the cash-out. */
  costMicros: number
  /** What its profit at claim is counted from. */
  basisMicros: number
  entryFeeMicros: number
  feeBps: number
  /** A `PositionState`. */
  state: number
  legs: OutcomeLegView[]
}

/** The vault as a whole, in microUSDC: held + pot + house = netDeposits (INV-01). */
export interface OutcomeTotalsView {
  netDepositsMicros: number
  houseMicros: number
  potMicros: number
  heldMicros: number
}

/** Reads of an outcome venue. Every answer is a fresh copy of what stood after the last command or pulse. */
export interface OutcomeView {
  balance(account: number): OutcomeBalanceView
  /** Null when the account is no maker. */
  capital(maker: number): CapitalView | null
  totals(): OutcomeTotalsView
  /** Null when the number is unknown or the RFQ forgotten. */
  rfq(number: number): RfqView | null
  quote(number: number): OutcomeQuoteView | null
  /** Numbers of the RFQ's listed quotes (OM-060, INV-25), best first. */
  listedQuotes(rfq: number): number[]
  acceptance(number: number): AcceptanceView | null
  /** The quote's last acceptance (OM-082). */
  acceptanceOfQuote(quote: number): AcceptanceView | null
  /** Numbers of the maker's known acceptances, ascending (OM-085). */
  acceptancesOf(maker: number): number[]
  operation(number: number): OperationView | null
  position(number: number): OutcomePositionView | null
  /** Numbers of the positions that the account holds, or as a maker backs or holds, ascending (OM-090, OM-091). */
  positionsOf(account: number): number[]
  /** Numbers of the account's RFQs that are open or in flight, ascending. */
  openRfqsOf(account: number): number[]
  /** Numbers of the maker's live and accepted quotes, ascending. */
  liveQuotesOf(maker: number): number[]
  /** Numbers of the account's pending operations, ascending. */
  operationsOf(account: number): number[]
  /** Whether legs on the outcome can be asked for now. */
  isListed(outcome: number): boolean
}
