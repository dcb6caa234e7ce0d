import { NumberedColumns } from './numberedColumns.ts'
import { widened } from '../unit/widened.ts'

const NONE = -1

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

/** Chains of account numbers over recycled nodes: the makers that quoted a request's version. */
export class MakerChains {
  private makers = new Int32Array(1024)
  private next = new Int32Array(1024)
  private used = 0
  private free = NONE

  has(first: number, maker: number): boolean {
    for (let node = first; node !== NONE; node = this.next[node]!) if (this.makers[node] === maker) return true
    return false
  }

  /** Puts a maker in front of the chain. Returns the new first node. */
  prepend(first: number, maker: number): number {
    let node = this.free
    if (node === NONE) {
      node = this.used++
      if (node === this.makers.length) {
        this.makers = widened(this.makers)
        this.next = widened(this.next)
      }
    } else this.free = this.next[node]!
    this.makers[node] = maker
    this.next[node] = first
    return node
  }

  release(first: number): void {
    let node = first
    while (node !== NONE) {
      const next = this.next[node]!
      this.next[node] = this.free
      this.free = node
      node = next
    }
  }
}
