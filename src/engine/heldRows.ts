import { HoldingState } from '../agent/holdings.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { SlotColumns } from '../unit/slotColumns.ts'

/** Small integers of a position that a maker holds, by their offsets in a row of `HeldRows.words`. */
export const HeldWord = {
  /** A `HoldingState`. */
  state: 0,
  /** Raised each time a row is taken, so that late messages know a former tenant. */
  generation: 1,
  seat: 2,
  /** Combo of its own, whose bet is what the maker paid; the row holds a reference. */
  combo: 3,
  how: 4,
  /** How many auctions of it the maker has opened. */
  auctions: 5,
  checks: 6,
} as const

/** All else, by its offset in a row of `HeldRows.cells`. */
export const HeldCell = {
  position: 0,
  request: 1,
  /** Number of the running auction, or −1. */
  auction: 2,
  bestBid: 3,
  bestPriceMicros: 4,
  askedAtUs: 5,
  /** Number of the last auction that the maker was told it had opened, or −1: the answer to a repeated call names an earlier one. */
  lastAuction: 6,
} as const

const STRIDE = 8

/**
 * Positions that makers hold: one row from the taking to the end that the maker has been told of, named by the index of its first word
 * and cell: `words[row + HeldWord.state]`, `cells[row + HeldCell.position]`.
 */
export class HeldRows extends SlotColumns {
  declare words: Int32Array
  declare cells: Float64Array

  constructor(capacity = 64) {
    super(capacity, STRIDE)
    this.words = new Int32Array(capacity * STRIDE)
    this.cells = new Float64Array(capacity * STRIDE)
  }

  begin(seat: number, position: number, request: number, combo: number, how: number): number {
    const row = this.take()
    const { words, cells } = this
    words[row + HeldWord.state] = HoldingState.held
    words[row + HeldWord.generation]!++
    words[row + HeldWord.seat] = seat
    words[row + HeldWord.combo] = combo
    words[row + HeldWord.how] = how
    words[row + HeldWord.auctions] = words[row + HeldWord.checks] = 0
    cells[row + HeldCell.position] = position
    cells[row + HeldCell.request] = request
    cells[row + HeldCell.auction] = cells[row + HeldCell.bestBid] = cells[row + HeldCell.bestPriceMicros] = cells[row + HeldCell.askedAtUs] = NONE
    cells[row + HeldCell.lastAuction] = NONE
    return row
  }

  /** A row of these that has not ended, or −1. */
  find(seat: number, position: number, how: number): number {
    const { words, cells } = this
    for (let row = 0; row < this.slotCount * STRIDE; row += STRIDE) {
      const isSuch = words[row + HeldWord.seat] === seat && cells[row + HeldCell.position] === position && words[row + HeldWord.how] === how
      if (isSuch && words[row + HeldWord.state] !== HoldingState.ended) return row
    }
    return NONE
  }

  end(row: number): void {
    assert(this.words[row + HeldWord.state] !== HoldingState.ended, 'a holding ends once')
    this.words[row + HeldWord.state] = HoldingState.ended
    this.give(row)
  }
}
