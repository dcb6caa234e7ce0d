import type { Interval } from '../stats/interval.ts'
import { wilson } from '../stats/proportion.ts'

/** Margins over the reference, in cents per dollar of payout, between which bins are one cent wide. Beyond them are two open bins. */
const LOW_CENTS = -5
const HIGH_CENTS = 10
const BINS = HIGH_CENTS - LOW_CENTS + 2
/** Groups of numbers of live rivals at submission. */
export const RIVAL_GROUPS = ['0', '1', '2', '3+'] as const
export type RivalGroup = (typeof RIVAL_GROUPS)[number]
export const rivalGroupOf = (rivals: number): number => Math.min(rivals, RIVAL_GROUPS.length - 1)
/** A margin that is closer than this to a whole cent counts as that cent: the rest is rounding of doubles. */
const ROUNDING_CENTS = 1e-9

/** One bin of a win curve: margins in [from, to), null where the bin is open. */
export interface CurveBin {
  readonly fromCents: number | null
  readonly toCents: number | null
  readonly quotes: number
  readonly filled: number
  /** P(fill), with quotes taken as independent. */
  readonly probability: Interval
}

export interface WinCurve {
  /** Quotes in no bin: without a reference, or undecided at the end. */
  readonly left: number
  /** All quotes, then by live rivals at submission. Bins without a quote are left out. */
  readonly pooled: readonly CurveBin[]
  readonly byRivals: readonly { readonly rivals: RivalGroup; readonly bins: readonly CurveBin[] }[]
}

/** P(fill given 100(q − V at submission)), by live rivals (docs/metrics.md). Quotes of requests that never traded count. */
export class WinCurves {
  private readonly left: Float64Array
  /** makers × rivals × bins. */
  private readonly quotes: Float64Array
  private readonly filled: Float64Array

  constructor(makerCount: number) {
    this.left = new Float64Array(makerCount)
    this.quotes = new Float64Array(makerCount * RIVAL_GROUPS.length * BINS)
    this.filled = new Float64Array(makerCount * RIVAL_GROUPS.length * BINS)
  }

  /** Counts a quote whose end or margin is not known. */
  leave(maker: number): void {
    this.left[maker]!++
  }

  /** Counts a quote at 100(q − V) cents. */
  add(maker: number, marginCents: number, liveRivals: number, filled: boolean): void {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(marginCents + ROUNDING_CENTS) - LOW_CENTS + 1))
    const cell = (maker * RIVAL_GROUPS.length + rivalGroupOf(liveRivals)) * BINS + bin
    this.quotes[cell]!++
    if (filled) this.filled[cell]!++
  }

  of(maker: number): WinCurve {
    const all = RIVAL_GROUPS.map((_, rivals) => rivals)
    const byRivals = RIVAL_GROUPS.map((rivals, r) => ({ rivals, bins: this.bins(maker, [r]) }))
    return { left: this.left[maker]!, pooled: this.bins(maker, all), byRivals }
  }

  private bins(maker: number, rivals: readonly number[]): CurveBin[] {
    const bins: CurveBin[] = []
    for (let bin = 0; bin < BINS; bin++) {
      let quotes = 0
      let filled = 0
      for (const r of rivals) {
        quotes += this.quotes[(maker * RIVAL_GROUPS.length + r) * BINS + bin]!
        filled += this.filled[(maker * RIVAL_GROUPS.length + r) * BINS + bin]!
      }
      if (quotes === 0) continue
      const fromCents = bin === 0 ? null : LOW_CENTS + bin - 1
      const toCents = bin === BINS - 1 ? null : LOW_CENTS + bin
      bins.push({ fromCents, toCents, quotes, filled, probability: wilson(filled, quotes) })
    }
    return bins
  }
}
