import { exactSum } from '../math/sum.ts'

/** Steps of a bisection after which its ends are neighbours. */
const HALVINGS = 200

/**
 * The growth-optimal multiple of equally likely returns: the f ≥ 0 at which the mean of log(1 + f·r) is highest (J. L. Kelly, Bell System
 * Technical Journal 35, 1956). A return is a profit over the capital. A book f times as large grows the capital fastest. 0 where the mean return is not
 * above 0. NaN without a return below 0, since then no multiple is too large. The mean of the logarithm is concave, so f is where its derivative is 0.
 */
export function growthOptimal(returns: ArrayLike<number>): number {
  const all = Array.from(returns)
  const worst = all.reduce((least, r) => Math.min(least, r), 0)
  if (!(worst < 0)) return NaN
  if (!(exactSum(all) > 0)) return 0
  /** Its sign is that of the derivative at f. */
  const slope = (f: number): number => exactSum(all.map((r) => r / (1 + f * r)))
  // At 1/−worst the worst return would take all of the capital.
  let [low, high] = [0, -1 / worst]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) break
    if (slope(middle) > 0) low = middle
    else high = middle
  }
  return low + (high - low) / 2
}
