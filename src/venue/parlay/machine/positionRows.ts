import { LinkedLegRows } from '../../leggedRows.ts'

/** Small integers of a position, by their offsets in a row of `PositionRows.words`. */
export const PositionWord = {
  holder: 0,
  backer: 1,
  /** A `PositionState`: confirmed until it is funded, then executed, and decided once results have decided it. */
  state: 2,
  version: 3,
  takerFeeBps: 4,
  profitFeeBps: 5,
  legCount: 6,
  wonLegs: 7,
  lostLegs: 8,
  voidLegs: 9,
  /** 1 from when its settlement is scheduled. */
  decided: 10,
  /** 1 from the first try to pay it, which fixes `outcome`, a `PositionOutcome`. */
  judged: 11,
  outcome: 12,
  /** Row of its active auction, or −1. */
  auction: 13,
} as const

/** All else, by its offset in a row of `PositionRows.cells`. */
export const PositionCell = {
  number: 0,
  /** Numbers and not rows, because request and quote are forgotten before the position settles. */
  request: 1,
  quote: 2,
  stakeMicros: 3,
  riskMicros: 4,
  takerFeeMicros: 5,
  /** What the holder paid: the gross bet, or the price of its cash-out. */
  costMicros: 6,
  /** What the holder's profit is counted from: user_stake, or the price (readings A27). */
  basisMicros: 7,
} as const

const STRIDE = 16

/**
 * Open positions. A position is named by the index of its row's first word, like a quote (quoteRows.ts). Each leg is a node. The nodes of
 * one unresolved market form a doubly linked list that starts at `MarketColumns.firstLeg`.
 */
export class PositionRows extends LinkedLegRows {
  declare legMarkets: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legMarkets = new Int32Array(capacity * legWidth)
  }
}
