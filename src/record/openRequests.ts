import { NumberedColumns } from './numberedColumns.ts'

/** Requests that have not ended, one slot for each, with the row that the end of the current version will write. */
export class OpenRequests extends NumberedColumns {
  /** Columns of the table. */
  declare readonly width: number
  /** Legs that a slot has room for. */
  declare readonly legsMax: number
  /** capacity × width: the cells of the row as far as they are known. */
  declare cells: Float64Array
  declare legCount: Int32Array
  /** capacity × legsMax. */
  declare legMarkets: Int32Array
  declare legSides: Uint8Array
  /** First node of the chain of makers that quoted this version, or −1. */
  declare firstMaker: Int32Array
  /** Live or reserved quotes. */
  declare liveQuotes: Int32Array
  declare bestOddsE4: Int32Array
  /** Best odds just before the version's end took the quotes off. 0 until then. */
  declare oddsAtEndE4: Int32Array

  constructor(width: number, legsMax: number, capacity = 256) {
    super(capacity)
    this.width = width
    this.legsMax = legsMax
    this.cells = new Float64Array(capacity * width)
    this.legCount = new Int32Array(capacity)
    this.legMarkets = new Int32Array(capacity * legsMax)
    this.legSides = new Uint8Array(capacity * legsMax)
    this.firstMaker = new Int32Array(capacity)
    this.liveQuotes = new Int32Array(capacity)
    this.bestOddsE4 = new Int32Array(capacity)
    this.oddsAtEndE4 = new Int32Array(capacity)
  }
}
