import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bivariateNormalCdf } from '../../src/math/bivariateNormal.ts'
import { copulaProbability, tiedUniform } from '../../src/math/copula.ts'
import { leastPivot } from '../../src/math/correlation.ts'
import { normalOrthant, oneFactorOrthant } from '../../src/math/normalOrthant.ts'
import { normalCdf, normalQuantile } from '../../src/math/normal.ts'

/** A matrix with one correlation for all pairs. */
const equal = (n: number, rho: number): number[] => Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : rho))
const times = (n: number, value: number): number[] => Array.from({ length: n }, () => value)
/** The matrix when some events are turned into their opposites. */
const flipped = (rows: readonly number[], n: number, signs: readonly number[]): number[] =>
  rows.map((rho, at) => rho * signs[Math.floor(at / n)]! * signs[at % n]!)

const rho = fc.double({ min: -0.999, max: 0.999, noNaN: true })
const bound = fc.double({ min: -4, max: 4, noNaN: true })

/** Sheppard (1899): the chance of two even events. */
const even = (r: number): number => 0.25 + Math.asin(r) / (2 * Math.PI)

describe('two normal variables', () => {
  it.each([-1, -0.999, -0.9, -0.5, 0, 0.3, 0.75, 0.76, 0.95, 0.999, 0.99999, 1])('are both negative with chance ¼ + asin(%d)/2π', (r) => {
    expect(Math.abs(bivariateNormalCdf(0, 0, r) - even(r))).toBeLessThan(1e-14)
  })

  it('are independent at no correlation, one at 1 and opposite at −1', () => {
    expect(bivariateNormalCdf(0.3, -1.2, 0)).toBeCloseTo(normalCdf(0.3) * normalCdf(-1.2), 15)
    expect(bivariateNormalCdf(0.3, -1.2, 1)).toBe(normalCdf(-1.2))
    expect(bivariateNormalCdf(0.3, -0.2, -1)).toBeCloseTo(normalCdf(0.3) + normalCdf(-0.2) - 1, 15)
    expect(bivariateNormalCdf(0.3, -1.2, -1)).toBe(0)
  })

  it('keep the marginal when one bound goes away', () => {
    fc.assert(fc.property(bound, rho, (h, r) => {
      expect(bivariateNormalCdf(h, Infinity, r)).toBe(normalCdf(h))
      expect(bivariateNormalCdf(h, -Infinity, r)).toBe(0)
      expect(Math.abs(bivariateNormalCdf(h, 9, r) - normalCdf(h))).toBeLessThan(1e-14)
    }))
  })

  it('fill the plane with their four quadrants, and do not mind their order', () => {
    fc.assert(fc.property(bound, bound, rho, (h, k, r) => {
      const sum = bivariateNormalCdf(h, k, r) + bivariateNormalCdf(-h, k, -r) + bivariateNormalCdf(h, -k, -r) + bivariateNormalCdf(-h, -k, r)
      expect(Math.abs(sum - 1)).toBeLessThan(1e-13)
      expect(bivariateNormalCdf(h, k, r)).toBeCloseTo(bivariateNormalCdf(k, h, r), 14)
    }))
  })

  /** ∫ φ(x)·Φ((k − r·x)/√(1 − r²)) dx below h, by Simpson's rule. */
  const integral = (h: number, k: number, r: number, steps: number): number => {
    const step = (h + 9) / steps
    let sum = 0
    for (let i = 0; i <= steps; i++) {
      const x = -9 + i * step
      const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
      sum += weight * Math.exp(-0.5 * x * x) * normalCdf((k - r * x) / Math.sqrt(1 - r * r))
    }
    return (sum * step) / 3 / Math.sqrt(2 * Math.PI)
  }

  it('agree with the integral over one of them', () => {
    fc.assert(fc.property(bound, bound, fc.double({ min: -0.97, max: 0.97, noNaN: true }), (h, k, r) => {
      expect(Math.abs(bivariateNormalCdf(h, k, r) - integral(h, k, r, 4000))).toBeLessThan(1e-10)
    }), { numRuns: 100 })
  })

  it.each([[0.3, 0.31, 0.999], [0.3, 0.35, 0.9995], [-1, -0.9, 0.995], [0.5, -0.45, -0.999], [1, 1.02, 0.9999]])('and where they are almost one: below %d and %d at %d', (h, k, r) => {
    expect(Math.abs(bivariateNormalCdf(h, k, r) - integral(h, k, r, 100_000))).toBeLessThan(1e-11)
  })
})

