import { type Interval, withoutInterval } from '../stats/interval.ts'

/**
 * The least count, on each side, of what a conditional figure rests on: fills of a mark-out, won and lost quotes of a curse, declined and
 * confirmed selections of an asymmetry, committed versions, bids of an edge, quotes of a bin. Of 20 the mean of a
 * quantity that varies by 10 ¢ has a standard error of 2.2 ¢, and a share of one half one of 11 points.
 */
export const ENOUGH = 20

/** The figure as it is shown: undefined where a count is under `ENOUGH`, with a label that says which. */
export function ifEnough(interval: Interval, counts: Readonly<Record<string, number>>): Interval {
  const few = Object.entries(counts).filter(([, count]) => count < ENOUGH)
  if (interval.estimate === null || few.length === 0) return interval
  return withoutInterval(NaN, interval.count, `${few.map(([what, count]) => `${count} ${what}`).join(', ')}: fewer than ${ENOUGH}`)
}
