import { HoldingState } from '../agent/holdings.ts'
import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import { NONE } from '../venue/eventRows.ts'

/** Offsets of the fields of a position that a maker holds, in its row: first those of `HeldRows.words`, then those of `HeldRows.cells`. */
export const Held = {
  /** A `HoldingState`. */
  state: 0,
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  generation: 1,
  seat: 2,
  /** Content of its own, whose bet is what the maker paid; the row holds a reference. */
  content: 3,
  how: 4,
  /** How many auctions of it the maker has opened. */
  auctions: 5,
  checks: 6,

  position: 0,
  request: 1,
  /** Number of the running auction, or −1. */
  auction: 2,
  bestBid: 3,
  bestPriceMicros: 4,
  askedUs: 5,
} as const

const STRIDE = 8

/**
 * Positions that makers hold: one row from the taking to the end that the maker has been told of, named by the index of its first word
 * and cell: `words[row + Held.state]`, `cells[row + Held.position]`.
 */
export class HeldRows extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array

  constructor(capacity = 64) {
    super(capacity, STRIDE)
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
  }

  begin(seat: number, position: number, request: number, content: number, how: number): number {
    const row = this.take()
    const { words, cells } = this
    words[row + Held.state] = HoldingState.held
    words[row + Held.generation]!++
    words[row + Held.seat] = seat
    words[row + Held.content] = content
    words[row + Held.how] = how
    words[row + Held.auctions] = words[row + Held.checks] = 0
    cells[row + Held.position] = position
    cells[row + Held.request] = request
    cells[row + Held.auction] = cells[row + Held.bestBid] = cells[row + Held.bestPriceMicros] = cells[row + Held.askedUs] = NONE
    return row
  }

  end(row: number): void {
    assert(this.words[row + Held.state] !== HoldingState.ended, 'a holding ends once')
    this.words[row + Held.state] = HoldingState.ended
    this.give(row)
  }
}
