import { describe, expect, it } from 'vitest'
import { studentQuantile, studentTwoSided } from '../../src/stats/student.ts'

describe('Student\'s distribution', () => {
  // Closed forms: one degree is Cauchy's, P(|T| > 1) = ½; of two P(|T| > t) = 1 − t/√(2 + t²).
  it('has the tails of its closed forms', () => {
    expect(studentTwoSided(1, 1)).toBeCloseTo(0.5, 14)
    expect(studentTwoSided(Math.sqrt(3), 1)).toBeCloseTo(1 / 3, 14)
    for (const t of [0.1, 1, 3, 40]) expect(studentTwoSided(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 13)
    expect(studentTwoSided(0, 5)).toBe(1)
    expect(studentTwoSided(Infinity, 5)).toBe(0)
    expect(studentTwoSided(-2, 7)).toBe(studentTwoSided(2, 7))
  })

  it.each([
    // Standard tables, 97.5 % and 99.5 %.
    [1, 12.7062, 63.6567], [2, 4.3027, 9.9248], [5, 2.5706, 4.0321], [10, 2.2281, 3.1693], [19, 2.0930, 2.8609], [30, 2.0423, 2.7500], [120, 1.9799, 2.6174],
  ])('with %i degrees has the quantiles of the tables', (degrees, at975, at995) => {
    expect(studentQuantile(0.975, degrees)).toBeCloseTo(at975, 4)
    expect(studentQuantile(0.995, degrees)).toBeCloseTo(at995, 4)
    expect(studentQuantile(0.025, degrees)).toBeCloseTo(-at975, 4)
    expect(studentTwoSided(studentQuantile(0.975, degrees), degrees)).toBeCloseTo(0.05, 13)
  })

  it('has no half degrees', () => {
    expect(() => studentTwoSided(1, 2.5)).toThrow('degrees')
    expect(studentQuantile(0.5, 3)).toBe(0)
  })
})
