import type { RowSequence } from '../unit/rowSequence.ts'
import { widened } from '../unit/widened.ts'

/** Offsets of the fields of a posting row: one exact movement of money from one ledger account to another. */
export const PostingField = {
  seq: 0,
  atUs: 1,
  service: 2,
  /** Why the money moved: a `PostingCause` of the ledger. */
  cause: 3,
  /** Debited ledger account: its `AccountKind`, then its owner (account number; position number for pot and escrow). */
  debitKind: 4,
  debitOwner: 5,
  creditKind: 6,
  creditOwner: 7,
  amountMicros: 8,
  /** Request number that the movement belongs to, or −1. */
  request: 9,
} as const

export const POSTING_STRIDE = 10

/** Posting rows in one growing Float64Array, which the engine empties between chunks. */
export class PostingRows {
  declare cells: Float64Array
  count = 0
  declare readonly sequence: RowSequence
  declare readonly service: number

  constructor(sequence: RowSequence, service: number, capacity = 8192) {
    this.sequence = sequence
    this.service = service
    this.cells = new Float64Array(capacity * POSTING_STRIDE)
  }

  /** Appends a movement of `amountMicros` from the debited to the credited account. */
  append(
    atUs: number, cause: number, debitKind: number, debitOwner: number, creditKind: number, creditOwner: number,
    amountMicros: number, request: number,
  ): void {
    if ((this.count + 1) * POSTING_STRIDE > this.cells.length) {
      this.cells = widened(this.cells)
    }
    const at = this.count++ * POSTING_STRIDE
    const cells = this.cells
    cells[at] = this.sequence.next++
    cells[at + 1] = atUs
    cells[at + 2] = this.service
    cells[at + 3] = cause
    cells[at + 4] = debitKind
    cells[at + 5] = debitOwner
    cells[at + 6] = creditKind
    cells[at + 7] = creditOwner
    cells[at + 8] = amountMicros
    cells[at + 9] = request
  }

  /** Field of row `row`, 0 ≤ row < count. */
  get(row: number, field: number): number {
    return this.cells[row * POSTING_STRIDE + field]!
  }

  clear(): void {
    this.count = 0
  }
}
