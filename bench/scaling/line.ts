/** How a cost grows when nothing bends it: not at all, or by as much with each. */
export type Growth = 'flat' | 'line'

export interface Measured {
  readonly size: number
  readonly cost: number
}

/**
 * What a cost would be if nothing bent it: where it stays the least of all sizes, else the straight line of the smaller half of them, of the
 * least relative squares, so that what bends it later stands out.
 *
 * @param measured by ascending size, at least one.
 */
export function straightLine(measured: readonly Measured[], growth: Growth): (size: number) => number {
  // The clock of a thread ticks in milliseconds: what took none of them tells nothing.
  const points = measured.filter(({ cost }) => cost > 0)
  const smaller = points.slice(0, Math.max(2, Math.ceil(points.length / 2)))
  if (growth === 'flat' || smaller.length < 2) {
    const least = Math.min(...points.map(({ cost }) => cost))
    return () => least
  }
  // Each point counts by 1 / cost²: a small size as much as a great one.
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
