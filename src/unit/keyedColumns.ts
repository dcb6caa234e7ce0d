import { CountedColumns } from './countedColumns.ts'
import { NONE } from './none.ts'
import type { Image } from './snapshot.ts'

/** Columns of rows that are found by an integer key. The image holds the keys; the index follows from them. */
export abstract class KeyedColumns extends CountedColumns {
  /** Rows in use. */
  count = 0
  key = new Float64Array(this.capacity)
  private readonly rows = new Map<number, number>()

  protected override rowCount(): number {
    return this.count
  }

  /** The row of a key, or −1. */
  rowOf(key: number): number {
    return this.rows.get(key) ?? NONE
  }

  /** Takes a row of zeros for a key that has no row. Columns may have been replaced. */
  add(key: number): number {
    const row = this.count++
    this.ensure(this.count)
    this.key[row] = key
    this.rows.set(key, row)
    return row
  }

  override restore(image: Image): void {
    super.restore(image)
    this.reindex()
  }

  protected reindex(): void {
    this.rows.clear()
    for (let row = 0; row < this.count; row++) this.rows.set(this.key[row]!, row)
  }
}
