import { describe, expect, it } from 'vitest'
import { deflatedSharpe, expectedMaximumSharpe, probabilisticSharpe, sharpeOf } from '../../src/stats/sharpe.ts'

describe('a Sharpe ratio', () => {
  it('has the moments by hand', () => {
    // 0, 0, 0, 4: mean 1, variance 3 of n and 4 of n − 1; third moment (−1 −1 −1 + 27)/4 = 6, fourth (3 + 81)/4 = 21.
    const { ratio, periods, skew, kurtosis } = sharpeOf([0, 0, 0, 4])
    expect([ratio, periods]).toEqual([0.5, 4])
    expect(skew).toBeCloseTo(6 / 3 ** 1.5, 12)
    expect(kurtosis).toBeCloseTo(21 / 9, 12)
  })

  it('of equal results or of one is undefined', () => {
    expect(sharpeOf([2, 2, 2]).ratio).toBeNaN()
    expect(sharpeOf([2]).ratio).toBeNaN()
    expect(sharpeOf([0.3, 0.1 + 0.2, 0.3]).ratio).toBeNaN()
  })
})

describe('the example of Bailey and López de Prado (2014)', () => {
  // The example is daily over five years of 250 days, with an annual ratio of 2.5, skewness −3 and kurtosis 10. There are 100 trials
  // with an annual variance of ½.
  const moments = { ratio: 2.5 / Math.sqrt(250), periods: 1250, skew: -3, kurtosis: 10 }

  it('expects 0.1132 a day of the best of the worthless', () => {
    expect(expectedMaximumSharpe(100, 1 / 2 / 250)).toBeCloseTo(0.1132, 4)
  })

  it('has the deflated Sharpe ratio 0.9004', () => {
    expect(probabilisticSharpe(moments, expectedMaximumSharpe(100, 1 / 2 / 250))).toBeCloseTo(0.9004, 4)
    // With 46 trials they would have accepted at 95 %.
    expect(probabilisticSharpe(moments, expectedMaximumSharpe(46, 1 / 2 / 250))).toBeCloseTo(0.95, 2)
  })

  it('takes number and variance from the trials, the undefined left out', () => {
    // Ratios a and −a in equal numbers: variance a²·n/(n − 1).
    const a = Math.sqrt((0.002 * 99) / 100)
    const trials = [...Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? a : -a)), NaN]
    expect(deflatedSharpe(moments, trials)).toBeCloseTo(0.9004, 4)
  })
})

it('one trial is deflated by nothing', () => {
  const moments = sharpeOf([1, 3, 2, 2, 5])
  expect(deflatedSharpe(moments, [moments.ratio])).toBe(probabilisticSharpe(moments, 0))
  // Normal moments and ratio 1 over two periods: Φ(1/√1.5).
  expect(probabilisticSharpe({ ratio: 1, periods: 2, skew: 0, kurtosis: 3 }, 0)).toBeCloseTo(0.79289, 5)
})
