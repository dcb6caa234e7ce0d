/** A pivot no further than this below 0 counts as rounding. */
export const PIVOT_TOLERANCE = 1e-12

/**
 * Least pivot of the symmetric n × n matrix in rows (`rows[i * n + j]`), by elimination with the largest remaining pivot first. The
 * matrix is positive semidefinite exactly when the least pivot is not below 0 (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, 2nd ed., section 10.3). When the largest remaining pivot is 0 and an entry is not, the result is minus the largest entry.
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
      // No pivot is left. In a semidefinite matrix all remaining entries are then 0.
      for (const i of open) for (const j of open) least = Math.min(least, i === j ? left[i * n + j]! : 0 - Math.abs(left[i * n + j]!))
      return least
    }
    least = Math.min(least, pivot)
    open.splice(at, 1)
    for (const i of open) for (const j of open) left[i * n + j]! -= (left[i * n + k]! * left[k * n + j]!) / pivot
  }
  return least
}
