import type { MarketNames } from '../market/publicList.ts'
import type { AtUs, Odds, Share, Us, UsdMicros } from './quantities.ts'
import type { AuctionView, DepthView, LegsView, PositionView, RequestView, SelectionView } from './views.ts'
import type { PriceType } from './vocabulary.ts'

/** Which price of a leg is asked for, and how old it may be. */
export interface PriceOptions {
  readonly priceType: PriceType
  /** A leg whose last update is older than this has no price. */
  readonly maxAgeUs: Us
}

/** A move of a price that a participant wants to hear of. */
export interface WatchTerms {
  readonly priceType: PriceType
  /** How far the price of one leg moves, up or down: a probability from 0.000001 to 1, as 0.02 for two cents. */
  readonly movedBy: Share
}

/** What a maker offers on a request. */
export interface QuoteTerms {
  /** Implied probability of the offer, above 0. Odds are its inverse, rounded down (against the bettor). */
  readonly probability: Share
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: Us
  /** The maker's fair probability, 0…1, recorded beside the quote. */
  readonly fair?: Share
  /**
   * What the same legs would be worth to the maker if they were independent: the product of its own prices of them, 0…1. Given with `fair`
   * alone. It lets the scorecard tell what the maker's price of dependence cost it. A maker that multiplies gives `fair` again.
   */
  readonly fairProduct?: Share
}

/** A bid: a price, or a probability that gives the price: it is multiplied by the payout, rounded down and kept at or below the auction's highest price. */
export type BidTerms = ({ readonly priceMicros: UsdMicros } | { readonly probability: Share }) & {
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: Us
  /** The maker's fair probability, 0…1, recorded beside the bid. */
  readonly fair?: Share
  /** The product of its own prices of the legs, as in a quote; a leg that has come true counts as 1. */
  readonly fairProduct?: Share
}

/** A bet with which a maker lays risk off: on the same legs, on the other service. */
export interface LayOffTerms {
  /** What the bet costs, including that service's fee: a whole number above 0. */
  readonly betMicros: UsdMicros
  /** Lowest odds that are taken, four decimals: a whole number above 10,000. */
  readonly minOddsE4: Odds
  /** From now to the decision, a whole number of µs. */
  readonly decideInUs: Us
}

/** Joint exposure of open positions to a set of legs, microUSDC. NaN once another handler is called. */
export interface Exposure {
  /** The largest risk, over the legs, of all open positions with that same leg. */
  readonly worst: UsdMicros
  /** The risk of all open positions. */
  readonly total: UsdMicros
}

/**
 * A maker's desk: what the maker knows (delivered prices, its own capital and positions as delivered) and what it can do. The desk never
 * shows results, actual closes, other makers' capital or losing quotes (design.md, decision 12). Methods take only the views that handlers
 * are given, while their handler runs. A method throws when it refuses something, and the run then stops and names the strategy.
 */
export interface MakerDesk {
  readonly name: string
  /** Time, µs since the epoch. */
  readonly nowUs: AtUs
  /** Capital that is not at risk, as far as delivered fills and settlements show. */
  readonly freeMicros: UsdMicros
  readonly capitalMicros: UsdMicros
  readonly openPositions: number
  readonly openRiskMicros: UsdMicros
  /** Positions that the maker holds, and what it paid for them, which is part of `capitalMicros` and not of `freeMicros`. */
  readonly heldPositions: number
  readonly heldCostMicros: UsdMicros

  /** Probability of all legs together as the product of leg prices, NaN when a leg has none that is young enough. */
  price(legs: LegsView, options: PriceOptions): Share
  /**
   * The same for legs that may have ended: a leg whose result has been delivered counts as 0 or 1. NaN when a leg without a
   * result has no price that is young enough, or when a leg is void.
   */
  winProbability(legs: LegsView, options: PriceOptions): Share
  /** Price of leg `i` alone, NaN when it has none that is young enough. */
  legPrice(legs: LegsView, i: number, options: PriceOptions): Share
  /** Contracts at the touch of leg `i`: what could be bought at its ask. NaN when unknown. */
  legDepth(legs: LegsView, i: number): number
  /**
   * The best levels of a market's book, by the number that legs show; undefined where the book is not known, as of a market whose prices come
   * without one. They come with the prices, after the same latency. The answer is reused by the next call, and holds during the handler. Throws
   * where the session shows no depth (`history.depth` of the scenario).
   */
  depth(market: number): DepthView | undefined
  /** Age of the delivered price of leg `i`, µs, Infinity when it never had one. */
  priceAgeUs(legs: LegsView, i: number): Us
  /**
   * What the public list says about leg `i`'s market, as a number that markets with the same text share, NaN where it says nothing. All of it
   * is known from the market's opening on (design.md, decision 11), and no request has a leg before that.
   */
  category(legs: LegsView, i: number): number
  event(legs: LegsView, i: number): number
  /** Markets of one game, such as an evening's match, are correlated. */
  game(legs: LegsView, i: number): number
  /** The category of leg `i`'s game, so that a game lies in one category whatever its legs. Without a game, that of its market. */
  gameCategory(legs: LegsView, i: number): number
  /**
   * What the public list says of a market, by the number that legs show, and null of one that has not opened by now. All of it is known from the
   * opening on and never changes. A text is '' where the list says nothing. The answer is a frozen copy, which may be kept.
   */
  market(market: number): MarketNames | null

