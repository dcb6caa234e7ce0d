import type { AuctionView, LegsView, PositionView, RequestView, SelectionView } from './views.ts'
import type { PriceType } from './vocabulary.ts'

export interface PriceOptions {
  readonly priceType: PriceType
  /** A leg whose last update is older than this has no price. */
  readonly maxAgeUs: number
}

export interface QuoteTerms {
  /** Implied probability of the offer, above 0; odds are its inverse rounded down, against the bettor. */
  readonly probability: number
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: number
  /** The maker's fair probability, 0…1, recorded beside the quote. */
  readonly fair?: number
}

/** A bid: a price, or the probability that makes it: the payout times it, rounded down and held under the auction's highest price. */
export type BidTerms = ({ readonly priceMicros: number } | { readonly probability: number }) & {
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: number
  /** The maker's fair probability, 0…1, recorded beside the bid. */
  readonly fair?: number
}

/** What a maker wants to lay off: a bet on the same legs, on the other service. */
export interface LayOffTerms {
  /** What the bet costs, that service's fee included: a whole number above 0. */
  readonly betMicros: number
  /** Lowest odds that are taken, four decimals: a whole number above 10,000. */
  readonly minOddsE4: number
  /** From now to the decision, a whole number of µs. */
  readonly decideInUs: number
}

/** Joint exposure of open positions to a set of legs, microUSDC; NaN once another handler is called. */
export interface Exposure {
  /** Largest, over the legs, of the risk of all open positions that hold that very leg. */
  readonly worst: number
  /** The risk of all open positions. */
  readonly total: number
}

/**
 * A maker's desk: what it knows (delivered prices, its own capital and positions as delivered) and what it can do. It never shows results,
 * actual closes, other makers' capital or losing quotes (design.md, decision 12). Methods take the views that handlers are given, while
 * their handler runs, and nothing that looks like one. What they refuse they throw, and the run stops and names the strategy.
 */
export interface MakerDesk {
  readonly name: string
  /** Time, µs since the epoch. */
  readonly nowUs: number
  /** Capital not at risk, as far as delivered fills and settlements tell. */
  readonly freeMicros: number
  readonly capitalMicros: number
  readonly openPositions: number
  readonly openRiskMicros: number
  /** Positions that the maker holds, and what it paid for them: part of `capitalMicros`, not of `freeMicros`. */
  readonly heldPositions: number
  readonly heldCostMicros: number

  /** Probability of all legs together as the product of leg prices; NaN when a leg has none young enough. */
  price(legs: LegsView, options: PriceOptions): number
  /**
   * The same for legs that may have ended: one whose result has been delivered counts 0 or 1. NaN when a leg without a
   * result has no price young enough, or one is void.
   */
  winProbability(legs: LegsView, options: PriceOptions): number
  /** Price of leg `i` alone; NaN when it has none young enough. */
  legPrice(legs: LegsView, i: number, options: PriceOptions): number
  /** Contracts at the touch of leg `i`: what could be bought at its ask; NaN: unknown. */
  legDepth(legs: LegsView, i: number): number
  /** Age of the delivered price of leg `i`, µs; Infinity when it never had one. */
  priceAgeUs(legs: LegsView, i: number): number
  /**
   * What the public list says of leg `i`'s market, as a number that markets with the same text share; NaN where it says nothing. All of it
   * is known from the market's opening on (design.md, decision 11), and no leg is asked for before.
   */
  category(legs: LegsView, i: number): number
  event(legs: LegsView, i: number): number
  /** Markets of one game, as an evening's match, are correlated. */
  game(legs: LegsView, i: number): number
  /** The category of leg `i`'s game, so that a game lies in one whatever legs are asked for; of its market where it has no game. */
  gameCategory(legs: LegsView, i: number): number

  /** Risk of the open positions that hold leg `i`, less that of those that hold its market's other side, microUSDC. */
  netLegRisk(legs: LegsView, i: number): number
  /** The answer is reused by the next call. */
  exposure(legs: LegsView): Exposure
  /** What the maker would lose on the request at this offer if every leg wins, microUSDC, before odds are rounded. */
  riskOf(request: RequestView, probability: number): number
  /**
   * Price at which buying an auctioned position gains nothing on average, microUSDC, when its legs win with that probability. Own position:
   * what backing it on would cost, the probability times the payout, and more where the maker's own gain bears a fee. Another's: the payout
   * less the profit fee that this maker would bear, in proportion to the probability.
   */
  breakEvenPrice(auction: AuctionView, winProbability: number): number
  /**
   * What a position that the maker holds brings at its end on average, microUSDC, less the profit fee: at delivered prices (NaN as for
   * `winProbability`), or when its legs win with a probability of the maker's own.
   */
  positionValue(position: PositionView, at: PriceOptions | number): number

  /** Offers odds on the request's version; replaces the maker's standing quote on it. */
  quote(request: RequestView, terms: QuoteTerms): void
  /** Takes the maker's standing quote back: on the request that is shown, or on the one of that number, which a strategy may have kept. */
  withdrawQuote(request: RequestView | number): void
  /** Lets the request go by; counted. */
  pass(reason: string): void
  /** Asks for `onLater` with this request after `delayUs`, a whole number. */
  later(request: RequestView, delayUs: number): void
  confirm(selection: SelectionView): void
  decline(selection: SelectionView): void
  /** Asks for `onDecision` with this selection of a quote after `delayUs`, a whole number; the window runs on meanwhile. */
  decideLater(selection: SelectionView, delayUs: number): void

  /** Bids for an auctioned position; replaces the maker's standing bid on it. */
  bid(auction: AuctionView, terms: BidTerms): void
  /** Opens a cash-out auction of a position that it holds; bids reach `onBid`. None may be under way. */
  openCashOut(position: PositionView): void
  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(position: PositionView, minPriceMicros: number): void
  /** Ends its auction of the position, which must run. */
  cancelCashOut(position: PositionView): void
  /** Asks for `onCheck` with this held position after `delayUs`, a whole number; nothing comes if it has ended by then. */
  checkIn(position: PositionView, delayUs: number): void
  /**
   * Lays a part of a position that the maker backs off on the other service: asks there for prices on the same legs, with the maker's
   * own account of a taker, and takes the best offer at or above `minOddsE4` when `decideInUs` is over, else lets it go. False, and
   * nothing happens, when the maker has no such account, or legs, bet and odds are beyond that service's limits. What it costs and brings is that account's: money never crosses.
   */
  layOff(position: PositionView, terms: LayOffTerms): boolean
}
