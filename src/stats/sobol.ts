import { assert } from '../unit/assert.ts'
import type { Uniform } from './counterUniform.ts'

/** Most dimensions of a point. */
export const SOBOL_DIMENSIONS_MAX = 21

const BITS = 32
const WORD = 2 ** 32

/**
 * Degree and inner coefficients of a primitive polynomial over GF(2), and the first direction numbers m₁ … of a dimension,
 * from the second on: the file new-joe-kuo-6.21201 of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
 * two-dimensional projections", SIAM J. Sci. Comput. 30 (2008). The first dimension is van der Corput's sequence.
 */
const JOE_KUO: readonly { readonly degree: number; readonly inner: number; readonly first: readonly number[] }[] = [
  { degree: 1, inner: 0, first: [1] },
  { degree: 2, inner: 1, first: [1, 3] },
  { degree: 3, inner: 1, first: [1, 3, 1] },
  { degree: 3, inner: 2, first: [1, 1, 1] },
  { degree: 4, inner: 1, first: [1, 1, 3, 3] },
  { degree: 4, inner: 4, first: [1, 3, 5, 13] },
  { degree: 5, inner: 2, first: [1, 1, 5, 5, 17] },
  { degree: 5, inner: 4, first: [1, 1, 5, 5, 5] },
  { degree: 5, inner: 7, first: [1, 1, 7, 11, 19] },
  { degree: 5, inner: 11, first: [1, 1, 5, 1, 1] },
  { degree: 5, inner: 13, first: [1, 1, 1, 3, 11] },
  { degree: 5, inner: 14, first: [1, 3, 5, 5, 31] },
  { degree: 6, inner: 1, first: [1, 3, 3, 9, 7, 49] },
  { degree: 6, inner: 13, first: [1, 1, 1, 15, 21, 21] },
  { degree: 6, inner: 16, first: [1, 3, 1, 13, 27, 49] },
  { degree: 6, inner: 19, first: [1, 1, 1, 15, 7, 5] },
  { degree: 6, inner: 22, first: [1, 3, 1, 15, 13, 25] },
  { degree: 6, inner: 25, first: [1, 1, 5, 5, 19, 61] },
  { degree: 7, inner: 1, first: [1, 3, 7, 11, 23, 15, 103] },
  { degree: 7, inner: 4, first: [1, 3, 7, 13, 13, 15, 69] },
]

/**
 * The point with that index, from 0, of the Sobol sequence in [0, 1)^dimensions, in the order of the Gray code as Joe and
 * Kuo's own program gives it. The first 2ᵏ points fill every dimension evenly. Point 0 is the origin. `shift` moves all
 * points by a digital shift, which is the same for every point and differs by dimension. The points stay even, no
 * point is bound to lie on the border, and several keys give independent designs.
 *
 * @param index below 2³²
 */
export function sobolPoint(index: number, dimensions: number, shift?: Uniform): Float64Array {
  assert(Number.isInteger(index) && index >= 0 && index < WORD, `no point ${index} of a Sobol sequence`)
  assert(dimensions >= 1 && dimensions <= SOBOL_DIMENSIONS_MAX, `no Sobol sequence in ${dimensions} dimensions`)
  const gray = (index ^ (index >>> 1)) >>> 0
  return Float64Array.from({ length: dimensions }, (_, dimension) => {
    let word = shift === undefined ? 0 : Math.floor(shift(dimension) * WORD)
    const directions = directionsOf(dimension)
    for (let bit = 0; bit < BITS; bit++) {
      if (((gray >>> bit) & 1) === 1) word ^= directions[bit]!
    }
    return (word >>> 0) / WORD
  })
}

const known: Uint32Array[] = []

/** Direction numbers as binary fractions of 32 bits: v_k = m_k · 2^(32 − k). */
function directionsOf(dimension: number): Uint32Array {
  return (known[dimension] ??= dimension === 0 ? Uint32Array.from({ length: BITS }, (_, k) => 1 << (BITS - 1 - k)) : recurrence(JOE_KUO[dimension - 1]!))
}

/** v_k = a₁v_{k−1} ⊕ … ⊕ a_{s−1}v_{k−s+1} ⊕ v_{k−s} ⊕ v_{k−s}/2ˢ, with the inner coefficients a₁ … a_{s−1}, highest first. */
function recurrence({ degree, inner, first }: (typeof JOE_KUO)[number]): Uint32Array {
  const directions = new Uint32Array(BITS)
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      directions[k] = first[k]! << (BITS - 1 - k)
      continue
    }
    let word = directions[k - degree]! ^ (directions[k - degree]! >>> degree)
    for (let j = 1; j < degree; j++) {
      if (((inner >>> (degree - 1 - j)) & 1) === 1) word ^= directions[k - j]!
    }
    directions[k] = word
  }
  return directions
}
