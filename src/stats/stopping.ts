import { assert } from '../unit/assert.ts'
import type { Interval } from './interval.ts'

/**
 * When to stop adding replications: at the first look at which an interval is as narrow as wanted.
 *
 * Looking several times and stopping when the error happens to look small covers less than 95 %: an interval that stops a run
 * rests on an error that is rather underestimated (Y. S. Chow and H. Robbins, Annals of Mathematical Statistics 36, 1965: the
 * coverage is right in the limit of narrow intervals only). Two guards keep that small: no look before `least` replications, and few
 * looks, whose numbers grow geometrically. Looks are at fixed numbers, in replication order, whatever finished first, so
 * that the same tasks stop at the same place (design.md, decision 15).
 */
export interface StoppingRule {
  /** Wanted width of the interval, high − low, in the unit of the figure. */
  readonly width: number
  /** Replications before the first look. */
  readonly least: number
  /** Each look is at about so many times the replications of the one before; above 1. */
  readonly growth: number
  /** Replications at which it ends, narrow or not. */
  readonly most: number
}

export const LEAST_REPLICATIONS = 8
export const GROWTH = 1.5

/** The numbers of replications at which one looks, ascending; the last is `most`. */
export function looks({ least, growth, most }: StoppingRule): number[] {
  assert(least >= 1 && most >= 1 && growth > 1, 'looks grow from at least one replication')
  const at: number[] = []
  for (let next = Math.min(least, most); next < most; next = Math.max(next + 1, Math.ceil(next * growth))) at.push(next)
  return [...at, most]
}

/**
 * Whether an interval is as narrow as wanted. One that is missing never is, nor is one without width: where all that was seen is alike, as
 * of a share of which nothing happened yet, nothing tells how much the rest would differ.
 */
export const isNarrow = ({ low, high }: Interval, width: number): boolean => low !== null && high !== null && high > low && high - low <= width

/** Where one stops, given the interval over the first so many replications, which is asked for at looks only. */
export function stopAt(rule: StoppingRule, intervalOf: (replications: number) => Interval): { readonly replications: number; readonly narrow: boolean } {
  for (const replications of looks(rule)) {
    if (isNarrow(intervalOf(replications), rule.width)) return { replications, narrow: true }
  }
  return { replications: rule.most, narrow: false }
}
