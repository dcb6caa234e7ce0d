import { LeggedRows } from '../../leggedRows.ts'

/** Small integers of an operation, by their offsets in a row of `OperationRows.words`. */
export const OperationWord = {
  /** An `OperationKind`. */
  kind: 0,
  /** An `OperationStatus`. */
  status: 1,
  /** Taker, seller or withdrawer. */
  account: 2,
  /** The maker whose quote was accepted; NONE of a withdrawal, like the numbers of acceptance, RFQ and quote. */
  other: 3,
  generation: 4,
  /** Of a fill; of others meaningless, like the legs, the odds and the amounts from the stake on. */
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
  /** Stake + risk, the price, or what is withdrawn. */
  amountMicros: 5,
  /** Instant of its next step; meaningless once it ended. */
  stepAtUs: 6,
  /** First instant at which a fill or a withdrawal is too late for its valid_before. */
  validUntilUs: 7,
  /** First instant at which a withdrawal is too late for its Exit; NEVER_US without one. */
  exitUntilUs: 8,
  /** What the maker has reserved: its risk. */
  riskMicros: 9,
  /** Part of the stake that comes out of the core wallet; 0 of others than fills. */
  coreMicros: 10,
  stakeMicros: 11,
  netStakeMicros: 12,
  payoutMicros: 13,
  oddsE4: 14,
} as const

const STRIDE = 16

/**
 * Operations, until they are forgotten: fills, cash-outs and withdrawals on their way through the chain. They hold all that their end
 * needs, since RFQ, quote and acceptance may be forgotten before it. One is named by the index of its row's first word, as a quote is
 * (quoteRows.ts).
 */
export class OperationRows extends LeggedRows {
  declare legOutcomes: Int32Array

  constructor(capacity: number, legWidth: number) {
    super(capacity, STRIDE, legWidth)
    this.legOutcomes = new Int32Array(capacity * legWidth)
  }
}
