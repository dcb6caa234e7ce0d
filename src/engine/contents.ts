import type { LegsView } from '../agent/views.ts'
import { assert } from '../unit/assert.ts'
import { SlotColumns } from '../unit/slotColumns.ts'
import * as eventRowsModule from '../venue/eventRows.ts'
import type { EventRows } from '../venue/eventRows.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { Field } = eventRowsModule

/** Most legs of a parlay that the engine carries. */
const LEGS_MAX = 50
export const CONTENT_LEGS_MAX = LEGS_MAX

/** What delivered messages share: the legs and amounts of a request or position, counted by who still refers to them. */
export class Contents extends SlotColumns {
  declare references: Int32Array
  declare legCount: Uint8Array
  /** Market × 2 + side, the market below 2³⁰, LEGS_MAX to a content: one column to read at each delivery. */
  declare legs: Int32Array
  declare betMicros: Float64Array
  declare stakeMicros: Float64Array
  declare riskMicros: Float64Array
  declare expiresAtUs: Float64Array
  declare contentTag: Float64Array
  /** The request's (see drawKeys.ts). */
  declare drawKey: Float64Array
  /** How often the request had been selected, a selection's own included. */
  declare selections: Int32Array
  /** Of positions that a maker backs: how often it has laid them off. */
  declare layOffs: Int32Array
  /** Of positions and auctions alone: how many auctions the position has had, an auction's own included. */
  declare auctions: Int32Array
  /** Of positions and auctions, and of requests of the outcome service, bps. */
  declare profitFeeBps: Int32Array
  /** Of requests of the outcome service alone, bps. */
  declare takerFeeBps: Int32Array
  /** Of auctions alone: seller, backing maker and its highest price; of these and of held positions what the holder's profit is counted from. */
  declare seller: Int32Array
  declare backer: Int32Array
  declare basisMicros: Float64Array
  declare boundMicros: Float64Array

  constructor(capacity = 1024) {
    super(capacity)
    this.references = new Int32Array(capacity)
    this.legCount = new Uint8Array(capacity)
    this.legs = new Int32Array(capacity * LEGS_MAX)
    this.betMicros = new Float64Array(capacity)
    this.stakeMicros = new Float64Array(capacity)
    this.riskMicros = new Float64Array(capacity)
    this.expiresAtUs = new Float64Array(capacity)
    this.contentTag = new Float64Array(capacity)
    this.drawKey = new Float64Array(capacity)
    this.selections = new Int32Array(capacity)
    this.layOffs = new Int32Array(capacity)
    this.auctions = new Int32Array(capacity)
    this.profitFeeBps = new Int32Array(capacity)
    this.takerFeeBps = new Int32Array(capacity)
    this.seller = new Int32Array(capacity)
    this.backer = new Int32Array(capacity)
    this.basisMicros = new Float64Array(capacity)
    this.boundMicros = new Float64Array(capacity)
  }

  /** Copies the legs (market, side pairs) of the event row whose first cell is `row`; the caller holds the one reference. */
  ofRow(rows: EventRows, row: number, drawKey: number): number {
    const slot = this.begin(drawKey)
    const { legs } = this
    const { cells, pool } = rows
    const count = cells[row + Field.listLength]! >> 1
    const from = cells[row + Field.listStart]! | 0
    const to = slot * LEGS_MAX
    for (let i = 0; i < count; i++) legs[to + i] = pool[from + 2 * i]! * 2 + pool[from + 2 * i + 1]!
    this.legCount[slot] = count
    return slot
  }

  /** Another content with the legs, the stake and the risk of `slot`; the caller holds the one reference. */
  copy(from: number): number {
    const slot = this.begin(this.drawKey[from]!)
    const count = this.legCount[from]!
    for (let i = 0; i < count; i++) this.legs[slot * LEGS_MAX + i] = this.legs[from * LEGS_MAX + i]!
    this.legCount[slot] = count
    this.betMicros[slot] = this.betMicros[from]!
    this.stakeMicros[slot] = this.stakeMicros[from]!
    this.riskMicros[slot] = this.riskMicros[from]!
    return slot
  }

  /** A row with nothing of its former tenant; its legs are the caller's. */
  private begin(drawKey: number): number {
    const slot = this.take()
    this.references[slot] = 1
    this.betMicros[slot] = this.stakeMicros[slot] = this.riskMicros[slot] = 0
    this.expiresAtUs[slot] = this.contentTag[slot] = -1
    this.drawKey[slot] = drawKey
    this.selections[slot] = this.layOffs[slot] = this.auctions[slot] = this.profitFeeBps[slot] = this.takerFeeBps[slot] = 0
    this.seller[slot] = this.backer[slot] = this.basisMicros[slot] = this.boundMicros[slot] = -1
    return slot
  }

  hold(slot: number): void {
    this.references[slot]!++
  }

  drop(slot: number): void {
    const left = --this.references[slot]!
    assert(left >= 0, 'content dropped more often than held')
    if (left === 0) this.give(slot)
  }

  show(slot: number, view: LegsView): void {
    const { legs } = this
    const { markets, sides } = view
    const count = this.legCount[slot]!
    const from = slot * LEGS_MAX
    view.legCount = count
    for (let i = 0; i < count; i++) {
      const leg = legs[from + i]!
      markets[i] = leg >> 1
      sides[i] = leg & 1
    }
  }
}
