import { EntityRows } from '../../../unit/countedColumns.ts'

/** Offsets of a position's fields in its row: first those of `PositionRows.words`, then those of `PositionRows.cells`. */
export const P = {
  holder: 0,
  backer: 1,
  /** A `PositionState`: confirmed until it is funded, then executed, or decided once results have decided it. */
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

  number: 0,
  /** Numbers, since request and quote are forgotten before the position settles. */
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
 * Open positions. One is named by the index of its row's first word, as a quote is (quoteRows.ts). A leg is a node; the nodes of one
 * unresolved market form a doubly linked list that starts at `MarketColumns.firstLeg`.
 */
export class PositionRows extends EntityRows {
  declare readonly legWidth: number
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  declare legBefore: Int32Array
  declare legAfter: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE)
    this.legWidth = legWidth
    this.legMarkets = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }

  /** Slot of a position, by which the ledger knows its pot and escrow. */
  slotAt(position: number): number {
    return position / STRIDE
  }

  /** Node of the first leg of a position; the others follow. */
  legsFrom(position: number): number {
    return (position / STRIDE) * this.legWidth
  }

  /** The position that a leg's node belongs to. */
  positionOf(node: number): number {
    return Math.floor(node / this.legWidth) * STRIDE
  }
}
