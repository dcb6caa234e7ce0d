import { bivariateNormalCdf } from '../math/bivariateNormal.ts'
import { copulaProbability } from '../math/copula.ts'
import { leastPivot, PIVOT_TOLERANCE } from '../math/correlation.ts'
import { normalCdf as cdf, normalQuantile as quantile } from '../math/normal.ts'
import { normalOrthant as orthant } from '../math/normalOrthant.ts'
import type { Share } from './quantities.ts'
import { type Method, refuse, shownValue } from './refuse.ts'
import { VIEW_LEGS_MAX } from './views.ts'

/** How n variables are correlated: one number for every pair, or n · n numbers in rows, of which `i * n + j` is that of i and j, and 1 where i is j. */
export type Correlation = number | ArrayLike<number>

/** The numbers of a list, each read once. Refuses what is no list of them. `what` says what each is, and `isOne` tells one. */
export function numbersOf(argument: string, given: ArrayLike<number>, isOne: (value: number) => boolean, what: string, method: Method): number[] {
  const length: unknown = typeof given === 'object' && given !== null ? given.length : undefined
  if (!(typeof length === 'number' && Number.isInteger(length) && length >= 0 && length <= VIEW_LEGS_MAX * VIEW_LEGS_MAX)) refuse(`${argument} is a list of numbers, not ${given === null ? 'null' : typeof given}`, method)
  const numbers: number[] = []
  for (let i = 0; i < length; i++) {
    const value = given[i]
    if (!(typeof value === 'number' && isOne(value))) refuse(`${argument}[${i}] is ${what}, not ${shownValue(value)}`, method)
    numbers.push(value)
  }
  return numbers
}

const PROBABILITY = 'a probability within 0 … 1'
export const isProbability = (value: number): boolean => value >= 0 && value <= 1
const isBound = (value: number): boolean => !Number.isNaN(value)
const isCorrelation = (value: number): boolean => value >= -1 && value <= 1

function checkNumber(argument: string, value: number, isOne: (value: number) => boolean, what: string, method: Method): void {
  if (!(typeof value === 'number' && isOne(value))) refuse(`${argument} is ${what}, not ${shownValue(value)}`, method)
}

function checkCount(argument: string, n: number, method: Method): void {
  if (n > VIEW_LEGS_MAX) refuse(`${argument} has ${VIEW_LEGS_MAX} numbers at most, not ${n}`, method)
}

/** The correlations of n variables in rows. Refuses those that no variables have. */
function rowsOf(correlation: Correlation, n: number, method: Method): number[] {
  const rows = typeof correlation === 'number' ? equalRows(correlation, n, method) : givenRows(correlation, n, method)
  const least = leastPivot(rows, n)
  if (least < -n * PIVOT_TOLERANCE) {
    refuse(`no ${n} variables have this correlation: the matrix is not positive semidefinite, its least pivot is ${least.toPrecision(3)}`, method)
  }
  return rows
}

function equalRows(correlation: number, n: number, method: Method): number[] {
  checkNumber('correlation', correlation, isCorrelation, 'a correlation within −1 … 1', method)
  return Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : correlation))
}

function givenRows(correlation: ArrayLike<number>, n: number, method: Method): number[] {
  const rows = numbersOf('correlation', correlation, isCorrelation, 'a correlation within −1 … 1', method)
  if (rows.length !== n * n) refuse(`correlation has a number for each pair of ${n}, which are ${n * n} in rows, not ${rows.length}`, method)
  for (let i = 0; i < n; i++) {
    if (rows[i * n + i] !== 1) refuse(`correlation[${i * n + i}] is that of variable ${i} and itself, which is 1, not ${rows[i * n + i]}`, method)
    for (let j = 0; j < i; j++) {
      if (rows[i * n + j] !== rows[j * n + i]) refuse(`correlation[${i * n + j}] and correlation[${j * n + i}] are of the same pair, and differ: ${rows[i * n + j]} and ${rows[j * n + i]}`, method)
    }
  }
  return rows
}

