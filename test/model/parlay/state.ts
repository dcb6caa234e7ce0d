import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'

/** State of the reference model of the parlay quote service: plain objects in maps by number, all amounts in microUSDC. */
export interface State {
  readonly markets: Map<number, Market>
  readonly accounts: Map<number, Account>
  readonly requests: Map<number, Request>
  readonly quotes: Map<number, Quote>
  /** Settled positions stay, with what they paid: the house's revenue is counted from them. */
  readonly positions: Map<number, Position>
  takerFeeBps: number
  profitFeeBps: number
  collateralFault: boolean
  feeFault: boolean
  lastRequest: number
  lastQuote: number
  lastPosition: number
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

/** Only the free balance is kept; reserved and locked amounts are counted from selections and positions. */
export interface Account {
  readonly number: number
  freeMicros: number
  hasVault: boolean
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
  readonly holder: number
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
  /** The instant at which it settles, known once it is decided. */
  settlesAtUs: number | null
  /** Null while it is open. */
  settlement: Settlement | null
}

export interface Settlement {
  readonly outcome: number
  readonly toHolderMicros: number
  readonly toBackerMicros: number
  readonly profitFeeMicros: number
  readonly takerFeeKeptMicros: number
}

export function emptyState(fees: { readonly takerFeeBps: number; readonly profitFeeBps: number }): State {
  return {
    markets: new Map(), accounts: new Map(), requests: new Map(), quotes: new Map(), positions: new Map(),
    takerFeeBps: fees.takerFeeBps, profitFeeBps: fees.profitFeeBps, collateralFault: false, feeFault: false,
    lastRequest: 0, lastQuote: 0, lastPosition: 0, netDepositsMicros: 0,
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
  }
}

const copyOfMap = <T extends object>(map: ReadonlyMap<number, T>): Map<number, T> =>
  new Map([...map].map(([number, item]) => [number, { ...item }]))

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
  [...state.positions.values()].filter((position) => position.settlement === null).sort(byNumber)

export const pendingRequests = (state: State): (Request & { selection: Selection })[] =>
  [...state.requests.values()].filter((request) => request.selection !== null).sort(byNumber) as (Request & { selection: Selection })[]

/** What pending selections hold of the account: bets of its requests, risks of its reserved quotes. */
export function reservedOf(state: State, account: number): number {
  let sum = 0
  for (const request of pendingRequests(state)) {
    const quote = state.quotes.get(request.selection.quote)!
    if (request.owner === account) sum += request.betMicros
    if (quote.maker === account) sum += quote.riskMicros
  }
  return sum
}

/** Reserved, and the risk that the account backs open positions with. */
export const lockedOf = (state: State, account: number): number =>
  reservedOf(state, account) +
  sumOf(openPositions(state).filter((position) => position.backer === account), (position) => position.riskMicros)

export const potOf = (state: State): number => sumOf(openPositions(state), (position) => position.stakeMicros + position.riskMicros)

export const escrowOf = (state: State): number => sumOf(openPositions(state), (position) => position.takerFeeMicros)

export const houseOf = (state: State): number =>
  sumOf([...state.positions.values()], ({ settlement }) =>
    settlement === null ? 0 : settlement.profitFeeMicros + settlement.takerFeeKeptMicros)

/** Free and reserved money of all accounts. */
export const heldOf = (state: State): number =>
  sumOf([...state.accounts.values()], (account) => account.freeMicros + reservedOf(state, account.number))

export const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

/** Where a parlay stands, in the words of readings section 2, table "Parlay / position". */
export function parlayStatusOf(state: State, request: Request): string {
  switch (request.state) {
    case RequestState.cancelled: return 'cancelled'
    case RequestState.expired: return 'expired'
    case RequestState.committed: {
      const position = [...state.positions.values()].find((one) => one.request === request.number)!
      return position.settlement === null ? 'executed' : 'settled'
    }
  }
  if (request.selection !== null) return 'accepted'
  return liveQuotesOf(state, request.number).length > 0 ? 'quoted' : 'open'
}
