import { assert } from '../unit/assert.ts'
import { exactSum } from '../math/sum.ts'

/** With fewer outcomes the 99 % shortfall is the worst of them, and says nothing of a tail. */
export const SHORTFALL_OUTCOMES_MIN = 100

/**
 * Mean loss in the worst 1 − level of equally likely outcomes, which are profits. The outcome in which the tail ends
 * counts by its share. With up to 1/(1 − level) outcomes the result is the worst of them, without outcomes NaN.
 */
export function expectedShortfall(profits: ArrayLike<number>, level = 0.99): number {
  assert(level >= 0 && level < 1, `no tail at level ${level}`)
  const n = profits.length
  if (n === 0) return NaN
  const ascending = Float64Array.from(profits).sort()
  const share = Math.max((1 - level) * n, Number.MIN_VALUE)
  const whole = Math.floor(share)
  // A tail shorter than one outcome lies within the worst outcome.
  if (whole === 0) return 0 - ascending[0]!
  const terms = Array.from(ascending.subarray(0, whole))
  if (whole < n) terms.push(ascending[whole]! * (share - whole))
  return 0 - exactSum(terms) / share
}
