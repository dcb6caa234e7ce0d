import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalCdf, normalDensity, normalQuantile } from '../../src/math/normal.ts'

/** Rounding of the last operations may turn the order of neighbours around, never that of values this far apart. */
const FEW_ULP = 1e-15

const relative = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b) / Math.abs(b))

describe('normalCdf', () => {
  // Computed at 50-digit precision; they agree with Abramowitz & Stegun, tables 26.1 and 26.2.
  it.each([
    [0, 0.5], [0.5, 0.6914624612740131], [1, 0.8413447460685429], [1.5, 0.9331927987311419],
    [2, 0.9772498680518208], [3, 0.9986501019683699], [5, 0.9999997133484281],
    [-1, 0.15865525393145705], [-2, 0.02275013194817921], [-5, 2.866515718791939e-7],
    [-8, 6.220960574271784e-16], [-10, 7.619853024160525e-24], [-20, 2.7536241186062337e-89],
    [-30, 4.906713927148187e-198], [-37, 5.725571222524577e-300],
  ])('at %d', (x, expected) => {
    expect(relative(normalCdf(x), expected)).toBeLessThan(1e-14)
  })

  it('ends in 0, 1 and NaN', () => {
    expect(normalCdf(-Infinity)).toBe(0)
    expect(normalCdf(-39)).toBe(0)
    expect(normalCdf(9)).toBe(1)
    expect(normalCdf(Infinity)).toBe(1)
    expect(normalCdf(NaN)).toBeNaN()
  })

  it('adds up to 1 with its mirror image, and rises', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 8, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (x, step) => {
        expect(Math.abs(normalCdf(x) + normalCdf(-x) - 1)).toBeLessThanOrEqual(2 ** -52)
        expect(normalCdf(x + step)).toBeGreaterThanOrEqual(normalCdf(x) * (1 - FEW_ULP))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([0.67448975, 5.656854249492381, -0.67448975, -5.656854249492381])('does not jump where its formula changes, at %d', (x) => {
    const step = 2 ** -46
    expect(relative(normalCdf(x - step), normalCdf(x + step))).toBeLessThan(8 * step * 2)
    expect(normalCdf(x + step)).toBeGreaterThanOrEqual(normalCdf(x - step))
  })
})

describe('normalDensity', () => {
  it.each([
    [0, 0.3989422804014327], [1, 0.24197072451914334], [-1, 0.24197072451914334], [2, 0.05399096651318805],
    [5, 1.4867195147342977e-6],
  ])('at %d', (x, expected) => {
    expect(relative(normalDensity(x), expected)).toBeLessThan(1e-14)
  })
})

describe('normalQuantile', () => {
  // Computed at 50-digit precision; 0.25 and 0.001 agree with the checks printed with AS 241.
  it.each([
    [0.5, 0], [0.75, 0.6744897501960817], [0.9, 1.2815515655446006], [0.95, 1.6448536269514722],
    [0.975, 1.9599639845400538], [0.99, 2.3263478740408408], [0.995, 2.5758293035489004],
    [0.25, -0.6744897501960817], [0.001, -3.0902323061678136], [1e-10, -6.361340902404057],
    [1e-20, -9.262340089798407], [1e-100, -21.273453560965326], [1e-300, -37.0470962993612],
  ])('at %d', (p, expected) => {
    expect(relative(normalQuantile(p), expected)).toBeLessThan(1e-14)
  })

  it('ends in the infinities, and has no value outside of [0, 1]', () => {
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(normalQuantile(1)).toBe(Infinity)
    expect(normalQuantile(-0.1)).toBeNaN()
    expect(normalQuantile(1.1)).toBeNaN()
    expect(normalQuantile(NaN)).toBeNaN()
  })

  it('undoes the distribution function, is odd about 0.5, and rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.5, noNaN: true }), fc.double({ min: 0, max: 0.5, noNaN: true }), (p, step) => {
        const x = normalQuantile(p)
        // A relative error e of x is one of about x²·e of the tail.
        expect(relative(normalCdf(x), p)).toBeLessThan(1e-14 + x * x * 2e-15)
        expect(normalQuantile(p + step)).toBeGreaterThanOrEqual(x - Math.abs(x) * FEW_ULP)
        const q = Math.round(p * 2 ** 52) / 2 ** 52
        expect(normalQuantile(1 - q)).toBe(q === 0.5 ? 0 : -normalQuantile(q))
      }),
      { numRuns: 2000 },
    )
  })
})
