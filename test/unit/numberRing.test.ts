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

  it('takes no more memory for a number that stays, however many come and go', () => {
    const ring = new NumberRing(16)
    for (const stays of [3, 7]) ring.set(stays, stays)
    for (let number = 10; number < 100_000; number++) {
      ring.set(number, number % 5)
      ring.delete(number - 1)
    }
    expect([3, 7, 99_998, 99_999].map((number) => ring.get(number))).toEqual([3, 7, -1, 4])
    expect((ring['keys'] as Float64Array).length).toBeLessThanOrEqual(32)
    ring.set(3, 5)
    ring.delete(7)
    expect([ring.get(3), ring.get(7)]).toEqual([5, -1])
  })

  it('gives equal images for equal content, however it came', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.nat({ max: 99 }))
    fc.assert(fc.property(fc.array(entry), fc.array(entry), (entries, past) => {
      const straight = new NumberRing(64)
      const devious = new NumberRing(4)
      for (const [number, value] of past) devious.set(number, value)
      for (const [number, value] of entries) straight.set(number, value)
      for (const [number] of past) devious.delete(number)
      for (const [number, value] of new Map(entries)) devious.set(number, value)
      expect(devious.snapshot()).toEqual(straight.snapshot())
    }))
  })
})
