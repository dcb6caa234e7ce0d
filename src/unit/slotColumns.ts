import { ColumnSet } from './columns.ts'

/** A column set whose rows are taken and given back, last in first out. Columns are `stride` wide, and the name of a row is the index at which it begins. */
export abstract class SlotColumns extends ColumnSet {
  /** Rows ever used. */
  slotCount = 0
  live = 0
  declare freeSlots: Int32Array
  freeCount = 0
  private declare readonly stride: number

  constructor(capacity: number, stride = 1) {
    super(capacity)
    this.freeSlots = new Int32Array(capacity)
    this.stride = stride
  }

  /** Takes a row. Its columns hold what the row's last user left. */
  take(): number {
    this.live++
    if (this.freeCount > 0) return this.freeSlots[--this.freeCount]!
    this.ensure(this.slotCount + 1)
    return this.slotCount++ * this.stride
  }

  give(slot: number): void {
    this.live--
    this.freeSlots[this.freeCount++] = slot
  }
}
