import type { BettorDesk } from './bettorDesk.ts'
import type { Facades } from './facades/facades.ts'
import type { Parameters, ValuesOf } from './parameters.ts'
import type { HoldingView, IntentView, RefusalView } from './views.ts'
import type { AuctionOutcome } from './vocabulary.ts'

/**
 * What a bettor of a cohort does. One instance drives the whole cohort. What must be remembered between the calls of one
 * intent or position stands in the fields of that intent or position. Closures must keep nothing, because a checkpoint has
 * these fields alone.
 */
export interface BettorHandlers {
  /** The session begins. No bettor has arrived yet. */
  onStart?(desk: BettorDesk): void
  /** Nothing is left in the session. The desk is read, and takes lines of a log alone. A session that is stopped before has no such end. */
  onEnd?(desk: BettorDesk): void
  /** A bettor of the cohort wants to bet: fill the intent and call `desk.requestQuote`. Otherwise nothing happens. */
  onArrival(intent: IntentView, desk: BettorDesk): void
  /** The intent's decision time has come: call `desk.commit` or `desk.wait`, or let the intent lapse. */
  onDecision(intent: IntentView, desk: BettorDesk): void
  /** A commit was refused. The request is open again, and `onDecision` comes once more only where `desk.wait` has asked for it. */
  onRefused?(intent: IntentView, refusal: RefusalView, desk: BettorDesk): void
  /** A position of the bettor opened, which may have ended by the time at which the bettor hears of it. A cohort without this handler or `onSettled` hears nothing of its positions. */
  onOpened?(holding: HoldingView, desk: BettorDesk): void
  /**
   * A position of the bettor ended: its legs did, or it was never funded. `returnedMicros` is what it brought. One that was sold ends in
   * `onAuctionEnded`. A cohort with this handler is told of each fill and each end, and its desk shows what each bettor has left.
   */
  onSettled?(holding: HoldingView, desk: BettorDesk): void
  /** The time asked for with `desk.checkIn` has come. */
  onCheck?(holding: HoldingView, desk: BettorDesk): void
  /** The price of a leg has moved as far as `desk.watch` said of this position. */
  onPrice?(holding: HoldingView, desk: BettorDesk): void
  /** The time of listening given to `desk.openCashOut` is over, and the auction runs. */
  onListened?(holding: HoldingView, desk: BettorDesk): void
  /** The best bid in the auction of the position has changed, or is gone (`bestPriceMicros` is NaN). */
  onBid?(holding: HoldingView, desk: BettorDesk): void
  /** The auction is over. After `sold`, `bestPriceMicros` is what the position brought. */
  onAuctionEnded?(holding: HoldingView, outcome: AuctionOutcome, desk: BettorDesk): void
  /** `desk.openCashOut`, `takeBid` or `cancelCashOut` was refused. */
  onCashOutRefused?(holding: HoldingView, refusal: RefusalView, desk: BettorDesk): void
}

/** A bettor strategy for cohorts: parameters as data, and the function that makes its handlers. */
export interface BettorStrategy<P extends Parameters = Parameters> {
  readonly role: 'bettor'
  readonly parameters: P
  /** How far ahead the cohort's oracle looks, µs. Absent for a cohort without one. The manifest lists it. */
  readonly horizonUs?: (values: ValuesOf<P>) => number
  readonly create: (values: ValuesOf<P>) => BettorHandlers
  /** What the strategy does, in a line. */
  readonly about?: string
  /** These make what its handlers are given, by default the engine's own. */
  readonly facades?: Facades
}

/** Declares a bettor strategy. */
export const bettor = <P extends Parameters>(
  parameters: P, create: BettorStrategy<P>['create'], more: Pick<BettorStrategy<P>, 'about' | 'horizonUs'> = {},
): BettorStrategy<P> => ({ role: 'bettor', parameters, create, ...more })
