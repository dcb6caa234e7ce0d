import { ColumnSet } from './columns.ts'

/** A column set whose rows are taken and given back, last in first out. A row is named by where it begins in columns that are `stride` wide. */
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

  /** Takes a row; its columns hold what their last user left. */
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
