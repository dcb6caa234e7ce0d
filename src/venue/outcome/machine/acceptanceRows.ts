import { EntityRows } from '../../../unit/countedColumns.ts'

/** Small integers of an acceptance, by their offsets in a row of `AcceptanceRows.words`. */
export const AcceptanceWord = {
  /** Row of the quote. */
  quote: 0,
  taker: 1,
  maker: 2,
  /** An `AcceptanceState`. */
  state: 3,
} as const

/** All else, by its offset in a row of `AcceptanceRows.cells`. */
export const AcceptanceCell = {
  number: 0,
  /** Idempotency key of the accept: the acceptance_id (OM-080). */
  key: 1,
  /** −1 for a cash-out. */
  stakeMicros: 2,
  /** Part of the stake that comes out of the core wallet. */
  coreMicros: 3,
  acceptedAtUs: 4,
  /** Last instant of a confirmation (OM-062). */
  confirmUntilUs: 5,
  /** Sequence number of the accept, which is answered when the acceptance is resolved. */
  acceptSeq: 6,
  /** Number of the operation once confirmed, or −1. */
  operation: 7,
  /** First instant at which its funding is no longer valid. Without meaning for a cash-out. */
  fundingUntilUs: 8,
} as const

const STRIDE = 16

/** Acceptances, until their RFQ is forgotten. An acceptance is named by the index of its row's first word, like a quote (quoteRows.ts). */
export class AcceptanceRows extends EntityRows {
  constructor(capacity: number) {
    super(capacity, STRIDE)
  }
}
