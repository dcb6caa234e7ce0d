/** Pivots this far below 0 are rounding. */
export const PIVOT_TOLERANCE = 1e-12

/**
 * Least pivot of the symmetric n × n matrix in rows (`rows[i * n + j]`) by elimination with the largest remaining pivot first: the
 * matrix is positive semidefinite exactly when it is not below 0 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * section 10.3). Where the largest remaining pivot is 0 and a row is not, minus the largest such entry.
 */
export function leastPivot(rows: ArrayLike<number>, n: number): number {
  const left = Float64Array.from(rows)
  const open = Array.from({ length: n }, (_, i) => i)
  let least = Infinity
  while (open.length > 0) {
    let at = 0
    for (let i = 1; i < open.length; i++) if (left[open[i]! * n + open[i]!]! > left[open[at]! * n + open[at]!]!) at = i
    const k = open[at]!
    const pivot = left[k * n + k]!
    if (pivot <= PIVOT_TOLERANCE) {
      // No pivot is left: of a semidefinite matrix nothing is.
      for (const i of open) for (const j of open) least = Math.min(least, i === j ? left[i * n + j]! : 0 - Math.abs(left[i * n + j]!))
      return least
    }
    least = Math.min(least, pivot)
    open.splice(at, 1)
    for (const i of open) for (const j of open) left[i * n + j]! -= (left[i * n + k]! * left[k * n + j]!) / pivot
  }
  return least
}
