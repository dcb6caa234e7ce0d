import { AcceptanceState, OperationKind, OperationStatus, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'

/**
 * State of the reference model of the outcome-market service: maps by number of plain objects that are never changed, only
 * replaced. All amounts in microUSDC, all instants in microseconds unless they are seconds of signed terms.
 */
export interface State {
  readonly outcomes: Map<number, Outcome>
  readonly accounts: Map<number, Account>
  readonly rfqs: Map<number, Rfq>
  readonly quotes: Map<number, Quote>
  readonly acceptances: Map<number, Acceptance>
  readonly operations: Map<number, Operation>
  /** Those that have not ended. */
  readonly positions: Map<number, Position>
  /** Those that have not been released. */
  readonly reductions: Map<number, Reduction>
  /** When each account used an idempotency key for an acceptance, by `account/key`. */
  readonly acceptKeys: Map<string, number>
  takerFeeBps: number
  feeBps: number
  /** Faults (OutcomeFault) that are on. */
  faults: readonly number[]
  lastRfq: number
  lastQuote: number
  lastAcceptance: number
  lastOperation: number
  lastPosition: number
  lastReduction: number
  /** Deposits minus withdrawals; core parts of done fills are deposits. */
  netDepositsMicros: number
  /** Fees taken so far. */
  houseMicros: number
}

export interface Outcome {
  readonly number: number
  /** Its outcome_id as limbs. */
  readonly id: readonly number[]
  readonly closeUs: number
  readonly listed: boolean
  readonly halted: boolean
  /** A MarketResult, or −1. */
  readonly result: number
}

/** Only the free money is kept. What is reserved is counted from acceptances, operations and reductions. */
export interface Account {
  readonly number: number
  /** An AccountRole. */
  readonly role: number
  readonly freeMicros: number
  readonly signer: number
}

export interface Leg {
  readonly outcome: number
  readonly side: number
}

export interface Rfq {
  readonly number: number
  readonly owner: number
  /** An RfqState. */
  readonly state: number
  readonly generation: number
  /** The position of a cash-out, else −1. */
  readonly position: number
  /** −1 of a cash-out; the net stake too. */
  readonly stakeMicros: number
  readonly netStakeMicros: number
  readonly openUntilUs: number
  readonly legs: readonly Leg[]
  /** The best listed quote that was last told of, or −1. */
  readonly bestQuote: number
  /** When it is next looked at, to be forgotten; null until it was filled, cancelled or closed. */
  readonly forgetAtUs: number | null
}

export interface Quote {
  readonly number: number
  readonly rfq: number
  readonly maker: number
  /** A QuoteState. */
  readonly state: number
  readonly generation: number
  /** −1 of a cash-out; the entry fee rate too. */
  readonly netStakeMicros: number
  /** For a cash-out this is the price. */
  readonly payoutMicros: number
  readonly riskMicros: number
  readonly takerFeeBps: number
  readonly feeBps: number
  readonly signer: number
  readonly expiresAtUs: number
  /** When it leaves the listing; null when it has left, or was never listed. */
  readonly listedUntilUs: number | null
}

export interface Acceptance {
  readonly number: number
  readonly key: number
  /** Sequence number of the accept, which is answered when it is resolved. */
  readonly seq: number
  readonly quote: number
  readonly rfq: number
  readonly taker: number
  readonly maker: number
  /** An AcceptanceState. */
  readonly state: number
  readonly acceptedAtUs: number
  readonly confirmUntilUs: number
  /** −1 of a cash-out. */
  readonly stakeMicros: number
  readonly coreMicros: number
  readonly riskMicros: number
  /** Last second before which the stake can be taken; −1 of a cash-out. */
  readonly validBeforeS: number
  readonly operation: number
}

/** A fill, the fill of a cash-out, or a withdrawal on its way through the chain. */
export interface Operation {
  readonly number: number
  /** An OperationKind. */
  readonly kind: number
  /** An OperationStatus. */
  readonly status: number
  /** Taker, seller or withdrawer. */
  readonly account: number
  readonly amountMicros: number
  /** Its next step; null once it has ended. */
  readonly stepAtUs: number | null
  /** When it is forgotten; null until it has ended. */
  readonly forgetAtUs: number | null
  /** The validity of a withdrawal or an entry fill, else −1. */
  readonly validBeforeS: number
  /** The expiry of a withdrawal's Exit, else −1. */
  readonly exitUntilS: number
  /** What the acceptance of a fill was about, as the RFQ may be forgotten meanwhile. */
  readonly fill: Fill | null
}

export interface Fill {
  readonly rfq: number
  readonly generation: number
  readonly quote: number
  readonly acceptance: number
  readonly maker: number
  /** The position of a cash-out, else −1. */
  readonly position: number
  readonly stakeMicros: number
  readonly netStakeMicros: number
  readonly coreMicros: number
  /** What is held of the maker. */
  readonly riskMicros: number
  /** For a cash-out this is the price. */
  readonly payoutMicros: number
  readonly feeBps: number
  readonly legs: readonly Leg[]
}

export interface Position {
  readonly number: number
  readonly rfq: number
  readonly quote: number
  readonly holder: number
  readonly backer: number
  readonly netStakeMicros: number
  readonly payoutMicros: number
  readonly costMicros: number
  readonly basisMicros: number
  readonly entryFeeMicros: number
  readonly feeBps: number
  readonly legs: readonly Leg[]
  /** Whether the fill of its cash-out is pending. */
  readonly closing: boolean
  /** The batch that settles it, known once it is decided. */
  readonly settlesAtUs: number | null
  /** Its last cash-out RFQ, or −1. */
  readonly lastRfq: number
}

export interface Reduction {
  readonly number: number
  readonly maker: number
  readonly amountMicros: number
  readonly releasesAtUs: number
}

export function emptyState(fees: { readonly takerFeeBps: number; readonly feeBps: number }): State {
  return {
    outcomes: new Map(), accounts: new Map(), rfqs: new Map(), quotes: new Map(), acceptances: new Map(), operations: new Map(),
    positions: new Map(), reductions: new Map(), acceptKeys: new Map(), takerFeeBps: fees.takerFeeBps, feeBps: fees.feeBps, faults: [],
    lastRfq: 0, lastQuote: 0, lastAcceptance: 0, lastOperation: 0, lastPosition: 0, lastReduction: 0, netDepositsMicros: 0, houseMicros: 0,
  }
}

/** A copy that can be changed without touching `state`; the objects in its maps are replaced, never changed. */
export function copyOf(state: State): State {
  return {
    ...state,
    outcomes: new Map(state.outcomes), accounts: new Map(state.accounts), rfqs: new Map(state.rfqs), quotes: new Map(state.quotes),
    acceptances: new Map(state.acceptances), operations: new Map(state.operations), positions: new Map(state.positions),
    reductions: new Map(state.reductions), acceptKeys: new Map(state.acceptKeys),
  }
}

interface Numbered {
  readonly number: number
}

/** Puts the object into the map and returns it. */
export function put<T extends Numbered>(map: Map<number, T>, item: T): T {
  map.set(item.number, item)
  return item
}

/** Replaces an object of the map by one with other fields and returns that. */
export const change = <T extends Numbered>(map: Map<number, T>, number: number, fields: Partial<T>): T =>
  put(map, { ...map.get(number)!, ...fields })

const byNumber = (a: Numbered, b: Numbered): number => a.number - b.number

/** The items of the map for which `isWanted`, by number. */
export const itemsOf = <T extends Numbered>(map: ReadonlyMap<number, T>, isWanted: (item: T) => boolean = () => true): T[] =>
  [...map.values()].filter(isWanted).sort(byNumber)

export const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

export const freeOf = (state: State, account: number): number => state.accounts.get(account)?.freeMicros ?? 0

export const quotesOf = (state: State, rfq: number): Quote[] => itemsOf(state.quotes, (quote) => quote.rfq === rfq)

export const isLive = (quote: Quote): boolean => quote.state === QuoteState.live

export const isCashOut = (rfq: Rfq): boolean => rfq.position >= 0

/** The RFQ's listed quotes, best first: by payout or price, then by number. */
export const listedQuotesOf = (state: State, rfq: number): Quote[] =>
  quotesOf(state, rfq).filter((quote) => isLive(quote) && quote.listedUntilUs !== null)
    .sort((a, b) => b.payoutMicros - a.payoutMicros || a.number - b.number)

/** The maker's live quote on the RFQ. */
export const liveQuoteBy = (state: State, rfq: number, maker: number): Quote | undefined =>
  quotesOf(state, rfq).find((quote) => isLive(quote) && quote.maker === maker)

export const isUnresolved = (rfq: Rfq): boolean => rfq.state === RfqState.open || rfq.state === RfqState.inFlight

/** RFQs of the account that are open or in flight. */
export const openRfqsOf = (state: State, account: number): Rfq[] =>
  itemsOf(state.rfqs, (rfq) => rfq.owner === account && isUnresolved(rfq))

export const pendingAcceptances = (state: State): Acceptance[] =>
  itemsOf(state.acceptances, (acceptance) => acceptance.state === AcceptanceState.accepted)

export const pendingOn = (state: State, quote: number): Acceptance | undefined =>
  pendingAcceptances(state).find((acceptance) => acceptance.quote === quote)

export const pendingOperations = (state: State): Operation[] =>
  itemsOf(state.operations, (operation) => operation.status === OperationStatus.pending)

/** Pending operations that fill an entry RFQ. */
export const pendingFills = (state: State): (Operation & { fill: Fill })[] =>
  pendingOperations(state).filter((operation) => operation.kind === OperationKind.fill) as (Operation & { fill: Fill })[]

export const isFaultOn = (state: State, fault: number): boolean => state.faults.includes(fault)

/** What acceptances and fills hold of the account, as taker and as maker. */
export function pendingOf(state: State, account: number): number {
  const held = [
    ...pendingAcceptances(state).map(({ taker, maker, stakeMicros, coreMicros, riskMicros }) =>
      ({ taker, maker, stakeMicros: Math.max(0, stakeMicros) - coreMicros, riskMicros })),
    ...pendingOperations(state).flatMap(({ account: taker, fill }) => (fill === null ? [] : [
      { taker, maker: fill.maker, stakeMicros: Math.max(0, fill.stakeMicros) - fill.coreMicros, riskMicros: fill.riskMicros },
    ])),
  ]
  return sumOf(held, ({ taker, maker, stakeMicros, riskMicros }) =>
    (taker === account ? stakeMicros : 0) + (maker === account ? riskMicros : 0))
}

export const reductionsOf = (state: State, maker: number): number =>
  sumOf(itemsOf(state.reductions, (reduction) => reduction.maker === maker), (reduction) => reduction.amountMicros)

const withdrawnOf = (state: State, account: number): number =>
  sumOf(pendingOperations(state).filter(({ kind, account: whose }) => kind === OperationKind.withdrawal && whose === account),
    (operation) => operation.amountMicros)

/** All that is held of the account. */
export const reservedOf = (state: State, account: number): number =>
  pendingOf(state, account) + reductionsOf(state, account) + withdrawnOf(state, account)

/** Free and reserved money of one account. */
export const heldOf = (state: State, account: number): number => freeOf(state, account) + reservedOf(state, account)

export const riskOf = (position: Position): number => position.payoutMicros - position.netStakeMicros

export const potsOf = (state: State): number => sumOf([...state.positions.values()], (position) => position.payoutMicros)

/** Core parts of pending acceptances and fills: they come in when the fills are done. */
export const awaitedCoreOf = (state: State): number =>
  sumOf(pendingAcceptances(state), (acceptance) => acceptance.coreMicros) + sumOf(pendingFills(state), ({ fill }) => fill.coreMicros)

/** What the account's core wallet is at. */
export function coreOf(state: State, account: number): 'idle' | 'funding' | 'moving' {
  const isMoving = pendingOperations(state).some((operation) => operation.account === account &&
    (operation.kind === OperationKind.withdrawal || (operation.fill !== null && operation.fill.coreMicros > 0)))
  if (isMoving) return 'moving'
  return pendingAcceptances(state).some(({ taker, coreMicros }) => taker === account && coreMicros > 0) ? 'funding' : 'idle'
}
