import { describe, expect, it } from 'vitest'
import { maxDrawdown } from '../../src/stats/drawdown.ts'
import { expectedShortfall } from '../../src/stats/expectedShortfall.ts'
import { quantile } from '../../src/stats/quantile.ts'

describe('quantile', () => {
  // R: quantile(x, p), whose default is type 7.
  it.each([
    [[1, 2, 3, 4], 0.25, 1.75],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9.1],
    [[1, 2, 3, 4, 5], 0.5, 3],
    [[10, 20], 0.99, 19.9],
    [[7], 0.99, 7],
    [[1, 2, 3], 0, 1],
    [[1, 2, 3], 1, 3],
  ])('of %j at %d is %d', (ascending, p, expected) => {
    expect(quantile(ascending, p)).toBeCloseTo(expected, 12)
  })

  it('of nothing is not a number', () => {
    expect(quantile([], 0.5)).toBeNaN()
  })
})

describe('maxDrawdown', () => {
  it.each([
    [[0, 5, 3, 6, 1, 9, 7], 5],
    [[10, 4, 8, 2, 11], 8],
    [[1, 2, 3], 0],
    [[-1, -4], 3],
    [[], 0],
  ])('of %j is %d', (path, expected) => {
    expect(maxDrawdown(path)).toBe(expected)
  })
})

describe('expectedShortfall', () => {
  it('is the worst outcome where the tail is narrower than one of them', () => {
    expect(expectedShortfall([3, -5, 1, 0], 0.99)).toBe(5)
  })

  it('weighs the outcome that the tail ends in by its share', () => {
    // The worst 1.5 of ten: (8 + 0.5 · 4) / 1.5.
    expect(expectedShortfall([-8, -4, 1, 1, 1, 1, 1, 1, 1, 1], 0.85)).toBeCloseTo(10 / 1.5, 9)
  })

  it('at level 0 is the mean loss', () => {
    expect(expectedShortfall([-8, 2, 3], 0)).toBeCloseTo(1, 12)
  })

  it('of nothing is not a number', () => {
    expect(expectedShortfall([])).toBeNaN()
  })
})
