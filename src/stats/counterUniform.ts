import { fnv1a } from '../unit/fnv1a.ts'

/** A uniform number in [0, 1) by its index: the same index always gives the same number. */
export type Uniform = (index: number) => number

const WORD = 2 ** 32

/**
 * Uniform numbers keyed by a text, for resampling: a 32-bit counter hash (the `lowbias32` finalizer of C. Wellons, twice,
 * with a key of 64 bits). Figures keyed by their own names do not depend on the order in which they are calculated.
 */
export function counterUniform(key: string): Uniform {
  const key0 = scramble(fnv1a(key))
  const key1 = scramble(fnv1a(key, 0x9e3779b9))
  return (index) => {
    const high = Math.floor(index / WORD)
    return (scramble(scramble((index + key0) | 0) ^ key1 ^ Math.imul(high, 0x85ebca6b)) >>> 0) / WORD
  }
}

function scramble(word: number): number {
  let x = word
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
