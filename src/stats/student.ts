import { exp } from '../math/exp.ts'
import { log } from '../math/log.ts'
import { normalQuantile } from '../math/normal.ts'
import { assert } from '../unit/assert.ts'

const STEPS_MAX = 500
const TINY = 1e-300
const EPSILON = 2 ** -52

/**
 * P(|T| > t) for Student's distribution with a whole number of degrees of freedom ν: the regularised incomplete beta function
 * I_x(ν/2, ½) at x = ν/(ν + t²) (Abramowitz and Stegun 26.7.1).
 */
export function studentTwoSided(t: number, degrees: number): number {
  checkDegrees(degrees)
  if (t === Infinity || t === -Infinity) return 0
  const a = degrees / 2
  const squared = t * t
  const x = degrees / (degrees + squared)
  const y = squared / (degrees + squared)
  if (y === 0) return 1
  // x^a · y^½ / B(a, ½), common to both continued fractions.
  const front = (exp(-a * log(1 + squared / degrees)) * Math.sqrt(y)) / betaWithHalf(degrees)
  return x < (a + 1) / (a + 2.5) ? (front * fraction(a, 0.5, x)) / a : 1 - (front * fraction(0.5, a, y)) / 0.5
}

/** The quantile of Student's distribution with ν degrees of freedom at probability p in (0, 1). */
export function studentQuantile(p: number, degrees: number): number {
  assert(p > 0 && p < 1, `no quantile of Student's distribution at ${p}`)
  checkDegrees(degrees)
  if (p < 0.5) return -studentQuantile(1 - p, degrees)
  if (p === 0.5) return 0
  const tail = 2 * (1 - p)
  let high = Math.max(1, normalQuantile(p))
  while (studentTwoSided(high, degrees) > tail) high *= 2
  let low = 0
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return middle
    if (studentTwoSided(middle, degrees) > tail) low = middle
    else high = middle
  }
}

const checkDegrees = (degrees: number): void => {
  assert(Number.isSafeInteger(degrees) && degrees >= 1, `Student's distribution has no ${degrees} degrees of freedom here`)
}

/** B(ν/2, ½), from B(½, ½) = π and B(1, ½) = 2 by B(a + 1, ½) = B(a, ½) · a/(a + ½). */
function betaWithHalf(degrees: number): number {
  let beta = degrees % 2 === 1 ? Math.PI : 2
  for (let a = degrees % 2 === 1 ? 0.5 : 1; a < degrees / 2; a++) beta *= a / (a + 0.5)
  return beta
}

/** The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's method. */
function fraction(a: number, b: number, x: number): number {
  const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    const step = d * c
    value *= step
    if (Math.abs(step - 1) <= EPSILON) break
  }
  return value
}
