import { normalQuantile } from '../math/normal.ts'
import { assert } from '../unit/assert.ts'
import { type Interval, LEVEL, withoutInterval } from './interval.ts'

const Z = normalQuantile(0.5 + LEVEL / 2)

/**
 * Wilson's score interval of a proportion, without continuity correction (E. B. Wilson, JASA 22, 1927; method 3 of
 * R. G. Newcombe, Statistics in Medicine 17, 1998). It takes the trials as independent: use clusters where they are not.
 */
export function wilson(successes: number, trials: number): Interval {
  assert(successes >= 0 && successes <= trials, `${successes} successes in ${trials} trials`)
  if (trials === 0) return withoutInterval(NaN, 0, 'no trials')
  const p = successes / trials
  const z2 = Z * Z
  const middle = successes + z2 / 2
  const half = Z * Math.sqrt(successes * (1 - p) + z2 / 4)
  const low = successes === 0 ? 0 : (middle - half) / (trials + z2)
  const high = successes === trials ? 1 : (middle + half) / (trials + z2)
  const label = `Wilson, trials taken as independent: ${trials}`
  return { estimate: p, low, high, level: LEVEL, count: trials, label }
}
