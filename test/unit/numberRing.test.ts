import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NumberRing } from '../../src/unit/numberRing.ts'

describe('a ring of numbers', () => {
  it('agrees with a Map over random sets and deletions, also after a restore', () => {
    const step = fc.tuple(fc.constantFrom('set', 'delete', 'restore'), fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 99 }))
    fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let ring = new NumberRing(4)
      const map = new Map<number, number>()
      for (const [what, number, value] of steps) {
        if (what === 'set') {
          ring.set(number, value)
          map.set(number, value)
        } else if (what === 'delete') {
          ring.delete(number)
          map.delete(number)
        } else {
          const image = ring.snapshot()
          ring = new NumberRing(4)
          ring.restore(image)
        }
        expect(ring.get(number)).toBe(map.get(number) ?? -1)
      }
      for (const [number, value] of map) expect(ring.get(number)).toBe(value)
    }))
  })

  it('knows nothing of negative numbers', () => {
    const ring = new NumberRing(4)
    ring.set(3, 7)
    ring.delete(3)
    expect(ring.get(-1)).toBe(-1)
  })
})
