import { NumberedColumns } from './numberedColumns.ts'

/** Positions that have not settled, with what their rows need. */
export class OpenPositions extends NumberedColumns {
  /** Legs that a slot has room for. */
  readonly legsMax: number
  request: Float64Array
  version: Int32Array
  quote: Float64Array
  holder: Int32Array
  backer: Int32Array
  oddsE4: Int32Array
  stakeMicros: Float64Array
  payoutMicros: Float64Array
  takerFeeMicros: Float64Array
  profitFeeBps: Int32Array
  openedUs: Float64Array
  legCount: Int32Array
  /** capacity × legsMax. */
  legMarkets: Int32Array
  legSides: Uint8Array

  constructor(legsMax: number, capacity = 1024) {
    super(capacity)
    this.legsMax = legsMax
    this.request = new Float64Array(capacity)
    this.version = new Int32Array(capacity)
    this.quote = new Float64Array(capacity)
    this.holder = new Int32Array(capacity)
    this.backer = new Int32Array(capacity)
    this.oddsE4 = new Int32Array(capacity)
    this.stakeMicros = new Float64Array(capacity)
    this.payoutMicros = new Float64Array(capacity)
    this.takerFeeMicros = new Float64Array(capacity)
    this.profitFeeBps = new Int32Array(capacity)
    this.openedUs = new Float64Array(capacity)
    this.legCount = new Int32Array(capacity)
    this.legMarkets = new Int32Array(capacity * legsMax)
    this.legSides = new Uint8Array(capacity * legsMax)
  }
}
