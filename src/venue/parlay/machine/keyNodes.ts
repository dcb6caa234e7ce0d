import { CountedColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../eventRows.ts'

/** Exclusion keys of markets: ascending linked lists over recycled nodes. */
export class KeyNodes extends CountedColumns {
  used = 0
  /** First recycled node, or −1. */
  free = NONE
  key = new Int32Array(this.capacity)
  next = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.used
  }

  /** Puts `key` into the ascending list that starts at `first`. Returns the list's new first node. */
  insert(first: number, key: number): number {
    let node = this.free
    if (node === NONE) {
      node = this.used++
      this.ensure(this.used)
    } else this.free = this.next[node]!
    this.key[node] = key
    let before = NONE
    let after = first
    while (after !== NONE && this.key[after]! < key) {
      before = after
      after = this.next[after]!
    }
    this.next[node] = after
    if (before === NONE) return node
    this.next[before] = node
    return first
  }

  /** Gives the nodes of a list back. */
  release(first: number): void {
    let node = first
    while (node !== NONE) {
      const next = this.next[node]!
      this.next[node] = this.free
      this.free = node
      node = next
    }
  }

  /** Whether two ascending lists have a key in common. */
  intersect(a: number, b: number): boolean {
    while (a !== NONE && b !== NONE) {
      const difference = this.key[a]! - this.key[b]!
      if (difference === 0) return true
      if (difference < 0) a = this.next[a]!
      else b = this.next[b]!
    }
    return false
  }
}
