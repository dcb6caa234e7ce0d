import { KeyLists } from '../../../unit/keyLists.ts'
import { NONE } from '../../../unit/none.ts'

/** Exclusion keys of markets, in ascending lists. */
export class ExclusionKeys extends KeyLists {
  /** Puts `key` into the ascending list that starts at `first`. Returns the list's new first node. */
  insert(first: number, key: number): number {
    const node = this.take(key)
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
