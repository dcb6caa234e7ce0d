import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp } from '../../src/math/exp.ts'
import { ulps } from './ulps.ts'

describe('exp', () => {
  // Rounded to doubles from: Abramowitz & Stegun, table 4.4, and e, √e, e^π.
  it.each([
    [1, 2.718281828459045], [-1, 0.36787944117144233], [0.5, 1.6487212707001282], [10, 22026.465794806718],
    [-10, 4.5399929762484854e-5], [100, 2.6881171418161356e+43], [-100, 3.720075976020836e-44],
    [0.1, 1.1051709180756477], [700, 1.0142320547350045e+304],
  ])('of %d', (x, expected) => {
    expect(ulps(exp(x), expected)).toBeLessThanOrEqual(1)
  })

  it('is exact where it can be, and ends in 0 and Infinity', () => {
    expect(exp(0)).toBe(1)
    expect(exp(-0)).toBe(1)
    expect(exp(-Infinity)).toBe(0)
    expect(exp(Infinity)).toBe(Infinity)
    expect(exp(NaN)).toBeNaN()
    expect(exp(709.782712893384)).toBeLessThan(Infinity)
    expect(exp(709.7827128933841)).toBe(Infinity)
    expect(exp(-745.1332191019411)).toBe(5e-324)
    expect(exp(-745.1332191019412)).toBe(0)
  })

  it('lies within an ulp of the engine\'s and never falls', () => {
    fc.assert(
      fc.property(fc.double({ min: -708, max: 709, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (x, step) => {
        expect(ulps(exp(x), Math.exp(x))).toBeLessThanOrEqual(1)
        expect(exp(x + step)).toBeGreaterThanOrEqual(exp(x))
      }),
      { numRuns: 2000 },
    )
  })
})