describe('events with one factor', () => {
  // Each of n + 1 exchangeable variables is the largest equally often, which is what n even events at ½ ask of one of them.
  it.each([2, 3, 5, 8, 16])('%d even ones at ½ come together once in n + 1 times', (n) => {
    expect(Math.abs(oneFactorOrthant(times(n, 0), times(n, Math.SQRT1_2), n) - 1 / (n + 1))).toBeLessThan(n <= 8 ? 1e-11 : 1e-8)
  })

  it.each([0.2, 0.7, 0.99, 0.9999])('three even ones at %d come together as Sheppard says', (r) => {
    // P = ⅛ + 3·asin(ρ)/4π.
    expect(Math.abs(oneFactorOrthant([0, 0, 0], times(3, Math.sqrt(r)), 3) - (0.125 + (3 * Math.asin(r)) / (4 * Math.PI)))).toBeLessThan(1e-9)
  })

  it('agrees with two variables in closed form, whatever the loadings', () => {
    fc.assert(fc.property(bound, bound, fc.double({ min: -0.99, max: 0.99, noNaN: true }), fc.double({ min: -0.99, max: 0.99, noNaN: true }), (h, k, a, b) => {
      expect(Math.abs(oneFactorOrthant([h, k], [a, b], 2) - bivariateNormalCdf(h, k, a * b))).toBeLessThan(1e-11)
    }), { numRuns: 200 })
  })

  it('takes events that all are the factor, or its opposite', () => {
    expect(oneFactorOrthant([0.3, -0.2], [1, 1], 2)).toBe(normalCdf(-0.2))
    expect(oneFactorOrthant([0.3, -0.2], [1, -1], 2)).toBeCloseTo(normalCdf(0.3) + normalCdf(-0.2) - 1, 15)
    expect(oneFactorOrthant([0.3, -0.4], [1, -1], 2)).toBe(0)
  })
})

describe('any correlations', () => {
  it.each([3, 4, 5, 8])('%d even events at ½ come together once in n + 1 times', (n) => {
    expect(Math.abs(normalOrthant(times(n, 0), equal(n, 0.5), n) * (n + 1) - 1)).toBeLessThan(n <= 5 ? 3e-4 : 1e-3)
  })

  it('sixteen too, within what its lattice can', () => {
    expect(Math.abs(normalOrthant(times(16, 0), equal(16, 0.5), 16) * 17 - 1)).toBeLessThan(0.02)
  })

  it.each([[0.5, 0.2, -0.3], [-0.4, 0.6, 0.1], [0.8, 0.7, 0.6]])('three even events at %d, %d and %d come together as Sheppard says', (a, b, c) => {
    // P = ⅛ + (asin a + asin b + asin c)/4π.
    const expected = 0.125 + (Math.asin(a) + Math.asin(b) + Math.asin(c)) / (4 * Math.PI)
    expect(Math.abs(normalOrthant([0, 0, 0], [1, a, b, a, 1, c, b, c, 1], 3) / expected - 1)).toBeLessThan(5e-4)
  })

  it('is as exact with unequal bounds, in whatever order they come', () => {
    const bounds = [2.5, 2, 1.5, -1.5, -2]
    const expected = oneFactorOrthant(bounds, times(5, Math.SQRT1_2), 5)
    expect(Math.abs(normalOrthant(bounds, equal(5, 0.5), 5) / expected - 1)).toBeLessThan(1e-4)
    expect(Math.abs(normalOrthant(bounds.toReversed(), equal(5, 0.5), 5) / expected - 1)).toBeLessThan(1e-4)
  })

  it('leaves an event that others settle to them', () => {
    // The third is the second, and then the opposite of the second.
    expect(normalOrthant([0.5, 0.2, 0.3], [1, 0.4, 0.4, 0.4, 1, 1, 0.4, 1, 1], 3)).toBeCloseTo(bivariateNormalCdf(0.5, 0.2, 0.4), 3)
    expect(normalOrthant([0.5, 0.2, -0.3], [1, 0.4, -0.4, 0.4, 1, -1, -0.4, -1, 1], 3)).toBeCloseTo(0, 3)
  })

  it('adds up: an event with and without another', () => {
    fc.assert(fc.property(bound, bound, bound, bound, fc.double({ min: 0, max: 0.9, noNaN: true }), (a, b, c, d, r) => {
      const rows = [1, r, r / 2, r / 2, r, 1, r / 2, r / 2, r / 2, r / 2, 1, r, r / 2, r / 2, r, 1]
      const signs = [1, 1, 1, -1]
      const sum = normalOrthant([a, b, c, d], rows, 4) + normalOrthant([a, b, c, -d], flipped(rows, 4, signs), 4)
      const three = normalOrthant([a, b, c], [1, r, r / 2, r, 1, r / 2, r / 2, r / 2, 1], 3)
      expect(Math.abs(sum - three)).toBeLessThan(5e-4)
    }), { numRuns: 100 })
  })

  it('refuses a matrix that is none, and says by how much', () => {
    // At −0.6 between three, the sum of the three has variance 3·(1 − 1.2) < 0. Eliminating one leaves 0.64, then 0.64 − 0.96²/0.64 = −0.8.
    expect(leastPivot(equal(3, -0.6), 3)).toBeCloseTo(-0.8, 12)
    expect(() => normalOrthant([0, 0, 0], equal(3, -0.6), 3)).toThrow(/not positive semidefinite, its least pivot is -0\.800/)
  })
})

