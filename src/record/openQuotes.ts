import { NumberedColumns } from './numberedColumns.ts'

/** Quotes that have not ended, with what their rows need. */
export class OpenQuotes extends NumberedColumns {
  request: Float64Array
  /** Slot of the request, which outlives its quotes. */
  requestSlot: Int32Array
  version: Int32Array
  maker: Int32Array
  oddsE4: Int32Array
  stakeMicros: Float64Array
  riskMicros: Float64Array
  takerFeeBps: Int32Array
  submittedUs: Float64Array
  validUntilUs: Float64Array
  bookSeq: Float64Array
  liveRivals: Int32Array
  /** NaN when the maker gave none. */
  fair: Float64Array
  /** NaN when unknown. */
  reference: Float64Array
  /** −1 before a selection. */
  selectedUs: Float64Array
  deadlineUs: Float64Array
  /** Version of the request at the selection. */
  selectedVersion: Int32Array
  /** −1 where the service numbers none. */
  acceptance: Float64Array

  constructor(capacity = 1024) {
    super(capacity)
    this.request = new Float64Array(capacity)
    this.requestSlot = new Int32Array(capacity)
    this.version = new Int32Array(capacity)
    this.maker = new Int32Array(capacity)
    this.oddsE4 = new Int32Array(capacity)
    this.stakeMicros = new Float64Array(capacity)
    this.riskMicros = new Float64Array(capacity)
    this.takerFeeBps = new Int32Array(capacity)
    this.submittedUs = new Float64Array(capacity)
    this.validUntilUs = new Float64Array(capacity)
    this.bookSeq = new Float64Array(capacity)
    this.liveRivals = new Int32Array(capacity)
    this.fair = new Float64Array(capacity)
    this.reference = new Float64Array(capacity)
    this.selectedUs = new Float64Array(capacity)
    this.deadlineUs = new Float64Array(capacity)
    this.selectedVersion = new Int32Array(capacity)
    this.acceptance = new Float64Array(capacity)
  }
}
