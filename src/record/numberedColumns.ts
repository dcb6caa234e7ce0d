import { Bug } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import { NumberRing } from '../unit/numberRing.ts'

/** Columns of open entities, which are found by their number and lie in recycled slots. */
export abstract class NumberedColumns extends SlotColumns {
  private readonly slots = new NumberRing()
  /** Entity number by slot, −1 in a free one. */
  declare number: Float64Array

  constructor(capacity: number) {
    super(capacity)
    this.number = new Float64Array(capacity)
  }

  /** Slot of an entity, or −1 when it is not open. */
  slotOf(number: number): number {
    return number < 1 ? NONE : this.slots.get(number)
  }

  /** Slot of an entity that must be open. A row about one that is not open is a bug. */
  openSlotOf(number: number): number {
    const slot = this.slotOf(number)
    if (slot === NONE) throw new Bug(`a row is about number ${number}, which is not open`)
    return slot
  }

  /** Takes a slot, whose columns hold what their last user left. */
  open(number: number): number {
    const slot = this.take()
    this.slots.set(number, slot)
    this.number[slot] = number
    return slot
  }

  close(slot: number): void {
    this.slots.delete(this.number[slot]!)
    this.number[slot] = NONE
    this.give(slot)
  }

  /** Slots in use, by ascending entity number. */
  openSlots(): number[] {
    const slots: number[] = []
    for (let slot = 0; slot < this.slotCount; slot++) if (this.number[slot] !== NONE) slots.push(slot)
    return slots.sort((a, b) => this.number[a]! - this.number[b]!)
  }
}
