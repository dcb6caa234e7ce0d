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
