import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NumberTable } from '../../src/unit/numberTable.ts'

describe('a table of numbers', () => {
  it('agrees with a Map over random sets and deletions', () => {
    const number = fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 40 }).map((n) => n * 2 ** 32 + (n % 3)), fc.maxSafeNat())
    const step = fc.tuple(fc.constantFrom('set', 'set', 'delete'), number, fc.nat({ max: 99 }))
    fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const table = new NumberTable()
      const map = new Map<number, number>()
      for (const [what, key, value] of steps) {
        if (what === 'set') {
          table.set(key, value)
          map.set(key, value)
        } else {
          table.delete(key)
          map.delete(key)
        }
        expect(table.count).toBe(map.size)
        for (const [known, its] of map) expect(table.get(known)).toBe(its)
        expect(table.get(key)).toBe(map.get(key) ?? -1)
      }
      expect([...table.numbers()]).toEqual([...map.keys()].sort((a, b) => a - b))
      table.clear()
      expect([table.count, table.get(steps[0]?.[1] ?? 0)]).toEqual([0, -1])
    }))
  })

  it('knows no fraction, no negative number and none that is not a number', () => {
    const table = new NumberTable()
    table.set(1, 7)
    table.set(0, 8)
    expect([1.5, -1, NaN, Infinity, 2 ** 32 + 1].map((number) => table.get(number))).toEqual([-1, -1, -1, -1, -1])
  })
})
