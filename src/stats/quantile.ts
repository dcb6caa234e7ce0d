import { assert } from '../unit/assert.ts'

/**
 * Quantile of ascending numbers, linear between order statistics at (n − 1)p: type 7 of Hyndman and Fan (The American
 * Statistician 50, 1996), the default of R and NumPy. Without numbers it is NaN.
 */
export function quantile(ascending: ArrayLike<number>, p: number): number {
  assert(p >= 0 && p <= 1, `no quantile at ${p}`)
  const n = ascending.length
  if (n === 0) return NaN
  const at = (n - 1) * p
  const below = Math.floor(at)
  const low = ascending[below]!
  return below + 1 < n ? low + (at - below) * (ascending[below + 1]! - low) : low
}
