import { EntityRows } from '../unit/countedColumns.ts'
import { NONE } from '../unit/none.ts'

/** Entities in rows, each with room for `legWidth` legs in columns beside them. A leg is on a market or an outcome, as the service has it. */
export abstract class LeggedRows extends EntityRows {
  declare readonly legWidth: number
  declare legSides: Uint8Array

  constructor(capacity: number, stride: number, legWidth: number) {
    super(capacity, stride)
    this.legWidth = legWidth
    this.legSides = new Uint8Array(capacity * legWidth)
  }

  /** Place of the first leg of the entity whose row begins at `row`. The others follow. */
  legsFrom(row: number): number {
    return (row / this.stride) * this.legWidth
  }
}

/** The same, where each leg is also a node in a doubly linked list of all legs on one unresolved market or outcome. */
export abstract class LinkedLegRows extends LeggedRows {
  declare legBefore: Int32Array
  declare legAfter: Int32Array

  constructor(capacity: number, stride: number, legWidth: number) {
    super(capacity, stride, legWidth)
    this.legBefore = new Int32Array(capacity * legWidth)
    this.legAfter = new Int32Array(capacity * legWidth)
  }

  /** Puts a leg's node in front of the list of its market or outcome. `firsts` has the first node of each list. */
  link(firsts: Int32Array, list: number, node: number): void {
    const first = firsts[list]!
    this.legBefore[node] = NONE
    this.legAfter[node] = first
    if (first !== NONE) this.legBefore[first] = node
    firsts[list] = node
  }

  /** Takes a leg's node off its list. */
  unlink(firsts: Int32Array, list: number, node: number): void {
    const before = this.legBefore[node]!
    const after = this.legAfter[node]!
    if (before === NONE) firsts[list] = after
    else this.legAfter[before] = after
    if (after !== NONE) this.legBefore[after] = before
  }

  /** Slot of a position, by which the ledger finds the position's pot and escrow. */
  slotAt(position: number): number {
    return position / this.stride
  }

  /** The position that a leg's node belongs to. */
  positionOf(node: number): number {
    return Math.floor(node / this.legWidth) * this.stride
  }
}
