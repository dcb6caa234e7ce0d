/** Indices of p-values, the smallest first. Equal p-values keep their order. */
const ascending = (p: ArrayLike<number>): number[] => Array.from(p, (_, i) => i).toSorted((a, b) => p[a]! - p[b]! || a - b)

/**
 * Adjusted p-values of the step-down procedure of S. Holm (Scandinavian Journal of Statistics 6, 1979): comparing each with α
 * keeps the probability of any false rejection at α, however the tests depend on each other.
 */
export function holm(p: ArrayLike<number>): Float64Array {
  const adjusted = new Float64Array(p.length)
  let least = 0
  for (const [rank, i] of ascending(p).entries()) {
    least = Math.max(least, Math.min(1, (p.length - rank) * p[i]!))
    adjusted[i] = least
  }
  return adjusted
}

/**
 * Adjusted p-values of the step-up procedure of Y. Benjamini and Y. Hochberg (JRSS B 57, 1995): comparing each with α keeps the
 * expected share of false rejections among all rejections at α, for independent or positively dependent tests.
 */
export function benjaminiHochberg(p: ArrayLike<number>): Float64Array {
  const adjusted = new Float64Array(p.length)
  let most = 1
  for (const [rank, i] of [...ascending(p).entries()].toReversed()) {
    most = Math.min(most, (p.length / (rank + 1)) * p[i]!)
    adjusted[i] = most
  }
  return adjusted
}
