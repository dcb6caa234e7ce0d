import type { Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'

/** Which request it is: of the parlay service a cash-out is an auction, with numbers of its own. */
export interface RequestName {
  readonly isAuction: boolean
  readonly number: number
}

export interface OfferName {
  readonly maker: number
  readonly number: number
}

export interface LegFacts {
  readonly market: number
  readonly side: number
}

/** What is for sale. The service forgets it with the position. */
export interface SaleTerms {
  readonly legs: readonly LegFacts[]
  /** What the position pays. */
  readonly amountMicros: number
}

/** What a row says of a request: it came, or a maker made an offer for it. */
export interface Noted extends RequestName {
  readonly isNew: boolean
  /** Of a cash-out that came. */
  readonly sale?: SaleTerms
  readonly offer: OfferName | null
}

/** What a service knows of a request at an instant, in the words of both services. −1 stands for none. */
export interface RequestFacts {
  readonly owner: number
  readonly isCashOut: boolean
  readonly legs: readonly LegFacts[]
  /** The bet, or what the position pays; −1 when it is not known any more. */
  readonly amountMicros: number
  readonly state: string
  readonly isOpen: boolean
  readonly best: number
  readonly untilUs: number
}

export interface OfferFacts {
  readonly maker: number
  readonly state: string
  readonly isLive: boolean
  /** It was filled, or its price paid. */
  readonly isTaken: boolean
  /** −1 of a price. */
  readonly oddsE4: number
  /** −1 of odds. */
  readonly priceMicros: number
  /** −1 of a price. */
  readonly riskMicros: number
  readonly untilUs: number
}

export interface PositionFacts {
  readonly number: number
  readonly holder: number
  readonly backer: number
  readonly legs: readonly LegFacts[]
  readonly stakeMicros: number
  readonly payoutMicros: number
  /** What its holder paid. */
  readonly costMicros: number
  /** What a win costs its holder, and a loss its backer. */
  readonly profitFeeMicros: number
  readonly makerFeeMicros: number
}

/** A service as a page sees it. Reading changes nothing. */
export interface LiveVenue {
  /** What a row says of a request, null for all other rows. */
  note(events: EventRows, row: Row): Noted | null
  /** What moved into an account's balance from outside, microUSDC, below zero for what moved out; null for all other rows. */
  paidIn(events: EventRows, row: Row): { readonly account: number; readonly amountMicros: number } | null
  /** Offers of makers that the service still knows, in the order of their requests. */
  known(makers: readonly number[]): readonly Noted[]
  /** Null when the service has forgotten it. */
  request(name: RequestName): RequestFacts | null
  offer(of: RequestName, number: number): OfferFacts | null
  /** The id by which clients know it. */
  id(name: RequestName): string
  money(account: number): { readonly freeMicros: number; readonly reservedMicros: number }
  positionsOf(account: number): readonly number[]
  /** Null once it has ended. */
  position(number: number): PositionFacts | null
}
