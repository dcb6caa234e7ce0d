import { ParlayFault } from '../../../src/venue/parlay/protocol/commands.ts'
import {
  AuctionState, BidState, QuoteState, RequestState, VaultEffect, VaultStatus,
} from '../../../src/venue/parlay/protocol/events.ts'

/** State of the reference model of the parlay quote service: plain objects in maps by number, all amounts in microUSDC. */
export interface State {
  readonly markets: Map<number, Market>
  readonly accounts: Map<number, Account>
  readonly requests: Map<number, Request>
  readonly quotes: Map<number, Quote>
  /** Ended positions stay, with what they paid: the house's revenue and every portfolio are counted from them. */
  readonly positions: Map<number, Position>
  readonly auctions: Map<number, Auction>
  readonly bids: Map<number, Bid>
  /** Ended ones stay. */
  readonly transactions: Map<number, VaultTransaction>
  /** Every request that was cancelled or expired, evicted ones too. */
  endedRequests: readonly { readonly owner: number; readonly state: number }[]
  takerFeeBps: number
  profitFeeBps: number
  /** Faults (ParlayFault) that are on. */
  faults: readonly number[]
  /** Accounts whose wallet is off record. */
  walletsOff: readonly number[]
  lastRequest: number
  lastQuote: number
  lastPosition: number
  lastAuction: number
  lastBid: number
  lastTransaction: number
  /** Deposits minus withdrawals. */
  netDepositsMicros: number
}

export interface Market {
  readonly number: number
  closeUs: number
  keys: readonly number[]
  listed: boolean
  halted: boolean
  /** A MarketResult, or −1. */
  result: number
}

/** Only the free balance is kept. Reserved and locked amounts are counted from selections, transactions and positions. */
export interface Account {
  readonly number: number
  freeMicros: number
  hasVault: boolean
  /** The last change of its statistics, or −1. */
  updatedAtUs: number
}

export interface Leg {
  readonly market: number
  readonly side: number
}

/** A commit that waits for its maker. */
export interface Selection {
  readonly quote: number
  readonly commitSeq: number
  readonly confirmByUs: number
}

export interface Request {
  readonly number: number
  readonly owner: number
  state: number
  version: number
  bookSeq: number
  betMicros: number
  legs: readonly Leg[]
  expiresAtUs: number
  selection: Selection | null
  /** When it was committed, cancelled or expired. */
  endedAtUs: number | null
}

export interface Quote {
  readonly number: number
  readonly request: number
  readonly maker: number
  readonly version: number
  readonly oddsE4: number
  readonly takerFeeBps: number
  readonly takerFeeMicros: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly riskMicros: number
  readonly validUntilUs: number
  state: number
}

export interface Position {
  readonly number: number
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly backer: number
  readonly legs: readonly Leg[]
  readonly betMicros: number
  readonly oddsE4: number
  readonly stakeMicros: number
  readonly riskMicros: number
  readonly payoutMicros: number
  readonly takerFeeMicros: number
  readonly takerFeeBps: number
  readonly profitFeeBps: number
  /** Everybody who held it, in order; the last one holds it, or held it at its end. */
  holdings: readonly Holding[]
  isFunded: boolean
  /** The instant at which it is paid, or tried, known once it is decided. */
  settlesAtUs: number | null
  /** A PositionOutcome, fixed at the first try to pay it. */
  outcome: number | null
  /** Null while it is open. */
  end: PositionEnd | null
}

export interface Holding {
  readonly account: number
  /** The gross bet, or the price. */
  readonly costMicros: number
  /** What the profit is counted from. */
  readonly basisMicros: number
  /** Null while it holds. */
  readonly left: Leaving | null
}

export interface Leaving {
  readonly how: 'won' | 'lost' | 'void' | 'boughtBack' | 'sold' | 'failed'
  readonly receivedMicros: number
  /** Profit fee that a sale to another took out of the price; 0 otherwise. */
  readonly saleFeeMicros: number
}

/** How pot and escrow were paid out. */
export interface PositionEnd {
  readonly how: 'settled' | 'boughtBack' | 'failed'
  readonly toHolderMicros: number
  readonly toBackerMicros: number
  /** Both parties' profit fees. */
  readonly profitFeeMicros: number
  readonly takerFeeKeptMicros: number
}

