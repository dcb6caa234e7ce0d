import { bivariateNormalCdf } from './bivariateNormal.ts'
import { leastPivot, PIVOT_TOLERANCE } from './correlation.ts'
import { normalCdf, normalDensity, normalQuantile } from './normal.ts'

/** Points of the lattice, a prime, and the generator of its directions. It was the best of 60 on equal correlations of 3 to 16 dimensions. */
const POINTS = 1021
const GENERATOR = 444
/** The shift leaves the midpoints, so that no folded coordinate is 0. */
const SHIFT = 0.25
/** Smallest uniform whose normal quantile is used. */
const TINY = 1e-300
const REACH = 8.5
/** Widest step of the trapezoidal rule, and the step per unit of the width over which the factor turns a probability. */
const STEP = 0.36
const STEP_PER_WIDTH = 0.45
/** A loading above this counts as 1. */
const WHOLE = 1 - 1e-6

/**
 * P(Xᵢ < bᵢ for all i) of standard normal Xᵢ = λᵢ·G + √(1 − λᵢ²)·εᵢ with one common factor G, so that Xᵢ and Xⱼ have the correlation
 * λᵢλⱼ. It is the integral over G of the product of conditional probabilities (C. W. Dunnett and M. Sobel, Biometrika 42, 1955), by
 * the trapezoidal rule, whose error for such functions falls faster than any power of the step: it is below 10⁻⁹ up to eight
 * variables and below 10⁻⁷ up to sixteen. Precondition: all |λᵢ| are 1, or none is.
 */
export function oneFactorOrthant(bounds: ArrayLike<number>, loadings: ArrayLike<number>, n: number): number {
  let steepest = 0
  for (let i = 0; i < n; i++) steepest = Math.max(steepest, Math.abs(loadings[i]!))
  if (steepest >= WHOLE) return factorWithin(bounds, loadings, n)
  const width = Math.sqrt((1 - steepest) * (1 + steepest)) / Math.max(steepest, 0.5)
  return wholeIntegral((g) => conditional(bounds, loadings, n, g), Math.min(STEP, STEP_PER_WIDTH * width))
}

/** The same probability where every variable is the factor or its opposite. */
function factorWithin(bounds: ArrayLike<number>, loadings: ArrayLike<number>, n: number): number {
  let low = -Infinity
  let high = Infinity
  for (let i = 0; i < n; i++) {
    if (loadings[i]! > 0) high = Math.min(high, bounds[i]!)
    else low = Math.max(low, -bounds[i]!)
  }
  if (low >= high) return 0
  return Math.max(0, high < -low ? normalCdf(high) - normalCdf(low) : normalCdf(-low) - normalCdf(-high))
}

/** Probability of the bounds given the factor. */
function conditional(bounds: ArrayLike<number>, loadings: ArrayLike<number>, n: number, g: number): number {
  let product = 1
  for (let i = 0; i < n && product > 0; i++) {
    const loading = loadings[i]!
    product *= normalCdf((bounds[i]! - loading * g) / Math.sqrt((1 - loading) * (1 + loading)))
  }
  return product
}

/** Mean of f over the standard normal distribution. */
function wholeIntegral(f: (g: number) => number, step: number): number {
  const half = Math.ceil(REACH / step)
  let sum = f(0) * normalDensity(0)
  for (let i = 1; i <= half; i++) sum += (f(i * step) + f(-i * step)) * normalDensity(i * step)
  return step * sum
}

/**
 * P(Xᵢ < bᵢ for all i) of standard normal Xᵢ with the correlations `rows[i * n + j]`, by separation of variables over a lattice
 * (A. Genz, J. Comput. Graph. Statist. 1, 1992), with the least likely bounds first (G. J. Gibson, C. A. Glasbey and D. A. Elston,
 * 1994). Two variables have a closed form. The lattice is Korobov's, folded, and the same at every call, so that no bit depends on the
 * machine. With equal correlations the relative error is below 3·10⁻⁴ for up to five variables, 10⁻³ for eight, and 2·10⁻² for sixteen
 * where their probability is at least 10⁻⁴.
 * @throws Error when the matrix is not positive semidefinite, naming its least pivot.
 */
