import type { Quantity } from './quantity.ts'

/** How many legs a bettor asks for, how much it bets, when it decides, and for how long. */
interface HabitParameters {
  readonly legsMin?: Quantity
  readonly legsMax?: Quantity
  readonly betMin?: Quantity
  readonly betMax?: Quantity
  /** How many times as likely each further leg is. */
  readonly legsRatio?: Quantity
  /** Median of lognormal stakes, cut off at `betMin` and `betMax`; 0: all stakes alike. */
  readonly betMedian?: Quantity
  /** Standard deviation of the logarithm of lognormal stakes. */
  readonly betSigma?: Quantity
  /** Shortest time to the decision. */
  readonly decideMin?: Quantity
  /** Longest time to the decision. */
  readonly decideMax?: Quantity
  /** Decisions before leaving. */
  readonly patience?: Quantity
  /** Time between decisions. */
  readonly wait?: Quantity
  /** Legs are priced within this and its complement. */
  readonly priceMin?: Quantity
  /** Oldest price that a bettor looks at. */
  readonly maxAge?: Quantity
}

/** Of bettors that give up a drawn share of fair odds. */
interface ToleranceParameters {
  /** Least share of fair odds given up. */
  readonly toleranceMin?: Quantity
  /** Largest share of fair odds given up. */
  readonly toleranceMax?: Quantity
}

/** Of bettors that bet on drawn sides. */
interface SideParameters {
  /** Share of legs that are backed to come true. */
  readonly yes?: Quantity
}

interface NoiseParameters extends HabitParameters, SideParameters, ToleranceParameters {}

interface InformedParameters extends HabitParameters {
  /** How far ahead its prices are. */
  readonly horizon?: Quantity
  /** Standard deviation of the error of each leg. */
  readonly noise?: Quantity
  /** Least expected gain per dollar before fees. */
  readonly edge?: Quantity
}

interface PriceSensitiveParameters extends HabitParameters, SideParameters {
  /** Log-odds of turning down an offer without mark-up. */
  readonly alpha?: Quantity
  /** What each cent of mark-up per dollar of payout adds to them. */
  readonly beta?: Quantity
}

interface FavouriteParameters extends HabitParameters, ToleranceParameters {
  /** Least price of the likelier side of a leg. */
  readonly favouriteMin?: Quantity
  /** Power of the price by which sides are chosen; negative: longshots. */
  readonly taste?: Quantity
}

/** Of bettors that put their positions up for auction. */
interface SellingParameters extends NoiseParameters {
  /** Least share of the value at middle prices that a bid must reach. */
  readonly shareMin?: Quantity
  /** Largest such share; drawn per position. */
  readonly shareMax?: Quantity
  /** From the asking for an auction to the first bid that is taken. */
  readonly listen?: Quantity
}

interface ImpatientParameters extends SellingParameters {
  /** Shortest time that it holds a position. */
  readonly holdMin?: Quantity
  /** Longest time that it holds a position. */
  readonly holdMax?: Quantity
  /** Auctions of a position. */
  readonly tries?: Quantity
}

/** Of bettors that look at the value of their positions. */
interface WatchingParameters extends SellingParameters {
  /** Time between two looks at a position. Under `params` alone: beside `kind` it is the time between two intents. */
  readonly every?: Quantity
  /** Looks before the position is left to its end. */
  readonly looks?: Quantity
  /** Value as a share of its cost at which a position is sold. */
  readonly level?: Quantity
}

/** The parameters of each built-in bettor. `parlor strategies` tells their defaults and bounds. */
export interface BettorParameters {
  readonly noise: NoiseParameters
  readonly informed: InformedParameters
  readonly impatient: ImpatientParameters
  readonly 'stop-loss': WatchingParameters
  readonly 'take-profit': WatchingParameters
  readonly 'price-sensitive': PriceSensitiveParameters
  readonly favourite: FavouriteParameters
}
