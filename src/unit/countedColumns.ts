import { assert } from './assert.ts'
import { ColumnSet } from './columns.ts'
import { SlotIndex } from './slots.ts'
import { type Image, isTypedColumn, type TypedColumn } from './snapshot.ts'

/**
 * Columns whose image holds the rows in use and not the capacity, so that a machine and its restored copy give equal
 * images however they grew. A subclass names its rows in use; those from `rowCount` on hold zeros, also after a restore.
 */
export abstract class CountedColumns extends ColumnSet {
  /** Rows in use. After a restore it must follow from the restored scalars and index. */
  protected abstract rowCount(): number

  override snapshot(): Image {
    const rows = this.rowCount()
    const image: Record<string, Image> = {}
    for (const [name, value] of Object.entries(this)) {
      if (isTypedColumn(value)) image[name] = value.slice(0, (value.length / this.capacity) * rows)
      else if (value instanceof SlotIndex) image[name] = value.snapshot()
      else if (typeof value === 'number' && name !== 'capacity') image[name] = value
    }
    return image
  }

  override restore(image: Image): void {
    const from = image as Record<string, Image>
    const fields = this as unknown as Record<string, unknown>
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'capacity' || isTypedColumn(value)) continue
      if (value instanceof SlotIndex) value.restore(from[name]!)
      else if (typeof value === 'number') fields[name] = from[name]
    }
    const rows = this.rowCount()
    this.ensure(rows)
    for (const [name, value] of Object.entries(fields)) {
      if (!isTypedColumn(value)) continue
      const column = from[name] as TypedColumn
      assert(column.length * this.capacity === value.length * rows, `column ${name} of another width`)
      value.set(column as never)
      value.fill(0, column.length)
    }
  }
}

const NONE = -1

/**
 * Entities with monotone numbers over recycled slots whose fields lie row by row: each column is `stride` wide, and an entity is named by
 * where its row begins in all of them. The first cell of a row is its number.
 */
export abstract class EntityRows extends CountedColumns {
  readonly index = new SlotIndex()
  abstract cells: Float64Array
  declare readonly stride: number

  constructor(capacity: number, stride: number) {
    super(capacity)
    this.stride = stride
  }

  /** Takes a row for the next number; `index.lastNumber` is the number. Columns may have been replaced. */
  take(): number {
    const slot = this.index.allocate()
    this.ensure(this.index.slotCount)
    return slot * this.stride
  }

  /** Where the row of a number begins, or −1 when it was never given out or has been released. */
  rowOf(number: number): number {
    const slot = this.index.slotOf(number)
    return slot === NONE ? NONE : slot * this.stride
  }

  /** Calls `body` with each live row, in the order of the slots. */
  forEachLive(body: (row: number) => void): void {
    for (let slot = 0; slot < this.index.slotCount; slot++) {
      const row = slot * this.stride
      if (this.index.slotOf(this.cells[row]!) === slot) body(row)
    }
  }

  protected override rowCount(): number {
    return this.index.slotCount
  }
}

/** Columns of entities with monotone numbers over recycled slots (design.md, decision 6). */
export abstract class EntityColumns extends CountedColumns {
  readonly index = new SlotIndex()

  /** Takes a slot for the next number; `index.lastNumber` is the number. Columns may have been replaced. */
  take(): number {
    const slot = this.index.allocate()
    this.ensure(this.index.slotCount)
    return slot
  }

  protected override rowCount(): number {
    return this.index.slotCount
  }
}
