import { NONE } from '../venue/eventRows.ts'
import { HoldingCell, type Holdings, HoldingState, HoldingWord } from './holdings.ts'

export const HIDDEN_HOLDING = 'a holding is shown during its handler only'
/** What a poisoned view reads instead of rows. */
const HIDDEN_HOLDINGS = new Proxy({}, { get() { throw new Error(HIDDEN_HOLDING) } }) as Holdings

/** A cursor over the rows of `Holdings`: a position of a bettor as it was delivered; valid during the call only. */
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

  get arrival(): number { return this.holdings.cells[this.slot + HoldingCell.arrival]! }
  get position(): number { return this.holdings.cells[this.slot + HoldingCell.position]! }
  get request(): number { return this.holdings.cells[this.slot + HoldingCell.request]! }
  /** What the bettor paid, its taker fee included. */
  get costMicros(): number { return this.holdings.cells[this.slot + HoldingCell.costMicros]! }
  get stakeMicros(): number { return this.holdings.cells[this.slot + HoldingCell.stakeMicros]! }
  /** What it pays if every leg wins, before the profit fee. */
  get payoutMicros(): number { return this.holdings.cells[this.slot + HoldingCell.payoutMicros]! }
  get legCount(): number { return this.holdings.words[this.slot + HoldingWord.legCount]! }
  market(i: number): number { return this.holdings.legMarkets[this.holdings.legsFrom(this.slot) + i]! }
  side(i: number): number { return this.holdings.legSides[this.holdings.legsFrom(this.slot) + i]! }
  /** When the position opened, µs. */
  get openedUs(): number { return this.holdings.cells[this.slot + HoldingCell.openedUs]! }
  /** Neither an auction nor a command about one is under way: `desk.cashOut` may be called. */
  get isHeld(): boolean { return this.holdings.words[this.slot + HoldingWord.state] === HoldingState.held }
  /** An auction runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  get isAuctioned(): boolean { return this.holdings.words[this.slot + HoldingWord.state] === HoldingState.auctioned }
  /** How many auctions of the position have begun. */
  get auctions(): number { return this.holdings.words[this.slot + HoldingWord.auctions]! }
  /** When `desk.cashOut` was last called, µs; −1 never. */
  get askedUs(): number { return this.holdings.cells[this.slot + HoldingCell.askedUs]! }
  /** Best bid delivered so far in the running auction, microUSDC; −1 none. What the bettor got once it has sold. */
  get bestPriceMicros(): number { return this.holdings.cells[this.slot + HoldingCell.bestPriceMicros]! }
  /** How often `onCheck` was called for it, this call included. */
  get checks(): number { return this.holdings.words[this.slot + HoldingWord.checks]! }
}
