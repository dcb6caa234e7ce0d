/**
 * Columns of the sums that makers' figures are ratios of, by settlement cluster. Products of a payout and a probability
 * are rounded to the micro-unit, so that every sum is one of integers.
 */
export const MakerColumn = {
  /** Versions quoted; of them filled; of them committed to another while the quote lived, or to the maker, whatever it answered. */
  quotedVersions: 0,
  fills: 1,
  committedVersions: 2,
  /** Backed positions that ended; profit of the maker over all of them, and over those that it had taken over. */
  settled: 3,
  profit: 4,
  /** Over non-void ones: Σs, Σ(s − paid) before fees, Σ gross bet, Σ what the bettors lost. */
  stake: 5,
  hold: 6,
  grossBet: 7,
  bettorLoss: 8,
  /** ΣP and ΣP(V_decide − V_submit) over declined and over confirmed selections. */
  declinedPayout: 9,
  declinedDrift: 10,
  confirmedPayout: 11,
  confirmedDrift: 12,
  /** Backed positions and holdings that ended: where there is none, there is no profit to speak of. */
  ended: 13,
  /** Over positions that a result decided, of a known V at the close: Σs and Σ(s − V_close·P). */
  closeStake: 14,
  closeHold: 15,
  /** The terms of the profit, see `attribution.ts`; they add up to it. */
  margin: 16,
  selection: 17,
  lastLook: 18,
  drift: 19,
  correlation: 20,
  ownFees: 21,
  luck: 22,
  /** Of what ended: without a fair value of the maker's own, and without a reference at one of the instants at least. */
  withoutFair: 23,
  withoutReference: 24,
  /** Per horizon from here on, by `MarkColumn`. */
  marks: 25,
} as const

export const MarkColumn = {
  /** ΣP and ΣP(q − V) of won quotes. */
  payout: 0,
  markOut: 1,
  /** ΣP and ΣP(V − F) of won and of lost quotes whose maker gave a fair value. */
  wonPayout: 2,
  wonGap: 3,
  lostPayout: 4,
  lostGap: 5,
} as const

export const MARK_COLUMNS = 6

/** Column of a mark at the horizon of that index. */
export const markColumn = (horizon: number, column: number): number => MakerColumn.marks + horizon * MARK_COLUMNS + column

/** Columns of the sums that cohorts' figures are ratios of. */
export const BettorColumn = { grossBet: 0, loss: 1, profit: 2 } as const
export const BETTOR_COLUMNS = 3
