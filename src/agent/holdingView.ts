import { NONE } from '../venue/eventRows.ts'
import * as holdingsModule from './holdings.ts'
import type { Holdings } from './holdings.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { HOLDING_LEGS_MAX, HoldingState } = holdingsModule

export const HIDDEN_HOLDING = 'a holding is shown during its handler only'
/** What a poisoned view reads instead of columns. */
const HIDDEN_HOLDINGS = new Proxy({}, { get() { throw new Error(HIDDEN_HOLDING) } }) as Holdings

/** A cursor over the columns of `Holdings`: a position of a bettor as it was delivered; valid during the call only. */
export class HoldingView {
  slot = NONE
  private declare holdings: Holdings

  constructor(holdings: Holdings) {
    this.holdings = holdings
  }

  /** Makes the view useless for good, so that a strategy that keeps it is found out; tests switch it on. */
  poison(): void {
    this.slot = NaN
    this.holdings = HIDDEN_HOLDINGS
  }

  get arrival(): number { return this.holdings.arrival[this.slot]! }
  get position(): number { return this.holdings.position[this.slot]! }
  get request(): number { return this.holdings.request[this.slot]! }
  /** What the bettor paid, its taker fee included. */
  get costMicros(): number { return this.holdings.costMicros[this.slot]! }
  get stakeMicros(): number { return this.holdings.stakeMicros[this.slot]! }
  /** What it pays if every leg wins, before the profit fee. */
  get payoutMicros(): number { return this.holdings.payoutMicros[this.slot]! }
  get legCount(): number { return this.holdings.legCount[this.slot]! }
  market(i: number): number { return this.holdings.legMarkets[this.slot * HOLDING_LEGS_MAX + i]! }
  side(i: number): number { return this.holdings.legSides[this.slot * HOLDING_LEGS_MAX + i]! }
  /** When the position opened, µs. */
  get openedUs(): number { return this.holdings.openedUs[this.slot]! }
  /** Neither an auction nor a command about one is under way: `desk.cashOut` may be called. */
  get isHeld(): boolean { return this.holdings.state[this.slot] === HoldingState.held }
  /** An auction runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  get isAuctioned(): boolean { return this.holdings.state[this.slot] === HoldingState.auctioned }
  /** How many auctions of the position have begun. */
  get auctions(): number { return this.holdings.auctions[this.slot]! }
  /** When `desk.cashOut` was last called, µs; −1 never. */
  get askedUs(): number { return this.holdings.askedUs[this.slot]! }
  /** Best bid delivered so far in the running auction, microUSDC; −1 none. What the bettor got once it has sold. */
  get bestPriceMicros(): number { return this.holdings.bestPriceMicros[this.slot]! }
  /** How often `onCheck` was called for it, this call included. */
  get checks(): number { return this.holdings.checks[this.slot]! }
  /** In `onCashoutRefused` with `rateLimited`: time from now until another command can pass, µs; −1 otherwise. */
  get retryAfterUs(): number { return this.holdings.retryAfterUs[this.slot]! }
}
