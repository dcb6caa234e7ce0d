import { type Interval, withoutInterval } from '../stats/interval.ts'
import { plural } from '../unit/numberText.ts'

/** What a figure rests on, which decides how many settlement clusters its interval needs (docs/validation.md has the measured coverage). */
export interface FigureBasis {
  /** With fewer clusters an interval would not hold. */
  readonly clustersMin: number
  /** The same of replications, where one cluster has everything. */
  readonly replicationsMin: number
  /** The reason that is given where there are only so many of them. */
  readonly why: (count: number, unit: BasisUnit) => string
}

/** What an interval rests on: settlement clusters or, where one cluster has everything, replications of it. */
export type BasisUnit = 'cluster' | 'replication'

/** How many of a unit an interval needs. */
export const neededOf = ({ clustersMin, replicationsMin }: FigureBasis, unit: BasisUnit): number => (unit === 'cluster' ? clustersMin : replicationsMin)

/** A figure of values or of counts: margins, mark-outs, hit ratios. Its clusters are hardly skewed. */
export const VALUED: FigureBasis = { clustersMin: 2, replicationsMin: 2, why: (count, unit) => plural(count, unit) }

/** Clusters with which an interval of cash holds in at least 93 of 100 books, by number of legs from one on. */
export const CASH_CLUSTERS_MIN: readonly number[] = [5, 20, 40, 80, 80, 160]
/** More legs were not measured. */
const MORE_LEGS_MIN = 320
/**
 * Replications of one history with which an interval of cash was measured to hold, for so many parlays of each or more. Between two of these
 * nothing was measured, so that the row with fewer parlays counts.
 */
const MEASURED_REPLICATIONS: readonly (readonly [parlays: number, replications: number])[] = [[38, 5], [21, 8], [12, 14], [7.6, 22], [3.4, 47], [3, 54]]
/** Legs with which they were measured. Fewer legs need no more. */
const MEASURED_LEGS = 3
/** Parlays of a cluster with which clusters were measured. */
const CLUSTER_PARLAYS = 4
/** Fewer parlays in all replications together were not measured. */
const MEASURED_PARLAYS = 160

function replicationsOf(legs: number, clustersMin: number, undrawn: number): number {
  const measured = MEASURED_REPLICATIONS.find(([parlays]) => undrawn >= parlays)?.[1] ?? Math.ceil(MEASURED_PARLAYS / undrawn)
  return legs <= MEASURED_LEGS ? measured : Math.max(measured, clustersMin, Math.ceil((clustersMin * CLUSTER_PARLAYS) / undrawn))
}

/**
 * A figure of cash: profit, hold, luck, what bettors lost. The more legs its parlays have, the rarer and the larger are its losses.
 *
 * Parlays of a cluster lose together, so that more of them in each make no cluster superfluous. Replications of one history have its results in
 * common, and draw nothing but bettors: with many parlays in each, fewer of them are enough.
 *
 * @param undrawn parlays of a replication whose outcomes are the history's own, 0 where outcomes are drawn
 */
export function cashOf(legs: number, undrawn = 0): FigureBasis {
  const clustersMin = CASH_CLUSTERS_MIN[Math.max(1, legs) - 1] ?? MORE_LEGS_MIN
  const replicationsMin = undrawn === 0 ? clustersMin : replicationsOf(legs, clustersMin, undrawn)
  const basis: FigureBasis = {
    clustersMin, replicationsMin,
    why: (count, unit) => `${plural(count, unit)} of ${legs}-leg parlays: an interval of cash would not hold; ${neededOf(basis, unit)} needed`,
  }
  return basis
}

/**
 * The basis of the cash of parlays, by their mean number of legs, weighted by payout, since large payouts make the losses. Rounded, and 1 without a parlay.
 *
 * @param legPayout Σ payout × legs
 * @param undrawn as of `cashOf`
 */
export const cashOfPayouts = (payout: number, legPayout: number, undrawn = 0): FigureBasis => cashOf(payout === 0 ? 1 : Math.round(legPayout / payout), undrawn)

/** What a figure of several books needs: the most that one of them does. */
export function ofAll(bases: readonly FigureBasis[]): FigureBasis {
  const most = (unit: BasisUnit): FigureBasis => bases.reduce((worst, one) => (neededOf(one, unit) > neededOf(worst, unit) ? one : worst), VALUED)
  const [clusters, replications] = [most('cluster'), most('replication')]
  if (clusters === replications) return clusters
  return { clustersMin: clusters.clustersMin, replicationsMin: replications.replicationsMin, why: (count, unit) => (unit === 'cluster' ? clusters : replications).why(count, unit) }
}

/** A figure up to the close is one of values where the close leaves at least this share of the uncertainty at the deals to luck. Chosen by measured coverage. */
const UNDECIDED_MIN = 0.9

/**
 * A figure of values up to the close: luck-adjusted profit, drift, expected hold. Where prices at the close have come near the results, the
 * figure has what would have been luck, and is as skewed as cash.
 *
 * @param cash the basis of the same book's cash
 * @param uncertain ΣP·V(1 − V) at the deals
 * @param undecided the same at the close, in the same unit. Their ratio is what results decided of the variance of a parlay.
 */
export function adjustedOf(cash: FigureBasis, uncertain: number, undecided: number): FigureBasis {
  if (uncertain > 0 && undecided >= UNDECIDED_MIN * uncertain) return VALUED
  return { ...cash, why: (count, unit) => `${plural(count, unit)}, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; ${neededOf(cash, unit)} needed` }
}

/** The interval where its clusters are enough, and otherwise the estimate with the reason. */
export function held(interval: Interval, basis: FigureBasis, unit: BasisUnit = 'cluster'): Interval {
  const { estimate, low, count, label } = interval
  if (low === null || count >= neededOf(basis, unit)) return interval
  return { ...withoutInterval(estimate ?? NaN, count, label), label: basis.why(count, unit) }
}

/** How many clusters the reason of a short interval asks for. */
export const neededIn = (label: string): number => Number(/(\d+) needed$/.exec(label)?.[1] ?? 0)

/** Whether an interval is missing because its clusters are too few for its basis. */
export const isShort = ({ low, label }: Interval): boolean => low === null && neededIn(label) > 0

/** Why intervals of cash are missing: the longest parlays' reason, which needs the most clusters. Null where none is. */
export function shortReason(intervals: readonly Interval[]): string | null {
  const labels = intervals.filter(isShort).map(({ label }) => label)
  return labels.length === 0 ? null : labels.reduce((worst, label) => (neededIn(label) > neededIn(worst) ? label : worst))
}

/** How many legs the parlays of each owner (a maker, a cohort) have. */
export class BookLegs {
  private readonly payouts: Float64Array
  private readonly legs: Float64Array

  constructor(owners: number) {
    this.payouts = new Float64Array(owners)
    this.legs = new Float64Array(owners)
  }

  /** Counts a parlay. Payouts of a run add up to less than 2⁵³ micro-units, so that the order does not matter. */
  add(owner: number, legs: number, payoutMicros: number): void {
    this.payouts[owner]! += payoutMicros
    this.legs[owner]! += legs * payoutMicros
  }

  /** Counts all parlays of an owner of another book. */
  addAll(owner: number, other: BookLegs, otherOwner: number): void {
    this.payouts[owner]! += other.payouts[otherOwner]!
    this.legs[owner]! += other.legs[otherOwner]!
  }

  /** The basis of an owner's cash. */
  cash(owner: number): FigureBasis {
    return cashOfPayouts(this.payouts[owner]!, this.legs[owner]!)
  }
}
