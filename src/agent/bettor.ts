import type { BettorDesk } from './bettorDesk.ts'
import type { Parameters, ValuesOf } from './parameters.ts'
import type { HoldingView, IntentView, RefusalView } from './views.ts'
import type { AuctionOutcome } from './vocabulary.ts'

/**
 * What a bettor of a cohort does. One instance drives the whole cohort; what must be remembered between the calls of
 * one intent or position stands in its own fields: closures must keep nothing, since a checkpoint holds these alone.
 */
export interface BettorHandlers {
  /** A bettor of the cohort wants to bet: fill the intent and `desk.requestQuote`, or leave it and nothing happens. */
  onArrival(intent: IntentView, desk: BettorDesk): void
  /** The intent's decision time has come: `desk.commit`, `desk.wait` or leave it to lapse. */
  onDecision(intent: IntentView, desk: BettorDesk): void
  /** A commit was refused. Default: the intent ends. */
  onRefused?(intent: IntentView, refusal: RefusalView, desk: BettorDesk): void
  /** A position of the bettor opened. A cohort without this handler hears nothing of its positions. */
  onOpened?(holding: HoldingView, desk: BettorDesk): void
  /** The time asked for with `desk.checkIn` has come. */
  onCheck?(holding: HoldingView, desk: BettorDesk): void
  /** The time of listening given to `desk.openCashOut` is over, and the auction runs. */
  onListened?(holding: HoldingView, desk: BettorDesk): void
  /** The best bid in the auction of the position is another one, or gone (`bestPriceMicros` NaN). */
  onBid?(holding: HoldingView, desk: BettorDesk): void
  /** The auction is over. After `sold`, `bestPriceMicros` is what the position brought. */
  onAuctionEnded?(holding: HoldingView, outcome: AuctionOutcome, desk: BettorDesk): void
  /** `desk.openCashOut`, `takeBid` or `cancelCashOut` was refused. */
  onCashOutRefused?(holding: HoldingView, refusal: RefusalView, desk: BettorDesk): void
}

/** A bettor strategy for cohorts: parameters as data, and what makes its handlers. */
export interface BettorStrategy<P extends Parameters = Parameters> {
  readonly role: 'bettor'
  readonly parameters: P
  /** How far ahead the cohort's oracle looks, µs; absent: it has none. Listed in the manifest. */
  readonly horizonUs?: (values: ValuesOf<P>) => number
  readonly create: (values: ValuesOf<P>) => BettorHandlers
  /** What it does, in a line. */
  readonly about?: string
}

/** Declares a bettor strategy. */
export const bettor = <P extends Parameters>(
  parameters: P, create: BettorStrategy<P>['create'], more: Pick<BettorStrategy<P>, 'about' | 'horizonUs'> = {},
): BettorStrategy<P> => ({ role: 'bettor', parameters, create, ...more })
