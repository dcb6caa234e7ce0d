import { normalOrthant, oneFactorOrthant } from './normalOrthant.ts'
import { normalCdf, normalQuantile } from './normal.ts'

/**
 * Probability that `n` events happen together under a Gaussian copula: event i is Zᵢ < Φ⁻¹(`chances[i]`), and Zᵢ and Zⱼ have the
 * correlation `rows[i * n + j]` (D. X. Li, Journal of Fixed Income 9, 2000). An event and its opposite differ in the sign of their
 * row and column. Probabilities of groups without correlation between them are multiplied. Where all pairs of a group have one
 * correlation except for its sign, the group is integrated over its factor, within 10⁻⁹ up to eight events. Other groups are
 * integrated over a lattice (normalOrthant.ts, which gives the errors).
 * @throws Error when the matrix of a group is not positive semidefinite, naming its least pivot.
 */
export function copulaProbability(chances: ArrayLike<number>, rows: ArrayLike<number>, n: number): number {
  const isTaken = new Uint8Array(n)
  let product = 1
  for (let first = 0; first < n; first++) {
    if (isTaken[first] === 1) continue
    product *= groupProbability(chances, rows, n, groupOf(rows, n, first, isTaken))
  }
  return product
}

/** The event `first` and all events that a chain of correlations ties to it. Marks them as taken. */
function groupOf(rows: ArrayLike<number>, n: number, first: number, isTaken: Uint8Array): number[] {
  const group = [first]
  isTaken[first] = 1
  for (let at = 0; at < group.length; at++) {
    for (let j = 0; j < n; j++) {
      if (isTaken[j] === 1 || rows[group[at]! * n + j] === 0) continue
      isTaken[j] = 1
      group.push(j)
    }
  }
  return group
}

function groupProbability(chances: ArrayLike<number>, rows: ArrayLike<number>, n: number, group: readonly number[]): number {
  const size = group.length
  if (size === 1) return chances[group[0]!]!
  const bounds = Float64Array.from(group, (i) => normalQuantile(chances[i]!))
  const own = new Float64Array(size * size)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) own[i * size + j] = rows[group[i]! * n + group[j]!]!
  const loadings = size === 2 ? null : oneFactorLoadings(own, size)
  return loadings === null ? normalOrthant(bounds, own, size) : oneFactorOrthant(bounds, loadings, size)
}

/** Loadings of a matrix with one factor, whose correlations differ in sign alone, each sign the product of two events' signs. Null for any other. */
function oneFactorLoadings(rows: Float64Array, n: number): Float64Array | null {
  const size = Math.abs(rows[1]!)
  const loadings = Float64Array.from({ length: n }, (_, i) => (i > 0 && rows[i]! < 0 ? -1 : 1) * Math.sqrt(size))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (rows[i * n + j] !== (loadings[i]! > 0 === loadings[j]! > 0 ? size : -size)) return null
    }
  }
  return loadings
}

/**
 * Gives a uniform number a share in a common factor: u′ = Φ(√ρ·`factor` + √(1 − ρ)·Φ⁻¹(`uniform`)). The result is uniform too. On the
 * normal scale its correlation with every other number made with this factor is ρ. At ρ = 0 it is `uniform`, except for rounding.
 */
export const tiedUniform = (uniform: number, factor: number, rho: number): number =>
  rho === 1 ? normalCdf(factor) : normalCdf(Math.sqrt(rho) * factor + Math.sqrt(1 - rho) * normalQuantile(uniform))