export interface Auction {
  readonly number: number
  readonly position: number
  readonly seller: number
  readonly endsAtUs: number
  state: number
  /** Number of the bid that won, or −1. */
  wonBy: number
  /** When it was committed, cancelled or expired. */
  endedAtUs: number | null
}

export interface Bid {
  readonly number: number
  readonly auction: number
  readonly maker: number
  readonly priceMicros: number
  readonly validUntilUs: number
  state: number
}

/** A deposit, withdrawal or fill that the chain delays. */
export interface VaultTransaction {
  readonly number: number
  /** A VaultEffect. */
  readonly effect: number
  readonly account: number
  /** Backing maker and position of a fill, or −1. */
  readonly backer: number
  readonly position: number
  readonly amountMicros: number
  /** The fault under which it started. */
  readonly fault: number
  /** A VaultStatus. */
  status: number
  /** Its next step; null once it is completed or failed. */
  nextAtUs: number | null
}

export function emptyState(fees: { readonly takerFeeBps: number; readonly profitFeeBps: number }): State {
  return {
    markets: new Map(), accounts: new Map(), requests: new Map(), quotes: new Map(), positions: new Map(),
    auctions: new Map(), bids: new Map(), transactions: new Map(), endedRequests: [],
    takerFeeBps: fees.takerFeeBps, profitFeeBps: fees.profitFeeBps, faults: [], walletsOff: [],
    lastRequest: 0, lastQuote: 0, lastPosition: 0, lastAuction: 0, lastBid: 0, lastTransaction: 0, netDepositsMicros: 0,
  }
}

/** A copy whose objects can be changed without touching `state`. */
export function copyOf(state: State): State {
  return {
    ...state,
    markets: copyOfMap(state.markets),
    accounts: copyOfMap(state.accounts),
    requests: copyOfMap(state.requests),
    quotes: copyOfMap(state.quotes),
    positions: copyOfMap(state.positions),
    auctions: copyOfMap(state.auctions),
    bids: copyOfMap(state.bids),
    transactions: copyOfMap(state.transactions),
  }
}

function copyOfMap<T extends object>(map: ReadonlyMap<number, T>): Map<number, T> {
  const copy = new Map<number, T>()
  for (const [number, item] of map) copy.set(number, { ...item })
  return copy
}

const byNumber = (a: { number: number }, b: { number: number }): number => a.number - b.number

export const freeOf = (state: State, account: number): number => state.accounts.get(account)?.freeMicros ?? 0

export const quotesOf = (state: State, request: number): Quote[] =>
  [...state.quotes.values()].filter((quote) => quote.request === request).sort(byNumber)

export const liveQuotesOf = (state: State, request: number): Quote[] =>
  quotesOf(state, request).filter((quote) => quote.state === QuoteState.live)

/** The maker's last quote on a request, whatever became of it. */
export const lastQuoteOf = (state: State, request: number, maker: number): Quote | undefined =>
  quotesOf(state, request).filter((quote) => quote.maker === maker).at(-1)

/** The best quote that readers see: highest odds, then lowest number, live or reserved; null when the book is empty. */
export function bestQuoteOf(state: State, request: number): Quote | null {
  let best: Quote | null = null
  for (const quote of quotesOf(state, request)) {
    if (quote.state !== QuoteState.live && quote.state !== QuoteState.reserved) continue
    if (best === null || quote.oddsE4 > best.oddsE4) best = quote
  }
  return best
}

export const openPositions = (state: State): Position[] =>
  [...state.positions.values()].filter((position) => position.end === null).sort(byNumber)

/** The present holding of a position, or the last one of an ended position. */
export const holdingOf = (position: Position): Holding => position.holdings.at(-1)!

export const holderOf = (position: Position): number => holdingOf(position).account

export const heldBy = (state: State, account: number): Position[] =>
  openPositions(state).filter((position) => holderOf(position) === account)

export const backedBy = (state: State, account: number): Position[] =>
  openPositions(state).filter((position) => position.backer === account)

export const bidsOf = (state: State, auction: number): Bid[] =>
  [...state.bids.values()].filter((bid) => bid.auction === auction).sort(byNumber)

