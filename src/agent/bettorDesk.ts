import type { MarketNames } from '../market/publicList.ts'
import type { PriceOptions, WatchTerms } from './makerDesk.ts'
import type { AtUs, Bps, Odds, Share, Us, UsdMicros } from './quantities.ts'
import type { DepthView, HoldingView, IntentView, LegsView } from './views.ts'

/** Numbers of an intent's draws: fields 0–15 for scalars, 16–79 for markets, 80–95 for sides, 96–111 for signals, 112–127 for its position. */
export const IntentDraw = { gap: 0, bettor: 1, legCount: 2, stake: 3, floor: 4, delay: 5, excitedGap: 6, market: 16, side: 80, signal: 96 } as const
/** Fields for decisions about the position. */
export const HoldingDraw = { time: 112, share: 113 } as const
/** Draws set aside for each intent. */
export const DRAWS_PER_INTENT = 128

/** What a bettor asks for. */
export interface RequestTerms {
  /** What the bettor pays, including the taker fee. */
  readonly betMicros: UsdMicros
  /** Lowest odds that `commit` takes, four decimals. */
  readonly minOddsE4: Odds
  /** From now to `onDecision`, a whole number of µs. */
  readonly decideInUs: Us
}

/**
 * A cohort's desk: delivered prices, the public list of live markets, keyed draws, and the commands of a bettor. Methods take the views
 * that handlers are given, while their handler runs. A method throws when it refuses something, and the run then stops and names the cohort.
 */
export interface BettorDesk {
  /** Time, µs since the epoch. */
  readonly nowUs: AtUs
  /** What the service keeps of every bet, as it last announced it, hundredths of a percent. */
  readonly takerFeeBps: Bps

  /**
   * Money of the bettor of this intent or position that no bet holds, as far as fills, sales and settlements have reached it: what it began with, less what
   * its positions cost, plus what they brought. A commit under way counts once its position is told. Only a cohort with `onSettled` has it.
   */
  freeMicros(of: IntentView | HoldingView): UsdMicros
  /** Draw in [0, 1) of this intent, or of the position that it became. `field` is as in IntentDraw and HoldingDraw, from 0 to 127. */
  uniform(of: IntentView | HoldingView, field: number): number
  /** Standard normal draw of the same. */
  normal(of: IntentView | HoldingView, field: number): number

  /** Probability of all legs together as the product of leg prices, NaN when a leg has none that is young enough. */
  price(legs: LegsView, options: PriceOptions): Share
  /** Price of leg `i` alone, NaN when it has none that is young enough. */
  legPrice(legs: LegsView, i: number, options: PriceOptions): Share
  /**
   * The best levels of a market's book, by the number that legs show; undefined where the book is not known, as of a market whose prices come
   * without one. They come with the prices, after the same latency. The answer is reused by the next call, and holds during the handler. Throws
   * where the session shows no depth (`history.depth` of the scenario).
   */
  depth(market: number): DepthView | undefined
  /** The oracle's view of leg `i`: its middle price one horizon from now. NaN without an oracle or a price. */
  futurePrice(legs: LegsView, i: number): Share
  /**
   * What the public list says of a market, by the number that legs show, and null of one that has not opened by now. All of it is known from the
   * opening on and never changes. A text is '' where the list says nothing. The answer is a frozen copy, which may be kept.
   */
  market(market: number): MarketNames | null
  /**
   * What the position brings at its end on average, microUSDC before fees, with a win probability of the bettor's own or at delivered prices.
   * At delivered prices a leg whose result has been delivered counts as its result, and a void leg gives the bet back. NaN when any other leg
   * has no young price.
   */
  expectedPayout(holding: HoldingView, at: PriceOptions | Share): UsdMicros

  /**
   * Fills the intent with `legs` drawn legs, at most 16. They are on distinct live markets without common exclusion keys, whose middle price
   * is within [low, 1 − low] and younger than `maxAgeUs`, and whose likelier side is priced at least `favouriteMin`. Sides are fair coins.
   * False when too few markets are found.
   */
  pickLegs(intent: IntentView, legs: number, low: Share, maxAgeUs: Us, favouriteMin?: Share): boolean
  /** Asks for prices on the intent's legs, once for each intent, in `onArrival`. When the service refuses the request, the intent ends without a call. */
  requestQuote(intent: IntentView, terms: RequestTerms): void
  /**
   * Commits the best quote at or above the lowest odds. The request must be open: made, with no commit under way. Makers that did not confirm, the
   * first eight of them, are left out of the intent’s next commits.
   */
  commit(intent: IntentView): void
  /** Withdraws the request, which must be open. */
  cancelRequest(intent: IntentView): void
  /** Decides again after `delayUs`, a whole number. */
  wait(intent: IntentView, delayUs: Us): void

  /** Writes a line into the run's table `logs`, with numbers by names of the strategy's own, at most 16. Nobody in the session hears it. A line is one command of its call. */
  log(line: string, values?: Readonly<Record<string, number>>): void

  /** Asks for `onCheck` with this position after `delayUs`, a whole number. Nothing comes if the position has ended by then. */
  checkIn(holding: HoldingView, delayUs: Us): void
  /**
   * Asks for `onPrice` with this position when the price of one of its legs is at least `movedBy` from what the desk shows now, up or down, or is
   * there where none was, or none is where one was. Prices of any age count. It comes once, and not when the position has ended by then.
   */
  watch(holding: HoldingView, terms: WatchTerms): void
  /**
   * Opens a cash-out auction of the position. Bids reach `onBid`. The position must be held, without an auction. With `listenUs`, a whole
   * number, `onListened` comes after that time, but not before the bettor knows of the auction, and not when the auction has ended.
   */
  openCashOut(holding: HoldingView, listenUs?: Us): void
  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(holding: HoldingView, minPriceMicros: UsdMicros): void
  /** Ends the auction of the position, which must run. */
  cancelCashOut(holding: HoldingView): void
}
