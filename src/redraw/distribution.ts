import { exactSum } from '../math/sum.ts'
import { quantile } from '../stats/quantile.ts'
import { assert } from '../unit/assert.ts'

/** A figure with the standard error that it has because outcomes were drawn. */
export interface Drawn {
  readonly value: number
  readonly error: number
}

/** How a profit is distributed over redraws. Money is in microUSDC, rounded to it. */
export interface Distribution {
  readonly mean: Drawn
  readonly sd: number
  /** The profits that these shares of the redraws do not exceed. */
  readonly quantiles: readonly { readonly share: number; readonly micros: number }[]
  /** The middle 95%. */
  readonly range: readonly [low: number, high: number]
  /** Mean profit of the worst redraws, which is below zero where they lose. */
  readonly shortfall: readonly (Drawn & { readonly level: number })[]
  /** Share of redraws with a loss. */
  readonly lossShare: Drawn
  /** Share of redraws with less than the recorded profit. A redraw with the same profit counts half. */
  readonly percentile: number
  /** The worst redraw, and its number. */
  readonly worst: { readonly micros: number; readonly redraw: number }
}

const SHARES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const
const LEVELS = [0.95, 0.99] as const
const MIDDLE = [0.025, 0.975] as const

/** @param profits microUSDC, one a redraw. @param recordedMicros the profit of the recorded night. */
export function distributionOf(profits: Float64Array, recordedMicros: number): Distribution {
  const n = profits.length
  assert(n > 1, 'a distribution has two redraws or more')
  const ascending = profits.toSorted()
  const mean = exactSum(ascending) / n
  const sd = Math.sqrt(squaresAbout(ascending, mean) / (n - 1))
  const at = (share: number): number => Math.round(quantile(ascending, share))
  const [below, notAbove] = [firstAbove(ascending, recordedMicros, false), firstAbove(ascending, recordedMicros, true)]
  return {
    mean: { value: Math.round(mean), error: Math.round(sd / Math.sqrt(n)) }, sd: Math.round(sd),
    quantiles: SHARES.map((share) => ({ share, micros: at(share) })), range: [at(MIDDLE[0]), at(MIDDLE[1])],
    shortfall: LEVELS.map((level) => ({ level, ...shortfallOf(ascending, level) })),
    lossShare: shareOf(firstAbove(ascending, 0, false), n), percentile: (below + notAbove) / 2 / n,
    worst: { micros: ascending[0]!, redraw: profits.indexOf(ascending[0]!) },
  }
}

/** A share of redraws, with its standard error. */
export const shareOf = (count: number, of: number): Drawn => ({ value: count / of, error: Math.sqrt((count / of) * (1 - count / of) / of) })

/**
 * Mean of the worst 1 − level of equally likely profits. The profit in which the tail ends counts by its share. The standard error has the variance
 * within the tail and that of the bound of the tail (B. J. Manistre and G. H. Hancock, North American Actuarial Journal 9, 2005).
 */
function shortfallOf(ascending: Float64Array, level: number): Drawn {
  const share = (1 - level) * ascending.length
  const whole = Math.min(ascending.length, Math.floor(share + 1e-9))
  const tail = ascending.subarray(0, Math.max(1, whole))
  const rest = Math.max(0, share - tail.length)
  const bound = ascending[Math.min(ascending.length - 1, tail.length)]!
  const value = (exactSum(tail) + rest * bound) / (tail.length + rest)
  const within = squaresAbout(tail, value) / tail.length
  return { value: Math.round(value), error: Math.round(Math.sqrt((within + level * (bound - value) ** 2) / tail.length)) }
}

const squaresAbout = (values: Float64Array, centre: number): number => exactSum(values.map((value) => (value - centre) ** 2))

/** How many of ascending numbers lie below a bound, or with `isEqualToo` at it or below. */
function firstAbove(ascending: Float64Array, bound: number, isEqualToo: boolean): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < bound || (isEqualToo && ascending[middle] === bound)) low = middle + 1
    else high = middle
  }
  return low
}
