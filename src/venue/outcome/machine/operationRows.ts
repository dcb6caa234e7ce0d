import { LeggedRows } from '../../leggedRows.ts'

/** Small integers of an operation, by their offsets in a row of `OperationRows.words`. */
export const OperationWord = {
  /** An `OperationKind`. */
  kind: 0,
  /** An `OperationStatus`. */
  status: 1,
  /** Taker, seller or withdrawer. */
  account: 2,
  /** The maker whose quote was accepted. NONE for a withdrawal, like the numbers of acceptance, RFQ and quote. */
  other: 3,
  generation: 4,
  /** For a fill. Without meaning for others, like the legs, the odds and the amounts from the stake on. */
  feeBps: 5,
  legCount: 6,
} as const

/** All else, by its offset in a row of `OperationRows.cells`. */
export const OperationCell = {
  number: 0,
  acceptance: 1,
  rfq: 2,
  quote: 3,
  /** Number of the position that a cash-out sells, or NONE. */
  position: 4,
  /** Stake plus risk, the price, or the withdrawn amount. */
  amountMicros: 5,
  /** Instant of its next step. Without meaning once it has ended. */
  stepAtUs: 6,
  /** First instant at which a fill or a withdrawal is too late for its valid_before. */
  validUntilUs: 7,
  /** First instant at which a withdrawal is too late for its Exit, NEVER_US without one. */
  exitUntilUs: 8,
  /** What the maker has reserved: its risk. */
  riskMicros: 9,
  /** Part of the stake that comes out of the core wallet, 0 unless it is a fill. */
  coreMicros: 10,
  stakeMicros: 11,
  netStakeMicros: 12,
  payoutMicros: 13,
  oddsE4: 14,
} as const

const STRIDE = 16

/**
 * Operations, until they are forgotten: fills, cash-outs and withdrawals on their way through the chain. They have everything that their
 * end needs, because RFQ, quote and acceptance may be forgotten before it. An operation is named by the index of its row's first word,
 * like a quote (quoteRows.ts).
 */
export class OperationRows extends LeggedRows {
  declare legOutcomes: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legOutcomes = new Int32Array(capacity * legWidth)
  }
}