export const liveBidsOf = (state: State, auction: number): Bid[] =>
  bidsOf(state, auction).filter((bid) => bid.state === BidState.live)

/** The maker's last bid in an auction, whatever became of it. */
export const lastBidOf = (state: State, auction: number, maker: number): Bid | undefined =>
  bidsOf(state, auction).filter((bid) => bid.maker === maker).at(-1)

/** The live bid with the highest price, then the lowest number (readings A31); null when there is none. */
export function bestBidOf(state: State, auction: number): Bid | null {
  let best: Bid | null = null
  for (const bid of liveBidsOf(state, auction)) if (best === null || bid.priceMicros > best.priceMicros) best = bid
  return best
}

export const activeAuctionOn = (state: State, position: number): Auction | undefined =>
  [...state.auctions.values()].find((auction) => auction.position === position && auction.state === AuctionState.active)

export const isFaultOn = (state: State, fault: number): boolean => state.faults.includes(fault)

/** The fault under which a transaction would start now, or null while the chain is well. */
export const chainFaultOf = (state: State): number | null =>
  [ParlayFault.chainDropped, ParlayFault.chainUnclear, ParlayFault.mirrorBehind].find((fault) => isFaultOn(state, fault)) ?? null

export const pendingTransactions = (state: State): VaultTransaction[] =>
  [...state.transactions.values()].filter(({ status }) => status === VaultStatus.chainPending || status === VaultStatus.balancePending)

/** Whether a transaction of the account's vault is pending; a fill fences both parties' vaults, an execution none. */
export const isFenced = (state: State, account: number): boolean =>
  pendingTransactions(state).some(({ effect, ...parties }) =>
    effect !== VaultEffect.execution && (parties.account === account || parties.backer === account))

export const pendingRequests = (state: State): (Request & { selection: Selection })[] =>
  [...state.requests.values()].filter((request) => request.selection !== null).sort(byNumber) as (Request & { selection: Selection })[]

/** What is held of the account: bets of its pending requests, risks of its reserved quotes, withdrawals under way. */
export function reservedOf(state: State, account: number): number {
  let sum = 0
  for (const request of pendingRequests(state)) {
    const quote = state.quotes.get(request.selection.quote)!
    if (request.owner === account) sum += request.betMicros
    if (quote.maker === account) sum += quote.riskMicros
  }
  for (const transaction of pendingTransactions(state)) {
    if (transaction.effect === VaultEffect.withdrawal && transaction.account === account) sum += transaction.amountMicros
  }
  return sum
}

/** Reserved, and the risk that the account backs open positions with. */
export const lockedOf = (state: State, account: number): number =>
  reservedOf(state, account) + sumOf(backedBy(state, account), (position) => position.riskMicros)

/** The portfolio's gross balance: free and locked. */
export const grossOf = (state: State, account: number): number => freeOf(state, account) + lockedOf(state, account)

export const potOf = (state: State): number => sumOf(openPositions(state), (position) => position.stakeMicros + position.riskMicros)

export const escrowOf = (state: State): number => sumOf(openPositions(state), (position) => position.takerFeeMicros)

/** Fees of ended positions and of sales. */
export const houseOf = (state: State): number =>
  sumOf([...state.positions.values()], ({ end, holdings }) =>
    (end === null ? 0 : end.profitFeeMicros + end.takerFeeKeptMicros) + sumOf(holdings, ({ left }) => left?.saleFeeMicros ?? 0))

/** Free and reserved money of all accounts. */
export const heldOf = (state: State): number =>
  sumOf([...state.accounts.values()], (account) => account.freeMicros + reservedOf(state, account.number))

export const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

/** Where a parlay stands, in the words of docs/readings.md, "Tables of states", row "Parlay / position". */
export function parlayStatusOf(state: State, request: Request): string {
  switch (request.state) {
    case RequestState.cancelled: return 'cancelled'
    case RequestState.expired: return 'expired'
    case RequestState.committed: {
      const position = [...state.positions.values()].find((one) => one.request === request.number)!
      if (position.end !== null) return position.end.how
      return position.isFunded ? 'executed' : 'confirmed'
    }
  }
  if (request.selection !== null) return 'accepted'
  return liveQuotesOf(state, request.number).length > 0 ? 'quoted' : 'open'
}
