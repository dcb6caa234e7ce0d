import { describe, expect, it } from 'vitest'
import { Bug } from '../../src/unit/assert.ts'
import { ColumnSet } from '../../src/unit/columns.ts'

class Boxes extends ColumnSet {
  weight = new Float64Array(this.capacity)
  corners = new Int32Array(this.capacity * 4)
  open = new Uint8Array(this.capacity)
  count = 0
}

describe('ColumnSet', () => {
  it('doubles every column until the rows fit, and keeps what is in them', () => {
    const boxes = new Boxes(2)
    boxes.weight.set([1.5, 2.5])
    boxes.corners[7] = -3
    boxes.ensure(2)
    expect(boxes.capacity).toBe(2)
    boxes.ensure(9)
    expect([boxes.capacity, boxes.weight.length, boxes.corners.length, boxes.open.length]).toEqual([16, 16, 64, 16])
    expect([boxes.weight[0], boxes.weight[1], boxes.weight[2], boxes.corners[7]]).toEqual([1.5, 2.5, 0, -3])
    expect(boxes.open).toBeInstanceOf(Uint8Array)
  })

  it('goes back to a snapshot, also when it has grown since, and keeps no part of the image', () => {
    const boxes = new Boxes(2)
    boxes.weight[1] = 7
    boxes.count = 2
    const image = boxes.snapshot()
    boxes.ensure(3)
    boxes.weight[1] = 8
    boxes.count = 3
    boxes.restore(image)
    expect([boxes.capacity, boxes.weight.length, boxes.weight[1], boxes.count]).toEqual([2, 2, 7, 2])
    boxes.weight[1] = 9
    const other = new Boxes(8)
    other.restore(structuredClone(image))
    expect([other.capacity, other.weight[1], other.count]).toEqual([2, 7, 2])
    other.ensure(3)
    expect([other.capacity, other.corners.length]).toEqual([4, 16])
  })

  it('takes no column that it does not know', () => {
    expect(() => new Boxes(2).restore({ height: 1 })).toThrow(Bug)
  })
})
