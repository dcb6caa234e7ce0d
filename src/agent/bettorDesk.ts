import type { PriceOptions } from './makerDesk.ts'
import type { HoldingView, IntentView, LegsView } from './views.ts'

/** Draws of one intent are numbered: fields 0–15 for scalars, 16–79 markets, 80–95 sides, 96–111 signals, 112–127 its position. */
export const IntentDraw = { gap: 0, bettor: 1, legCount: 2, stake: 3, floor: 4, delay: 5, excitedGap: 6, market: 16, side: 80, signal: 96 } as const
/** Fields for what becomes of the position. */
export const HoldingDraw = { time: 112, share: 113 } as const
/** Draws set aside for each intent. */
export const DRAWS_PER_INTENT = 128

/** What a bettor asks for. */
export interface RequestTerms {
  /** What it pays, the taker fee included. */
  readonly betMicros: number
  /** Lowest odds that `commit` takes, four decimals. */
  readonly minOddsE4: number
  /** From now to `onDecision`, a whole number of µs. */
  readonly decideInUs: number
}

/**
 * A cohort's desk: delivered prices, the public list of live markets, keyed draws, and the commands of a bettor. Methods take the views
 * that handlers are given, while their handler runs; what they refuse they throw, and the run stops and names the cohort.
 */
export interface BettorDesk {
  /** Time, µs since the epoch. */
  readonly nowUs: number
  /** What the service keeps of every bet, as it last announced it, hundredths of a percent. */
  readonly takerFeeBps: number

  /** Draw in [0, 1) of this intent, or of the position that it became; `field` as in IntentDraw and HoldingDraw, from 0 to 127. */
  uniform(of: IntentView | HoldingView, field: number): number
  /** Standard normal draw of the same. */
  normal(of: IntentView | HoldingView, field: number): number

  /** Probability of all legs together as the product of leg prices; NaN when a leg has none young enough. */
  price(legs: LegsView, options: PriceOptions): number
  /** Price of leg `i` alone; NaN when it has none young enough. */
  legPrice(legs: LegsView, i: number, options: PriceOptions): number
  /** The oracle's view of leg `i`: its middle price one horizon from now. NaN without an oracle or a price. */
  futurePrice(legs: LegsView, i: number): number
  /**
   * What the position brings at its end on average, microUSDC before fees, with a probability of the bettor's own that its legs win, or at
   * delivered prices: then a leg whose result has been delivered counts as that, a void one gives the bet back, and without a young
   * price of every other leg it is NaN.
   */
  positionValue(holding: HoldingView, at: PriceOptions | number): number

  /**
   * Fills the intent with `legs` drawn legs, at most 16, on distinct live markets without common exclusion keys whose middle price is
   * within [low, 1 − low] and younger than `maxAgeUs`, and whose likelier side is priced at least `favouriteMin`; sides are fair coins.
   * False when too few are found.
   */
  pickLegs(intent: IntentView, legs: number, low: number, maxAgeUs: number, favouriteMin?: number): boolean
  /** Asks for prices on the intent's legs, once for each intent, in `onArrival`. A request that the service refuses ends the intent, and nobody is told. */
  requestQuote(intent: IntentView, terms: RequestTerms): void
  /** Commits the best quote at or above the lowest odds. The request must be open: made, and no commit under way. */
  commit(intent: IntentView): void
  /** Withdraws the request, which must be open. */
  cancelRequest(intent: IntentView): void
  /** Decides again after `delayUs`, a whole number. */
  wait(intent: IntentView, delayUs: number): void
  /**
   * Leaves a maker out of the intent's next commits; the list holds eight at most. `maker` is the number of its account, which no view
   * tells: a maker that did not confirm is left out without this.
   */
  exclude(intent: IntentView, maker: number): void

  /** Asks for `onCheck` with this position after `delayUs`, a whole number; nothing comes if it has ended by then. */
  checkIn(holding: HoldingView, delayUs: number): void
  /**
   * Opens a cash-out auction of the position; bids reach `onBid`. It must be held, without an auction. With `listenUs`, a whole
   * number, `onListened` comes so long from now, as soon as the bettor knows of the auction and unless it has ended.
   */
  openCashOut(holding: HoldingView, listenUs?: number): void
  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(holding: HoldingView, minPriceMicros: number): void
  /** Ends the auction of the position, which must run. */
  cancelCashOut(holding: HoldingView): void
}
