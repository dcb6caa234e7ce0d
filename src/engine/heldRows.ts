import * as holdingsModule from '../agent/holdings.ts'
import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import * as eventRowsModule from '../venue/eventRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { HoldingState } = holdingsModule
const { NONE } = eventRowsModule

/** Positions that makers hold, as columns: one row from the taking to the end that the maker has been told of. */
export class HeldRows extends SlotColumns {
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  declare generation: Int32Array
  /** A HoldingState. */
  declare state: Uint8Array
  declare seat: Int32Array
  declare position: Float64Array
  declare request: Float64Array
  /** Content of its own, whose bet is what the maker paid; the row holds a reference. */
  declare content: Int32Array
  declare how: Uint8Array
  /** Number of the running auction, or −1. */
  declare auction: Float64Array
  /** How many auctions of it the maker has opened. */
  declare auctions: Int32Array
  declare askedUs: Float64Array
  declare bestBid: Float64Array
  declare bestPriceMicros: Float64Array
  declare checks: Int32Array

  constructor(capacity = 64) {
    super(capacity)
    this.generation = new Int32Array(capacity)
    this.state = new Uint8Array(capacity)
    this.seat = new Int32Array(capacity)
    this.position = new Float64Array(capacity)
    this.request = new Float64Array(capacity)
    this.content = new Int32Array(capacity)
    this.how = new Uint8Array(capacity)
    this.auction = new Float64Array(capacity)
    this.auctions = new Int32Array(capacity)
    this.askedUs = new Float64Array(capacity)
    this.bestBid = new Float64Array(capacity)
    this.bestPriceMicros = new Float64Array(capacity)
    this.checks = new Int32Array(capacity)
  }

  begin(seat: number, position: number, request: number, content: number, how: number): number {
    const row = this.take()
    this.generation[row]!++
    this.state[row] = HoldingState.held
    this.seat[row] = seat
    this.position[row] = position
    this.request[row] = request
    this.content[row] = content
    this.how[row] = how
    this.auction[row] = this.askedUs[row] = this.bestBid[row] = this.bestPriceMicros[row] = NONE
    this.auctions[row] = this.checks[row] = 0
    return row
  }

  end(row: number): void {
    assert(this.state[row] !== HoldingState.ended, 'a holding ends once')
    this.state[row] = HoldingState.ended
    this.give(row)
  }
}
