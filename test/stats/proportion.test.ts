import { describe, expect, it } from 'vitest'
import { wilson } from '../../src/stats/proportion.ts'

describe('wilson', () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives the published interval of %i of %i', (successes, trials, low, high) => {
    const interval = wilson(successes, trials)
    expect(interval.estimate).toBe(successes / trials)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  it('mirrors successes and failures, and reaches 1 only when nothing failed', () => {
    expect(wilson(20, 20).low).toBeCloseTo(1 - 0.1611, 4)
    expect(wilson(20, 20).high).toBe(1)
    expect(wilson(19, 20).high).toBeLessThan(1)
    expect(wilson(19, 20).high! + wilson(1, 20).low!).toBeCloseTo(1, 12)
  })

  it('gives no interval without trials, and says so', () => {
    expect(wilson(0, 0)).toEqual({ estimate: null, low: null, high: null, level: 0.95, count: 0, label: 'no trials: no interval' })
  })
})
