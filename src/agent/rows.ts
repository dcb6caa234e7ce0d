import { NONE } from '../unit/none.ts'
import { type ShownTo, UNNUMBERED } from './seatNumbers.ts'
import { VIEW_LEGS_MAX } from './views.ts'
import { Action, Refusal } from './vocabulary.ts'

/** A number of the engine as strategies see it: the engine's −1, for none, becomes NaN. */
export const orUnknown = (value: number): number => (value < 0 ? NaN : value)

/** The `count` of legs that no handler is looking at. */
const HIDDEN = -1

/** Legs as columns, of which the first `count` entries count. */
export class LegsRow {
  count = 0
  /** As in the row that they belong to. */
  to: object | null = null
  readonly markets = new Int32Array(VIEW_LEGS_MAX)
  readonly sides = new Uint8Array(VIEW_LEGS_MAX)

  get isShown(): boolean {
    return this.count >= 0
  }

  hide(): void {
    this.count = HIDDEN
  }
}

/**
 * The rows behind the views of the same names (views.ts). The engine writes them before it calls a handler. A view can be read only while
 * its row is shown.
 */
abstract class ShownRow {
  isShown = false
  /** The book of the maker that it is shown to, or was shown to last. */
  to: ShownTo = UNNUMBERED
  readonly legs = new LegsRow()

  /** The caller has written the row, its legs included. */
  show(to: ShownTo): void {
    this.isShown = true
    this.to = this.legs.to = to
  }

  hide(): void {
    this.isShown = false
    this.legs.hide()
  }
}

export class RequestRow extends ShownRow {
  request = NONE
  version = NONE
  deliveredAtUs = NONE
  expiresAtUs = NONE
  betMicros = 0
  netStakeMicros = 0
  bestOddsE4 = NaN
  bookChanges = NaN
}

export class SelectionRow extends ShownRow {
  request = NONE
  version = NONE
  quote = NONE
  deliveredAtUs = NONE
  deadlineAtUs = NONE
  oddsE4 = NaN
  quotedProbability = 0
  netStakeMicros = 0
  riskMicros = 0
  payoutMicros = 0
  position = NaN
  /** The number of the selection, where the service gives it one, otherwise −1. */
  selection = NONE
}

export class AuctionRow extends ShownRow {
  auction = NONE
  /** The number of the auction's state, where the service gives it one, otherwise −1. */
  version = NONE
  position = NONE
  deliveredAtUs = NONE
  endsAtUs = NONE
  netStakeMicros = 0
  payoutMicros = 0
  profitFeeBps = 0
  makerFeeBps = 0
  costBasisMicros = NaN
  isSeller = false
  isBackingMaker = false
  maxPriceMicros = 0
  bestPriceMicros = NaN
}

export class PositionRow extends ShownRow {
  position = NONE
  request = NONE
  quote = NaN
  deliveredAtUs = NONE
  oddsE4 = NaN
  netStakeMicros = 0
  riskMicros = 0
  isHolder = false
  costMicros = 0
  profitMicros = 0
  /** Whether this is what its maker is told of its end. */
  hasEnded = false
  isBoughtBack = false
  payoutMicros = 0
  profitFeeBps = 0
  costBasisMicros = NaN
  canCashOut = false
  isAuctioned = false
  auctions = 0
  askedAtUs = NaN
  bestPriceMicros = NaN
  checks = 0
}

export class AckRow {
  isShown = false
  to: ShownTo = UNNUMBERED
  action: Action = Action.submitQuote
  refusal: Refusal = Refusal.none
  request = NaN
  quote = NaN
  auction = NaN
  deliveredAtUs = NONE
  retryAfterUs = NaN
}

export class RefusalRow {
  isShown = false
  action: Action = Action.commit
  refusal: Refusal = Refusal.none
  retryAfterUs = NaN

  /** `retryAfterUs` is −1 where the service says nothing. */
  set(action: Action, refusal: Refusal, retryAfterUs: number): void {
    this.action = action
    this.refusal = refusal
    this.retryAfterUs = orUnknown(retryAfterUs)
  }
}
