import { assert } from '../unit/assert.ts'
import type { Interval } from './interval.ts'

/**
 * When to stop adding replications: at the first look at which an interval is as narrow as wanted.
 *
 * An interval that is looked at several times, until its error happens to look small, covers less than 95 %: where it stops, the
 * error is more often underestimated (Y. S. Chow and H. Robbins, Annals of Mathematical Statistics 36, 1965: the coverage is
 * right only in the limit of narrow intervals). Two guards keep the shortfall small: there is no look before `least` replications, and
 * looks are few, at numbers that grow geometrically. The numbers are fixed and count replications in their order, whichever
 * finished first, so that the same tasks stop at the same place (design.md, decision 15).
 */
export interface StoppingRule {
  /** Wanted width of the interval, high − low, in the unit of the figure. */
  readonly width: number
  /** Replications before the first look. */
  readonly least: number
  /** Each look is at about this many times the replications of the look before. Above 1. */
  readonly growth: number
  /** Replications at which the run ends even when the interval is not narrow. */
  readonly most: number
}

export const LEAST_REPLICATIONS = 8
export const GROWTH = 1.5

/** The numbers of replications at which one looks, ascending. The last is `most`. */
export function looks({ least, growth, most }: StoppingRule): number[] {
  assert(least >= 1 && most >= 1 && growth > 1, 'looks grow from at least one replication')
  const at: number[] = []
  for (let next = Math.min(least, most); next < most; next = Math.max(next + 1, Math.ceil(next * growth))) at.push(next)
  return [...at, most]
}

/**
 * Whether an interval is as narrow as wanted. A missing interval never is, and neither is one without width: where all values so far
 * are equal, as in a share of events that have not happened yet, nothing says how much later values would differ.
 */
export const isNarrow = ({ low, high }: Interval, width: number): boolean => low !== null && high !== null && high > low && high - low <= width

/** The number of replications at which to stop. `intervalOf` gives the interval over the first replications and is called at looks only. */
export function stopAt(rule: StoppingRule, intervalOf: (replications: number) => Interval): { readonly replications: number; readonly narrow: boolean } {
  for (const replications of looks(rule)) {
    if (isNarrow(intervalOf(replications), rule.width)) return { replications, narrow: true }
  }
  return { replications: rule.most, narrow: false }
}
