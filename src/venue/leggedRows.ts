import { EntityRows } from '../unit/countedColumns.ts'

/** Entities in rows with room for `legWidth` legs each beside them, in columns; what a leg is of, a market or an outcome, is the service's. */
export abstract class LeggedRows extends EntityRows {
  declare readonly legWidth: number
  declare legSides: Uint8Array

  constructor(capacity: number, stride: number, legWidth: number) {
    super(capacity, stride)
    this.legWidth = legWidth
    this.legSides = new Uint8Array(capacity * legWidth)
  }

  /** Place of the first leg of the entity whose row begins at `row`; the others follow. */
  legsFrom(row: number): number {
    return (row / this.stride) * this.legWidth
  }
}

/** The same where each leg is a node as well, in a doubly linked list of those of one unresolved market or outcome. */
export abstract class LinkedLegRows extends LeggedRows {
  declare legBefore: Int32Array
  declare legAfter: Int32Array

  constructor(capacity: number, stride: number, legWidth: number) {
    super(capacity, stride, legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }

  /** Slot of a position, by which the ledger knows what lies there for it. */
  slotAt(position: number): number {
    return position / this.stride
  }

  /** The position that a leg's node belongs to. */
  positionOf(node: number): number {
    return Math.floor(node / this.legWidth) * this.stride
  }
}
