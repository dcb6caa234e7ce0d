/** Every interval of parlor is a 95 % one (docs/metrics.md). */
export const LEVEL = 0.95

/** An estimate with its interval, and what the interval rests on. */
export interface Interval {
  /** null when the estimate is undefined, because there is nothing to divide by. */
  readonly estimate: number | null
  /** null when there is no interval. The label says why. */
  readonly low: number | null
  readonly high: number | null
  readonly level: number
  /** The clusters or trials that the interval rests on. */
  readonly count: number
  /** How many clusters or trials, and the method. */
  readonly label: string
}

/** An estimate that no interval can be given for. NaN stands for an undefined estimate. */
export const withoutInterval = (estimate: number, count: number, why: string): Interval => ({
  estimate: Number.isFinite(estimate) ? estimate : null, low: null, high: null, level: LEVEL, count, label: `${why}: no interval`,
})

/** The interval cut to the range that the figure can have; a cut interval covers no less. */
export const clipped = (interval: Interval, least: number, most: number): Interval => ({
  ...interval,
  low: interval.low === null ? null : Math.max(least, interval.low),
  high: interval.high === null ? null : Math.min(most, interval.high),
})