/** The rows of some of n variables. */
const rowsAmong = (rows: readonly number[], n: number, among: readonly number[]): number[] => among.flatMap((i) => among.map((j) => rows[i * n + j]!))

/**
 * Probability that all events happen, 0…1, under a Gaussian copula: event i is Zᵢ < Φ⁻¹(`probabilities[i]`), and the Z are jointly normal with
 * this correlation (D. X. Li, Journal of Fixed Income 9, 2000). A leg on NO is the opposite of its market's event: give its own probability,
 * and turn the sign of its correlations. Up to 64 events. Events that are tied by one correlation, but for its sign, are integrated over their
 * common factor, within 10⁻⁹ up to eight. Others go over a fixed lattice, with the errors of `normalOrthant`. Throws when a probability is none,
 * and when no events have this correlation.
 */
export function jointProbability(probabilities: ArrayLike<number>, correlation: Correlation): Share {
  const given = numbersOf('probabilities', probabilities, isProbability, PROBABILITY, jointProbability)
  checkCount('probabilities', given.length, jointProbability)
  const rows = rowsOf(correlation, given.length, jointProbability)
  if (given.includes(0)) return 0
  const open = given.flatMap((chance, i) => (chance < 1 ? [i] : []))
  return copulaProbability(open.map((i) => given[i]!), rowsAmong(rows, given.length, open), open.length)
}

/**
 * P(Xᵢ < `bounds[i]` for all i) of up to 64 standard normal variables with this correlation (A. Genz, J. Comput. Graph. Statist. 1, 1992). Two
 * are computed as in `bivariateNormal`. More go over a lattice that is the same at each call: with equal correlations the relative error is below
 * 3·10⁻⁴ for up to five, 10⁻³ for eight, and 2·10⁻² for sixteen where their probability is at least 10⁻⁴. Throws when a bound is NaN, and when no
 * variables have this correlation.
 */
export function normalOrthant(bounds: ArrayLike<number>, correlation: Correlation): Share {
  const given = numbersOf('bounds', bounds, isBound, 'a number', normalOrthant)
  checkCount('bounds', given.length, normalOrthant)
  const rows = rowsOf(correlation, given.length, normalOrthant)
  if (given.includes(-Infinity)) return 0
  const open = given.flatMap((bound, i) => (bound < Infinity ? [i] : []))
  return orthant(open.map((i) => given[i]!), rowsAmong(rows, given.length, open), open.length)
}

/**
 * P(X < `h`, Y < `k`) of two standard normal variables with correlation `rho`, −1…1, within 10⁻¹⁴ (Z. Drezner and G. O. Wesolowsky, J. Statist.
 * Comput. Simul. 35, 1990). Two even events come together with ¼ + asin(`rho`)/2π (W. F. Sheppard, 1899). Throws when an argument is NaN or `rho`
 * lies outside.
 */
export function bivariateNormal(h: number, k: number, rho: number): Share {
  checkNumber('h', h, isBound, 'a number', bivariateNormal)
  checkNumber('k', k, isBound, 'a number', bivariateNormal)
  checkNumber('rho', rho, isCorrelation, 'a correlation within −1 … 1', bivariateNormal)
  return bivariateNormalCdf(h, k, rho)
}

/** P(X < `x`) of a standard normal variable, to a few units of the last digit (W. J. Cody, Math. Comp. 23, 1969). Throws when `x` is NaN. */
export function normalCdf(x: number): Share {
  checkNumber('x', x, isBound, 'a number', normalCdf)
  return cdf(x)
}

/** The x with P(X < x) = `probability` of a standard normal variable, −Infinity at 0 and Infinity at 1 (M. J. Wichura, Applied Statistics 37, 1988). Throws outside of 0…1. */
export function normalQuantile(probability: Share): number {
  checkNumber('probability', probability, isProbability, PROBABILITY, normalQuantile)
  return quantile(probability)
}
