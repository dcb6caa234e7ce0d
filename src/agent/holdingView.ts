import { NONE } from '../venue/eventRows.ts'
import { HoldingCell, type Holdings, HoldingState, HoldingWord } from './holdings.ts'
import { type LegsView, orUnknown } from './views.ts'

export const HIDDEN_HOLDING = 'a holding is shown during its handler only'
/** What a poisoned view reads instead of rows. */
const HIDDEN_HOLDINGS = new Proxy({}, { get() { throw new Error(HIDDEN_HOLDING) } }) as Holdings

/** The legs of the holding that a view shows. */
class HoldingLegs implements LegsView {
  private declare readonly holding: HoldingView

  constructor(holding: HoldingView) {
    this.holding = holding
  }

  get count(): number {
    return this.holding.holdings.words[this.holding.slot + HoldingWord.legCount]!
  }

  market(leg: number): number {
    const { holdings, slot } = this.holding
    return holdings.legMarkets[holdings.legsFrom(slot) + leg]!
  }

  side(leg: number): number {
    const { holdings, slot } = this.holding
    return holdings.legSides[holdings.legsFrom(slot) + leg]!
  }
}

/** A cursor over the rows of `Holdings`: a position of a bettor as it was delivered; valid during the call only. */
export class HoldingView {
  slot = NONE
  declare holdings: Holdings
  readonly legs: LegsView = new HoldingLegs(this)

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
  /** That without the taker fee. */
  get netStakeMicros(): number { return this.holdings.cells[this.slot + HoldingCell.stakeMicros]! }
  /** What it pays if every leg wins, before the profit fee. */
  get payoutMicros(): number { return this.holdings.cells[this.slot + HoldingCell.payoutMicros]! }
  /** When the position opened, µs. */
  get openedAtUs(): number { return this.holdings.cells[this.slot + HoldingCell.openedAtUs]! }
  /** Neither an auction nor a command about one is under way: `desk.openCashOut` may be called. */
  get canCashOut(): boolean { return this.holdings.words[this.slot + HoldingWord.state] === HoldingState.held }
  /** An auction runs and no bid is being taken: `desk.takeBid` and `desk.cancelCashOut` may be called. */
  get isAuctioned(): boolean { return this.holdings.words[this.slot + HoldingWord.state] === HoldingState.auctioned }
  /** How many auctions of the position have begun. */
  get auctions(): number { return this.holdings.words[this.slot + HoldingWord.auctions]! }
  /** When `desk.openCashOut` was last called, µs; NaN: never. */
  get askedAtUs(): number { return orUnknown(this.holdings.cells[this.slot + HoldingCell.askedAtUs]!) }
  /** Best bid delivered so far in the running auction, microUSDC; NaN: none. What the bettor got once it has sold. */
  get bestPriceMicros(): number { return orUnknown(this.holdings.cells[this.slot + HoldingCell.bestPriceMicros]!) }
  /** How often `onCheck` was called for it, this call included. */
  get checks(): number { return this.holdings.words[this.slot + HoldingWord.checks]! }
}
