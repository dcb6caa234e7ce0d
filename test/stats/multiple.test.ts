import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { benjaminiHochberg, holm } from '../../src/stats/adjustedP.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { romanoWolf } from '../../src/stats/romanoWolf.ts'
import { studentTwoSided } from '../../src/stats/student.ts'

const rounded = (values: Float64Array): number[] => [...values].map((value) => Number(value.toFixed(10)))

describe('p-values adjusted without the data', () => {
  it('by Holm are the products by hand, in the order they came', () => {
    // Ascending .005·4, .01·3, .03·2, .04·1, each at least the one before.
    expect(rounded(holm([0.01, 0.04, 0.03, 0.005]))).toEqual([0.03, 0.06, 0.06, 0.02])
    expect(rounded(holm([0.6, 0.7]))).toEqual([1, 1])
  })

  it('by Benjamini and Hochberg are the products by hand', () => {
    expect(rounded(benjaminiHochberg([0.01, 0.04, 0.03, 0.005]))).toEqual([0.02, 0.04, 0.04, 0.02])
  })

  it('reject as many as in Benjamini and Hochberg\'s own example', () => {
    // Their table of fifteen hypotheses about thrombolysis (1995, section 4.1): four rejected at 5 %, three by Bonferroni.
    const p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1]
    expect(benjaminiHochberg(p).filter((value) => value <= 0.05)).toHaveLength(4)
    expect(holm(p).filter((value) => value <= 0.05)).toHaveLength(3)
  })
})

describe('Romano and Wolf\'s step-down test', () => {
  const rowsOf = (...rows: readonly (readonly number[])[]) => ({ width: rows[0]!.length, cells: Float64Array.from(rows.flat()) })

  it('has the t and the p-value of Student\'s test for each column alone', () => {
    // 1, 2, 3: mean 2, standard error 1/√3; and −1, 0, 1: 0.
    const { t, p } = romanoWolf(rowsOf([1, -1], [2, 0], [3, 1]), counterUniform('t'), 10)
    expect(t[0]).toBeCloseTo(2 * Math.sqrt(3), 12)
    expect(p[0]).toBeCloseTo(studentTwoSided(2 * Math.sqrt(3), 2), 12)
    expect([t[1], p[1]]).toEqual([0, 1])
  })

  it('counts the resamples whose greatest |t| reaches the observed one, by hand', () => {
    // Column 1, 3: mean 2, t = 2. Four resamples of two rows in order: 1 1 and 3 3 have no spread and lie away: they count.
    // 1 3 and 3 1 have the mean 2: |t| = 0. So (2 + 1)/(4 + 1).
    const uniform = (index: number): number => ([0, 0, 0, 0.5, 0.5, 0, 0.5, 0.5])[index]!
    expect(romanoWolf(rowsOf([1], [3]), uniform, 4).adjusted[0]).toBe(3 / 5)
  })

  it('divides by the error of the resample with n − 1, and counts a |t| that is just reached', () => {
    const onceTwice = (index: number): number => ([0, 0, 0.34])[index]!
    // Column ¼, 1¼, 2¼: t = 1¼ · √3 = 2.17. Rows 0, 0, 1 have the mean 7/12, ⅔ away, squares ⅔, and with n − 1 the error √(⅔/2/3) = ⅓:
    // |t| = 2 stays below. With n it would be √6 = 2.45.
    expect(romanoWolf(rowsOf([0.25], [1.25], [2.25]), onceTwice, 1).adjusted[0]).toBe((0 + 1) / 2)
    // Column −1, 1: t = 0, and so has its resample of both rows.
    expect(romanoWolf(rowsOf([-1], [1]), (index) => ([0, 0.5])[index]!, 1).adjusted[0]).toBe((1 + 1) / 2)
  })

  it('steps down: a test is compared with those that are left, and never below one before it', () => {
    // Columns 4, 4, 2 (t = 5) and 1, −1, 1 (t = ½), one resample of rows 0, 0, 1: means 4 and ⅓; the first is constant and ⅔ away:
    // ∞, the second |⅓ − ⅓| = 0.
    const rows = rowsOf([4, 1], [4, -1], [2, 1])
    const uniform = (index: number): number => ([0, 0, 0.34])[index]!
    // First: max(∞, 0) ≥ 5: (1 + 1)/2; second alone: 0 < ½: (0 + 1)/2, lifted to the first's.
    expect([...romanoWolf(rows, uniform, 1).adjusted]).toEqual([1, 1])
    // Every row once: both means as observed, 0 away: (0 + 1)/2 each.
    const everyRow = (index: number): number => ([0, 0.34, 0.67])[index]!
    expect([...romanoWolf(rows, everyRow, 1).adjusted]).toEqual([0.5, 0.5])
  })

  it('does not pay twice for two comparisons that are one', () => {
    const draw = counterUniform('data')
    const column = Array.from({ length: 30 }, (_, i) => 0.35 + normalQuantile((draw(i) * 2 ** 32 + 0.5) / 2 ** 32))
    const once = romanoWolf(rowsOf(...column.map((x) => [x])), counterUniform('r'))
    const twice = romanoWolf(rowsOf(...column.map((x) => [x, 2 * x])), counterUniform('r'))
    expect([...twice.adjusted]).toEqual([once.adjusted[0], once.adjusted[0]])
    expect(holm(twice.p)[0]).toBeCloseTo(2 * once.p[0]!, 12)
    // It is near Student's p where there is one test of normal rows.
    expect(Math.abs(once.adjusted[0]! - once.p[0]!)).toBeLessThan(0.02)
  })

  it('keeps the probability of any false rejection near 5 % over ten true hypotheses that depend on each other', () => {
    let wrong = 0
    const worlds = 200
    for (let world = 0; world < worlds; world++) {
      const draw = counterUniform(`null ${world}`)
      const normal = (i: number): number => normalQuantile((draw(i) * 2 ** 32 + 0.5) / 2 ** 32)
      const rows = Array.from({ length: 25 }, (_, row) => Array.from({ length: 10 }, (__, k) => normal(row * 11 + 10) + normal(row * 11 + k)))
      if (romanoWolf(rowsOf(...rows), counterUniform(`r ${world}`), 300).adjusted.some((p) => p <= 0.05)) wrong++
    }
    // Binomial of 200 at 5 %: 10 ± 3.1.
    expect(wrong).toBeGreaterThanOrEqual(3)
    expect(wrong).toBeLessThanOrEqual(20)
  })

  it('knows nothing of a column whose rows are all the same and not zero', () => {
    const { t, p, adjusted } = romanoWolf(rowsOf([1, 0, 1], [1, 0, 3]), counterUniform('c'), 10)
    expect([t[0], p[0], adjusted[0]]).toEqual([NaN, 1, 1])
    expect([t[1], p[1]]).toEqual([0, 1])
    expect(() => romanoWolf(rowsOf([1]), counterUniform('c'))).toThrow('two rows')
  })
})
