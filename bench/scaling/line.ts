/** How a cost grows with the size without extra effects: not at all, or linearly. */
export type Growth = 'flat' | 'line'

export interface Measured {
  readonly size: number
  readonly cost: number
}

/**
 * The cost without extra effects. Where it stays constant, it is the least over all sizes. Otherwise it is the straight line through the
 * smaller half of the sizes with the least relative squares, so that later bends stand out.
 *
 * @param measured by ascending size, at least one.
 */
export function straightLine(measured: readonly Measured[], growth: Growth): (size: number) => number {
  // The clock of a thread ticks in milliseconds, so that a figure of 0 tells nothing.
  const points = measured.filter(({ cost }) => cost > 0)
  const smaller = points.slice(0, Math.max(2, Math.ceil(points.length / 2)))
  if (growth === 'flat' || smaller.length < 2) {
    const least = Math.min(...points.map(({ cost }) => cost))
    return () => least
  }
  // Each point counts by 1 / cost², so that a small size counts as much as a large one.
  let [weight, x, y, xx, xy] = [0, 0, 0, 0, 0]
  for (const { size, cost } of smaller) {
    const own = 1 / (cost * cost)
    weight += own
    x += own * size
    y += own * cost
    xx += own * size * size
    xy += own * size * cost
  }
  const slope = (weight * xy - x * y) / (weight * xx - x * x)
  const start = (y - slope * x) / weight
  return (size) => start + slope * size
}
