import { NumberedColumns } from './numberedColumns.ts'

/** Quotes that have not ended, each with the row that it leaves. */
export class OpenQuotes extends NumberedColumns {
  /** Columns of the table. */
  readonly width: number
  /** capacity × width: the cells of the row as far as they are known. */
  cells: Float64Array
  /** Slot of the request, which outlives its quotes. */
  requestSlot: Int32Array
  /** −1 before a selection. */
  selectedUs: Float64Array
  deadlineUs: Float64Array
  /** Version of the request at the selection. */
  selectedVersion: Int32Array
  /** −1 where the service numbers none. */
  acceptance: Float64Array

  constructor(width: number, capacity = 1024) {
    super(capacity)
    this.width = width
    this.cells = new Float64Array(capacity * width)
    this.requestSlot = new Int32Array(capacity)
    this.selectedUs = new Float64Array(capacity)
    this.deadlineUs = new Float64Array(capacity)
    this.selectedVersion = new Int32Array(capacity)
    this.acceptance = new Float64Array(capacity)
  }
}
