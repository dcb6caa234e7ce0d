/**
 * Columns of the sums, by settlement cluster, whose ratios are makers' figures. Products of a payout and a probability
 * are rounded to the micro-unit, so that every sum is a sum of integers.
 */
export const MakerColumn = {
  /** Versions that the maker quoted, those of them that it filled, and those that were committed while its quote lived: to another maker, or to this one, whatever it answered. */
  quotedVersions: 0,
  fills: 1,
  committedVersions: 2,
  /** Backed positions that ended, and the maker's profit over all of them and over the positions that it had taken over. */
  settled: 3,
  profit: 4,
  /** Over positions that were not voided: Σs, Σ(s − paid) before fees, Σ gross bet, Σ what the bettors lost. */
  stake: 5,
  hold: 6,
  grossBet: 7,
  bettorLoss: 8,
  /** ΣP and ΣP(V_decide − V_submit) over declined and over confirmed selections. */
  declinedPayout: 9,
  declinedDrift: 10,
  confirmedPayout: 11,
  confirmedDrift: 12,
  /** Backed positions and holdings that ended. Where there is none, there is no profit. */
  ended: 13,
  /** Over positions that a result decided and whose V at the close is known: Σs and Σ(s − V_close·P). */
  closeStake: 14,
  closeHold: 15,
  /** The terms of the profit (see `attribution.ts`), which add up to it. */
  margin: 16,
  selection: 17,
  model: 18,
  lastLook: 19,
  drift: 20,
  ownFees: 21,
  luck: 22,
  /**
   * Ended positions and holdings without a fair value of the maker, those on legs that are drawn together without its product of leg prices,
   * and those without a reference at one instant at least.
   */
  withoutFair: 23,
  withoutProduct: 24,
  withoutReference: 25,
  /** Over funded positions that it backs or has taken over: ΣP and Σ P × legs, which say how many clusters a figure of its cash needs. */
  positionPayout: 26,
  legPayout: 27,
  /** Over positions and holdings whose profit was split: ΣP·V(1 − V) at the decision, and at the close or the sale. What was uncertain, and what of it was left to luck. */
  uncertain: 28,
  undecided: 29,
  /** Positions of `positionPayout`, by their number, in a session that draws no outcome. 0 in any other. */
  undrawn: 30,
  /** From here on the columns repeat per horizon, by `MarkColumn`. */
  marks: 31,
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

/** Column of a mark at the horizon with the given index. */
export const markColumn = (horizon: number, column: number): number => MakerColumn.marks + horizon * MARK_COLUMNS + column

/** Columns of the sums whose ratios are cohorts' figures: over bets that ended or were sold, voids included. */
export const BettorColumn = { grossBet: 0, loss: 1, profit: 2 } as const
export const BETTOR_COLUMNS = 3