export function normalOrthant(bounds: ArrayLike<number>, rows: ArrayLike<number>, n: number): number {
  if (n === 0) return 1
  const least = leastPivot(rows, n)
  if (least < -n * PIVOT_TOLERANCE) throw new Error(`no variables have these correlations: the matrix is not positive semidefinite, its least pivot is ${least.toPrecision(3)}`)
  if (n === 1) return normalCdf(bounds[0]!)
  if (n === 2) return bivariateNormalCdf(bounds[0]!, bounds[1]!, rows[1]!)
  const { lower, limits } = orderedFactor(bounds, rows, n)
  const drawn = new Float64Array(n)
  let sum = 0
  for (let point = 0; point < POINTS; point++) {
    let turn = point
    let chance = normalCdf(limits[0]! / lower[0]!)
    let product = chance
    for (let i = 1; i < n && product > 0; i++) {
      drawn[i - 1] = normalQuantile(Math.max(Math.abs((2 * (turn + SHIFT)) / POINTS - 1) * chance, TINY))
      turn = (turn * GENERATOR) % POINTS
      let left = limits[i]!
      for (let j = 0; j < i; j++) left -= lower[i * n + j]! * drawn[j]!
      const scale = lower[i * n + i]!
      chance = scale > 0 ? normalCdf(left / scale) : left >= -PIVOT_TOLERANCE ? 1 : 0
      product *= chance
    }
    sum += product
  }
  return sum / POINTS
}

/** Cholesky's factor of the correlations, and the bounds. They are ordered so that each next bound is the least likely of the rest. */
function orderedFactor(bounds: ArrayLike<number>, rows: ArrayLike<number>, n: number): { lower: Float64Array; limits: Float64Array } {
  const order = Array.from({ length: n }, (_, i) => i)
  const lower = new Float64Array(n * n)
  const means = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let best = i
    let leastChance = Infinity
    let bestScale = 0
    let bestLimit = 0
    for (let k = i; k < n; k++) {
      let variance = 1
      let limit = bounds[order[k]!]!
      for (let j = 0; j < i; j++) {
        variance -= lower[k * n + j]! * lower[k * n + j]!
        limit -= lower[k * n + j]! * means[j]!
      }
      // Variables that earlier ones determine come last.
      const scale = variance > 1e-10 ? Math.sqrt(variance) : 0
      const chance = scale > 0 ? normalCdf(limit / scale) : 2
      if (chance >= leastChance) continue
      leastChance = chance
      best = k
      bestScale = scale
      bestLimit = limit
    }
    swap(order, lower, n, i, best)
    lower[i * n + i] = bestScale
    means[i] = bestScale > 0 ? meanBelow(bestLimit / bestScale) : 0
    for (let k = i + 1; k < n; k++) {
      let covariance = rows[order[k]! * n + order[i]!]!
      for (let j = 0; j < i; j++) covariance -= lower[i * n + j]! * lower[k * n + j]!
      lower[k * n + i] = bestScale > 0 ? covariance / bestScale : 0
    }
  }
  return { lower, limits: Float64Array.from(order, (i) => bounds[i]!) }
}

function swap(order: number[], lower: Float64Array, n: number, i: number, k: number): void {
  if (i === k) return
  const moved = order[i]!
  order[i] = order[k]!
  order[k] = moved
  for (let j = 0; j < i; j++) {
    const cell = lower[i * n + j]!
    lower[i * n + j] = lower[k * n + j]!
    lower[k * n + j] = cell
  }
}

/** Mean of a standard normal variable given that it lies below x. */
function meanBelow(x: number): number {
  const chance = normalCdf(x)
  return chance > TINY ? -normalDensity(x) / chance : x
}
