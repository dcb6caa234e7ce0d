import { assert } from './assert.ts'
import { type Image, isTypedColumn, type Snapshot, type TypedColumn } from './snapshot.ts'

/**
 * A set of typed columns of equal height. A subclass declares its columns as own typed-array fields, each of length
 * capacity × width, and its scalars as own number fields. Growth, copying and restoring follow from the fields.
 */
export abstract class ColumnSet implements Snapshot {
  declare capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Doubles the capacity until it holds `rows` rows. This replaces the column fields: do not keep them in locals across a call. */
  ensure(rows: number): void {
    if (rows <= this.capacity) return
    let capacity = this.capacity
    while (capacity < rows) capacity *= 2
    const fields = this as unknown as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      const column = fields[name]
      if (!isTypedColumn(column)) continue
      const wider = new (column.constructor as new (length: number) => TypedColumn)((column.length / this.capacity) * capacity)
      wider.set(column as never)
      fields[name] = wider
    }
    this.capacity = capacity
  }

  snapshot(): Image {
    const image: Record<string, Image> = {}
    const fields = this as unknown as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      const value = fields[name]
      if (isTypedColumn(value)) image[name] = value.slice()
      else if (typeof value === 'number') image[name] = value
    }
    return image
  }

  restore(image: Image): void {
    const fields = this as unknown as Record<string, unknown>
    for (const [name, value] of Object.entries(image as Record<string, Image>)) {
      assert(name in fields, `unknown column ${name}`)
      fields[name] = isTypedColumn(value) ? value.slice() : value
    }
  }
}
