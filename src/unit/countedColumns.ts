import { assert } from './assert.ts'
import { ColumnSet } from './columns.ts'
import { NONE } from './none.ts'
import { SlotIndex } from './slots.ts'
import { type Image, isTypedColumn, type TypedColumn } from './snapshot.ts'

/**
 * Columns whose image holds the rows in use and not the capacity, so that a machine and its restored copy give equal
 * images however they grew. A subclass says how many rows are in use. The rows from `rowCount` on hold zeros, also after a restore.
 */
export abstract class CountedColumns extends ColumnSet {
  /** Rows in use. After a restore the count must follow from the restored scalars and index. */
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

/**
 * Entities with monotone numbers over recycled slots. Their fields lie row by row, small integers in `words` and all else in `cells`. A row
 * is `stride` long in both arrays, and the name of an entity is the index at which its row begins. The first cell of a row is the entity's
 * number. Fields that are read together lie together, because a column for each field would touch a cache line for each.
 */
export abstract class EntityRows extends CountedColumns {
  readonly index = new SlotIndex()
  declare readonly stride: number
  declare words: Int32Array
  declare cells: Float64Array

  constructor(capacity: number, stride: number) {
    super(capacity)
    this.stride = stride
    this.words = new Int32Array(capacity * stride)
    this.cells = new Float64Array(capacity * stride)
  }

  /** Takes a row for the next number; `index.lastNumber` is the number. Columns may have been replaced. */
  take(): number {
    const slot = this.index.allocate()
    this.ensure(this.index.slotCount)
    return slot * this.stride
  }

  /** The index at which the row of a number begins, or −1 when the number was never given out or has been released. */
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

  /** Ascending numbers of the live entities for whose row `holds` is true. */
  numbersWhere(holds: (row: number) => boolean): number[] {
    const numbers: number[] = []
    this.forEachLive((row) => { if (holds(row)) numbers.push(this.cells[row]!) })
    return numbers.sort((a, b) => a - b)
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
