import { NONE } from '../unit/none.ts'

/** Rows by an entity number that several rows may share. The newest row comes first, then the rows before it. */
export class RowIndex {
  /** Distinct numbers. */
  distinct = 0
  private readonly next: Int32Array
  private readonly least: number
  /** Entity numbers have few gaps, so that their rows fit in an array. Only numbers far apart need the map. */
  private readonly dense: Int32Array | null
  private readonly sparse = new Map<number, number>()

  constructor(numbers: Float64Array) {
    const rows = numbers.length
    let least = Infinity
    let most = -Infinity
    for (let row = 0; row < rows; row++) {
      if (numbers[row]! < least) least = numbers[row]!
      if (numbers[row]! > most) most = numbers[row]!
    }
    this.least = least
    this.next = new Int32Array(rows)
    this.dense = rows > 0 && most - least < 8 * rows + 1024 ? new Int32Array(most - least + 1).fill(NONE) : null
    for (let row = 0; row < rows; row++) {
      const before = this.newest(numbers[row]!)
      this.next[row] = before
      if (before === NONE) this.distinct++
      if (this.dense === null) this.sparse.set(numbers[row]!, row)
      else this.dense[numbers[row]! - least] = row
    }
  }

  /** The last row of a number, or −1. */
  newest(number: number): number {
    return this.dense === null ? (this.sparse.get(number) ?? NONE) : (this.dense[number - this.least] ?? NONE)
  }

  /** The row of the same number before this one, or −1. */
  before(row: number): number {
    return this.next[row]!
  }
}
