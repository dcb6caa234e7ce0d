import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { bestOf } from '../../src/stats/bestOf.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { deflatedSharpe, sharpeOf } from '../../src/stats/sharpe.ts'
import { studentTwoSided } from '../../src/stats/student.ts'

const rowsOf = (...rows: readonly (readonly number[])[]) => ({ width: rows[0]!.length, cells: Float64Array.from(rows.flat()) })

/** Normal rows; the variant `better` earns `edge` more. */
function world(seed: string, rows: number, variants: number, edge = 0, better = 0) {
  const uniform = counterUniform(seed)
  return { width: variants, cells: Float64Array.from({ length: rows * variants }, (_, at) => normalQuantile(Math.max(1e-12, uniform(at))) + (at % variants === better ? edge : 0)) }
}

describe('the best of several variants', () => {
  it('is the one with the greatest mean, beside the mean of the others, by hand', () => {
    // Means 2, 1 and 3. The last is 3 − 1.5 above the others. Below ten rows Holm on Student's p.
    const found = bestOf(rowsOf([1, 1, 2], [2, 0, 4], [3, 2, 3]), counterUniform('x'))!
    expect(found).toMatchObject({ best: 2, variants: 3, mean: 3, overOthers: 1.5, rows: 3, method: 'Holm on Student\'s p-values' })
    // 2, 4, 3: t = 3/(1/√3), the same as that of 1, 2, 3 times 1.5. Its p is the least of three.
    const p = studentTwoSided(3 * Math.sqrt(3), 2)
    expect(found.zero.p).toBeCloseTo(p, 12)
    expect(found.zero.adjusted).toBeCloseTo(3 * p, 12)
    // Over the others: 1, 3 and .5.
    const over = [1, 3, 0.5]
    const spread = Math.sqrt(over.reduce((sum, value) => sum + (value - 1.5) ** 2, 0) / 2 / 3)
    expect(found.others.p).toBeCloseTo(studentTwoSided(1.5 / spread, 2), 12)
    const moments = [[1, 2, 3], [1, 0, 2], [2, 4, 3]].map((column) => sharpeOf(column))
    expect(found.deflated).toBeCloseTo(deflatedSharpe(moments[2]!, moments.map(({ ratio }) => ratio)), 12)
  })

  it('is the first of equal ones, and nothing where there is nothing to compare', () => {
    expect(bestOf(rowsOf([1, 1], [3, 3]), counterUniform('x'))!.best).toBe(0)
    expect(bestOf(rowsOf([1, 2]), counterUniform('x'))).toBeUndefined()
    expect(bestOf(rowsOf([1], [2]), counterUniform('x'))).toBeUndefined()
  })

  it('of fifty alike is not told apart, though its own p-value says so', () => {
    const found = bestOf(world('alike 3', 20, 50), counterUniform('x'))!
    expect(found.zero.p).toBeLessThan(0.05)
    expect(found.zero.adjusted).toBeGreaterThan(0.05)
    expect(found.others.adjusted).toBeGreaterThan(0.05)
    expect(found.deflated).toBeLessThan(0.95)
  })

  it('is found where one of fifty is better', () => {
    const found = bestOf(world('planted', 30, 50, 2, 31), counterUniform('x'))!
    expect(found.best).toBe(31)
    expect(found.zero.adjusted).toBeLessThan(0.05)
    expect(found.others.adjusted).toBeLessThan(0.05)
    expect(found.deflated).toBeGreaterThan(0.95)
  })
})
