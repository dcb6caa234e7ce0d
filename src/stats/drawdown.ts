/** The largest fall below an earlier peak, max(peak − value), in the unit of the values. 0 for a path that never falls. */
export function maxDrawdown(path: Iterable<number>): number {
  let peak = -Infinity
  let worst = 0
  for (const value of path) {
    if (value > peak) peak = value
    else if (peak - value > worst) worst = peak - value
  }
  return worst
}
