import { describe, expect, it } from 'vitest'
import { crossing, isotonic } from '../../src/stats/isotonic.ts'

describe('the isotonic values', () => {
  it.each([
    [[1, 2, 3], [1, 2, 3]],
    [[3, 1, 2], [2, 2, 2]],
    // 4 and 2 pool to 3, and 1 pulls them to 7/3.
    [[0, 4, 2, 1, 5], [0, 7 / 3, 7 / 3, 7 / 3, 5]],
  ])('of %j are %j', (values, expected) => {
    const rising = isotonic(values)
    expect(rising).toHaveLength(expected.length)
    for (const [i, value] of expected.entries()) expect(rising[i]).toBeCloseTo(value, 14)
  })
})

describe('where a rising curve crosses zero', () => {
  it('is found on the line between two places', () => {
    expect(crossing([0, 10, 20], [-3, -1, 3])).toEqual({ at: 12.5, side: 'within' })
    expect(crossing([0, 10], [-1, 0])).toEqual({ at: 10, side: 'within' })
  })

  it('is the one of the isotonic values, whatever the noise', () => {
    // 1 and −3 pool to −1: from (10, −1) to (20, 1).
    expect(crossing([0, 10, 20], [1, -3, 1])).toEqual({ at: 15, side: 'within' })
  })

  it('lies before or after the grid where no sign changes', () => {
    expect(crossing([0, 10], [0, 1])).toEqual({ at: 0, side: 'below' })
    expect(crossing([0, 10], [-2, -1])).toEqual({ at: 10, side: 'above' })
  })
})
