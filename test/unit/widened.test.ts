import { expect, it } from 'vitest'
import { widened } from '../../src/unit/widened.ts'

it('doubles a column, or takes it as far as asked, and keeps its type and cells', () => {
  const column = Int32Array.of(7, -8)
  expect(widened(column)).toEqual(Int32Array.of(7, -8, 0, 0))
  expect(widened(column, 5)).toEqual(Int32Array.of(7, -8, 0, 0, 0))
  expect(widened(Float64Array.of(0.5), 1)).toEqual(Float64Array.of(0.5, 0))
})
