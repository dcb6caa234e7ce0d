import { CountedColumns } from './countedColumns.ts'
import { NONE } from './none.ts'

/** Linked lists of keys over recycled nodes. A list is named by its first node; −1 names the empty one. */
export class KeyLists extends CountedColumns {
  used = 0
  /** First recycled node, or −1. */
  free = NONE
  key = new Int32Array(this.capacity)
  next = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.used
  }

  /** A node of `key`, whose successor the caller sets. */
  protected take(key: number): number {
    let node = this.free
    if (node === NONE) {
      node = this.used++
      this.ensure(this.used)
    } else this.free = this.next[node]!
    this.key[node] = key
    return node
  }

  /** Puts `key` in front of the list that starts at `first`. Returns the list's new first node. */
  prepend(first: number, key: number): number {
    const node = this.take(key)
    this.next[node] = first
    return node
  }

  has(first: number, key: number): boolean {
    for (let node = first; node !== NONE; node = this.next[node]!) if (this.key[node] === key) return true
    return false
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
}
