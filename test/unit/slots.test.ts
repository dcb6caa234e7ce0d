import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bug } from '../../src/unit/assert.ts'
import { SlotIndex } from '../../src/unit/slots.ts'

describe('SlotIndex', () => {
  it('gives numbers from 1 and slots from 0', () => {
    const index = new SlotIndex()
    expect([index.allocate(), index.lastNumber]).toEqual([0, 1])
    expect([index.allocate(), index.lastNumber]).toEqual([1, 2])
    expect([index.slotOf(1), index.slotOf(2), index.live, index.slotCount]).toEqual([0, 1, 2, 2])
  })

  it('never gives a number again, but its slot', () => {
    const index = new SlotIndex()
    index.allocate()
    index.allocate()
    index.release(1)
    expect([index.allocate(), index.lastNumber]).toEqual([0, 3])
    expect([index.slotOf(1), index.slotOf(2), index.slotOf(3)]).toEqual([-1, 1, 0])
    expect(index.slotCount).toBe(2)
  })

  it('knows no number that was not given out, and releases none twice', () => {
    const index = new SlotIndex()
    expect(index.slotOf(1)).toBe(-1)
    index.allocate()
    for (const number of [0, -1, 2, 1.5, NaN, Infinity, 2 ** 53]) expect(index.slotOf(number)).toBe(-1)
    index.release(1)
    expect(() => index.release(1)).toThrow(Bug)
    expect(() => index.release(2)).toThrow(Bug)
  })

  it('keeps an old number alive while thousands come and go', () => {
    const index = new SlotIndex(4)
    index.allocate()
    for (let number = 2; number <= 5000; number++) {
      index.allocate()
      if (number > 2) index.release(number - 1)
    }
    expect([index.slotOf(1), index.live, index.slotCount]).toEqual([0, 2, 3])
    index.release(1)
    expect([index.slotOf(1), index.slotOf(4999), index.slotOf(5000) >= 0]).toEqual([-1, -1, true])
  })

  it('takes no more memory for a number that stays, however many come and go', () => {
    const index = new SlotIndex(16)
    const bytes = (): number => [...Object.values(index), ...Object.values(index['outlived'] as object)].reduce((sum, field) => sum + (ArrayBuffer.isView(field) ? field.byteLength : 0), 0)
    index.allocate()
    for (let number = 2; number <= 100; number++) index.allocate()
    for (let number = 2; number <= 99; number++) index.release(number)
    const atFirst = bytes()
    for (let number = 101; number <= 100_000; number++) {
      index.allocate()
      index.release(number - 1)
    }
    expect([index.slotOf(1), index.slotOf(2), index.live]).toEqual([0, -1, 2])
    expect(bytes()).toBe(atFirst)
    index.release(1)
    expect([index.slotOf(1), index.live]).toEqual([-1, 1])
    expect(() => index.release(1)).toThrow(Bug)
  })

  it('gives equal images for equal content, with rings of any length', () => {
    const straight = new SlotIndex(2)
    const devious = new SlotIndex(64)
    for (const index of [straight, devious]) {
      for (let number = 1; number <= 200; number++) {
        index.allocate()
        if (number > 3 && number % 50 !== 0) index.release(number)
      }
    }
    const copy = new SlotIndex(8)
    copy.restore(straight.snapshot())
    expect(devious.snapshot()).toEqual(straight.snapshot())
    expect(copy.snapshot()).toEqual(straight.snapshot())
    expect([1, 2, 3, 4, 50, 100, 150, 200].map((number) => copy.slotOf(number))).toEqual([0, 1, 2, -1, 3, 4, 5, 6])
    expect(straight.snapshot()).toMatchObject({ nextNumber: 201, numbers: Float64Array.of(1, 2, 3, 50, 100, 150, 200) })
  })

  it('agrees with a map under any order of taking, giving back, copying and restoring', () => {
    const step = fc.record({
      kind: fc.constantFrom('allocate', 'allocate', 'allocate', 'release', 'release', 'restore'),
      pick: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        let index = new SlotIndex(2)
        const model = new Map<number, number>()
        const released: number[] = []
        for (const { kind, pick } of steps) {
          if (kind === 'allocate') {
            const slot = index.allocate()
            expect([...model.values()]).not.toContain(slot)
            model.set(index.lastNumber, slot)
          } else if (kind === 'restore') {
            const copy = new SlotIndex(2)
            const image = index.snapshot()
            copy.restore(image)
            index.allocate()
            if (model.size > 0) index.release([...model.keys()][0]!)
            index = copy
          } else if (model.size > 0) {
            const number = [...model.keys()][pick % model.size]!
            index.release(number)
            model.delete(number)
            released.push(number)
          }
          expect(index.live).toBe(model.size)
        }
        for (const [number, slot] of model) expect(index.slotOf(number)).toBe(slot)
        for (const number of released) expect(index.slotOf(number)).toBe(-1)
        for (const slot of model.values()) expect(slot).toBeLessThan(index.slotCount)
      }),
    )
  })
})