  /** Risk of the open positions with leg `i`, minus that of positions with its market's other side, microUSDC. */
  netLegRisk(legs: LegsView, i: number): UsdMicros
  /** The answer is reused by the next call. */
  exposure(legs: LegsView): Exposure
  /** What the maker would lose on the request at this offer if every leg wins, microUSDC, before odds are rounded. */
  riskOf(request: RequestView, probability: Share): UsdMicros
  /**
   * The price at which buying an auctioned position gains nothing on average, microUSDC, when its legs win with the given probability. For the
   * maker's own position that is the cost of backing on: the probability times the payout, and more where the maker's own gain bears a fee.
   * For another maker's position it is the probability times the payout minus the profit fee that this maker would bear.
   */
  breakEvenPrice(auction: AuctionView, winProbability: Share): UsdMicros
  /**
   * What a position that the maker holds brings at its end on average, microUSDC, minus the profit fee: at delivered prices (NaN as in
   * `winProbability`), or with a win probability of the maker's own.
   */
  positionValue(position: PositionView, at: PriceOptions | Share): UsdMicros

  /** Offers odds on the request's version. Replaces the maker's standing quote on it. */
  quote(request: RequestView, terms: QuoteTerms): void
  /** Withdraws the maker's standing quote on the request that is shown, or on the request whose number a strategy has read and kept. Throws for a number that it has not read. */
  withdrawQuote(request: RequestView | number): void
  /** Lets the request go by. The run's table `passes` has it with its reason, and the summary counts it. The first of each call of a handler counts. */
  pass(reason?: string): void
  /** Writes a line into the run's table `logs`, with numbers by names of the strategy's own, at most 16. Nobody in the session hears it. A line is one action of its instant. */
  log(line: string, values?: Readonly<Record<string, number>>): void
  /** Asks for `onLater` with this request after `delayUs`, a whole number. */
  later(request: RequestView, delayUs: Us): void
  /**
   * Asks for `onPrice` with this request when the price of one of its legs is at least `movedBy` from what the desk shows now, up or down, or is
   * there where none was, or none is where one was. Prices of any age count. It comes once, with the maker's own feed latency, and before the
   * request's `expiresAtUs`. Whoever wants to hear of the next move asks again.
   */
  watch(request: RequestView, terms: WatchTerms): void
  /** The same of a position that the maker backs or holds, for `onPositionPrice`. Nothing comes once the maker has been told of its end. */
  watchPosition(position: PositionView, terms: WatchTerms): void
  /** Asks for `onTimer` after `delayUs`, a whole number, whatever is told meanwhile. `tag` is a whole number of the strategy's own, 0 unless given. */
  after(delayUs: Us, tag?: number): void
  confirm(selection: SelectionView): void
  decline(selection: SelectionView): void
  /** Asks for `onDecision` with this selection of a quote after `delayUs`, a whole number. The window runs on meanwhile. */
  decideLater(selection: SelectionView, delayUs: Us): void

  /** Bids for an auctioned position. Replaces the maker's standing bid on it. */
  bid(auction: AuctionView, terms: BidTerms): void
  /** Opens a cash-out auction of a position that it holds. Bids reach `onBid`. No auction of it may be under way. */
  openCashOut(position: PositionView): void
  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(position: PositionView, minPriceMicros: UsdMicros): void
  /** Ends its auction of the position, which must run. */
  cancelCashOut(position: PositionView): void
  /** Asks for `onCheck` with this held position after `delayUs`, a whole number. Nothing comes if the position has ended by then. */
  checkIn(position: PositionView, delayUs: Us): void
  /**
   * Lays a part of a position that the maker backs off on the other service. It asks there for prices on the same legs, with the maker's own
   * taker account, and takes the best offer at or above `minOddsE4` when `decideInUs` is over, or lets it go. False, and nothing happens, when
   * the maker has no such account, or when legs, bet or odds are beyond that service's limits. Costs and gains are that account's, because
   * money never crosses between services.
   */
  layOff(position: PositionView, terms: LayOffTerms): boolean
}
