import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ceilScaled, exactScaled } from '../../../src/serve/parlay/decimals.ts'

describe('an amount', () => {
  it.each([
    [25, 25_000_000], [1, 1_000_000], [0.000001, 1], [1e-6, 1], [98.2575, 98_257_500], [0.1, 100_000], [1e15 / 1e6, 1e15], [1_000_000, 1e12],
    [100.000001, 100_000_001], [-13.5, -13_500_000], [0, 0], [4.35, 4_350_000], [1.005, 1_005_000],
  ])('PQ-023 of %d USDC is exactly %d microUSDC', (usdc, micros) => {
    expect(exactScaled(usdc, 6)).toBe(micros)
  })

  it.each([0.0000001, 1.0000001, 25.1234567, 1e-7, 0.1 + 0.2, 1e10, 1e300, Number.MAX_VALUE, 5e-324])('of %d USDC has no exact number of microUSDC', (usdc) => {
    expect(exactScaled(usdc, 6)).toBe(null)
  })

  it('PQ-023 comes back from the text that a body writes', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1e15 }), (micros) => {
      const text = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`
      expect(exactScaled(Number(text), 6)).toBe(micros)
    }))
  })
})

describe('odds', () => {
  it.each([[1.0001, 10_001], [4, 40_000], [1000, 10_000_000], [2.7183, 27_183], [1e3, 10_000_000]])('of %d are %i ten-thousandths', (odds, oddsE4) => {
    expect([exactScaled(odds, 4), ceilScaled(odds, 4)]).toEqual([oddsE4, oddsE4])
  })

  it.each([1.00001, 2.71828, 3.9800000000000004])('of %d have more than four decimals', (odds) => {
    expect(exactScaled(odds, 4)).toBe(null)
  })

  it.each([
    [1.00011, 10_002], [2.71828, 27_183], [3.9800000000000004, 39_801], [3.97999999, 39_800], [1e-7, 1], [0, 0],
    [1e300, Number.MAX_SAFE_INTEGER], [900_719_925_474.0992, Number.MAX_SAFE_INTEGER],
  ])('PQ-467 of at least %d are at least %i ten-thousandths: a floor is rounded up', (odds, oddsE4) => {
    expect(ceilScaled(odds, 4)).toBe(oddsE4)
  })
})
