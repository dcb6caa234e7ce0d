import { describe, expect, it } from 'vitest'
import { KeyLists } from '../../src/unit/keyLists.ts'

const NONE = -1

function keysOf(lists: KeyLists, first: number): number[] {
  const keys: number[] = []
  for (let node = first; node !== NONE; node = lists.next[node]!) keys.push(lists.key[node]!)
  return keys
}

describe('lists of keys', () => {
  it('grow at the front, beside each other and beyond their capacity', () => {
    const lists = new KeyLists(1)
    let [odd, even] = [NONE, NONE]
    for (const key of [1, 3, 5]) {
      odd = lists.prepend(odd, key)
      even = lists.prepend(even, key + 1)
    }
    expect(keysOf(lists, odd)).toEqual([5, 3, 1])
    expect(keysOf(lists, even)).toEqual([6, 4, 2])
    expect([lists.has(odd, 3), lists.has(odd, 4), lists.has(NONE, 3)]).toEqual([true, false, false])
  })

  it('use the nodes of a list again that was given back, and no others', () => {
    const lists = new KeyLists(4)
    const kept = lists.prepend(NONE, 7)
    lists.release(lists.prepend(lists.prepend(NONE, 1), 2))
    const again = lists.prepend(lists.prepend(NONE, 8), 9)
    expect(lists.used).toBe(3)
    expect(keysOf(lists, again)).toEqual([9, 8])
    expect(keysOf(lists, kept)).toEqual([7])
    lists.release(NONE)
    expect(keysOf(lists, lists.prepend(NONE, 10))).toEqual([10])
    expect(lists.used).toBe(4)
  })
})
