/** Money of one account, in microUSDC. */
export interface BalanceView {
  freeMicros: number
  /** Held by pending selections. */
  reservedMicros: number
  /** Reserved, and the mm_risk that the account has in open pots. */
  lockedMicros: number
  /** Free and locked: the portfolio's `gross_balance`. */
  grossMicros: number
  hasVault: boolean
}

/** The vault as a whole, in microUSDC: held + pot + escrow + house = netDeposits (INV-01). */
export interface TotalsView {
  netDepositsMicros: number
  houseMicros: number
  potMicros: number
  escrowMicros: number
  /** Σ free + reserved over all accounts. */
  heldMicros: number
}

export interface LegView {
  market: number
  /** A `Side`. */
  side: number
}

export interface RequestView {
  number: number
  owner: number
  /** A `RequestState`. */
  state: number
  version: number
  contentTag: number
  bookSeq: number
  betMicros: number
  expiresAtUs: number
  legs: LegView[]
  /** Number of the best live or reserved quote, or −1. */
  bestQuote: number
  /** Number of the quote that waits for its maker's confirmation, or −1. */
  pendingQuote: number
}

export interface QuoteView {
  number: number
  request: number
  maker: number
  /** A `QuoteState`. */
  state: number
  /** Request version that the quote was made for. */
  version: number
  oddsE4: number
  riskMicros: number
  stakeMicros: number
  takerFeeBps: number
  validUntilUs: number
}

export interface PositionView {
  number: number
  request: number
  quote: number
  holder: number
  backer: number
  stakeMicros: number
  payoutMicros: number
  takerFeeMicros: number
  takerFeeBps: number
  profitFeeBps: number
  /** A `PositionState`. */
  state: number
  legs: LegView[]
}

/** Reads of a parlay venue. Every answer is a fresh copy of what stood after the last command or pulse. */
export interface ParlayView {
  /** Zero balances for an account that was never seen. */
  balance(account: number): BalanceView
  totals(): TotalsView
  /** Null when the number is unknown or the request evicted. */
  request(number: number): RequestView | null
  /** A maker's last quote on a known request; null once its next one replaced it or the request was evicted. */
  quote(number: number): QuoteView | null
  /** Null once settled. */
  position(number: number): PositionView | null
}
