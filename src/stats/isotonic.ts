import { assert } from '../unit/assert.ts'

/**
 * The non-decreasing values with the least sum of squared distances to `values`: pool adjacent violators (M. Ayer and others,
 * Annals of Mathematical Statistics 26, 1955), with equal weights.
 */
export function isotonic(values: ArrayLike<number>): Float64Array {
  const pools: { mean: number; size: number }[] = []
  for (let i = 0; i < values.length; i++) {
    pools.push({ mean: values[i]!, size: 1 })
    while (pools.length > 1 && pools.at(-2)!.mean > pools.at(-1)!.mean) {
      const [low, high] = pools.splice(-2) as [{ mean: number; size: number }, { mean: number; size: number }]
      const size = low.size + high.size
      pools.push({ mean: (low.mean * low.size + high.mean * high.size) / size, size })
    }
  }
  return Float64Array.from(pools.flatMap(({ mean, size }) => Array.from({ length: size }, () => mean)))
}

/** Where a rising curve crosses zero. */
export interface Crossing {
  /** The place by linear interpolation, or the end of the grid when the crossing lies beyond it. */
  readonly at: number
  /** Whether the crossing lies within the grid, or before or after all of it. */
  readonly side: 'within' | 'below' | 'above'
}

/**
 * Where a curve that does not fall crosses from below zero to zero or more, from noisy values at ascending places. The curve is the
 * isotonic values, joined by lines. The crossing is `below` where they are nowhere negative, and `above` where they are everywhere.
 */
export function crossing(places: ArrayLike<number>, values: ArrayLike<number>): Crossing {
  assert(places.length === values.length && places.length > 0, 'a value at each place')
  const rising = isotonic(values)
  const first = rising.findIndex((value) => value >= 0)
  if (first === 0) return { at: places[0]!, side: 'below' }
  if (first < 0) return { at: places[places.length - 1]!, side: 'above' }
  const [low, high] = [rising[first - 1]!, rising[first]!]
  return { at: places[first - 1]! + ((places[first]! - places[first - 1]!) * -low) / (high - low), side: 'within' }
}
