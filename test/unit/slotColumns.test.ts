import { describe, expect, it } from 'vitest'
import { SlotColumns } from '../../src/unit/slotColumns.ts'

class Pairs extends SlotColumns {
  first = new Int32Array(this.capacity)
  second = new Float64Array(this.capacity * 2)
}

describe('slot columns', () => {
  it('reuses the row given back last, and grows without losing what is there', () => {
    const pairs = new Pairs(2)
    const rows = Array.from({ length: 5 }, () => pairs.take())
    expect(rows).toEqual([0, 1, 2, 3, 4])
    for (const row of rows) pairs.second[row * 2 + 1] = row + 0.5
    pairs.give(1)
    pairs.give(3)
    expect([pairs.take(), pairs.take(), pairs.take()]).toEqual([3, 1, 5])
    expect(pairs.live).toBe(6)
    expect(rows.map((row) => pairs.second[row * 2 + 1])).toEqual([0.5, 1.5, 2.5, 3.5, 4.5])
  })

  it('names a row by where it begins', () => {
    class Rows extends SlotColumns {
      words = new Int32Array(this.capacity * 4)
    }
    const rows = new Rows(1, 4)
    const taken = Array.from({ length: 3 }, () => rows.take())
    expect(taken).toEqual([0, 4, 8])
    for (const row of taken) rows.words.fill(row, row, row + 4)
    rows.give(4)
    expect([rows.take(), rows.take()]).toEqual([4, 12])
    expect([...rows.words.subarray(0, 12)]).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8])
  })

  it('goes on from an image', () => {
    const pairs = new Pairs(1)
    for (let i = 0; i < 4; i++) {
      const row = pairs.take()
      pairs.first[row] = i
    }
    pairs.give(2)
    const copy = new Pairs(1)
    copy.restore(pairs.snapshot())
    expect(Array.from(copy.first.slice(0, 4))).toEqual([0, 1, 2, 3])
    expect([copy.take(), copy.take()]).toEqual([pairs.take(), pairs.take()])
  })
})