describe('legs that share a game, a category or nothing', () => {
  const ALL = 0.05
  const CATEGORY = 0.2
  const GAME = 0.5
  /** A leg of −1 game has none. */
  interface Leg { readonly chance: number; readonly category: number; readonly game: number; readonly isNo?: boolean }
  const signOf = ({ isNo }: Leg): number => (isNo === true ? -1 : 1)

  const between = (a: Leg, b: Leg): number =>
    a === b ? 1 : signOf(a) * signOf(b) * (a.game >= 0 && a.game === b.game ? GAME : a.category === b.category ? CATEGORY : ALL)

  /** ∫ f·φ by the trapezoidal rule, whose error is far below 10⁻⁸ for what is as smooth as here. */
  const mean = (f: (x: number) => number): number => {
    let sum = 0
    for (let i = -24; i <= 24; i++) sum += f(i * 0.3) * Math.exp(-0.5 * (i * 0.3) ** 2)
    return (sum * 0.3) / Math.sqrt(2 * Math.PI)
  }

  /** Over the factor of all, of each category and of each game, one in the other: Z = √all·G + √(category − all)·C + √(game − category)·M + rest. */
  function nested(legs: readonly Leg[]): number {
    const groups = <T>(items: readonly Leg[], of: (leg: Leg) => T): Leg[][] => [...Map.groupBy(items, of).values()]
    const given = (leg: Leg, shared: number, rest: number): number =>
      normalCdf((normalQuantile(leg.chance) - signOf(leg) * shared) / Math.sqrt(rest))
    const product = (values: readonly number[]): number => values.reduce((all, value) => all * value, 1)
    const gameOf = (shared: number) => (of: Leg[]): number => of[0]!.game < 0
      ? product(of.map((leg) => given(leg, shared, 1 - CATEGORY)))
      : mean((m) => product(of.map((leg) => given(leg, shared + Math.sqrt(GAME - CATEGORY) * m, 1 - GAME))))
    return mean((g) => product(groups(legs, (leg) => leg.category).map((category) => mean((c) => {
      const shared = Math.sqrt(ALL) * g + Math.sqrt(CATEGORY - ALL) * c
      return product(groups(category, (leg) => leg.game).map(gameOf(shared)))
    }))))
  }

  const probability = (legs: readonly Leg[]): number =>
    copulaProbability(legs.map(({ chance }) => chance), legs.flatMap((a) => legs.map((b) => between(a, b))), legs.length)

  const FIVE: readonly Leg[] = [
    { chance: 0.6, category: 0, game: 0 }, { chance: 0.45, category: 0, game: 0, isNo: true }, { chance: 0.7, category: 0, game: -1 },
    { chance: 0.3, category: 1, game: 1 }, { chance: 0.55, category: 1, game: 1 },
  ]

  it('are known in closed form where there are two', () => {
    expect(nested(FIVE.slice(0, 2))).toBeCloseTo(bivariateNormalCdf(normalQuantile(0.6), normalQuantile(0.45), -GAME), 8)
    expect(nested(FIVE.slice(1, 3))).toBeCloseTo(bivariateNormalCdf(normalQuantile(0.45), normalQuantile(0.7), -CATEGORY), 8)
    expect(nested(FIVE.slice(2, 4))).toBeCloseTo(bivariateNormalCdf(normalQuantile(0.7), normalQuantile(0.3), ALL), 8)
  })

  it.each([
    ['three', FIVE.slice(0, 3), 3e-4], ['four', FIVE.slice(1), 3e-4], ['five', FIVE, 3e-4], ['five in another order', FIVE.toReversed(), 3e-4],
    ['eight', [...FIVE, { chance: 0.8, category: 1, game: 1, isNo: true }, { chance: 0.5, category: 0, game: 2 }, { chance: 0.65, category: 0, game: 2 }], 1e-3],
  ] as const)('come together as the integral over their factors says: %s', (_, legs, within) => {
    expect(Math.abs(probability(legs) / nested(legs) - 1)).toBeLessThan(within)
  })

  it('are not those without the signs, nor those of one category', () => {
    expect(Math.abs(probability(FIVE.map((leg) => ({ ...leg, isNo: false }))) / nested(FIVE) - 1)).toBeGreaterThan(0.05)
    expect(Math.abs(probability(FIVE.map((leg) => ({ ...leg, category: 0 }))) / nested(FIVE) - 1)).toBeGreaterThan(0.005)
  })
})

