import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestMarkup } from '../../src/agent/makers/logisticDemand.ts'
import { lambertW } from '../../src/math/lambertW.ts'

describe('lambertW', () => {
  // W(1) is the omega constant, W(e) = 1 and W(2e²) = 2. W(−ln 2 / 2) = −ln 2, as −ln 2 · e^(−ln 2) = −ln 2 / 2.
  it.each([
    [0, 0], [Math.E, 1], [2 * Math.E ** 2, 2], [1, 0.5671432904097838], [-Math.LN2 / 2, -Math.LN2], [50 * Math.exp(50), 50],
    [-0.5 * Math.exp(-0.5), -0.5], [-0.9 * Math.exp(-0.9), -0.9],
  ])('at %d', (x, w) => {
    expect(Math.abs(lambertW(x) - w)).toBeLessThanOrEqual(4e-15 * Math.max(1, Math.abs(w)))
  })

  it('ends at −1/e, and is nothing below', () => {
    expect(Math.abs(lambertW(-1 / Math.E) + 1)).toBeLessThan(1e-7)
    expect(lambertW(-0.3679)).toBeNaN()
    expect(lambertW(NaN)).toBeNaN()
    expect(lambertW(Infinity)).toBe(Infinity)
  })

  // Where the square of x is out of range: W + ln W = ln x.
  it.each([1e154, 1e300, 1.7e308, Number.MAX_VALUE])('at %d', (x) => {
    const w = lambertW(x)
    expect(Math.abs((w + Math.log(w)) / Math.log(x) - 1)).toBeLessThan(1e-15)
  })

  it('undoes w·eʷ on the principal branch', () => {
    fc.assert(fc.property(fc.double({ min: -0.99, max: 600, noNaN: true }), (w) => {
      // Near −1 the inverse loses what the square root of a rounding is.
      const slack = 1e-14 * Math.max(1, Math.abs(w)) + 1e-15 / (1 + w) ** 2
      expect(Math.abs(lambertW(w * Math.exp(w)) - w)).toBeLessThan(slack + 1e-13)
    }), { numRuns: 1000 })
  })
})

describe('the best mark-up under logistic demand', () => {
  const hit = (alpha: number, beta: number, delta: number): number => 1 / (1 + Math.exp(alpha + beta * delta))

  // The figures of Barzykin, Bergault and Guéant's parameters, in basis points.
  it.each([[-1.9, 11, 0.1773, 0.487], [-0.3, 3.5, 0.3857, 0.259]])('at α %d and β %d per bp', (alpha, beta, delta, share) => {
    expect(bestMarkup(alpha, beta, 0)).toBeCloseTo(delta, 4)
    expect(hit(alpha, beta, bestMarkup(alpha, beta, 0))).toBeCloseTo(share, 3)
  })

  it.each([[-1.9, 11, 0], [-0.3, 3.5, 0.1], [1, 0.5, 3]])('earns more than any other, at α %d, β %d and cost %d', (alpha, beta, cost) => {
    const best = bestMarkup(alpha, beta, cost)
    const profit = (delta: number): number => (delta - cost) * hit(alpha, beta, delta)
    for (const other of [0.5, 0.9, 0.99, 1.01, 1.1, 2]) expect(profit(best)).toBeGreaterThan(profit(cost + (best - cost) * other))
  })
})
