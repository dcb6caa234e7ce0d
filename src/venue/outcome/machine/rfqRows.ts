import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Offsets of an RFQ's numbers in its row of `RfqRows.cells`. */
export const Rfq = {
  number: 0,
  /** Number of the position that a cash-out RFQ sells, or −1. */
  position: 1,
  /** The stake, and what was left of it by the entry fee in force at its creation; −1 of a cash-out. */
  stakeMicros: 2,
  netStakeMicros: 3,
  openUntilUs: 4,
  /** When it is forgotten or looked at again; meaningless while it is open. */
  forgetAtUs: 5,
  generation: 6,
} as const

/** Offsets of its integers in its row of `RfqRows.ints`. */
export const RfqInt = {
  owner: 0,
  /** An `RfqState`. */
  state: 1,
  legCount: 2,
  /** All its quotes, linked through `QuoteInt.next`; −1 when there are none. */
  firstQuote: 3,
  /** The live ones among them by ascending number, doubly linked through `QuoteInt.nextLive` and `liveBefore`. */
  firstLive: 4,
  lastLive: 5,
  /** Slot of the best listed quote, or −1. */
  bestQuote: 6,
  /** Slot of the quote whose acceptance is pending, or −1. */
  acceptedQuote: 7,
} as const

/** Length of a row in either array: the RFQ in slot r begins at r × RFQ_STRIDE in both. */
export const RFQ_STRIDE = 8
const STRIDE = RFQ_STRIDE

/** RFQs by slot, until they are forgotten: entries, and cash-outs of a position. Its legs stand apart, from r × legWidth. */
export class RfqRows extends EntityColumns {
  declare readonly legWidth: number
  cells = new Float64Array(this.capacity * STRIDE)
  ints = new Int32Array(this.capacity * STRIDE)
  declare legOutcomes: Int32Array
  declare legSides: Uint8Array

  constructor(capacity: number, legWidth: number) {
    super(capacity)
    this.legWidth = legWidth
    this.legOutcomes = new Int32Array(capacity * legWidth)
    this.legSides = new Uint8Array(capacity * legWidth)
  }
}
