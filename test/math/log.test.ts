import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp } from '../../src/math/exp.ts'
import { log } from '../../src/math/log.ts'
import { ulps } from './ulps.ts'

describe('log', () => {
  // Rounded to doubles from: OEIS A002162, A002391, A002392, A016627; log of the least and greatest doubles.
  it.each([
    [2, 0.6931471805599453], [3, 1.0986122886681098], [10, 2.302585092994046], [4, 1.3862943611198906],
    [0.5, -0.6931471805599453], [5e-324, -744.4400719213812], [Number.MAX_VALUE, 709.782712893384],
    [1e-300, -690.7755278982137],
  ])('of %d', (x, expected) => {
    expect(ulps(log(x), expected)).toBeLessThanOrEqual(1)
  })

  it('is exact at 1 and ends in −Infinity, NaN and Infinity', () => {
    expect(log(1)).toBe(0)
    expect(log(0)).toBe(-Infinity)
    expect(log(-0)).toBe(-Infinity)
    expect(log(-1)).toBeNaN()
    expect(log(NaN)).toBeNaN()
    expect(log(Infinity)).toBe(Infinity)
    // log(1 + h) = h − h²/2 for h = 2⁻³⁰: the cube is below the last place.
    expect(ulps(log(1 + 2 ** -30), 2 ** -30 - 2 ** -61)).toBeLessThanOrEqual(1)
  })

  it('lies within an ulp of the engine\'s, never falls, and undoes exp', () => {
    const positive = fc.double({ min: 0, minExcluded: true, noDefaultInfinity: true, noNaN: true })
    fc.assert(
      fc.property(positive, fc.double({ min: -700, max: 700, noNaN: true }), (x, y) => {
        expect(log(x) === Math.log(x) || ulps(log(x), Math.log(x)) <= 1).toBe(true)
        expect(log(x * 1.0000001)).toBeGreaterThanOrEqual(log(x))
        expect(Math.abs(log(exp(y)) - y)).toBeLessThanOrEqual(3e-16 + Math.abs(y) * 2 ** -52)
      }),
      { numRuns: 2000 },
    )
  })
})
