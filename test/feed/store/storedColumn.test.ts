import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from '../../../src/feed/store/runColumns.ts'
import { ColumnScratch, restore, stored } from '../../../src/feed/store/storedColumn.ts'

const SEED = 41

/** Writes a column behind some bytes of another one, and reads rows `from`…`from + count`−1 of it. */
function readBack(column: Column, from: number, count: number) {
  const scratch = new ColumnScratch()
  const { as, bytes } = stored(column, 3, scratch)
  const file = Uint8Array.from([9, 9, 9, ...bytes])
  const into = column instanceof Int32Array ? new Int32Array(count + 1).fill(-7) : new Float64Array(count + 1).fill(-7)
  restore(as, from, count, into, new ColumnScratch(), (part, offset) => { part.set(file.subarray(offset, offset + part.length)) })
  expect(into[count]).toBe(-7)
  return { read: [...into.subarray(0, count)], bytes: as.bytes }
}

test.each<[string, Column, number]>([
  ['of one value', Int32Array.of(-1, -1, -1), 0],
  ['of cents', Int32Array.of(10_000, 990_000, 0), 1],
  ['of 256 sizes', Int32Array.of(5, 260, 6), 1],
  ['of 257 sizes', Int32Array.of(5, 261, 6), 2],
  ['of 65,536 sizes from none on', Int32Array.of(-1, 65_534, 0), 2],
  ['of more sizes', Int32Array.of(-1, 65_535, 0), 4],
  ['of the largest and the least word', Int32Array.of(2 ** 31 - 1, -(2 ** 31)), 4],
  ['of cents and a side that is empty', Int32Array.of(990_000, -1, 10_000), 4],
  ['of rows that follow each other', Float64Array.of(2 ** 36 + 2, 2 ** 36 + 3, 2 ** 36 + 4), 0],
  ['of one row', Float64Array.of(1_750_000_000_000_001), 0],
  ['of milliseconds of a month', Float64Array.of(1_750_000_000_000_000, 1_752_592_000_000_000, 1_750_000_000_001_000), 4],
  ['of microseconds of an hour', Float64Array.of(1_750_000_000_000_000, 1_750_003_600_000_000, 1_750_000_000_000_001), 4],
  ['of microseconds of 2 hours', Float64Array.of(1_750_000_000_000_000, 1_750_007_200_000_000, 1_750_000_000_000_001), 8],
  ['of instants that are not whole', Float64Array.of(1.5, 2.25, 9), 8],
  ['of instants of which one is none', Float64Array.of(5, NaN, 7), 8],
  ['of rows of two files', Float64Array.of(2 ** 36, 2 ** 37, 2 ** 37 + 1), 8],
])('a column %s is read as it was written', (_, column, bytes) => {
  expect(readBack(column, 0, column.length)).toEqual({ read: [...column], bytes })
  expect(readBack(column, column.length - 1, 1).read).toEqual([column.at(-1)])
})

test('any rows of any column are read as they were written', () => {
  const words = fc.constantFrom(1, 250, 10_000, 40_000, 20_000_000).chain((step) => fc.array(fc.integer({ min: -100, max: 100 }).map((n) => n * step), { minLength: 1, maxLength: 40 })).map((list) => Int32Array.from(list))
  const doubles = fc.constantFrom(1, 1000, 20_000_000, 40_000_000_000).chain((step) => fc.array(fc.integer({ min: -100, max: 100 }).map((n) => 1e15 + n * step), { minLength: 1, maxLength: 40 })).map((list) => Float64Array.from(list))
  // As long as several blocks of rows.
  const long = fc.tuple(fc.constantFrom(10_000, 7), fc.boolean()).map(([step, isWide]) => {
    const column = isWide ? new Float64Array(9000) : new Int32Array(9000)
    for (let i = 0; i < column.length; i++) column[i] = ((i * 37) % 101) * step
    return column
  })
  fc.assert(fc.property(fc.oneof({ weight: 20, arbitrary: words }, { weight: 20, arbitrary: doubles }, { weight: 1, arbitrary: long }), fc.nat(), fc.nat(), (column, a, b) => {
    const from = a % column.length
    const count = 1 + b % (column.length - from)
    expect(readBack(column, from, count).read).toEqual([...column.subarray(from, from + count)])
  }), { seed: SEED, numRuns: 400 })
})
