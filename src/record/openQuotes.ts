import { NumberedColumns } from './numberedColumns.ts'

/** Quotes that have not ended, each with the row of the table that its end will write. */
export class OpenQuotes extends NumberedColumns {
  /** Columns of the table. */
  declare readonly width: number
  /** capacity × width: the cells of the row, as far as they are known. */
  declare cells: Float64Array
  /** Slot of the request, which outlives its quotes. */
  declare requestSlot: Int32Array
  declare selectedSeq: Float64Array
  /** −1 before a selection. */
  declare selectedUs: Float64Array
  declare deadlineUs: Float64Array
  /** Version of the request at the selection. */
  declare selectedVersion: Int32Array
  /** −1 for a service that does not number acceptances. */
  declare acceptance: Float64Array

  constructor(width: number, capacity = 1024) {
    super(capacity)
    this.width = width
    this.cells = new Float64Array(capacity * width)
    this.requestSlot = new Int32Array(capacity)
    this.selectedSeq = new Float64Array(capacity)
    this.selectedUs = new Float64Array(capacity)
    this.deadlineUs = new Float64Array(capacity)
    this.selectedVersion = new Int32Array(capacity)
    this.acceptance = new Float64Array(capacity)
  }
}
