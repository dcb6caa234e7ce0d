import { LinkedLegRows } from '../../leggedRows.ts'

/** Small integers of a position, by their offsets in a row of `PositionRows.words`. */
export const PositionWord = {
  holder: 0,
  backer: 1,
  /** A `PositionState`. */
  state: 2,
  /** 1 from when results have decided it and its settlement is scheduled. */
  decided: 3,
  feeBps: 4,
  legCount: 5,
  wonLegs: 6,
  lostLegs: 7,
  voidLegs: 8,
} as const

/** All else, by its offset in a row of `PositionRows.cells`. */
export const PositionCell = {
  number: 0,
  /** Numbers of the fill's RFQ and quote, which are forgotten before the position settles. */
  rfq: 1,
  quote: 2,
  netStakeMicros: 3,
  payoutMicros: 4,
  /** What the holder paid: the stake, or the price of its cash-out. */
  costMicros: 5,
  /** What the holder's profit is counted from (readings B02). */
  basisMicros: 6,
  /** Number of its last cash-out RFQ, which may be forgotten, or −1. */
  cashout: 7,
  entryFeeMicros: 8,
} as const

const STRIDE = 16

/**
 * Open positions. A position is named by the index of its row's first word, like a quote (quoteRows.ts). Each leg is a node. The nodes of
 * one unresolved outcome form a doubly linked list that starts at `OutcomeColumns.firstLeg`.
 */
export class PositionRows extends LinkedLegRows {
  declare legOutcomes: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legOutcomes = new Int32Array(capacity * legWidth)
  }
}
