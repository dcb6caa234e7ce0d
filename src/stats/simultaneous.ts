import { LEVEL } from './interval.ts'
import { meanBounds } from './clusterInterval.ts'

/** The interval and the p-value of one mean that was picked from many. */
export interface PickedMean {
  readonly low: number
  readonly high: number
  /** Of a zero mean. */
  readonly p: number
}

/**
 * The interval of a mean that was picked from `among` means, skewness-adjusted as every interval of clusters is, at the level that
 * Bonferroni's inequality leaves to each of them (O. J. Dunn, JASA 56, 1961). Where each interval holds at its level, all of
 * them hold together with 95 %, and so the interval of the picked mean does, by whatever rule it was picked. Undefined for fewer than two values, and
 * for values that are all alike, which say nothing of their error.
 */
export function pickedMean(values: ArrayLike<number>, among: number): PickedMean | undefined {
  const bounds = meanBounds(values, (1 - LEVEL) / (2 * among))
  return bounds === undefined ? undefined : { ...bounds, p: Math.min(1, among * bounds.p) }
}
