import { NONE } from '../venue/eventRows.ts'

/** Most legs that a view can show. */
export const VIEW_LEGS_MAX = 64

/** Legs of a parlay as columns; the first `legCount` entries count. Views are valid during the call only. */
export class LegsView {
  legCount = 0
  readonly markets = new Int32Array(VIEW_LEGS_MAX)
  /** 1 for yes, 0 for no. */
  readonly sides = new Uint8Array(VIEW_LEGS_MAX)

  /** Overwrites the view with values that no handler can mistake for data; tests switch it on. */
  poison(): void {
    this.legCount = -77
    this.markets.fill(-77)
    this.sides.fill(77)
  }
}

/** A quote request as a maker received it. */
export class RequestView {
  request = NONE
  version = NONE
  contentTag = NONE
  /** When the maker got it; times are µs since the epoch. */
  deliveredUs = NONE
  expiresAtUs = NONE
  betMicros = 0
  /** Bet less the taker fee at the rate in force when the request was made. */
  stakeMicros = 0
  /** Odds of the best public quote that this maker has seen on the request, four decimals; −1 none. */
  bestOddsE4 = NONE
  /** `book_seq` that came with it: how often the book has changed. */
  bookSeq = 0
  readonly legs = new LegsView()

  poison(): void {
    this.request = this.version = this.contentTag = this.deliveredUs = this.expiresAtUs = -77
    this.betMicros = this.stakeMicros = this.bestOddsE4 = this.bookSeq = Number.NaN
    this.legs.poison()
  }
}

/** A selection of the maker's quote: it must confirm before the deadline or decline (last look). */
export class SelectionView {
  request = NONE
  version = NONE
  quote = NONE
  deliveredUs = NONE
  deadlineUs = NONE
  oddsE4 = NONE
  /** 1/odds. */
  quotedProbability = 0
  stakeMicros = 0
  /** What the maker loses if every leg wins. */
  riskMicros = 0
  readonly legs = new LegsView()

  poison(): void {
    this.request = this.version = this.quote = this.deliveredUs = this.deadlineUs = this.oddsE4 = -77
    this.quotedProbability = this.stakeMicros = this.riskMicros = Number.NaN
    this.legs.poison()
  }
}

/** A reply to one of the maker's own commands. */
export class AckView {
  /** Opcode of the command, code of the reply. */
  op = NONE
  code = NONE
  request = NONE
  quote = NONE
  deliveredUs = NONE

  poison(): void {
    this.op = this.code = this.request = this.quote = this.deliveredUs = -77
  }
}

/** A position of the maker that opened or ended. */
export class PositionView {
  position = NONE
  request = NONE
  quote = NONE
  deliveredUs = NONE
  oddsE4 = NONE
  stakeMicros = 0
  riskMicros = 0
  /** Profit of the maker when it ended: its part of the pot less its risk; 0 at the opening. */
  profitMicros = 0
  readonly legs = new LegsView()

  poison(): void {
    this.position = this.request = this.quote = this.deliveredUs = this.oddsE4 = -77
    this.stakeMicros = this.riskMicros = this.profitMicros = Number.NaN
    this.legs.poison()
  }
}
