import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEVER_US } from '../../src/unit/time.ts'
import { Deadlines } from '../../src/venue/deadlines.ts'

type Entry = [atUs: number, rank: number, number: number]

const NOW_US = 1_750_291_200_000_000

function popAll(deadlines: Deadlines): Entry[] {
  const entries: Entry[] = []
  while (deadlines.count > 0) {
    entries.push([deadlines.nextUs(), deadlines.rank, deadlines.number])
    deadlines.pop()
  }
  return entries
}

const inOrder = (entries: Entry[]): Entry[] => entries.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])

describe('Deadlines', () => {
  it('has no instant when empty', () => {
    expect(new Deadlines().nextUs()).toBe(NEVER_US)
  })

  it('orders by time, then rank, then number, whatever came first', () => {
    const deadlines = new Deadlines()
    const entries: Entry[] = [
      [NOW_US + 1, 0, 1], [NOW_US, 2, 1], [NOW_US, 1, 9], [NOW_US, 1, 8], [NOW_US, 0, 2 ** 44 - 1], [NOW_US, 1, 2 ** 40],
    ]
    for (const entry of entries) deadlines.push(...entry)
    expect(popAll(deadlines)).toEqual([
      [NOW_US, 0, 2 ** 44 - 1], [NOW_US, 1, 8], [NOW_US, 1, 9], [NOW_US, 1, 2 ** 40], [NOW_US, 2, 1], [NOW_US + 1, 0, 1],
    ])
  })

  it('keeps an entry that was scheduled twice, twice', () => {
    const deadlines = new Deadlines()
    deadlines.push(NOW_US, 1, 5)
    deadlines.push(NOW_US, 1, 5)
    expect(popAll(deadlines)).toEqual([[NOW_US, 1, 5], [NOW_US, 1, 5]])
  })

  it('gives equal images for equal entries, however they came', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 4 }))
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (entries, past) => {
        const straight = new Deadlines()
        for (const [atUs, rank, number] of inOrder(entries)) straight.push(NOW_US + atUs, rank, number)
        const devious = new Deadlines()
        for (const [atUs, rank, number] of past) devious.push(atUs, rank, number)
        for (const [atUs, rank, number] of entries) devious.push(NOW_US + atUs, rank, number)
        for (let i = 0; i < past.length; i++) devious.pop()
        expect(devious.snapshot()).toEqual(straight.snapshot())
      }),
    )
  })

  it('agrees with a sorted list under any order of scheduling, removal, copying and restoring', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 4 }))
    const step = fc.oneof(
      { weight: 5, arbitrary: entry },
      { weight: 3, arbitrary: fc.constant('pop' as const) },
      { weight: 1, arbitrary: fc.constant('restore' as const) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        let deadlines = new Deadlines(1)
        let model: Entry[] = []
        for (const action of steps) {
          if (action === 'restore') {
            const copy = new Deadlines(1)
            copy.restore(deadlines.snapshot())
            deadlines.push(0, 0, 1)
            deadlines = copy
          } else if (action === 'pop') {
            if (model.length === 0) continue
            expect([deadlines.nextUs(), deadlines.rank, deadlines.number]).toEqual(model.shift())
            deadlines.pop()
          } else {
            const [offset, rank, number] = action
            deadlines.push(NOW_US + offset, rank, number)
            model = inOrder([...model, [NOW_US + offset, rank, number]])
          }
          expect(deadlines.count).toBe(model.length)
          expect(deadlines.nextUs()).toBe(model.length === 0 ? NEVER_US : model[0]![0])
        }
        expect(popAll(deadlines)).toEqual(model)
      }),
    )
  })

  it('grows past its first capacity and past that of a snapshot', () => {
    const deadlines = new Deadlines(1)
    const entries: Entry[] = []
    for (let i = 0; i < 3000; i++) entries.push([NOW_US + ((i * 7919) % 1000), i % 3, i + 1])
    for (const entry of entries.slice(0, 1500)) deadlines.push(...entry)
    const other = new Deadlines()
    other.restore(structuredClone(deadlines.snapshot()))
    for (const entry of entries.slice(1500)) other.push(...entry)
    expect(popAll(other)).toEqual(inOrder(entries))
    expect(deadlines.count).toBe(1500)
  })
})
