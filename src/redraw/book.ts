import type { DrawnMarket } from './outcomeBits.ts'
import type { RedrawnLeg } from './bets.ts'

/** A leg, and when its result decides it for the position, µs: at the instant of the result, or at the opening of the position if that is later. */
export interface TimedLeg extends RedrawnLeg {
  readonly decidedUs: number
}

/** A position whose outcome is drawn anew. Its legs are those that can lose it, in the order in which they are decided. With a void leg not all legs can. */
export interface RedrawnPosition {
  readonly legs: readonly TimedLeg[]
  /** When the position is decided if all of these legs come right, µs: at the last of them, or at a void leg. */
  readonly rightUs: number
  /** From the decision to the payment, µs. */
  readonly lagUs: number
}

/** What a participant is paid for a position, by its outcome, microUSDC. `wonMicros` is paid where all its legs come right: the position is won then or, with a void leg, given back. */
export interface Claim {
  /** Place among the positions. */
  readonly position: number
  /** Place among the owners. */
  readonly owner: number
  readonly wonMicros: number
  readonly lostMicros: number
  /** What was paid in the recorded night, and when, µs. */
  readonly recordedMicros: number
  readonly recordedUs: number
}

/** A fill, or a purchase of a position, and the maker's free balance right after it. */
export interface CapitalCheck {
  readonly owner: number
  readonly atUs: number
  readonly freeMicros: number
}

/** One who has profits: a maker, or all bettors of a cohort together. */
export interface Owner {
  readonly kind: 'maker' | 'cohort'
  readonly name: string
  /** What does not depend on the outcomes: what positions cost, and profits that stand as recorded, microUSDC. */
  readonly fixedMicros: number
  readonly recordedMicros: number
  /** The expected profit with each position at V at its close, microUSDC. */
  readonly luckAdjustedMicros: number
  readonly counts: PositionCounts
}

/** Positions of an owner that ended. */
export interface PositionCounts {
  readonly redrawn: number
  /** The others stand as recorded: they were void before any other leg had a result, were bought back, or lack a price at the close of a leg. */
  readonly void: number
  readonly boughtBack: number
  readonly withoutClose: number
  /** Positions that it sold to another holder. The sale stands as recorded. */
  readonly sold: number
  /** Positions that had not ended with the session. They count in no figure. */
  readonly open: number
}

/** All that a redraw needs of one service of a run. */
export interface RedrawBook {
  readonly service: string
  readonly owners: readonly Owner[]
  readonly markets: readonly DrawnMarket[]
  /** 0…1, on the normal scale. */
  readonly correlation: number
  readonly positions: readonly RedrawnPosition[]
  readonly claims: readonly Claim[]
  /** In the order of the ledger. */
  readonly checks: readonly CapitalCheck[]
}
