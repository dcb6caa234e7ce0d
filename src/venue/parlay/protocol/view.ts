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
  /** A transaction of the vault is pending: balances may be stale (PQ-081, PQ-082). */
  fenced: boolean
}

/** The portfolio of one account (PQ-071…074), exact at any moment; money in microUSDC, at cost, since a venue knows no prices. */
export interface PortfolioView {
  balance: BalanceView
  stats: {
    /** Positions that it opened or took over as holder. */
    totalParlays: number
    wins: number
    losses: number
    /** Gross bets of the opened ones, prices of those taken over. */
    totalWageredMicros: number
    /** Received less paid over all its ended holdings: bets with their taker fees, prices, payouts net of fees. */
    realizedPnlMicros: number
    /** The same over the positions that it backed as a maker; not part of the document. */
    makerRealizedMicros: number
    /** The instant of the last change, or −1. */
    updatedAtUs: number
  }
  counts: {
    open: number
    quoted: number
    accepted: number
    confirmed: number
    executed: number
    totalSettled: number
    totalCancelled: number
    totalExpired: number
    totalFailed: number
  }
  summary: {
    /** Positions that it holds. */
    activeCount: number
    /** What it paid for them. */
    activeBetMicros: number
    /** gross_balance and activeBetMicros. */
    portfolioMicros: number
  }
}

export interface AuctionView {
  number: number
  position: number
  request: number
  seller: number
  /** `counterparty_mm_id` (PQ-092). */
  backer: number
  /** An `AuctionState`. */
  state: number
  endsAtUs: number
  /** Number of the best live bid, or −1; of the bid that won once committed. */
  bestBid: number
  /** `market_maker_id` (PQ-093): the maker whose bid won, or −1. */
  winner: number
  /** Numbers of the makers' last bids, ascending. */
  bids: number[]
}

export interface BidView {
  number: number
  auction: number
  maker: number
  /** A `BidState`. */
  state: number
  priceMicros: number
  validUntilUs: number
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
  /** What its holder paid: the gross bet, or the price of the cash-out. */
  costMicros: number
  /** What the holder's profit is counted from: user_stake, or the price (readings A27). */
  basisMicros: number
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
  /** Null once settled, bought back or failed. */
  position(number: number): PositionView | null
  /** Numbers of the positions that the account holds or backs, ascending (PQ-200). */
  positionsOf(account: number): number[]
  /** Numbers of the maker's quotes that are still known, ascending (PQ-203). */
  quotesOf(maker: number): number[]
  portfolio(account: number): PortfolioView
  /** Null when the number is unknown or the auction evicted. */
  auction(number: number): AuctionView | null
  /** A maker's last bid on a known auction, else null. */
  bid(number: number): BidView | null
}