describe('the least pivot', () => {
  it.each([[3, -0.5], [4, -1 / 3], [5, 1], [2, -1]])('of %d at %d is 0: they are on the edge', (n, r) => {
    expect(Math.abs(leastPivot(equal(n, r), n))).toBeLessThan(1e-12)
  })

  it.each([[3, -0.51], [4, -0.34], [2, -1.01], [2, 1.01]])('of %d at %d is below 0', (n, r) => {
    expect(leastPivot(equal(n, r), n)).toBeLessThan(-0.01)
  })

  it('sees what stands beside pivots that are 0', () => {
    expect(leastPivot([1, 0, 0, 0, 0, 0.5, 0, 0.5, 0], 3)).toBe(-0.5)
    expect(leastPivot([1, 0, 0, 0, 0, 0, 0, 0, 0], 3)).toBe(0)
  })
})

describe('the copula', () => {
  it('multiplies events that have nothing to do with each other', () => {
    expect(copulaProbability([0.3, 0.5, 0.7], equal(3, 0), 3)).toBeCloseTo(0.105, 15)
    expect(copulaProbability([0.42], [1], 1)).toBe(0.42)
  })

  it('knows signs that no factor has', () => {
    // Two of three pairs at 0.3 and one at −0.3: Sheppard with asin 0.3 twice and once less.
    expect(copulaProbability(times(3, 0.5), [1, 0.3, 0.3, 0.3, 1, -0.3, 0.3, -0.3, 1], 3)).toBeCloseTo(0.125 + Math.asin(0.3) / (4 * Math.PI), 4)
  })

  it('multiplies groups', () => {
    // Two even events at ½: 1/3. Another pair at −½: ¼ − 1/12 = 1/6.
    const rows = [1, 0, 0.5, 0, 0, 1, 0, -0.5, 0.5, 0, 1, 0, 0, -0.5, 0, 1]
    expect(copulaProbability(times(4, 0.5), rows, 4)).toBeCloseTo(1 / 18, 13)
  })

  it('finds groups through a chain', () => {
    // 0 and 2 are tied by 1 alone: Sheppard with asin ½ twice and asin 0.
    expect(copulaProbability(times(3, 0.5), [1, 0.5, 0, 0.5, 1, 0.5, 0, 0.5, 1], 3)).toBeCloseTo(0.125 + (2 * Math.asin(0.5)) / (4 * Math.PI), 4)
  })

  it('turns the sign of a correlation for the opposite of an event', () => {
    fc.assert(fc.property(
      fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 2, maxLength: 5 }), fc.double({ min: 0, max: 0.9, noNaN: true }),
      (chances, r) => {
        const n = chances.length
        const signs = chances.map((_, i) => (i === 0 ? -1 : 1))
        const all = copulaProbability(chances, equal(n, r), n)
        const turned = copulaProbability([1 - chances[0]!, ...chances.slice(1)], flipped(equal(n, r), n, signs), n)
        const others = copulaProbability(chances.slice(1), equal(n - 1, r), n - 1)
        expect(Math.abs(all + turned - others)).toBeLessThan(1e-9)
      },
    ))
  })

  it('has the events at 1 together as often as the rarest', () => {
    expect(copulaProbability([0.6, 0.3, 0.8], equal(3, 1), 3)).toBeCloseTo(0.3, 12)
  })
})

describe('a tied uniform', () => {
  it('is the uniform at no correlation, and the factor’s at 1', () => {
    for (const u of [0.001, 0.3, 0.5, 0.97]) expect(tiedUniform(u, 1.7, 0)).toBeCloseTo(u, 14)
    expect(tiedUniform(0.3, normalQuantile(0.8), 1)).toBeCloseTo(0.8, 14)
    expect(tiedUniform(0, 1, 0.5)).toBe(0)
  })

  it('is uniform again over even factors and uniforms', () => {
    const n = 400
    for (const below of [0.1, 0.5, 0.8]) {
      let count = 0
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (tiedUniform((i + 0.5) / n, normalQuantile((j + 0.5) / n), 0.3) < below) count++
      expect(Math.abs(count / (n * n) - below)).toBeLessThan(0.002)
    }
  })
})
