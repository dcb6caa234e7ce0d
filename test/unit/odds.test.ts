import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { micros } from '../../src/unit/micros.ts'
import { ODDS_E4_MAX, ODDS_E4_MIN, oddsE4FloorOfProbability, payoutFloor, probabilityOfOddsE4 } from '../../src/unit/odds.ts'

describe('payoutFloor', () => {
  it('PQ-087 rounds the total payout down to the micro-unit', () => {
    expect(payoutFloor(micros(25_000_000), 40_000)).toBe(100_000_000)
    expect(payoutFloor(micros(1_000_001), 15_001)).toBe(1_500_101)
    expect(payoutFloor(micros(1), 19_999)).toBe(1)
    expect(payoutFloor(micros(1), 20_000)).toBe(2)
  })

  it('is exact for the largest stake at the longest odds', () => {
    expect(payoutFloor(micros(9_007_199_254_740), ODDS_E4_MAX)).toBe(9_007_199_254_740_000)
  })
})

describe('oddsE4FloorOfProbability', () => {
  it('rounds down, against the bettor', () => {
    expect(oddsE4FloorOfProbability(0.25)).toBe(40_000)
    expect(oddsE4FloorOfProbability(0.3)).toBe(33_333)
    expect(oddsE4FloorOfProbability(0.999)).toBe(10_010)
  })

  it('PQ-205 stays within 1.0001 and 1000', () => {
    expect(oddsE4FloorOfProbability(1)).toBe(ODDS_E4_MIN)
    expect(oddsE4FloorOfProbability(1.5)).toBe(ODDS_E4_MIN)
    expect(oddsE4FloorOfProbability(0.9999)).toBe(10_001)
    expect(oddsE4FloorOfProbability(0.001)).toBe(ODDS_E4_MAX)
    expect(oddsE4FloorOfProbability(0.000_999)).toBe(ODDS_E4_MAX)
    expect(oddsE4FloorOfProbability(Number.MIN_VALUE)).toBe(ODDS_E4_MAX)
  })

  it.each([0, -1, NaN, Infinity])('has no odds for %s', (probability) => {
    expect(() => oddsE4FloorOfProbability(probability)).toThrow('odds need a finite probability above 0')
  })

  it('never offers odds that stand for less than the probability', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.9999, noNaN: true }), (probability) => {
        const odds = oddsE4FloorOfProbability(probability)
        expect(probabilityOfOddsE4(odds)).toBeGreaterThanOrEqual(probability * (1 - 2 ** -52))
        expect(Number.isInteger(odds)).toBe(true)
      }),
    )
  })
})
