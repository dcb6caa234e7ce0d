import { expect, test } from 'vitest'
import { ColumnRooms } from '../../src/feed/rows/columnRooms.ts'

test('columns of one turn lie apart, and those of the next turn in their memory', () => {
  const rooms = new ColumnRooms()
  const [words, doubles] = [rooms.take(Int32Array, 100), rooms.take(Float64Array, 10)]
  expect([words.length, doubles.length]).toEqual([100, 10])
  expect(words.buffer).not.toBe(doubles.buffer)
  rooms.reuse()
  const [shorter, longer] = [rooms.take(Float64Array, 50), rooms.take(Int32Array, 400)]
  expect([shorter.length, longer.length]).toEqual([50, 400])
  expect(shorter.buffer).toBe(words.buffer)
  expect(longer.buffer).not.toBe(doubles.buffer)
})
